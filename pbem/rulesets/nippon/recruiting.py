"""Chapter 11.1, recruiting: what a site can produce, and what it must have for that."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from pbem.core.orders import plain
from pbem.core.wording import listed
from pbem.rulesets.nippon import armies
from pbem.rulesets.nippon.armies import ArmyList, UnitType
from pbem.rulesets.nippon.armies.rosters.options import misfits, sorted_out
from pbem.rulesets.nippon.banners import Station, army, station, stationed
from pbem.rulesets.nippon.naming import free_name
from pbem.rulesets.nippon.orders import BuyStandard, Recruit, Reinforce
from pbem.rulesets.nippon.sites import usable_site
from pbem.rulesets.nippon.state import State, Unit
from pbem.rulesets.nippon.tables import BUILDINGS, MOST_MODELS, NEEDED, PRODUCED


def army_list(position: State, seat: str) -> ArmyList:
    """The army list of a realm."""
    return armies.army(position.realms[seat].army)


# --- a new unit -------------------------------------------------------------------------------------------------------


def raised(position: State, seat: str, order: Recruit) -> Unit:
    """The unit that a line raises; whether it may is asked of :func:`unfit`."""
    name = order.name or free_name(order.type, (unit.name for unit in army(position, seat)))
    return _raised(army_list(position, seat), name, order.type, order.models, order.extras)


@lru_cache(256)
def _raised(muster: ArmyList, name: str, kind: str, models: int, extras: tuple[str, ...]) -> Unit:
    outfit, _ = sorted_out(extras, muster.types[kind], muster)
    return muster.unit(
        name,
        kind,
        models=models,
        command=outfit.command,
        gear=outfit.gear,
        mount=outfit.mount,
        battle_standard=outfit.battle_standard,
    )


def unfit(position: State, seat: str, order: Recruit) -> Iterator[str]:
    """Why a site cannot produce a unit as a line asks for it, a sentence each."""
    kind = army_list(position, seat).types[order.type]
    yield from _no_place(position, seat, order.at, kind, order.extras)
    yield from _busy(position, order.at)
    most = kind.most or MOST_MODELS
    if kind.category in ("hero", "lord") and order.models > 1:
        yield f"One {order.type} at a time."
    elif order.models < kind.least:
        yield f"{order.type.capitalize()} come in units of {kind.least} or more."
    elif order.models > most:
        yield f"{order.type.capitalize()} come in units of {most} at most."
    yield from _unfit_extras(army_list(position, seat), kind, order)
    if order.name and plain(order.name) in {plain(unit.name) for unit in army(position, seat)}:
        yield f"You have a unit called {order.name} already."
    if "army standard" in order.extras:
        yield from _army_has_its_standard(position, seat)


def _army_has_its_standard(position: State, seat: str) -> Iterator[str]:
    bearers = [unit.name for unit in army(position, seat) if unit.battle_standard == "army"]
    if bearers:
        yield f"{bearers[0]} bears the Army Battle Standard."


def _unfit_extras(muster: ArmyList, kind: UnitType, order: Recruit) -> Iterator[str]:
    outfit, unknown = sorted_out(order.extras, kind, muster)
    for reason in (*unknown, *misfits(outfit, kind, muster)):
        yield f"{order.type.capitalize()}: {reason}."
    if outfit.items:
        yield f"Magic items are bought where they are made or sold, not with a recruit: {', '.join(outfit.items)}."


# --- what a unit is to get --------------------------------------------------------------------------------------------


def _not_at_hand(position: State, found: Station | None, order: Reinforce | BuyStandard) -> Iterator[str]:
    """What keeps a unit from getting anything at the site of a line, a sentence each."""
    if found is None:
        yield f"You have no unit {order.unit}."
        return
    if found.at != order.at:
        yield f"{found.unit.name} stands in {position.place(found.at)}."
    if found.banner and position.banners[found.banner].scattered:
        yield f"{position.banners[found.banner].name} is scattered."


# --- more of a unit ---------------------------------------------------------------------------------------------------


def unfit_to_grow(position: State, seat: str, order: Reinforce) -> Iterator[str]:
    """Why a site cannot produce more models for a unit, a sentence each."""
    found = stationed(position, seat, order.unit)
    yield from _not_at_hand(position, found, order)
    if found is None:
        return
    unit = found.unit
    kind = army_list(position, seat).types.get(unit.type)
    if kind is None or unit.character or kind.category == "war machine":
        yield f"{unit.name} cannot have more models."
        return
    yield from _no_place(position, seat, order.at, kind, ())
    yield from _busy(position, order.at)
    most = kind.most or MOST_MODELS
    if not order.models or unit.models + order.models > most:
        yield f"{unit.type.capitalize()} come in units of {most} at most; {unit.name} has {unit.models}."


# --- a standard that was lost in battle -------------------------------------------------------------------------------


def unfit_to_bear(position: State, seat: str, order: BuyStandard) -> Iterator[str]:
    """Why a unit cannot have another standard at a site, a sentence each. It is not the unit of the turn."""
    found = stationed(position, seat, order.unit)
    yield from _not_at_hand(position, found, order)
    if found is None:
        return
    unit = found.unit
    kind = army_list(position, seat).types.get(unit.type)
    if not unit.bereft or kind is None:
        yield f"{unit.name} has lost no standard in battle that could be bought again."
        return
    yield from _no_place(position, seat, order.at, kind, (unit.mount,))
    if unit.bereft == "army":
        yield from _army_has_its_standard(position, seat)


def standard_price(position: State, seat: str, name: str) -> int:
    """What a standard costs that a unit has lost: as much as the first time, but for what was magic about it."""
    unit = station(position, seat, name).unit
    muster = army_list(position, seat)
    return muster.types[unit.type].standard if unit.bereft == "unit" else muster.upgrades[_upgrade(unit)]


def _upgrade(unit: Unit) -> str:
    return f"{unit.bereft}_battle_standard"


def with_standard(unit: Unit, price: int) -> Unit:
    """A unit that has its standard again; it is worth as much more."""
    if unit.bereft in ("army", "banner"):
        return replace(unit, battle_standard=unit.bereft, points=unit.points + price, bereft="")
    return replace(unit, standard=price, bereft="")


# --- where ------------------------------------------------------------------------------------------------------------


def _no_place(position: State, seat: str, at: int, kind: UnitType, chosen: tuple[str, ...]) -> Iterator[str]:
    """What a section lacks to produce a unit of a type."""
    place, section, site = position.place(at), position.sections[at], usable_site(position, at, seat)
    if site not in PRODUCED:
        yield f"{place} has no village, keep, stronghold or citadel to recruit at."
        return
    if kind.category == "war machine":
        yield "War machines are built (11.2), not recruited."
        return
    if kind.category not in PRODUCED[site]:
        yield f"A {site} produces {listed(PRODUCED[site][::-1])} units only."
    missing = [each for each in buildings_for(position, seat, kind, chosen) if each not in section.buildings]
    if missing:
        yield f"That needs {listed(missing)} in {place}."


def _busy(position: State, at: int) -> Iterator[str]:
    """One unit for each site and turn."""
    if position.sections[at].recruited == position.turn:
        yield f"{position.place(at)} has produced its unit of this turn."


def buildings_for(position: State, seat: str, kind: UnitType, chosen: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The buildings that a site must have to produce a unit of a type on the mounts chosen."""
    muster = army_list(position, seat)
    mounts = [mount for mount in (kind.mounted_on, *chosen) if mount in muster.mounts]
    tags = kind.tags.union(*(muster.mounts[mount].tags for mount in mounts))
    character = kind.category in ("hero", "lord") and "caster" not in tags
    wanted = (kind.category, *sorted(tags), *(["character"] if character else []))
    return tuple(
        dict.fromkeys(_built_by(position.realms[seat].army, NEEDED[each]) for each in wanted if each in NEEDED)
    )


def _built_by(people: str, building: str) -> str:
    """The building, or what a people has in its place (NIP 11.2)."""
    instead: list[str] = [name for name, each in BUILDINGS.items() if people in each.only_for]
    return instead[0] if people in BUILDINGS[building].not_for else building
