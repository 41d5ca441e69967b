"""Chapter 3, banners: who leads one, where its units stand, what becomes of those that are none any more."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.atlas import FORTRESSES
from pbem.rulesets.nippon.composition import costliest, shortfall
from pbem.rulesets.nippon.events import FellShort, GeneralSucceeded, JoinedReserve, Scattered
from pbem.rulesets.nippon.state import Banner, State, Unit, seat_of
from pbem.rulesets.nippon.tables import HEROISM_FADES_AT


def outgrown(banner: Banner) -> bool:
    """Whether a heroic banner has become so large that it is heroic no longer (NIP 5.3)."""
    return bool(banner.heroism) and banner.points >= HEROISM_FADES_AT * banner.heroism


def outside(position: State, banner: Banner) -> bool:
    """Whether it scattered this turn: then nothing concerns it until the turn is over (NIP 20.7)."""
    return banner.scattered and banner.scattered_on == position.turn


def own_site(position: State, realm: str, number: int) -> bool:
    """Whether a section is a village, keep, stronghold or citadel that the realm controls, not razed."""
    section = position.sections[number]
    return section.controller == realm and section.site in FORTRESSES and not section.razed


# --- 3.4 Generals -----------------------------------------------------------------------------------------------------


def army_general(position: State, banner: Banner) -> Unit | None:
    """The Army General, if he marches with this banner."""
    name = position.realms[banner.realm].general
    return next((unit for unit in banner.units if unit.name == name), None)


def leader(position: State, banner: Banner) -> Unit | None:
    """Who leads a banner in battle: the Army General where he is, else whom it named, else the costliest."""
    named = next((unit for unit in banner.units if unit.character and unit.name == banner.general), None)
    return army_general(position, banner) or named or costliest(banner.units)


def army(position: State, seat: str) -> tuple[Unit, ...]:
    """All units of a realm: under its banners, also those underground, then in its reserves."""
    banners = [unit for banner in position.all_of(seat) for unit in banner.units]
    reserves = [unit for at in position.quarters_of(seat) for unit in position.sections[at].reserve]
    return (*banners, *reserves)


@dataclass(frozen=True)
class Station:
    """Where a unit of a realm stands."""

    unit: Unit
    at: int
    banner: str = ""
    """Key of the banner it marches under; nothing: it is in the reserve."""


def stations(position: State, seat: str) -> Iterator[Station]:
    """All units of a realm that stand somewhere on the map."""
    for banner in position.banners_of(seat):
        yield from (Station(unit, banner.at, banner.key) for unit in banner.units)
    for at in position.quarters_of(seat):
        yield from (Station(unit, at) for unit in position.sections[at].reserve)


def stationed(position: State, seat: str, name: str) -> Station | None:
    """Where the unit of a realm that goes by a name stands, if it has one."""
    return next((each for each in stations(position, seat) if each.unit.name == name), None)


def station(position: State, seat: str, name: str) -> Station:
    """Where the unit of that name stands; raises ``KeyError`` if the realm has none on the map."""
    found = stationed(position, seat, name)
    if found is None:
        raise KeyError(name)
    return found


@rule("3.4", "Generals")
def succeed_generals(turn: Turn[State]) -> None:
    """Where an Army General has died the costliest of the characters left takes over."""
    for seat, realm in sorted(turn.state.realms.items()):
        living = army(turn.state, seat)
        if realm.general and not any(unit.name == realm.general for unit in living):
            heir = costliest(living)
            event = GeneralSucceeded(seat, realm.general, heir.name if heir else "")
            turn.emit(event, to=frozenset({seat}))


# --- 3.5 Scattering ---------------------------------------------------------------------------------------------------


@rule("3.5", "Scattering")
def check_banners(turn: Turn[State]) -> None:
    """After execution, and after healing: what is no banner any more scatters; at sea when it lands, and before a Great
    Spawn when it has fought (NIP 14.3)."""
    check(turn, turn.state.banners)


@rule("3.5", "Scattering")
def check_after_parley(turn: Turn[State]) -> None:
    """Who met and came to terms may have given away what made it a banner. Who fought is checked when it is healed."""
    for _, meeting in sorted(turn.state.meetings.items()):
        fought = {seat for bout in meeting.fought for side in bout.sides for seat in side}
        check(turn, (key for key in meeting.banners if seat_of(key) not in fought))


def check(turn: Turn[State], keys: Iterable[str]) -> None:
    """See whether some banners, by key, may still be banners."""
    for key in sorted(keys):
        banner = turn.state.banners[key]
        lack = "" if banner.scattered or banner.aboard or faces_spawn(turn.state, banner) else shortfall(banner.units)
        if lack:
            turn.emit(FellShort(key, banner.at, lack), to=frozenset({banner.realm}))
            dissolve(turn, banner)


def faces_spawn(state: State, banner: Banner) -> bool:
    """Whether a banner has still to fight what some of its own have become (NIP 14.3)."""
    facing = (each for each in state.assaults.values() if each.kind == "spawn" and not each.bout)
    return any(banner.key in each.banners for each in facing)


def dissolve(turn: Turn[State], banner: Banner) -> None:
    """At an own site the units become its reserve; anywhere else they scatter."""
    event = JoinedReserve if own_site(turn.state, banner.realm, banner.at) else Scattered
    turn.emit(event(banner.key, banner.at))
