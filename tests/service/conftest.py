"""A host with a real database and the toy rule system, and players who write to it."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cache
from pathlib import Path

import pytest

from pbem.mail.outgoing.transport import OutgoingMail
from pbem.mail.reading.letter import Envelope, Letter, read_letter
from pbem.packaged import packaged
from pbem.reports.render import Templates
from pbem.rulesets.nippon import NIPPON
from pbem.service.host import Host, Rendition
from pbem.service.incoming.intake import accept
from pbem.service.stages import advance
from pbem.service.stages.begin import begin
from pbem.service.stages.campaign_file import read_campaign
from pbem.storage.engine import open_engine
from pbem.storage.migrate import migrate
from pbem.storage.tables import Mail
from tests.toy import TEMPLATES, TOY

CAMPAIGN = """
name = "gate"
title = "The Gate"
rules = "toy"
organizer = "olga@example.org"
zone = "Europe/Berlin"
schedule = { lay = "after 2d" }

[[seat]]
name = "North"
player = "Ana"
address = "ana@example.org"

[[seat]]
name = "South"
address = "ben@example.org"
addresses = ["ben@work.example"]
"""

DUEL = """
name = "duel"
title = "The Duel"
rules = "nippon"
organizer = "olga@example.org"
zone = "Europe/Berlin"
schedule = { orders = "after 7d", meetings = "after 3d" }
options = { map = "duel" }

[[seat]]
name = "Thorn"
address = "ana@example.org"
headquarters = "Thornwick"
banners = ["Red Dragons", "Iron Wall", "Cancel Crew"]

[[seat]]
name = "Larks"
address = "ben@example.org"
headquarters = "Larkfield"
banners = ["Blue Herons", "Long Oars", "Grey Mice"]
"""

PLAIN = "orders@campaigns.example"
"""The server's address without any token."""

WORDINGS = Templates(TEMPLATES, packaged("templates"))
"""Compiled once: that takes longer than most tests."""

START = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)


@dataclass
class Clock:
    """A clock that goes when it is told to."""

    now: datetime = START

    def __call__(self) -> datetime:
        return self.now

    def go(self, **span: float) -> None:
        self.now += timedelta(**span)


@dataclass
class Club:
    """A server and everybody who writes to it, seen from outside: only mails go in and come out."""

    host: Host
    clock: Clock
    taken: int = 0
    written: int = 0
    raw: list[bytes] = field(default_factory=list)

    def begin(self, text: str = CAMPAIGN) -> str:
        return begin(self.host, read_campaign("gate.toml", text))

    def mails(self) -> list[Mail]:
        """The mails written since the last call."""
        with self.host.unit() as unit:
            new = sorted(unit.outbox.latest(1000), key=lambda mail: mail.id or 0)[self.taken :]
        self.taken += len(new)
        return new

    def mail_to(self, address: str) -> Mail:
        """The only new mail to somebody."""
        (mail,) = [each for each in self.mails() if each.recipient == address]
        return mail

    def reply_address(self, address: str) -> str:
        """The reply address in the newest mail to somebody."""
        with self.host.unit() as unit:
            mail = next(each for each in unit.outbox.latest(1000) if each.recipient == address)
        return str(message_from_bytes(mail.raw, policy=policy.default)["Reply-To"])

    def write(
        self,
        sender: str,
        body: str,
        *,
        to: str = "",
        subject: str = "orders",
        message_id: str = "",
        answers: Mail | None = None,
    ) -> str:
        """Send a mail, by default as an answer to the newest mail that the sender got; what became of it."""
        self.written += 1
        letter = EmailMessage()
        letter["From"] = sender
        letter["To"] = to or self.reply_address(sender)
        letter["Subject"] = subject
        letter["Message-ID"] = message_id or f"<{self.written}@{sender.rpartition('@')[2]}>"
        if answers:
            letter["In-Reply-To"] = answers.message_id
        letter.set_content(body)
        self.raw.append(letter.as_bytes())
        return self.offer(self.raw[-1])

    def offer(self, raw: bytes) -> str:
        """Offer a mail as bytes."""
        return accept(self.host, raw, Envelope(), "pipe")

    def run(self) -> int:
        """Resolve what is due."""
        return advance.run_due(self.host)

    def filed(self, seat: str, campaign: str = "") -> list[str]:
        """The lines on file for a seat in the open stage, and FINAL if the player said so; nothing: nothing came."""
        with self.host.unit() as unit:
            found = unit.campaigns.named(campaign) if campaign else unit.campaigns.all()[0]
            assert found is not None
            stage = unit.campaigns.current_stage(found)
            assert stage is not None
            submission = unit.submissions.filed(stage).get(seat)
        return [each["text"] for each in submission.orders] + ["FINAL"] * submission.final if submission else []

    def mover(self) -> str:
        """The address of the player whose card is awaited."""
        with self.host.unit() as unit:
            campaign = unit.campaigns.all()[0]
            state = self.host.state(campaign, unit.turns.last(campaign))
        return {"A": "ana@example.org", "B": "ben@example.org"}[state.mover]

    def other(self) -> str:
        """The address of the other player."""
        return "ben@example.org" if self.mover() == "ana@example.org" else "ana@example.org"


