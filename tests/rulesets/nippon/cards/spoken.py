"""Positions in words, and cards as lines, for the tests of what players write."""

from collections.abc import Mapping, Sequence

from pbem.core.dice import Dice
from pbem.core.orders import Check, Fault, Line, Sheet
from pbem.core.turn import resolve
from pbem.rulesets.nippon.cards.checking import check
from pbem.rulesets.nippon.cards.reading import read
from pbem.rulesets.nippon.cases.drafts import Draft, build
from pbem.rulesets.nippon.cases.positions import POSITION
from pbem.rulesets.nippon.phases import ACTS, phases
from pbem.rulesets.nippon.state import State
from pbem.rulesets.nippon.view import View, view

USUAL = """
map nippon
realm A named "Red Duchy"
realm A treasury 500
realm B named "Blue"
realm C named "Crane Host"
section 3 headquarters of A
section 4 controlled by A
section 6 controlled by B
banner A "Red Dragons" at 3
banner A "Iron Wall" at 4 M 8
banner A "Swift Wings" at 2 flies
banner B "Red Fist" at 6
"""
"""Three realms in the north of the shipped map; A has three banners."""

COAST = """
map 1-2
coast 1-9
realm B named "Blue"
section 1 stronghold controlled by A
section 2 controlled by B
realm A treasury 50000
banner A "Red Dragons" at 1
banner B "Blue" at 2
"""
"""A has a site that can grow into nothing more, but has no port yet."""

MET = """
map 1-2-3
realm A named "Red Duchy"
realm A treasury 500
realm B named "Blue"
section 1 controlled by A
section 2 controlled by B
banner A "Red Dragons" at 2
unit A "Red Dragons" "Captain Oda" hero models 1 points 100
unit A "Red Dragons" "Iron Guard" models 20
banner B "Red Fist" at 2
unit B "Red Fist" "Lord Kuma" lord models 1 points 200
unit B "Red Fist" "Bowmen" models 15
"""
"""Two realms whose banners stand in one section."""

ASSAULT = """
option site_battles table
map 1-2, 3-4
section 1 controlled by A
section 2 village mustered
realm A named "Red Duchy"
realm B named "Blue"
banner A "Red Dragons" at 2
unit A "Red Dragons" "Captain Oda" hero models 1 points 100
unit A "Red Dragons" "Iron Guard" models 20
banner B "Red Fist" at 3
"""
"""A before the garrison of a neutral village, where others may take the defence."""


def position(text: str) -> State:
    """The state that lines of words describe, as in rule cases."""
    draft = Draft()
    for line in text.strip().splitlines():
        POSITION.read(line.strip())(draft)
    return build(draft)


def meeting(text: str = MET) -> State:
    """The position after its movement: banners that share a section have met."""
    state = position(text)
    after = resolve(phases(state), state, {}, Dice(b"met")).state
    assert after.stage == "meetings"
    return after


def after(state: State, *cards: Mapping[str, str]) -> State:
    """The position when lines of some seats have been carried out at once, one card after the other."""
    for card in cards:
        for seat, written in card.items():
            orders = [each.order for each in sheet(view(state, seat), written).orders]
            state = resolve(ACTS, state, {seat: orders}, Dice()).state
    return state


def lines(card: str) -> list[Line]:
    """A card as the host hands it over."""
    return [Line(number, text) for number, text in enumerate(card.splitlines(), 1) if text.strip()]


def sheet(view: View, card: str) -> Sheet:
    """A card as read."""
    return read(view, lines(card))


def handled(view: View, card: str) -> tuple[Check, Sequence[Fault]]:
    """What a card will do, and all that is wrong with it, in the order of its lines."""
    card_as_read = read(view, lines(card))
    checked = check(view, card_as_read.orders)
    return checked, sorted((*card_as_read.faults, *checked.faults), key=lambda fault: fault.line.number)
