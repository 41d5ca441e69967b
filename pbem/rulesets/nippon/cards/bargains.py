"""What may be offered, answered and reported at a meeting now, as far as the view shows (NIP 8.2, 8.5)."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import singledispatch
from typing import Any

from pbem.core.grammar import Misread
from pbem.core.wording import counted, listed
from pbem.rulesets.nippon import defence
from pbem.rulesets.nippon.agenda import defences_to_take, open_meetings, results_to_judge, tables, terms_to_answer
from pbem.rulesets.nippon.cards import verdicts
from pbem.rulesets.nippon.cards.casualties import misreported, possible, units
from pbem.rulesets.nippon.engagements import agreeing, asked, disputed, fighters, forsaken, meeting_for, played
from pbem.rulesets.nippon.garrisons import standing_there
from pbem.rulesets.nippon.legality import Refusal
from pbem.rulesets.nippon.orders import (
    Answer,
    AskAutomatic,
    AskDiceOff,
    BreakPact,
    Defend,
    JudgeResult,
    Offer,
    ReportResult,
)
from pbem.rulesets.nippon.parley import may_answer, missing, parleyed, partners_of, unsound
from pbem.rulesets.nippon.state import Meeting, Terms
from pbem.rulesets.nippon.tabletop import voice
from pbem.rulesets.nippon.view import View

# --- what is refused ------------------------------------------------------------------------------------------


@singledispatch
def refused(order: Any, view: View, seat: str) -> Refusal | None:
    """Why a realm cannot say this now; ``None`` if it can."""
    raise NotImplementedError


@refused.register
def _(order: BreakPact, view: View, seat: str) -> Refusal | None:
    pacts = [pact for pact in view.position.pacts if pact.between == {seat, order.realm}]
    if not pacts:
        return Refusal("8.2", f"You have no pact with {order.name}.")
    return None if any(not pact.broken for pact in pacts) else Refusal("8.2", "That pact is broken already.")


@refused.register
def _(order: Offer, view: View, seat: str) -> Refusal | None:
    state = view.position
    if meeting_for(state, order.at, seat) is None:
        return no_meeting(view, order.at)
    if parleyed(state):
        return PARLEYED
    partners = partners_of(state, seat, order)
    if not partners:
        return Refusal("8.2", f"In {view.place(order.at)} you do not face {_whom(view, order)}.")
    return next(unsound(state, seat, order, partners), None)


PARLEYED = Refusal("8.2", "The time for terms is over: what is left is to agree on how the battle came out.")


def _whom(view: View, order: Offer) -> str:
    return listed(map(view.realm, sorted(order.to)), "anybody")


@refused.register
def _(order: Answer, view: View, seat: str) -> Refusal | None:
    terms = view.position.terms.get(order.terms)
    if terms is None or seat not in terms.to:
        return Refusal("8.2", f"No terms P{order.terms} have been put to you.{open_terms(view)}")
    if parleyed(view.position):
        return PARLEYED
    if not may_answer(view.position, terms, seat):
        return Refusal("8.2", f"P{order.terms} is settled: nothing is left to answer.{open_terms(view)}")
    due = sum(pp for payer, _, pp in terms.gives if payer == seat)
    treasury = view.position.realms[seat].treasury
    if order.accept and due > treasury:
        return Refusal("8.2", f"P{order.terms} asks {due:,} pp of you; you have {treasury:,}.")
    if order.accept and (lacking := missing(view.position, terms.at, seat, terms.items)):
        return Refusal("8.2", f"None of yours there carries a {lacking[0]} to give.")
    return None


@refused.register
def _(order: Defend, view: View, seat: str) -> Refusal | None:
    return defence.refusal(order, view.position, seat)


@refused.register
def _(order: AskAutomatic, view: View, seat: str) -> Refusal | None:
    meeting = meeting_for(view.position, order.at, seat)
    if meeting is None:
        return no_meeting(view, order.at)
    if by_dice(view, meeting):
        return Refusal("8.3", "All battles of this campaign are automatic: nothing is to be said.")
    if forsaken(view.position, meeting) and not meeting.unopposed:
        return FORSAKEN
    if meeting.next.ruled:
        return RULED
    if seat not in fighters(view.position, meeting):
        return Refusal("8.4", f"You do not fight the battle in {view.place(order.at)} that is next.")
    return None


@refused.register
def _(order: AskDiceOff, view: View, seat: str) -> Refusal | None:
    meeting = meeting_for(view.position, order.at, seat)
    if meeting is None:
        return no_meeting(view, order.at)
    if seat not in fighters(view.position, meeting):
        return Refusal("8.4", f"You do not fight the battle in {view.place(order.at)} that is next.")
    if forsaken(view.position, meeting):
        return FORSAKEN
    if meeting.next.ruled:
        return RULED
    if meeting.assault:
        return Refusal("8.9", "An assault without a common result is fought by dice anyway: there is no dice-off.")
    if not disputed(view.position, meeting):
        reason = f"No result of {view.place(order.at)} is disputed: only then a dice-off may decide."
        return Refusal("8.5", reason)
    return None


@refused.register
def _(order: ReportResult, view: View, seat: str) -> Refusal | None:
    seat = voice(view.position, order.at, seat)
    meeting = meeting_for(view.position, order.at, seat)
    if meeting is None:
        return no_meeting(view, order.at)
    if by_dice(view, meeting):
        return Refusal("8.3", "All battles of this campaign are automatic: no result is to be reported.")
    if meeting.unopposed:
        return Refusal("8.9", f"Nobody has taken the defence in {view.place(order.at)}: no game has been played yet.")
    if forsaken(view.position, meeting):
        return FORSAKEN
    if meeting.next.ruled:
        return RULED
    if seat not in fighters(view.position, meeting):
        return Refusal("8.4", f"You do not fight the battle in {view.place(order.at)} that is next.")
    return next(unfit(view, meeting, order, {seat, view.seat or ""}), None)


def unfit(view: View, meeting: Meeting, order: ReportResult, known: Collection[str]) -> Iterator[Refusal]:
    """What cannot be in a result, told by somebody to whom the units of some realms are ``known``."""
    fighting = fighters(view.position, meeting)
    if order.winner and order.winner not in fighting:
        names = listed(map(view.realm, fighting))
        yield Refusal("8.5", f"{view.realm(order.winner)} does not fight in that battle: {names} do.")
    if too_many := Counter(order.destroyed) - Counter(standing_there(view.position, order.at, order.destroyed)):
        yield Refusal("9.1", f"So many do not stand in {view.place(order.at)}: {', '.join(sorted(too_many))}.")
    if refused := misreported(units(view, meeting), order.losses, known):
        yield refused


def by_dice(view: View, meeting: Meeting) -> bool:
    """Whether the campaign leaves such battles to dice alone (NIP 8.3, 8.9)."""
    return view.position.options.battles == "auto" and not meeting.assault


RULED = Refusal("8.5", "The organizer has ruled that the battle is fought automatically.")
FORSAKEN = Refusal("13.1", "Nobody plays the other side any more: the battle is automatic when the stage closes.")


@refused.register
def _(order: JudgeResult, view: View, seat: str) -> Refusal | None:
    seat = voice(view.position, order.at, seat)
    meeting = meeting_for(view.position, order.at, seat)
    if meeting is None:
        return no_meeting(view, order.at)
    if meeting.next.result is None:
        return Refusal("8.5", f"No result of {view.place(order.at)} has been reported yet.")
    if meeting.next.ruled:
        return RULED
    if seat not in fighters(view.position, meeting):
        return Refusal("8.4", f"You do not fight the battle in {view.place(order.at)} that is next.")
    if seat not in asked(view.position, meeting):
        return Refusal("8.5", "The result was reported by your own side; the other side judges it.")
    return None


def no_meeting(view: View, at: int) -> Refusal:
    """Why nothing can be said about a section."""
    places = ", ".join(view.place(meeting.at) for meeting in tables(view))
    known = f" Open: {places}." if places else ""
    return Refusal("8.1", f"You have no open meeting in {view.place(at)}.{known}")


# --- what is open ---------------------------------------------------------------------------------------------


def meeting(view: View, at: int) -> Meeting:
    """The open meeting in a section in which the reader has a say; raises :class:`Misread`."""
    opened = tables(view)
    found = next((each for each in opened if each.at == at), None)
    if found is None:
        refused = no_meeting(view, at)
        fix = next(((str(at), str(meant)) for meant in slipped(view, at, opened)), None)
        raise Misread(f"{refused.reason} (NIP {refused.rule})", fix)
    return found


def slipped(view: View, at: int, meetings: Sequence[Meeting]) -> Iterator[int]:
    """The section that must have been meant where nobody has met in the one that was named: that of the only meeting
    there is. Whoever names a meeting that is settled, or another's, means other enemies: nothing is offered to him."""
    if len(meetings) == 1 and at not in view.position.meetings:
        yield meetings[0].at


