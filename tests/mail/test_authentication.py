"""Who a letter's sender is, proven or not: the words of mail servers, forged ones, and signatures."""

import base64
from collections.abc import Callable

import dkim
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.authentication import (
    LARGEST_SIGNED,
    LONGEST_BLANK,
    LONGEST_RESULTS,
    LONGEST_SIGNATURE,
    Proof,
    Trust,
    prove,
)
from pbem.mail.mime import read_part

ANA = "ana@example.org"
OURS = "orders@campaigns.example"
TRUST = Trust(OURS, "mx.campaigns.example")
ALIGNED, FAILED, ABSENT = Proof.ALIGNED, Proof.FAILED, Proof.ABSENT

MX = "Authentication-Results: mx.campaigns.example; "
RECEIVED = "Received: from mail.example.org by mx.campaigns.example; Mon, 4 May 2026 12:00:00 +0000\r\n"
PASS = f"{MX}dmarc=pass header.from=example.org\r\n"
FAIL = f"{MX}dmarc=fail header.from=example.org\r\n"

LETTER = (
    f"From: Ana <{ANA}>\r\nTo: orders+K7Q2ABCD@campaigns.example\r\nSubject: orders\r\n"
    "Date: Mon, 4 May 2026 12:00:00 +0000\r\nMessage-ID: <1@example.org>\r\n"
    "Content-Type: text/plain\r\n\r\nRed Dragons: move 14\r\n"
)


def proof(head: str, letter: str = LETTER, trust: Trust = TRUST) -> Proof:
    """What is proven of Ana's letter with these headers on top."""
    return prove((head + letter).encode(), ANA, trust)


# --- the words of our server --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ("dmarc=pass header.from=example.org", ALIGNED),
        ("dmarc=pass (p=REJECT sp=REJECT dis=NONE) header.from=EXAMPLE.org", ALIGNED),
        ("dmarc=fail header.from=example.org", FAILED),
        ("dkim=pass header.d=example.org; dmarc=fail header.from=example.org", FAILED),
        ("dmarc=pass header.from=evil.example", ABSENT),
        ("dmarc=pass", ABSENT),
        ("dmarc=pass header.from=example.org header.from=evil.example", ABSENT),
        ("dmarc=pass header.from=evil.example; dmarc=pass header.from=example.org", ABSENT),
        ("dkim=pass header.d=example.org header.s=a header.b=b", ALIGNED),
        ("dkim=pass header.i=@example.org", ALIGNED),
        ("dkim=pass header.i=ana@example.org", ALIGNED),
        ("dkim=pass header.d=evil.example header.i=@example.org", ABSENT),
        ("dkim=fail header.d=example.org", ABSENT),
        ("dkim=fail header.d=example.org; dkim=pass header.d=example.org", ALIGNED),
        ("spf=pass smtp.mailfrom=ana@example.org", ALIGNED),
        ("spf=pass smtp.mailfrom=example.org", ALIGNED),
        ("spf=softfail smtp.mailfrom=ana@example.org", ABSENT),
        ("spf=pass smtp.helo=example.org", ABSENT),
        ("arc=pass; auth=pass smtp.auth=ana@example.org", ABSENT),
        ("none", ABSENT),
    ],
)
def test_what_our_server_found_out(results: str, expected: Proof) -> None:
    assert proof(f"{MX}{results}\r\n{RECEIVED}") is expected


@pytest.mark.parametrize(
    ("spf", "dkim_", "expected"),
    [
        ("evil.example", "", ABSENT),  # The attacker's own server may send for his own domain.
        ("example.org", "", ALIGNED),
        ("evil.example", "evil.example", ABSENT),  # And sign for it.
        ("evil.example", "example.org", ALIGNED),  # Passed on by a mailing list, the signature whole.
    ],
)
def test_a_pass_for_another_domain_proves_nothing(spf: str, dkim_: str, expected: Proof) -> None:
    signed = f"; dkim=pass header.d={dkim_}" if dkim_ else ""
    assert proof(f"{MX}spf=pass smtp.mailfrom=x@{spf}{signed}\r\n{RECEIVED}") is expected


@pytest.mark.parametrize(
    ("proven", "sender", "expected"),
    [
        ("example.org", "mail.example.org", ALIGNED),  # Who has a domain has what is below it,
        ("mail.example.org", "example.org", ABSENT),  # but perhaps only got that from its owner.
        ("org", "example.org", ABSENT),
        ("ample.org", "example.org", ABSENT),
        ("xn--bcher-kva.example", "bücher.example", ALIGNED),
        ("example.org.", "example.org", ALIGNED),
    ],
)
def test_a_domain_covers_itself_and_what_is_below_it(proven: str, sender: str, expected: Proof) -> None:
    letter = LETTER.replace(ANA, f"ana@{sender}")
    raw = f"{MX}dkim=pass header.d={proven}\r\n{RECEIVED}{letter}".encode()
    assert prove(raw, f"ana@{sender}", TRUST) is expected


