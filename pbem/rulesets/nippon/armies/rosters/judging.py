"""A whole roster against its army list and the rules for armies (NIP 2.4, 3.1 to 3.3), all reasons at once."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pbem.core.errors import Flaw
from pbem.core.orders import plain
from pbem.rulesets.nippon.armies.lists import ArmyList, UnitType
from pbem.rulesets.nippon.armies.rosters import custom
from pbem.rulesets.nippon.armies.rosters.options import Outfit, misfits, sorted_out
from pbem.rulesets.nippon.armies.rosters.roster import Entry, Roster, same
from pbem.rulesets.nippon.composition import shortfall
from pbem.rulesets.nippon.items import ITEMS
from pbem.rulesets.nippon.items.bearing import bearing, no_room_for
from pbem.rulesets.nippon.naming import LONGEST_NAME, fit_name
from pbem.rulesets.nippon.state import Unit
from pbem.rulesets.nippon.tables import LEAST_POINTS, MOST_LORDS

FOOT_TROOPS = frozenset({"core", "special"})
"""Who may carry a general's heirloom: core, special, and cavalry, which is special."""


@dataclass(frozen=True)
class Judged:
    """An army as far as it could be made out, and all that is wrong with it."""

    banners: tuple[tuple[str, tuple[Unit, ...]], ...]
    flaws: tuple[Flaw, ...]
    remarks: tuple[str, ...] = ()
    lacks: tuple[Flaw, ...] = ()
    """Those of the flaws that more units could mend: of an army that could not be read whole they say nothing."""

    @property
    def points(self) -> int:
        """What it is worth in all."""
        return sum(unit.worth for _, units in self.banners for unit in units)


def judge(roster: Roster, army: ArmyList, most_points: int, foreign: bool = False) -> Judged:
    """What a roster musters, and every reason why it must not; ``foreign``: units of other games are let in."""
    if roster.foreign and not foreign:
        reason = f"it is made for {roster.foreign}; this campaign wants units of {army.title.lower()}"
        return Judged((), (Flaw("roster", reason),), roster.remarks)
    names = _names(roster)
    made = [(entry, *_made(entry, names[place], army, roster.foreign)) for place, entry in enumerate(roster.entries)]
    banners = tuple(
        (name, tuple(unit for entry, unit, _ in made if entry.banner == wanted))
        for name, wanted in _banner_names(roster, army)
    )
    lacks = (
        *_army_lacks([unit for _, unit, _ in made]),
        *(flaw for name, held in banners for flaw in _lacks(name, held)),
    )
    flaws = (
        *(Flaw(_place(entry, unit), reason) for entry, unit, reasons in made for reason in reasons),
        *(people_flaws(roster, army)),
        *_army_flaws([unit for _, unit, _ in made], army, most_points),
        *name_flaws(banners),
        *(flaw for name, held in banners for flaw in _banner_flaws(name, held)),
        *lacks,
    )
    return Judged(banners, flaws, (*roster.remarks, *custom.remarks(roster)), lacks)


def _place(entry: Entry, unit: Unit) -> str:
    return f"{entry.where}, {unit.name}" if entry.where else unit.name


# --- names --------------------------------------------------------------------------------------------------------


def _names(roster: Roster) -> list[str]:
    """A name for each unit: its own, or its type with a letter if there are several."""
    taken, names = Counter[str](), list[str]()
    given = {plain(entry.name) for entry in roster.entries if entry.name}
    for entry in roster.entries:
        name = entry.name
        while not name:
            title = entry.type.title()
            name = f"{title} {chr(ord('A') + taken[title])}" if taken[title] or plain(title) in given else title
            taken[title] += 1
        names.append(name)
    return names


def _banner_names(roster: Roster, army: ArmyList) -> list[tuple[str, str]]:
    """The banners as they will be called, and as the roster calls them."""
    return [(wanted or army.banner_names[0][0], wanted) for wanted, _ in roster.banners()]


def name_flaws(banners: Iterable[tuple[str, tuple[Unit, ...]]]) -> Iterator[Flaw]:
    """What is wrong with the names of banners and of the units in them."""
    banners = list(banners)
    kinds = {"banner": [name for name, _ in banners], "unit": [unit.name for _, units in banners for unit in units]}
    for kind, names in kinds.items():
        for name in dict.fromkeys(names):
            if not fit_name(name):
                yield Flaw(f"{kind} {name}", f"a name should be words of letters, at most {LONGEST_NAME} signs")
        for name, times in Counter(map(plain, names)).items():
            if times > 1:
                yield Flaw(f"{kind} {name}", f"{times} {kind}s are called so")


# --- one unit -----------------------------------------------------------------------------------------------------


def _made(entry: Entry, name: str, army: ArmyList, foreign: str) -> tuple[Unit, tuple[str, ...]]:
    """A unit, and what is wrong with it."""
    if foreign:
        return custom.unit(entry, name), tuple(custom.flaws(entry))
    kind = army.types[entry.type]
    outfit, unknown = sorted_out(entry.options, kind, army)
    reasons = (*unknown, *misfits(outfit, kind, army), *_size_flaws(entry, kind))
    unit, item_reasons = _laden(_plain_unit(entry, name, outfit, army), outfit.items, kind, army)
    return unit, (*reasons, *item_reasons)


