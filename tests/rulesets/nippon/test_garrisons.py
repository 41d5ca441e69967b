"""Garrisons: every row of the rulebook's scenarios for sites, and how their points are filled."""

from collections.abc import Iterator
from typing import Any

import pytest

from pbem.rulesets.nippon import armies
from pbem.rulesets.nippon.briefing.assaults import profile
from pbem.rulesets.nippon.garrisons import garrison
from pbem.rulesets.nippon.items import ITEMS
from pbem.rulesets.nippon.state import Unit
from pbem.rulesets.nippon.tables import GARRISON_MACHINE, GARRISONS, MOUNTS_OF_CASTELLANS, NEUTRAL_MACHINES
from tests.rulesets.nippon.cards import spoken

BOOK = """
village    | always         |                       | 250 core
village    | tavern         | 6                     | 250 core
village    | great cannon 1 | 4                     |
keep       | always         |                       | hero, 500 core
keep       | tavern         | 3                     | 500 core
keep       | barracks       | 4                     | 500 special
keep       | great cannon 1 | 2                     |
keep       | great cannon 2 | 3                     |
stronghold | always         |                       | hero, 500 core
stronghold | tavern         | 3                     | 500 core
stronghold | barracks       | 3                     | 500 special
stronghold | stables        | 5                     | 500 cavalry
stronghold | arcane tower   | 5                     | lord
stronghold | palace         | 6                     | lord
stronghold | great cannon 2 | 2                     |
stronghold | great cannon 3 | 3 after the one before |
"""
"""What stands there on which die, and who comes with it. The lord of an arcane tower is a wizard of level 3; the first
machine of a stronghold is always there."""

FREE = armies.army(armies.DEFAULT)
FULL = {"village": "tavern", "keep": "tavern,barracks", "stronghold": "tavern,barracks,stables,arcane_tower,palace"}


def rows(table: str) -> list[tuple[str, ...]]:
    """The cells of a table."""
    return [tuple(cell.strip() for cell in line.split("|")) for line in table.strip().splitlines()]


def called(line: dict[str, Any]) -> str:
    """``hero``, ``500 cavalry``."""
    kind = FREE.types[line["type"]]
    category = "cavalry" if kind.mounted_on else kind.category
    return f"{line['points']} {category}" if "points" in line else category


def from_data() -> Iterator[tuple[str, ...]]:
    """The table of garrisons in the words of the book."""
    for site, table in GARRISONS.items():
        brings = {more["building"]: ", ".join(map(called, more["companies"])) for more in table["with"]}
        yield site, "always", "", ", ".join(map(called, table["companies"]))
        for roll in table["rolls"]:
            what = roll.get("building") or f"{GARRISON_MACHINE} {roll['machine']}"
            after = " after the one before" if roll.get("needs") else ""
            yield site, what, f"{roll['from']}{after}", brings.get(what, "")


def defenders(site: str, buildings: str = "") -> dict[str, Unit]:
    """Who defends a neutral site with these buildings, by name."""
    marks = f" buildings {buildings}" if buildings else ""
    state = spoken.position(f"map 1-2\nsection 1 {site} mustered{marks}")
    return {unit.name: unit for unit in garrison(state, 1)}


def test_sites_have_what_the_book_says():
    assert [*from_data()] == rows(BOOK)
    assert [row.get("needs", 0) for row in GARRISONS["stronghold"]["rolls"] if "machine" in row] == [0, 2]
    assert NEUTRAL_MACHINES == 1


def test_the_tower_has_its_wizard():
    assert "wizard of level 3" in defenders("stronghold", "arcane_tower")["Tower wizard"].tags


@pytest.mark.parametrize(
    ("buildings", "mount"),
    [("palace", ""), ("palace,stables", "warhorse"), ("palace,arcane_tower", "griffon")],
)
def test_what_the_castellan_rides_hangs_on_the_buildings(buildings, mount):
    assert defenders("stronghold", buildings)["Castellan"].mount == mount
    assert [(row["building"], row["mount"]) for row in MOUNTS_OF_CASTELLANS] == [
        ("arcane tower", "griffon"),
        ("stables", "warhorse"),
    ]


def test_only_a_stronghold_has_a_winged_horse():
    assert (defenders("keep")["Warden"].mount, defenders("stronghold")["Warden"].mount) == ("", "pegasus")


@pytest.mark.parametrize("site", GARRISONS)
def test_points_are_filled_with_whole_models_of_the_dearest_type(site):
    """A village musters archers or swordsmen; barracks and stables share the special troops between them."""
    table, units = GARRISONS[site], defenders(site, FULL[site])
    lines = [*table["companies"], *(line for more in table["with"] for line in more["companies"])]
    assert {line["name"] for line in lines} == {*units}
    for line in [line for line in lines if "points" in line]:
        kind, unit = FREE.types[line["type"]], units[line["name"]]
        alike = [each for each in FREE.types.values() if each.category == kind.category]
        alike = [each for each in alike if bool(each.mounted_on) == bool(kind.mounted_on)]
        assert kind.points == max(each.points for each in alike)
        assert line["points"] - kind.points < unit.worth <= line["points"]


def test_a_village_has_one_champion_in_all():
    assert sum(unit.champion > 0 for unit in defenders("village", FULL["village"]).values()) == 1


@pytest.mark.parametrize("site", GARRISONS)
def test_all_the_men_of_a_village_skirmish_and_others_as_their_list_says(site):
    for unit in [unit for unit in defenders(site, FULL[site]).values() if unit.category != "war machine"]:
        skirmish = site == "village" or "skirmishers" in FREE.types[unit.type].tags
        assert ("skirmishers" in unit.tags) == skirmish
        assert ("skirmishers" in profile(unit)) == skirmish


@pytest.mark.parametrize("site", GARRISONS)
def test_characters_bear_what_their_list_allows_and_hardly_less(site):
    """No item would fit into what is left of an allowance."""
    cheapest = min(item.price for item in ITEMS.values() if item.source == FREE.magic_items and item.kind != "standard")
    for unit in defenders(site, FULL[site]).values():
        kind = FREE.types[unit.type]
        if kind.category in ("lord", "hero"):
            offered = {part for group in kind.choices for choice in group for part in choice.split(" and ")}
            assert {*unit.gear} <= {*kind.gear, *offered}
            assert kind.magic - cheapest < sum(ITEMS[name].price for name in unit.items) <= kind.magic
