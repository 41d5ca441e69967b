"""Chapter 8.2, parley: terms are offered, answered, carried out; pacts begin and end."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import singledispatch
from hashlib import sha256
from itertools import combinations
from typing import Any, Literal

from pbem.core.turn import Turn, rule
from pbem.core.wording import listed
from pbem.rulesets.nippon.engagements import battle, foes, meeting_for, opposed, parleyed, privy
from pbem.rulesets.nippon.events import (
    ItemCeded,
    PactBroken,
    PactEnded,
    PactMade,
    ResultVoided,
    SectionCeded,
    TermsAccepted,
    TermsAgreed,
    TermsDeclined,
    TermsFailed,
    TermsOffered,
    TermsPaid,
)
from pbem.rulesets.nippon.items.bearing import bearer_for, bearing, rid_of
from pbem.rulesets.nippon.legality import Refusal, controllable
from pbem.rulesets.nippon.meetings import proceed
from pbem.rulesets.nippon.orders import Answer, BreakPact, Offer
from pbem.rulesets.nippon.state import State, Terms, Unit, seat_of
from pbem.rulesets.nippon.tabletop import no_meeting

Lack = Literal["pp", "section", "item", "room"]
"""What terms fail for."""

NUMBERS = 1000
"""Terms of a turn have numbers below this, with the turn in front."""


@rule("8.2", "Parley")
def parley(turn: Turn[State]) -> None:
    """At once, while meetings are open: offers are relayed, answers noted, and what all accept is carried out."""
    for seat, offered in turn.given(Offer):
        offer(turn, seat, offered)
    for seat, answered in turn.given(Answer):
        answer(turn, seat, answered)


# --- offers -------------------------------------------------------------------------------------------------------


def offer(turn: Turn[State], seat: str, offered: Offer) -> None:
    """Relay terms to those they concern; they take the place of the realm's earlier ones to any of these."""
    if refusal(turn.state, seat, offered):
        return
    partners = partners_of(turn.state, seat, offered)
    terms = draw_up(turn.state, seat, offered, partners)
    for number, earlier in sorted(turn.state.terms.items()):
        if earlier.by == seat and earlier.at == terms.at and earlier.to & partners and pending(earlier):
            turn.emit(TermsDeclined(number, seat), to=parties(earlier))
    turn.emit(TermsOffered(terms), to=parties(terms))


def partners_of(state: State, seat: str, offered: Offer) -> frozenset[str]:
    """Whom an offer concerns: those it names, or all whom the realm would have to fight there. Nobody: it is void."""
    meeting = meeting_for(state, offered.at, seat)
    if meeting is None:
        return frozenset()
    facing = frozenset() if parleyed(state, meeting) else frozenset(foes(state, meeting, seat))
    answering = frozenset(seat for seat in facing if state.realms[seat].in_play)
    return (offered.to or answering or facing) if offered.to <= facing else frozenset()


def unsound(state: State, seat: str, offered: Offer, partners: frozenset[str]) -> Iterator[Refusal]:
    """Why an offer cannot be put to ``partners``: it speaks only of what they can give and take."""
    goods = offered.gives or offered.asks or offered.cedes or offered.claims or offered.items or offered.wanted
    if not (goods or offered.pact or offered.words):
        yield Refusal("8.2", "The offer is empty.")
    for other in sorted(partners):
        if not state.realms[other].in_play:
            yield Refusal("13.1", f"{state.realms[other].name} has withdrawn: nobody answers for it.")
    treasury = state.realms[seat].treasury
    if sum(pp for _, pp in offered.gives) > treasury:
        yield Refusal("8.2", f"You have {treasury:,} pp to give.")
    for other, pp in offered.gives + offered.asks:
        if other not in partners or pp <= 0:
            yield Refusal("8.2", f"{state.realms[other].name} is not asked to sign.")
    for other, _ in offered.items + offered.wanted:
        if other not in partners:
            yield Refusal("8.2", f"{state.realms[other].name} is not asked to sign.")
    given = tuple((seat, other, item) for other, item in offered.items)
    for item in missing(state, offered.at, seat, given):
        yield Refusal("8.2", f"None of yours there carries a {item} to give.")
    for number in offered.cedes:
        if state.sections[number].controller != seat:
            yield Refusal("8.2", f"{state.place(number)} is not yours to cede.")
        elif not controllable(state, min(partners), number):
            yield Refusal("6.6", f"{state.realms[min(partners)].name} cannot control {state.place(number)}.")
    for number in offered.claims:
        if state.sections[number].controller not in partners:
            yield Refusal("8.2", f"{state.place(number)} is not theirs to give.")
        elif not controllable(state, seat, number):
            yield Refusal("6.6", f"You cannot control {state.place(number)}.")


