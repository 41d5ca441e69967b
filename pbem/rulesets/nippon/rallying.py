"""Chapter 9.7, rallying: who of the fled comes back. Then the losses of the turn are counted."""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil

from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.aftermath import Fought, last_battles
from pbem.rulesets.nippon.banners import Station, stations
from pbem.rulesets.nippon.events import CharacterDied, FledTested, LossesCounted, MachinesTested, WipedOut
from pbem.rulesets.nippon.losses import fewer
from pbem.rulesets.nippon.state import DEFENCE, State, Toll, Unit
from pbem.rulesets.nippon.tables import RALLY


@rule("9.7", "Rallying")
def rally(turn: Turn[State]) -> None:
    """Units that fled from the table come back, with as many as are brave enough. Characters always do."""
    last = last_battles(turn.state)
    for seat in sorted(turn.state.realms):
        for each in [each for each in stations(turn.state, seat) if each.unit.toll and each.unit.toll.fled]:
            fought = last[each.banner or each.at]
            side = DEFENCE if fought.kind == "garrison" and not each.banner else seat
            call_back(turn, seat, each, fate(side, fought))


def call_back(turn: Turn[State], seat: str, station: Station, ending: str) -> None:
    """One unit. ``ending``: how its battle ended for it."""
    unit = station.unit
    if unit.character:
        event = FledTested(station.banner, station.at, unit.name, 0, 1, 0, 1, settled(unit))
        turn.emit(event, to=frozenset({seat}))
    elif lone(unit):
        test_each(turn, seat, station, ending)
    else:
        test_leadership(turn, seat, station, ending)


def dice_of(station: Station) -> str:
    """What the labels of a unit's dice begin with."""
    return f"rally {station.banner or station.at}: {station.unit.name}"


def lone(unit: Unit) -> bool:
    """Whether its models fight by themselves: monsters and war machines."""
    return unit.category == "war machine" or "monster" in unit.tags


def settled(unit: Unit, lost: int = 0) -> Unit:
    """A unit whose fled have come back, without those who did not."""
    return fewer(replace(unit, toll=unit.toll and replace(unit.toll, fled=0)), lost)


# --- units --------------------------------------------------------------------------------------------------------


def test_leadership(turn: Turn[State], seat: str, station: Station, ending: str) -> None:
    """2D6 against Leadership as modified; each point too many costs a model, or a wound of larger ones."""
    owner, unit, label = frozenset({seat}), station.unit, dice_of(station)
    needed = unit.profile.Ld + sum(modifiers(unit, ending).values())
    failed_by = max(turn.roll(f"{label} a", to=owner) + turn.roll(f"{label} b", to=owner) - needed, 0)
    after, fled = without_cowards(unit, failed_by), unit.toll.fled if unit.toll else 0
    outcome = (needed, fled, failed_by, fled - (unit.models - after.models))
    turn.emit(FledTested(station.banner, station.at, unit.name, *outcome, after), to=owner)


def modifiers(unit: Unit, ending: str) -> dict[str, int]:
    """What changes the Leadership of a unit that fled, by reason. ``ending``: how the battle ended for it."""
    toll = unit.toll or Toll(unit.models)
    share = 100 * toll.fled
    holds = {
        ending: ending in RALLY.modifiers,
        "few": share < RALLY.few * toll.started,
        "very few": share < RALLY.very_few * toll.started,
        "many": share > RALLY.many * toll.started,
        "standard lost": toll.standard_lost,
        "champion dead": toll.champion_fell and not unit.champion,
        "champion alive": bool(unit.champion),
        "musician alive": bool(unit.musician),
    }
    return {reason: RALLY.modifiers[reason] for reason, so in holds.items() if so}


def fate(seat: str, fought: Fought) -> str:
    """How a battle ended for a realm: ``won``, ``lost by a massacre`` …; nothing: a draw."""
    bout = fought.bout
    if not bout.winners:
        return ""
    outcome = "won" if seat in bout.winners else "lost"
    return outcome if bout.result.degree in ("", "victory") else f"{outcome} by a {bout.result.degree}"


def without_cowards(unit: Unit, failed_by: int) -> Unit:
    """A unit that failed its test by so much: that many wounds fewer come back, a model's before the next one's."""
    toll, most = unit.toll or Toll(unit.models), unit.profile.W
    others = unit.models - toll.fled
    wounds = max(unit.wounds - others * (most - 1), 0)
    left = max(toll.fled * most - wounds - failed_by, 0)
    back = ceil(left / most)
    after = settled(unit, toll.fled - back)
    return replace(after, wounds=min(unit.wounds - wounds, others * (most - 1)) + back * most - left)


# --- monsters and war machines ------------------------------------------------------------------------------------


def test_each(turn: Turn[State], seat: str, station: Station, ending: str) -> None:
    """One die for each monster or war machine: it comes back or is lost."""
    unit, owner = station.unit, frozenset({seat})
    fled, needed = unit.toll.fled if unit.toll else 0, RALLY.alone.get(ending, RALLY.alone["otherwise"])
    dice = [turn.roll(f"{dice_of(station)} {number}", to=owner) for number in range(1, fled + 1)]
    back = sum(die >= needed for die in dice)
    after = settled(unit, fled - back)
    turn.emit(MachinesTested(station.banner, station.at, unit.name, needed, fled, back, after), to=owner)


# --- the count ----------------------------------------------------------------------------------------------------


@rule("9.7", "Rallying")
def count_losses(turn: Turn[State]) -> None:
    """Who is not back by now is gone for good."""
    for seat in sorted(turn.state.realms):
        for banner in turn.state.banners_of(seat):
            count(turn, seat, banner.key, banner.at, banner.units)
        for at in turn.state.quarters_of(seat):
            count(turn, seat, "", at, turn.state.sections[at].reserve)


def count(turn: Turn[State], seat: str, key: str, at: int, units: Sequence[Unit]) -> None:
    """The losses of a banner, or of the reserve in a section (without a key), if battles took a toll of it."""
    marked, owner = [unit for unit in units if unit.toll], frozenset({seat})
    if not marked:
        return
    for unit in marked:
        if unit.character and not unit.models:
            turn.emit(CharacterDied(key, at, unit.name), to=owner)
    counted = tuple((unit.name, unit.models, unit.toll.started if unit.toll else 0) for unit in marked)
    left = tuple(replace(unit, toll=None) for unit in units if unit.models)
    turn.emit(LossesCounted(key, at, counted, left), to=owner)
    if key and not left:
        turn.emit(WipedOut(key, at))
