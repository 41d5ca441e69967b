"""Chapter 8.8, dates and deputies: when a battle is played on the table, and by whom."""

from collections.abc import Iterator
from functools import singledispatch
from typing import Any

from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.engagements import asked, by_dice, fighters, meeting_for, privy, undecided
from pbem.rulesets.nippon.events import (
    CannotPlay,
    ContactGiven,
    DateAgreed,
    DateProposed,
    DeputyLeft,
    DeputyNamed,
    Volunteered,
)
from pbem.rulesets.nippon.legality import Refusal
from pbem.rulesets.nippon.orders import AgreeDate, Arranging, Cannot, Contact, NameDeputy, ProposeDate, Volunteer
from pbem.rulesets.nippon.state import Meeting, State


@rule("8.8", "Dates and deputies")
def arrange(turn: Turn[State]) -> None:
    """At once: how players can be reached, who stands ready, dates for battles, and who plays them for whom."""
    for seat, given in turn.given(Contact):
        if given.words != turn.state.realms[seat].contact:
            turn.emit(ContactGiven(seat, given.words), to=met_by(turn.state, seat) | {seat})
    for seat, offered in turn.given(Volunteer):
        if offered.ready != turn.state.realms[seat].volunteers:
            turn.emit(Volunteered(seat, offered.ready), to=frozenset({seat, *in_need_of(turn.state, seat)}))
    for seat, said in turn.given(Arranging):
        if refusal(turn.state, seat, said) is None:
            _carry_out(said, turn, seat)


def met_by(state: State, seat: str) -> frozenset[str]:
    """The seats at open meetings with this one, those who play for others there among them."""
    tables = [privy(meeting) for meeting in state.meetings.values() if not meeting.settled]
    return frozenset(other for table in tables if seat in table for other in table) - {seat}


# --- what is said about one battle --------------------------------------------------------------------------------


def refusal(position: State, seat: str, order: Arranging) -> Refusal | None:
    """NIP 8.8: why a seat cannot say this about a battle; ``None`` if it can."""
    meeting = meeting_for(position, order.at, voice(position, order.at, seat))
    if meeting is None:
        return no_meeting(position, seat, order.at)
    if by_dice(position, meeting):
        return Refusal("8.3", "All battles of this campaign are automatic: nobody has to play them.")
    return _refusal(order, position, seat, meeting)


@singledispatch
def _refusal(order: Any, state: State, seat: str, meeting: Meeting) -> Refusal | None:
    return None


@_refusal.register
def _(order: AgreeDate, state: State, seat: str, meeting: Meeting) -> Refusal | None:
    if not meeting.next.date:
        return Refusal("8.8", f"Nobody has proposed a date for the battle in {state.place(order.at)}.")
    if not dating(state, meeting, seat):
        own = Refusal("8.8", "That date is your own proposal: the others are asked.")
        return outside(state, voice(state, order.at, seat), meeting) or own
    return None


@_refusal.register
def _(order: ProposeDate, state: State, seat: str, meeting: Meeting) -> Refusal | None:
    return outside(state, voice(state, order.at, seat), meeting)


@_refusal.register
def _(order: NameDeputy, state: State, seat: str, meeting: Meeting) -> Refusal | None:
    if seat not in meeting.realms:
        return Refusal("8.8", "You play that battle for somebody else: only he can name another.")
    if not order.realm:
        lacking = Refusal("8.8", f"Nobody plays the battle in {state.place(order.at)} for you.")
        return None if meeting.deputy_of(seat) else lacking
    name, realms = state.realms[order.realm].name, meeting.spoken_for(order.realm)
    if order.realm in meeting.realms:
        return Refusal("8.8", f"{name} is in that meeting, and cannot play for another there.")
    if not state.realms[order.realm].in_play:
        return Refusal("13.1", f"Nobody plays {name} any more.")
    if any(realm not in meeting.side(seat) for realm in realms):
        return Refusal("8.8", f"{name} plays that battle for the other side.")
    return None


@singledispatch
def _carry_out(order: Any, turn: Turn[State], seat: str) -> None:
    raise NotImplementedError


@_carry_out.register
def _(order: ProposeDate, turn: Turn[State], seat: str) -> None:
    realm = voice(turn.state, order.at, seat)
    event = DateProposed(order.at, realm, order.words, deputy_for(realm, seat))
    turn.emit(event, to=privy(turn.state.meetings[order.at]))
    agree(turn, order.at, seat)


@_carry_out.register
def _(order: AgreeDate, turn: Turn[State], seat: str) -> None:
    agree(turn, order.at, seat)


@_carry_out.register
def _(order: Cannot, turn: Turn[State], seat: str) -> None:
    meeting = turn.state.meetings[order.at]
    realms = meeting.spoken_for(seat) if seat not in meeting.realms else ()
    for realm in realms:
        turn.emit(DeputyLeft(order.at, realm, seat, order.words, by=seat), to=privy(meeting))
    if not realms:
        turn.emit(CannotPlay(order.at, seat, order.words), to=privy(meeting))


@_carry_out.register
def _(order: NameDeputy, turn: Turn[State], seat: str) -> None:
    meeting = turn.state.meetings[order.at]
    before = meeting.deputy_of(seat)
    if before and before != order.realm:
        turn.emit(DeputyLeft(order.at, seat, before, by=seat), to=privy(meeting))
    if order.realm and before != order.realm:
        turn.emit(DeputyNamed(order.at, seat, order.realm), to=privy(meeting) | {order.realm})


