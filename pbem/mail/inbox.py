"""What a way in must do: hand every mail over, and tell the mail server that it is done only after that."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from pbem.core.errors import PbemError
from pbem.mail.reading.letter import Envelope

Accept = Callable[[bytes, Envelope], Awaitable[None]]
"""Takes a mail. When it returns, the mail is stored; an exception means that it is not, and must be offered again.
:class:`TryLater` says that the mail is not to blame."""


class Intake(Protocol):
    """Takes mails in two steps, so that the next ones are read while one is stored."""

    async def read(self, raw: bytes, envelope: Envelope) -> Any:
        """Read a mail: several at the same time, in any order."""
        ...

    async def store(self, mail: Any) -> None:
        """Store a mail that was read, as :data:`Accept` does: one after the other, in the order they came in."""
        ...


@dataclass(frozen=True)
class AtOnce:
    """Takes mails in a single step."""

    accept: Accept

    async def read(self, raw: bytes, envelope: Envelope) -> tuple[bytes, Envelope]:
        """Nothing is done ahead."""
        return raw, envelope

    async def store(self, mail: tuple[bytes, Envelope]) -> None:
        """All of it."""
        await self.accept(*mail)


class TryLater(PbemError):
    """Nothing can be stored now, whatever mail it is."""


@dataclass(frozen=True)
class UnreadMail:
    """A mail that cannot be taken in, however often it is tried."""

    name: str
    """Its own for good, also after a restart."""
    raw: bytes
    """What could be had of it: all, its headers, or nothing."""
    envelope: Envelope
    reason: str


class Quarantine(Protocol):
    """Where it is written down that a mail could not be taken in, for the organizer to see."""

    async def keep(self, mail: UnreadMail) -> None:
        """Write it down, once. An exception means that it is not written down."""
        ...

    async def knows(self, name: str) -> bool:
        """Whether a mail of that name was written down, now or before a restart."""
        ...


Clock = Callable[[], datetime]
"""The time, aware."""
