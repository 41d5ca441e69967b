"""BR-1 12.4, step 1 of a round: arrivals, shifts, the advance. No dice."""

from collections.abc import Sequence

from pbem.battles import tables
from pbem.battles.field import Field, Fighter, Notes, enemy_of
from pbem.battles.model import ROLES, Lane, Role
from pbem.battles.plans import arrival

SLOW_GROUND = ("marsh", "river")


def approach(field: Field) -> None:
    """Everything that moves before anybody strikes."""
    arrivals(field)
    shifts(field)
    advance(field)


# --- 1a Arrivals --------------------------------------------------------------------------------------------------


def arrivals(field: Field) -> None:
    """Who was to come in this round comes; a flanker strikes from the side."""
    for fighter in field.fighters:
        if not fighter.arrived and (lane := arriving(field, fighter)):
            fighter.lane, fighter.arrived, fighter.marks.came = lane, True, True
            fighter.marks.flanker = fighter.station.arrives == "flank"


def arriving(field: Field, fighter: Fighter) -> Lane | None:
    """The lane in which a unit arrives in this round, if it does. A hero comes with his unit."""
    leader, station = fighter.host or fighter, fighter.station
    waits = station.arrives == "broken"
    if waits and any(gone.side == fighter.side and gone.lane == station.lane for gone in field.gone):
        return station.lane
    if field.round == arrival(station, leader.unit, leader.values):
        return "C" if waits else station.lane
    return None


# --- 1b Shifts ----------------------------------------------------------------------------------------------------


def shifts(field: Field) -> None:
    """From round 2: who has no enemy before him goes where there is one. In even rounds the defender is first."""
    if field.round == 1:
        return
    for fighter in [each for role in (ROLES if field.round % 2 else ROLES[::-1]) for each in field.present(role)]:
        if may_shift(field, fighter):
            shift(field, fighter)


def may_shift(field: Field, fighter: Fighter) -> bool:
    """Whether a unit is free to leave its lane. Who holds stays for two rounds; who holds and shoots stays always."""
    holding = fighter.order == "HOLD" and (fighter.values.missile or field.round < tables.HOLD_SHIFT_ROUND)
    free = fighter.values.speed > 0 and not fighter.joined and not fighter.marks.came and not holding
    return free and not field.present(enemy_of(fighter.side), fighter.lane)


def shift(field: Field, fighter: Fighter) -> None:
    """To the centre, or from there to the wing that holds more of the enemy. With its hero it comes from the flank."""
    moving = [fighter, *(each for each in field.present(fighter.side, fighter.lane) if each.host is fighter)]
    lane = wing(field, enemy_of(fighter.side)) if fighter.lane == "C" else "C"
    for each in moving:
        each.lane, each.marks.flanker = lane, True


def wing(field: Field, enemy: Role) -> Lane:
    """The wing that holds more points of the enemy; of equals the left."""
    left, right = (sum(each.points for each in field.present(enemy, lane)) for lane in ("L", "R"))
    return "R" if right > left else "L"


# --- 1c Advance ---------------------------------------------------------------------------------------------------


def advance(field: Field) -> None:
    """Where both sides stand apart they close in. Who brings the lane together charges."""
    field.notes.update({lane: Notes() for lane in field.contested()})
    for lane in [lane for lane in field.contested() if field.bands[lane] > 0]:
        acting = {role: acts(field, role, lane) for role in ROLES}
        for role in ROLES:
            field.steps[role, lane] = step(field, role, lane, acting[role])
        field.bands[lane] = max(0, field.bands[lane] - field.steps["A", lane] - field.steps["B", lane])
        if field.bands[lane] == 0:
            charge(field, lane, [*acting["A"], *acting["B"]])


def acts(field: Field, role: Role, lane: Lane) -> list[Fighter]:
    """Who of a side goes forward in a lane: who attacks; and who sallies against those that only stand and shoot."""
    enemies = field.present(enemy_of(role), lane)
    baited = all(each.order == "HOLD" for each in enemies) and any(each.values.missile for each in enemies)
    sally = baited and field.plans[role].sally and field.round >= tables.SALLY_ROUND
    return [
        each
        for each in field.present(role, lane)
        if each.values.speed > 0 and (each.order == "ATTACK" or (sally and not each.values.missile))
    ]


def step(field: Field, role: Role, lane: Lane, acting: Sequence[Fighter]) -> int:
    """How far a side goes: two bands if all are fast, on slow ground one; a unit round the flank makes it one more."""
    if not acting:
        return 0
    pace = [each for each in acting if each.unit.kind != "hero"] or acting
    fast = all(each.values.fast for each in pace) and field.battle.ground not in SLOW_GROUND
    flank = any(each.marks.came and each.station.arrives == "flank" for each in field.present(role, lane))
    return 1 + fast + flank


def charge(field: Field, lane: Lane, acting: Sequence[Fighter]) -> None:
    """Who stepped charges; all cavalry there does, for it meets the enemy half way."""
    for each in field.present(lane=lane):
        each.marks.charged = each in acting or each.unit.kind == "cavalry"
