"""Which letters are not for the game: a table of checks, of which the first that speaks decides."""

from collections.abc import Callable
from dataclasses import dataclass

from pbem.mail.letter import Letter


@dataclass(frozen=True)
class House:
    """What this server knows of itself."""

    domains: frozenset[str]
    """The domains it mails from, in lower case."""
    largest: int = 256_000
    """Bytes of the largest letter that is read."""


@dataclass(frozen=True)
class Finding:
    """Why a letter is not for the game."""

    check: str
    """The name of the check: ``automatic``, ``own``, ``oversize``."""
    reason: str
    """A clause for people: ``it is an automatic reply``."""
    answer: bool
    """Whether its sender is told; machines are not, or two of them would talk for ever."""


Check = Callable[[Letter, House], Finding | None]


def own(letter: Letter, house: House) -> Finding | None:
    """Our own mail coming back."""
    domain = letter.message_id.rstrip(">").rpartition("@")[2].lower()
    if domain not in house.domains:
        return None
    return Finding("own", "it was sent by this server", answer=False)


def automatic(letter: Letter, house: House) -> Finding | None:
    """Mail that no person wrote."""
    return Finding("automatic", letter.automatic, answer=False) if letter.automatic else None


def oversize(letter: Letter, house: House) -> Finding | None:
    """Mail too large to be an order card."""
    if letter.size <= house.largest:
        return None
    reason = f"it has {letter.size:,} bytes, and the most that is read is {house.largest:,}"
    return Finding("oversize", reason, answer=True)


CHECKS: tuple[Check, ...] = (
    # Machines first: nothing about such a letter is worth an answer.
    own,
    automatic,
    oversize,
)


def screen(letter: Letter, house: House) -> Finding | None:
    """Why the letter is not for the game, or ``None`` if it is."""
    return next((finding for check in CHECKS if (finding := check(letter, house))), None)
