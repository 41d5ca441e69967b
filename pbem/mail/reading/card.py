"""The order card in a mail's text.

A *framed* card is exact. Its first line is the one printed in the report, its last line is ``END``::

    === nippon-demo turn 3 K7Q2ABCD ===
    Red Dragons: move 14
    END

What stands between is the card, whatever it looks like. Lines of the writer's own above and below it, up to a second
card, stand *outside*: a reader that knows no rules cannot tell a greeting from an order that missed the frame. Below
something that he wrote and a line of our own mails, a frame is only quoted. The frame is read with any case, spacing,
emphasis (``*...*``) and number of equals signs from two up, so that phones and mail programs may touch it; a frame in
quoted text is quoted. Without a frame, the card is what the writer wrote himself (:mod:`pbem.mail.reading.quoting`);
outside stands what may be his or an older mail's.

A line that begins with ``>`` is never an order.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from pbem.core.codec import Codec
from pbem.core.orders import Line
from pbem.mail.reading.quoting import SIGNATURE, Separated, is_marked, is_ours, separate, unmarked

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
    outside: tuple[Line, ...] = ()
    """Lines of the writer's own that stand outside the frame, and lines that may be his own or an older mail's. What
    can be read as an order there must neither count unasked nor be lost."""
    attached: tuple[Line, ...] = ()
    """Of the quoted lines, those that somebody wrote into a file next to a text; a form in a file is an old mail's."""

    @property
    def commands(self) -> tuple[Line, ...]:
        """The lines of an organizer: he has no card to fill in, and no old orders to repeat."""
        return self.lines if self.frame else (*self.lines, *self.outside)


CODEC = Codec(Card)
"""Cards as documents."""


def frame_line(campaign: str, turn: int, token: str) -> str:
    """The first line of a card; :func:`read_card` gives the same frame back."""
    line = f"=== {campaign} turn {turn} {token} ==="
    if not FRAME.fullmatch(line):
        raise ValueError(f"cannot be read back: {line!r}")
    return line


def read_card(body: str, attached: str = "", enclosed: str = "") -> Card:
    """The card in a letter's body. Where its writer wrote nothing there, the card in the text files that came along;
    else what stands in those is only asked about, as what is quoted is. What was read in files of a rule system's own
    (``enclosed``) is meant in any case: nobody quotes such a file."""
    card = _read(body, attached)
    lines = _lines(enclosed, after=body.count("\n") + attached.count("\n") + 2)
    return replace(card, lines=(*card.lines, *(line for line in lines if line.text)))


def _read(body: str, attached: str) -> Card:
    card = _card(_lines(body))
    if not attached:
        return card
    further = _card(_lines(attached, after=body.count("\n") + 1))
    if not card.lines and not card.frame:
        return replace(further, quoted=(*card.quoted, *further.quoted))
    added = sorted((*further.lines, *further.outside, *further.quoted), key=lambda line: line.number)
    return replace(card, quoted=(*card.quoted, *added), attached=() if further.frame else further.lines)


def _lines(text: str, after: int = 0) -> list[Line]:
    lines = enumerate(text.split("\n"), after + 1)
    return [Line(number, line if line == SIGNATURE else line.rstrip()) for number, line in lines]


def _card(lines: list[Line]) -> Card:
    found = separate(lines)
    opening = next((line for line in (*found.own, *found.below) if _frame(line)), None)
    if opening:
        return _framed(lines, lines.index(opening))
    return Card(None, _without_ends(found.own), tuple(found.quoted), outside=_without_ends(found.below))


def _without_ends(lines: Sequence[Line]) -> tuple[Line, ...]:
    return tuple(line for line in lines if not _is_end(line))


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
    taken = [Line(line.number, line.text.rstrip()) for line in taken]
    above, below = _above(lines[:opening]), separate(lines[closing:])
    further = _from_second_card([*below.own, *below.below])
    counted = {line.number for line in (*taken, *further)}
    outside = (*above.own, *above.below, *told_apart.below, *below.own, *below.below)
    quoted = (*above.quoted, *told_apart.quoted, *below.quoted)
    left_out = {line.number: unmarked(line) for line in (*quoted, *further)}
    return Card(
        _frame(lines[opening]),
        tuple(taken),
        tuple(left_out[number] for number in sorted(left_out.keys() - {line.number for line in taken})),
        further,
        tuple(line for line in _without_ends(outside) if line.number not in counted),
    )


def _above(lines: Sequence[Line]) -> Separated:
    """The lines above a frame. From a line of our own mails on they are what the writer answers in, with the form."""
    ours = next((at for at, line in enumerate(lines) if is_ours(lines, at) and not is_marked(line)), len(lines))
    found = separate(lines[:ours])
    found.quote(lines[ours:])
    return found


def _from_second_card(lines: Sequence[Line]) -> tuple[Line, ...]:
    first = next((line.number for line in lines if _frame(line)), None)
    return tuple(line for line in lines if first is not None and line.number >= first)
