"""The battle resolver: whole battles with given dice (``fights.txt``), its tables, and what always holds."""

from dataclasses import replace
from itertools import cycle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.battles import LANES, Battle, Outcome, Plan, Profile, Side, Station, Unit, fight, together
from pbem.battles.breaking import lost, withdrawing
from pbem.battles.conversion import values
from pbem.battles.magic_seven import MOST_BONUS_DICE, attack, shoot, unsaved
from pbem.battles.model import ROLES, Name
from pbem.battles.plans import draw_up, general, joined_heroes, stations
from pbem.battles.result import verdict
from tests.battles.writing import print_outcome, read_fights, row

FIGHTS = list(read_fights((Path(__file__).parent / "fights.txt").read_text(encoding="utf-8")))
FOOT = Unit("foot", "infantry", 10, 100)
PLAIN = Profile(4, 3, 3, 3, 3, 1, 3, 1, 7)


@pytest.mark.parametrize("case", [pytest.param(case, id=case.title) for case in FIGHTS])
def test_a_fight_comes_out_as_it_says(case):
    assert print_outcome(fight(case.battle, row(case.start))) == case.out


def test_units_of_a_side_have_names_of_their_own():
    twice = Side((FOOT, FOOT))
    with pytest.raises(ValueError, match="more than one is called foot"):
        fight(Battle(twice, Side((FOOT,))), row(1))


# --- the roll -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("skill", "shown", "hits"), [(3, 3, 0), (3, 4, 1), (6, 1, 1), (1, 5, 0), (1, 6, 1), (0, 6, 0)])
def test_skill_and_die_reach_seven(skill, shown, hits):
    assert attack(1, skill, lambda: shown) == (hits, 1)


def test_an_explosion_hits_without_skill_and_strikes_again():
    dice = iter([6, 6, 1])
    assert attack(1, -1, lambda: next(dice), explodes=True) == (2, 3)


def test_explosions_come_to_an_end():
    assert attack(2, 3, lambda: 6, explodes=True) == (2 + MOST_BONUS_DICE, 2 + MOST_BONUS_DICE)


def test_defence_and_die_reach_seven_too():
    assert unsaved(6, 2, row(1)) == len([1, 2, 3, 4])


def test_aim_and_two_dice_reach_ten():
    assert shoot(3, 3, row(1)) == len(["3 + 4", "5 + 6"])


# --- 12.2 Conversion ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("weapon_skill", "strength", "toughness", "save", "melee", "defence"),
    [(4, 3, 3, 2, 4, 4), (3, 3, 3, 6, 3, 2), (5, 4, 4, 4, 5, 4), (4, 4, 3, 5, 4, 2)],
)
def test_conversion_s_t40(weapon_skill, strength, toughness, save, melee, defence):
    profile = replace(PLAIN, WS=weapon_skill, S=strength, T=toughness, Sv=save)
    worth = values(replace(FOOT, profile=profile))
    assert (worth.melee, worth.defence, worth.missile) == (melee, defence, False)


def test_who_shoots_fights_worse_s_t40():
    worth = values(replace(FOOT, profile=replace(PLAIN, Sv=6), reach=24))
    assert (worth.melee, worth.defence, worth.aim, worth.bands) == (2, 2, 3, 3)


@pytest.mark.parametrize(("points", "leadership"), [(59, 5), (60, 7), (119, 7), (120, 8)])
def test_a_profile_is_guessed_by_points_for_each_model(points, leadership):
    assert values(replace(FOOT, points=points)).leadership == leadership


# --- 12.3 Plans ---------------------------------------------------------------------------------------------------


def test_without_a_plan_eight_stand_in_the_centre_s_t47():
    side = Side(tuple(Unit(f"foot {number}", "infantry", 10, 100) for number in range(11)))
    field = draw_up(Battle(side, side), row(1))
    assert [each.lane for each in field.fighters if each.side == "B"] == [*"CCCCCCCC", *"LRL"]
    assert {each.order for each in field.fighters if each.side == "B"} == {"HOLD"}


def test_heroes_join_the_dearest_units_one_to_each():
    heroes = [Unit(name, "hero", 1, points) for name, points in (("Otto", 80), ("Hugo", 120), ("Emil", 60))]
    side = Side((*heroes, replace(FOOT, name="cheap", points=50), replace(FOOT, name="dear")))
    hosts = {each.unit.name: each.host and each.host.unit.name for each in draw_up(Battle(side, side), row(1)).fighters}
    assert {name: hosts[name] for name in ("Otto", "Hugo", "Emil")} == {"Otto": "dear", "Hugo": "cheap", "Emil": None}


