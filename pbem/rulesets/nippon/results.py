"""Chapter 8.5, results: how a battle came out, as its players tell and confirm it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import singledispatch
from typing import Any

from pbem.core.turn import Turn, rule
from pbem.core.wording import listed
from pbem.rulesets.nippon.engagements import (
    Side,
    asked,
    battle,
    by_dice,
    confirmed,
    disputed,
    fighters,
    forsaken,
    meeting_for,
    privy,
)
from pbem.rulesets.nippon.events import (
    AutomaticAsked,
    BattleDecided,
    DiceOffAsked,
    MeetingSettled,
    ResultConfirmed,
    ResultDisputed,
    ResultReported,
)
from pbem.rulesets.nippon.fighting import at_home, residents
from pbem.rulesets.nippon.garrisons import destroy, standing_there
from pbem.rulesets.nippon.legality import Refusal
from pbem.rulesets.nippon.meetings import proceed
from pbem.rulesets.nippon.orders import AskAutomatic, AskDiceOff, JudgeResult, ReportResult, UnitLoss
from pbem.rulesets.nippon.state import (
    RESERVE,
    UNREPORTED,
    Loss,
    Losses,
    Meeting,
    Result,
    State,
    Unit,
    Verdict,
    by_corps,
)
from pbem.rulesets.nippon.tabletop import answering, deputy_for, no_meeting, outside, voice

# --- 8.5 Results --------------------------------------------------------------------------------------------------


@rule("8.5", "Results")
def report_results(turn: Turn[State]) -> None:
    """At once, while meetings are open: one tells how the battle came out, the others confirm or dispute it."""
    for seat, wish in turn.given(AskAutomatic):
        ask_automatic(turn, seat, wish)
    for seat, asking in turn.given(AskDiceOff):
        ask_dice_off(turn, seat, asking)
    for seat, told in turn.given(ReportResult):
        report(turn, seat, told)
    for seat, judged in turn.given(JudgeResult):
        judge(turn, seat, judged)


def ask_automatic(turn: Turn[State], seat: str, wish: AskAutomatic) -> None:
    """Note who wants the next battle to be automatic, or not any more (NIP 8.3)."""
    if refusal(turn.state, seat, wish):
        return
    battle = turn.state.meetings[wish.at].next
    if (seat in battle.automatic, seat in battle.dice_off) != (wish.automatic, False):
        with turn.citing("8.3"):
            turn.emit(AutomaticAsked(wish.at, seat, wish.automatic), to=privy(turn.state.meetings[wish.at]))


def ask_dice_off(turn: Turn[State], seat: str, wish: AskDiceOff) -> None:
    """Note who wants to roll off for a battle whose result is disputed."""
    if not refusal(turn.state, seat, wish) and seat not in turn.state.meetings[wish.at].next.dice_off:
        turn.emit(DiceOffAsked(wish.at, seat), to=privy(turn.state.meetings[wish.at]))


def report(turn: Turn[State], seat: str, told: ReportResult) -> None:
    """Put a result to all who fought. One that fits confirms or completes what stands; another disputes it."""
    if refusal(turn.state, seat, told):
        return
    speaker, seat = seat, voice(turn.state, told.at, seat)
    meeting = turn.state.meetings[told.at]
    deputy = deputy_for(seat, speaker)
    result = read_result(turn.state, meeting, seat, told)
    standing = meeting.next.result if seat in asked(turn.state, meeting) else None
    common = fitting(turn.state, meeting, seat, result) if standing else result
    if standing and common == replace(standing, by=seat):
        confirm(turn, told.at, speaker)
        return
    if common is None:
        turn.emit(ResultDisputed(told.at, seat, deputy=deputy), to=privy(meeting))
    version, anew = meeting.next.version + 1, meeting.next.result is not None
    turn.emit(ResultReported(told.at, common or result, deputy, version, anew), to=privy(meeting))
    if deputy:
        confirm(turn, told.at, speaker)


def judge(turn: Turn[State], seat: str, judged: JudgeResult) -> None:
    """Another says whether it was so."""
    if refusal(turn.state, seat, judged):
        return
    if judged.confirm:
        confirm(turn, judged.at, seat)
        return
    meeting = turn.state.meetings[judged.at]
    for realm in answering(turn.state, meeting, seat):
        disputed = ResultDisputed(judged.at, realm, judged.words, deputy_for(realm, seat))
        turn.emit(disputed, to=privy(meeting))


def confirm(turn: Turn[State], at: int, speaker: str) -> None:
    """All in whose name somebody speaks agree; when all who are asked do, the battle is decided."""
    meeting = turn.state.meetings[at]
    for realm in answering(turn.state, meeting, speaker):
        turn.emit(ResultConfirmed(at, realm, deputy_for(realm, speaker)), to=privy(meeting))
    if confirmed(turn.state, turn.state.meetings[at]):
        decide(turn, at, "confirmed")


def decide(turn: Turn[State], at: int, why: Verdict) -> None:
    """A battle is over; on with the meeting. An assault comes after all meetings, with the common result."""
    meeting = turn.state.meetings[at]
    if meeting.assault:
        turn.emit(MeetingSettled(at, "table"))
        return
    result = meeting.next.result if why != "unfought" else None
    attackers, defenders = battle(turn.state, meeting)
    winners = next((side for side in (attackers, defenders) if result and result.winner in side), ())
    degree = result.degree if result else ""
    turn.emit(BattleDecided(at, attackers, defenders, winners, degree, why))
    destroy(turn, at, result.destroyed if result else ())
    proceed(turn, at)


# --- what is refused ----------------------------------------------------------------------------------------------

Said = AskAutomatic | AskDiceOff | ReportResult | JudgeResult
"""What may be said of how a battle is to be decided."""

RULED = Refusal("8.5", "The organizer has ruled that the battle is fought automatically.")
FORSAKEN = Refusal("13.1", "Nobody plays the other side any more: the battle is automatic when the stage closes.")


def refusal(position: State, seat: str, order: Said) -> Refusal | None:
    """NIP 8.3, 8.5: why a seat cannot say this of the battle that waits; ``None`` if it can."""
    realm = voice(position, order.at, seat) if isinstance(order, ReportResult | JudgeResult) else seat
    meeting = meeting_for(position, order.at, realm)
    if meeting is None:
        return no_meeting(position, seat, order.at)
    if by_dice(position, meeting):
        return Refusal("8.3", "All battles of this campaign are automatic: nothing is to be said of them.")
    if meeting.next.ruled:
        return RULED
    return _refusal(order, position, seat, meeting)


@singledispatch
def _refusal(order: Any, position: State, seat: str, meeting: Meeting) -> Refusal | None:
    """Why a seat cannot say it of the battle for which its meeting waits."""
    raise NotImplementedError


@_refusal.register
def _(order: AskAutomatic, position: State, seat: str, meeting: Meeting) -> Refusal | None:
    if forsaken(position, meeting) and not meeting.unopposed:
        return FORSAKEN
    return outside(position, seat, meeting)


@_refusal.register
def _(order: AskDiceOff, position: State, seat: str, meeting: Meeting) -> Refusal | None:
    if meeting.assault:
        return Refusal("8.9", "An assault without a common result is fought by dice anyway: there is no dice-off.")
    if forsaken(position, meeting):
        return FORSAKEN
    if elsewhere := outside(position, seat, meeting):
        return elsewhere
    if not disputed(position, meeting):
        place = position.place(meeting.at)
        return Refusal("8.5", f"No result of {place} is disputed: only then a dice-off may decide.")
    return None


@_refusal.register
def _(order: ReportResult, position: State, seat: str, meeting: Meeting) -> Refusal | None:
    if meeting.unopposed:
        place = position.place(meeting.at)
        return Refusal("8.9", f"Nobody has taken the defence in {place}: no game has been played yet.")
    if forsaken(position, meeting):
        return FORSAKEN
    realm = voice(position, meeting.at, seat)
    return outside(position, realm, meeting) or next(unsound(position, meeting, order), None)


@_refusal.register
def _(order: JudgeResult, position: State, seat: str, meeting: Meeting) -> Refusal | None:
    if meeting.next.result is None:
        return Refusal("8.5", f"No result of {position.place(meeting.at)} has been reported yet.")
    if elsewhere := outside(position, voice(position, meeting.at, seat), meeting):
        return elsewhere
    if not answering(position, meeting, seat):
        reporter = meeting.next.result.by
        by = "You have" if reporter == seat else f"{position.realms[reporter].name} has"
        own = " yourself" if reporter == seat else ""
        return Refusal("8.5", f"{by} reported that result{own}: the others judge it.")
    named = order.version in (meeting.next.number, meeting.next.version)
    return _replaced(position, meeting) if order.confirm and not named else None


def _replaced(position: State, meeting: Meeting) -> Refusal:
    """Why whoever does not name the result that stands cannot confirm it: another was reported since, as a rule."""
    if not meeting.next.number:
        return Refusal("8.5", f"Only one result of {position.place(meeting.at)} was reported: confirm {meeting.at}.")
    told = meeting.next.result or Result(UNREPORTED)
    outcome = as_told(position, meeting.at, told)
    by, line = position.realms[told.by].name, JudgeResult(meeting.at, confirm=True, version=meeting.next.number)
    before = f"What was reported of {position.place(meeting.at)} before"
    if meeting.next.version > meeting.next.earlier + 1:
        reason = f"{before} is replaced. {by} has put this in its place:"
    else:
        reason = f"{before} was of another battle. Of this one {by} says:"
    return Refusal("8.5", f"{reason} {outcome}. If it was so, send {line}.")


def unsound(position: State, meeting: Meeting, told: ReportResult) -> Iterator[Refusal]:
    """What cannot be in a result, whoever tells it, but for losses: a part of those may be nobody else's to know."""
    fighting = fighters(position, meeting)
    if told.winner and told.winner not in fighting:
        names = listed(position.realms[seat].name for seat in fighting)
        yield Refusal("8.5", f"{position.realms[told.winner].name} does not fight in that battle: {names} do.")
    if too_many := Counter(told.destroyed) - Counter(standing_there(position, told.at, told.destroyed)):
        yield Refusal("9.1", f"So many do not stand in {position.place(told.at)}: {', '.join(sorted(too_many))}.")


