"""What battles do to units, and what becomes of it (NIP 8.5, 9.6, 9.7)."""

from dataclasses import replace

from pbem.rulesets.nippon.items.bearing import without_standard
from pbem.rulesets.nippon.state import RESERVE, Loss, Losses, State, Steed, Toll, Unit


def suffer(state: State, at: int, losses: Losses) -> None:
    """For events: units bear what a battle in a section did to them. Nobody is gone until the tests (NIP 3.5)."""
    for key, told in losses:
        by_name = {loss.unit: loss for loss in told}
        if key in state.banners:
            units = (stricken(unit, by_name.get(unit.name)) for unit in state.banners[key].units)
            state.change_banner(key, units=tuple(units))
        elif key == RESERVE:
            units = (stricken(unit, by_name.get(unit.name)) for unit in state.sections[at].reserve)
            state.change_section(at, reserve=tuple(units))


def stricken(unit: Unit, loss: Loss | None) -> Unit:
    """A unit after a battle, with what earlier battles of the turn did to it. No model falls or flees twice."""
    if loss is None:
        return unit
    toll, loss = unit.toll or Toll(unit.models), loss.within(unit)
    fallen = toll.fallen + unit.standing - loss.models - loss.fled
    return replace(
        unit,
        wounds=min(max(unit.wounds, loss.wounds), (unit.models - fallen) * (unit.profile.W - 1)),
        steed=unit.steed and _stricken(unit.steed, loss),
        toll=replace(
            toll,
            fallen=fallen,
            fled=toll.fled + loss.fled,
            standard_lost=toll.standard_lost or loss.standard_lost,
            champion_fell=toll.champion_fell or loss.champion_dead,
            musician_fell=toll.musician_fell or loss.musician_dead,
            in_challenge=toll.in_challenge or loss.in_challenge,
        ),
    )


def _stricken(steed: Steed, loss: Loss) -> Steed:
    """A ridden monster after a battle."""
    return replace(steed, wounds=steed.profile.W if loss.mount_dead else max(steed.wounds, loss.mount_wounds))


def bereaved(unit: Unit, bearing: int) -> Unit:
    """A unit whose standard has fallen into the enemy's hands (NIP 9.5).

    ``bearing``: what a character has paid for bearing his battle standard, in points.
    """
    bare = replace(without_standard(unit), battle_standard="", bereft=unit.battle_standard or "unit")
    return replace(bare, points=bare.points - bearing)
