"""The whole server between its players and a real mail server."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path

import dkim
import pytest

from pbem.app import build_server
from pbem.config import Dkim, Settings, SmtpIn, SmtpOut, Web
from pbem.config import Mail as MailSettings
from pbem.mail.listener.inbox import Listener, SmtpInbox
from pbem.mail.outgoing.smtp import Relay, SmtpOutbox
from pbem.mail.outgoing.transport import OutgoingMail, Sent
from pbem.mail.reading.letter import Letter, read_letter
from pbem.service.host import Host
from tests.mail.conftest import Desk, clock
from tests.mail.test_signing import PKCS8, Key
from tests.servers import Postfix, postfix
from tests.service.conftest import CAMPAIGN, Clock, Club, text_of

__all__ = ["postfix"]

pytestmark = pytest.mark.server
PLAYERS = CAMPAIGN.replace("example.org", "players.test")
NOBODY = "550 5.1.1 No such user"
CARD = "From: {}\r\nTo: {}\r\nSubject: orders\r\nMessage-ID: <{}@players.test>\r\n\r\n{}\r\n"


@pytest.fixture
def club(host: Host, clock: Clock) -> Club:
    """A campaign whose players have their mail at ``players.test``."""
    return Club(replace(host, address="orders@pbem.test"), clock)


@pytest.fixture
def key(tmp_path: Path) -> Key:
    return Key(tmp_path / "dkim.pem", PKCS8)


@asynccontextmanager
async def serving(club: Club, postfix: Postfix, data: Path, key: Key) -> AsyncIterator[None]:
    """The server runs, with Postfix on both sides of it."""
    settings = Settings(
        data=data,
        mail=MailSettings(address=club.host.address),
        smtp_in=SmtpIn(protocol="lmtp", port=postfix.lmtp_port),
        smtp_out=SmtpOut(mode="smtp", host="127.0.0.1", port=postfix.port, security="none"),
        dkim=Dkim(key=key.path),
        web=Web(enabled=False),
    )
    server = build_server(settings, club.host)
    stop, started = asyncio.Event(), asyncio.Event()
    running = asyncio.create_task(server.run(stop, started.set))
    await asyncio.wait_for(started.wait(), 30)
    try:
        yield
    finally:
        stop.set()
        await running


@asynccontextmanager
async def players(postfix: Postfix, gone: str = "", failures: int = 0) -> AsyncIterator[Desk]:
    """The players' mailboxes, of which one is gone; so many mails are put off before one is taken."""
    desk, listener = Desk(failures=failures), Listener(port=postfix.players_port, name="players.test")
    async with SmtpInbox(listener, desk.accept, clock, lambda to: NOBODY if to == gone else ""):
        yield desk


def begin(club: Club) -> tuple[str, str]:
    """Begin the campaign; the player who is to send orders, and orders that hold."""
    club.begin(PLAYERS)
    mover = club.mover().replace("example.org", "players.test")
    told = [text_of(mail) for mail in club.mails() if mail.recipient == mover][-1]
    return mover, "lay " + told.partition("lay ")[2].split()[0]


async def hand_in(postfix: Postfix, sender: str, to: str, name: str, text: str) -> None:
    """A player sends a mail through his mail server."""
    box = SmtpOutbox(Relay("127.0.0.1", postfix.port, "none"))
    raw = CARD.format(sender, to, name, text).encode()
    assert await box.send(OutgoingMail(sender, to, raw)) == Sent()
    await box.close()


async def mail_about(desk: Desk, word: str) -> tuple[bytes, Letter]:
    """The next mail with a word in its subject."""
    while True:
        raw, _ = await desk.next()
        if word in (letter := read_letter(raw)).subject:
            return raw, letter


async def test_card_goes_in_and_its_receipt_comes_back_signed(
    club: Club, postfix: Postfix, tmp_path: Path, key: Key
) -> None:
    mover, order = begin(club)
    async with players(postfix) as desk, serving(club, postfix, tmp_path, key):
        await hand_in(postfix, mover, club.reply_address(mover), "card", order)
        raw, _ = await mail_about(desk, "1 order OK")
    head, _, _ = raw.partition(b"From:")
    assert b"d=pbem.test" in head

    def ask(name: bytes, timeout: int = 5) -> bytes:
        return key.record

    # What the servers on the way put on top is not ours.
    assert dkim.verify(raw, dnsfunc=ask)


async def test_card_that_comes_while_the_database_is_locked_counts_once(
    club: Club, postfix: Postfix, tmp_path: Path, key: Key
) -> None:
    mover, order = begin(club)
    to = club.reply_address(mover)
    with club.host.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA busy_timeout=50")
    async with players(postfix) as desk, serving(club, postfix, tmp_path, key):
        with closing(sqlite3.connect(str(club.host.engine.url.database), isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            await hand_in(postfix, mover, to, "locked", order)
            async with asyncio.timeout(30):
                while "Not stored, please try again later" not in postfix.log:
                    await asyncio.sleep(0.05)
            other.execute("ROLLBACK")
        await mail_about(desk, "1 order OK")
    with club.host.unit() as unit:
        assert [letter.status for letter in unit.letters.latest()] == ["filed"]


async def test_mail_that_comes_back_goes_to_the_other_address_and_the_organizer_is_told(
    club: Club, postfix: Postfix, tmp_path: Path, key: Key
) -> None:
    club.begin(PLAYERS.replace("ben@work.example", "work@players.test"))
    async with players(postfix, gone="ben@players.test") as desk, serving(club, postfix, tmp_path, key):
        _, told = await mail_about(desk, "Mail to South comes back")
    assert told.recipients == ("olga@players.test",)
    text = " ".join(told.body.split())
    assert "All mail goes to work@players.test" in text
    assert "550 5.1.1 No such user" in text
    with club.host.unit() as unit:
        (row,) = unit.campaigns.registrations("ben@players.test")
        mails = unit.outbox.latest(100)
        notes = [letter.note for letter in unit.letters.latest()]
    assert row.failing
    assert [mail for mail in mails if mail.recipient == row.email and mail.status == "due"] == []
    assert any(mail.recipient == "work@players.test" for mail in mails)
    assert all(note.startswith("report on mail ") for note in notes)


async def test_mail_that_is_late_is_noted_and_arrives(club: Club, postfix: Postfix, tmp_path: Path, key: Key) -> None:
    club.begin(PLAYERS)
    async with players(postfix, failures=2) as desk, serving(club, postfix, tmp_path, key), asyncio.timeout(90):
        notes: list[str] = []
        waiting = 1
        while waiting or not any("delayed: 4" in note for note in notes):
            await asyncio.sleep(0.1)
            with club.host.unit() as unit:
                notes, waiting = [letter.note for letter in unit.letters.latest()], unit.outbox.waiting()
        await desk.next()
    with club.host.unit() as unit:
        assert not any(row.failing or row.soft_bounces for row in unit.campaigns.registrations("ana@players.test"))
        assert {mail.status for mail in unit.outbox.latest(100)} == {"sent"}
