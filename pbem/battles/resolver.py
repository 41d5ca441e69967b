"""BR-1: one battle, round by round."""

from collections import Counter

from pbem.battles import tables
from pbem.battles.approach import approach
from pbem.battles.breaking import break_tests, ending, total
from pbem.battles.field import Field
from pbem.battles.magic_seven import Roll, two_dice
from pbem.battles.melee import fronts, melee
from pbem.battles.model import LANES, Account, Battle, Lane, LaneAccount, Outcome, Role, Side
from pbem.battles.plans import draw_up
from pbem.battles.result import outcome
from pbem.battles.shooting import shooting


def fight(battle: Battle, roll: Roll) -> Outcome:
    """Fight a battle to its end. ``roll`` gives one D6 after the other; the same dice give the same outcome.

    Whoever has no units loses at once. Units of a side are told apart by their names: raises ValueError where two have
    the same one.
    """
    for side in (battle.attacker, battle.defender):
        _distinct(side)
    dice: list[int] = []

    def noted() -> int:
        dice.append(roll())
        return dice[-1]

    field = draw_up(battle, noted)
    field.day = the_day(noted)
    rounds: list[Account] = []
    end = None
    while end is None:
        play_round(field)
        end = ending(field, most_rounds(field))
        rounds.append(account(field))
    return outcome(field, *end, rounds, dice)


def _distinct(side: Side) -> None:
    names = Counter(unit.name for unit in side.units)
    if doubled := sorted(name for name, times in names.items() if times > 1):
        raise ValueError(f"units of a side need names of their own; more than one is called {', '.join(doubled)}")


# --- 12.4 The battle ----------------------------------------------------------------------------------------------


def the_day(roll: Roll) -> Role | None:
    """Step 0. Weather, ground and luck may make it the day of one side."""
    a, b = two_dice(roll), two_dice(roll)
    if abs(a - b) < tables.DAY_DIFFERENCE:
        return None
    return "A" if a > b else "B"


def most_rounds(field: Field) -> int:
    """The larger the armies, the longer a battle lasts."""
    mean = (total(field, "A") + total(field, "B")) // 2
    return min(tables.MOST_ROUNDS, tables.LEAST_ROUNDS + mean // tables.POINTS_PER_ROUND)


def play_round(field: Field) -> None:
    """A round. Its step 3, following up, is the shifts of the next."""
    field.begin_round()
    approach(field)
    shooting(field)
    standing = fronts(field)
    melee(field, standing)
    break_tests(field, standing)


def account(field: Field) -> Account:
    """Close a round: what was seen in each lane, and who will not be seen again."""
    lost = field.lost_since()
    for each in lost:
        notes = field.notes[each.lane]
        (notes.fled if each.left else notes.destroyed).append(each.name)
    field.gone += lost
    return Account(field.round, tuple(lane_account(field, lane) for lane in LANES if lane in field.notes))


def lane_account(field: Field, lane: Lane) -> LaneAccount:
    """What was written down of a lane, with what the marks of this round tell of those in it."""
    notes, there = field.notes[lane], [each for each in field.fighters if each.lane == lane]
    harmed = [(each.name, each.marks.before - each.left) for each in there]
    return LaneAccount(
        lane=lane,
        band=field.bands[lane],
        shot=(notes.shot["A"], notes.shot["B"]),
        struck=(field.dealt["A", lane], field.dealt["B", lane]),
        score=notes.score,
        came=tuple(each.name for each in there if each.marks.came and not each.marks.flanker),
        flanked=tuple(each.name for each in there if each.marks.flanker),
        charged=tuple(each.name for each in there if each.marks.charged),
        harmed=tuple((name, wounds) for name, wounds in harmed if wounds),
        tests=tuple(notes.tests),
        pursued=tuple(notes.pursued),
        fled=tuple(notes.fled),
        destroyed=tuple(notes.destroyed),
    )
