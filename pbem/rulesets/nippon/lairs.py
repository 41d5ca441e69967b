"""Chapter 8.6, lairs: who is met there and what is won, as far as the dice tell (the book's appendix IV).

Nothing here changes a position. Each function asks for its dice by ``roll``: what the die is about, and its sides.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pbem.rulesets.nippon.state import Profile, State, Unit
from pbem.rulesets.nippon.tables import read

Roll = Callable[[str, int], int]
"""What a die of so many sides shows: ``roll("encounter", 6)``. Labels are unique within an encounter; the caller adds
where it happens."""

DRAGON = "Seika Ryuu"
"""The one that is found once, and stays where he is found."""

SPAWN = "great spawn of chaos"
"""What becomes of a drinker of the Elixir of Chaos who succumbs (NIP 14)."""

EMPTY = "empty"


@dataclass(frozen=True)
class Creature:
    """A kind that lives in lairs."""

    profile: Profile
    points: int
    """Of each; the program's own."""
    save: int = 7
    """Armour save; 7: none."""
    tags: frozenset[str] = frozenset()
    """As of units, and ``regeneration``, ``ward 5+``."""
    plural: str = ""

    def unit(self, kind: str, models: int) -> Unit:
        """So many of them as a unit of their own."""
        name = kind if models == 1 else self.plural or f"{kind}s"
        return Unit(name, kind, "rare", models, self.points, self.profile, self.tags, save=self.save)


@dataclass(frozen=True)
class Amount:
    """How many are met: ``4D6-4 per 500``."""

    dice: int
    """0: no die; then it is one."""
    sides: int
    less: int
    per: int
    """Points of those who come that bring one such amount; 0: just one, whoever comes."""

    TEXT = re.compile(r"(?:(\d)D(\d)(?:-(\d))?|1)(?: per (\d+))?")

    @classmethod
    def read(cls, text: str) -> "Amount":
        """From its text in the table; raises :class:`ValueError`."""
        found = cls.TEXT.fullmatch(text)
        if found is None:
            raise ValueError(f"no amount: {text!r}")
        return cls(*(int(part or 0) for part in found.groups()))

    def __str__(self) -> str:
        """Its text in the table."""
        dice = f"{self.dice}D{self.sides}" + (f"-{self.less}" if self.less else "") if self.dice else "1"
        return dice + (f" per {self.per}" if self.per else "")

    def times(self, points: int) -> int:
        """How often it is counted against so many points: full amounts only."""
        return points // self.per if self.per else 1


@dataclass(frozen=True)
class Row:
    """A line of an inhabitants' table."""

    meets: Mapping[str, Amount]
    house: bool = False
    """The rulebook has lost this line; it is the program's own."""


@dataclass(frozen=True)
class Encounter:
    """What a banner meets in a lair."""

    kind: str
    """``empty``, ``beast`` and so on."""
    units: tuple[Unit, ...] = ()
    """Nobody is home if there are none."""
    times: int = 1
    """How many times its treasure counts."""

    @property
    def dragon(self) -> bool:
        """Seika Ryuu himself is met."""
        return any(unit.type == DRAGON for unit in self.units)


@dataclass(frozen=True)
class Treasure:
    """What is found when the inhabitants are beaten."""

    pp: int
    items: tuple[str, ...]


# --- tables -------------------------------------------------------------------------------------------------------


def _creature(row: Mapping[str, Any]) -> Creature:
    return Creature(**{**row, "profile": Profile(*row["profile"]), "tags": frozenset(row.get("tags", ()))})


def _row(row: Mapping[str, Any]) -> Row:
    meets = {kind: Amount.read(text) for kind, text in row["meets"].items()}
    if unknown := meets.keys() - CREATURES.keys():
        raise ValueError(f"no such creature: {unknown}")
    return Row(meets, row.get("house", False))


