"""What a way in must do: hand every mail over, and tell the mail server that it is done only after that."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Protocol

from pbem.mail.letter import Envelope

Accept = Callable[[bytes, Envelope], Awaitable[None]]
"""Takes a mail. When it returns, the mail is stored; an exception means that it is not, and must be offered again."""

Clock = Callable[[], datetime]
"""The time, aware."""


class Inbox(Protocol):
    """A way in."""

    @property
    def last_look(self) -> datetime | None:
        """When it last knew that no mail was waiting, or ``None`` if it never did."""
        ...

    @property
    def trouble(self) -> str:
        """What keeps it from looking, in words for the organizer; empty if nothing does."""
        ...

    async def run(self) -> None:
        """Work until cancelled."""
        ...