def text_of(mail: Mail) -> str:
    """The plain text of a mail."""
    return read_letter(mail.raw).body


def letter_of(mail: Mail | OutgoingMail) -> Letter:
    """A mail as its reader's program reads it."""
    return read_letter(mail.raw)


def draw(svg: str) -> Rendition:
    """No pixels: what is drawn does not matter to the host."""
    return Rendition(svg.encode(), svg.encode())


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of this version without rows; migrating takes longer than most tests."""
    path = tmp_path_factory.mktemp("database") / "empty.sqlite"
    engine = open_engine(f"sqlite:///{path}")
    migrate(engine, packaged("db"))
    engine.dispose()
    return path


Begun = Callable[..., Path]
"""A database in which the campaigns of some files have begun."""


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Begun:
    """Campaigns begin once, on copies they go on: beginning takes longer than most tests."""
    folder = tmp_path_factory.mktemp("begun")

    @cache
    def database(*texts: str) -> Path:
        path = folder / f"{hash(texts)}.sqlite"
        shutil.copy(empty_database, path)
        host = host_on(path, Clock())
        for text in texts:
            Club(host, Clock()).begin(text)
        host.engine.dispose()
        return path

    return database


def host_on(database: Path, clock: Clock) -> Host:
    """A server on a database file, which is not opened before it is used."""
    return Host(
        engine=open_engine(f"sqlite:///{database}"),
        rulesets={"toy": TOY, "nippon": NIPPON},
        templates=WORDINGS,
        draw=draw,
        address="orders@campaigns.example",
        name="Campaigns",
        key=b"key",
        clock=clock,
    )


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Where the host's database lies."""
    return tmp_path / "pbem.sqlite"


@pytest.fixture
def host(database: Path, clock: Clock, empty_database: Path) -> Iterator[Host]:
    shutil.copy(empty_database, database)
    host = host_on(database, clock)
    yield host
    host.engine.dispose()


@pytest.fixture
def club(host: Host, clock: Clock, database: Path, begun: Begun) -> Club:
    """The toy, with two players."""
    shutil.copy(begun(CAMPAIGN), database)
    return Club(host, clock)


Opened = Callable[[str], Club]
"""Opens a club with the campaign of a file, in which nothing has happened yet."""


@pytest.fixture
def opened(host: Host, clock: Clock, database: Path, begun: Begun) -> Opened:
    """All invitations are sent."""

    def club(text: str) -> Club:
        shutil.copy(begun(text), database)
        club = Club(host, clock)
        club.mails()
        return club

    return club


@pytest.fixture
def duel(opened: Opened) -> Club:
    """Two realms, three banners each."""
    return opened(DUEL)
