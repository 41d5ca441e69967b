"""Who can carry which magic items (NIP 14.1), and what they make of him."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from pbem.core.wording import counted, listed
from pbem.rulesets.nippon.equipment import GEAR
from pbem.rulesets.nippon.items import ITEMS, Item, Slot
from pbem.rulesets.nippon.state import Profile, Unit
from pbem.rulesets.nippon.tables import CARRYING, GREATEST_CHARACTERISTIC

NO_SAVE = 7
REPLACED: dict[Slot, frozenset[str]] = {
    "armour": frozenset({"light armour", "heavy armour", "full plate armour"}),
    "shield": frozenset({"shield"}),
}
"""Ordinary gear that nobody wears under a magic piece of the same kind."""


# --- 14.1 Carrying items ------------------------------------------------------------------------------------------


def no_room_for(unit: Unit, name: str) -> str:
    """Why a unit cannot carry an item beside what it has, as a sentence; nothing if it can (NIP 14.1)."""
    item, carried = ITEMS[name], [ITEMS[each] for each in unit.items if each in ITEMS]
    if item.slot == "standard" and not _bears_a_standard(unit):
        return f"{unit.name} has no standard bearer."
    if not unit.character and not (item.kind == "standard" and _bears_a_standard(unit)):
        return f"{unit.name} is no hero or lord: magic items are theirs."
    if item.only_for and unit.type not in item.only_for:
        return f"{name} is for {listed(item.only_for)} only."
    if alone := next((each.name for each in (*carried, item) if each.alone and carried), ""):
        return f"Whoever bears the {alone} carries nothing else that is magic."
    if lent := unit.tags & {*item.lends}:
        return f"{unit.name} has no use for it: {', '.join(sorted(lent))} already."
    return _no_slot_for(unit, item, Counter(each.slot for each in carried))


def _no_slot_for(unit: Unit, item: Item, carried: Counter[Slot]) -> str:
    limit = CARRYING.get(item.slot)
    if limit is None or carried[item.slot] < limit:
        return ""
    return f"{unit.name} has no room for it: {counted(limit, item.slot)} at most."


def _bears_a_standard(unit: Unit) -> bool:
    return bool(unit.standard or unit.battle_standard)


def bearer_for(units: Iterable[Unit], name: str) -> str:
    """Who takes an item that is found: the first with room for it, by name; nobody if there is none."""
    return next((unit.name for unit in units if not no_room_for(unit, name)), "")


def bearing(unit: Unit, name: str) -> Unit:
    """The unit with one more item; it is worth its price more (NIP 3.1), found items nothing."""
    item = ITEMS[name]
    laden = replace(unit, items=(*unit.items, name), tags=unit.tags | {*item.lends})
    return _worth(laden, item.price)


def rid_of(unit: Unit, name: str) -> Unit:
    """The unit with one item less, which it has."""
    item, index = ITEMS[name], unit.items.index(name)
    items = (*unit.items[:index], *unit.items[index + 1 :])
    return _worth(replace(unit, items=items, tags=unit.tags - {*item.lends}), -item.price)


def _worth(unit: Unit, points: int) -> Unit:
    """A unit's magic standard goes with its bearer; all else is a character's own."""
    if unit.character:
        return replace(unit, points=unit.points + points)
    return replace(unit, standard=unit.standard + points)


def without_standard(unit: Unit) -> Unit:
    """A unit that has lost its standard bearer, and any magic standard with him (NIP 9.5)."""
    standards = [name for name in unit.items if name in ITEMS and ITEMS[name].kind == "standard"]
    for name in standards:
        unit = rid_of(unit, name)
    return replace(unit, standard=0)


# --- what they make of him ----------------------------------------------------------------------------------------


def equipped(unit: Unit) -> Unit:
    """The unit as it fights, its items reckoned into profile, armour save, reach and tags.

    Tags gained are ``quick``, ``ignores saves``, ``ward 4+`` and ``regeneration``. The items of a unit that is no
    character are its standards; what they give goes for the whole unit.
    """
    items = [ITEMS[name] for name in unit.items if ITEMS[name].slot != "map"]
    if not items:
        return unit
    return replace(
        unit,
        profile=_profile(unit.profile, items),
        save=_save(unit, items),
        reach=max(unit.reach, *(item.reach for item in items)),
        tags=unit.tags | {*_tags(unit, items)},
    )


def raised(profile: Profile, gives: Iterable[tuple[str, int]]) -> Profile:
    """A profile with points more, ten at most."""
    return replace(profile, **{key: min(GREATEST_CHARACTERISTIC, vars(profile)[key] + pips) for key, pips in gives})


def _profile(profile: Profile, items: Iterable[Item]) -> Profile:
    for item in items:
        profile = raised(replace(profile, **item.sets), item.gives.items())
    return profile


def _save(unit: Unit, items: Iterable[Item]) -> int:
    worn = frozenset[str]().union(
        *(REPLACED.get(item.slot, frozenset()) for item in items if item.betters or item.save)
    )
    bettered = (
        unit.save + sum(GEAR[each].save for each in unit.gear if each in worn) - sum(each.betters for each in items)
    )
    return min(max(bettered, 1), *(item.save or NO_SAVE for item in items), NO_SAVE)


def _tags(unit: Unit, items: Iterable[Item]) -> Iterable[str]:
    if any(item.quick for item in items):
        yield "quick"
    if any(item.ignores_saves for item in items):
        yield "ignores saves"
    if wards := [item.ward for item in items if item.ward]:
        yield f"ward {min(wards)}+"
    if regenerates(unit):
        yield "regeneration"


def regenerates(unit: Unit) -> bool:
    """Whether failed healing tests of a unit are rolled again (NIP 9.6): by nature, or by an item."""
    return "regeneration" in unit.tags or any(ITEMS[name].regenerates for name in unit.items if name in ITEMS)


def passes_tests(unit: Unit) -> bool:
    """Whether a unit passes its tests of characteristics without a die, by an item (NIP 9.6)."""
    return any(ITEMS[name].passes_tests for name in unit.items if name in ITEMS)


def sober(unit: Unit) -> Unit:
    """A unit without what it has drunk for the day."""
    profile = unit.profile
    for item in unit.drunk:
        less = {name: vars(profile)[name] - pips for name, pips in ITEMS[item].gives.items()}
        profile = replace(profile, **less)
    return replace(unit, profile=profile, drunk=())
