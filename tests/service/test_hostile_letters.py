"""A whole server while letters come in that are made to stop it."""

import asyncio
import smtplib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx

from pbem.app import build_server
from pbem.config import Settings, SmtpIn, Web
from pbem.mail.reading.safely import Reader
from pbem.server import Server
from pbem.service.host import Host
from pbem.storage.tables import Letter
from tests.mail.hostile import SHAPES
from tests.mail.moody import HANGING, moody
from tests.servers import free_port
from tests.service.conftest import PLAIN, Club

PATIENCE = 60


@asynccontextmanager
async def serving(host: Host, data: Path, reader: Reader) -> AsyncIterator[Server]:
    """A server that takes letters over LMTP, and has pages."""
    listener = SmtpIn(port=0, protocol="lmtp")
    settings = Settings(data=data, smtp_in=listener, web=Web(port=free_port()))
    server = build_server(settings, host, reader=reader)
    stop, started = asyncio.Event(), asyncio.Event()
    running = asyncio.create_task(server.run(stop, started.set))
    await asyncio.wait_for(started.wait(), PATIENCE)
    yield server
    stop.set()
    await running


def hand_in(server: Server, *mails: bytes) -> None:
    assert server.listener is not None
    with smtplib.LMTP("127.0.0.1", server.listener.port, timeout=PATIENCE) as client:
        for raw in mails:
            client.sendmail("eve@example.org", [PLAIN], raw)


async def answers_until(server: Server, done: "asyncio.Future[None]") -> int:
    """Ask the server how it is, again and again; how often it said so meanwhile."""
    count = 0
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.settings.web.port}", timeout=PATIENCE) as client:
        while not done.done():
            await client.get("/healthz")
            count += not done.done()
            await asyncio.sleep(0.02)
    return count


def letters(host: Host) -> list[Letter]:
    with host.unit() as unit:
        return list(unit.letters.latest(100))


async def test_server_says_how_it_is_while_a_letter_hangs(club: Club, tmp_path: Path) -> None:
    async with serving(club.host, tmp_path, Reader(1, moody, longest=2.0)) as server:
        handing_in = asyncio.ensure_future(asyncio.to_thread(hand_in, server, HANGING))
        answers = await answers_until(server, handing_in)
        await handing_in
        await asyncio.to_thread(hand_in, server, b"From: eve@example.org\r\nMessage-ID: <1@x>\r\n\r\nhi\r\n")
    assert answers > 3  # None comes while a pattern of this process is searched for: that keeps all threads out.
    assert [letter.status for letter in letters(club.host)] == ["held", "held"]
    assert "reading it took too long" in letters(club.host)[1].note


async def test_server_says_how_it_is_while_large_letters_come_in(club: Club, tmp_path: Path) -> None:
    shapes = ("divisions", "nested parts", "charset utf-16")
    mails = [SHAPES[name](5_000_000) for name in shapes]
    async with serving(club.host, tmp_path, Reader()) as server:
        handing_in = asyncio.ensure_future(asyncio.to_thread(hand_in, server, *mails))
        answers = await answers_until(server, handing_in)
        await handing_in
    assert len(letters(club.host)) == len(shapes)
    assert answers > len(shapes)  # One might come before a letter is read in this process, and none while it is.
