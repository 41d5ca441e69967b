"""The army lists that come with the program."""

from collections import Counter
from dataclasses import replace

import pytest

from pbem.rulesets.nippon import armies
from pbem.rulesets.nippon.armies.lists import chosen
from pbem.rulesets.nippon.equipment import GEAR
from pbem.rulesets.nippon.state import Profile

every_army = pytest.mark.parametrize("name", armies.names())


APPENDIX = """
type         | category    |  M WS BS S T W I A Ld  | points | size  | musician | standard | champion
general      | lord        |  4  5  5 4 4 3 5 3  9  |        |       |          |          |
wizard lord  | lord        |  4  5  5 4 4 3 5 3  9  |        |       |          |          |
captain      | hero        |  4  5  5 4 4 2 5 3  8  |        |       |          |          |
greatswords  | special     |  4  4  3 3 3 1 3 1  8  | 10     | 5     | 6        | 12       | 12 A
handgunners  | special     |  4  3  3 3 3 1 3 1  7  | 10     | 10    | 5        | 10       | 5 BS
knights      | special     |  4  4  3 4 3 1 3 1  8  | 26     | 5     | 8        | 16       | 16 A
outriders    | special     |  4  3  4 3 3 1 3 1  7  | 21     | 5     | 8        |          | 16 BS
swordsmen    | core        |  4  4  3 3 3 1 4 1  7  | 10     | 10    | 5        | 10       | 10 A
halberdiers  | core        |  4  3  3 3 3 1 3 1  7  | 6      | 10    | 4        | 8        | 8 A
spearmen     | core        |  4  3  3 3 3 1 3 1  7  | 6      | 10    | 4        | 8        | 8 A
crossbowmen  | core        |  4  3  3 3 3 1 3 1  7  | 8      | 10    | 5        | 10       | 5 BS
archers      | core        |  4  3  3 3 3 1 3 1  7  | 8      | 10-20 | 4        | 8        | 8 BS
great cannon | war machine |  0  3  3 3 7 3 3 3  7  |        |       |          |          |
mortar       | war machine |  0  3  3 3 7 3 3 3  7  |        |       |          |          |
"""
"""The rulebook's appendix III. Blank points and the gear of missile troops are house values there. Profiles of war
machines: the crew's, with T and W of the machine and the attacks of three men."""

EQUIPMENT = """
general      | magic 100 | ancestral heirloom | warhorse, griffon |
wizard lord  | magic 100 | caster, wizard of level 3 | |
captain      | magic 50  | | warhorse, pegasus |
greatswords  | magic 0   | stubborn | | great weapon, full plate armour
handgunners  | magic 0   | | | handgun
knights      | magic 50  | immune to panic | | full plate armour, barding
outriders    | magic 0   | fast cavalry | | repeater handgun, light armour
swordsmen    | magic 0   | | | light armour, shield
halberdiers  | magic 0   | | | halberd, light armour, shield
spearmen     | magic 0   | | | spear, light armour, shield
crossbowmen  | magic 0   | | | crossbow, light armour
archers      | magic 0   | skirmishers | | bow
great cannon | magic 0   | | | cannon
mortar       | magic 0   | | | mortar shells
"""
"""Allowance, special rules, mounts and equipment."""

CHOICES = {
    "general": [
        "great weapon or additional hand weapon", "pistol", "longbow or handgun",
        "light armour or heavy armour or full plate armour", "shield", "lance", "barding",
    ],
    "captain": [
        "great weapon or halberd or additional hand weapon", "pistol", "longbow or handgun",
        "light armour or heavy armour or full plate armour", "shield", "lance", "barding",
    ],
    "knights": ["lance and shield or great weapon"],
    "outriders": ["barding"],
}  # fmt: skip

MOUNTS = """
warhorse | 8 3 0 3 3 1 3 1 5 | cavalry
pegasus  | 8 3 0 4 4 3 4 2 6 | cavalry, monstrous cavalry, fly
griffon  | 6 5 0 5 5 4 5 4 7 | monstrous mount, large target, fly, terror
"""


def rows(table: str) -> list[list[str]]:
    """The cells of a table."""
    return [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]


def listed(cell: str) -> list[str]:
    """What a cell lists."""
    return [each.strip() for each in cell.split(",")] if cell else []


FREE = armies.army("free peoples")


def test_free_peoples_have_the_types_of_the_book_and_no_others():
    assert [*FREE.types] == [name for name, *_ in rows(EQUIPMENT)] == [name for name, *_ in rows(APPENDIX)[1:]]