_LAIRS = read("lairs")
_TREASURE = _LAIRS["treasure"]
CREATURES: Mapping[str, Creature] = {kind: _creature(row) for kind, row in _LAIRS["creature"].items()}
ENCOUNTERS: tuple[str, ...] = tuple(_LAIRS["encounter"])
"""By a D6."""
INHABITANTS: Mapping[str, tuple[Row, ...]] = {
    kind: tuple(map(_row, rows)) for kind, rows in _LAIRS["inhabitants"].items()
}
"""By kind of encounter, then by a D6."""
TREASURE_ITEMS: Mapping[int, str] = dict(enumerate(_TREASURE["items"], 2))
"""By 2D6."""
PP_DIE: int = _TREASURE["pp_die"]
TAMED_FROM: int = _TREASURE["tamed_from"]
"""A beaten creature that passes its healing test joins the banner on this or more of a D6."""
TIMES_ONCE_FOUND: int = _TREASURE["times_once_the_dragon_is_found"]
HOARD_PP: int = _TREASURE[DRAGON]["pp"]
HOARD_ROLLS: int = _TREASURE[DRAGON]["rolled_items"]
HOARD_ITEMS: tuple[str, ...] = tuple(_TREASURE[DRAGON]["items"])


# --- who is met ---------------------------------------------------------------------------------------------------


def encounter_at(position: State, at: int, points: int, roll: Roll) -> Encounter:
    """Who is met by ``points`` of troops in the lair of section ``at`` (NIP 8.6).

    No die is rolled where Seika Ryuu is known to live, nor where he was slain: that lair is empty for ever.
    """
    dragon = position.sections[at].dragon
    if dragon == "slain":
        return Encounter(EMPTY)
    if dragon == "found":
        return Encounter("dragon", (CREATURES[DRAGON].unit(DRAGON, 1),))
    return meet_lair(roll, points, any(section.dragon for section in position.sections.values()))


def meet_lair(roll: Roll, points: int, dragon_known: bool) -> Encounter:
    """Who is met by ``points`` of troops in a lair whose inhabitants nobody knows (NIP 8.6).

    If Seika Ryuu is known to live elsewhere, or to have lived, his number is rolled again; what is then met guards
    twice the treasure.
    """
    kind = ENCOUNTERS[roll("encounter", 6) - 1]
    if kind == EMPTY:
        return Encounter(EMPTY)
    row, again = INHABITANTS[kind][roll("inhabitant", 6) - 1], 0
    while dragon_known and DRAGON in row.meets:
        again += 1
        row = INHABITANTS[kind][roll(f"inhabitant again {again}", 6) - 1]
    return Encounter(kind, tuple(_met(row, points, roll)), TIMES_ONCE_FOUND if again else 1)


def _met(row: Row, points: int, roll: Roll) -> Iterator[Unit]:
    for kind, amount in row.meets.items():
        if models := _many(kind, amount, points, roll):
            yield CREATURES[kind].unit(kind, models)


def _many(kind: str, amount: Amount, points: int, roll: Roll) -> int:
    times = amount.times(points)
    if not amount.dice:
        return times
    dice = [
        roll(f"{kind} {many} die {die}", amount.sides)
        for many in range(1, times + 1)
        for die in range(1, amount.dice + 1)
    ]
    return sum(dice) - times * amount.less


# --- what is won --------------------------------------------------------------------------------------------------


def treasure(encounter: Encounter, roll: Roll) -> Treasure:
    """What guards that were beaten leave to the winner (NIP 8.6): 1D6 pp for each of their wounds, and an item."""
    if not encounter.units:
        return Treasure(0, ())
    if encounter.dragon:
        return Treasure(HOARD_PP, (*_items(HOARD_ROLLS, roll), *HOARD_ITEMS))
    wounds = sum(unit.models * unit.profile.W for unit in encounter.units)
    pp = sum(roll(f"treasure {wound}", PP_DIE) for wound in range(1, wounds + 1))
    return Treasure(pp * encounter.times, tuple(_items(encounter.times, roll)))


def _items(many: int, roll: Roll) -> Iterator[str]:
    for number in range(1, many + 1):
        yield TREASURE_ITEMS[roll(f"item {number} a", 6) + roll(f"item {number} b", 6)]
