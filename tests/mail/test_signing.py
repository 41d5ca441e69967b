"""Signatures, looked at by the library that receivers use, with a DNS of our own."""

import base64
import re
import subprocess
from pathlib import Path

import dkim
import pytest

from pbem.mail.outgoing.compose import compose
from pbem.mail.outgoing.signing import Signer, SigningOutbox
from pbem.mail.outgoing.transport import Deferred, OutgoingMail, Result, Sent
from tests.mail.test_compose import FULL

SELECTOR, DOMAIN = "pbem", "campaigns.example"
RSA = ("genrsa", "-traditional", "2048")
PKCS8 = ("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048")
ED25519 = ("genpkey", "-algorithm", "ED25519")
RAW = compose(FULL)


def openssl(*arguments: str | Path) -> bytes:
    return subprocess.run(["openssl", *arguments], check=True, capture_output=True).stdout


class Key:
    """A private key in a file, and its public half in a DNS record."""

    def __init__(self, path: Path, kind: tuple[str, ...]) -> None:
        self.path = path
        path.write_bytes(openssl(*kind))
        public = openssl("pkey", "-in", path, "-pubout", "-outform", "DER")
        is_rsa = kind != ED25519
        shown = base64.b64encode(public if is_rsa else public[-32:]).decode()
        self.record = f"v=DKIM1; k={'rsa' if is_rsa else 'ed25519'}; p={shown}".encode()

    def signer(self) -> Signer:
        return Signer(self.path, SELECTOR, DOMAIN)

    def verifies(self, raw: bytes) -> bool:
        """What a receiver finds who asks the DNS."""

        def ask(name: bytes, timeout: int = 5) -> bytes:
            assert name == f"{SELECTOR}._domainkey.{DOMAIN}.".encode()
            return self.record

        return bool(dkim.verify(raw, dnsfunc=ask))


@pytest.fixture(scope="module", params=[RSA, PKCS8, ED25519], ids=["RSA", "RSA in PKCS8", "Ed25519"])
def key(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Key:
    return Key(tmp_path_factory.mktemp("key") / "dkim.pem", request.param)


def test_signature_is_good_for_the_mail_as_it_was_composed(key: Key) -> None:
    signed = key.signer().sign(RAW)
    assert signed.endswith(RAW)
    assert key.verifies(signed)


def test_signature_bears_what_servers_may_do_to_a_mail(key: Key) -> None:
    signed = key.signer().sign(RAW)
    head, _, body = signed.partition(b"\r\n\r\n")
    refolded = re.sub(rb"(\r\nSubject: \S+) ", rb"\1\r\n  ", head)
    assert refolded != head
    assert key.verifies(
        b"Received: from x by y; z\r\nReturn-Path: <a@b>\r\n" + refolded + b"\r\n\r\n" + body + b"\r\n\r\n"
    )


@pytest.mark.parametrize(
    "header",
    ["From", "Reply-To", "To", "Subject", "Date", "Message-ID", "In-Reply-To", "References", "List-Unsubscribe"],
)
@pytest.mark.parametrize("at_the_end", [True, False])
def test_nobody_can_add_a_header(key: Key, header: str, at_the_end: bool) -> None:
    signed = key.signer().sign(RAW)
    added = f"{header}: <evil@y.example>\r\n".encode()
    changed = signed.replace(b"\r\n\r\n", b"\r\n" + added + b"\r\n", 1) if at_the_end else added + signed
    assert not key.verifies(changed)


@pytest.mark.parametrize(("old", "new"), [(b"Turn 3", b"Turn 4"), (b"Hello Ana", b"Hello Eve"), (b"mixed", b"related")])
def test_nobody_can_change_a_word(key: Key, old: bytes, new: bytes) -> None:
    signed = key.signer().sign(RAW)
    assert old in signed
    assert not key.verifies(signed.replace(old, new, 1))


def test_nobody_can_append_to_the_body(key: Key) -> None:
    signed = key.signer().sign(RAW)
    assert not key.verifies(signed + b"Red: hold\r\n")
    assert b"l=" not in re.sub(rb"\s", b"", signed.partition(b"\r\nFrom")[0]).replace(b"rel", b"")


def test_keys_that_cannot_sign_are_told_in_words(tmp_path: Path) -> None:
    def trouble(content: bytes | None) -> str:
        path = tmp_path / "dkim.pem"
        path.unlink(missing_ok=True)
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(ValueError, match=r".") as caught:
            Signer(path, SELECTOR, DOMAIN)
        return str(caught.value).replace(f"{tmp_path}/", "")

    whole = openssl(*RSA)
    assert trouble(None) == "dkim.pem cannot be read: No such file or directory"
    assert trouble(b"junk") == "dkim.pem is no private key in PEM form without a passphrase"
    assert trouble(whole[:300] + b"\n-----END").startswith("dkim.pem ")
    assert trouble(openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256")).startswith(
        "dkim.pem holds no key that can sign: "
    )
    locked = openssl("genpkey", "-algorithm", "RSA", "-aes256", "-pass", "pass:sesame")
    assert trouble(locked) == "dkim.pem is no private key in PEM form without a passphrase"


class Box:
    """Keeps what it is to send."""

    def __init__(self) -> None:
        self.mails: list[OutgoingMail] = []

    async def send(self, mail: OutgoingMail) -> Result:
        self.mails.append(mail)
        return Sent()

    async def close(self) -> None:
        pass


async def test_mails_are_signed_as_they_go_out(key: Key) -> None:
    box = Box()
    mail = OutgoingMail("orders@campaigns.example", "ana@x.example", RAW)
    assert await SigningOutbox(box, key.signer()).send(mail) == Sent()
    (sent,) = box.mails
    assert (sent.sender, sent.recipient) == (mail.sender, mail.recipient)
    assert key.verifies(sent.raw)


async def test_mail_that_cannot_be_signed_waits(key: Key) -> None:
    box = Box()
    result = await SigningOutbox(box, key.signer()).send(OutgoingMail("a@x.example", "b@x.example", b"no mail at all"))
    assert isinstance(result, Deferred)
    assert box.mails == []
