"""Chapter 9.7, rallying: who of the fled comes back. Then the losses of the turn are counted."""

from dataclasses import replace
from math import ceil

from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.aftermath import Fought, bouts
from pbem.rulesets.nippon.events import CharacterDied, FledTested, LossesCounted, MachinesTested, WipedOut
from pbem.rulesets.nippon.losses import fewer
from pbem.rulesets.nippon.state import Banner, State, Toll, Unit, seat_of
from pbem.rulesets.nippon.tables import RALLY


@rule("9.7", "Rallying")
def rally(turn: Turn[State]) -> None:
    """Units that fled from the table come back, with as many as are brave enough. Characters always do."""
    last = {key: fought for fought in bouts(turn.state) for key in fought.present}
    for key in sorted(last.keys() & turn.state.banners.keys()):
        for unit in turn.state.banners[key].units:
            if unit.toll and unit.toll.fled:
                call_back(turn, turn.state.banners[key], unit, last[key])


def call_back(turn: Turn[State], banner: Banner, unit: Unit, fought: Fought) -> None:
    """One unit."""
    if unit.character:
        turn.emit(FledTested(banner.key, banner.at, unit.name, 0, 1, 0, 1, settled(unit)), to=frozenset({banner.realm}))
    elif lone(unit):
        test_each(turn, banner, unit, fought)
    else:
        test_leadership(turn, banner, unit, fought)


def lone(unit: Unit) -> bool:
    """Whether its models fight by themselves: monsters and war machines."""
    return unit.category == "war machine" or "monster" in unit.tags


def settled(unit: Unit, lost: int = 0) -> Unit:
    """A unit whose fled have come back, without those who did not."""
    return fewer(replace(unit, toll=unit.toll and replace(unit.toll, fled=0)), lost)


# --- units --------------------------------------------------------------------------------------------------------


def test_leadership(turn: Turn[State], banner: Banner, unit: Unit, fought: Fought) -> None:
    """2D6 against Leadership as modified; each point too many costs a model, or a wound of larger ones."""
    owner = frozenset({banner.realm})
    needed = unit.profile.Ld + sum(modifiers(unit, fate(banner.key, fought)).values())
    label = f"rally {banner.key} {unit.name}"
    failed_by = max(turn.roll(f"{label} a", to=owner) + turn.roll(f"{label} b", to=owner) - needed, 0)
    after, fled = without_cowards(unit, failed_by), unit.toll.fled if unit.toll else 0
    outcome = (needed, fled, failed_by, fled - (unit.models - after.models))
    turn.emit(FledTested(banner.key, banner.at, unit.name, *outcome, after), to=owner)


def modifiers(unit: Unit, ending: str) -> dict[str, int]:
    """What changes the Leadership of a unit that fled, by reason. ``ending``: how the battle ended for its banner."""
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


def fate(key: str, fought: Fought) -> str:
    """How a battle ended for a banner: ``won``, ``lost by a massacre`` …; nothing: a draw."""
    bout, seat = fought.bout, seat_of(key)
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


def test_each(turn: Turn[State], banner: Banner, unit: Unit, fought: Fought) -> None:
    """One die for each monster or war machine: it comes back or is lost."""
    fled, owner = unit.toll.fled if unit.toll else 0, frozenset({banner.realm})
    needed = RALLY.alone.get(fate(banner.key, fought), RALLY.alone["otherwise"])
    dice = [turn.roll(f"rally {banner.key} {unit.name} {number}", to=owner) for number in range(1, fled + 1)]
    back = sum(die >= needed for die in dice)
    after = settled(unit, fled - back)
    turn.emit(MachinesTested(banner.key, banner.at, unit.name, needed, fled, back, after), to=owner)


# --- the count ----------------------------------------------------------------------------------------------------


@rule("9.7", "Rallying")
def count_losses(turn: Turn[State]) -> None:
    """Who is not back by now is gone for good."""
    for key in sorted({key for fought in bouts(turn.state) for key in fought.present} & turn.state.banners.keys()):
        banner = turn.state.banners[key]
        marked = [unit for unit in banner.units if unit.toll]
        if not marked:
            continue
        owner = frozenset({banner.realm})
        for unit in marked:
            if unit.character and not unit.models:
                turn.emit(CharacterDied(key, banner.at, unit.name), to=owner)
        counted = tuple((unit.name, unit.models, unit.toll.started if unit.toll else 0) for unit in marked)
        left = tuple(replace(unit, toll=None) for unit in banner.units if unit.models)
        turn.emit(LossesCounted(key, banner.at, counted, left), to=owner)
        if not left:
            turn.emit(WipedOut(key, banner.at))