def draw_up(state: State, seat: str, offered: Offer, partners: frozenset[str]) -> Terms:
    """An offer as terms: who gives what to whom."""
    first = min(partners)
    gives = [(seat, to, pp) for to, pp in offered.gives] + [(of, seat, pp) for of, pp in offered.asks]
    cedes = [(seat, first, number) for number in offered.cedes]
    cedes += [(state.sections[number].controller, seat, number) for number in offered.claims]
    items = [(seat, to, item) for to, item in offered.items] + [(of, seat, item) for of, item in offered.wanted]
    return Terms(
        free_number(state, seat, offered),
        offered.at,
        seat,
        partners,
        tuple(gives),
        tuple(cedes),
        offered.pact,
        offered.turns,
        offered.words,
        tuple(items),
    )


def free_number(state: State, seat: str, offered: Offer) -> int:
    """A number for terms that tells nobody how many others are on the table."""
    digest = sha256(f"{state.turn} {seat} {offered}".encode()).digest()
    first = int.from_bytes(digest[:4], "big")
    candidates = (state.turn * NUMBERS + (first + step) % NUMBERS for step in range(NUMBERS))
    return next(number for number in candidates if number not in state.terms)


def parties(terms: Terms) -> frozenset[str]:
    """Those whom terms concern, and nobody else hears of."""
    return terms.to | {terms.by}


def pending(terms: Terms) -> bool:
    """Whether terms still wait for an answer."""
    return not terms.declined and terms.accepted != terms.to


def agreed(terms: Terms) -> bool:
    """Whether all concerned accepted them."""
    return not terms.declined and terms.accepted == terms.to


# --- answers ------------------------------------------------------------------------------------------------------


def answer(turn: Turn[State], seat: str, answered: Answer) -> None:
    """Note a signature or a refusal; with the last signature the terms are carried out."""
    if refusal(turn.state, seat, answered):
        return
    terms = turn.state.terms[answered.terms]
    event = TermsAccepted if answered.accept else TermsDeclined
    turn.emit(event(terms.number, seat), to=parties(terms))
    if agreed(turn.state.terms[terms.number]):
        carry_out(turn, turn.state.terms[terms.number])


def may_answer(state: State, terms: Terms, seat: str) -> bool:
    """Whether terms are still open to a realm's answer: put to it, not dead, and the parties not yet done fighting."""
    meeting = meeting_for(state, terms.at, seat)
    if meeting is None or parleyed(state, meeting) or seat not in terms.to or agreed(terms) or terms.declined - {seat}:
        return False
    return all(opposed(state, meeting, terms.by, party) for party in terms.to)


def carry_out(turn: Turn[State], terms: Terms) -> None:
    """Payments, sections and peace at once; a pact works when the battles are over."""
    for realm, lacks in in_default(turn.state, terms):
        turn.emit(TermsFailed(terms.number, realm, lacks), to=parties(terms))
        return
    before = turn.state.meetings[terms.at]
    turn.emit(TermsAgreed(terms.at, tuple(sorted(parties(terms))), terms.pact, terms.turns))
    if before.next.result and not turn.state.meetings[terms.at].next.result:
        turn.emit(ResultVoided(terms.at, *battle(turn.state, before)), to=privy(before))
    for payer, payee, pp in terms.gives:
        turn.emit(TermsPaid(terms.number, payer, payee, pp), to=parties(terms))
    for ceded in tuple(trades(turn.state, terms)):
        turn.emit(ceded, to=parties(terms))
    for giver, taker, number in terms.cedes:
        turn.emit(SectionCeded(number, giver, taker))
    if not all(battle(turn.state, turn.state.meetings[terms.at])):
        proceed(turn, terms.at)


def in_default(state: State, terms: Terms) -> Iterator[tuple[str, Lack]]:
    """Who cannot give what it promised, or has no room for what it gets, and what it lacks."""
    for payer in sorted({payer for payer, _, _ in terms.gives}):
        if sum(pp for by, _, pp in terms.gives if by == payer) > state.realms[payer].treasury:
            yield payer, "pp"
    for giver, taker, number in terms.cedes:
        if state.sections[number].controller != giver or not controllable(state, taker, number):
            yield giver, "section"
    found = list(trades(state, terms))
    if len(found) < len(terms.items):
        giver, taker, item = terms.items[len(found)]
        yield (giver, "item") if item in missing(state, terms.at, giver, terms.items) else (taker, "room")


def trades(state: State, terms: Terms) -> Iterator[ItemCeded]:
    """The items of terms from hand to hand, up to the first that nobody gives or nobody has room for.

    It comes from the first who carries it, and goes to the first with room.
    """
    hands = carriers(state, terms.at)
    for giver, taker, item in terms.items:
        giving = (each for each, unit in hands.items() if seat_of(each[0]) == giver and item in unit.items)
        taking = (each for each, unit in hands.items() if seat_of(each[0]) == taker and bearer_for([unit], item))
        of, to = next(giving, None), next(taking, None)
        if of is None or to is None:
            return
        hands[of], hands[to] = rid_of(hands[of], item), bearing(hands[to], item)
        yield ItemCeded(terms.number, terms.at, item, of, to)


