"""Which letters are not for the game: a table of checks, of which the first that speaks decides."""

from collections.abc import Callable
from dataclasses import dataclass

from pbem.mail.addresses import untagged
from pbem.mail.reading.contents import LONGEST_TEXT, MOST_LINES, MOST_PARTS, Obstacle
from pbem.mail.reading.letter import Letter


@dataclass(frozen=True)
class House:
    """What this server knows of itself."""

    domains: frozenset[str]
    """The domains it mails from, in lower case."""
    largest: int = 10_000_000
    """Bytes of the largest letter that is read. What counts for most is how much of it is text."""
    address: str = ""
    """The address it mails from."""


@dataclass(frozen=True)
class Finding:
    """Why a letter is not for the game."""

    check: str
    """The name of the check: ``automatic``, ``own``, ``postmaster``, ``oversize``, or what stands in the way of reading
    it."""
    reason: str
    """A clause for people: ``it is an automatic reply``."""
    answer: bool
    """Whether its sender is told; machines are not, or two of them would talk for ever."""
    held: bool = True
    """Whether the organizer is to look at it."""


Check = Callable[[Letter, House], Finding | None]


def own(letter: Letter, house: House) -> Finding | None:
    """Our own mail coming back, or what says that it is: an answer would come to ourselves."""
    domain = letter.message_id.rstrip(">").rpartition("@")[2].lower()
    from_us = bool(letter.sender) and untagged(letter.sender) == untagged(house.address)
    if domain not in house.domains and not from_us:
        return None
    return Finding("own", "it was sent by this server", answer=False, held=False)


def automatic(letter: Letter, house: House) -> Finding | None:
    """Mail that no person wrote."""
    return Finding("automatic", letter.automatic, answer=False, held=False) if letter.automatic else None


def postmaster(letter: Letter, house: House) -> Finding | None:
    """Mail to those who run the mail of a domain: complaints, questions, reports of other mail servers."""
    names = {address.partition("@")[0].lower() for address in letter.recipients}
    if not names or names - {"postmaster", "abuse"}:
        return None
    return Finding("postmaster", "it is for the postmaster", answer=False)


def oversize(letter: Letter, house: House) -> Finding | None:
    """Mail too large to be an order card."""
    if letter.size <= house.largest:
        return None
    reason = f"it has {letter.size:,} bytes, and the most that is read is {house.largest:,}"
    return Finding("oversize", reason, answer=True)


REASONS: dict[Obstacle, str] = {
    "tnef": "its text is in a file winmail.dat, which only Outlook reads",
    "smime": "it is encrypted or signed with S/MIME in such a way that its text is hidden",
    "pgp": "it is encrypted with PGP",
    "files": "it has no text, only files",
    "large": f"that is more than I read: {MOST_LINES:,} lines, {LONGEST_TEXT:,} characters and {MOST_PARTS} parts",
    "charset": "its text is in a character set that I do not know, and not in UTF-8",
    "unreadable": "reading it took too long or too much memory, or broke the program",
}
"""What stood in the way of reading a letter, as a clause for people."""


def unreadable(letter: Letter, house: House) -> Finding | None:
    """A letter that no reader gets through; hardly anything is known of it, not even who sent it."""
    if letter.obstacle != "unreadable":
        return None
    return Finding("unreadable", REASONS["unreadable"], answer=False)


def wrapped(letter: Letter, house: House) -> Finding | None:
    """Mail of which the text is hidden, or not there, or too much."""
    if not letter.obstacle:
        return None
    size = f"it has {letter.size:,} bytes, and " if letter.obstacle == "large" else ""
    return Finding(letter.obstacle, size + REASONS[letter.obstacle], answer=True)


CHECKS: tuple[Check, ...] = (
    # Machines first: nothing about such a letter is worth an answer.
    unreadable,
    own,
    automatic,
    postmaster,
    oversize,
    wrapped,
)


def screen(letter: Letter, house: House) -> Finding | None:
    """Why the letter is not for the game, or ``None`` if it is."""
    return next((finding for check in CHECKS if (finding := check(letter, house))), None)
