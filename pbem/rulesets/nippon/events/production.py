"""Chapter 10, production."""

from dataclasses import dataclass
from typing import Literal

from pbem.rulesets.nippon.state import State


@dataclass(frozen=True)
class Produced:
    """A section paid its controller."""

    at: int
    realm: str
    parts: tuple[tuple[str, int], ...]
    """What the sum is made of, by source: ``die``, ``village``, ``tavern``, ``port``, ``mine``."""
    pp: int
    halved: Literal["", "snow", "no headquarters"] = ""
    """Why the die was a D3."""
    swarm: int = 0
    """What a Banner of the Swarm adds, among ``pp`` (NIP 14.6)."""

    def apply(self, state: State) -> None:
        """Book it."""
        state.pay(self.realm, self.pp)


@dataclass(frozen=True)
class RazingPaid:
    """A section that was razed this turn paid the realm that razed it (NIP 7.1)."""

    at: int
    realm: str
    pp: int

    def apply(self, state: State) -> None:
        """Book it."""
        state.pay(self.realm, self.pp)


@dataclass(frozen=True)
class MineFailing:
    """Two or more ones: the gold mine runs out after this many more turns."""

    at: int
    last: int
    """The last turn in which it pays as a mine."""

    def apply(self, state: State) -> None:
        """Note it."""
        state.change_section(self.at, mine_ends=self.last)


@dataclass(frozen=True)
class MineRanOut:
    """A gold mine is an ordinary section from now on."""

    at: int

    def apply(self, state: State) -> None:
        """No site stands there any more."""
        state.change_section(self.at, site="", mine_ends=0)
