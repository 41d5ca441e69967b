"""BR-1 12.5, the result: who won, how clearly, and what is left of everybody."""

from collections.abc import Collection, Sequence

from pbem.battles import tables
from pbem.battles.breaking import lost, total
from pbem.battles.field import Field, Fighter, enemy_of
from pbem.battles.model import Account, End, Margin, Outcome, Role, UnitOutcome


def outcome(field: Field, end: End, ended: tuple[Role, ...], rounds: Sequence[Account], dice: Sequence[int]) -> Outcome:
    """Judge a battle that is over."""
    routed = ended if end == "rout" else ()
    scored = score(field, "A", routed), score(field, "B", routed)
    difference = 1000 * scored[0] // total(field, "B") - 1000 * scored[1] // total(field, "A")
    winner, margin = verdict(difference, end, ended)
    units = tuple(unit_outcome(each) for each in field.fighters)
    return Outcome(winner, margin, difference, scored, end, ended, field.day, units, tuple(rounds), tuple(dice))


def score(field: Field, role: Role, routed: Collection[Role]) -> int:
    """The points that the enemy lost, and more for his general, his standards, and his rout alone."""
    enemy = enemy_of(role)
    there = field.sides[enemy]
    general = tables.FOR_GENERAL if any(each.general and not each.left for each in there) else 0
    rout = tables.FOR_ROUT if routed == (enemy,) else 0
    standards = sum(standard_lost(each) for each in there)
    per_mille = (general, tables.FOR_STANDARD * standards, rout)
    return lost(field, enemy) + sum(total(field, enemy) * share // 1000 for share in per_mille)


def standard_lost(fighter: Fighter) -> bool:
    """A standard is lost when its unit breaks in melee or is destroyed."""
    return fighter.standard_lost or ("standard" in fighter.unit.flags and not fighter.left)


def verdict(difference: int, end: End, ended: Sequence[Role]) -> tuple[Role | None, Margin]:
    """The winner and how clearly. A side that alone was routed loses; one that alone withdrew cannot win."""
    ahead: Role | None = None if abs(difference) < tables.MINOR else "A" if difference > 0 else "B"
    winner = ahead
    if end != "limit" and len(ended) == 1:
        if end == "rout":
            winner = enemy_of(ended[0])
        elif ahead == ended[0]:
            winner = None
    if winner is None:
        return None, "draw"
    return winner, margin(difference) if winner == ahead else "minor victory"


def margin(difference: int) -> Margin:
    """How clear a victory is."""
    if abs(difference) >= tables.MASSACRE:
        return "massacre"
    return "solid victory" if abs(difference) >= tables.SOLID else "minor victory"


def unit_outcome(fighter: Fighter) -> UnitOutcome:
    """What is left of a unit. One that fled and was cut down to the last is destroyed."""
    return UnitOutcome(
        side=fighter.side,
        name=fighter.name[1],
        lane=fighter.lane,
        start=fighter.unit.models,
        remaining=fighter.models,
        wounds_left=fighter.left,
        fled=fighter.fled and fighter.left > 0,
        standard_lost=standard_lost(fighter),
        lost_points=fighter.lost_points,
        slain_in_challenge=fighter.slain_in_challenge,
    )
