"""What all letters have: the letterhead, and what stands below an answer."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Deadline:
    """When something is due."""

    what: str
    """``Turn 7, orders``."""
    at: datetime


@dataclass(frozen=True)
class Link:
    """A page to look at."""

    words: str
    address: str


@dataclass(frozen=True)
class Letterhead:
    """What all letters and reports to one reader share."""

    campaign: str
    """The campaign's short name, which tags every subject: ``[dragonis]``."""
    title: str
    """The campaign's title."""
    now: datetime
    realm: str = ""
    """The name of the reader's seat; nothing for the organizer and the public."""
    tenure: int = 0
    """Which of the persons who had the seat one after the other the reader is; 0: the mail is for one address alone."""
    person: str = ""
    """What to call the reader, if he told it."""
    zone: str = "UTC"
    """The reader's time zone."""
    reply_to: str = ""
    """Where he sends his cards: the address with his token."""
    deadlines: tuple[Deadline, ...] = ()
    """What is due, the next one first."""
    frame: str = ""
    """The first line of a framed card; its last is ``END``."""
    links: tuple[Link, ...] = ()
    organizer: str = ""
    """Whom a player can ask: the address of the person who leads the campaign."""
    picture: str | None = None
    """Address of the map picture: ``cid:map.7`` in a mail, a file name on a page; ``None``: no picture."""

    @property
    def hello(self) -> str:
        """How to greet: ``Ana (Red Banner Duchy)``, or whatever of it is known."""
        if self.person and self.realm:
            return f"{self.person} ({self.realm})"
        return self.person or self.realm or "there"

    @property
    def deadline(self) -> Deadline | None:
        """The next thing due."""
        return self.deadlines[0] if self.deadlines else None


@dataclass(frozen=True)
class Letter:
    """What all letters have."""

    head: Letterhead


@dataclass(frozen=True)
class Plain:
    """What letters have that belong to no campaign."""

    service: str
    """How the server calls itself: the address it writes from."""


@dataclass(frozen=True)
class LastAnswer:
    """What stands at the end of an answer after which, for a while, there are none."""

    most: int
    """Answers that one gets in an hour."""
    until: datetime
    """When there will be answers again."""
