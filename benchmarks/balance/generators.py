"""Armies of nobody's list: recipes of units in fixed proportions, armed as their class and price suggest."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random

from pbem import battles as br1

Span = tuple[int, int]
"""The least and the most of something."""


@dataclass(frozen=True)
class Kind:
    """Units of one sort."""

    share: int
    """How often they are drawn, next to the other kinds."""
    unit: br1.Class
    models: Span
    price: Span
    """Points of a model."""
    reach: Span = (0, 0)
    """Inches it shoots."""


Recipe = Mapping[str, Kind]
"""The kinds of an army, by what its units are called."""

HEROES = Kind(0, "hero", (1, 1), (60, 160))
HERO_POINTS = 1000
"""An army has a hero for each of these, begun or whole."""
STANDARDS = 0.7
"""How often a unit has a standard."""
TRIES = 30
"""So often a unit is drawn for each hero; one that the points left do not suffice for is left out."""

MIXED: Recipe = {
    "foot": Kind(40, "infantry", (10, 25), (5, 12)),
    "bows": Kind(20, "infantry", (8, 16), (8, 12), (16, 30)),
    "riders": Kind(20, "cavalry", (5, 10), (15, 25)),
    "engine": Kind(10, "machine", (1, 1), (75, 110), (48, 48)),
    "beast": Kind(10, "monster", (1, 1), (140, 220)),
}
"""Something of everything."""

BLOCKS: Recipe = {
    "foot": Kind(65, "infantry", (18, 30), (6, 12)),
    "bows": Kind(12, "infantry", (10, 20), (8, 12), (16, 30)),
    "riders": Kind(15, "cavalry", (6, 12), (15, 25)),
    "engine": Kind(4, "machine", (1, 1), (75, 110), (48, 48)),
    "beast": Kind(4, "monster", (1, 1), (140, 220)),
}
"""Large units of foot."""

PICKED: Recipe = {
    "foot": Kind(35, "infantry", (8, 16), (7, 14)),
    "bows": Kind(35, "infantry", (6, 12), (8, 14), (16, 30)),
    "riders": Kind(20, "cavalry", (5, 8), (18, 28)),
    "beast": Kind(10, "monster", (1, 1), (120, 250)),
}
"""Small units of dear men, many of whom shoot."""


def drawn(luck: Random, points: int, recipe: Recipe) -> br1.Side:
    """A side worth so many points or a little less; the last of them go into more models."""
    units = [unit_of(luck, f"hero {number}", HEROES) for number in range(-(-points // HERO_POINTS))]
    left = points - sum(unit.points for unit in units)
    names = luck.choices([*recipe], [kind.share for kind in recipe.values()], k=TRIES * len(units))
    for number, name in enumerate(names):
        unit = unit_of(luck, f"{name} {number}", recipe[name])
        if unit.points <= left:
            units.append(unit)
            left -= unit.points
    return br1.Side(tuple(reinforced(units, left)))


def reinforced(units: Iterable[br1.Unit], points: int) -> Iterator[br1.Unit]:
    """The same units, those of several models with as many more as so many points suffice for."""
    for unit in units:
        price = unit.points // unit.models
        more = points // price if unit.models > 1 else 0
        points -= more * price
        yield replace(unit, models=unit.models + more, points=unit.points + more * price)


def unit_of(luck: Random, name: str, kind: Kind) -> br1.Unit:
    """A unit of a kind."""
    models = luck.randint(*kind.models)
    flags: frozenset[br1.Flag] = frozenset({"standard"} if kind.models[1] > 1 and luck.random() < STANDARDS else ())
    return br1.Unit(name, kind.unit, models, models * luck.randint(*kind.price), None, luck.randint(*kind.reach), flags)
