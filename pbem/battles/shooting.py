"""BR-1 12.4, step 2a of a round: shooting and panic."""

from pbem.battles import tables
from pbem.battles.field import Field, Fighter, choose, enemy_of
from pbem.battles.magic_seven import shoot, unsaved


def shooting(field: Field) -> None:
    """All shoot, then all losses are taken, then who lost much may panic."""
    wounds: list[tuple[Fighter, Fighter, int]] = []
    for shooter in field.present():
        target = aimed_at(field, shooter)
        if target:
            wounds.append((shooter, target, volley(field, shooter, target)))
    for shooter, target, number in wounds:
        field.notes[shooter.lane].shot[shooter.side] += target.suffer(number)
    panic(field)


def aimed_at(field: Field, shooter: Fighter) -> Fighter | None:
    """Whom a unit shoots at: somebody in its lane, within reach, not in melee."""
    if not 1 <= field.bands[shooter.lane] <= shooter.values.bands:
        return None
    return choose(field.plans[shooter.side].target, field.targets(enemy_of(shooter.side), shooter.lane))


def volley(field: Field, shooter: Fighter, target: Fighter) -> int:
    """The wounds of a unit's shots: all shots first, then the saves."""
    machine = shooter.unit.kind == "machine"
    shots = tables.MACHINE_SHOTS * shooter.models if machine else -(-shooter.models // tables.MODELS_PER_SHOT)
    hits = shoot(shots, shooter.values.aim - hindrance(field, shooter, target), field.roll)
    return unsaved(hits, target.values.defence, field.roll) * (tables.MACHINE_WOUNDS if machine else 1)


def hindrance(field: Field, shooter: Fighter, target: Fighter) -> int:
    """What comes off the aim: distance, an own advance, trees, walls."""
    ground, fort = field.battle.ground, field.battle.fort
    far = field.bands[shooter.lane] >= tables.FAR_BAND and shooter.unit.kind != "machine"
    moved = shooter.order == "ATTACK" and field.steps.get((shooter.side, shooter.lane), 0) > 0
    hidden = target.side == "B" and ground == "forest" and fort == "none"
    cover = tables.BEHIND[fort] if target.side == "B" else 0
    return tables.FAR * far + tables.MOVED * moved + tables.FOREST * hidden + cover


def panic(field: Field) -> None:
    """Who lost a quarter of its wounds in this round tests leadership, or flees."""
    for fighter in field.present():
        lost = fighter.marks.before - fighter.left
        shaken = lost > 0 and lost * tables.PANIC_SHARE >= fighter.marks.before
        if shaken and not fighter.fled and not field.passes(fighter, field.leadership(fighter), "panic"):
            field.flee(fighter)
