"""The tables. Constraints do the work: a letter, a turn, a mail is there once or not at all.

Times are UTC. States, events, orders and reports are canonical JSON documents of the rule system's codec.
"""

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import JSON, CheckConstraint, Column, Index, LargeBinary, UniqueConstraint
from sqlmodel import Field, SQLModel

SQLModel.metadata.naming_convention = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


def _one_of(column: str, *words: str) -> CheckConstraint:
    """Plain words with a check: an enumeration type would need a migration of its own on PostgreSQL."""
    listed = ", ".join(f"'{word}'" for word in words)
    return CheckConstraint(f"{column} IN ({listed})", name=column)


def _document() -> Any:
    return Field(sa_column=Column(JSON, nullable=False))


def _bytes() -> Any:
    return Field(sa_column=Column(LargeBinary, nullable=False))


class Campaign(SQLModel, table=True):
    """A game that somebody organizes."""

    __tablename__: ClassVar[str] = "campaign"
    __table_args__ = (_one_of("status", "running", "paused", "over"),)

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True)
    """Short, for subjects and folders: ``dragonis``."""
    title: str
    ruleset: str
    organizer: str
    """The organizer's address."""
    zone: str
    schedule: dict[str, str] = _document()
    """Kind of stage to deadline rule: ``{"orders": "weekly Sun 20:00"}``."""
    options: dict[str, Any] = _document()
    joining: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    """What its file says of free seats, and whether the deadline for taking them was put off; empty: it has none."""
    status: str = "running"
    paused_at: datetime | None = None
    sealed_secret: str
    """Hex. Seeds the dice that only some may know; opened when the campaign is over."""
    thread: str
    """Message-ID that all mails of the campaign refer to."""
    created_at: datetime


class Seat(SQLModel, table=True):
    """A side of a game and the person who plays it."""

    __tablename__: ClassVar[str] = "seat"
    __table_args__ = (UniqueConstraint("campaign_id", "code"),)

    id: int | None = Field(default=None, primary_key=True)
    campaign_id: int = Field(foreign_key="campaign.id", index=True)
    code: str
    """As the rules call it: ``A``."""
    name: str
    """As people call it: ``Crane Host``."""
    player: str = ""
    """The person's name, the organizer's business only."""
    robot: bool = False
    """The server plays it."""
    zone: str
    options: dict[str, Any] = _document()
    tenure: int = 1
    """Counts the persons who had the seat, and the times that its tokens were renewed: a token is good for one."""
    joined_at: datetime | None = None
    """When somebody took it who joined by mail; ``None``: it stands in the campaign file."""
    dropped: dict[str, int] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    """How often an address was taken from it: whoever it belongs to was asked anew after that."""


class Address(SQLModel, table=True):
    """A mail address from which a seat may be played; reports go to the first that does not fail."""

    __tablename__: ClassVar[str] = "address"
    __table_args__ = (UniqueConstraint("seat_id", "email"),)

    id: int | None = Field(default=None, primary_key=True)
    seat_id: int = Field(foreign_key="seat.id", index=True)
    email: str = Field(index=True)
    rank: int = 0
    """The lowest is the first; between equals, the one that was there first."""
    failing: bool = False
    """Mail to it came back; it is used only if there is no other."""
    soft_bounces: int = 0
    """Mails in a row that came back and may get through another time."""
    hard_bounces: int = 0
    complaints: int = 0
    """Mails that were marked as unwanted there."""


class Applicant(SQLModel, table=True):
    """Somebody who wants a free seat of a campaign."""

    __tablename__: ClassVar[str] = "applicant"
    __table_args__ = (
        UniqueConstraint("campaign_id", "email"),
        _one_of("status", "asked", "waiting", "seated", "refused"),
    )

    id: int | None = Field(default=None, primary_key=True)
    campaign_id: int = Field(foreign_key="campaign.id", index=True)
    email: str = Field(index=True)
    name: str
    """Of the realm that he wants."""
    wish: str = ""
    """What he says of it beyond that: ``dwarfs``."""
    status: str = "asked"
    """``asked``: has not answered yet that it is he. ``waiting``: for the organizer."""
    created_at: datetime