# --- what was told ------------------------------------------------------------------------------------------------


def read_result(state: State, meeting: Meeting, by: str, told: ReportResult) -> Result:
    """A result as it was told; the winner's side goes by its first realm."""
    winner = next((side[0] for side in battle(state, meeting) if told.winner in side), "")
    losses, burnt = read_losses(state, meeting, told.losses), standing_there(state, told.at, told.destroyed)
    return Result(by, winner, told.degree, losses, burnt)


def read_losses(state: State, meeting: Meeting, told: Sequence[UnitLoss]) -> Losses:
    """Losses as they were told, by banner; lines about who has no part in it, or came through whole, are dropped."""
    there = {(key, unit.name): unit for key, unit in combatants(state, meeting)}
    known = {line.of: line.loss.within(there[line.of], known=False) for line in told if line.of in there}
    hurt = {of: loss for of, loss in known.items() if loss != Loss(loss.unit, there[of].standing)}
    return by_corps((corps_of(state, key), hurt[key, unit]) for key, unit in sorted(hurt))


def combatants(state: State, meeting: Meeting) -> Iterator[tuple[str, Unit]]:
    """The units in the battle that waits, as a report of its result names them: with the key of their banner.

    Those of a reserve go by the seat of their realm alone, a garrison's by its own word (NIP 8.7).
    """
    for side in battle(state, meeting):
        yield from fielded(state, meeting, side)


