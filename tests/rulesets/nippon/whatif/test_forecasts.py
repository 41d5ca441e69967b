"""The odds of a card are those of the examples of the rules, and come from what its player knows alone."""

import re
from fractions import Fraction
from itertools import product
from math import prod
from operator import methodcaller

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.core.odds import Forecast, Odds, counted
from pbem.core.orders import Line
from pbem.core.ruleset import Entrant
from pbem.core.turn import resolve
from pbem.rulesets.nippon import NIPPON
from pbem.rulesets.nippon.cases.drafts import Draft, build
from pbem.rulesets.nippon.cases.positions import POSITION
from pbem.rulesets.nippon.orders import BannerOrder, Hold, Move
from pbem.rulesets.nippon.state import State, seat_of
from pbem.rulesets.nippon.tables import (
    GOES_FROM,
    HALTED_UP_TO,
    LEAST_POINTS,
    LOSS_DIE,
    LOSS_PER_PIP,
    LOST_UP_TO,
    PIPS,
    danger,
)
from pbem.rulesets.nippon.view import view
from pbem.rulesets.nippon.whatif import trials
from pbem.rulesets.nippon.whatif.assumptions import assume
from pbem.rulesets.nippon.whatif.guesses import filled_in
from pbem.rulesets.nippon.whatif.parts import parts
from tests.playing import Table, play
from tests.rulesets.nippon.test_view import other_secrets
from tests.rulesets.nippon.test_view import position as three_realms


def drafted(lines: str) -> State:
    draft = Draft()
    for line in lines.strip().splitlines():
        POSITION.read(line.strip())(draft)
    return build(draft)


def numbered(*texts: str) -> list[Line]:
    return [Line(number, text) for number, text in enumerate(texts, 1)]


def forecast(state: State, *card: str, seat: str = "A") -> Forecast:
    """What may come of a card, of which lines that begin with ASSUME are assumptions."""
    seen = view(state, seat)
    written = NIPPON.read(seen, numbered(*(line for line in card if not line.startswith("ASSUME")))).orders
    legal = [verdict.written for verdict in NIPPON.check(seen, written).verdicts]
    assumed = numbered(*(line.removeprefix("ASSUME ") for line in card if line.startswith("ASSUME")))
    found = NIPPON.forecast(seen, legal, assumed)
    assert found is not None
    return found


def said(chances: dict[str, Fraction]) -> set[str]:
    """Lines of a forecast; sections have no names but their numbers."""
    named = {re.sub(r"(?<=in |to )(\d)", r"\1 Section \1", becomes): chance for becomes, chance in chances.items()}
    return {f"{Odds({}).words(chance)} to {becomes}" for becomes, chance in named.items()}


def share(holds) -> Fraction:
    """The share of the sides of a die of which something holds."""
    return Fraction(sum(map(bool, map(holds, PIPS))), len(PIPS))


FACING = """
map 1-2-3
banner A Red at 1
banner B Blue at 2
"""
PASSED = share(lambda pips: pips > HALTED_UP_TO)
EQUAL = Fraction(1, len(PIPS))
HIGHER = (1 - EQUAL) / 2
"""The chance to roll higher than another: what is left when the dice are equal, by halves."""


# --- section 16 ---------------------------------------------------------------------------------------------------


def test_enemies_in_the_night():
    """Examples 1 and 2."""
    ((name, lines),) = forecast(drafted(FACING), "Red: move 2", "ASSUME Blue moves 1").prospects
    assert name == "Red"
    assert set(lines) == said({
        "arrive in 2": HIGHER + EQUAL,
        "stay in 1": HIGHER,
        "meet B's Blue in 2": HIGHER,
        "meet B's Blue in 1": HIGHER,
    })  # fmt: skip


