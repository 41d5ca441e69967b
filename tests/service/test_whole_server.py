"""All parts of a server, joined as ``pbem serve`` joins them: a letter goes in by SMTP, and letters come out."""

import asyncio
import smtplib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email.message import EmailMessage
from pathlib import Path

from pbem.app import build_server
from pbem.config import Settings, SmtpIn, SmtpOut, Web
from pbem.mail.reading.letter import read_letter
from pbem.server import Server
from pbem.service.host import Host
from tests.servers import free_port
from tests.service.conftest import Club

PATIENCE = 30
OLGA = "olga@example.org"
FOLDERS = SmtpOut()


@asynccontextmanager
async def serving(host: Host, data: Path, out: SmtpOut = FOLDERS) -> AsyncIterator[Server]:
    """A server that runs, with mail going out, by default into folders under ``data``."""
    settings = Settings(data=data, smtp_in=SmtpIn(port=0), smtp_out=out, web=Web(enabled=False))
    server = build_server(settings, host)
    stop, started = asyncio.Event(), asyncio.Event()
    running = asyncio.create_task(server.run(stop, started.set))
    await asyncio.wait_for(started.wait(), PATIENCE)
    yield server
    stop.set()
    await running


def hand_in(server: Server, sender: str, to: str, body: str) -> None:
    assert server.listener is not None
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, to, "please"
    mail.set_content(body)
    with smtplib.SMTP("127.0.0.1", server.listener.port) as client:
        client.send_message(mail)


async def all_sent(host: Host, last: str) -> None:
    """Wait until the mail of a cause and all others have gone out."""
    async with asyncio.timeout(PATIENCE):
        while True:
            with host.unit() as unit:
                if last in [mail.cause for mail in unit.outbox.latest()] and not unit.outbox.waiting():
                    return
            await asyncio.sleep(0.05)


def subjects(mail: Path, address: str) -> list[str]:
    """The subjects of what somebody has got."""
    return sorted(read_letter(file.read_bytes()).subject for file in (mail / address / "new").iterdir())


async def test_a_mailed_close_closes_the_stage_and_sends_the_reports(club: Club, tmp_path: Path) -> None:
    to = club.reply_address(OLGA)
    with club.host.unit() as unit:
        stage, campaign = unit.campaigns.open_stages()[0]
    async with serving(club.host, tmp_path) as server:
        await asyncio.to_thread(hand_in, server, OLGA, to, "close\n")
        await all_sent(club.host, "gate closed 1")
    with club.host.unit() as unit:
        following = unit.campaigns.current_stage(campaign)
    assert following is not None
    assert following.number == stage.number + 1
    assert subjects(tmp_path / "mail", OLGA) == sorted(
        [
            "[gate] has begun",
            f"[gate] {stage.title} is being closed; the reports go out within a minute",
            f"[gate] {stage.title} closed",
        ]
    )
    reports = sorted([f"[gate] {stage.title}", f"[gate] {following.title}"])
    for player in ("ana@example.org", "ben@example.org"):
        assert subjects(tmp_path / "mail", player)[:2] == reports


async def test_health_tells_of_a_relay_that_is_away_and_is_bad_when_it_lasts(club: Club, tmp_path: Path) -> None:
    port = free_port()
    out = SmtpOut(mode="smtp", host="127.0.0.1", port=port, security="none")
    async with serving(club.host, tmp_path, out) as server, asyncio.timeout(PATIENCE):
        while not server.worker.sending.trouble:
            await asyncio.sleep(0.01)
        club.clock.go(minutes=30)
        part = server.health()["mail out"]
        assert part.trouble == f"nobody listens on port {port} of 127.0.0.1: look at smtp_out.host and smtp_out.port"
        assert part.wrong == ""
        club.clock.go(minutes=1)
        assert server.health()["mail out"].wrong == "no mail goes out since the start"
