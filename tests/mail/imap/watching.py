"""What all tests of the IMAP inbox need."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field

from pbem.mail.imap.inbox import ImapInbox
from pbem.mail.imap.mailbox import Mailbox
from pbem.mail.inbox import AtOnce, UnreadMail
from tests.mail.conftest import Desk, clock


def card(number: int) -> bytes:
    """A mail that can be told from others."""
    return f'From: ana@x.example\r\nSubject: "orders" {number}\r\n\r\nRed: move {number}\r\n'.encode()


@dataclass
class Quarantine:
    """Writes down which mails could not be taken; can be told to fail."""

    kept: list[UnreadMail] = field(default_factory=list)
    away: bool = False

    async def keep(self, mail: UnreadMail) -> None:
        if self.away:
            raise OSError("disk full")
        self.kept.append(mail)

    async def knows(self, name: str) -> bool:
        return any(mail.name == name for mail in self.kept)


@asynccontextmanager
async def running(inbox: ImapInbox) -> AsyncIterator[ImapInbox]:
    """An inbox at work until the block ends."""
    task = asyncio.create_task(inbox.run())
    try:
        yield inbox
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def watching(
    desk: Desk, mailbox: Mailbox, quarantine: Quarantine | None = None
) -> AbstractAsyncContextManager[ImapInbox]:
    """An inbox at work on a mailbox."""
    return running(ImapInbox(mailbox, AtOnce(desk.accept), clock, quarantine))


async def until(condition: Callable[[], bool]) -> None:
    """Wait for something that will come about."""

    async def poll() -> None:
        while not condition():
            await asyncio.sleep(0.005)

    await asyncio.wait_for(poll(), 20)