def test_the_dearest_hero_leads_if_nobody_is_named():
    side = Side((Unit("Otto", "hero", 1, 80), Unit("Hugo", "hero", 1, 120), FOOT))
    assert [general(each) for each in (side, replace(side, general="Otto"), replace(side, general="nobody"))] == [
        "Hugo", "Otto", "Hugo"
    ]  # fmt: skip


def test_a_plan_puts_no_more_than_eight_in_a_lane():
    names = [f"foot {number}" for number in range(9)]
    plan = Plan(tuple(Station(name, "L") for name in (*names, "ghost")))
    side = Side(tuple(Unit(name, "infantry", 10, 100) for name in names), plan=plan)
    assert [each.lane for each in draw_up(Battle(side, side), row(1)).fighters[:9]] == [*"LLLLLLLL", "C"]


# --- 12.4 Tests of leadership, and heroes beside BR-1/2 ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("flags", "first_of_the_lane", "shown", "holds"),
    [
        ((), 0, (3, 4), True),
        ((), 0, (4, 4), False),
        ((), 8, (), False),
        (("heroic",), 0, (4, 4, 3, 4), True),
        (("heroic",), 0, (4, 4, 4, 4), False),
        (("heroic",), 7, (), True),
        (("heroic",), 8, (3, 4), True),
        (("heroic",), 8, (4, 4), False),
    ],
)
def test_the_heroic_roll_a_failed_test_again_once(flags, first_of_the_lane, shown, holds):
    dice = iter(shown)
    field = draw_up(Battle(Side((replace(FOOT, flags=frozenset(flags)),)), Side((FOOT,))), lambda: next(dice))
    assert field.passes(field.fighters[0], 7, "break", first_of_the_lane) == holds
    assert not list(dice)


# --- 12.4, 12.5 How it ends ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("left", "leaving"), [(36, ()), (35, ("A",))])
def test_a_side_bears_what_it_was_told_s_t44(left, leaving):
    field = draw_up(Battle(Side((replace(FOOT, models=100),)), Side((FOOT,))), row(1))
    field.fighters[0].left = left
    assert withdrawing(field) == leaving


@pytest.mark.parametrize(
    ("difference", "end", "ended", "winner", "margin"),
    [
        (0, "withdrawal", ("A",), None, "draw"),
        (200, "withdrawal", ("A",), None, "draw"),
        (-200, "withdrawal", ("A",), "B", "minor victory"),
        (200, "withdrawal", ("A", "B"), "A", "minor victory"),
        (149, "limit", (), None, "draw"),
        (150, "limit", (), "A", "minor victory"),
        (299, "limit", (), "A", "minor victory"),
        (300, "limit", (), "A", "solid victory"),
        (599, "limit", (), "A", "solid victory"),
        (600, "limit", (), "A", "massacre"),
        (-10, "rout", ("B",), "A", "minor victory"),
        (-900, "rout", ("B",), "A", "minor victory"),
        (900, "rout", ("B",), "A", "massacre"),
    ],
)
def test_the_verdict_s_t44_and_s_t45(difference, end, ended, winner, margin):
    assert verdict(difference, end, ended) == (winner, margin)


