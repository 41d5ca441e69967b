"""A mail provider in the way that an organizer may have one, with its faults."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from pbem.demo.mailhost import MailHost
from pbem.mail.listener.inbox import Listener, SmtpInbox
from pbem.mail.reading.letter import Envelope
from tests.servers import dovecot, dovecot_server

__all__ = ["dovecot", "dovecot_server"]

ADDRESS = "orders@play.example"
PASSWORD = "secret"


def now() -> datetime:
    """The time."""
    return datetime.now(UTC)


@dataclass
class Provider:
    """Takes mail over SMTP and gives it over IMAP; what it does wrong is set by the tests."""

    smtp_port: int = 0
    imap_port: int = 0
    loses: Callable[[str], bool] = lambda recipient: False
    """Mail to whom it takes and forgets."""
    refuses: Callable[[str], bool] = lambda recipient: False
    header: str = ""
    """What it puts on top of a mail."""
    clock_ahead: timedelta = field(default_factory=timedelta)
    host: MailHost | None = None

    async def mails(self) -> list[bytes]:
        """What is in the inbox."""
        assert self.host
        return await self.host.mails(ADDRESS)


@asynccontextmanager
async def running(provider: Provider, largest: int = 10_000_000) -> AsyncIterator[Provider]:
    """Run it, with a mailbox for ``ADDRESS``."""
    async with MailHost({ADDRESS: PASSWORD}, now) as host:

        async def accept(raw: bytes, envelope: Envelope) -> None:
            for recipient in envelope.recipients:
                if not provider.loses(recipient):
                    await host.deliver(recipient, provider.header.encode() + raw, now() + provider.clock_ahead)

        def refusal(recipient: str) -> str:
            return "550 5.1.1 no such user" if provider.refuses(recipient) else ""

        async with SmtpInbox(Listener(largest=largest), accept, now, refusal) as smtp:
            provider.smtp_port, provider.imap_port, provider.host = smtp.port, host.imap_port, host
            yield provider
