"""Chapter 8.7, garrisons: which sites must be won, what stands there, and who defends them.

A garrison is never stored: it follows from the site, its buildings and its machines, and so is full again after every
assault that failed.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from pbem import battles as br1
from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon import armies
from pbem.rulesets.nippon.atlas import FORTRESSES
from pbem.rulesets.nippon.events import GarrisonRolled, StructureFound, StructureTested
from pbem.rulesets.nippon.headquarters import site_for
from pbem.rulesets.nippon.items.bearing import bearing
from pbem.rulesets.nippon.state import Section, State, Unit
from pbem.rulesets.nippon.tables import GARRISON_MACHINE, GARRISONS, MOUNTS_OF_CASTELLANS, SITES

Kind = Literal["village", "keep", "stronghold"]

# --- 6.6, 8.7 What must be won ------------------------------------------------------------------------------------


def guarded(position: State, realm: str, number: int) -> bool:
    """Whether a realm would have to beat a garrison or a reserve to take a site: a neutral one's, or another realm's.

    Allies and partners of the holder find it as much guarded (NIP 20.4). Its own sites are open to it.
    """
    if position.sections[number].controller == realm:
        return False
    return garrisoned(position, number) or bool(defending_reserve(position, number))


def garrisoned(position: State, number: int) -> bool:
    """Whether a section holds a site that defends itself."""
    section, options = position.sections[number], position.options
    if section.site not in FORTRESSES or section.razed:
        return False
    return options.owned_sites_garrisoned if section.controller else options.garrisons


def defending_reserve(position: State, number: int) -> tuple[Unit, ...]:
    """The reserve that fights for its site, as far as it is on its feet: not while that is razed, or in other hands."""
    section = position.sections[number]
    if section.razed or not section.controller or section.quartered != section.controller:
        return ()
    return tuple(unit for unit in section.reserve if unit.standing)


def kind_of(section: Section) -> Kind:
    """Whose table a site goes by; a citadel that is no realm's own is a stronghold."""
    return "village" if section.site == "village" else "keep" if section.site == "keep" else "stronghold"


def fort_of_site(section: Section) -> br1.Fort:
    """What the defenders of a site stand behind."""
    fort: br1.Fort = GARRISONS[kind_of(section)]["works"]
    return fort


# --- 8.7 Garrisons ------------------------------------------------------------------------------------------------


@rule("8.7", "Garrisons")
def muster(turn: Turn[State], at: int) -> None:
    """When a neutral site is assaulted for the first time dice say what stands there; all see it from then on."""
    section = turn.state.sections[at]
    if section.controller or section.mustered:
        return
    for row in GARRISONS[kind_of(section)]["rolls"]:
        roll_for(turn, at, row)
    turn.emit(GarrisonRolled(at))


def roll_for(turn: Turn[State], at: int, row: Mapping[str, Any]) -> None:
    """One roll for a building or a machine; what stands there already needs none."""
    section = turn.state.sections[at]
    building, machine = row.get("building", ""), row.get("machine", 0)
    if building in section.buildings or len(section.machines) >= machine > 0:
        return
    if len(section.machines) < row.get("needs", 0):
        return
    what = building or f"machine {machine}"
    found = turn.roll(f"garrison {at} {what}") >= row["from"]
    turn.emit(StructureFound(at, building, "" if building else GARRISON_MACHINE, found))


def garrison(position: State, at: int) -> tuple[Unit, ...]:
    """Who defends a site, by what stands there: companies, then the crews of its machines."""
    section = position.sections[at]
    return (*_companies(section), *crews(section.machines[: _room(position, at)]))


def _room(position: State, at: int) -> int:
    """How many machines serve at a site: what its holder may not have there rests (NIP 13)."""
    section = position.sections[at]
    site = site_for(position, at, section.controller) if section.controller else kind_of(section)
    return SITES[site].machines


def _companies(section: Section) -> Iterator[Unit]:
    table = GARRISONS[kind_of(section)]
    yield from (_company(section, line) for line in table["companies"])
    for more in table["with"]:
        if more["building"] in section.buildings:
            yield from (_company(section, line) for line in more["companies"])


def _company(section: Section, line: Mapping[str, Any]) -> Unit:
    """A unit of a garrison: as many whole models as its points allow."""
    people = armies.army(armies.DEFAULT)
    kind = people.types[line["type"]]
    command = tuple(line.get("command", ()))
    models = (line["points"] - sum(getattr(kind, each) for each in command)) // kind.points if "points" in line else 1
    mount = line.get("mount", "") or _steed(section, line["type"])
    unit = people.unit(
        line["name"], line["type"], models=models, command=command, gear=tuple(line.get("gear", ())), mount=mount
    )
    for item in line.get("items", ()):
        unit = bearing(unit, item)
    return replace(unit, tags=unit.tags | frozenset(line.get("tags", ())))


def _steed(section: Section, kind: str) -> str:
    """What a castellan rides: it hangs on the buildings."""
    rides = (row["mount"] for row in MOUNTS_OF_CASTELLANS if row["building"] in section.buildings)
    return next(rides, "") if kind == "general" else ""


def crews(machines: Sequence[str]) -> Iterator[Unit]:
    """War machines of these types with their crews; those of no list stay silent."""
    lists = [armies.army(name) for name in armies.names()]
    for number, machine in enumerate(machines, 1):
        people = next((each for each in lists if machine in each.types), None)
        if people:
            yield people.unit(f"{machine.capitalize()} {number}", machine)


# --- 9.1 What a battle destroys -----------------------------------------------------------------------------------


def standing_there(state: State, at: int, names: Iterable[str]) -> tuple[str, ...]:
    """Those of some structures that stand at a site, by name, each at most as often as it does (NIP 9.1)."""
    section = state.sections[at]
    return tuple(sorted((Counter(names) & Counter((*section.buildings, *section.machines))).elements()))


def destroy(turn: Turn[State], at: int, names: Iterable[str]) -> None:
    """What a result says to be destroyed of a site is no more (NIP 9.1)."""
    for name in standing_there(turn.state, at, names):
        with turn.citing("9.1"):
            turn.emit(StructureTested(at, kind_of_structure(turn.state, at, name), name, survives=False))


def kind_of_structure(state: State, at: int, name: str) -> Literal["buildings", "machines"]:
    """What a structure of a site is listed under."""
    return "buildings" if name in state.sections[at].buildings else "machines"


# --- what a garrison may be worth ---------------------------------------------------------------------------------


def likely_points(position: State, at: int) -> float:
    """The mean points of a garrison, as far as anybody may know: dice not yet rolled count by their odds."""
    section, there = position.sections[at], float(sum(unit.worth for unit in garrison(position, at)))
    return there if section.controller or section.mustered else there + sum(_odd_points(section))


def _odd_points(section: Section) -> Iterator[float]:
    table = GARRISONS[kind_of(section)]
    gun = armies.army(armies.DEFAULT).types[GARRISON_MACHINE].points
    for row in table["rolls"]:
        odds = (7 - row["from"]) / 6
        added = (each for each in table["with"] if each["building"] == row.get("building"))
        companies = sum(_company(section, line).worth for each in added for line in each["companies"])
        yield odds * (companies if "building" in row else gun)