def test_who_fled_keeps_a_share_of_its_points_s_t48():
    field = draw_up(Battle(Side((FOOT,)), Side((FOOT,))), row(1))
    field.fighters[0].suffer(3)
    field.flee(field.fighters[0])
    assert (lost(field, "A"), lost(field, "B")) == (100 - 70 * 55 // 100, 0)


# --- what always holds --------------------------------------------------------------------------------------------

PROFILES = st.builds(
    Profile,
    M=st.integers(0, 10),
    Ld=st.integers(2, 10),
    Sv=st.integers(2, 7),
    W=st.integers(1, 6),
    T=st.integers(1, 7),
    **{name: st.integers(0, 8) for name in ("WS", "BS", "S", "I", "A")},
)
UNITS = st.builds(
    Unit,
    name=st.uuids().map(str),
    kind=st.sampled_from(["infantry", "cavalry", "monster", "machine", "hero"]),
    models=st.integers(1, 30),
    points=st.integers(0, 500),
    profile=st.none() | PROFILES,
    reach=st.sampled_from([0, 8, 24]),
    flags=st.frozensets(st.sampled_from(["standard", "quick", "explode", "fly", "scout", "heroic"])),
)


@st.composite
def sides(draw) -> Side:
    units = [replace(each, models=1) if each.kind == "hero" else each for each in draw(st.lists(UNITS, max_size=7))]
    units = [replace(each, hurt=draw(st.integers(0, strength(each) - 1))) for each in units]
    order = st.sampled_from(["ATTACK", "HOLD", None])
    when = st.sampled_from(["start", "flank", "round", "broken"])
    stations = [
        Station(each.name, draw(st.sampled_from(LANES)), draw(order), draw(when), draw(st.integers(0, 5)))
        for each in units
    ]
    names = st.sampled_from([each.name for each in units] or ["nobody"])
    plans = st.builds(
        Plan,
        st.just(tuple(stations)),
        heroes=st.lists(st.tuples(names, names), max_size=3).map(tuple),
        target=st.sampled_from(["STRONGEST", "WEAKEST", "MISSILES", "HEROES"]),
        pursue=st.booleans(),
        sally=st.booleans(),
        retreat=st.integers(0, 100),
    )
    return Side(tuple(units), plan=draw(st.none() | plans))


def strength(unit: Unit) -> int:
    """The wounds of its models, when they are whole."""
    return unit.models * values(unit).wounds


GROUNDS = st.sampled_from(["plain", "forest", "marsh", "river"])


@given(sides(), sides(), GROUNDS, st.sampled_from(["none", "works", "walls"]),
       st.lists(st.integers(1, 6), min_size=1, max_size=30))  # fmt: skip
def test_any_battle_comes_to_an_end_and_its_books_balance(attacker, defender, ground, fort, shown):
    def fought():
        numbers = cycle(shown)
        return fight(Battle(attacker, defender, ground, fort), lambda: next(numbers))

    outcome = fought()
    assert outcome == fought()
    before = {("A", unit.name): unit for unit in attacker.units} | {("B", unit.name): unit for unit in defender.units}
    assert [(unit.side, unit.name) for unit in outcome.units] == [*before]
    for unit in outcome.units:
        assert 0 <= unit.remaining <= unit.start
        assert (unit.remaining == 0) == unit.destroyed
        assert not (unit.fled and unit.destroyed)
    assert 1 <= len(outcome.rounds) <= 9
    assert (outcome.winner is None) == (outcome.margin == "draw")
    assert outcome.end != "rout" or len(outcome.ended) == 2 or outcome.winner not in outcome.ended
    assert told_harm(outcome) == {
        (unit.side, unit.name): strength(before[unit.side, unit.name]) - before[unit.side, unit.name].hurt
        - unit.wounds_left for unit in outcome.units
    }  # fmt: skip
    for role, score in zip(ROLES, outcome.score, strict=True):
        assert score >= sum(unit.lost_points for unit in outcome.units if unit.side != role)


def told_harm(outcome: Outcome) -> dict[Name, int]:
    """The wounds that each unit has lost in all, as the rounds tell it."""
    harm = {(unit.side, unit.name): 0 for unit in outcome.units}
    for name, wounds in (each for round_ in outcome.rounds for lane in round_.lanes for each in lane.harmed):
        harm[name] += wounds
    return harm


# --- plans put together -------------------------------------------------------------------------------------------

NAMES = st.lists(st.sampled_from("abcdefghijklmnop"), max_size=16, unique=True)
KINDS = st.sampled_from(["infantry", "cavalry", "hero", "machine"])


@st.composite
def troops(draw):
    """Units, and a plan that may speak of them and of others."""
    units = tuple(Unit(name, draw(KINDS), 1, draw(st.integers(1, 300))) for name in draw(NAMES))
    placed = tuple(Station(name, draw(st.sampled_from(LANES))) for name in draw(NAMES))
    heroes = tuple(zip(draw(NAMES), draw(NAMES), strict=False))
    return units, Plan(placed, heroes)


@given(troops())
def test_without_a_plan_nothing_but_the_default_is_said(drawn):
    """A plan that says nothing, put together, is what holds without one."""
    units, _ = drawn
    said = together([(units, Plan())], Plan())
    alone, spelled = Side(units), Side(units, plan=said)
    assert joined_heroes(spelled) == joined_heroes(alone)
    assert stations(spelled, joined_heroes(spelled)) == stations(alone, joined_heroes(alone))


@given(troops(), troops())
def test_a_plan_put_together_leaves_nobody_out_and_keeps_what_was_said(first, second):
    """Everybody has one place, alone or with a unit; whom a plan places in reach of its own units stands there."""
    other = tuple(replace(unit, name=unit.name.upper()) for unit in second[0])
    whole = together([first, (other, Plan())], Plan())
    joined = dict(whole.heroes)
    placed = [station.unit for station in whole.stations]
    assert sorted([*placed, *joined]) == sorted(unit.name for unit in (*first[0], *other))
    said = {station.unit: station for station in first[1].stations}
    assert all(each == said.get(each.unit, each) for each in whole.stations)
