"""What a player wrote, and what was made of it."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Protocol

from rapidfuzz.distance import DamerauLevenshtein

LIKENESS = 0.6
"""Words less alike than this (0 to 1) are not offered as a correction."""


class Order(Protocol):
    """An order, read once; rules never see text. ``str(order)`` is the line that reads back as this order.

    An order with ``adds_up = True`` (a purchase) counts as often as it stands in a card; see :func:`merge`."""

    immediate: ClassVar[bool]
    """Acts as soon as it is filed (an offer, a battle result) instead of when the stage closes."""

    @property
    def key(self) -> str:
        """What it commands. A later order with the same key takes its place."""
        ...


@dataclass(frozen=True)
class Line:
    """A line of a mail as it was written, with its number from 1."""

    number: int
    text: str


@dataclass(frozen=True)
class Written:
    """An order and the line it was read from."""

    order: Any
    line: Line


@dataclass(frozen=True)
class Fault:
    """A line that cannot be carried out: what was read, why not, and the line to send instead."""

    line: Line
    subject: str
    """Whom it concerns (``Red Dragons``), or nothing if that could not be read."""
    reason: str
    paste: str = ""
    """A legal line to send instead, if one comes near."""
    otherwise: str = ""
    """What happens if the player does nothing."""


@dataclass(frozen=True)
class Sheet:
    """A card as read: its orders, its faults, and the lines that did not look like orders at all."""

    orders: tuple[Written, ...] = ()
    faults: tuple[Fault, ...] = ()
    ignored: tuple[Line, ...] = ()


@dataclass(frozen=True)
class Verdict:
    """A legal order and what will come of it."""

    written: Written
    """The order as it is filed; what was left open (such as a path) is settled in it."""
    subject: str
    """Whom it commands: ``Red Dragons``."""
    does: str
    """The order in a few words: ``MOVE 12 -> 13``."""
    notes: tuple[str, ...] = ()
    """What to expect: tests with their odds, what happens on failure, whom it may meet."""


@dataclass(frozen=True)
class Check:
    """What a set of orders will do, as far as the player may know."""

    verdicts: tuple[Verdict, ...] = ()
    faults: tuple[Fault, ...] = ()
    defaults: tuple[tuple[str, str], ...] = ()
    """Subject and deed of everything that waits for an order and has none: ``("Red Dragons", "HOLD in 38")``."""
    matters: tuple[tuple[str, str], ...] = ()
    """What is talked of with others by orders that act at once: about what, and how it stands, one thing a line."""


def merge(filed: Iterable[Written], new: Iterable[Written]) -> tuple[Written, ...]:
    """The orders on file after the card ``new``: the last one for each key counts, in the place of the first.

    Those that add up count one by one: the second for a key takes the place of the second on file, if there is one. So
    who buys twice in one card has two, and who sends the card again still has two.
    """
    by_place = dict(_places(filed))
    by_place.update(_places(new))
    return tuple(by_place.values())


def outdone(card: Iterable[Written]) -> tuple[tuple[Written, Written], ...]:
    """The orders of a card that do not count, each with the later one that takes its place: equal, if it repeats it."""
    placed = tuple(_places(card))
    last = dict(placed)
    return tuple((each, last[place]) for place, each in placed if each is not last[place])


def _places(written: Iterable[Written]) -> Iterator[tuple[tuple[str, int], Written]]:
    """Each order with the place it takes: its key, and how many before it add up with it."""
    before: Counter[str] = Counter()
    for each in written:
        key = each.order.key
        yield (key, before[key]), each
        before[key] += getattr(each.order, "adds_up", False)


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Words as they are compared: no case, accents, quotes, or doubled spaces; full-width signs made ordinary."""
    if not text.isascii():
        text = "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))
    return " ".join(text.casefold().translate(UNDRESSED).split()).rstrip(".! ")


QUOTES = frozenset(
    "'\"`"
    "\N{ACUTE ACCENT}\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}\N{SINGLE LOW-9 QUOTATION MARK}"
    "\N{SINGLE HIGH-REVERSED-9 QUOTATION MARK}\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}"
    "\N{DOUBLE LOW-9 QUOTATION MARK}\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK}"
    "\N{RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK}\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}"
    "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}\N{PRIME}\N{DOUBLE PRIME}"
)
"""Quotation marks that phones and word processors put where none were typed."""

UNDRESSED = str.maketrans({"-": " ", "_": " "} | dict.fromkeys(QUOTES, ""))
"""For ``str.translate``: no quotation marks, spaces for dashes."""


def nearest(word: str, known: Sequence[str], limit: int = 2, likeness: float = LIKENESS) -> tuple[str, ...]:
    """The known words most like ``word``, best first: candidates to offer, never to take on trust."""
    wanted = plain(word)
    rated = [(DamerauLevenshtein.normalized_similarity(wanted, plain(each)), each) for each in known]
    good = sorted((pair for pair in rated if pair[0] >= likeness), key=lambda pair: (-pair[0], pair[1]))
    return tuple(each for _, each in good[:limit])
