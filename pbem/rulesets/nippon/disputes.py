"""Chapter 8.5, when a stage closes: what becomes of battles that wait, and of those on whose result nobody agrees."""

from collections import Counter

from pbem.core.ruleset import ORGANIZER
from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.engagements import (
    Side,
    battle,
    dice_about,
    disputed,
    enemies_asked,
    forsaken,
    has_time,
    left_to_dice,
    privy,
    rolled_for,
    unanswered,
    uncontradicted,
)
from pbem.rulesets.nippon.events import (
    Because,
    DiceOffRolled,
    DisputeOpened,
    LossesAgreed,
    MeetingSettled,
    NextBattleAwaited,
    ResultLapsed,
    ResultRuled,
)
from pbem.rulesets.nippon.fighting import fight_battle
from pbem.rulesets.nippon.orders import Ruling
from pbem.rulesets.nippon.results import decide, read_result
from pbem.rulesets.nippon.state import UNREPORTED, Losses, Meeting, Result, State, Verdict
from pbem.rulesets.nippon.tabletop import unplayed
from pbem.rulesets.nippon.ties import rolled_off

# --- the next battle of a meeting -------------------------------------------------------------------------------------


BY_DICE_ALONE: tuple[Verdict, ...] = ("fought", "unfought")
"""How battles are decided that nobody has played: then dice decide the next one as well."""


@rule("8.4", "Sides, attacker and scenario")
def prolong(turn: Turn[State]) -> None:
    """Another stage for the next battles of meetings."""
    waiting = [each for _, each in sorted(turn.state.meetings.items()) if to_be_played(turn.state, each)]
    for meeting in waiting:
        turn.emit(NextBattleAwaited(meeting.at, *battle(turn.state, meeting)))


def to_be_played(state: State, meeting: Meeting) -> bool:
    """Whether the battle that waits follows one on whose winner players or organizer had a say, and has not had a stage
    of its own: who fights it may not have known that he would. What one side tells of it takes that from nobody."""
    known = any(bout.why not in BY_DICE_ALONE for bout in meeting.fought[-1:])
    fresh = not meeting.settled and len(meeting.fought) > meeting.prolonged
    return known and fresh and state.options.battles == "table" and not unplayable(state, meeting)


def unplayable(state: State, meeting: Meeting) -> bool:
    """Whether a stage of its own would not bring the battle that waits to the table."""
    by_dice = left_to_dice(state, meeting) or rolled_for(state, meeting)
    return by_dice or forsaken(state, meeting) or unplayed(state, meeting)


# --- when a stage closes ----------------------------------------------------------------------------------------------


@rule("8.5", "Results")
def close_battles(turn: Turn[State]) -> None:
    """When the stage closes battles are decided; but a result that is not agreed to gets a stage of its own, and one
    that is disputed only there gets a second one. There is no third, also if the next battle of another meeting is
    awaited meanwhile: that stage counts for both."""
    for at in sorted(turn.state.meetings):
        while not turn.state.meetings[at].settled and due(turn.state, turn.state.meetings[at]):
            settle(turn, at)
    open_disputes(turn)
    prolong(turn)


def open_disputes(turn: Turn[State]) -> None:
    """A stage for each battle that is not agreed. Where the turn waits for a next battle anyway, the meetings go on:
    only for disputes that have begun it is the second."""
    waiting = [each for _, each in sorted(turn.state.meetings.items()) if not each.settled]
    unagreed = [each for each in waiting if not to_be_played(turn.state, each)]
    for meeting in unagreed:
        again = meeting.next.disputes > 0
        if again or waiting == unagreed:
            turn.emit(DisputeOpened(meeting.at, *battle(turn.state, meeting), again))


def due(state: State, meeting: Meeting) -> bool:
    """Whether the battle that waits is decided now, as nobody is to get another stage for it."""
    return not to_be_played(state, meeting) and not has_time(state, meeting)


def settle(turn: Turn[State], at: int) -> None:
    """Decide the battle that waits, by what was said of it or by dice; of an assault, that dice will."""
    meeting = turn.state.meetings[at]
    if meeting.assault and not agreed_across(turn.state, meeting):
        turn.emit(MeetingSettled(at, "dice", left_because(turn.state, meeting)))
        return
    why, counts = verdict(turn.state, meeting), uncontradicted(turn.state, meeting)
    if why == "undisputed" and counts and counts != meeting.next.result:
        late = meeting.next.result or counts
        turn.emit(ResultLapsed(at, late.by, counts), to=privy(meeting))
    if why == "fought":
        fight_battle(turn, at)
    if why == "dice-off":
        roll_off(turn, at)
    decide(turn, at, why)


