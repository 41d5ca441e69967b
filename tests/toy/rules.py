"""The rules of Gate, in the order of the rulebook."""

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from pbem.core.dice import Dice
from pbem.core.errors import BadInput, Flaw
from pbem.core.ruleset import Entrant, Outcome, Stage
from pbem.core.turn import Turn, rule
from tests.toy.events import Drew, Emboldened, Ended, Laid, Taunted, Tossed, Won
from tests.toy.orders import Lay, Taunt
from tests.toy.state import HAND, State

NOBODY: frozenset[str] = frozenset()
"""Who may know the dice of the shuffle before the campaign is over."""

CARDS = 12


def setup(options: Mapping[str, Any], entrants: Sequence[Entrant], dice: Dice) -> State:
    """Shuffle with dice that nobody knows, and deal."""
    flaws = [Flaw(f"options: {key}", "Gate has no such option; it has: cards") for key in options if key != "cards"]
    flaws += [Flaw(f"{entrant.where}: {key}", "no such key") for entrant in entrants for key in entrant.options]
    if len(entrants) != 2:
        flaws.append(Flaw("seats", f"Gate is for two, not for {len(entrants)}"))
    cards = options.get("cards", CARDS)
    if not (isinstance(cards, int) and cards in range(2 * HAND, 100, 2)):
        flaws.append(Flaw("options: cards", f"an even number from {2 * HAND} to 98, not {cards!r}"))
    if flaws:
        raise BadInput(flaws)
    deck = shuffled(list(range(1, cards + 1)), dice)
    seats = [entrant.seat for entrant in entrants]
    hands = {seat: tuple(sorted(deck[place * HAND :][:HAND])) for place, seat in enumerate(seats)}
    lead = seats[dice.roll("lead", 2).value - 1]
    return State({entrant.seat: entrant.name for entrant in entrants}, hands, tuple(deck[2 * HAND :]), lead)


def shuffled(cards: list[int], dice: Dice) -> list[int]:
    """Fisher and Yates: from the last place down, each changes places with one up to itself."""
    for place in range(len(cards) - 1, 0, -1):
        chosen = dice.roll(f"shuffle {place + 1}", place + 1, NOBODY).value - 1
        cards[place], cards[chosen] = cards[chosen], cards[place]
    return cards


# --- 1 A round --------------------------------------------------------------------------------------------------------


@rule("1.1", "Laying")
def laying(turn: Turn[State]) -> None:
    """The card that is awaited, or the lowest."""
    seat = turn.state.mover
    chosen = next((order for by, order in turn.given(Lay) if by == seat), Lay(min(turn.state.hands[seat])))
    turn.emit(Laid(seat, chosen.card, chosen.boldly))
    if chosen.boldly:
        boldness(turn, seat, chosen.card)


@rule("1.2", "Boldness")
def boldness(turn: Turn[State], seat: str, card: int) -> None:
    """A die that only its guard sees."""
    own = frozenset({seat})
    turn.emit(Emboldened(seat, turn.roll(f"bold {seat} {card}", 6, own)), own)


@rule("1.3", "Judging")
def judging(turn: Turn[State]) -> None:
    """Once both cards lie there."""
    if len(turn.state.table) < 2:
        return
    first, second = turn.state.table
    winner = max((first, second), key=lambda shown: shown.worth).seat
    if first.worth == second.worth:
        winner = toss(turn, first.card)
    turn.emit(Won(winner, tuple((shown.seat, shown.worth) for shown in turn.state.table)))


def toss(turn: Turn[State], card: int) -> str:
    """The seat with the higher of two open dice."""
    for again in count():
        label = f" again {again}" if again else ""
        dice = {seat: turn.roll(f"toss {seat} {card}{label}") for seat in turn.state.names}
        turn.emit(Tossed(tuple(dice.items())))
        if len(set(dice.values())) > 1:
            break
    return max(dice, key=lambda seat: dice[seat])


@rule("1.4", "Drawing")
def drawing(turn: Turn[State]) -> None:
    """After a round."""
    lead = turn.state.lead
    for seat in (lead, turn.state.other(lead)):
        if turn.state.deck and not turn.state.table:
            turn.emit(Drew(seat, turn.state.deck[0]), to=frozenset({seat}))


# --- 2 Talk -----------------------------------------------------------------------------------------------------------


@rule("2.1", "Taunts")
def taunts(turn: Turn[State]) -> None:
    """All hear them, at once."""
    for seat, order in turn.given(Taunt):
        turn.emit(Taunted(seat, order.words))


# --- 3 The end --------------------------------------------------------------------------------------------------------


@rule("3.1", "The last card")
def ending(turn: Turn[State]) -> None:
    """When no hand holds a card."""
    if not any(turn.state.hands.values()) and not turn.state.table:
        turn.emit(Ended(tuple((seat, turn.state.won.get(seat, 0)) for seat in turn.state.names)))


PHASES = (laying, judging, drawing, ending)


def stage(state: State) -> Stage:
    """One guard is awaited at a time."""
    if state.over:
        return Stage("over", state.round, "The game is over", frozenset())
    return Stage(
        "lay", state.round, f"Round {state.round}, {state.names[state.mover]} to lay", frozenset({state.mover})
    )


def outcome(state: State) -> Outcome | None:
    """Who won more rounds; nobody before the end."""
    if not state.over:
        return None
    rounds = {seat: state.won.get(seat, 0) for seat in state.names}
    best = max(rounds.values())
    ranking = [tuple(seat for seat in rounds if rounds[seat] == best), tuple(s for s in rounds if rounds[s] < best)]
    return Outcome(tuple(filter(None, ranking)), f"rounds {' to '.join(map(str, rounds.values()))}")