@pytest.mark.parametrize("terrain", ["mountains", "marsh"])
def test_enemies_in_the_night_on_difficult_terrain(terrain):
    """Examples 3 and 12: a test that A fails leaves the way to B free, and they meet."""
    state = drafted(f"{FACING}section 2 {terrain}")
    ((_, lines),) = forecast(state, "Red: move 2", "ASSUME Blue moves 1").prospects
    stays = 1 - PASSED + PASSED * HIGHER
    assert set(lines) >= said({
        "arrive in 2": PASSED * (HIGHER + EQUAL),
        "stay in 1": stays,
        "meet B's Blue in 2": PASSED * HIGHER,
    })  # fmt: skip
    assert {line for line in lines if "meet" in line and line.endswith("1")} == said({"meet B's Blue in 1": stays})


def test_high_elves_always_go():
    """Example 5."""
    state = drafted(f'{FACING}realm A army "high elves"')
    ((_, lines),) = forecast(state, "Red: move 2", "ASSUME Blue moves 1").prospects
    assert set(lines) == said({"arrive in 2": Fraction(1), "meet B's Blue in 2": Fraction(1)})


def test_who_leaves_is_not_met():
    """Example 7."""
    state = drafted("map 2-1-3\nbanner A Red at 1\nbanner B Blue at 3")
    found = forecast(state, "Red: move 2", "ASSUME Blue moves 1")
    assert set(found.prospects[0][1]) == said({"arrive in 2": Fraction(1)})
    assert found.overall[0] == ("Meetings", "none")


def test_raze_and_move():
    """Example 16: the pay does not count, where it goes does."""
    state = drafted("map 1-2\nbanner A Red at 1\nsection 1 controlled by A")
    found = forecast(state, "Red: raze and move 2")
    goes, held = share(lambda pips: pips >= GOES_FROM), len(state.held_by("A"))
    assert set(found.prospects[0][1]) == said({"arrive in 2": goes, "stay in 1": 1 - goes})
    assert found.overall[1:] == (
        ("Sections", f"{held} now, on average {float(held - 1 + goes):.1f} then"),
        ("1 Section 1", "certain to be yours no more"),
        ("2 Section 2", f"{Odds({}).words(goes)} to become yours"),
    )


def test_the_sea():
    """Examples 29 and 30, with a banner of 500 points."""
    state = drafted("map 1-2\nbanner A Red at 1\nsection 2 ocean\n")
    ((_, lines),) = forecast(state, "Red: move 2").prospects
    sums = [danger(sum(dice)) for dice in product(PIPS, PIPS)]
    chance = {each: PASSED * Fraction(sums.count(each), len(sums)) for each in set(sums)}
    points = state.banners["A Red"].points
    short = sum(points - LOSS_PER_PIP * pips < LEAST_POINTS for pips in range(1, LOSS_DIE + 1))
    scatters = chance["costly"] * Fraction(short, LOSS_DIE)
    arrives = chance["safe"] + chance["heroic"]
    assert 0 < short < LOSS_DIE
    assert set(lines) == said({
        "arrive in 2": arrives,
        "be destroyed": chance["destroyed"],
        "be scattered, in 1": scatters,
        "stay in 1": 1 - arrives - chance["destroyed"] - scatters,
    })  # fmt: skip


def test_a_forest():
    """Who is lost goes in any direction: here to the north, where he meant to go, or to the south."""
    state = drafted(
        "map 2-1-3\nbanner A Red at 1\nsection 1 forest at 100,100\nsection 2 at 100,0\nsection 3 at 100,200"
    )
    ((_, lines),) = forecast(state, "Red: move 2").prospects
    south = Fraction(sum(90 < degrees < 270 for degrees in range(1, 361)), 360)
    astray = share(lambda pips: pips <= LOST_UP_TO) * south
    assert set(lines) == said({"arrive in 2": 1 - astray, "go astray, to 3": astray})


