"""Figures of the book's tables and lists: every row of the rulebook's tables that come from it."""

import pytest

from pbem.rulesets.nippon import rulebook

BOOK = """
danger: 2 | the banner is lost
danger: 3-4 | it loses D3 x 100 points and does not move
danger: 5-7 | it does not move
danger: 8-11 | nothing happens
danger: 12 | heroism (5.3), and it goes on
steps: on foot | 1
steps: all models have M 7 or more | 2
steps: all models fly | 4; by land 1 or 2, as their M allows
spoils: 1 | nothing
spoils: 2-3 | one to the loser's liking
spoils: 4-5 | one to the victor's liking
spoils: 6 or more | all
leadership: the battle was lost | -1
leadership: the battle was lost by a solid victory | -3
leadership: the battle was lost by a massacre | -4
leadership: the battle was won | +1
leadership: the battle was won by a solid victory | +1
leadership: the battle was won by a massacre | +3
leadership: under 50 per cent of the unit, as it was before the battle, fled | -1
leadership: under 25 per cent of it fled, besides | -1
leadership: over 75 per cent of it fled | +1
leadership: its standard was lost | -1
leadership: its champion is dead | -1
leadership: its champion is alive | +1
leadership: its musician is alive | +1
runaways: the battle was lost | 5
runaways: the battle was lost by a solid victory | 5
runaways: the battle was lost by a massacre | 6
runaways: the battle was won | 3
runaways: the battle was won by a solid victory | 3
runaways: the battle was won by a massacre | 2
runaways: the battle was a draw | 4
production: any section | a D6; a D3 under snow, or if the realm has no headquarters
production: village | 1
production: keep | 2
production: stronghold | 3
production: citadel | 4
production: tavern | 1
production: port | a D6, whatever the weather
production: dwarfs | +3 in mountains, -3 elsewhere
production: high elves | +1
production: vampire counts | -3
recruits: village | core
recruits: keep | core, special
recruits: stronghold | core, special, rare, hero
recruits: citadel | core, special, rare, hero, lord
recruiting_needs: special | barracks
recruiting_needs: rare | barracks
recruiting_needs: whoever casts spells | arcane tower; giant anvil for dwarfs
recruiting_needs: other characters | palace
recruiting_needs: cavalry | stables
recruiting_needs: monsters | stables
recruiting_needs: monstrous mounts | stables
buildings: tavern | 2,500 | nothing
buildings: barracks | 2,500 | tavern
buildings: palace | 5,000 | tavern, barracks
buildings: arcane tower | 2,500 | palace
buildings: stables | 2,500 | barracks
buildings: forge | 2,500 | arcane tower
buildings: giant anvil | 5,000 | palace
sites: village | 1 | tavern
sites: keep | 2 | tavern, barracks
sites: stronghold | 3 | tavern, barracks, palace, arcane tower, stables, giant anvil
sites: citadel | 4 | tavern, barracks, palace, arcane tower, stables, forge, giant anvil
upgrades: a village | a section without a site | 7,500
upgrades: a keep | village | 10,000
upgrades: a stronghold | keep | 20,000
upgrades: a port | village, keep, stronghold or citadel on the coast | 25,000
ships: transport | 1,000 | 1,000 | 1 | village, keep, stronghold, citadel
ships: battle ship | 2,500 | 2,000 | 2 | keep, stronghold, citadel
ships: war ship | 5,000 | 3,000 | 4 | stronghold, citadel
berths: village | 1
berths: keep | 2
berths: stronghold | 3
berths: citadel | 4
spirits: 1 | mutiny: it holds, and loses D3 x 100 points
spirits: 2-3 | tired: an ordinary move of its usual steps, nothing razed; flyers stop before ocean
spirits: 4-6 | it marches the whole way
carrying: weapon | 2
carrying: armour | 1
carrying: shield | 1
carrying: helmet | 1
carrying: amulet | 1
carrying: ring | 2
carrying: enchanted | 1
carrying: arcane | 1
carrying: potion | 6
carrying: standard | 1
"""
"""The book's figures. It adds modifiers of Leadership up: -1 and -2, or -3, for a battle lost by more than a victory;
+1 and +2 for one that was won by a massacre."""

OBSTACLES = (
    "large hill",
    "wall, fence, earthwork or hedge",
    "cannot be climbed",
    "two storeys",
    "artillery",
    "watchtower",
)


def rows(table: str) -> list[tuple[str, ...]]:
    """What the book has for a table."""
    lines = (line.partition(": ") for line in BOOK.strip().splitlines())
    return [tuple(rest.split(" | ")) for name, _, rest in lines if name == table]


COMPARED = [*dict.fromkeys(line.split(":")[0] for line in BOOK.strip().splitlines())]
APPENDICES = {"free_peoples", "garrisons", "lairs", "treasure", *(name for name in rulebook.TABLES if "_items" in name)}
"""Tables that test_armies, test_garrisons, test_items and test_lairs compare."""
OWN = {"mountain_clans", "peoples", "scenarios", "scores", "terrain", "weather"}
"""Tables that the book does not have, or not as a table: cases try their rules."""


def test_every_table_of_the_rulebook_is_compared_with_the_book_or_its_own():
    assert {*COMPARED, "obstacles"} | APPENDICES | OWN == {*rulebook.TABLES}


@pytest.mark.parametrize("name", COMPARED)
def test_table_has_the_figures_of_the_book(name):
    """Some tables have columns of words besides."""
    book = rows(name)
    assert [row[: len(book[0])] for row in rulebook.TABLES[name]().rows] == book


def test_obstacles_stand_in_the_order_of_the_book():
    found = rulebook.TABLES["obstacles"]().rows
    assert [die for die, _ in found] == ["1", "2", "3", "4", "5", "6"]
    assert all(words in text for words, (_, text) in zip(OBSTACLES, found, strict=True))
