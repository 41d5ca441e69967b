"""What a way out must do: take one mail for one recipient and say what became of it."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class OutgoingMail:
    """A mail and its envelope. It may be sent more than once; its Message-ID stays the same."""

    sender: str
    """Where reports on its delivery go."""
    recipient: str
    raw: bytes


@dataclass(frozen=True)
class Sent:
    """The next server has it."""


@dataclass(frozen=True)
class Deferred:
    """Not now; to be tried again."""

    reason: str
    ours: bool = False
    """It is a matter of our own settings, or of our own mail server: it says nothing about the recipient."""


@dataclass(frozen=True)
class Refused:
    """Not this mail to this recipient, ever."""

    reason: str
    status: str = ""
    """The enhanced status code (RFC 3463): ``5.1.1`` for an address that is not there. Where the server gave none, what
    its plain code means; ``""`` if no server was asked."""


@dataclass(frozen=True)
class Unavailable:
    """No mail at all goes out now: the relay is away, or does not let us in. It says nothing about this one."""

    reason: str
    """In words for the organizer."""


Result = Sent | Deferred | Refused | Unavailable


class Transport(Protocol):
    """A way out."""

    async def send(self, mail: OutgoingMail) -> Result:
        """Send it, or say why not; raises nothing."""
        ...

    async def close(self) -> None:
        """Let go of connections. It may be used again."""
        ...
