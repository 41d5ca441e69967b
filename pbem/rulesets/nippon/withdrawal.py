"""Chapter 13.1, withdrawn realms: nobody plays them any more, until the organizer finds somebody, or they disband."""

from pbem.core.errors import NotNow
from pbem.core.ruleset import ORGANIZER
from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.events import RealmDisbanded, RealmReadmitted, RealmWithdrawn, TermsDeclined
from pbem.rulesets.nippon.orders import Readmit, Withdraw
from pbem.rulesets.nippon.parley import parties, pending
from pbem.rulesets.nippon.state import State

# --- by the organizer's hand ------------------------------------------------------------------------------------------


def withdraw(state: State, seat: str, reason: str) -> Withdraw:
    """The organizer's order by which nobody plays a realm any more; raises ``NotNow`` if it cannot be given."""
    realm = state.realms.get(seat)
    if realm is None:
        raise NotNow(f"no realm has the seat {seat}")
    if not realm.in_play:
        raise NotNow(f"{realm.name} is {realm.status} already")
    if state.stage == "set-up":
        raise NotNow(f"{realm.name} cannot withdraw before the first turn; then it has its army and headquarters")
    return Withdraw(seat, reason)


def readmit(state: State, seat: str, reason: str) -> Readmit | None:
    """The organizer's order by which somebody plays a realm again; ``None`` if it has not withdrawn, or disbanded."""
    realm = state.realms.get(seat)
    return Readmit(seat, reason) if realm and realm.status == "withdrawn" else None


@rule("13.1", "Withdrawn realms")
def come_and_go(turn: Turn[State]) -> None:
    """At once: a realm withdraws, and what was offered to it or by it falls; or somebody plays it again."""
    for giver, order in turn.given(Withdraw):
        if giver == ORGANIZER and turn.state.realms[order.realm].in_play:
            turn.emit(RealmWithdrawn(order.realm, order.reason, last_turn(turn.state)))
            _leave_the_table(turn, order.realm)
    for giver, again in turn.given(Readmit):
        if giver == ORGANIZER and turn.state.realms[again.realm].status == "withdrawn":
            turn.emit(RealmReadmitted(again.realm, again.reason))


def last_turn(state: State) -> int:
    """The last turn in which a realm that withdraws now stands; the first is the next whose orders are not given."""
    first = state.turn if state.stage == "orders" else state.turn + 1
    return first + state.options.withdrawn_turns - 1


def _leave_the_table(turn: Turn[State], realm: str) -> None:
    for number, terms in sorted(turn.state.terms.items()):
        if realm in parties(terms) and pending(terms):
            turn.emit(TermsDeclined(number, realm), to=parties(terms))


# --- in the course of a turn ------------------------------------------------------------------------------------------


@rule("13.1", "Withdrawn realms")
def void_orders(turn: Turn[State]) -> None:
    """Nobody commands a realm that has withdrawn: what it has on file counts for nothing."""
    gone = {seat for seat, realm in turn.state.realms.items() if realm.status == "withdrawn"}
    turn.orders = {seat: given for seat, given in turn.orders.items() if seat not in gone}


@rule("13.1", "Withdrawn realms")
def disband_withdrawn(turn: Turn[State]) -> None:
    """At the end of its last turn nothing is left of a withdrawn realm."""
    for seat, realm in sorted(turn.state.realms.items()):
        if realm.status == "withdrawn" and realm.stands_until <= turn.state.turn:
            turn.emit(RealmDisbanded(seat, turn.state.held_by(seat)))
