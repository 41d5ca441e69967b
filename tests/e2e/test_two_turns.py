"""The whole way with real servers: orders out of a Dovecot mailbox and by LMTP, reports by SMTP into mailboxes.

Ana's provider puts her cards into the server's mailbox, where they are fetched over IMAP. Ben's hands them straight to
the server's LMTP listener. Both read their mail in mailboxes of their own.
"""

import asyncio
import smtplib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.app import build_server
from pbem.config import ImapIn, Mail, Schedule, Settings, SmtpIn, SmtpOut, Web
from pbem.core.proof import read_proof, verify
from pbem.demo.clock import LeapingClock
from pbem.hosting import build_host
from pbem.mail.listener.inbox import Listener, SmtpInbox
from pbem.mail.mime import read_part
from pbem.mail.reading.letter import Envelope, read_letter
from pbem.reports.raster import Rasterizer
from pbem.server import Server
from pbem.service.stages.begin import begin
from pbem.service.stages.campaign_file import read_campaign
from pbem.service.stages.replay import replay
from pbem.storage.tables import Stage
from tests.servers import Dovecot

CAMPAIGN = """
name = "duel"
title = "The Duel"
rules = "nippon"
organizer = "{olga}"
schedule = {{ orders = "after 7d", meetings = "after 3d" }}
options = {{ map = "duel" }}

[[seat]]
name = "Thorn"
address = "{ana}"
headquarters = "Thornwick"
banners = ["Red Dragons", "Iron Wall", "Black Foxes"]

[[seat]]
name = "Larks"
address = "{ben}"
headquarters = "Larkfield"
banners = ["Blue Herons", "Long Oars", "Grey Mice"]
"""
PATIENCE = 30


@dataclass
class Person:
    """Somebody with a mailbox on Dovecot."""

    box: Dovecot
    seen: int = 0

    async def next_mail(self, subject: str) -> bytes:
        """The next mail whose subject has these words; fails if none comes."""
        async with asyncio.timeout(PATIENCE):
            while True:
                for raw in self.box.mails()[self.seen :]:
                    self.seen += 1
                    if subject in read_letter(raw).subject:
                        return raw
                await asyncio.sleep(0.05)

    def answer(self, mail: bytes, body: str) -> bytes:
        letter = EmailMessage()
        letter["From"], letter["To"] = self.box.address, read_part(mail).first("reply-to")
        letter["Subject"] = f"Re: {read_letter(mail).subject}"
        letter["Message-ID"] = f"<{self.seen}.{self.box.address}>"
        letter.set_content(body)
        return letter.as_bytes()


@dataclass
class Club:
    """The server and the two who play."""

    server: Server
    clock: LeapingClock
    ana: Person
    ben: Person
    orders: Dovecot

    def by_provider(self, raw: bytes) -> None:
        """Into the server's mailbox on Dovecot."""
        hand_over(self.orders.lmtp_port, raw)

    def by_lmtp(self, raw: bytes) -> None:
        """Straight to the server."""
        assert self.server.listener is not None
        hand_over(self.server.listener.port, raw)

    def stage(self) -> Stage:
        with self.server.host.unit() as unit:
            stage = unit.campaigns.current_stage(unit.campaigns.all()[0])
        assert stage is not None
        return stage

    def leap_to_deadline(self) -> None:
        """Nothing but the schedule closes the stage."""
        deadline = self.stage().deadline
        assert deadline is not None
        self.clock.leap(deadline)


def hand_over(port: int, raw: bytes) -> None:
    letter = read_letter(raw)
    with smtplib.LMTP("127.0.0.1", port) as client:
        assert client.sendmail(letter.sender, letter.recipients, raw) == {}


async def deliver(port: int, raw: bytes, envelope: Envelope) -> None:
    """What a provider's SMTP server does with mail for its users."""

    def send() -> None:
        with smtplib.LMTP("127.0.0.1", port) as client:
            client.sendmail("server@pbem.test", envelope.recipients, raw)

    await asyncio.to_thread(send)


@pytest.fixture
def person(dovecot_server: Dovecot) -> Callable[[str], Dovecot]:
    return lambda name: replace(dovecot_server, user=name)


@pytest.fixture
async def club(tmp_path: Path, person: Callable[[str], Dovecot]) -> AsyncIterator[Club]:
    orders, olga, ana, ben = (
        person(f"{name}-{tmp_path.name.lower()[-12:]}") for name in ("orders", "olga", "ana", "ben")
    )
    clock = LeapingClock(datetime(2026, 5, 4, 12, tzinfo=UTC))
    provider = SmtpInbox(Listener(), lambda raw, envelope: deliver(orders.lmtp_port, raw, envelope), clock)
    await provider.start()
    settings = Settings(
        data=tmp_path / "data",
        mail=Mail(address=orders.address),
        smtp_in=SmtpIn(protocol="lmtp", port=0),
        imap_in=ImapIn(
            enabled=True,
            host="127.0.0.1",
            port=orders.imap_port,
            security="none",
            user=orders.user,
            password=orders.password,
            poll="2s",
        ),
        smtp_out=SmtpOut(mode="smtp", host="127.0.0.1", port=provider.port, security="none"),
        web=Web(enabled=False),
        schedule=Schedule(tick="0.2s"),
    )
    text = CAMPAIGN.format(olga=olga.address, ana=ana.address, ben=ben.address)
    with Rasterizer() as rasterizer:
        host = build_host(settings, rasterizer, clock=clock)
        await asyncio.to_thread(begin, host, read_campaign("duel.toml", text))
        server = build_server(settings, host)
        stop, started = asyncio.Event(), asyncio.Event()
        running = asyncio.create_task(server.run(stop, started.set))
        await asyncio.wait_for(started.wait(), PATIENCE)
        yield Club(server, clock, Person(ana), Person(ben), orders)
        stop.set()
        await running
        host.engine.dispose()
    await provider.stop()


async def test_two_turns_are_played_through_imap_lmtp_and_smtp(club: Club) -> None:
    for turn in (1, 2):
        await play(club, turn)
    report = read_letter(await club.ana.next_mail("Turn 2"))
    assert "Red Dragons" in report.body
    with club.server.host.unit() as unit:
        letters = unit.letters.latest()
        assert [letter.status for letter in letters] == ["filed"] * 4
        assert sorted(letter.route for letter in letters) == ["imap", "imap", "lmtp", "lmtp"]
        assert unit.outbox.latest(status="failed") == []
    assert [step.differs for step in replay(club.server.host, "duel")] == [()] * 3


async def play(club: Club, turn: int) -> None:
    """Both answer their report; the schedule closes the turn."""
    told = f"Turn {turn - 1}" if turn > 1 else "Turn 1"
    first, second = await club.ana.next_mail(told), await club.ben.next_mail(told)
    for mail in (first, second):
        assert read_part(mail).content_type.startswith("multipart/")
        assert b"image/png" in mail
        assert verify(read_proof(read_letter(mail).body)) == ()
    await asyncio.to_thread(club.by_provider, club.ana.answer(first, "Red Dragons: hold\nOK\n"))
    await asyncio.to_thread(club.by_lmtp, club.ben.answer(second, "Blue Herons: hold\nGrey Mice: hold\n"))
    assert "1 order OK" in read_letter(await club.ana.next_mail("receipt")).subject
    assert "2 orders OK" in read_letter(await club.ben.next_mail("receipt")).subject
    closed = club.stage().id
    club.leap_to_deadline()
    async with asyncio.timeout(PATIENCE):
        while club.stage().id == closed:
            await asyncio.sleep(0.05)
