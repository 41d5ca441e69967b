"""Armies that the shipped lists can muster, drawn at random, as a campaign would send them into battle."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random

from pbem import battles as br1
from pbem.rulesets.nippon import armies
from pbem.rulesets.nippon.armies import ArmyList, UnitType
from pbem.rulesets.nippon.armies.lists import Category
from pbem.rulesets.nippon.armies.rosters.options import COMMAND, Outfit, misfits
from pbem.rulesets.nippon.atlas import Atlas
from pbem.rulesets.nippon.composition import shortfall
from pbem.rulesets.nippon.fighting import Host, side, troops_of
from pbem.rulesets.nippon.state import Banner, Options, Realm, State, Unit

BANNER_POINTS = 1000
"""An army has a banner for each of these, begun or whole, and in each banner a hero."""
LARGEST = 30
"""Models of a unit whose type knows no limit."""
COMMANDED = 0.7
"""How often a unit has each of its musician, standard and champion."""

TROOPS: tuple[Category, ...] = ("core", "special", "rare")
UNLED = ("no hero or lord", "a lone character")
NOWHERE = Atlas("nowhere", "Nowhere", (1, 1), ())


def drawn(luck: Random, points: int) -> br1.Side:
    """A side worth so many points or a little less, from one of the lists."""
    people = luck.choice(armies.names())
    banners = [Banner("A", f"{number}", 1, units) for number, units in enumerate(army(luck, people, points))]
    realms = {"A": Realm("A", "Crane Host", people, 1, 0)}
    state = State(NOWHERE, Options(), realms, {}, {banner.key: banner for banner in banners})
    return side(state, Host(("A",), troops_of(banners)))


def army(luck: Random, people: str, points: int) -> armies.Muster:
    """The units of each banner. War machines march in none. Below 500 points a banner may be short, as after losses."""
    count = -(-points // BANNER_POINTS)
    while True:
        banners = tuple(banner(luck, armies.army(people), points // count, number) for number in range(count))
        if not any(shortfall(units) in UNLED for units in banners):
            return banners


def banner(luck: Random, muster: ArmyList, points: int, number: int) -> tuple[Unit, ...]:
    """A leader, who in the first banner may be a lord, and troops while points are left for any."""
    units = [drawn_unit(luck, muster, ("hero",) if number else ("hero", "lord"), points, f"Leader {number}")]
    while unit := drawn_unit(luck, muster, TROOPS, points - worth(units), f"Unit {number}.{len(units)}"):
        units.append(unit)
    return tuple(reinforced([unit for unit in units if unit], muster, points - worth(units)))


def reinforced(units: Iterable[Unit], muster: ArmyList, points: int) -> Iterator[Unit]:
    """The same units, those that can have more models with as many as so many points suffice for."""
    for unit in units:
        models = max(unit.models, affordable(unit, muster.types[unit.type], unit.worth + points))
        points -= (models - unit.models) * unit.points
        yield replace(unit, models=models) if models > unit.models else unit


def affordable(unit: Unit, kind: UnitType, points: int) -> int:
    """The most models that a unit can have for so many points; none if it cannot have those that it has."""
    models = unit.models + (points - unit.worth) // unit.points
    return min(models, kind.most or max(LARGEST, unit.models)) if models >= unit.models else 0


def worth(units: Iterable[Unit | None]) -> int:
    """Points of these units."""
    return sum(unit.worth for unit in units if unit)


def drawn_unit(luck: Random, muster: ArmyList, categories: Sequence[Category], points: int, called: str) -> Unit | None:
    """A unit of one of these categories for at most so many points, if there is any."""
    kinds = muster.types.items()
    cheap = [name for name, kind in kinds if kind.category in categories and kind.least * kind.points <= points]
    for name in luck.sample(cheap, len(cheap)):
        unit = least_unit(luck, muster, name, called)
        if most := affordable(unit, muster.types[name], points):
            return replace(unit, models=luck.randint(unit.models, most))
    return None


def least_unit(luck: Random, muster: ArmyList, name: str, called: str) -> Unit:
    """The smallest unit of a type, with command, gear and a mount that it may have."""
    kind = muster.types[name]
    while True:
        command = tuple(each for each in COMMAND if getattr(kind, each) and luck.random() < COMMANDED)
        gear = tuple(part for group in kind.choices for part in _one_of(luck, group).split(" and ") if part)
        mount = _one_of(luck, kind.mounts)
        if not any(misfits(Outfit(command, gear, mount), kind, muster)):
            return muster.unit(called, name, models=kind.least, command=command, gear=gear, mount=mount)


def _one_of(luck: Random, offered: Iterable[str]) -> str:
    """One of these, or nothing."""
    return luck.choice(["", *offered])
