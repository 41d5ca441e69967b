"""Robots play whole campaigns with cards that any player could have sent."""

from collections import Counter

import pytest

from pbem.core.dice import Dice
from pbem.core.ruleset import Entrant
from pbem.core.turn import resolve
from pbem.rulesets.nippon.orders import BannerOrder, Steer
from pbem.rulesets.nippon.phases import ACTS, phases, stage
from pbem.rulesets.nippon.robot import robot
from pbem.rulesets.nippon.setup import setup
from pbem.rulesets.nippon.view import view
from tests.rulesets.nippon.cards import spoken

ROUNDS = 4
"""Cards of each robot in one stage of meetings."""


def dice(*about):
    """Dice that hang on what they are for."""
    seed = repr(about).encode()
    return Dice(seed, lambda audience: seed + repr(sorted(audience)).encode())


def orders_of(state, seat, *about):
    """The orders of a robot's card, which must be read and checked without a fault."""
    seen = view(state, seat)
    card = robot(seen, dice(*about, seat))
    checked, faults = spoken.handled(seen, card)
    assert (faults, spoken.sheet(seen, card).ignored) == ([], ())
    return [verdict.written.order for verdict in checked.verdicts]


def campaign(seed, seats, turns, army="free peoples", **options):
    """Every order that robots give in some turns of a campaign, by class, and the state at the end."""
    entrants = [Entrant(seat, f"Realm {seat}", {"army": army}) for seat in "ABCDEFGH"[:seats]]
    state = setup(options, entrants, dice(seed, "setup"))
    given = Counter()
    for number in range(2 * turns):
        if state.turn > turns or state.stage == "over":
            break
        orders = {}
        if state.stage == "orders":
            orders = {seat: orders_of(state, seat, seed, number) for seat in sorted(state.realms)}
        for talk in range(ROUNDS if state.stage == "meetings" else 0):
            for seat in sorted(stage(state).awaiting):
                said = orders_of(state, seat, seed, number, talk)
                given.update(type(order).__name__ for order in said)
                state = resolve(ACTS, state, {seat: said}, Dice()).state
        given.update(type(order).__name__ for each in orders.values() for order in each)
        state = resolve(phases(state), state, orders, dice(seed, number)).state
    return state, given


@pytest.mark.parametrize("seed", range(2))
def test_cards_are_legal_all_through_a_campaign(seed):
    """Six robots on the large map, whatever the dice do to them."""
    state, given = campaign(seed, seats=6, turns=8)
    assert state.turn == 9
    assert given["Move"] > given["Hold"]


def test_cards_are_legal_in_a_narrow_valley():
    """Four robots on the small map meet all the time: they talk, and settle what they can."""
    _, given = campaign(1, seats=4, turns=8, map="duel")
    assert min(given[name] for name in ("Move", "Offer", "Answer", "ReportResult", "JudgeResult")) > 0


def test_robots_spend_what_they_earn():
    """Where prices are low they build and let their sites grow; no treasury is overdrawn."""
    state, given = campaign(3, seats=2, turns=8, cost_percent=2)
    assert min(given[name] for name in ("Build", "Upgrade")) > 0
    assert min(realm.treasury for realm in state.realms.values()) >= 0


def test_robots_march():
    """Orcs and goblins drive their banners on, and burn the land of others on the way."""
    _, given = campaign(4, seats=4, turns=6, map="duel", army="orcs and goblins")
    assert given["ForcedMarch"] > 0


def test_robots_go_underground():
    """Skaven leave the map, and come up in the land of others."""
    _, given = campaign(3, seats=4, turns=6, map="duel", army="skaven")
    assert given["Underground"] > 0


def test_robots_take_land():
    """They grow from their headquarters."""
    state, _ = campaign(5, seats=2, turns=4)
    assert min(len(state.held_by(seat)) for seat in state.realms) >= 3


def test_robots_cross_the_sea_to_take_land():
    """Where the land ends and a ship lies in port, they land across the water; an empty ship goes home."""
    sea = """
map 1-2
turn 2
coast 1-3, 4-3
section 1 village port controlled by A
section 2 controlled by A
section 4 village
ship A "Sea Swan" transport at 1
ship A "Old Turtle" transport at 3
banner A Red at 1 points 900
realm B treasury 0
"""
    given = [order for order in orders_of(spoken.position(sea), "A", "sea") if isinstance(order, BannerOrder)]
    assert {type(order).__name__ for order in given} == {"Sail"}
    assert given[0].land == 4
    home = orders_of(
        spoken.position(sea.replace("transport at 1", "transport at 3").replace("Red at 1", "Red at 2")), "A", 1
    )
    assert [str(order) for order in home if isinstance(order, Steer)] == ["Old Turtle: sail 1"]


def test_card_hangs_on_what_is_seen_and_on_the_dice_alone():
    """The same view and the same dice give the same card."""
    state = spoken.position(spoken.USUAL)
    assert robot(view(state, "A"), dice("one")) == robot(view(state, "A"), dice("one"))


def test_every_die_of_a_robot_says_so():
    """Its whims are not to be taken for dice of the rules."""
    thrown = dice("labels")
    robot(view(spoken.position(spoken.USUAL), "A"), thrown)
    robot(view(spoken.meeting(), "A"), thrown)
    assert {label.partition(" ")[0] for label, _ in thrown.rolled} == {"robot"}


def test_robot_without_banners_sends_an_empty_card():
    """It has nothing to say."""
    assert robot(view(spoken.position("map 1-2\nbanner B Blue at 1"), "B"), dice("x")) != ""
    assert robot(view(spoken.position("map 1-2\nbanner B Blue at 1\nrealm A treasury 1"), "A"), dice("x")) == ""


@pytest.mark.parametrize("seed", ["one", "two"])
def test_robots_build_ports(seed):
    """They would build one in each turn in which they can pay it."""
    assert "\nupgrade 1 to port\n" in robot(view(spoken.position(spoken.COAST), "A"), dice(seed))


TREASURE_HUNTERS = """
map 1-2-3
section 2 merchant city
realm A treasury 300
realm B treasury 300
pact truce A B until 5
banner A Red at 2 carries "Elixir of Might" carries "Scroll of Scry" carries "Sword of Might"
banner B Blue at 2
"""


@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_robots_buy_in_merchant_cities_and_drink_their_elixirs(seed):
    state = spoken.position(TREASURE_HUNTERS)
    card = robot(view(state, "A"), dice(seed))
    assert "use Elixir of Might by Hero" in card
    assert "\nbuy " in card
    assert not spoken.handled(view(state, "A"), card)[1]


def test_robots_drink_their_potions_where_they_have_met_somebody():
    state = spoken.meeting(spoken.MET + 'unit A "Red Dragons" "Hana" hero models 1 carries "Potion of Daily Haste"\n')
    assert "use Potion of Daily Haste by Hana" in robot(view(state, "A"), dice("one"))
