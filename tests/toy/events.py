"""What can happen in a game of Gate."""

from dataclasses import dataclass, replace

from tests.toy.state import Shown, State


@dataclass(frozen=True)
class Laid:
    """A card lies on the table (1.1)."""

    seat: str
    card: int
    bold: bool = False

    def apply(self, state: State) -> None:
        """From the hand to the table."""
        state.hands[self.seat] = tuple(card for card in state.hands[self.seat] if card != self.card)
        state.table = (*state.table, Shown(self.seat, self.card, self.bold))


@dataclass(frozen=True)
class Emboldened:
    """The secret die of a bold card (1.2)."""

    seat: str
    die: int

    def apply(self, state: State) -> None:
        """It lies under the last card."""
        state.table = (*state.table[:-1], replace(state.table[-1], bonus=self.die))


@dataclass(frozen=True)
class Tossed:
    """Equal cards: one die each (1.3)."""

    dice: tuple[tuple[str, int], ...]
    """By seat."""

    def apply(self, state: State) -> None:
        """Nothing lies otherwise."""


@dataclass(frozen=True)
class Won:
    """The round is judged (1.3)."""

    seat: str
    worths: tuple[tuple[str, int], ...]
    """By seat, in the order of laying."""

    def apply(self, state: State) -> None:
        """The table is cleared and the winner leads."""
        state.table, state.lead, state.round = (), self.seat, state.round + 1
        state.won[self.seat] = state.won.get(self.seat, 0) + 1


@dataclass(frozen=True)
class Drew:
    """A card comes to a hand (1.4)."""

    seat: str
    card: int

    def apply(self, state: State) -> None:
        """From the top of the deck."""
        state.deck = state.deck[1:]
        state.hands[self.seat] = tuple(sorted((*state.hands[self.seat], self.card)))


@dataclass(frozen=True)
class Taunted:
    """A guard said something to the other (2.1)."""

    seat: str
    words: str

    def apply(self, state: State) -> None:
        """Words only."""


@dataclass(frozen=True)
class Ended:
    """The game is over (3.1)."""

    rounds: tuple[tuple[str, int], ...]
    """Won rounds by seat."""

    def apply(self, state: State) -> None:
        """Nothing is awaited any more."""
        state.over = True


EVENTS = (Laid, Emboldened, Tossed, Won, Drew, Taunted, Ended)
