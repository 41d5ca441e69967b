"""Each CARD of tests/cards/*.txt is a test: what a player wrote, and what was understood.

A file begins with a position, told as in rule cases (``met`` plays its movement, so that banners in one section have
met). In a card, ``|`` stands before what the player wrote; below it, in the order of the lines, stands what came of it:

=======  ================================================
``=``    an order, as it is filed
``==``   every line of the card is this order
``:``    what the player is told of the order above
``?``    a fault, with its reason
``>``    the line that the fault offers to paste instead
``-``    a line that was taken for no order
=======  ================================================
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pbem.core.orders import Line
from pbem.rulesets.nippon.cards.checking import check
from pbem.rulesets.nippon.cards.reading import read
from pbem.rulesets.nippon.state import State
from pbem.rulesets.nippon.view import view
from tests.rulesets.nippon.cards import spoken

CARDS = Path(__file__).parents[3] / "cards"


@dataclass
class Card:
    """A card of a file."""

    title: str
    where: str
    state: State
    written: list[Line] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)


def cards() -> Iterator[Card]:
    """All cards, file by file."""
    for path in sorted(CARDS.glob("*.txt")):
        yield from cards_of(path.name, path.read_text(encoding="utf-8"))


def cards_of(name: str, text: str) -> Iterator[Card]:
    """The cards of one file."""
    head, *bodies = text.split("\nCARD ")
    words = [line for line in head.splitlines() if line and not line.startswith("#")]
    told = "\n".join(line for line in words if line != "met")
    state = spoken.meeting(told) if "met" in words else spoken.position(told)
    for body in bodies:
        title, *rows = body.splitlines()
        card = Card(title, name, state)
        for row in filter(None, rows):
            if row[0] == "|":
                card.written.append(Line(len(card.written) + 1, row[2:]))
            else:
                card.expected.append(row)
        yield card


def outcome(card: Card) -> list[str]:
    """What came of a card, in the signs of the files."""
    seen = view(card.state, "A")
    sheet = read(seen, card.written)
    checked = check(seen, sheet.orders)
    told = [(each.written.line.number, verdict(each, card)) for each in checked.verdicts]
    told += [(fault.line.number, refusal(fault)) for fault in sheet.faults + checked.faults]
    told += [(line.number, [f"- {line.text}"]) for line in sheet.ignored]
    rows = [row for _, rows in sorted(told, key=lambda pair: pair[0]) for row in rows]
    if (
        card.expected[:1]
        and card.expected[0].startswith("==")
        and len(rows) == len(card.written)
        and len(set(rows)) == 1
    ):
        return [f"={rows[0]}"]
    return rows


def verdict(each, card):
    """An order, with its notes where the card tells any."""
    notes = each.notes if any(row.startswith(":") for row in card.expected) else ()
    return [f"= {each.written.order}", *(f": {note}" for note in notes)]


def refusal(fault):
    """A fault, with the line to paste."""
    return [f"? {fault.reason}", *([f"> {fault.paste}"] if fault.paste else [])]


@pytest.mark.parametrize("card", [pytest.param(card, id=f"{card.where} {card.title}") for card in cards()])
def test_card_is_understood_as_it_says(card):
    """Orders, faults and lines set aside: all as the file says, and nothing else."""
    assert outcome(card) == card.expected