def verdict(state: State, meeting: Meeting) -> Verdict:
    """What decides a battle whose result was not confirmed in time, or an assault whose enemies have confirmed it."""
    if meeting.assault:
        return "confirmed"
    if rolled_for(state, meeting):
        return "dice-off"
    if uncontradicted(state, meeting) and not left_to_dice(state, meeting):
        return "undisputed"
    return "fought" if meeting.next.result or automatic(state, meeting) else "unfought"


def agreed_across(state: State, meeting: Meeting) -> bool:
    """Whether all enemies of who reported a result confirm it, and none of his friends disputes it."""
    enemies = enemies_asked(state, meeting)
    return bool(enemies) and meeting.next.confirmed.issuperset(enemies) and not disputed(state, meeting)


def left_because(state: State, meeting: Meeting) -> Because:
    """Why an assault that could be played is left to dice (NIP 8.9)."""
    if left_to_dice(state, meeting):
        return "wanted"
    if meeting.unopposed:
        return "unopposed"
    if meeting.next.result:
        return "disputed" if disputed(state, meeting) else "unconfirmed"
    return "unplayed" if unplayed(state, meeting) else "untold"


def automatic(state: State, meeting: Meeting) -> bool:
    """Whether a battle without a result is fought automatically: by option, or because it is left to dice."""
    by_option = state.options.battles == "auto" or state.options.unfought == "auto"
    return by_option or left_to_dice(state, meeting) or unplayed(state, meeting)


# --- dice-off ---------------------------------------------------------------------------------------------------------


def roll_off(turn: Turn[State], at: int) -> None:
    """A die for each side, ties again; the higher has won by a victory, with the losses that both told alike."""
    state, meeting = turn.state, turn.state.meetings[at]
    first = sorted(side[0] for side in battle(state, meeting))
    order = rolled_off(first, lambda seat, again: turn.roll(dice_about(f"dice-off {seat}", meeting) + again, 6))
    losses, burnt = agreed_losses(state, meeting)
    turn.emit(DiceOffRolled(at, Result(UNREPORTED, order[0], "victory")))
    if losses or burnt:
        turn.emit(LossesAgreed(at, losses, burnt), to=privy(meeting))


def agreed_losses(state: State, meeting: Meeting) -> tuple[Losses, tuple[str, ...]]:
    """The losses of units, and the structures destroyed, of which both sides tell the same in their last reports."""
    return told_alike(*(last_report(meeting, side) for side in battle(state, meeting)))


def last_report(meeting: Meeting, side: Side) -> Result:
    """What a side reported last; nothing, if all that it said is that it was otherwise."""
    told = (each.result for each in meeting.next.statements if each.by in side and each.result)
    return [Result(UNREPORTED), *told][-1]


def told_alike(one: Result, other: Result) -> tuple[Losses, tuple[str, ...]]:
    """The losses of units, and the structures destroyed, that two results tell in the same words."""
    common = {(key, loss) for key, told in other.losses for loss in told}
    losses = ((key, tuple(loss for loss in told if (key, loss) in common)) for key, told in one.losses)
    burnt = (Counter(one.destroyed) & Counter(other.destroyed)).elements()
    return tuple((key, told) for key, told in losses if told), tuple(sorted(burnt))


# --- the organizer's ruling -------------------------------------------------------------------------------------------


def to_rule(state: State) -> tuple[Meeting, ...]:
    """The disputes that the organizer may settle, by section; none where players do it alone."""
    if state.options.disputes != "organizer":
        return ()
    meetings = (state.meetings[at] for at in sorted(state.meetings))
    return tuple(each for each in meetings if not each.settled and disputed(state, each) and unanswered(state, each))


@rule("8.5", "Results")
def arbitrate(turn: Turn[State]) -> None:
    """At once: the organizer settles a dispute, with a reason for all who fought."""
    for giver, ruling in turn.given(Ruling):
        meeting = turn.state.meetings.get(ruling.at)
        if giver == ORGANIZER and meeting in to_rule(turn.state):
            result = read_result(turn.state, meeting, ORGANIZER, ruling.told) if ruling.told else None
            turn.emit(ResultRuled(ruling.at, result, ruling.reason), to=privy(meeting))
            if result:
                decide(turn, ruling.at, "ruled")
