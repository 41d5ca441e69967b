"""Whether a letter's sender is proven: by what our own mail server found out, or by a signature that we check.

Two ways lead to a proof, and both speak only for the *domain* of the one address in ``From``.

**What our mail server found out** stands in ``Authentication-Results`` (RFC 8601). Anybody may write such a header
into his mail, so one is believed only

- if its authserv-id is exactly the configured one,
- if it is the topmost with that id: servers put theirs above what came in, so what a sender wrote stands below, and
- if no more than ``hops`` ``Received`` headers stand above it. Each server on the way puts its own on top, so that
  what a sender, a forwarder or a mailing list wrote is below many. One is right for a server that hands its mail on
  to us, two for a mailbox at a large provider (at Gmail the header stands below two of its own).

Position alone cannot tell a header that our server wrote below its own ``Received`` from one that the sender wrote on
top of his mail. So the server has to take away what claims to be its own (RFC 8601, section 5), or at least to write a
header into every mail. The setting is empty until somebody says that it does.

**A signature** (DKIM, RFC 6376) is checked if there is a ``lookup`` for the DNS. More is asked than the standard asks:
every header that decides how the letter is read has to be signed and to stand there once, and the signature has to
cover the whole body (no ``l=``).

What counts is in the table of :func:`_verdict`. A proven domain covers the sender if it is the same, or one above his:
who owns ``example.org`` owns ``mail.example.org`` as well. Not the other way round: who got ``eve.example.org`` from
its owner is not ``example.org``, and only a list of public suffixes could tell the two cases apart.

A letter proves nothing unless it says in ``To`` or ``Cc`` that it is for us: whoever got a signed mail from a player
may send it on, and the signature is still good.
"""

import re
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

import authres

from pbem.mail.addresses import all_addresses, ascii_domain, untagged
from pbem.mail.mime import Part, read_part
from pbem.mail.reading.letter import bare

LONGEST_RESULTS = 4_000
"""Characters of a header with results that is read: the parser takes quadratic time."""
MOST_SIGNATURES = 3
LARGEST_SIGNED = 1_000_000
"""Bytes of a letter whose signatures are looked at: an order card is far smaller, and checking takes a pass over all of
it for each signature."""
LONGEST_SIGNATURE = 4_000
LONGEST_BLANK = 1_000
"""Blanks in a row in a mail whose signature is checked: dkimpy takes quadratic time over them."""
LOOKUP_BUDGET = 5.0
"""Seconds that a letter may wait for the DNS, for all its signatures together."""

ALWAYS_SIGNED = frozenset({"from", "to", "date", "subject"})
DECIDING = ALWAYS_SIGNED | {
    *("cc", "sender", "reply-to", "message-id", "in-reply-to", "references"),
    *("mime-version", "content-type", "content-transfer-encoding", "content-disposition"),
}
"""Headers that decide how a letter is read: signed if they are there, and there once."""

Lookup = Callable[[bytes, float], bytes | None]
"""The TXT record of a name in the DNS within so many seconds, or nothing."""

RESULTS: Any = authres.all_features()
"""Reads headers with results, DMARC's among them."""


class Proof(Enum):
    """What is known of a letter's sender."""

    ALIGNED = "aligned"
    """It comes from the domain that it says it comes from."""
    FAILED = "failed"
    """Our server says that it does not."""
    ABSENT = "absent"
    """Nobody says anything that we may believe."""


@dataclass(frozen=True)
class Trust:
    """Whose word counts."""

    address: str
    """Ours, to which a letter has to be addressed."""
    authserv_id: str = ""
    """Empty: no header is believed."""
    hops: int = 1
    """How many ``Received`` headers may stand above the one with the results."""
    lookup: Lookup | None = None
    """``None``: signatures are not checked."""
    timer: Callable[[], float] = time.monotonic
    """Seconds, to measure how long lookups take."""


def txt_record(name: bytes, timeout: float) -> bytes | None:
    """The TXT record of a name in the DNS. Raises ``DNSException`` if there is none, or no answer in time."""
    import dns.resolver  # here, as dkim below: most servers believe no signatures

    answer = dns.resolver.resolve(name.decode("ascii"), "TXT", lifetime=timeout, search=False)
    return b"".join(answer[0].strings)


def prove(raw: bytes, sender: str, trust: Trust) -> Proof:
    """Whether the sender of a mail, the one address in its ``From``, is proven. Raises nothing, whatever the bytes are.

    May ask the DNS, and wait for it as long as :data:`LOOKUP_BUDGET`.
    """
    raw = bare(raw)
    mail = read_part(raw)
    domain = ascii_domain(sender.rpartition("@")[2])
    if not domain or len(mail.all("from")) != 1:
        return Proof.ABSENT
    found = results_of(mail, trust.authserv_id) if trust.authserv_id else None
    proof = _verdict(found.entries if found and found.hops <= trust.hops else (), domain)
    if proof is Proof.FAILED:
        return proof
    proven = proof is Proof.ALIGNED or (trust.lookup is not None and _signed(raw, mail, domain, _limited(trust)))
    return Proof.ALIGNED if proven and _is_for(mail, trust.address) else Proof.ABSENT


