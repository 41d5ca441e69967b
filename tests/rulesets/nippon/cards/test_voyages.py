"""Orders for the sea: they read back, the check and the turn agree, and what is taught of them is understood."""

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pbem.core.dice import Dice
from pbem.core.orders import Line
from pbem.core.turn import resolve
from pbem.rulesets.nippon.cards.checking import check
from pbem.rulesets.nippon.cards.primer import primer
from pbem.rulesets.nippon.cards.reading import read
from pbem.rulesets.nippon.events import OrderVoid, SpendingFailed
from pbem.rulesets.nippon.orders import Launch, Sail, Steer
from pbem.rulesets.nippon.phases import phases
from pbem.rulesets.nippon.tables import HULLS
from pbem.rulesets.nippon.view import view
from tests.rulesets.nippon.cards import spoken

AT_SEA = """
map 1-2-3
coast 1-4, 2-5, 3-6
sea 4-5-6
realm A named "Red Duchy"
realm A treasury 20000
realm B named "Blue"
section 1 stronghold port controlled by A
section 3 village port controlled by A
ship A "Sea Swan" transport at 1
ship A "Old Turtle" battle ship at 5
ship B "Grey Heron" transport at 6
banner A "Red Dragons" at 1
banner A "Iron Wall" at 5 aboard A "Old Turtle"
banner A "Black Foxes" at 2 points 700
banner B "Red Fist" at 3
"""

STATE = spoken.position(AT_SEA)
SEEN = view(STATE, "A")

BANNERS = st.sampled_from([banner.name for banner in STATE.banners_of("A")])
SHIPS = st.sampled_from([ship.name for ship in STATE.ships_of("A")])
SECTIONS = st.integers(1, len(STATE.atlas.places))
WAYS = st.lists(SECTIONS, max_size=4).map(tuple)
STEERS = st.builds(Steer, SHIPS, st.lists(SECTIONS, min_size=1, max_size=4).map(tuple))
SAILS = st.builds(Sail, BANNERS, WAYS, st.just(0) | SECTIONS, st.just("") | SHIPS, st.booleans(), st.booleans())
KINDS = st.sampled_from(sorted(HULLS))
LAUNCHES = st.builds(Launch, SECTIONS, KINDS, st.integers(2, 4)) | st.builds(
    Launch, SECTIONS, KINDS, st.just(1), st.sampled_from(["", "White Crane", "Sea Swan"])
)


@settings(deadline=None)
@given(STEERS | SAILS | LAUNCHES)
def test_line_of_an_order_reads_back(order):
    """A player can send back any order as it is printed; a way does not begin where banner or ship is already."""
    start = {"Red Dragons": 1, "Iron Wall": 5, "Black Foxes": 2, "Sea Swan": 1, "Old Turtle": 5}
    if isinstance(order, Steer | Sail):
        at = start[order.ship if isinstance(order, Steer) else order.banner]
        assume(len(order.path) < 2 or order.path[0] != at)
    assert [each.order for each in read(SEEN, [Line(1, str(order))]).orders] == [order]


@settings(max_examples=60, deadline=None)
@given(st.lists(STEERS | SAILS | LAUNCHES, max_size=5, unique_by=lambda order: order.key), st.integers(0, 99))
def test_checked_orders_are_never_void_when_they_are_carried_out(orders, seed):
    """Whatever ships and banners are told together, nothing is acknowledged that the turn then calls impossible."""
    written = read(SEEN, [Line(number, str(order)) for number, order in enumerate(orders, 1)]).orders
    filed = [verdict.written.order for verdict in check(SEEN, written).verdicts]
    log = resolve(phases(STATE), STATE, {"A": filed}, Dice(bytes([seed]), lambda audience: b"sealed")).log
    assert [entry.event for entry in log if isinstance(entry.event, OrderVoid | SpendingFailed)] == []


@settings(max_examples=60, deadline=None)
@given(st.lists(STEERS | SAILS, max_size=5, unique_by=lambda order: order.key), st.integers(0, 99))
def test_ships_carry_no_more_than_they_have_room_for_and_nobody_floats(orders, seed):
    """After any turn: who is aboard is where his ship is, at sea, and it has room for all of them."""
    written = read(SEEN, [Line(number, str(order)) for number, order in enumerate(orders, 1)]).orders
    filed = [verdict.written.order for verdict in check(SEEN, written).verdicts]
    after = resolve(phases(STATE), STATE, {"A": filed}, Dice(bytes([seed]), lambda audience: b"sealed")).state
    for banner in after.banners.values():
        assert not banner.aboard or after.ships[banner.aboard].at == banner.at
        assert not banner.aboard or after.place(banner.at).ocean
    for key, ship in after.ships.items():
        assert sum(banner.points for banner in after.aboard(key)) <= HULLS[ship.kind].room


def test_primer_teaches_the_sea_where_there_is_a_ship():
    told = primer(SEEN)
    sheet = spoken.sheet(SEEN, "\n".join(told))
    assert (sheet.faults, sheet.ignored) == ((), ())
    assert {Sail, Steer, Launch} <= {type(written.order) for written in sheet.orders}
    assert [check(SEEN, [each]).faults for each in sheet.orders if isinstance(each.order, Sail | Steer)] == [(), ()]
