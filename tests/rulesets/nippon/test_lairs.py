"""Lairs: every row of the rulebook's tables, and what dice make of them."""

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.rulesets.nippon.cases.drafts import Draft, build
from pbem.rulesets.nippon.cases.positions import POSITION
from pbem.rulesets.nippon.lairs import (
    CREATURES,
    ENCOUNTERS,
    INHABITANTS,
    TREASURE_ITEMS,
    Encounter,
    Treasure,
    encounter_at,
    meet_lair,
    treasure,
)
from pbem.rulesets.nippon.state import Profile

BOOK = """
beast 1: 4D6-4 chaos warhound
beast 2: 1D6-1 sabretusk
beast 3: 4D6-4 war lion
beast 4: 2D6-2 razorgor
beast 5: 4D6-4 per 500 giant spider, 1 per 1000 gigantic spider
beast 6: 1D6-1 cave bear
bipedal 1: 2D6-2 harpy
bipedal 2: 2D6-2 troll
bipedal 3: 1 per 1000 giant
bipedal 4: 1 per 1000 fimir balefiend
bipedal 5: 2D6-2 ogre
bipedal 6: 1 per 1500 cyclops
monstrous beast 1: 1D6-1 pegasus
monstrous beast 2: 1 per 1000 hippogryph
monstrous beast 3: 1 per 1000 griffon
monstrous beast 4: 1 per 1000 manticore
monstrous beast 5: 1 per 1000 chimera
monstrous beast 6: 1 per 1500 hydra
magical beast 1: 1D6-1 royal unicorn
magical beast 2: 1 per 1000 cockatrice
magical beast 3: 1 per 1000 great taurus
magical beast 4: 1 per 1000 lammasu
magical beast 5: 1 per 1500 ghorgon
magical beast 6: 1 per 1500 zoat
dragon 1: 1 per 1000 carnosaur
dragon 2: 1 per 1000 wyvern
dragon 3: 2D6-2 per 1000 dragon ogre, 1D2-1 per 1500 dragon ogre shaggoth
dragon 4: 1 per 1500 dragon
dragon 5: 1 per 1500 chaos dragon
dragon 6: 1 Seika Ryuu
"""
"""The book's tables. Beast 5 and 6 and bipedal 5 and 6 are lost there, but for the giant spiders: house rows."""

ITEMS = {
    2: "Scroll of Town Portal",
    3: "Scroll of Scry",
    4: "Elixir of Chaos",
    5: "Elixir of Endurance",
    6: "Elixir of Finesse",
    7: "Elixir of Might",
    8: "Potion of Daily Haste",
    9: "Potion of Daily Strength",
    10: "Potion of Daily Toughness",
    11: "Banner of the Swarm",
    12: "Standard of Speed",
}
"""What a lair holds, by 2D6."""

HOARD = ("Twisted Crown of Undeath", "Talisman of the Old Ones")
"""What Seika Ryuu guards besides."""

HOUSE = {("beast", 5), ("beast", 6), ("bipedal", 5), ("bipedal", 6)}
KINDS = ("beast", "bipedal", "monstrous beast", "magical beast", "dragon")
AMOUNT = re.compile(r"(?:(?P<dice>\d)D(?P<sides>\d)-(?P<less>\d)|1)(?: per (?P<per>\d+))?")


class Shown:
    """Dice that show what is given by the beginning of their labels, else ``other``; remembers who asked for what."""

    def __init__(self, other: int = 1, **given: int) -> None:
        self.given = {label.replace("_", " "): value for label, value in given.items()}
        self.other, self.asked = other, []

    def __call__(self, label: str, sides: int) -> int:
        self.asked.append((label, sides))
        return next((value for start, value in self.given.items() if label.startswith(start)), min(self.other, sides))


def lines():
    for line in BOOK.strip().splitlines():
        row, _, meets = line.partition(": ")
        kind, number = row.rsplit(" ", 1)
        yield kind, int(number), meets


