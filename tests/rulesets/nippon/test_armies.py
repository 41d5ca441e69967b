"""The army lists that come with the program."""

from collections import Counter

import pytest

from pbem.rulesets.nippon import armies
from pbem.rulesets.nippon.armies.lists import chosen
from pbem.rulesets.nippon.banners import shortfall

every_army = pytest.mark.parametrize("name", armies.names())


def test_free_peoples_are_the_first_list():
    assert armies.names() == ("free peoples",)


@every_army
def test_ready_army_has_exactly_its_points(name):
    army = armies.army(name)
    assert sum(unit.worth for banner in army.ready for unit in banner) == army.ready_points == 2000


@every_army
def test_ready_army_has_one_lord_and_one_army_standard(name):
    units = [unit for banner in armies.army(name).ready for unit in banner]
    assert Counter(unit.category for unit in units)["lord"] == 1
    assert [unit.category for unit in units if unit.battle_standard == "army"] == ["hero"]


@every_army
def test_ready_banners_are_legal(name):
    assert [shortfall(units) for units in armies.army(name).ready] == ["", "", ""]


@every_army
def test_ready_units_have_names_of_their_own_and_enough_models(name):
    army = armies.army(name)
    units = [unit for banner in army.ready for unit in banner]
    assert len({unit.name for unit in units}) == len(units)
    for unit in units:
        least, *most = army.types[unit.type].size
        assert least <= unit.models
        assert not most or unit.models <= most[0]


@every_army
def test_every_realm_has_banner_names_of_its_own(name):
    sets = armies.army(name).banner_names
    assert len(sets) == 8
    assert len({word for names in sets for word in names}) == 8 * 3


def test_riders_go_as_fast_as_what_they_ride():
    *_, riders = armies.army("free peoples").ready
    assert {unit.profile.M for unit in riders} == {8}


def test_cheapest_machine_is_the_mortar():
    assert armies.army("free peoples").cheapest_machine == "mortar"


def test_gear_and_mount_make_the_armour_save_and_the_reach():
    """Full plate takes 3 from 7, the shield, the horse and its barding 1 each."""
    first, second, riders = armies.army("free peoples").ready
    saves = {unit.name: (unit.save, unit.reach, unit.mount) for unit in first + second + riders}
    assert saves["Knights"] == (7 - 3 - 1 - 1 - 1, 0, "warhorse")
    assert saves["Swordsmen"] == (7 - 1 - 1, 0, "")
    assert saves["Archers"] == (7, 24, "")
    assert saves["Outriders"] == (7 - 1 - 1, 24, "warhorse")


def test_barding_is_paid_by_the_model_and_slows_fast_cavalry():
    free = armies.army("free peoples")
    barded = free.unit("Reiters", "outriders", models=5, gear=("barding",))
    assert (barded.points, "fast cavalry" in barded.tags) == (21 + 2, False)
    assert "fast cavalry" in free.unit("Reiters", "outriders", models=5).tags


def test_gear_that_goes_together_is_one_choice():
    knights = armies.army("free peoples").types["knights"].choices[0]
    assert chosen(knights, ("shield", "lance")) == ({"lance", "shield"}, 0)
    assert chosen(knights, ("shield",)) == (frozenset(), 0)
