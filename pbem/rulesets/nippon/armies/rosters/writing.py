"""Units back to the lines of a roster that say them: to show an army, and to begin a new one from it."""

from collections.abc import Iterable, Iterator

from pbem.rulesets.nippon.armies.lists import ArmyList
from pbem.rulesets.nippon.armies.rosters.roster import Entry, Roster
from pbem.rulesets.nippon.state import Unit


def roster_of(banners: Iterable[tuple[str, Iterable[Unit]]], army: ArmyList) -> Roster:
    """The roster that musters these banners, each with its name, from this list."""
    return Roster(tuple(entry(unit, name, army) for name, units in banners for unit in units))


def entry(unit: Unit, banner: str, army: ArmyList) -> Entry:
    """The line for a unit of this list."""
    return Entry(banner, unit.type, unit.models, unit.name, tuple(_options(unit, army)))


def _options(unit: Unit, army: ArmyList) -> Iterator[str]:
    kind = army.types[unit.type]
    if unit.mount != kind.mounted_on:
        yield unit.mount
    yield from unit.gear[len(kind.gear) :]
    yield from (each for each in ("musician", "standard", "champion") if getattr(unit, each))
    if unit.battle_standard:
        yield f"{unit.battle_standard} standard"
    yield from unit.items


def lines(roster: Roster) -> Iterator[str]:
    """The roster in lines that read back as it."""
    if roster.foreign:
        yield f"made for {roster.foreign}"
    if roster.people:
        yield f"army: {roster.people}"
    for name, entries in roster.banners():
        yield f"banner {name}"
        yield from map(str, entries)
