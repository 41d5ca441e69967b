"""What a robot knows, and its whims."""

from dataclasses import dataclass, field
from typing import Any

from pbem.core.dice import Dice
from pbem.rulesets.nippon.cards.checking import judge
from pbem.rulesets.nippon.cards.prospect import Prospect
from pbem.rulesets.nippon.garrisons import fort_of_site, guarded, likely_points
from pbem.rulesets.nippon.state import Banner, State
from pbem.rulesets.nippon.tables import PORT_SCORE, SECTION_SCORE, SITE_SCORE
from pbem.rulesets.nippon.view import View

ENOUGH_FOR = {"works": 1.5, "walls": 1.4}
"""How many times a garrison's mean points a banner has to be worth, by what the garrison stands behind."""

LAIR_POINTS = 800
"""How strong a banner has to be to look for the treasure of a lair."""


@dataclass
class Mind:
    """What a robot knows and has made up its mind about."""

    view: View
    dice: Dice
    goals: set[int] = field(default_factory=set)
    """Sections that a banner is on its way to already."""
    ships: set[str] = field(default_factory=set)
    """Names of ships that have their way for this turn."""

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


def value(position: State, number: int) -> float:
    """What a section is worth: as the final score counts, and a little more for what is another's."""
    place, section = position.place(number), position.sections[number]
    score = SECTION_SCORE + SITE_SCORE.get(section.site, 0) + PORT_SCORE * position.port(place.number)
    return score + (0.5 if section.controller else 0.0) - (0.3 if place.snow else 0.0)


def can_take(mind: Mind, banner: Banner, number: int) -> bool:
    """Whether it dares to fight who lives there: a garrison it outweighs by far, a lair if it is strong."""
    section = mind.position.sections[number]
    if section.site == "lair":
        return banner.points >= LAIR_POINTS
    if not guarded(mind.position, mind.seat, number):
        return True
    return banner.points >= ENOUGH_FOR[fort_of_site(section)] * likely_points(mind.position, number)
