"""What a result says of single units, against what they are as far as its writer knows (NIP 8.5).

Of others' units he sees types and numbers only: what they have not got is told to nobody, and changes nothing.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from pbem.rulesets.nippon.battles import combatants
from pbem.rulesets.nippon.legality import Refusal
from pbem.rulesets.nippon.orders import UnitLoss
from pbem.rulesets.nippon.state import Meeting, Unit, seat_of
from pbem.rulesets.nippon.view import View

Units = Mapping[tuple[str, str], Unit]
"""The units in a battle by whose they are, and their name: see :func:`combatants`."""


def units(view: View, meeting: Meeting) -> Units:
    """Those of the battle that waits."""
    return {(key, unit.name): unit for key, unit in combatants(view.position, meeting)}


# --- what cannot be -----------------------------------------------------------------------------------------------


def misreported(there: Units, losses: Sequence[UnitLoss], own: Collection[str]) -> Refusal | None:
    """Why these losses cannot be; ``own``: the seats whose units their writer knows."""
    reasons = [*_told_twice(losses), *(reason for loss in losses for reason in _impossible(there, loss, own))]
    return Refusal("8.5", reasons[0]) if reasons else None


def _told_twice(losses: Sequence[UnitLoss]) -> Iterator[str]:
    for (_, name), times in Counter((loss.banner, loss.unit) for loss in losses).items():
        if times > 1:
            yield f"{name} is named {times} times: say all of it in one place."


def _impossible(there: Units, loss: UnitLoss, own: Collection[str]) -> Iterator[str]:
    unit = there.get((loss.banner, loss.unit))
    before = unit.standing if unit else 0
    if loss.models + loss.fled > before:
        left = f"{loss.models} and {loss.fled} fled" if loss.fled else f"{loss.models} left"
        yield f"{loss.unit} had {before} models: {left} cannot be."
    bearable = _bearable(unit, loss)
    if loss.wounds > bearable:
        yield f"Those of {loss.unit} who live can lack {bearable} wounds at most, not {loss.wounds}."
    if unit and (loss.mount_dead or loss.mount_wounds) and "monstrous mount" not in unit.tags:
        yield f"{loss.unit} rides no monster: only those have wounds of their own."
    if loss.mount_dead and loss.mount_wounds:
        yield f"The mount of {loss.unit} is dead or has lost wounds, not both."
    if unit and seat_of(loss.banner) in own:
        yield from (f"{loss.unit} has no {what}." for what in _lacking(unit, loss))
        if unit.steed and loss.mount_wounds >= unit.steed.profile.W:
            most = unit.steed.profile.W - 1
            yield f"The mount of {loss.unit} can lack {most} wounds at most, not {loss.mount_wounds}, or is dead."


def _bearable(unit: Unit | None, loss: UnitLoss) -> int:
    """The most wounds that its living models can lack."""
    return (loss.models + loss.fled) * (unit.profile.W - 1) if unit else 0


def _lacking(unit: Unit, loss: UnitLoss) -> Iterator[str]:
    """What a unit is said to have lost, and had not."""
    if loss.champion_dead and not unit.champion:
        yield "champion"
    if loss.musician_dead and not unit.musician:
        yield "musician"
    if loss.standard_lost and not (unit.standard or unit.battle_standard):
        yield "standard"


# --- what can -----------------------------------------------------------------------------------------------------


def possible(there: Units, losses: Sequence[UnitLoss], own: Collection[str]) -> tuple[UnitLoss, ...]:
    """Losses like these that can be; of two about one unit the last."""
    last = {(loss.banner, loss.unit): loss for loss in losses}
    return tuple(_capped(there.get(key), loss, own) for key, loss in last.items())


def _capped(unit: Unit | None, loss: UnitLoss, own: Collection[str]) -> UnitLoss:
    """A loss of no more models than there were, nor of anything that was not there."""
    before = unit.standing if unit else 0
    models = min(loss.models, before)
    capped = replace(loss, models=models, fled=min(loss.fled, before - models))
    known = unit is not None and seat_of(loss.banner) in own
    lacking = {*_lacking(unit, loss)} if unit and known else set[str]()
    rides = unit is not None and "monstrous mount" in unit.tags
    most = unit.steed.profile.W - 1 if unit and unit.steed and known else loss.mount_wounds
    return replace(
        capped,
        wounds=min(loss.wounds, _bearable(unit, capped)),
        champion_dead=loss.champion_dead and "champion" not in lacking,
        musician_dead=loss.musician_dead and "musician" not in lacking,
        standard_lost=loss.standard_lost and "standard" not in lacking,
        mount_dead=rides and loss.mount_dead,
        mount_wounds=min(loss.mount_wounds, most) if rides and not loss.mount_dead else 0,
    )
