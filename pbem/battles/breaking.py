"""BR-1 12.4, step 4 of a round: who did worse may break, and who lost too much withdraws."""

from collections.abc import Sequence

from pbem.battles import tables
from pbem.battles.field import Field, Fighter, enemy_of
from pbem.battles.magic_seven import two_dice
from pbem.battles.melee import Fronts
from pbem.battles.model import ROLES, End, Lane, Role


def break_tests(field: Field, standing: Fronts) -> None:
    """In each lane where both sides are left in melee: the score; the lower side tests."""
    for lane in field.fighting():
        a, b = (score(field, role, lane, standing.get((role, lane), ())) for role in ROLES)
        field.notes[lane].score = a, b
        if a != b:
            worse: Role = "A" if a < b else "B"
            test(field, lane, worse, abs(a - b), standing.get((worse, lane), ()))


def score(field: Field, role: Role, lane: Lane, front: Sequence[Fighter]) -> int:
    """Wounds caused, and one for each: a standard, a flanker, a block of infantry in front."""
    there = [each for each in front if each.present]
    standard = any("standard" in each.unit.flags for each in there)
    flanker = any(each.marks.flanker for each in there)
    block = any(each.unit.kind == "infantry" and each.models >= tables.BLOCK for each in there)
    return field.dealt[role, lane] + standard + flanker + block


def test(field: Field, lane: Lane, role: Role, difference: int, front: Sequence[Fighter]) -> None:
    """Who lost wounds in front tests, all by one roll; each who fails flees and may be pursued, unless heroic."""
    harmed = [each for each in front if each.present and not each.joined and each.left < each.marks.before]
    limits = {each: limit(field, each, difference) for each in harmed if not each.marks.stopped}
    if not limits:
        return
    rolled = two_dice(field.roll)
    for fighter, most in limits.items():
        if not field.passes(fighter, most, "break", rolled):
            for each in field.flee(fighter):
                each.standard_lost = "standard" in each.unit.flags
            pursue(field, fighter)


def limit(field: Field, fighter: Fighter, difference: int) -> int:
    """The leadership that a unit has left by how much its side did worse."""
    sinks = sum(difference >= step for step in tables.BREAK_STEPS)
    return max(tables.LEAST_LIMIT, field.leadership(fighter) - sinks)


def pursue(field: Field, fugitive: Fighter) -> None:
    """An attacking enemy that is as fast cuts down up to six wounds' worth."""
    enemy = enemy_of(fugitive.side)
    after = field.present(enemy, fugitive.lane)
    keen = any(each.order == "ATTACK" and each.values.speed >= fugitive.values.speed for each in after)
    if keen and field.plans[enemy].pursue:
        cost = fugitive.suffer(field.roll())
        field.notes[fugitive.lane].pursued.append((fugitive.name, cost))


# --- how it ends --------------------------------------------------------------------------------------------------


def routed(field: Field) -> tuple[Role, ...]:
    """The sides with nobody left on the field."""
    return tuple(role for role in ROLES if not field.present(role))


def withdrawing(field: Field) -> tuple[Role, ...]:
    """The sides that have lost as much as they were told to bear."""
    return tuple(role for role in ROLES if lost(field, role) * 100 >= patience(field, role) * total(field, role))


def patience(field: Field, role: Role) -> int:
    """Percent of its points that a side may lose before it withdraws."""
    told = field.plans[role].retreat
    return tables.RETREAT if told is None else told


def withdraw(field: Field, sides: Sequence[Role]) -> None:
    """Who breaks off a melee tests leadership, or flees."""
    fighting = field.fighting()
    for fighter in [each for each in field.present() if each.side in sides and each.lane in fighting]:
        tests = fighter.present and not fighter.joined
        if tests and not field.passes(fighter, field.leadership(fighter), "withdrawal"):
            field.flee(fighter)


def lost(field: Field, role: Role) -> int:
    """The points that a side has lost."""
    return sum(each.lost_points for each in field.sides[role])


def total(field: Field, role: Role) -> int:
    """The points that a side brought."""
    return max(1, sum(each.unit.points for each in field.sides[role]))


def ending(field: Field, most_rounds: int) -> tuple[End, tuple[Role, ...]] | None:
    """Whether the battle is over after this round, how, and for whom."""
    if fallen := routed(field):
        return "rout", fallen
    if leaving := withdrawing(field):
        withdraw(field, leaving)
        return "withdrawal", leaving
    return ("limit", ()) if field.round >= most_rounds else None
