"""What a robot knows, and its whims."""

from dataclasses import dataclass, field
from typing import Any

from pbem.core.dice import Dice
from pbem.rulesets.nippon.cards.checking import judge
from pbem.rulesets.nippon.cards.ledger import Prospect
from pbem.rulesets.nippon.state import State
from pbem.rulesets.nippon.view import View


@dataclass
class Mind:
    """What a robot knows and has made up its mind about."""

    view: View
    dice: Dice
    goals: set[int] = field(default_factory=set)
    """Sections that a banner is on its way to already."""

    @property
    def position(self) -> State:
        """What it sees."""
        return self.view.position

    @property
    def seat(self) -> str:
        """Whose side it is on."""
        return self.view.seat or ""

    def roll(self, about: str, sides: int = 6) -> int:
        """A whim."""
        return self.dice.roll(f"robot {self.seat} {self.position.turn} {about}", sides).value

    def may(self, order: Any) -> bool:
        """Whether an order can be carried out."""
        return isinstance(judge(self.view, order), Prospect)