QUOTED = 'spf=pass smtp.mailfrom="; dmarc=pass header.from=example.org"@evil.example'


@pytest.mark.parametrize(
    ("title", "head", "expected"),
    [
        ("above our server's Received", PASS + RECEIVED, ALIGNED),
        ("below it", RECEIVED + PASS, ALIGNED),
        ("below a second one: a forwarder or the sender wrote it", RECEIVED * 2 + PASS, ABSENT),
        ("our server's is on top, what the sender wrote is not looked at", FAIL + RECEIVED + PASS, FAILED),
        ("the same below", f"{RECEIVED}{MX}none\r\n{PASS}", ABSENT),
        ("another server's", RECEIVED + PASS.replace("mx.", "mx2."), ABSENT),
        ("a name that only begins like ours", RECEIVED + PASS.replace(".example;", ".example.evil;"), ABSENT),
        ("our name in a comment", RECEIVED + PASS.replace("mx.", "(mx.campaigns.example) mx2."), ABSENT),
        ("capitals", PASS.replace("mx.", "MX.") + RECEIVED, ALIGNED),
        ("with a version", PASS.replace("example;", "example 1;") + RECEIVED, ALIGNED),
        ("Microsoft's, without a name", PASS.replace("mx.campaigns.example; ", "") + RECEIVED, ABSENT),
        ("in another header", PASS.replace("Auth", "ARC-Auth", 1) + RECEIVED, ABSENT),
        ("folded", PASS.replace("; ", ";\r\n\t") + RECEIVED, ALIGNED),
        ("in a quoted local part", f"{MX}{QUOTED}\r\n{RECEIVED}", ABSENT),
        ("cut off", f"{MX}dmarc=pass header.from\r\n{RECEIVED}", ABSENT),
        ("garbage", f"{MX}=;=;(((\r\n{RECEIVED}", ABSENT),
    ],
    ids=lambda value: value if isinstance(value, str) and "\r\n" not in value else "",
)
def test_which_header_is_believed(title: str, head: str, expected: Proof) -> None:
    assert proof(head) is expected, title


def test_no_header_is_believed_as_long_as_nobody_names_a_server() -> None:
    assert proof(PASS + RECEIVED, trust=Trust(OURS)) is ABSENT
    nameless = PASS.replace("mx.campaigns.example", "")
    assert proof(nameless + RECEIVED, trust=Trust(OURS)) is ABSENT


def test_a_mailbox_at_a_large_provider_has_more_hops() -> None:
    """Headers as Gmail puts them on top."""
    head = (
        "Delivered-To: orders@campaigns.example\r\n"
        "Received: by 2002:a05:6402:34c7:b0:5c9 with SMTP id w7csp123; Mon, 4 May 2026 05:00:00 -0700 (PDT)\r\n"
        "ARC-Authentication-Results: i=1; mx.google.com; dmarc=pass header.from=example.org\r\n"
        "Return-Path: <ana@example.org>\r\n"
        "Received: from mail.example.org by mx.google.com with ESMTPS id 5si1; Mon, 4 May 2026 05:00:00 -0700 (PDT)\r\n"
        "Received-SPF: pass (google.com: domain of ana@example.org designates 192.0.2.1 as permitted sender)\r\n"
        "Authentication-Results: mx.google.com;\r\n"
        "       dkim=pass header.i=@example.org header.s=a header.b=abcd;\r\n"
        "       spf=pass (google.com: domain of ana@example.org designates 192.0.2.1 as permitted sender)"
        " smtp.mailfrom=ana@example.org;\r\n"
        "       dmarc=pass (p=NONE sp=NONE dis=NONE) header.from=example.org\r\n"
    )
    assert proof(head, trust=Trust(OURS, "mx.google.com", hops=2)) is ALIGNED
    assert proof(head, trust=Trust(OURS, "mx.google.com", hops=1)) is ABSENT


@pytest.mark.parametrize("to", ["ana.friend@example.net", "orders@campaigns.example.evil", ""])
def test_a_letter_that_was_sent_to_somebody_else_proves_nothing(to: str) -> None:
    assert proof(PASS + RECEIVED, LETTER.replace("orders+K7Q2ABCD@campaigns.example", to)) is ABSENT


