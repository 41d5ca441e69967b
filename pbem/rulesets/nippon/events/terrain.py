"""Chapter 5, what terrain does to banners."""

from dataclasses import dataclass

from pbem.rulesets.nippon.events.changes import remove
from pbem.rulesets.nippon.state import State, Unit
from pbem.rulesets.nippon.tables import Hazard


@dataclass(frozen=True)
class Passed:
    """A banner got past a hazard (NIP 5)."""

    banner: str
    at: int
    to: int
    hazard: Hazard

    def apply(self, state: State) -> None:
        """Nothing: it may go on."""


@dataclass(frozen=True)
class LostInForest:
    """A banner lost its way on leaving a forest and heads for ``to``, where its move will end (NIP 5)."""

    banner: str
    at: int
    bearing: int
    """Degrees clockwise from the top of the map."""
    to: int
    wanted: int

    def apply(self, state: State) -> None:
        """Nothing yet: the tests of that neighbour come first."""


@dataclass(frozen=True)
class StuckInForest:
    """A lost banner came to the shore of a second ocean section and turned back into the forest (NIP 20.6)."""

    banner: str
    at: int
    to: int

    def apply(self, state: State) -> None:
        """Nothing: it stays."""


@dataclass(frozen=True)
class Halted:
    """Difficult terrain stopped a banner before ``to``; it counts as holding (NIP 5.1)."""

    banner: str
    at: int
    to: int

    def apply(self, state: State) -> None:
        """Nothing: it stays."""


@dataclass(frozen=True)
class DangerSurvived:
    """Dangerous terrain did a banner no harm (NIP 5.2)."""

    banner: str
    at: int
    to: int
    hazard: Hazard
    total: int
    """Of the 2D6; so too below."""

    def apply(self, state: State) -> None:
        """Nothing: it may go on."""


@dataclass(frozen=True)
class DangerHeld:
    """Dangerous terrain kept a banner from moving (NIP 5.2)."""

    banner: str
    at: int
    to: int
    hazard: Hazard
    total: int

    def apply(self, state: State) -> None:
        """Nothing: it stays."""


@dataclass(frozen=True)
class DangerCost:
    """Dangerous terrain cost a banner men, and kept it from moving (NIP 5.2)."""

    banner: str
    at: int
    to: int
    hazard: Hazard
    total: int
    points: int
    """To be lost."""

    def apply(self, state: State) -> None:
        """Nothing yet: which models are lost is for its owner to know."""


@dataclass(frozen=True)
class ModelsLost:
    """The models that a banner lost on dangerous terrain (NIP 5.2)."""

    banner: str
    at: int
    lost: tuple[tuple[str, int], ...]
    """Unit and number of models."""
    units: tuple[Unit, ...]
    """What is left."""

    def apply(self, state: State) -> None:
        """They are gone."""
        state.change_banner(self.banner, units=self.units)


@dataclass(frozen=True)
class Destroyed:
    """Dangerous terrain swallowed a banner whole (NIP 5.2)."""

    banner: str
    at: int
    to: int
    hazard: Hazard
    total: int

    def apply(self, state: State) -> None:
        """It is gone."""
        remove(state, self.banner)


@dataclass(frozen=True)
class WipedOut:
    """A banner lost its last models (NIP 5.2)."""

    banner: str
    at: int

    def apply(self, state: State) -> None:
        """It is gone."""
        remove(state, self.banner)


@dataclass(frozen=True)
class Heroic:
    """A banner went through danger and came out as heroes (NIP 5.3)."""

    banner: str
    at: int
    to: int
    hazard: Hazard
    total: int

    def apply(self, state: State) -> None:
        """It is remembered at how many points."""
        state.change_banner(self.banner, heroism=state.banners[self.banner].points)