def carriers(state: State, at: int) -> dict[tuple[str, str], Unit]:
    """Who may carry something at a meeting, by banner and name."""
    banners = [state.banners[key] for key in state.meetings[at].banners]
    return {(banner.key, unit.name): unit for banner in banners for unit in banner.units if unit.models}


def missing(state: State, at: int, seat: str, items: Iterable[tuple[str, str, str]]) -> list[str]:
    """The items that a realm is to give at a meeting and does not have there."""
    own = (unit for each, unit in carriers(state, at).items() if seat_of(each[0]) == seat)
    there = Counter(item for unit in own for item in unit.items)
    return [*(Counter(item for giver, _, item in items if giver == seat) - there)]


# --- pacts --------------------------------------------------------------------------------------------------------


@rule("8.2", "Parley")
def break_pacts(turn: Turn[State]) -> None:
    """Who breaks with another is still bound until the turn ends; both may break with each other at once."""
    breaking = [(seat, order.realm) for seat, order in turn.given(BreakPact) if not refusal(turn.state, seat, order)]
    for seat, other in breaking:
        turn.emit(PactBroken(seat, other))


@rule("8.2", "Parley")
def begin_pacts(turn: Turn[State]) -> None:
    """Pacts agreed in parley work from the end of the turn's battles, for the whole of both realms."""
    for _, terms in sorted(turn.state.terms.items()):
        if terms.pact and agreed(terms):
            until = turn.state.turn + terms.turns if terms.turns else 0
            for pair in combinations(sorted(parties(terms)), 2):
                turn.emit(PactMade(terms.pact, frozenset(pair), until))


@rule("8.2", "Parley")
def end_pacts(turn: Turn[State]) -> None:
    """At the end of the turn, what was broken or has run its time holds no longer."""
    for pact in turn.state.pacts:
        if pact.broken or 0 < pact.until <= turn.state.turn:
            turn.emit(PactEnded(pact.kind, pact.between, broken=bool(pact.broken)))


# --- what is refused ----------------------------------------------------------------------------------------------

PARLEYED = Refusal("8.2", "The time for terms is over: what is left is to agree on how the battle came out.")


def refusal(position: State, seat: str, order: Offer | Answer | BreakPact) -> Refusal | None:
    """NIP 8.2: why a realm cannot say this; ``None`` if it can."""
    return _refusal(order, position, seat)


@singledispatch
def _refusal(order: Any, position: State, seat: str) -> Refusal | None:
    raise NotImplementedError


@_refusal.register
def _(order: Offer, position: State, seat: str) -> Refusal | None:
    meeting = meeting_for(position, order.at, seat)
    if meeting is None:
        return no_meeting(position, seat, order.at)
    if parleyed(position, meeting):
        return PARLEYED
    partners = partners_of(position, seat, order)
    if not partners:
        whom = listed((position.realms[other].name for other in sorted(order.to)), "anybody")
        return Refusal("8.2", f"In {position.place(order.at)} you do not face {whom}.")
    return next(unsound(position, seat, order, partners), None)


@_refusal.register
def _(order: Answer, position: State, seat: str) -> Refusal | None:
    terms = position.terms.get(order.terms)
    if terms is None or seat not in terms.to:
        return Refusal("8.2", f"No terms P{order.terms} have been put to you.{open_terms(position, seat)}")
    meeting = position.meetings.get(terms.at)
    if meeting and parleyed(position, meeting):
        return PARLEYED
    if not may_answer(position, terms, seat):
        return Refusal("8.2", f"P{order.terms} is settled: nothing is left to answer.{open_terms(position, seat)}")
    due = sum(pp for payer, _, pp in terms.gives if payer == seat)
    treasury = position.realms[seat].treasury
    if order.accept and due > treasury:
        return Refusal("8.2", f"P{order.terms} asks {due:,} pp of you; you have {treasury:,}.")
    if order.accept and (lacking := missing(position, terms.at, seat, terms.items)):
        return Refusal("8.2", f"None of yours there carries a {lacking[0]} to give.")
    return None


@_refusal.register
def _(order: BreakPact, position: State, seat: str) -> Refusal | None:
    pacts = [pact for pact in position.pacts if pact.between == {seat, order.realm}]
    if not pacts:
        return Refusal("8.2", f"You have no pact with {order.name}.")
    return None if any(not pact.broken for pact in pacts) else Refusal("8.2", "That pact is broken already.")


def to_answer(position: State, seat: str) -> tuple[Terms, ...]:
    """The terms that wait for a realm's answer, by number."""
    put = (position.terms[number] for number in sorted(position.terms))
    waiting = (terms for terms in put if seat not in terms.accepted | terms.declined)
    return tuple(terms for terms in waiting if may_answer(position, terms, seat))


def open_terms(position: State, seat: str) -> str:
    """Which terms there are to answer, as a sentence with a space before it."""
    numbers = ", ".join(f"P{terms.number}" for terms in to_answer(position, seat))
    return f" Open: {numbers}." if numbers else ""
