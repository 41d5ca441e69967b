"""What happens in battles that nobody plays (chapter 8)."""

from dataclasses import dataclass

from pbem import battles as br1
from pbem.rulesets.nippon.state import Result, State

# --- 8.3 Automatic battles ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AutomaticAsked:
    """A realm wants its battle to be fought automatically, or not any more."""

    at: int
    realm: str
    automatic: bool

    def apply(self, state: State) -> None:
        """Note it."""
        asking, this = state.meetings[self.at].automatic, {self.realm}
        state.change_meeting(self.at, automatic=asking | this if self.automatic else asking - this)


@dataclass(frozen=True)
class BattleFought:
    """A battle was fought automatically."""

    at: int
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    """Who stood in the fort, if there was one."""
    ground: br1.Ground
    fort: br1.Fort
    rounds: int

    def apply(self, state: State) -> None:
        """What came of it is told apart."""


@dataclass(frozen=True)
class BattleTold:
    """How an automatic battle went, for those who fought it. Units are named with the key of their banner."""

    at: int
    sides: tuple[tuple[str, ...], tuple[str, ...]]
    """The sides A and B of the account."""
    result: Result
    day: br1.Role | None
    """Whose day it was."""
    rounds: tuple[br1.Account, ...]
    end: br1.End
    ended: tuple[br1.Role, ...]

    def apply(self, state: State) -> None:
        """It is the result that stands."""
        if self.at in state.meetings:
            state.change_meeting(self.at, result=self.result, confirmed=frozenset())