def letters(view: View, meeting: Meeting) -> str:
    """Whose units a letter marks where a result tells losses: ``A is Crane Host, B Iron Carp``."""
    first, *others = sorted(meeting.realms)
    return ", ".join([f"{first} is {view.realm(first)}", *(f"{seat} {view.realm(seat)}" for seat in others)])


def open_terms(view: View) -> str:
    """Which terms there are to answer, as a sentence with a space before it."""
    numbers = ", ".join(f"P{terms.number}" for terms in terms_to_answer(view))
    return f" Open: {numbers}." if numbers else ""


# --- what could be said instead -------------------------------------------------------------------------------


@singledispatch
def nearest(order: Any, view: View) -> Iterator[Any]:
    """What is near to something that cannot be said now, the nearest first; it need not be possible either."""
    yield from ()


@nearest.register
def _(order: Offer, view: View) -> Iterator[Any]:
    yield replace(order, to=frozenset())
    if len(order.gives) == 1:
        yield replace(order, gives=((order.gives[0][0], view.position.realms[view.seat or ""].treasury),))
    yield replace(order, cedes=(), claims=())
    yield replace(order, items=(), wanted=())
    yield replace(order, gives=(), asks=(), cedes=(), claims=(), items=(), wanted=())


@nearest.register
def _(order: Answer, view: View) -> Iterator[Any]:
    waiting = terms_to_answer(view)
    put = view.position.terms.get(order.terms)
    if len(waiting) == 1 and (put is None or put.by == waiting[0].by):
        yield replace(order, terms=waiting[0].number)
    if order.accept:
        yield replace(order, accept=False)


