"""Armies drawn for thousands of battles, what is counted of them, and the document that holds the figures."""

import re
from collections import Counter
from random import Random

import pytest

from benchmarks.balance import lists, paper
from benchmarks.balance.contests import ARMIES, Contest, Tally, contests, fought
from benchmarks.balance.generators import BLOCKS, MIXED, PICKED, drawn
from pbem.battles import VERSION, Outcome
from pbem.rulesets.nippon import armies
from pbem.rulesets.nippon.armies.rosters.judging import judge
from pbem.rulesets.nippon.armies.rosters.roster import Entry, Roster

UNEVEN = Contest("3:2", 500, (3, 2))


# --- armies -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("points", [500, 1000, 2999])
@pytest.mark.parametrize("people", armies.names())
def test_an_army_of_a_list_could_be_sent_in_as_a_roster(people, points):
    muster = lists.army(Random(points), people, points)
    entries = [
        Entry(f"Banner {'ABC'[place]}", unit.type, unit.models, f"Unit {number_in_letters(unit.name)}", options(unit))
        for place, units in enumerate(muster)
        for unit in units
    ]
    judged = judge(Roster(tuple(entries)), armies.army(people), points)
    assert judged.flaws == ()
    assert judged.points == sum(unit.worth for units in muster for unit in units) > 0.9 * points


def number_in_letters(name):
    """Players' names have no digits."""
    return re.sub(r"[\d.]", lambda sign: " bcdefghijk"[".0123456789".index(sign[0])], name)


def options(unit):
    command = [each for each in ("musician", "standard", "champion") if getattr(unit, each)]
    return (*command, *unit.gear, *([unit.mount] if unit.mount else []))


@pytest.mark.parametrize("recipe", [MIXED, BLOCKS, PICKED], ids=["mixed", "blocks", "picked"])
def test_an_army_of_no_list_has_its_points_and_what_the_recipe_says(recipe):
    side = drawn(Random(1), 2000, recipe)
    heroes, troops = side.units[:2], side.units[2:]
    assert {unit.kind for unit in heroes} == {"hero"}
    assert {unit.name.split()[0] for unit in troops} <= {*recipe}
    assert 1980 <= sum(unit.points for unit in side.units) <= 2000
    for unit in troops:
        kind = recipe[unit.name.split()[0]]
        least, most = kind.price
        assert least <= unit.points // unit.models <= most
        assert unit.models >= kind.models[0]


# --- battles ----------------------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_figures():
    first, again, other = (fought(UNEVEN, ARMIES["mixed"].draw, 6, Random(seed)) for seed in (1, 1, 2))
    assert first == again != other


def test_all_battles_of_a_line_are_counted():
    tally = fought(UNEVEN, ARMIES["mixed"].draw, 6, Random(1))
    assert tally.battles == tally.degrees.total() == tally.wins.total() + tally.degrees["draw"] == 6


@pytest.mark.parametrize(
    ("first", "winner", "won", "attacking"),
    [("A", "A", True, 1), ("A", "B", False, 0), ("B", "B", True, 0), ("B", "A", False, 0)],
)
def test_a_win_goes_to_the_larger_army_whichever_part_it_has(first, winner, won, attacking):
    tally = Tally()
    tally.count(Outcome(winner, "massacre", 0, (0, 0), "limit", (), None, (), (), ()), first)
    assert (tally.wins, tally.attacking) == ({won: 1}, attacking)


# --- the document -----------------------------------------------------------------------------------------------------


def test_figures_outside_of_what_is_plausible_are_bold():
    tally = Tally(100, Counter({True: 44, False: 34}), degrees=Counter({"draw": 22, "massacre": 25}))
    text = paper.print_figures({"mixed": dict.fromkeys(contests(), tally)}, 1)
    assert "| 44.0 | 34.0 | **22.0** | 56.4 |  | 0.0 | 0.0 | 25.0 | 0.0 |" in text


def test_the_document_has_figures_of_the_present_data_for_all_battles():
    made = paper.FIGURES.search(paper.PAPER.read_text(encoding="utf-8"))[0]
    assert f"data `{VERSION}`" in made
    for armed in ARMIES.values():
        table = made.partition(f"## {armed.title}\n")[2].partition("## ")[0]
        for contest in contests():
            assert f"| {contest.title} | {contest.points:,} : {contest.fewer:,} |" in table
