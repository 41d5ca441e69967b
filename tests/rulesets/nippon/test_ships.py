"""Ships meet with nobody aboard: all that is said about a meeting must hold without a single banner (NIP 11.4)."""

import pytest

from pbem.core.dice import Dice
from pbem.core.ruleset import Material
from pbem.core.turn import Resolution, resolve
from pbem.core.views import visible
from pbem.reports.render import Templates
from pbem.rulesets.nippon import NIPPON
from pbem.rulesets.nippon.briefing.chronicle import sorted_out
from pbem.rulesets.nippon.cards.form import form
from pbem.rulesets.nippon.cards.primer import primer
from pbem.rulesets.nippon.orders import Sail
from pbem.rulesets.nippon.phases import phases, stage
from pbem.rulesets.nippon.robot import robot
from pbem.rulesets.nippon.ships.harbours import ships_beside
from pbem.rulesets.nippon.state import Meeting, State
from pbem.rulesets.nippon.view import view
from tests.rulesets.nippon.cards import spoken

AT_SEA = """
map 1-2
coast 1-3, 2-4
sea 3-4
realm A named "Red Duchy"
realm B named "Blue"
section 1 keep port controlled by A
ship A "Sea Swan" transport at 3
ship A "Old Turtle" war ship at 1
ship B "Grey Heron" transport at 3
ship C "White Crane" battle ship at 4
pact alliance A C
"""

TEMPLATES = Templates()


def met() -> tuple[State, Resolution[State]]:
    """The position before and after its movement: two empty ships share the sea."""
    before = spoken.position(AT_SEA)
    return before, resolve(phases(before), before, {}, Dice(b"fair"))


def told(seat: str | None) -> str:
    """Everything that a seat's report of the meeting says."""
    before, after = met()
    seen = view(after.state, seat)
    say = TEMPLATES.say("nippon", seen)
    return repr(NIPPON.briefing(Material(seat, view(before, seat), seen, visible(after.log, seat), (), say)))


def test_ships_without_troops_meet():
    _, after = met()
    assert after.state.meetings[3].banners == ()
    assert stage(after.state).awaiting == {"A", "B"}


@pytest.mark.parametrize("seat", ["A", "B", "C", None])
def test_reports_name_ships_where_no_banner_stands(seat):
    assert "Grey Heron stood against each other" in told(seat)


def test_report_of_a_meeting_counts_the_guns_that_may_join():
    own = told("A")
    assert "You meet Blue's Grey Heron." in own
    assert "battle ship in 4 Section 4 with 2 mortars, which may join in" in own.replace("great cannon", "mortar")


@pytest.mark.parametrize("seat", ["A", "B"])
def test_all_that_can_be_said_there_can_be_sent(seat):
    """The form, the primer and a robot's card hold up without units to speak of."""
    _, after = met()
    seen = view(after.state, seat)
    offered = [line.removeprefix("# ").partition("   ")[0] for line in form(seen)]
    assert f"result 3: {seen.realm(seat)} victory" in offered
    for card in ("\n".join(primer(seen)), robot(seen, Dice(b"x")), f"result 3: {seen.realm(seat)} victory"):
        assert spoken.sheet(seen, card).faults == ()


def test_machines_of_own_and_allied_ships_join_in_port_and_next_to_the_coast():
    state = spoken.position(AT_SEA)
    beside = {at: [ship.name for ship in ships_beside(state, at, ("A",), ("B",))] for at in (1, 2, 3)}
    assert beside == {1: ["Old Turtle", "Sea Swan"], 2: ["White Crane"], 3: ["Sea Swan", "White Crane"]}


@pytest.mark.parametrize("line", ["pact truce B C until 9", "pact alliance B C"], ids=["a truce", "on both sides"])
def test_an_ally_lends_no_machines_against_those_at_peace_with_him(line):
    state = spoken.position(f"{AT_SEA}{line}\n")
    assert ships_beside(state, 2, ("A",), ("B",)) == ()


def test_an_ally_who_met_somebody_there_himself_lends_none_to_others():
    state = spoken.position(AT_SEA)
    state.meetings[2] = Meeting(2, (), sides=(("A",), ("B",), ("C",)))
    assert ships_beside(state, 2, ("A",), ("B",)) == ()


def test_what_befalls_a_ship_is_told_of_those_aboard():
    """A player looks for his banner: why it did not land stands there, and not only with the ship."""
    before = spoken.position(AT_SEA + 'banner A Red at 3 aboard A "Sea Swan"\nbanner A Gold at 1')
    orders = {"A": [Sail("Red", land=1, ship="Sea Swan"), Sail("Gold", (3,), ship="Old Turtle")]}
    log = resolve(phases(before), before, orders, Dice(b"fair")).log
    seen = view(before, "A")
    told = sorted_out(Material("A", seen, seen, visible(log, "A"), (), TEMPLATES.say("nippon", seen)))
    ships = {
        name: {e.event.ship for e in told.own[f"A {name}"] if hasattr(e.event, "total")} for name in ("Red", "Gold")
    }
    assert ships == {"Red": {"A Sea Swan"}, "Gold": {"A Old Turtle"}}
    assert "A Sea Swan" not in told.own