@nearest.register
def _(order: Defend, view: View) -> Iterator[Any]:
    yield from (replace(order, at=each.at) for each in defences_to_take(view)[:1])


@nearest.register
def _(order: ReportResult, view: View) -> Iterator[Any]:
    meeting = view.position.meetings.get(order.at)
    own = {voice(view.position, order.at, view.seat or ""), view.seat or ""}
    losses = possible(units(view, meeting) if meeting else {}, order.losses, own)
    yield replace(order, losses=losses, destroyed=standing_there(view.position, order.at, order.destroyed))
    yield from (replace(order, at=meant) for meant in slipped(view, order.at, open_meetings(view)))


@nearest.register
def _(order: AskAutomatic | AskDiceOff, view: View) -> Iterator[Any]:
    yield from (replace(order, at=meant) for meant in slipped(view, order.at, open_meetings(view)))


@nearest.register
def _(order: JudgeResult, view: View) -> Iterator[Any]:
    yield from (replace(order, at=meant) for meant in slipped(view, order.at, results_to_judge(view)))


# --- what it does ---------------------------------------------------------------------------------------------


@singledispatch
def told(order: Any, view: View, seat: str) -> tuple[str, str, tuple[str, ...]]:
    """Subject, deed and notes of what may be said."""
    raise NotImplementedError


@told.register
def _(order: BreakPact, view: View, seat: str) -> tuple[str, str, tuple[str, ...]]:
    return order.name, "BREAK the pact", ("it still binds you this turn, and all will know",)


@told.register
def _(order: Offer, view: View, seat: str) -> tuple[str, str, tuple[str, ...]]:
    partners = sorted(partners_of(view.position, seat, order))
    to = listed(map(view.realm, partners))
    return (
        f"Offer in {order.at}",
        f"OFFER to {to}: {'; '.join(_offered(view, order))}",
        ("sent at once, in place of any earlier offer to them",),
    )


def _offered(view: View, order: Offer) -> Iterator[str]:
    """What an offer holds, with realms and sections by name."""
    yield from (f"give {pp:,} pp to {view.realm(seat)}" for seat, pp in order.gives)
    yield from (f"ask {pp:,} pp of {view.realm(seat)}" for seat, pp in order.asks)
    yield from (f"give {item} to {view.realm(seat)}" for seat, item in order.items)
    yield from (f"ask {item} of {view.realm(seat)}" for seat, item in order.wanted)
    yield from (f"cede {view.place(number)}" for number in order.cedes)
    yield from (f"claim {view.place(number)}" for number in order.claims)
    if order.pact:
        yield _pact(order.pact, order.turns)
    if order.words:
        yield f'"{order.words}"'