def _plain_unit(entry: Entry, name: str, outfit: Outfit, army: ArmyList) -> Unit:
    kind = army.types[entry.type]
    return army.unit(
        name,
        entry.type,
        models=entry.models,
        command=tuple(each for each in outfit.command if getattr(kind, each)),
        gear=outfit.gear,
        mount=outfit.mount if outfit.mount in kind.mounts else "",
        battle_standard=outfit.battle_standard,
    )


def _size_flaws(entry: Entry, kind: UnitType) -> Iterator[str]:
    if kind.category == "war machine":
        yield "it stands where it is built and marches under no banner; buy it at a site"
    elif entry.models < kind.least or (kind.most and entry.models > kind.most):
        yield f"it has {entry.models} models and should have {kind.limits}"


def _laden(unit: Unit, items: Iterable[str], kind: UnitType, army: ArmyList) -> tuple[Unit, tuple[str, ...]]:
    """The unit with its magic items, as far as it can carry them, and what is wrong with them."""
    reasons = list[str]()
    for name in items:
        if ITEMS[name].source != army.magic_items:
            reasons.append(f"{name} is not in the list of {army.title.lower()}, so nobody begins with it")
        elif full := no_room_for(unit, name):
            reasons.append(full.rstrip("."))
        else:
            unit = bearing(unit, name)
    spent = magic_points(unit)
    if unit.character and spent > kind.magic:
        reasons.append(f"its magic items cost {spent} points, and it may have {kind.magic}")
    return unit, tuple(reasons)


def magic_points(unit: Unit) -> int:
    """What a unit's magic items cost."""
    return sum(ITEMS[name].price for name in unit.items)


# --- the whole army -----------------------------------------------------------------------------------------------


def people_flaws(roster: Roster, army: ArmyList) -> Iterator[Flaw]:
    """That a roster says that it is for another people."""
    if roster.people and not any(same(roster.people, each) for each in (army.name, army.title)):
        yield Flaw("roster", f"it is for {roster.people}, but your realm musters {army.title.lower()}")


def _army_flaws(units: list[Unit], army: ArmyList, most_points: int) -> Iterator[Flaw]:
    points = sum(unit.worth for unit in units)
    if points > most_points:
        yield Flaw("army", f"it is worth {points:,} points, {points - most_points:,} more than {most_points:,}")
    lords = [unit.name for unit in units if unit.category == "lord"]
    if len(lords) > MOST_LORDS:
        yield Flaw("army", f"{MOST_LORDS} lord at most, but here are {', '.join(lords)}")
    for unit in units:
        if "named" in unit.tags:
            yield Flaw(unit.name, "named characters do not join campaigns")
    bearers = [unit.name for unit in units if unit.battle_standard == "army"]
    if len(bearers) > 1:
        yield Flaw("army", f"one hero bears the Army Battle Standard, but here are {', '.join(bearers)}")
    yield from _item_flaws(units, army)


def _army_lacks(units: list[Unit]) -> Iterator[Flaw]:
    if not any(unit.character for unit in units):
        yield Flaw("army", "no lord or hero is in it who could be the Army General")


def _item_flaws(units: list[Unit], army: ArmyList) -> Iterator[Flaw]:
    for name, times in Counter(name for unit in units for name in unit.items).items():
        if times > 1 and ITEMS[name].slot not in ("scroll", "potion"):
            yield Flaw("army", f"there is only one {name}, but here are {times}")
    dear = [unit for unit in units if not unit.character and _beyond(unit, army)]
    heirlooms = sum("ancestral heirloom" in unit.tags for unit in units)
    for unit in dear[heirlooms:] if all(unit.category in FOOT_TROOPS for unit in dear) else dear:
        allowed = army.types[unit.type].magic
        reason = f"its magic standard costs {magic_points(unit)} points, and it may have {allowed}"
        yield Flaw(unit.name, f"{reason}; only a general's heirloom may be dearer, and one unit bears it")


def _beyond(unit: Unit, army: ArmyList) -> bool:
    return unit.type in army.types and magic_points(unit) > army.types[unit.type].magic


def _lacks(name: str, units: tuple[Unit, ...]) -> Iterator[Flaw]:
    where, worth = f"banner {name}", sum(unit.worth for unit in units)
    match shortfall(units):
        case "too few points":
            yield Flaw(where, f"it is worth {worth} points and needs {LEAST_POINTS}")
        case "no hero or lord":
            yield Flaw(where, "it needs a hero or lord")
        case "a lone character":
            yield Flaw(where, "a lone character is no banner")


def _banner_flaws(name: str, units: tuple[Unit, ...]) -> Iterator[Flaw]:
    bearers = [unit.name for unit in units if unit.battle_standard == "banner"]
    if len(bearers) > 1:
        yield Flaw(f"banner {name}", f"one hero bears its battle standard, but here are {', '.join(bearers)}")