def fielded(state: State, meeting: Meeting, side: Side) -> Iterator[tuple[str, Unit]]:
    """The units of one side, as :func:`combatants` has them."""
    banners = [state.banners[key] for key in meeting.banners if state.banners[key].realm in side]
    yield from ((banner.key, unit) for banner in banners for unit in banner.units)
    if at_home(state, meeting.at, side) or (meeting.assault and meeting.next.defender in side):
        holder = state.sections[meeting.at].controller
        yield from ((key or holder, unit) for key, unit in residents(state, meeting.at))


def corps_of(state: State, named: str) -> str:
    """The key in losses of those whom :func:`combatants` names so."""
    return RESERVE if named in state.realms else named


def as_told(position: State, at: int, result: Result) -> str:
    """A result as it stands behind the colon of the line that reports it: ``Crane Host victory; A Spearmen 12``."""
    name = position.realms[result.winner].name if result.winner else ""
    losses = losses_as_told(position, at, result)
    return str(ReportResult(at, result.winner, name, result.degree, losses, result.destroyed)).partition(": ")[2]


def losses_as_told(position: State, at: int, result: Result) -> tuple[UnitLoss, ...]:
    """What a result says of units, as it is reported: those of a reserve go by the seat of their realm."""
    holder = position.sections[at].controller
    return tuple(UnitLoss(key or holder, loss) for key, told in result.losses for loss in told)


def fitting(state: State, meeting: Meeting, seat: str, result: Result) -> Result | None:
    """What a result tells together with the one that stands; nothing, if it is another: so it is, too, if it leaves out
    losses of the realm's own side. Where one has taken another's place, whoever leaves out what the last one tells may
    still speak of the one before."""
    standing = meeting.next.result
    common = combined(standing, result) if standing else result
    whole = common and (common.losses, len(common.destroyed)) == (result.losses, len(result.destroyed))
    may_add = meeting.next.version == meeting.next.earlier + 1 and not leaves_out(state, meeting, seat, result)
    return common if whole or may_add else None


def leaves_out(state: State, meeting: Meeting, seat: str, result: Result) -> bool:
    """Whether a result says nothing of losses that the standing one tells of the side of the realm that reports it. No
    realm agrees to losses of its own of which it may not have read."""
    standing = meeting.next.result or result
    side = next((side for side in battle(state, meeting) if seat in side), ())
    own = {corps_of(state, key) for key, _ in fielded(state, meeting, side)}
    one, other = ({(key, loss.unit) for key, told in each.losses for loss in told} for each in (standing, result))
    return any(key in own for key, _ in one - other)


def combined(standing: Result, result: Result) -> Result | None:
    """The later result with all that both tell, if they do not contradict each other in anything."""
    if (standing.winner, standing.degree) != (result.winner, result.degree):
        return None
    one, other = ({(key, loss.unit): loss for key, told in each.losses for loss in told} for each in (standing, result))
    if any(one[of] != other[of] for of in one.keys() & other.keys()):
        return None
    burnt = (Counter(standing.destroyed) | Counter(result.destroyed)).elements()
    losses = by_corps((key, loss) for (key, _), loss in sorted((one | other).items()))
    return replace(result, losses=losses, destroyed=tuple(sorted(burnt)))
