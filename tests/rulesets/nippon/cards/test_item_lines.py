"""Lines about magic items: what is printed reads back, and what is acknowledged happens."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.core.dice import Dice
from pbem.core.orders import Line
from pbem.core.turn import resolve
from pbem.rulesets.nippon.cards.checking import check
from pbem.rulesets.nippon.cards.reading import read
from pbem.rulesets.nippon.events import HandlingFailed, SpawnArose, SpendingFailed
from pbem.rulesets.nippon.items import ITEMS
from pbem.rulesets.nippon.orders import Buy, Drink, HandOver, Quaff, Scry, Sell
from pbem.rulesets.nippon.phases import phases
from pbem.rulesets.nippon.view import view
from tests.rulesets.nippon.cards import spoken

STATE = spoken.position("""
map 1-2-3
realm A named "Red Duchy" treasury 700
realm B named "Blue"
section 1 headquarters of A buildings forge
section 2 merchant city stock 1 "Power Stone" stock 2 "Sword of Might" stock 3 "Enchanted Shield" stock 1 "War Banner"
banner A "Red Dragons" at 2 carries "Elixir of Might" carries "Sword of Battle" carries "Scroll of Scry"
banner A "Iron Wall" at 2 carries "Elixir of Chaos" carries "Potion of Daily Haste" carries "Tormentor Sword"
banner A "Black Foxes" at 1 carries "Dragonhelm"
banner B "Red Fist" at 3
""")
SEEN = view(STATE, "A")

UNITS = st.sampled_from([unit.name for banner in STATE.banners_of("A") for unit in banner.units])
NAMES = st.sampled_from(sorted(ITEMS))
PLACES = st.integers(1, 3)
MAP_ITEMS = {
    kind: st.sampled_from([item.name for item in ITEMS.values() if item.kind == kind and item.slot == "map"])
    for kind in ("elixir", "potion")
}
LINES = st.one_of(
    st.builds(Buy, PLACES, NAMES, UNITS, st.just(0) | st.integers(1, 999)),
    st.builds(Sell, PLACES, NAMES, UNITS),
    st.builds(HandOver, NAMES, UNITS, UNITS),
    st.builds(Drink, MAP_ITEMS["elixir"], UNITS),
    st.builds(Quaff, MAP_ITEMS["potion"], UNITS),
    st.just(Scry("B Red Fist", "Blue's Red Fist")),
)
HELD = st.sampled_from(
    sorted({name for banner in STATE.banners_of("A") for unit in banner.units for name in unit.items})
)
LIKELY = st.one_of(
    st.builds(Buy, st.just(2), st.sampled_from([name for name, _ in STATE.sections[2].stock]), UNITS),
    st.builds(Sell, st.just(2), HELD, UNITS),
    st.builds(HandOver, HELD, UNITS, UNITS),
    st.builds(Drink, MAP_ITEMS["elixir"], UNITS),
)


@settings(deadline=None)
@given(LINES)
def test_line_of_an_order_reads_back(order):
    """A player can send back any order as it is printed."""
    assert [each.order for each in read(SEEN, [Line(1, str(order))]).orders] == [order]


@settings(max_examples=60, deadline=None)
@given(st.lists(LIKELY, max_size=6, unique_by=lambda order: order.key), st.integers(0, 99))
def test_what_is_acknowledged_happens(orders, seed):
    """Whatever is bought, sold, handed over and drunk in one card: what was not refused does not fail."""
    written = read(SEEN, [Line(number, str(order)) for number, order in enumerate(orders, 1)]).orders
    filed = [verdict.written.order for verdict in check(SEEN, written).verdicts]
    log = resolve(phases(STATE), STATE, {"A": filed}, Dice(bytes([seed]), lambda audience: b"sealed")).log
    risen = any(isinstance(entry.event, SpawnArose) for entry in log)  # Of him nobody could be sure any more.
    assert [each.event for each in log if isinstance(each.event, HandlingFailed | SpendingFailed) and not risen] == []