def _is_for(mail: Part, address: str) -> bool:
    """Whether ``To`` or ``Cc`` name our address, with or without a token."""
    return untagged(address) in map(untagged, all_addresses(mail.all("to") + mail.all("cc")))


def _covers(proven: str, domain: str) -> bool:
    """Whether who has a domain has the other as well: it is the same, or below it."""
    proven = ascii_domain(proven.rstrip("."))
    return bool(proven) and (proven == domain or ("." in proven and domain.endswith(f".{proven}")))


# --- what our mail server says ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Results:
    """A header with results, whoever wrote it."""

    authserv_id: str
    """Which server says that it did. Empty: none; Microsoft's begin with the first result."""
    text: str
    hops: int
    """How many ``Received`` headers stand above it."""

    @property
    def entries(self) -> tuple[Any, ...]:
        """The results, as the library reads them; none if it cannot, or if that would take long."""
        if len(self.text) > LONGEST_RESULTS:
            return ()
        try:
            return tuple(RESULTS.parse_value(self.text).results)
        except Exception:  # The library raises its own errors, and RecursionError for many brackets.
            return ()


def results_of(mail: Part, authserv_id: str = "") -> Results | None:
    """The topmost header with results of a server, by default of any that says who it is."""
    hops = 0
    for name, value in mail.headers:
        hops += name == "received"
        if name == "authentication-results":
            server = next(iter(value.partition(";")[0].split()), "")
            if "=" not in server and server and (not authserv_id or server.lower() == authserv_id.lower()):
                return Results(server, value, hops)
    return None


def _verdict(results: tuple[Any, ...], domain: str) -> Proof:
    """What the results say of a domain.

    ==================================  =============================================
    ``dmarc=fail``                      failed
    ``dmarc=pass`` for the very domain  aligned
    ``dkim=pass``, ``spf=pass``         aligned if for this domain or one above it;
                                        for any other it proves nothing: everybody
                                        can sign for a domain of his own
    everything else                     absent: a signature that broke on the way is
                                        worth as much as none
    ==================================  =============================================
    """
    dmarc = [result for result in results if result.method == "dmarc"]
    if any(result.result == "fail" for result in dmarc):
        return Proof.FAILED
    if len(dmarc) > 1:
        return Proof.ABSENT
    passed = [result for result in results if result.result == "pass"]
    agreed = any(ascii_domain(_property(result, "header", "from")) == domain for result in dmarc if result in passed)
    proven = agreed or any(_covers(each, domain) for result in passed for each in _domains(result))
    return Proof.ALIGNED if proven else Proof.ABSENT


def _domains(result: Any) -> Iterator[str]:
    """The domain that a signature or a sending server speaks for."""
    if result.method == "dkim":
        yield _property(result, "header", "d") or _property(result, "header", "i").rpartition("@")[2]
    elif result.method == "spf":
        yield _property(result, "smtp", "mailfrom").rpartition("@")[2]


def _property(result: Any, kind: str, name: str) -> str:
    """A property of a result, which must stand there once."""
    values = [each.value or "" for each in result.properties if (each.type, each.name) == (kind, name)]
    return values[0] if len(values) == 1 else ""


# --- signatures ---------------------------------------------------------------------------------------------------


def _limited(trust: Trust) -> Lookup:
    """Asks the DNS until the budget is spent. The time that a question may take is not for who asks to say."""
    end = trust.timer() + LOOKUP_BUDGET

    def ask(name: bytes, timeout: float) -> bytes | None:
        left = end - trust.timer()
        return trust.lookup(name, left) if trust.lookup and left > 0 else None

    return ask


def _signed(raw: bytes, mail: Part, domain: str, lookup: Lookup) -> bool:
    """Whether a good signature of the domain covers all that we read."""
    import dkim

    names = [name for name, _ in mail.headers]
    if any(names.count(name) > 1 for name in DECIDING) or _too_slow(raw, mail):
        return False
    for index in range(min(names.count("dkim-signature"), MOST_SIGNATURES)):
        try:
            if _good(dkim.DKIM(raw), index, names, domain, lookup):
                return True
        except Exception:  # The library raises its own errors, and many others for malformed mail and keys.
            continue
    return False


def _good(checker: Any, index: int, names: list[str], domain: str, lookup: Lookup) -> bool:
    if [name.decode("ascii").lower() for name, _ in checker.headers] != names:
        return False  # It reads the mail in another way than we do.
    prepared = checker.verify_headerprep(index)
    if not prepared:
        return False
    fields, signed, _ = prepared
    covered = {name.decode("ascii", "replace") for name in signed}
    wanted = ALWAYS_SIGNED | (DECIDING & set(names))
    if b"l" in fields or not wanted <= covered or not _covers(fields[b"d"].decode("ascii"), domain):
        return False
    return bool(checker.verify(index, dnsfunc=lambda name, timeout: lookup(name, timeout)))


def _too_slow(raw: bytes, mail: Part) -> bool:
    """Whether checking could take long."""
    if len(raw) > LARGEST_SIGNED:
        return True
    signatures = mail.all("dkim-signature")[:MOST_SIGNATURES]
    blanks: Iterable[bytes] = re.findall(rb"[ \t]+", raw)
    return any(len(each) > LONGEST_SIGNATURE for each in signatures) or any(len(run) > LONGEST_BLANK for run in blanks)
