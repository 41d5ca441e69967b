"""Rule cases of Gate."""

from dataclasses import dataclass, field

from pbem.core.cases import Case
from pbem.core.trials import BadLine, Game, Trial, Vocabulary, play
from tests.toy.events import EVENTS
from tests.toy.orders import check, read
from tests.toy.rules import PHASES, stage, taunts
from tests.toy.state import Shown, State, view

POSITION = Vocabulary()
EXPECTED = Vocabulary()


@dataclass
class Draft:
    """A position as described so far: what is not said is empty."""

    hands: dict[str, tuple[int, ...]] = field(default_factory=lambda: {"A": (), "B": ()})
    deck: tuple[int, ...] = ()
    lead: str = "A"
    table: tuple[Shown, ...] = ()
    won: dict[str, int] = field(default_factory=dict)


def build(draft: Draft) -> State:
    """The state that a draft describes."""
    cards = [*draft.deck, *(card for hand in draft.hands.values() for card in hand), *(x.card for x in draft.table)]
    if len(set(cards)) < len(cards):
        raise BadLine("a card is in two places")
    return State({"A": "A", "B": "B"}, draft.hands, draft.deck, draft.lead, draft.table, draft.won)


def _cards(text: str) -> tuple[int, ...]:
    return () if text == "empty" else tuple(map(int, text.split()))


@POSITION.phrase("hand {seat:seat} {cards}")
def hand(draft: Draft, seat: str, cards: str) -> None:
    """What a guard holds."""
    draft.hands[seat] = _cards(cards)


@POSITION.phrase("deck {cards}")
def deck(draft: Draft, cards: str) -> None:
    """The deck, from the top."""
    draft.deck = _cards(cards)


@POSITION.phrase("lead {seat:seat}")
def lead(draft: Draft, seat: str) -> None:
    """Who leads the round."""
    draft.lead = seat


@POSITION.phrase("table {seat:seat} {card:int}[ die {die:int}]")
def table(draft: Draft, seat: str, card: int, die: int = 0) -> None:
    """A card on the table, with its secret die if it is bold."""
    draft.table = (*draft.table, Shown(seat, card, bool(die), die))


@POSITION.phrase("won {seat:seat} {rounds:int}")
def won(draft: Draft, seat: str, rounds: int) -> None:
    """Rounds that a guard has won."""
    draft.won[seat] = rounds


@EXPECTED.phrase("hand {seat:seat} {cards}")
def hand_is(trial: Trial, seat: str, cards: str) -> str | None:
    """What a guard holds now."""
    holds = trial.state.hands[seat]
    return None if holds == _cards(cards) else f"he holds {' '.join(map(str, holds)) or 'nothing'}"


@EXPECTED.phrase("deck {cards}")
def deck_is(trial: Trial, cards: str) -> str | None:
    """The deck now."""
    return None if trial.state.deck == _cards(cards) else f"it is {' '.join(map(str, trial.state.deck)) or 'empty'}"


@EXPECTED.phrase("lead {seat:seat}")
def lead_is(trial: Trial, seat: str) -> str | None:
    """Who leads now."""
    return None if trial.state.lead == seat else f"{trial.state.lead} leads"


@EXPECTED.phrase("won {seat:seat} {rounds:int}")
def won_is(trial: Trial, seat: str, rounds: int) -> str | None:
    """Rounds won by now."""
    has = trial.state.won.get(seat, 0)
    return None if has == rounds else f"he has won {has}"


GAME = Game(
    draft=Draft,
    build=build,
    position=POSITION,
    expected=EXPECTED,
    events=EVENTS,
    view=view,
    read=read,
    check=check,
    phases=lambda state: PHASES,
    acts=(taunts,),
    stage=lambda state: stage(state).kind,
)


def play_case(case: Case) -> tuple[str, ...]:
    """Play a rule case."""
    return play(case, GAME)
