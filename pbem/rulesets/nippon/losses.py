"""Who falls first when units lose models, in whatever way (NIP 5.2, 20.9)."""

from dataclasses import replace

from pbem.rulesets.nippon.state import Toll, Unit, rank


def after_losses(units: tuple[Unit, ...], points: int, wanted: tuple[str, ...] = ()) -> tuple[Unit, ...]:
    """What is left of units that lose ``points``, in whole models.

    First those that their realm wants to lose first, by name or type; then the cheapest unit, characters last (20.9).
    """
    left = dict[str, Unit]()
    for unit in sorted(
        units, key=lambda unit: (rank(wanted, unit.name, unit.type), unit.character, unit.worth, unit.name)
    ):
        worth = unit.worth
        while points > worth - unit.worth and unit.models:
            unit = one_fewer(unit)
        points -= worth - unit.worth
        left[unit.name] = unit
    return tuple(left[unit.name] for unit in units if left[unit.name].models)


def fewer(unit: Unit, models: int) -> Unit:
    """A unit without some of its models."""
    for _ in range(models):
        unit = one_fewer(unit)
    return unit


def one_fewer(unit: Unit) -> Unit:
    """A unit without one of its models: the ranks fall first, then musician, champion and standard (20.9)."""
    models, bearer, leader = unit.models - 1, bool(unit.standard), bool(unit.champion)
    return replace(
        unit,
        models=models,
        wounds=min(unit.wounds, models * (unit.profile.W - 1)),
        standard=unit.standard if models else 0,
        champion=unit.champion if models > bearer else 0,
        musician=unit.musician if models > bearer + leader else 0,
        toll=unit.toll and _lighter(unit.toll, models),
    )


def _lighter(toll: Toll, models: int) -> Toll:
    """What a battle did to a unit that has lost a model since: those who lie about go before those who ran."""
    fallen = max(toll.fallen - 1, 0)
    return replace(toll, fallen=fallen, fled=min(toll.fled, models - fallen))
