"""Chapter 9.6, healing: who of the fallen comes back, and who regains a wound."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from math import ceil

from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.aftermath import bouts, reserve_in
from pbem.rulesets.nippon.armies import army
from pbem.rulesets.nippon.banners import stations
from pbem.rulesets.nippon.events import FallenTested, SteedTested, WoundsTested
from pbem.rulesets.nippon.events.aftermath import Came
from pbem.rulesets.nippon.items.bearing import passes_tests, regenerates
from pbem.rulesets.nippon.losses import fewer
from pbem.rulesets.nippon.state import Profile, State, Steed, Unit
from pbem.rulesets.nippon.tables import MONSTER_RETURNS_FROM, NEVER_HEALS, PIPS, people


@dataclass(frozen=True)
class Patient:
    """A unit with somebody at 0 wounds, or with wounds to regain."""

    unit: Unit
    realm: str
    at: int
    banner: str = ""
    """The key of its banner; nothing: it is in the reserve of a site."""
    grim: bool = False
    """What it passes has to be passed once more (NIP 12)."""

    @property
    def label(self) -> str:
        """What the labels of its dice begin with."""
        return f"heal {self.banner or self.at}: {self.unit.name}"


@rule("9.6", "Healing")
def heal(turn: Turn[State]) -> None:
    """All who fell this turn are tested, and all who have wounds to regain."""
    for patient in patients(turn.state):
        fallen, hurt = fallen_of(patient.unit), hurt_of(patient.unit)
        if fallen:
            patient = test_fallen(turn, patient, fallen)
        if hurt:
            patient = test_wounds(turn, patient, fallen, hurt)
        if patient.unit.models and patient.unit.steed and patient.unit.steed.wounds:
            test_steed(turn, patient, patient.unit.steed)


def patients(state: State) -> list[Patient]:
    """All units that have to be tested, by realm: under its banners, then in its reserves."""
    grim = grim_battles(state)
    return [
        Patient(each.unit, seat, each.at, each.banner, (each.banner or each.at) in grim)
        for seat in sorted(state.realms)
        for each in stations(state, seat)
        if each.unit.wounds or each.unit.toll or (each.unit.steed and each.unit.steed.wounds)
    ]


def fallen_of(unit: Unit) -> int:
    """Models at 0 wounds."""
    return unit.toll.fallen if unit.toll else 0


def hurt_of(unit: Unit) -> int:
    """Living models with wounds to regain. The wounds of a unit lie on as few of them as can be."""
    return ceil(unit.wounds / (unit.profile.W - 1)) if unit.wounds else 0


def test_fallen(turn: Turn[State], patient: Patient, fallen: int) -> Patient:
    """One die for each model at 0 wounds: it comes back with 1 wound, or is dead."""
    lucky = return_test(patient.unit)
    returned = sum(passed(turn, patient, number, lucky) for number in range(1, fallen + 1))
    after = replace(patient, unit=back_on_their_feet(patient.unit, returned))
    place = (patient.banner, patient.at, patient.unit.name)
    turn.emit(FallenTested(*place, asked(lucky), fallen, returned, after.unit), to=frozenset({patient.realm}))
    return after


def back_on_their_feet(unit: Unit, returned: int) -> Unit:
    """A unit when its fallen are tested. A champion who fell is the first to come back, then a musician (20.9)."""
    toll = unit.toll
    if toll is None:
        return unit
    champion, musician = bool(toll.champion_fell and unit.champion), bool(toll.musician_fell and unit.musician)
    tested = replace(
        unit,
        wounds=unit.wounds + returned * (unit.profile.W - 1),
        champion=0 if champion and returned < 1 else unit.champion,
        musician=0 if musician and returned < 1 + champion else unit.musician,
        toll=replace(toll, fallen=0, dead=toll.fallen - returned),
    )
    return fewer(tested, toll.fallen - returned)


def test_wounds(turn: Turn[State], patient: Patient, before: int, hurt: int) -> Patient:
    """One die for each wounded model: it regains a wound or not. ``before``: dice its unit has had already."""
    lucky = toughness_test(patient.unit.profile)
    regained = sum(passed(turn, patient, number, lucky) for number in range(before + 1, before + hurt + 1))
    after = replace(patient, unit=replace(patient.unit, wounds=patient.unit.wounds - regained))
    place = (patient.banner, patient.at, patient.unit.name)
    turn.emit(WoundsTested(*place, asked(lucky), hurt, regained, after.unit), to=frozenset({patient.realm}))
    return after


def test_steed(turn: Turn[State], patient: Patient, steed: Steed) -> None:
    """A die for a ridden monster: at 0 wounds it comes back with 1 or bears no rider any more; else it may regain one.

    What its rider bears does not help it.
    """
    unit, owner, label = patient.unit, frozenset({patient.realm}), f"{patient.label} mount"
    lucky = BACK if steed.down else toughness_test(steed.profile)
    well = turn.roll(label, to=owner) in lucky
    if well and patient.grim:
        well = turn.roll(f"{label} again", to=owner) in lucky
    after = unit
    if well:
        after = replace(unit, steed=replace(steed, wounds=steed.wounds - 1))
    elif steed.down:
        after = army(turn.state.realms[patient.realm].army).afoot(unit)
    came: Came = ("back" if well else "lost") if steed.down else ("better" if well else "no better")
    place = (patient.banner, patient.at, unit.name)
    turn.emit(SteedTested(*place, unit.mount, asked(lucky), came, after), to=owner)


# --- one test -----------------------------------------------------------------------------------------------------


BACK = range(MONSTER_RETURNS_FROM, len(PIPS) + 1)
"""What a die may show for a monster at 0 wounds to come back."""


def return_test(unit: Unit) -> range:
    """What a die may show for a model of a unit at 0 wounds to come back."""
    return BACK if "monster" in unit.tags else toughness_test(unit.profile)


def toughness_test(profile: Profile) -> range:
    """What a die may show for a Toughness test to be passed: cavalry is tested on its riders."""
    return range(1, min(profile.T, NEVER_HEALS - 1) + 1)


def passed(turn: Turn[State], patient: Patient, number: int, lucky: range) -> bool:
    """Whether a model of a patient passes."""
    owner, label = frozenset({patient.realm}), f"{patient.label} {number}"
    return passes(patient.unit, lucky, patient.grim, lambda which: turn.roll(f"{label}{which}", to=owner))


def passes(unit: Unit, lucky: range, grim: bool, die: Callable[[str], int]) -> bool:
    """Whether a model of a unit passes; no test is rolled more than twice. ``die``: what it shows, ``""`` or
    ``" again"``."""
    tough = lucky.start == 1
    if tough and passes_tests(unit):
        return True
    well = die("") in lucky
    again = grim if well else tough and regenerates(unit)
    return die(" again") in lucky if again else well


def asked(lucky: range) -> str:
    """What a die has to show, in words."""
    return f"{lucky.stop - 1} or less" if lucky.start == 1 else f"{lucky.start} or more"


# --- 12 Warriors of chaos -----------------------------------------------------------------------------------------


def grim_battles(state: State) -> frozenset[str | int]:
    """All who were in a battle that was won by a side with warriors of chaos on it: banners by key, reserves by section
    (NIP 12)."""
    return frozenset(_grim(state))


def _grim(state: State) -> Iterator[str | int]:
    for fought in bouts(state):
        if grimly_won(state, fought.bout.victors):
            yield from fought.present
            if reserve_in(state, fought):
                yield fought.at


def grimly_won(state: State, winners: Iterable[str]) -> bool:
    """Whether there are warriors of chaos among the winners of a battle, by seat."""
    return any(people(state.realms[seat].army).grim_victors for seat in winners)