def agree(turn: Turn[State], at: int, seat: str) -> None:
    """Say yes to the date of a battle, for all in whose name one speaks, but who proposed it."""
    meeting = turn.state.meetings[at]
    for realm in dating(turn.state, meeting, seat):
        turn.emit(DateAgreed(at, realm, meeting.next.date, deputy_for(realm, seat)), to=privy(meeting))


def in_need_of(state: State, volunteer: str) -> Iterator[str]:
    """The realms that cannot play a battle, have no deputy, and could name this one."""
    for meeting in state.meetings.values():
        if not meeting.settled and volunteer not in meeting.realms:
            yield from (seat for seat in meeting.cannot if not meeting.deputy_of(seat))


def possible_deputies(state: State, at: int, seat: str) -> list[str]:
    """The realms that a seat could name to play its battle in a section, by seat."""
    return [each for each in sorted(state.realms) if refusal(state, seat, NameDeputy(at, each, "")) is None]


def volunteers(state: State, meeting: Meeting, seat: str) -> tuple[str, ...]:
    """The realms whose players would play a battle of this meeting for another, and may do so for this one, by seat."""
    ready = (each for each, realm in sorted(state.realms.items()) if realm.volunteers)
    return tuple(each for each in ready if refusal(state, seat, NameDeputy(meeting.at, each, "")) is None)


# --- who plays for whom -------------------------------------------------------------------------------------------


def tables(position: State, seat: str) -> tuple[Meeting, ...]:
    """The meetings in which a seat still has a part, or plays for somebody who has, by section (NIP 8.8)."""
    here = (meeting_for(position, at, voice(position, at, seat)) for at in sorted(position.meetings))
    return tuple(meeting for meeting in here if meeting)


def no_meeting(position: State, seat: str, at: int) -> Refusal:
    """Why a seat can say nothing about a section, and of what it could."""
    places = ", ".join(str(position.place(meeting.at)) for meeting in tables(position, seat))
    known = f" Open: {places}." if places else ""
    return Refusal("8.1", f"You have no open meeting in {position.place(at)}.{known}")


def voice(state: State, at: int, seat: str) -> str:
    """The realm for which a seat speaks of the battle in a section: another's, where it is its deputy (NIP 8.8)."""
    return voices(state, at, seat)[0]


def voices(state: State, at: int, seat: str) -> tuple[str, ...]:
    """All realms for which a seat speaks there, those that fight the battle that waits first: a deputy of allies says
    each thing for all of them (NIP 8.8)."""
    meeting = state.meetings.get(at)
    if meeting is None or meeting.settled or seat in meeting.realms:
        return (seat,)
    realms = meeting.spoken_for(seat)
    fighting = fighters(state, meeting) if realms else ()
    return tuple(sorted(realms, key=lambda realm: (realm not in fighting, realm))) or (seat,)


def deputy_for(realm: str, speaker: str) -> str:
    """Who speaks for a realm in its place; nobody, if it does so itself."""
    return speaker if speaker != realm else ""


def outside(position: State, realm: str, meeting: Meeting) -> Refusal | None:
    """NIP 8.4: who is at a meeting of three sides does not fight each of its battles."""
    if realm in fighters(position, meeting):
        return None
    return Refusal("8.4", f"You do not fight the battle in {position.place(meeting.at)} that is next.")


def dating(state: State, meeting: Meeting, seat: str) -> tuple[str, ...]:
    """The realms for which a seat could say yes to the date of the battle that waits (NIP 8.8)."""
    fighting = fighters(state, meeting)
    spoken = (realm for realm in voices(state, meeting.at, seat) if realm in fighting)
    return tuple(realm for realm in spoken if realm != meeting.next.date_by)


def answering(state: State, meeting: Meeting, speaker: str) -> tuple[str, ...]:
    """The realms that are asked about a result, and in whose name somebody speaks (NIP 8.8)."""
    judges = asked(state, meeting)
    return tuple(realm for realm in voices(state, meeting.at, speaker) if realm in judges)


def stand_in(state: State, meeting: Meeting, seat: str) -> str:
    """The deputy who plays for a realm; nobody, if there is none or he plays no more himself (NIP 8.8)."""
    deputy = meeting.deputy_of(seat)
    return deputy if deputy and state.realms[deputy].in_play else ""


def unplayed(state: State, meeting: Meeting) -> bool:
    """Whether somebody in the battle that waits cannot play it, and has no deputy (NIP 8.8)."""
    return any(seat in meeting.cannot and not stand_in(state, meeting, seat) for seat in fighters(state, meeting))


def awaited(state: State, meeting: Meeting) -> frozenset[str]:
    """The seats for which an open meeting waits: deputies for their realms, and nobody for who cannot play; but whoever
    cannot play a battle can still judge what is told of it."""
    waiting = {seat: stand_in(state, meeting, seat) for seat in undecided(state, meeting)}
    absent = meeting.cannot if meeting.next.result is None else frozenset()
    return frozenset(deputy or seat for seat, deputy in waiting.items() if deputy or seat not in absent)
