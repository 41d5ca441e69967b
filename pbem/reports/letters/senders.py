"""Letters about who may write, and to those who may not."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pbem.core.orders import Fault
from pbem.reports.letters.head import Letter, Plain


@dataclass(frozen=True)
class Unsure(Letter):
    """To a known address from which a mail came that may be forged: it is kept, and a ``YES`` files it."""

    why: Literal["token", "proof", "account"]
    """``token``: it carried no valid one. ``proof``: it did, but its sender is not proven. ``account``: it would change
    who may write for the seat, which takes more than a token."""
    receipt: str
    received: datetime
    lines: tuple[str, ...] = ()
    """What it says."""


@dataclass(frozen=True)
class Addresses(Letter):
    """How things stand with a player's addresses; the answer to ``ADDRESS``, ``FORGET``, ``REPORTS TO``."""

    addresses: tuple[tuple[str, str], ...]
    """Each with what it is used for; none for an address that is no longer among them."""
    done: tuple[str, ...] = ()
    """What was done, as sentences."""
    faults: tuple[Fault, ...] = ()
    topic: str = ""
    """For the subject: ``Your addresses have changed``; nothing: they are only listed."""


@dataclass(frozen=True)
class Joining(Letter):
    """To an address that a player wants to write from, whoever reads it: nothing about the game."""

    asker: str
    """The address that asks."""
    unclear: bool = False
    """He was asked before, and has answered neither yes nor no."""


@dataclass(frozen=True)
class Applying(Letter):
    """To an address from which somebody has asked for a free seat, whoever reads it: nothing about the game."""

    name: str
    """Of the realm that he wants."""
    wish: str = ""
    """What he said of it beyond that: ``army dwarfs``."""
    approved: bool = False
    """The organizer has the last word."""
    unclear: bool = False
    """He was asked before, and has answered neither yes nor no."""


@dataclass(frozen=True)
class Applied(Letter):
    """To somebody who has asked for a free seat: how that stands, or why he cannot have it."""

    topic: str
    """For the subject: ``Your seat is not free``."""
    sentence: str
    paste: str = ""
    """What to send instead, if that helps."""


@dataclass(frozen=True)
class Misused(Letter):
    """To whoever a token belongs to: somebody else wrote with it. Nothing has come of it."""

    stranger: str
    """The address of whoever wrote; nothing: it could not be made out."""
    asked: datetime | None = None
    """When it was asked whether it wants to play this seat; it has not answered yet."""


@dataclass(frozen=True)
class Unknown(Plain):
    """To a stranger: no word about any game."""

    asked: datetime | None = None
    """When he was asked at his address whether he wants to play; he has not answered yet."""


@dataclass(frozen=True)
class Unread(Plain):
    """To whoever sent something that cannot be read as a letter: too large, or it broke the program. It is kept."""

    subject: str
    reason: str
    """A clause: ``it has 300,000 bytes``."""
    obstacle: str = ""
    """What stood in the way, where there is a way around it: ``tnef``, ``smime``, ``pgp``."""
