"""Letters about the course of a campaign."""

from dataclasses import dataclass
from datetime import datetime

from pbem.reports.letters.head import Letter


@dataclass(frozen=True)
class Welcome(Letter):
    """The invitation."""

    about: str
    """What the campaign is, in a sentence."""
    pace: str
    """``one turn a week: orders by Friday 20:00, meetings by Sunday 20:00``."""
    length: str = ""
    """``12 turns, or until somebody has won``; nothing: no end is set."""
    part: str = ""
    """What the reader plays: ``dwarfs``; nothing: the name of his seat says it."""
    minutes: int = 20
    """What a turn asks of a player, in minutes."""
    promise: str = ""
    """SHA-256 of the secret behind dice that only some may know; nothing: there are none in this game."""
    takes_over: bool = False
    """The seat was another's until now."""


@dataclass(frozen=True)
class Farewell(Letter):
    """To a player whose seat another has now."""


@dataclass(frozen=True)
class Leaving(Letter):
    """To a player who says that he wants to leave."""


@dataclass(frozen=True)
class Announcement(Letter):
    """News for everybody from the organizer or the server: extended, paused, resumed, closed early."""

    topic: str
    """For the subject: ``Turn 7 extended by 2 days``."""
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Catchup(Letter):
    """A deadline passed while the server was down; the stage stays open a little longer."""

    stage: str
    deadline: datetime
    closes: datetime


@dataclass(frozen=True)
class Held(Letter):
    """A stage could not be resolved because of an error in the program."""

    stage: str
    reference: str
    """Under which the log tells more."""
    error: str = ""
    """For the organizer only: kind and place of the error."""


@dataclass(frozen=True)
class Over(Letter):
    """The campaign has ended."""

    reason: str
    ranking: tuple[tuple[str, ...], ...]
    """Realms in order of merit, equals together."""
    secret: str = ""
    """The secret that the invitation promised, hex."""

    @property
    def places(self) -> tuple[tuple[str, str], ...]:
        """Rank and realm; equals share a rank, and the next ranks are left out: 1, 2, 2, 4."""
        ranks = [1 + sum(map(len, self.ranking[:index])) for index in range(len(self.ranking))]
        return tuple((str(rank), realm) for rank, realms in zip(ranks, self.ranking, strict=True) for realm in realms)