# --- what is assumed ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    ["Blue moves 1", "blue: move 1", "B's Blue moves to 1 pls", "b blue move 1", "B Blue -> move 1", '"Blue": MOVE 1'],
)
def test_an_assumption_is_read_as_an_order_is(line):
    found = forecast(drafted(FACING), f"ASSUME {line}")
    assert (found.assumed, found.faults) == ((("B's Blue", "MOVE 2 -> 1"),), ())


@pytest.mark.parametrize(
    ("line", "reason", "paste"),
    [
        ("Bleu moves 1", "No banner of another realm that you can see is called so. Did you mean 'Blue'?", ""),
        ("Red moves 2", "It is your own: write its order without ASSUME.", ""),
        ("Blue offers peace", "I do not know the order 'offers'.", "ASSUME B's Blue: hold"),
        ("Blue mvoes 3", "I do not know the order 'mvoes'. Did you mean 'move'?", "ASSUME B's Blue: move 3"),
        ("Blue recovers", "2 Section 2 is not razed. (NIP 7.4)", "ASSUME B's Blue: hold"),
        ("Blue", "Only orders to banners can be assumed.", "ASSUME B's Blue: hold"),
    ],
)
def test_an_assumption_that_cannot_be_made_is_told(line, reason, paste):
    found = forecast(drafted(FACING), f"ASSUME {line}")
    (fault,) = found.faults
    assert fault.reason.startswith(reason)
    assert (found.assumed, fault.line, fault.paste) == ((), Line(1, f"ASSUME {line}"), paste)


def test_a_name_that_two_realms_use_needs_the_realm():
    state = drafted("map 1-2-3-4\nbanner A Red at 1\nbanner B Blue at 2\nbanner C Blue at 4")
    assert forecast(state, "ASSUME Blue moves 3").faults
    assert forecast(state, "ASSUME C's Blue moves 3").assumed == (("C's Blue", "MOVE 4 -> 3"),)


@pytest.mark.parametrize(("way", "pace"), [("3", ""), ("3 4", ", mounted"), ("3 4 5", ", flying")])
def test_a_banner_is_as_fast_as_it_must_be(way, pace):
    state = drafted("map 1-2-3-4-5-6\nbanner A Red at 1\nbanner B Blue at 2")
    steps = " -> ".join(way.split())
    assert forecast(state, f"ASSUME Blue moves {way}").assumed == (("B's Blue", f"MOVE 2 -> {steps}{pace}"),)


def test_when_the_moves_are_made_there_is_nothing_to_tell():
    state = drafted(f"{FACING}")
    state.stage = "meetings"
    assert NIPPON.forecast(view(state, "A"), [], []) is None


# --- on what he knows ---------------------------------------------------------------------------------------------


CARD = "Red: move 3", "ASSUME Blue moves 2"


@settings(deadline=None, max_examples=3)
@given(data=st.data())
def test_positions_that_differ_in_secrets_only_have_the_same_odds(data):
    state = three_realms()
    state.ships = {}  # With their dice there would be too many ways to count.
    assert forecast(data.draw(other_secrets(state, "A")), *CARD) == forecast(state, *CARD)


# --- parts --------------------------------------------------------------------------------------------------------

LAND = """
map 1-2-3-4-5-6-7-8
section 2 marsh
section 3 controlled by A
section 4 mountains
section 7 river
banner A Red at 1
banner A Ruby at 3
banner B Blue at 4
banner C Grey at 6
banner B Navy at 8
"""