def test_two_senders_prove_nothing() -> None:
    assert proof(PASS + RECEIVED + "From: eve@evil.example\r\n") is ABSENT


@pytest.mark.parametrize(
    "results",
    ["a=b;" * 4000, "(" * 16_000, "(a" * 2000, "dkim=pass " + "header.d=x " * 3000, "spf=pass smtp.a=" + '\\"' * 8000],
)
def test_hostile_results_prove_nothing(results: str) -> None:
    assert proof(f"{MX}{results}\r\n{RECEIVED}") is ABSENT


@pytest.mark.parametrize(("length", "expected"), [(LONGEST_RESULTS, ALIGNED), (LONGEST_RESULTS + 1, ABSENT)])
def test_results_that_would_take_long_are_not_read(length: int, expected: Proof) -> None:
    begun = PASS.rstrip()
    filling = length - len(begun.partition(": ")[2]) - len(" ()")
    assert proof(f"{begun} ({'x' * filling})\r\n{RECEIVED}") is expected


@given(st.text(st.characters(max_codepoint=300, exclude_characters="\r\n"), max_size=300))
def test_no_results_raise(text: str) -> None:
    assert proof(f"{MX}{text}\r\n{RECEIVED}") in Proof


# --- signatures ---------------------------------------------------------------------------------------------------

KEY = rsa.generate_private_key(public_exponent=65537, key_size=1024)
PEM = KEY.private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
)
RECORD = b"v=DKIM1; k=rsa; p=" + base64.b64encode(
    KEY.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
)
ALL_HEADERS = [b"from", b"to", b"subject", b"date", b"message-id", b"content-type"]


def dns(name: bytes, timeout: float) -> bytes | None:
    """Both domains have the same key."""
    return RECORD if name in (b"a._domainkey.example.org.", b"a._domainkey.evil.example.") else None


CHECKING = Trust(OURS, lookup=dns)


def signed(letter: str = LETTER, domain: str = "example.org", **options: object) -> bytes:
    """A letter with a signature on top."""
    options = {"include_headers": ALL_HEADERS} | options
    raw = letter.encode()
    return bytes(dkim.sign(raw, b"a", domain.encode(), PEM, **options)) + raw


def test_a_signature_of_the_senders_domain_proves_him() -> None:
    assert prove(signed(), ANA, CHECKING) is ALIGNED
    assert prove(signed(), ANA, Trust(OURS)) is ABSENT
    assert prove(b"From - Mon May  4 12:00:00 2026\r\n" + signed(), ANA, CHECKING) is ALIGNED


def test_a_second_signature_will_do() -> None:
    assert prove(signed(signed().decode(), "evil.example"), ANA, CHECKING) is ALIGNED


def replaced(old: str, new: str) -> Callable[[bytes], bytes]:
    return lambda raw: raw.replace(old.encode(), new.encode(), 1)


