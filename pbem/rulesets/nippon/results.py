"""Chapter 8.5, results: how a battle came out, as its players tell and confirm it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.engagements import Side, asked, battle, disputed, fighters, forsaken, meeting_for, privy
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
from pbem.rulesets.nippon.meetings import proceed
from pbem.rulesets.nippon.orders import AskAutomatic, AskDiceOff, JudgeResult, ReportResult, UnitLoss
from pbem.rulesets.nippon.state import RESERVE, Losses, Meeting, Result, State, Unit, by_corps
from pbem.rulesets.nippon.tabletop import voice

# --- 8.5 Results --------------------------------------------------------------------------------------------------


@rule("8.5", "Results")
def report_results(turn: Turn[State]) -> None:
    """At once, while meetings are open: a side tells how its battle came out, the other side confirms or disputes."""
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
    meeting = meeting_for(turn.state, wish.at, seat)
    changes = meeting and (seat in meeting.next.automatic, seat in meeting.next.dice_off) != (wish.automatic, False)
    if meeting and changes and seat in fighters(turn.state, meeting):
        with turn.citing("8.3"):
            turn.emit(AutomaticAsked(wish.at, seat, wish.automatic), to=privy(meeting))


def ask_dice_off(turn: Turn[State], seat: str, wish: AskDiceOff) -> None:
    """Note who wants to roll off for a battle whose result is disputed."""
    meeting = meeting_for(turn.state, wish.at, seat)
    if meeting is None or meeting.assault or not disputed(turn.state, meeting):
        return
    if seat in set(fighters(turn.state, meeting)) - meeting.next.dice_off:
        turn.emit(DiceOffAsked(wish.at, seat), to=privy(meeting))


def report(turn: Turn[State], seat: str, told: ReportResult) -> None:
    """Put a result to the other side. One that fits theirs confirms or completes it; one that does not disputes it."""
    speaker, seat = seat, voice(turn.state, told.at, seat)
    meeting = meeting_for(turn.state, told.at, seat)
    fighting = fighters(turn.state, meeting) if meeting and not forsaken(turn.state, meeting) else ()
    if meeting is None or seat not in fighting or told.winner not in ("", *fighting):
        return
    deputy = speaker if speaker != seat else ""
    result = read_result(turn.state, meeting, seat, told)
    standing = meeting.next.result if seat in asked(turn.state, meeting) else None
    common = combined(standing, result) if standing else result
    if standing and common == replace(standing, by=seat):
        confirm(turn, told.at, seat, deputy)
        return
    if common is None:
        turn.emit(ResultDisputed(told.at, seat, deputy=deputy), to=privy(meeting))
    turn.emit(ResultReported(told.at, common or result, deputy), to=privy(meeting))


def judge(turn: Turn[State], seat: str, judged: JudgeResult) -> None:
    """The other side says whether it was so."""
    speaker, seat = seat, voice(turn.state, judged.at, seat)
    meeting = meeting_for(turn.state, judged.at, seat)
    if meeting is None or seat not in asked(turn.state, meeting):
        return
    deputy = speaker if speaker != seat else ""
    if judged.confirm:
        confirm(turn, judged.at, seat, deputy)
    else:
        turn.emit(ResultDisputed(judged.at, seat, judged.words, deputy), to=privy(meeting))


def confirm(turn: Turn[State], at: int, seat: str, deputy: str = "") -> None:
    """One more realm agrees, by itself or its deputy; when all who are asked do, the battle is decided."""
    turn.emit(ResultConfirmed(at, seat, deputy), to=privy(turn.state.meetings[at]))
    meeting = turn.state.meetings[at]
    if meeting.next.confirmed.issuperset(asked(turn.state, meeting)):
        decide(turn, at, "confirmed")


Verdict = Literal["confirmed", "undisputed", "unfought", "fought", "dice-off", "ruled"]
"""What decides a battle: a result stands, or there is none and it is a draw; or it is fought automatically, or rolled
off for; or the organizer says so."""


def decide(turn: Turn[State], at: int, why: Verdict) -> None:
    """A battle is over; on with the meeting. An assault comes after all meetings, with a common result or with dice."""
    meeting = turn.state.meetings[at]
    if meeting.assault:
        turn.emit(MeetingSettled(at, "table" if why == "confirmed" else "dice"))
        return
    result = meeting.next.result if why != "unfought" else None
    attackers, defenders = battle(turn.state, meeting)
    winners = next((side for side in (attackers, defenders) if result and result.winner in side), ())
    degree = result.degree if result else ""
    turn.emit(BattleDecided(at, attackers, defenders, winners, degree, why))
    destroy(turn, at, result.destroyed if result else ())
    proceed(turn, at)


# --- what was told ------------------------------------------------------------------------------------------------


def read_result(state: State, meeting: Meeting, by: str, told: ReportResult) -> Result:
    """A result as it was told; the winner's side goes by its first realm."""
    winner = next((side[0] for side in battle(state, meeting) if told.winner in side), "")
    losses, burnt = read_losses(state, meeting, told.losses), standing_there(state, told.at, told.destroyed)
    return Result(by, winner, told.degree, losses, burnt)


def read_losses(state: State, meeting: Meeting, told: Sequence[UnitLoss]) -> Losses:
    """Losses as they were told, by banner; lines about who has no part in it are dropped."""
    there = {(key, unit.name): unit for key, unit in combatants(state, meeting)}
    known = {line.of: line.loss.within(there[line.of], known=False) for line in told if line.of in there}
    return by_corps((corps_of(state, key), known[key, unit]) for key, unit in sorted(known))


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
