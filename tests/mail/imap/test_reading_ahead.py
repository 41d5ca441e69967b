"""Mails are read several at a time, and stored one by one in the order in which they came in."""

import asyncio
from typing import Any

from pbem.mail.imap.inbox import ImapInbox
from pbem.mail.reading.letter import Envelope
from tests.mail.conftest import clock
from tests.mail.fake_imap import FakeImap, faking
from tests.mail.imap.watching import card, running, until


def four() -> FakeImap:
    return FakeImap({number: card(number) for number in (1, 2, 3, 4)})


class Slow:
    """Reads the first mail last, and breaks over one of them."""

    def __init__(self, breaks: bytes = b"") -> None:
        self.read_first: list[bytes] = []
        self.stored: list[bytes] = []
        self._breaks = breaks
        self._others = asyncio.Event()

    async def read(self, raw: bytes, envelope: Envelope) -> Any:
        if raw == card(1):
            await self._others.wait()
        if raw == self._breaks:
            raise ValueError("no mail")
        self.read_first.append(raw)
        if raw == card(4):
            self._others.set()
        return raw

    async def store(self, mail: Any) -> None:
        self.stored.append(mail)


async def test_what_is_read_last_is_stored_first_if_it_came_first() -> None:
    intake = Slow()
    async with faking(four()) as mailbox, running(ImapInbox(mailbox, intake, clock)):
        await until(lambda: len(intake.stored) == 4)
    assert intake.read_first[-1] == card(1)
    assert intake.stored == [card(1), card(2), card(3), card(4)]


async def test_one_that_cannot_be_read_keeps_no_other_one_waiting() -> None:
    intake = Slow(breaks=card(2))
    async with faking(four()) as mailbox, running(ImapInbox(mailbox, intake, clock)) as inbox:
        await until(lambda: len(intake.stored) == 3 and inbox.trouble != "")
    assert intake.stored == [card(1), card(3), card(4)]