@pytest.mark.parametrize(("kind", "number", "meets"), [*lines()])
@pytest.mark.parametrize("points", [499, 500, 1000, 1499, 1500, 3700])
@pytest.mark.parametrize("pips", [1, 2, 6])
def test_who_is_met_in_how_great_numbers(kind, number, meets, points, pips):
    expected = {}
    for part in meets.split(", "):
        amount = AMOUNT.match(part)
        times = points // int(amount["per"]) if amount["per"] else 1
        each = int(amount["dice"]) * min(pips, int(amount["sides"])) - int(amount["less"]) if amount["dice"] else 1
        expected[part.removeprefix(amount[0]).strip()] = times * each
    roll = Shown(pips, encounter=ENCOUNTERS.index(kind) + 1, inhabitant=number)
    met = meet_lair(roll, points, False)
    assert {unit.type: unit.models for unit in met.units} == {name: many for name, many in expected.items() if many}
    assert met.kind == kind
    assert met.times == 1
    assert len(set(roll.asked)) == len(roll.asked)


def test_every_row_is_there_and_those_of_the_program_are_marked():
    assert ("empty", *KINDS) == ENCOUNTERS
    assert {(kind, number) for kind, number, _ in lines()} == set(product(KINDS, range(1, 7)))
    rows = {(kind, number): row for kind, table in INHABITANTS.items() for number, row in enumerate(table, 1)}
    assert {where for where, row in rows.items() if row.house} == HOUSE


def test_an_empty_lair_needs_no_second_die():
    roll = Shown(1)
    assert meet_lair(roll, 5000, False) == Encounter("empty")
    assert roll.asked == [("encounter", 6)]


def test_seika_ryuu_is_as_the_book_has_him():
    him = CREATURES["Seika Ryuu"]
    assert him.profile == Profile(8, 9, 0, 9, 9, 10, 5, 8, 10)
    assert him.save == 2
    assert {"fly", "ward 5+"} <= him.tags


def test_once_he_is_found_his_number_is_rolled_again_for_twice_the_treasure():
    roll = Shown(6, encounter=6, inhabitant_again_1=6, inhabitant_again_2=1)
    met = meet_lair(roll, 1000, True)
    assert [unit.type for unit in met.units] == ["carnosaur"]
    won = treasure(met, Shown(3))
    wounds = CREATURES["carnosaur"].profile.W
    assert won == Treasure(2 * 3 * wounds, ("Elixir of Finesse",) * 2)


@pytest.mark.parametrize(("mark", "met"), [("found", ["Seika Ryuu"]), ("slain", [])])
def test_his_lair_needs_no_die(mark, met):
    roll = Shown()
    assert [unit.type for unit in encounter_at(lair(mark), 2, 500, roll).units] == met
    assert roll.asked == []


def test_another_lair_knows_that_he_is_found():
    assert encounter_at(lair("found"), 3, 1000, Shown(6, encounter=6, inhabitant_again=2)).times == 2


def lair(mark: str):
    draft = Draft()
    for line in ("map 1-2-3", f"section 2 lair dragon {mark}", "section 3 lair"):
        POSITION.read(line)(draft)
    return build(draft)


def test_his_hoard():
    him = meet_lair(Shown(6, encounter=6), 100, False)
    roll = Shown(1)
    assert treasure(him, roll) == Treasure(10000, ("Scroll of Town Portal",) * 3 + HOARD)
    assert len(roll.asked) == 2 * 3


def test_nobody_home_guards_nothing():
    roll = Shown(1)
    assert treasure(meet_lair(Shown(1, encounter=2, inhabitant=2), 500, False), roll) == Treasure(0, ())
    assert roll.asked == []


@given(st.integers(2, 6), st.integers(1, 5), st.integers(0, 9000), st.integers(1, 6))
def test_treasure_rolls_a_die_for_each_wound_and_two_for_an_item(encounter, inhabitant, points, pips):
    met = meet_lair(Shown(pips, encounter=encounter, inhabitant=inhabitant), points, False)
    roll = Shown(pips)
    won = treasure(met, roll)
    wounds = sum(unit.models * unit.profile.W for unit in met.units)
    assert won.pp == pips * wounds
    assert len(won.items) == (1 if met.units else 0)
    assert len(set(roll.asked)) == len(roll.asked) == wounds + 2 * len(won.items)


def test_items_by_two_dice():
    assert TREASURE_ITEMS == ITEMS
