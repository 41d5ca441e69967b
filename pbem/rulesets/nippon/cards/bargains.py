"""What may be offered, answered and reported at a meeting now, as far as the view shows (NIP 8.2, 8.5)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import singledispatch
from typing import Any

from pbem.core.grammar import Misread
from pbem.core.wording import counted, listed
from pbem.rulesets.nippon import defence, parley, results
from pbem.rulesets.nippon.agenda import defences_to_take, open_meetings, results_to_judge, tables, terms_to_answer
from pbem.rulesets.nippon.cards import verdicts
from pbem.rulesets.nippon.cards.casualties import misreported, possible, units
from pbem.rulesets.nippon.engagements import agreeing, fighters, played
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
from pbem.rulesets.nippon.parley import partners_of
from pbem.rulesets.nippon.state import Meeting, Terms
from pbem.rulesets.nippon.tabletop import no_meeting, voice, voices
from pbem.rulesets.nippon.view import View

Bargain = Offer | Answer | BreakPact | Defend | results.Said
"""What is said of a meeting, or of a pact."""

# --- what is refused ------------------------------------------------------------------------------------------


def refused(view: View, order: Bargain) -> Refusal | None:
    """Why the reader cannot say this now; ``None`` if he can."""
    position, seat = view.position, view.seat or ""
    if isinstance(order, Offer | Answer | BreakPact):
        return parley.refusal(position, seat, order)
    if isinstance(order, Defend):
        return defence.refusal(position, seat, order)
    unfit = results.refusal(position, seat, order)
    if unfit or not isinstance(order, ReportResult):
        return unfit
    there = units(view, position.meetings[order.at])
    return misreported(there, order.losses, {*voices(position, order.at, seat), seat})


# --- what is open ---------------------------------------------------------------------------------------------


def meeting(view: View, at: int) -> Meeting:
    """The open meeting in a section in which the reader has a say; raises :class:`Misread`."""
    opened = tables(view)
    found = next((each for each in opened if each.at == at), None)
    if found is None:
        refused = no_meeting(view.position, view.seat or "", at)
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
    own = {*voices(view.position, order.at, view.seat or ""), view.seat or ""}
    losses = possible(units(view, meeting) if meeting else {}, order.losses, own)
    yield replace(order, losses=losses, destroyed=standing_there(view.position, order.at, order.destroyed))
    yield from (replace(order, at=meant) for meant in slipped(view, order.at, open_meetings(view)))


@nearest.register
def _(order: AskAutomatic | AskDiceOff, view: View) -> Iterator[Any]:
    yield from (replace(order, at=meant) for meant in slipped(view, order.at, open_meetings(view)))


@nearest.register
def _(order: JudgeResult, view: View) -> Iterator[Any]:
    yield from (
        replace(order, at=each.at, version=each.next.number if order.confirm else 0)
        for each in results_to_judge(view)
        if each.at in {order.at, *slipped(view, order.at, results_to_judge(view))}
    )


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
    if view.position.meetings[order.at].next.disputes:
        notes.append(verdicts.put_late(view, spoken, order))
    notes += verdicts.unread(view, order)
    notes += _wishes_ended(view.position.meetings[order.at])
    notes += verdicts.losses_told(view, order)
    if order.destroyed:
        notes.append(f"destroyed: {', '.join(order.destroyed)}")
    return f"Battle in {order.at}", f"RESULT: {outcome}", tuple(notes)


def _wishes_ended(meeting: Meeting) -> Iterator[str]:
    """What a result does to wishes for dice that were told before it."""
    if meeting.next.automatic | meeting.next.dice_off:
        yield "whoever wanted dice before has to say so again"


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
