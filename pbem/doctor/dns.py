"""Does the DNS say of our domain what other mail servers want to see before they take mail from it?"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import dkim
import dns.asyncresolver
import dns.exception
import dns.resolver

from pbem.doctor.finding import Finding, note, ok, warning, wrong

PATIENCE = 4.0
"""Seconds for one question."""
RESERVED = frozenset({"localhost", "test", "example", "invalid", "local", "internal", "lan"})
"""Top-level names that the public DNS does not have."""

Lookup = Callable[[str, str], Awaitable[Sequence[str]]]
"""Records of a name and type (``MX``, ``TXT``) as text; none if there are none. Raises :class:`Unanswered`."""


class Unanswered(Exception):
    """The DNS does not answer, which says nothing about the records."""


async def system_lookup(name: str, kind: str) -> Sequence[str]:
    """Ask the resolver of this machine."""
    try:
        answer = await dns.asyncresolver.resolve(name, kind, lifetime=PATIENCE, search=False)
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return ()
    except (dns.exception.DNSException, OSError) as error:
        raise Unanswered(str(error)) from error
    if kind == "TXT":
        return [b"".join(record.strings).decode("utf-8", "replace") for record in answer]
    return [record.to_text() for record in answer]


@dataclass(frozen=True)
class Domain:
    """Our domain, and how to find out about it."""

    name: str
    lookup: Lookup
    selector: str = ""
    """Under which our DKIM key is published; empty: we do not sign."""
    signer: str = ""
    """The domain that our signature names."""
    sign: Callable[[bytes], bytes] = lambda mail: mail
    """Puts our signature on a mail."""

    @property
    def is_public(self) -> bool:
        """Whether the public DNS could know it."""
        return "." in self.name and self.name.rpartition(".")[2] not in RESERVED


async def records(domain: Domain) -> list[Finding]:
    """What is published, as far as the DNS answers."""
    if not domain.is_public:
        return [note("DNS", f"{domain.name} is no domain of the public DNS: nothing to look up")]
    found: list[Finding] = []
    for look in (_mx, _spf, _dkim, _dmarc):
        try:
            found += await look(domain)
        except Unanswered as error:
            return [*found, note("DNS", f"it does not answer ({error}): nothing can be said of the rest")]
    return found


async def _mx(domain: Domain) -> list[Finding]:
    subject, hosts = "MX", await domain.lookup(domain.name, "MX")
    if any(record.split()[-1] == "." for record in hosts):
        said = f"{domain.name} says that it takes no mail"
        return [wrong(subject, said, "publish MX records of the server that takes mail for the address")]
    if hosts:
        names = ", ".join(record.split()[-1].rstrip(".") for record in sorted(hosts))
        return [ok(subject, f"mail to {domain.name} goes to {names}")]
    if await domain.lookup(domain.name, "A") or await domain.lookup(domain.name, "AAAA"):
        said = f"{domain.name} has none: mail goes to the machine of that name itself"
        return [note(subject, said)]
    said = f"nobody can send mail to {domain.name}: it has neither MX records nor an address"
    return [wrong(subject, said, "publish an MX record of the server that takes mail for the address")]


async def _spf(domain: Domain) -> list[Finding]:
    subject = "SPF"
    found = [text for text in await domain.lookup(domain.name, "TXT") if text.lower().split(" ")[0] == "v=spf1"]
    if not found:
        said = f"{domain.name} does not say which servers send its mail: many take it for junk"
        return [warning(subject, said, f'publish TXT {domain.name} "v=spf1 include:… ~all", as your provider says')]
    if len(found) > 1:
        said = f"{domain.name} has {len(found)} SPF records, so none counts"
        return [wrong(subject, said, "publish one TXT record with all of it")]
    if found[0].lower().split()[-1] in ("+all", "all"):
        said = f"{domain.name} allows everybody to send its mail: {found[0]}"
        return [warning(subject, said, "end the record with ~all or -all")]
    return [ok(subject, found[0])]


async def _dkim(domain: Domain) -> list[Finding]:
    subject = "DKIM"
    if not domain.selector:
        return [note(subject, "mail is not signed by this server; a provider signs what goes out through it")]
    name = f"{domain.selector}._domainkey.{domain.signer}"
    found = await domain.lookup(name, "TXT")
    if not found:
        said = f"mail is signed, but {name} does not publish the key: the signatures are worth nothing"
        return [wrong(subject, said, "publish its public half there; docs/organizing.md has the command")]
    if not _fits(domain, found[0]):
        said = f"the key that {name} publishes is not that of [dkim] key"
        return [wrong(subject, said, "publish the public half of this key; docs/organizing.md has the command")]
    return [ok(subject, f"{name} publishes our key")]


def _fits(domain: Domain, record: str) -> bool:
    """Whether what we sign can be verified with a record."""
    mail = f"From: a@{domain.name}\r\nTo: b@{domain.name}\r\nSubject: test\r\n\r\ntest\r\n".encode()
    try:
        return bool(dkim.verify(domain.sign(mail), dnsfunc=lambda name, timeout=5: record.encode()))
    except Exception:  # Of a bad record the library raises whatever its parts do.
        return False


async def _dmarc(domain: Domain) -> list[Finding]:
    subject, labels = "DMARC", domain.name.split(".")
    for start in range(len(labels) - 1):
        name = ".".join(labels[start:])
        for text in await domain.lookup(f"_dmarc.{name}", "TXT"):
            if text.replace(" ", "").lower().startswith("v=dmarc1;"):
                return [ok(subject, f"{name}: {text}")]
    said = f"{domain.name} has no DMARC record: large providers want one"
    return [warning(subject, said, f'publish TXT _dmarc.{domain.name} "v=DMARC1; p=none"')]
