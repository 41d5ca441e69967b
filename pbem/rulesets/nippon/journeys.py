"""A banner's way through the steps of one turn (NIP 6.3)."""

from dataclasses import dataclass, field

from pbem.rulesets.nippon.paths import Path
from pbem.rulesets.nippon.terrain import Step


@dataclass
class Journey:
    """A banner's way through the steps of one turn."""

    banner: str
    path: Path
    """Where it has been, its start first."""
    ahead: Path
    """Where it still means to go; empty when its move is over."""
    airborne: bool
    marching: bool = False
    """It makes a forced march, and the march succeeds (NIP 12.1)."""
    razes: frozenset[int] = frozenset()
    """Sections that it is to raze on leaving them."""
    tested: Step | None = None
    """The last leg of a forced march, if its tests were made before it came there, and passed (NIP 6.4)."""
    planned: int = field(init=False)
    """How many steps it set out for."""

    def __post_init__(self) -> None:
        self.planned = len(self.ahead)

    @property
    def next_step(self) -> Step:
        """The step that comes first."""
        return self.leg(0)

    @property
    def known_step(self) -> Step | None:
        """The next step, if its tests were made before."""
        return self.tested if self.tested and self.tested.path == self.path else None

    @property
    def passing(self) -> bool:
        """Whether it would stop nobody where it is, nor be stopped (NIP 6.3)."""
        return bool(self.ahead) and (self.airborne or self.marching)

    def leg(self, index: int) -> Step:
        """One of the steps it still means to take, as planned."""
        return Step(self.banner, (*self.path, *self.ahead[:index]), self.ahead[index], self.airborne)

    def is_last(self, index: int) -> bool:
        """Whether it meant to end its move with that leg."""
        return len(self.path) + index == self.planned

    def cut(self, legs: int) -> None:
        """It takes so many more steps, and its move is over."""
        self.ahead = self.ahead[:legs]

    def take(self, step: Step) -> None:
        """It has gone where ``step`` led. Who lost his way stays there."""
        self.path = (*self.path, step.to)
        self.ahead = () if step.lost else self.ahead[1:]