class Stage(SQLModel, table=True):
    """What a campaign waits for, or waited for."""

    __tablename__: ClassVar[str] = "stage"
    __table_args__ = (
        UniqueConstraint("campaign_id", "number"),
        _one_of("status", "open", "held", "closed"),
    )

    id: int | None = Field(default=None, primary_key=True)
    campaign_id: int = Field(foreign_key="campaign.id", index=True)
    number: int
    """From 1; 0 is the set-up."""
    kind: str
    turn: int
    title: str
    status: str = "open"
    opened_at: datetime
    deadline: datetime | None = Field(default=None, index=True)
    closed_at: datetime | None = None
    reminded: int = 0
    """How many reminders went out."""
    catch_up: bool = False
    """Its deadline passed while the server was down; that was announced."""
    secret: str
    """Hex. Its hash is mailed when the stage opens, the secret itself when it closes."""


class Letter(SQLModel, table=True):
    """A mail that came in. The raw bytes are the record."""

    __tablename__: ClassVar[str] = "letter"
    __table_args__ = (
        _one_of("status", "filed", "answered", "ignored", "asked", "held", "failed"),
        Index(None, "sender", "received_at"),
        Index(None, "message_id"),
        Index(None, "received_at"),
        Index(None, "stored_at"),
    )

    id: int | None = Field(default=None, primary_key=True)
    content_hash: str = Field(unique=True)
    received_at: datetime
    """When it came into our mailbox or to our listener."""
    stored_at: datetime
    """When it was taken in from there."""
    route: str
    """How it came: ``smtp``, ``lmtp``, ``imap``, ``pipe``."""
    recipients: list[str] = _document()
    sender: str
    subject: str
    message_id: str
    raw: bytes = _bytes()
    status: str = "held"
    note: str = ""
    """What became of it and why, for the organizer."""
    unanswered: bool = False
    """Its sender had got as many answers as one gets in an hour."""
    text_hash: str = ""
    """SHA-256 over its text, hex: with the Message-ID it tells a mail that a server on the way has encoded anew."""
    answers: str = ""
    """Message-ID of the mail that it answers."""
    card: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    """What its sender wrote, line by line; empty: it has to be read from ``raw``."""
    size: int = 0
    """Bytes of the whole mail; 0: not known."""
    whole: bool = True
    """Whether ``raw`` is all of it: of a very large mail it is only the beginning, and of one that could not be fetched
    its headers, or nothing."""
    attempts: int = 1
    """How often it was taken in: again, because the organizer wanted it."""
    campaign_id: int | None = Field(default=None, foreign_key="campaign.id", index=True)
    seat_id: int | None = Field(default=None, foreign_key="seat.id")

    @property
    def cause(self) -> str:
        """Names it in the causes of answers: each time it is taken in has answers of its own."""
        return str(self.id) if self.attempts == 1 else f"{self.id}.{self.attempts}"


class Submission(SQLModel, table=True):
    """One version of a seat's orders for a stage: the whole set as it stood after one letter."""

    __tablename__: ClassVar[str] = "submission"
    __table_args__ = (
        UniqueConstraint("stage_id", "seat_id", "version"),
        _one_of("status", "filed", "proposed", "confirmed"),
    )

    id: int | None = Field(default=None, primary_key=True)
    stage_id: int = Field(foreign_key="stage.id", index=True)
    seat_id: int = Field(foreign_key="seat.id", index=True)
    letter_id: int | None = Field(default=None, foreign_key="letter.id")
    version: int
    status: str = "filed"
    """``proposed``: waits for the player's YES. ``confirmed``: it came, and what was proposed was filed anew."""
    question: str = ""
    """Message-ID of the mail that asks for the YES."""
    receipt: str = Field(unique=True)
    orders: list[Any] = _document()
    """Orders and the lines they were read from."""
    acts: list[Any] = _document()
    """Immediate orders of this letter, carried out at once."""
    final: bool = False
    """The player said that he is done."""
    created_at: datetime


