"""What waits for a realm in the second stage of a turn (NIP 8), as far as its view shows."""

from pbem.rulesets.nippon import defence, engagements, parley, results, tabletop
from pbem.rulesets.nippon.engagements import agreeing, disputed, fighters, meeting_for
from pbem.rulesets.nippon.orders import AskAutomatic, AskDiceOff, Defend, JudgeResult
from pbem.rulesets.nippon.state import Meeting, State, Terms
from pbem.rulesets.nippon.tabletop import answering, dating
from pbem.rulesets.nippon.view import View


def tables(view: View) -> tuple[Meeting, ...]:
    """The meetings in which the reader still has a part, or plays for somebody who has, by section (NIP 8.8)."""
    return tabletop.tables(view.position, view.seat or "")


def open_meetings(view: View) -> tuple[Meeting, ...]:
    """The meetings in which the reader still has a part, by section."""
    state, seat = view.position, view.seat or ""
    return tuple(state.meetings[at] for at in sorted(state.meetings) if meeting_for(state, at, seat))


def foes(view: View, meeting: Meeting) -> tuple[str, ...]:
    """The realms that the reader would still have to fight at a meeting, by seat."""
    return engagements.foes(view.position, meeting, view.seat or "")


def defences_to_take(view: View) -> tuple[Meeting, ...]:
    """The assaults whose defence the reader could play, by section."""
    state, seat = view.position, view.seat or ""
    wanted = (each for each in defence.undefended_assaults(state) if seat in state.realms)
    return tuple(each for each in wanted if defence.refusal(state, seat, Defend(each.at)) is None)


def terms_to_answer(view: View) -> tuple[Terms, ...]:
    """The terms that wait for the reader's answer, by number."""
    return parley.to_answer(view.position, view.seat or "")


def dice_to_answer(view: View) -> tuple[AskAutomatic | AskDiceOff, ...]:
    """What the reader could send to have what others have asked for: dice alone, or a dice-off (NIP 8.3, 8.5)."""
    state, seat = view.position, view.seat or ""
    own = [each for each in open_meetings(view) if seat in fighters(state, each)]
    yes: list[tuple[AskAutomatic | AskDiceOff, frozenset[str]]] = []
    yes += [(AskAutomatic(each.at), each.next.automatic) for each in own if seat in agreeing_with(state, each)]
    yes += [(AskDiceOff(each.at), each.next.dice_off) for each in own if disputed(state, each)]
    open_to = ((line, asking) for line, asking in yes if results.refusal(state, seat, line) is None)
    return tuple(line for line, asking in open_to if asking and seat not in asking)


def agreeing_with(state: State, meeting: Meeting) -> frozenset[str]:
    """The realms whose wish those who have asked for dice at a meeting wait for: in an assault their own side."""
    return frozenset(seat for asking in meeting.next.automatic for seat in agreeing(state, meeting, asking))


def dates_to_answer(view: View) -> tuple[Meeting, ...]:
    """The meetings with a date that waits for the reader's yes, by section (NIP 8.8)."""
    state, seat = view.position, view.seat or ""
    dated = (meeting for meeting in tables(view) if meeting.next.date)
    return tuple(each for each in dated if not each.next.agreed.issuperset(dating(state, each, seat)))


def results_to_judge(view: View) -> tuple[Meeting, ...]:
    """The meetings with a result that the reader may confirm or dispute, by section."""
    state, seat = view.position, view.seat or ""
    spoken_for = ((meeting, answering(state, meeting, seat)) for meeting in tables(view))
    silent = (
        meeting
        for meeting, realms in spoken_for
        if not (meeting.next.confirmed | meeting.next.disputed).issuperset(realms)
    )
    yes = ((meeting, JudgeResult(meeting.at, confirm=True, version=meeting.next.number)) for meeting in silent)
    return tuple(meeting for meeting, line in yes if results.refusal(state, seat, line) is None)