@told.register
def _(order: Answer, view: View, seat: str) -> tuple[str, str, tuple[str, ...]]:
    terms = view.position.terms[order.terms]
    if not order.accept:
        return f"P{order.terms}", "DECLINE", ()
    return f"P{order.terms}", f"ACCEPT the terms of {view.realm(terms.by)}", tuple(summary(view, terms))


@told.register
def _(order: Defend, view: View, seat: str) -> tuple[str, str, tuple[str, ...]]:
    attackers = listed(map(view.realm, view.position.meetings[order.at].sides[0]))
    return f"Assault in {order.at}", "DEFEND", (f"you play those whom {attackers} assault, on the table",)


@told.register
def _(order: AskAutomatic, view: View, seat: str) -> tuple[str, str, tuple[str, ...]]:
    if not order.automatic:
        return f"Battle in {order.at}", "ON THE TABLE", ("an earlier wish for dice is taken back",)
    waits = _if_others_want(view, order.at, seat, view.position.meetings[order.at].next.automatic)
    return f"Battle in {order.at}", "AUTOMATIC", (f"{waits}; it is fought when the stage closes",)


@told.register
def _(order: AskDiceOff, view: View, seat: str) -> tuple[str, str, tuple[str, ...]]:
    waits = _if_others_want(view, order.at, seat, view.position.meetings[order.at].next.dice_off)
    return f"Battle in {order.at}", "DICE-OFF", (f"{waits}; it is rolled when the stage closes",)


def _if_others_want(view: View, at: int, seat: str, asking: frozenset[str]) -> str:
    """On whose wish the wish of a realm still hangs: ``if Blue also wants it``."""
    deciding = agreeing(view.position, view.position.meetings[at], seat)
    others = [each for each in deciding if each != seat and each not in asking]
    wants = "wants" if len(others) == 1 else "want"
    return f"if {listed(map(view.realm, others))} also {wants} it" if others else "all want it"


@told.register
def _(order: ReportResult, view: View, seat: str) -> tuple[str, str, tuple[str, ...]]:
    outcome = f"{order.winner_name} {order.degree}".upper() if order.winner else "DRAW"
    fighting = fighters(view.position, view.position.meetings[order.at])
    spoken = voice(view.position, order.at, seat)
    judges = [each for each in played(view.position, fighting) if each != spoken]
    notes = [f"goes to {listed(map(view.realm, judges))} to confirm or dispute"]
    notes += verdicts.losses_told(view, order)
    if order.destroyed:
        notes.append(f"destroyed: {', '.join(order.destroyed)}")
    return f"Battle in {order.at}", f"RESULT: {outcome}", tuple(notes)


@told.register
def _(order: JudgeResult, view: View, seat: str) -> tuple[str, str, tuple[str, ...]]:
    return f"Battle in {order.at}", "CONFIRM the result" if order.confirm else "DISPUTE the result", ()


def outcome(view: View, meeting: Meeting) -> str:
    """A reported result in a few words."""
    result = meeting.next.result
    return f"{view.realm(result.winner)} {result.degree}" if result and result.winner else "draw"


def summary(view: View, terms: Terms) -> Iterator[str]:
    """What terms hold, a sentence for each thing."""
    for payer, payee, pp in terms.gives:
        verb = "pay" if payer == view.seat else "pays"
        yield f"{_side(view, payer)} {verb} {pp:,} pp to {_side(view, payee)}"
    for giver, taker, item in terms.items:
        verb = "give" if giver == view.seat else "gives"
        yield f"{_side(view, giver)} {verb} {item} to {_side(view, taker)}"
    for giver, taker, number in terms.cedes:
        verb = "cede" if giver == view.seat else "cedes"
        yield f"{_side(view, giver)} {verb} {view.place(number)} to {_side(view, taker)}"
    if terms.pact:
        yield _pact(terms.pact, terms.turns)
    if terms.words:
        yield f'"{terms.words}"'


def _pact(kind: str, turns: int) -> str:
    return f"{kind} of {counted(turns, 'turn')}" if turns else kind


def _side(view: View, seat: str) -> str:
    return "you" if seat == view.seat else view.realm(seat)
