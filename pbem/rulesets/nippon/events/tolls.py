"""What battles do to units, and what becomes of it (NIP 8.5, 9.6, 9.7)."""

from dataclasses import replace

from pbem.rulesets.nippon.state import Loss, State, Toll, Unit


def suffer(state: State, losses: tuple[tuple[str, tuple[Loss, ...]], ...]) -> None:
    """For events: units bear what a battle did to them; until their tests nobody is gone (NIP 3.5)."""
    for key, told in losses:
        if key in state.banners:
            by_name = {loss.unit: loss for loss in told}
            units = state.banners[key].units
            state.change_banner(
                key, units=tuple(stricken(unit, by_name[unit.name]) if unit.name in by_name else unit for unit in units)
            )


def stricken(unit: Unit, loss: Loss) -> Unit:
    """A unit after a battle, with what earlier battles of the turn did to it. No model falls or flees twice."""
    toll = unit.toll or Toll(unit.models)
    standing = min(loss.models, unit.standing)
    fled = min(loss.fled, unit.standing - standing)
    fallen = toll.fallen + unit.standing - standing - fled
    return replace(
        unit,
        wounds=min(max(unit.wounds, loss.wounds), (unit.models - fallen) * (unit.profile.W - 1)),
        toll=replace(
            toll,
            fallen=fallen,
            fled=toll.fled + fled,
            standard_lost=toll.standard_lost or (loss.standard_lost and bool(unit.standard or unit.battle_standard)),
            champion_fell=toll.champion_fell or not loss.champion_alive,
            musician_fell=toll.musician_fell or not loss.musician_alive,
            in_challenge=toll.in_challenge or loss.in_challenge,
        ),
    )


def replace_unit(state: State, banner: str, at: int, unit: Unit) -> None:
    """For events: a unit of a banner, or in the reserve of a site if no banner is named, becomes another."""
    units = state.banners[banner].units if banner else state.sections[at].reserve
    after = tuple(unit if each.name == unit.name else each for each in units)
    if banner:
        state.change_banner(banner, units=after)
    else:
        state.change_section(at, reserve=after)
