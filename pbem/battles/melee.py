"""BR-1 12.4, steps 2b and 2c of a round: the fronts, and the quick and the normal blows."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pbem.battles import tables
from pbem.battles.field import Field, Fighter, choose, enemy_of
from pbem.battles.magic_seven import attack, unsaved
from pbem.battles.model import ROLES, Lane, Role

Fronts = Mapping[tuple[Role, Lane], Sequence[Fighter]]
"""Who stands in front, by side and lane."""


@dataclass(frozen=True)
class Blow:
    """Wounds dealt by one unit to another."""

    striker: Fighter
    target: Fighter
    wounds: int
    in_challenge: bool = False


# --- Front --------------------------------------------------------------------------------------------------------


def fronts(field: Field) -> Fronts:
    """Of each lane where the sides have met: who stands in front for the whole round."""
    return {(role, lane): front(field, role, lane) for lane in field.fighting() for role in ROLES}


def front(field: Field, role: Role, lane: Lane) -> list[Fighter]:
    """Two units more than the enemy has there; those that do not shoot first; heroes stand with their units."""
    width = len(field.targets(enemy_of(role), lane)) + tables.WIDER
    standing = sorted(field.targets(role, lane), key=lambda each: each.values.missile)[:width]
    return [each for each in field.present(role, lane) if (each.host if each.joined else each) in standing]


# --- 2b Quick melee, 2c normal melee ------------------------------------------------------------------------------


def melee(field: Field, standing: Fronts) -> None:
    """Quick blows first, then all others; those of a step fall at the same time."""
    for quick in (True, False):
        strike_all(field, standing, quick)


def strike_all(field: Field, standing: Fronts, quick: bool) -> None:
    """One step: everybody strikes at those who stood when it began, then all wounds are taken."""
    snapshot = {where: [each for each in there if each.present] for where, there in standing.items()}
    busy: Counter[Fighter] = Counter()
    blows: list[Blow] = []
    for striker in field.present():
        if striker.values.quick == quick and striker in snapshot.get((striker.side, striker.lane), ()):
            enemies = snapshot[enemy_of(striker.side), striker.lane]
            if enemies and not stopped_by_walls(field, striker):
                blows += strike(field, striker, enemies, busy)
            striker.engaged = striker.engaged or bool(enemies)
    for blow in blows:
        suffer(field, blow)


def stopped_by_walls(field: Field, striker: Fighter) -> bool:
    """Whether this is the step in which an attacker comes up to walls: it strikes nobody, and need not test."""
    first = striker.side == "A" and not striker.engaged
    striker.marks.stopped = striker.marks.stopped or (first and field.battle.fort == "walls")
    return first and striker.marks.stopped


def strike(field: Field, striker: Fighter, enemies: Sequence[Fighter], busy: Counter[Fighter]) -> list[Blow]:
    """A unit's attacks: on its target; by policy the first half of the dice on an enemy hero."""
    policy = field.plans[striker.side].target
    target = choose(policy, [each for each in enemies if not each.joined], lambda each: busy[each])
    hero = max((each for each in enemies if each.unit.kind == "hero"), key=lambda each: each.unit.points, default=None)
    dice = attacks(striker)
    aside = dice // 2 if policy == "HEROES" and hero else 0
    struck = [(hero, aside, True)] if hero and aside else []
    if target:
        busy[target] += 1
        struck.append((target, dice - aside, False))
    hits = [attack(n, skill(field, striker, foe), field.roll, explodes=explodes(striker))[0] for foe, n, _ in struck]
    return [
        Blow(striker, foe, unsaved(number, defence(striker, foe), field.roll), challenge)
        for (foe, _, challenge), number in zip(struck, hits, strict=True)
    ]


def attacks(striker: Fighter) -> int:
    """The attack dice of a unit: as many models as can strike; infantry adds dice for its rear ranks."""
    ranks = 0
    if striker.unit.kind == "infantry":
        behind = max(0, striker.models - tables.RANK_FROM)
        ranks = min(behind // tables.MODELS_PER_RANK_DIE, tables.MOST_RANK_DICE)
    return min(striker.models, striker.values.frontage) * striker.values.attacks + ranks


def skill(field: Field, striker: Fighter, target: Fighter) -> int:
    """Melee skill: the day, a flank, a charge (only cavalry against those that hold), works in the way."""
    day = 0 if field.day is None else 1 if field.day == striker.side else -1
    charge = striker.marks.charged and (target.order != "HOLD" or striker.unit.kind == "cavalry")
    works = striker.side == "A" and field.battle.fort == "works" and not striker.engaged
    return striker.values.melee + day + striker.marks.flanker + charge - works


def explodes(striker: Fighter) -> bool:
    """Whether a natural 6 hits and strikes again."""
    return "explode" in striker.unit.flags


def defence(striker: Fighter, target: Fighter) -> int:
    """Defence is weaker against a flanker."""
    return max(0, target.values.defence - striker.marks.flanker)


def suffer(field: Field, blow: Blow) -> None:
    """The target takes wounds; those that it really had left count for the lane."""
    suffered = blow.target.suffer(blow.wounds)
    if blow.in_challenge and suffered and not blow.target.left:
        blow.target.slain_in_challenge = True
    field.dealt[blow.striker.side, blow.striker.lane] += suffered
