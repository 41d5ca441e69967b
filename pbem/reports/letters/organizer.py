"""Letters to the organizer and to the postmaster."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pbem.core.orders import Fault, Line
from pbem.core.ruleset import Dispute
from pbem.reports.letters.head import Letter, Plain


@dataclass(frozen=True)
class WantsOut(Letter):
    """To the organizer: a player wants to leave."""

    realm: str
    player: str
    address: str


@dataclass(frozen=True)
class WantsIn(Letter):
    """To the organizer: somebody wants a free seat, and waits for his word."""

    address: str
    realm: str
    wish: str = ""
    free: int = 0
    """Seats that are free."""


@dataclass(frozen=True)
class Unreachable(Letter):
    """To the organizer: mail to a player's address comes back."""

    realm: str
    address: str
    reason: str
    """What the other server said."""
    other: str = ""
    """Where his mail goes now; nothing: he has no other address."""


@dataclass(frozen=True)
class Complained(Letter):
    """To the organizer: a player, or his mail program, has marked a mail of the campaign as unwanted."""

    realm: str
    address: str


@dataclass(frozen=True)
class Senders:
    """Letters of one address that were not answered, or not read, because there were too many."""

    address: str
    letters: int
    held: int
    """Those of them that were not read."""
    first: datetime
    last: datetime


@dataclass(frozen=True)
class Digest(Letter):
    """To the organizer, once an hour at most: whose letters went without an answer."""

    senders: tuple[Senders, ...]


@dataclass(frozen=True)
class UnreachableOrganizer(Plain):
    """To the postmaster: mail to an organizer comes back."""

    title: str
    address: str
    reason: str


@dataclass(frozen=True)
class Stray:
    """A letter that belongs to no campaign."""

    number: int
    sender: str
    subject: str
    note: str


@dataclass(frozen=True)
class Strays(Plain):
    """To the postmaster, once a day at most: letters that belong to no campaign."""

    until: datetime
    """The end of the day that is told of."""
    letters: tuple[Stray, ...]
    total: int
    """How many there were; not all are listed."""


@dataclass(frozen=True)
class Seating:
    """One seat, as the organizer sees it: what came, never what it says."""

    realm: str
    state: Literal["final", "sent", "missing", "not awaited"]
    receipt: str = ""
    received: datetime | None = None
    note: str = ""
    """``mail bounced on 3 May``."""


@dataclass(frozen=True)
class Organizer(Letter):
    """The answer to an organizer's commands, or news for him; with the state of the campaign."""

    topic: str
    """For the subject: ``closed Turn 7, orders``."""
    stage: str
    done: tuple[str, ...] = ()
    """What was done, as sentences."""
    faults: tuple[Fault, ...] = ()
    seats: tuple[Seating, ...] = ()
    trouble: tuple[str, ...] = ()
    """What waits for him: late letters, held stages, bounces."""
    disputes: tuple[Dispute, ...] = ()
    """What players do not agree on and he may settle."""
    commands: tuple[tuple[str, str], ...] = ()
    """Commands he may send now and what they do."""
    brief: bool = False
    """Says how to learn of these commands, instead of listing them."""
    ignored: tuple[Line, ...] = ()
    """Lines that did not look like commands."""