class Turn(SQLModel, table=True):
    """A step of a game, stored for good: what went in, what came out. The state before is that of the step before."""

    __tablename__: ClassVar[str] = "turn"
    __table_args__ = (
        UniqueConstraint("campaign_id", "number"),
        _one_of("kind", "setup", "act", "close"),
    )

    id: int | None = Field(default=None, primary_key=True)
    campaign_id: int = Field(foreign_key="campaign.id", index=True)
    stage_id: int = Field(foreign_key="stage.id", index=True)
    number: int
    """From 0, the set-up."""
    kind: str
    orders: bytes = _bytes()
    """Orders by seat."""
    letters: list[str] = _document()
    """Content hashes of the accepted order mails: the players' part of the seed."""
    events: bytes = _bytes()
    state: bytes = _bytes()
    resolved_at: datetime


class Picture(SQLModel, table=True):
    """A map picture, stored once however many reports show it."""

    __tablename__: ClassVar[str] = "picture"

    digest: str = Field(primary_key=True)
    """SHA-256 of the SVG."""
    svg: str
    png: bytes = _bytes()
    small: bytes = _bytes()
    """The same for a phone."""


class ReportRow(SQLModel, table=True):
    """A report as it was mailed; the archive is written from these."""

    __tablename__: ClassVar[str] = "report"
    __table_args__ = (UniqueConstraint("turn_id", "seat"),)

    id: int | None = Field(default=None, primary_key=True)
    turn_id: int = Field(foreign_key="turn.id", index=True)
    seat: str
    """Its code; empty for the public report."""
    document: bytes = _bytes()
    picture: str | None = Field(default=None, foreign_key="picture.digest")


class Mail(SQLModel, table=True):
    """The outbox: mails written together with what they tell, sent afterwards."""

    __tablename__: ClassVar[str] = "outbox"
    __table_args__ = (
        UniqueConstraint("recipient", "cause"),
        _one_of("status", "due", "sent", "failed"),
        Index(None, "mailbox", "created_at"),
        Index(None, "created_at"),
        Index(None, "status", "next_at"),
    )

    id: int | None = Field(default=None, primary_key=True)
    campaign_id: int | None = Field(default=None, foreign_key="campaign.id", index=True)
    recipient: str
    cause: str
    """Why it is sent: one mail to a recipient for one cause."""
    message_id: str = Field(unique=True)
    subject: str
    raw: bytes = _bytes()
    is_answer: bool = False
    """Whether it answers a mail; one mailbox gets only so many in an hour."""
    mailbox: str = ""
    """The recipient in lower case, without what stands behind a plus sign: many addresses may lead to one mailbox."""
    unproven: bool = False
    """Whether the mail that it answers may be forged."""
    repeats: int = 0
    """How often it was asked for again, and sent again, within an hour: each time it was another answer."""
    bounces: int = 0
    """How often it came back and was sent again."""
    realm: str = ""
    """The seat that it is for, by its name; empty: it is for no player as such."""
    tenure: int = 0
    """That of the seat when it was written: it may go to another address of the same player. 0: it may not."""
    withdrawn: bool = False
    """It was not sent when its seat went to somebody else, and must not be any more."""
    status: str = "due"
    attempts: int = 0
    next_at: datetime
    """When to try (again); a worker that has claimed it moves this ahead."""
    note: str = ""
    created_at: datetime
    sent_at: datetime | None = None


class Audit(SQLModel, table=True):
    """What was done by hand, by whom and when."""

    __tablename__: ClassVar[str] = "audit"

    id: int | None = Field(default=None, primary_key=True)
    campaign_id: int = Field(foreign_key="campaign.id", index=True)
    at: datetime
    who: str
    what: str


def number_of(row: Campaign | Seat | Stage | Letter | Turn | Mail) -> int:
    """The number of a row that is stored."""
    assert row.id is not None
    return row.id