@settings(deadline=None, max_examples=10)
@given(st.tuples(*[st.integers(-1, 1)] * 5))
def test_odds_by_parts_are_those_of_the_whole(steps):
    """Whatever five banners do: parts leave out only what makes no difference."""
    state = drafted(LAND)
    orders: dict[str, list[BannerOrder]] = {"A": [], "B": [], "C": []}
    for (key, banner), step in zip(sorted(state.banners.items()), steps, strict=True):
        goal = banner.at + step
        moves = step and goal in state.sections
        orders[seat_of(key)].append(Move(banner.name, (goal,)) if moves else Hold(banner.name))
    everybody = trials.Trial(state, "A", orders, frozenset(state.banners), frozenset())
    whole = counted(everybody.play, 10**5)
    assert whole is not None
    by_parts = trials.play_out(state, "A", orders)
    fates = [fates_of(part) for part in by_parts]
    assert sum(map(len, fates)) == 2
    assert {key: each for part in fates for key, each in part.items()} == fates_of(whole)
    for number in state.sections:
        assert prod(keeps(part, number) for part in by_parts) == keeps(whole, number)


def fates_of(odds: Odds[trials.Outcome]) -> dict[str, dict[trials.Fate, Fraction]]:
    """What may become of each banner."""
    keys = [key for key, _ in next(iter(odds.chances)).fates]
    return {key: odds.by(methodcaller("fate", key)) for key in keys}


def keeps(odds: Odds[trials.Outcome], number: int) -> Fraction:
    """The chance that a section is not lost."""
    return odds.of(lambda outcome: number not in outcome.lost)


def test_banners_far_from_each_other_are_parts():
    state = drafted("map 1-2-3-4-5-6\nbanner A Red at 1\nbanner A Ruby at 3\nbanner B Blue at 6")
    orders = {"A": [Move("Red", (2,)), Move("Ruby", (4,))], "B": [Move("Blue", (5,))]}
    assert set(parts(state, "A", orders)) == {
        frozenset({"A Red"}),
        frozenset({"A Ruby", "B Blue"}) - {"B Blue"},
        frozenset({"B Blue"}),
    }


def test_who_changes_banners_is_told_of_under_the_new_one():
    """All are one part then: whatever the new banner is made of, it goes the way that it is ordered."""
    state = drafted("map 1-2-3\nsection 2 marsh\nbanner A Red at 1\nbanner A Ruby at 1")
    found = dict(forecast(state, "Ruby: join Red", "Red: move 2").prospects)
    assert set(found["Red"]) == said({"arrive in 2": PASSED, "stay in 1": 1 - PASSED})
    assert found["Ruby"] == ("certain to be dissolved",)


# --- games --------------------------------------------------------------------------------------------------------


def test_what_happens_was_among_what_was_told():
    """Robots' games: a player who assumes what the others order is told of what then happens."""
    table = Table(NIPPON, {"map": "duel"}, [Entrant("A", "Thorn", {}, "1"), Entrant("B", "Larks", {}, "2")])
    moved = [stage for stage in play(table, 3) if stage.opened.stage == "orders"]
    for stage in moved:
        seen = view(stage.opened, "A")
        theirs = [each.order for each in stage.filed.get("B", ()) if isinstance(each.order, BannerOrder)]
        assumptions = assume(seen, numbered(*(f"Larks's {order}" for order in theirs)))
        assert [each.order for each in assumptions.orders.values()] == theirs
        position = filled_in(seen, {key: each.pace for key, each in assumptions.orders.items()})
        orders = {"A": [each.order for each in stage.filed["A"]], "B": theirs}
        came = resolve(trials.EXECUTION, stage.opened, stage.orders, table.dice(stage.name)).state
        for part in trials.play_out(position, "A", orders):
            for key, fates in fates_of(part).items():
                assert came.banners[key].at in {fate.at for fate in fates}
    assert len(moved) > 1


@pytest.mark.parametrize("assumed", [(), ("ASSUME B's Blue move 2",)])
def test_where_others_come_up_is_not_foreseen(assumed):
    """Only their realm knows their goal; for the trial they stay below, this turn too."""
    below = "banner B Mole at 3 underground to 2 until 5"
    state = drafted(f"map 1-2-3\nrealm B army skaven\nturn 5\nbanner A Red at 1\nbanner B Blue at 3\n{below}")
    told = forecast(state, "Red: hold", *assumed)
    assert "Mole" not in repr(told)
