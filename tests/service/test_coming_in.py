"""Letters that come in wake what they have to, and hold up nothing."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from pbem.app import build_server
from pbem.config import Schedule, Settings, SmtpIn, Web
from pbem.mail.reading.letter import Envelope
from pbem.mail.reading.safely import Reader, Reading, read
from pbem.server import Server
from tests.service.conftest import PLAIN, Club

PATIENCE = 30
EVE = "eve@evil.example"


@dataclass
class SlowReader(Reader):
    """Reads when it is told to."""

    may_read: threading.Event = field(default_factory=threading.Event)
    waiting: int = 0

    def read(self, raw: bytes, envelope: Envelope) -> Reading:
        self.waiting += 1
        assert self.may_read.wait(PATIENCE)
        return read(raw, envelope)

    def start(self) -> None:
        """It reads in this process."""

    def close(self) -> None:
        """Nothing was started."""


@asynccontextmanager
async def serving(club: Club, data: Path) -> AsyncIterator[tuple[Server, SlowReader]]:
    """A server that has looked once and does not do so again by itself."""
    settings = Settings(
        data=data, smtp_in=SmtpIn(enabled=False), web=Web(enabled=False), schedule=Schedule(tick=timedelta(hours=1))
    )
    reader = SlowReader()
    server, stop = build_server(settings, club.host, reader=reader), asyncio.Event()
    running = asyncio.create_task(server.run(stop))
    async with asyncio.timeout(PATIENCE):
        while server.worker.last_look is None:
            await asyncio.sleep(0.01)
        yield server, reader
        reader.may_read.set()
        stop.set()
        await running


def letter(sender: str, to: str, text: str, number: int = 0) -> bytes:
    head = f"From: {sender}\r\nTo: {to}\r\nSubject: please\r\nMessage-ID: <{number}@example.org>\r\n\r\n"
    return f"{head}{text}\r\n".encode()


def stages(club: Club) -> int:
    with club.host.unit() as unit:
        return len(unit.campaigns.stages(unit.campaigns.all()[0]))


async def test_a_letter_that_files_nothing_is_answered_without_a_look(club: Club, tmp_path: Path) -> None:
    async with serving(club, tmp_path) as (server, reader):
        reader.may_read.set()
        looked = server.worker.last_look
        club.clock.go(minutes=1)
        await server.take("smtp", letter(EVE, PLAIN, "hello"), Envelope())
        while not (tmp_path / "mail" / EVE).exists():
            await asyncio.sleep(0.01)
        assert server.worker.last_look == looked
        card = letter("ana@example.org", club.reply_address("ana@example.org"), "taunt Boo")
        await server.take("smtp", card, Envelope())
        while server.worker.last_look != club.clock():
            await asyncio.sleep(0.01)


async def test_a_stage_is_closed_on_time_while_many_letters_hang_in_the_reader(club: Club, tmp_path: Path) -> None:
    before = stages(club)
    async with serving(club, tmp_path) as (server, reader):
        letters = [
            asyncio.create_task(server.take("smtp", letter(EVE, PLAIN, "hello", number), Envelope()))
            for number in range(40)  # More than there are threads.
        ]
        while not reader.waiting:
            await asyncio.sleep(0.01)
        club.clock.go(days=2)
        server.worker.wake()
        while await asyncio.to_thread(stages, club) == before:
            await asyncio.sleep(0.01)
        assert not any(each.done() for each in letters)
        reader.may_read.set()
        await asyncio.gather(*letters)