@pytest.mark.parametrize(
    ("title", "change"),
    [
        ("other orders", replaced("move 14", "move 15")),
        ("more orders below", lambda raw: raw + b"Iron Wall: disband\r\n"),
        ("another subject", replaced("Subject: orders", "Subject: [gate] orders")),
        ("a second sender", lambda raw: b"From: eve@evil.example\r\n" + raw),
        ("a second subject", lambda raw: b"Subject: [gate]\r\n" + raw),
        ("an address for answers that is not signed", lambda raw: b"Reply-To: eve@evil.example\r\n" + raw),
        ("a header that makes text of something else", lambda raw: b"Content-Transfer-Encoding: base64\r\n" + raw),
        ("a line that one reader skips and the other does not", replaced("Subject:", "From here\r\nSubject:")),
        ("no signature", replaced("DKIM-Signature", "X-Signature")),
        ("a broken one", replaced("v=1;", "v=1; v;")),
        ("bytes on top on which the library raises", lambda raw: b"\x00\r\n" + raw),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_was_changed_after_signing_proves_nothing(title: str, change: Callable[[bytes], bytes]) -> None:
    assert prove(signed(), ANA, CHECKING) is ALIGNED
    assert prove(change(signed()), ANA, CHECKING) is ABSENT, title


def test_a_signature_over_a_part_of_the_body_proves_nothing() -> None:
    """With ``l=`` anybody may append orders."""
    raw = signed(length=True)
    assert b"l=" in raw
    assert dkim.verify(raw + b"Iron Wall: disband\r\n", dnsfunc=dns_of_the_library)
    assert prove(raw + b"Iron Wall: disband\r\n", ANA, CHECKING) is ABSENT
    assert prove(raw, ANA, CHECKING) is ABSENT


def dns_of_the_library(name: bytes, timeout: float = 5) -> bytes | None:
    return dns(name, timeout)


@pytest.mark.parametrize("missing", [b"to", b"subject", b"date", b"content-type"])
def test_every_header_that_decides_has_to_be_signed(missing: bytes) -> None:
    raw = signed(include_headers=[name for name in ALL_HEADERS if name != missing])
    assert dkim.verify(raw, dnsfunc=dns_of_the_library)
    assert prove(raw, ANA, CHECKING) is ABSENT


def test_a_signature_of_another_domain_is_not_even_looked_up() -> None:
    asked = []

    def record(name: bytes, timeout: float) -> bytes | None:
        asked.append(name)
        return RECORD

    assert prove(signed(domain="evil.example"), ANA, Trust(OURS, lookup=record)) is ABSENT
    assert asked == []


def test_a_dns_that_does_not_answer_proves_nothing() -> None:
    def silent(name: bytes, timeout: float) -> bytes | None:
        raise TimeoutError

    assert prove(signed(), ANA, Trust(OURS, lookup=silent)) is ABSENT
    assert prove(signed(), ANA, Trust(OURS, lookup=lambda name, timeout: None)) is ABSENT


@pytest.mark.parametrize("seconds", [2, 5, 60])
def test_all_signatures_together_wait_five_seconds_for_the_dns(seconds: float) -> None:
    now, allowed = 0.0, []

    def slow(name: bytes, timeout: float) -> bytes | None:
        nonlocal now
        allowed.append(timeout)
        now += min(seconds, timeout)
        return None

    raw = signed()
    for _ in range(9):
        raw = signed(raw.decode())
    assert prove(raw, ANA, Trust(OURS, lookup=slow, timer=lambda: now)) is ABSENT
    assert now <= 5
    assert allowed == [5, 3, 1][: len(allowed)]
    assert len(allowed) == (3 if seconds == 2 else 1)


def test_no_more_than_three_signatures_are_looked_at() -> None:
    for others, expected in ((2, ALIGNED), (3, ABSENT)):
        raw = signed()
        for _ in range(others):
            raw = signed(raw.decode(), "evil.example")
        assert prove(raw, ANA, CHECKING) is expected


def blank(count: int) -> bytes:
    """A letter that was signed before somebody put so many blanks into it."""
    return signed().replace(b"move 14", b"move" + b" " * count + b"14")


def long(length: int) -> bytes:
    """A letter with a signature of so many characters, which says too much to be good."""
    raw = signed()
    (signature,) = read_part(raw).all("dkim-signature")
    return raw.replace(b" v=1;", b" v=1; n=" + b"x" * (length - len(signature) - len(" n=;")) + b";", 1)


def large(count: int) -> bytes:
    """A letter with a signature and so many bytes of orders, or a few less."""
    return signed(LETTER + "Line: of orders\r\n" * (count // 17))


@pytest.mark.parametrize(
    ("letter", "most", "more"),
    [(blank, LONGEST_BLANK, 1), (long, LONGEST_SIGNATURE, 1), (large, LARGEST_SIGNED - 2000, 2000)],
)
def test_signatures_that_would_take_long_are_not_looked_at(
    letter: Callable[[int], bytes], most: int, more: int
) -> None:
    asked = []
    trust = Trust(OURS, lookup=lambda name, timeout: asked.append(name))
    for count, expected in ((most, 1), (most + more, 0)):
        asked.clear()
        assert prove(letter(count), ANA, trust) is ABSENT
        assert len(asked) == expected


def test_a_failed_verdict_of_our_server_stands_against_any_signature() -> None:
    trust = Trust(OURS, "mx.campaigns.example", lookup=dns)
    assert prove((FAIL + RECEIVED).encode() + signed(), ANA, trust) is FAILED


@pytest.mark.parametrize(
    "raw",
    [
        signed().replace(b"move 14", b" " * 250_000 + b"x"),
        b"DKIM-Signature: v=1; b=" + b" " * 15_000 + b"!\r\n" + LETTER.encode(),
        b"DKIM-Signature: v=1; d=example.org\r\n" * 400 + LETTER.encode(),
    ],
    ids=["blanks", "a long signature", "many signatures"],
)
def test_hostile_signatures_prove_nothing(raw: bytes) -> None:
    assert prove(raw, ANA, CHECKING) is ABSENT


@given(st.binary(max_size=500))
def test_no_bytes_raise(raw: bytes) -> None:
    assert prove(raw, ANA, CHECKING) in Proof
    assert prove(b"DKIM-Signature: " + raw + b"\r\n" + LETTER.encode(), ANA, CHECKING) is not ALIGNED
