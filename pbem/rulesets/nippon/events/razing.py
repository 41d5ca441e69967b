"""What happens to the land: raze, fortify, recover (chapter 7)."""

from dataclasses import dataclass, replace

from pbem.rulesets.nippon.state import Razing, State


@dataclass(frozen=True)
class Razed:
    """A section was razed (NIP 7.1)."""

    at: int
    by: tuple[str, ...]
    """The razing banners."""
    realm: str
    """The realm that is paid."""
    held_by: str
    """Who controlled it until now, and is still paid for it this turn."""
    pp: int
    """Paid with this turn's production."""

    def apply(self, state: State) -> None:
        """It is nobody's, and production will know."""
        state.change_section(self.at, razed=True, controller="", fortified="", tries=())
        razed = (*state.pending.razed, Razing(self.at, self.realm, self.held_by, self.pp))
        state.pending = replace(state.pending, razed=razed)


@dataclass(frozen=True)
class RazeAndMoveFree:
    """A razing banner was done in time and moves with the others (NIP 7.2)."""

    banner: str
    at: int

    def apply(self, state: State) -> None:
        """Nothing: it moves."""


@dataclass(frozen=True)
class RazeAndMoveHeld:
    """Razing took a banner too long: it holds (NIP 7.2)."""

    banner: str
    at: int

    def apply(self, state: State) -> None:
        """It holds."""
        state.pending = replace(state.pending, holding=(*state.pending.holding, self.banner))


@dataclass(frozen=True)
class Fortified:
    """A banner built works (NIP 7.3)."""

    banner: str
    at: int

    def apply(self, state: State) -> None:
        """The section bears its mark."""
        state.change_section(self.at, fortified=self.banner)


@dataclass(frozen=True)
class WorkFailed:
    """Nothing came of an order to fortify or recover (NIP 7.5)."""

    banner: str
    at: int
    work: str
    """``fortify`` or ``recover``."""
    reason: str

    def apply(self, state: State) -> None:
        """Nothing."""


@dataclass(frozen=True)
class Recovered:
    """A realm's try at recovery succeeded (NIP 7.4)."""

    realm: str
    at: int
    banners: tuple[str, ...]
    die: int
    bonus: int
    """For earlier tries in a row."""

    def apply(self, state: State) -> None:
        """The mark goes. Who controls the section is another event."""
        state.change_section(self.at, razed=False, tries=())


@dataclass(frozen=True)
class RecoveryFailed:
    """A realm's try at recovery failed (NIP 7.4)."""

    realm: str
    at: int
    banners: tuple[str, ...]
    die: int
    bonus: int

    def apply(self, state: State) -> None:
        """It counts for the next one, unless a friend has just succeeded."""
        if not state.sections[self.at].razed:
            return
        tries = dict(state.sections[self.at].tries)
        tries[self.realm] = tries.get(self.realm, 0) + 1
        state.change_section(self.at, tries=tuple(sorted(tries.items())))


@dataclass(frozen=True)
class RowEnded:
    """A turn without a try, or with a battle, ended a realm's row of tries at recovery (NIP 7.4)."""

    realm: str
    at: int

    def apply(self, state: State) -> None:
        """The next try is its first."""
        tries = tuple(pair for pair in state.sections[self.at].tries if pair[0] != self.realm)
        state.change_section(self.at, tries=tries)
