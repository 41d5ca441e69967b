"""The position of a game of Gate."""

from copy import copy
from dataclasses import dataclass, field, replace
from typing import Self

HIDDEN = 0
"""What a card shows that one may not see."""

HAND = 3


@dataclass(frozen=True)
class Shown:
    """A card on the table. ``bonus`` is the secret die of a bold one."""

    seat: str
    card: int
    bold: bool = False
    bonus: int = 0

    @property
    def worth(self) -> int:
        """What it counts when the round is judged (1.2)."""
        return 0 if self.bonus == 1 else self.card + self.bonus


@dataclass
class State:
    """The whole position."""

    names: dict[str, str]
    """By seat."""
    hands: dict[str, tuple[int, ...]]
    deck: tuple[int, ...]
    """Its top comes first."""
    lead: str
    """Who lays first in this round."""
    table: tuple[Shown, ...] = ()
    won: dict[str, int] = field(default_factory=dict)
    """Rounds by seat."""
    round: int = 1
    over: bool = False

    def copy(self) -> Self:
        """A state that can be changed without touching this one."""
        twin = copy(self)
        twin.hands, twin.won = dict(self.hands), dict(self.won)
        return twin

    def other(self, seat: str) -> str:
        """The other guard."""
        return next(each for each in self.names if each != seat)

    @property
    def mover(self) -> str:
        """Whose card is awaited."""
        return self.other(self.lead) if self.table else self.lead


@dataclass(frozen=True)
class View:
    """What a seat may know; the public has no seat."""

    seat: str | None
    position: State


def view(state: State, seat: str | None) -> View:
    """The position without the deck, the other hands, and the other secret dice."""
    seen = state.copy()
    seen.deck = (HIDDEN,) * len(state.deck)
    seen.hands = {each: hand if each == seat else (HIDDEN,) * len(hand) for each, hand in state.hands.items()}
    seen.table = tuple(shown if shown.seat == seat else replace(shown, bonus=0) for shown in state.table)
    return View(seat, seen)