@pytest.mark.parametrize("row", rows(APPENDIX)[1:], ids=lambda row: row[0])
def test_type_is_as_in_the_book(row):
    name, category, profile, points, size, *command = row
    kind = FREE.types[name]
    assert (kind.category, kind.profile) == (category, Profile(*map(int, profile.split())))
    assert ("" if "points" in kind.house else str(kind.points)) == points
    assert kind.size == (tuple(map(int, size.split("-"))) if size else (1,))
    champion = f"{kind.champion} {kind.champion_gains}" if kind.champion else ""
    assert [str(kind.musician or ""), str(kind.standard or ""), champion] == command


@pytest.mark.parametrize("row", rows(EQUIPMENT), ids=lambda row: row[0])
def test_equipment_is_as_in_the_book(row):
    name, magic, tags, mounts, gear = row
    kind = FREE.types[name]
    assert (f"magic {kind.magic}", [*kind.mounts], [*kind.gear]) == (magic, listed(mounts), listed(gear))
    assert kind.tags == {*listed(tags)}
    assert [" or ".join(group) for group in kind.choices] == CHOICES.get(name, [])


@pytest.mark.parametrize("row", rows(MOUNTS), ids=lambda row: row[0])
def test_mount_is_as_in_the_book(row):
    name, profile, tags = row
    mount = FREE.mounts[name]
    assert (mount.profile, mount.tags) == (Profile(*map(int, profile.split())), {*listed(tags)})
    assert mount.wears_barding == (name == "warhorse")


def test_barding_of_outriders_costs_what_the_book_says():
    assert FREE.types["outriders"].choices == ({"barding": 2},)


def test_upgrade_to_a_battle_standard_costs_what_the_book_says():
    assert FREE.upgrades == {"army_battle_standard": 25, "banner_battle_standard": 15}


@pytest.mark.parametrize(
    ("size", "least", "most", "limits"),
    [((1,), 1, 1, "1"), ((5,), 5, None, "5 or more"), ((1, 4), 1, 4, "1 to 4"), ((10, 20), 10, 20, "10 to 20")],
)
def test_how_many_models_a_unit_may_have(size, least, most, limits):
    kind = replace(FREE.types["spearmen"], size=size)
    assert (kind.least, kind.most, kind.limits) == (least, most, limits)


# --- every list ---------------------------------------------------------------------------------------------------


def test_a_people_musters_its_own_list_or_that_of_the_free_peoples():
    assert armies.names() == ("free peoples", "mountain clans")
    assert [armies.army(people).name for people in ("mountain clans", "skaven")] == ["mountain clans", "free peoples"]


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
def test_every_realm_has_banner_names_of_its_own(name):
    sets = armies.army(name).banner_names
    assert len(sets) == 8
    assert len({word for names in sets for word in names}) == 8 * 3


def test_riders_go_as_fast_as_what_they_ride():
    *_, riders = FREE.ready
    assert {unit.profile.M for unit in riders} == {8}


def test_cheapest_machine_is_the_mortar():
    assert FREE.cheapest_machine == "mortar"


def test_gear_and_mount_make_the_armour_save_and_the_reach():
    """Full plate takes 3 from 7, the shield, the horse and its barding 1 each."""
    first, second, riders = FREE.ready
    saves = {unit.name: (unit.save, unit.reach, unit.mount) for unit in first + second + riders}
    assert saves["Knights"] == (7 - 3 - 1 - 1 - 1, 0, "warhorse")
    assert saves["Swordsmen"] == (7 - 1 - 1, 0, "")
    assert saves["Archers"] == (7, 24, "")
    assert saves["Outriders"] == (7 - 1 - 1, 24, "warhorse")


def test_barding_is_paid_by_the_model_and_slows_fast_cavalry():
    barded = FREE.unit("Reiters", "outriders", models=5, gear=("barding",))
    assert (barded.points, "fast cavalry" in barded.tags) == (21 + 2, False)
    assert "fast cavalry" in FREE.unit("Reiters", "outriders", models=5).tags


def test_gear_that_goes_together_is_one_choice():
    knights = FREE.types["knights"].choices[0]
    assert chosen(knights, ("shield", "lance")) == ({"lance", "shield"}, 0)
    assert chosen(knights, ("shield",)) == (frozenset(), 0)


@pytest.mark.parametrize(
    ("people", "kind", "mount", "gear"),
    [
        ("free peoples", "general", "griffon", ("full plate armour", "shield", "lance")),
        ("mountain clans", "tanist", "great eagle", ("spear", "light armour", "shield")),
    ],
)
def test_who_has_lost_his_monster_is_as_if_he_had_never_ridden_it(people, kind, mount, gear):
    army = armies.army(people)
    rider = army.unit("Oda", kind, mount=mount, gear=gear, battle_standard="banner")
    usable = tuple(each for each in gear if not GEAR[each].needs)
    assert rider.steed.profile == army.mounts[mount].profile
    assert army.afoot(rider) == army.unit("Oda", kind, gear=usable, battle_standard="banner")
