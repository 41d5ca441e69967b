"""The order card in a mail's text.

A *framed* card is exact. Its first line is the one printed in the report, its last line is ``END``::

    === nippon-demo turn 3 K7Q2ABCD ===
    Red Dragons: move 14
    END

Only what stands between counts, whatever it looks like. The frame is read with any case, spacing, emphasis
(``*...*``) and number of equals signs from two up, so that phones and mail programs may touch it; a frame in quoted
text is quoted. Without a frame, the card is what the writer wrote himself (:mod:`pbem.mail.quoting`).

A line that begins with ``>`` is never an order.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile, takewhile

from pbem.core.codec import Codec
from pbem.core.orders import Line
from pbem.mail.quoting import SIGNATURE, is_marked, separate, unmarked

FRAME = re.compile(
    r"[\s*_]*={2,}[\s*_]*(?P<campaign>[^\s=]{1,64})\s+turn\s+(?P<turn>\d{1,9})\s+(?P<token>[0-9a-z]{4,64})[\s*_.=]*",
    re.IGNORECASE | re.ASCII,
)
END = re.compile(r"[\s*_=.!-]*end[\s*_=.!-]*", re.IGNORECASE)
LONGEST_MARK = 200
"""Characters of a line that may open or close a frame."""


@dataclass(frozen=True)
class Frame:
    """What a card's first line says."""

    campaign: str
    """In lower case."""
    turn: int
    token: str
    """In upper case."""


@dataclass(frozen=True)
class Card:
    """The lines that may hold orders, and those that must not count as such."""

    frame: Frame | None
    lines: tuple[Line, ...]
    """As written, without blank ones; the numbers are those of the mail's text."""
    quoted: tuple[Line, ...]
    """What is quoted, without its marks, and what stands below a signature mark, in a second card, or in a file next to
    a text: orders found only here are to be asked about, not carried out."""
    further: tuple[Line, ...] = ()
    """The lines of a second card and what stands below it, if the writer put one there himself."""


CODEC = Codec(Card)
"""Cards as documents."""


def frame_line(campaign: str, turn: int, token: str) -> str:
    """The first line of a card; :func:`read_card` gives the same frame back."""
    line = f"=== {campaign} turn {turn} {token} ==="
    if not FRAME.fullmatch(line):
        raise ValueError(f"cannot be read back: {line!r}")
    return line


def read_card(body: str, attached: str = "") -> Card:
    """The card in a letter's body. Where its writer wrote nothing there, the card in the text files that came along;
    else what stands in those is only asked about, as what is quoted is."""
    card = _card(_lines(body))
    if not attached:
        return card
    further = _card(_lines(attached, after=body.count("\n") + 1))
    if not card.lines and not card.frame:
        return replace(further, quoted=(*card.quoted, *further.quoted))
    return replace(card, quoted=(*card.quoted, *further.lines, *further.quoted))


def _lines(text: str, after: int = 0) -> list[Line]:
    lines = enumerate(text.split("\n"), after + 1)
    return [Line(number, line if line == SIGNATURE else line.rstrip()) for number, line in lines]


def _card(lines: list[Line]) -> Card:
    found = separate(lines)
    opening = next((line for line in found.own if _frame(line)), None)
    if opening:
        return _framed(lines, lines.index(opening))
    return Card(None, tuple(line for line in found.own if not _is_end(line)), tuple(found.quoted))


def _frame(line: Line) -> Frame | None:
    found = FRAME.fullmatch(line.text) if len(line.text) <= LONGEST_MARK else None
    return Frame(found["campaign"].lower(), int(found["turn"]), found["token"].upper()) if found else None


def _is_end(line: Line) -> bool:
    return len(line.text) <= LONGEST_MARK and bool(END.fullmatch(line.text))


def _framed(lines: Sequence[Line], opening: int) -> Card:
    """The card whose frame opens at this place."""
    inside = list(takewhile(lambda line: not (_is_end(line) or _frame(line)), lines[opening + 1 :]))
    closing = opening + 1 + len(inside)
    has_end = closing < len(lines) and _is_end(lines[closing])
    told_apart = separate(inside)
    # Where the last line is missing, as much of it counts as is the writer's own.
    taken = [line for line in inside if line.text.strip() and not is_marked(line)] if has_end else told_apart.own
    outside = separate([*lines[:opening], *lines[closing:]])
    further = tuple(dropwhile(lambda line: not _frame(line), outside.own))
    left_out = {line.number: unmarked(line) for line in (*told_apart.quoted, *outside.quoted, *further)}
    counted = {line.number for line in taken}
    quoted = (left_out[number] for number in sorted(left_out.keys() - counted))
    return Card(_frame(lines[opening]), tuple(taken), tuple(quoted), further)
