"""Chapter 15.1, seasons and rule changes: what all players want otherwise is otherwise from the next season on."""

from functools import singledispatch

from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon import switches
from pbem.rulesets.nippon.events import RuleAdopted, RuleProposed, RuleRejected, Voted
from pbem.rulesets.nippon.legality import Refusal
from pbem.rulesets.nippon.orders import Ballot, Propose, Vote
from pbem.rulesets.nippon.state import Proposal, State
from pbem.rulesets.nippon.tables import MOST_PROPOSALS


def last_of_season(state: State) -> int:
    """The last turn of the season that goes on; before the first turn of the one to come."""
    length = state.options.season_turns
    return -(-max(1, state.turn) // length) * length


def voters(state: State) -> tuple[str, ...]:
    """The realms that have to agree: those still in play."""
    return tuple(seat for seat, realm in sorted(state.realms.items()) if realm.in_play)


def missing(state: State, proposal: Proposal) -> tuple[str, ...]:
    """The realms that have not agreed: silence is not consent."""
    return tuple(seat for seat in voters(state) if not proposal.voted(seat))


@rule("15.1", "Seasons and rule changes")
def ballots(turn: Turn[State]) -> None:
    """At once, at any stage: proposals are relayed to all, and votes noted."""
    for seat, proposed in turn.given(Propose):
        if not refusal(turn.state, seat, proposed):
            matter = Proposal(turn.state.proposed + 1, seat, proposed.option, proposed.value, proposed.words)
            turn.emit(RuleProposed(matter))
            turn.emit(Voted(matter.number, seat, yes=True))
    for seat, vote in turn.given(Vote):
        if not refusal(turn.state, seat, vote):
            turn.emit(Voted(vote.proposal, seat, vote.yes))


@rule("15.1", "Seasons and rule changes")
def count_votes(turn: Turn[State]) -> None:
    """When the last turn of a season is over: what all have agreed to holds from the next one, the rest is void."""
    if turn.state.turn != last_of_season(turn.state):
        return
    for _, proposal in sorted(turn.state.proposals.items()):
        against = missing(turn.state, proposal)
        turn.emit(RuleRejected(proposal, against) if against else RuleAdopted(proposal))


# --- what is refused --------------------------------------------------------------------------------------------------


def refusal(position: State, seat: str, order: Ballot) -> Refusal | None:
    """Why a realm cannot propose this, or vote so; ``None`` if it can."""
    if not position.realms[seat].in_play:
        return Refusal("15.1", "Only realms that are still in play propose and vote.")
    reason = _objection(order, position, seat)
    return Refusal("15.1", reason) if reason else None


@singledispatch
def _objection(order: Ballot, position: State, seat: str) -> str:
    raise NotImplementedError


@_objection.register
def _(order: Propose, position: State, seat: str) -> str:
    for number, other in sorted(position.proposals.items()):
        if (other.option, other.value, other.words) == (order.option, order.value, order.words):
            return f"R{number} proposes that already: vote yes on R{number}."
    if sum(proposal.by == seat for proposal in position.proposals.values()) >= MOST_PROPOSALS:
        return f"You have {MOST_PROPOSALS} proposals open; that is enough for a season."
    return _unfit(position, order) if order.option else ""


def _unfit(position: State, order: Propose) -> str:
    """Why an option cannot be changed so."""
    name = order.option
    if name in switches.FIXED:
        return f"{name} stays as it is: {switches.FIXED[name]}."
    value = switches.read(name, order.value)
    if flaw := switches.flaw(name, value):
        return f"{name}: {flaw}."
    if value == getattr(position.options, name):
        return f"{name} is {order.value} already."
    if name == "end_turn" and 0 < value <= last_of_season(position):
        return f"The change works from turn {last_of_season(position) + 1} on: the last turn cannot be earlier."
    return ""


@_objection.register
def _(order: Vote, position: State, seat: str) -> str:
    if order.proposal in position.proposals:
        return ""
    numbers = ", ".join(f"R{number}" for number in sorted(position.proposals))
    return f"There is no open proposal R{order.proposal}. " + (f"Open: {numbers}." if numbers else "None is open.")
