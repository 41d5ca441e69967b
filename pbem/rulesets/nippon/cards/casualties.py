"""What a result says of single units, against what they are as far as its writer knows (NIP 8.5).

Of others' units he sees types and numbers only: what they have not got is told to nobody, and changes nothing.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from pbem.rulesets.nippon.legality import Refusal
from pbem.rulesets.nippon.orders import UnitLoss
from pbem.rulesets.nippon.results import combatants
from pbem.rulesets.nippon.state import Loss, Meeting, Unit, seat_of
from pbem.rulesets.nippon.view import View

Units = Mapping[tuple[str, str], Unit]
"""The units in a battle by whose they are, and their name: see :func:`combatants`."""


def units(view: View, meeting: Meeting) -> Units:
    """Those of the battle that waits."""
    return {(key, unit.name): unit for key, unit in combatants(view.position, meeting)}


# --- what cannot be -----------------------------------------------------------------------------------------------


def misreported(there: Units, losses: Sequence[UnitLoss], own: Collection[str]) -> Refusal | None:
    """Why these losses cannot be; ``own``: the seats whose units their writer knows."""
    told = ((line, there.get(line.of)) for line in losses)
    reasons = [*_told_twice(losses), *(reason for line, unit in told for reason in _impossible(line, unit, own))]
    return Refusal("8.5", reasons[0]) if reasons else None


def _told_twice(losses: Sequence[UnitLoss]) -> Iterator[str]:
    for (_, name), times in Counter(line.of for line in losses).items():
        if times > 1:
            yield f"{name} is named {times} times: say all of it in one place."


def _impossible(line: UnitLoss, unit: Unit | None, own: Collection[str]) -> Iterator[str]:
    loss, before = line.loss, unit.standing if unit else 0
    if loss.models + loss.fled > before:
        left = f"{loss.models} and {loss.fled} fled" if loss.fled else f"{loss.models} left"
        yield f"{loss.unit} had {before} models: {left} cannot be."
    if unit is None:
        return
    bearable = (loss.models + loss.fled) * (unit.profile.W - 1)
    if loss.wounds > bearable:
        yield f"Those of {loss.unit} who live can lack {bearable} wounds at most, not {loss.wounds}."
    if (loss.mount_dead or loss.mount_wounds) and "monstrous mount" not in unit.tags:
        yield f"{loss.unit} rides no monster: only those have wounds of their own."
    if loss.mount_dead and loss.mount_wounds:
        yield f"The mount of {loss.unit} is dead or has lost wounds, not both."
    if seat_of(line.banner) in own:
        yield from _lacking(unit, loss)


def _lacking(unit: Unit, loss: Loss) -> Iterator[str]:
    """What a unit is said to have lost, and had not."""
    can_be = loss.within(unit)
    lost = {
        "champion": loss.champion_dead and not can_be.champion_dead,
        "musician": loss.musician_dead and not can_be.musician_dead,
        "standard": loss.standard_lost and not can_be.standard_lost,
    }
    yield from (f"{loss.unit} has no {what}." for what, so in lost.items() if so)
    if unit.steed and loss.mount_wounds >= unit.steed.profile.W:
        most = unit.steed.profile.W - 1
        yield f"The mount of {loss.unit} can lack {most} wounds at most, not {loss.mount_wounds}, or is dead."


# --- what can -----------------------------------------------------------------------------------------------------


def possible(there: Units, losses: Sequence[UnitLoss], own: Collection[str]) -> tuple[UnitLoss, ...]:
    """Losses like these that can be, of units that were there; of two about one unit the last."""
    last = {line.of: line for line in losses if line.of in there}
    return tuple(
        replace(line, loss=line.loss.within(there[of], known=seat_of(line.banner) in own)) for of, line in last.items()
    )
