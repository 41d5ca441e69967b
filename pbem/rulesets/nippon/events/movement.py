"""Chapter 6, banners on their way, and the sections they claim."""

from dataclasses import dataclass, replace
from typing import Literal

from pbem.rulesets.nippon.events.changes import hand_over, lengthen, remove, settle
from pbem.rulesets.nippon.items.bearing import rid_of
from pbem.rulesets.nippon.state import State
from pbem.rulesets.nippon.tables import PORTAL_SCROLL


@dataclass(frozen=True)
class PaceRolled:
    """M of a banner's models with random movement in the turn that begins; only its realm learns it (NIP 6.1)."""

    banner: str
    at: int
    pace: int

    def apply(self, state: State) -> None:
        """So it is for this turn."""
        state.change_banner(self.banner, pace=self.pace)


@dataclass(frozen=True)
class Moved:
    """A banner took a step (NIP 6.3)."""

    banner: str
    at: int
    to: int
    flying: bool = False

    def apply(self, state: State) -> None:
        """It stands there, and the map will show its path."""
        settle(state, self.banner, self.to)
        lengthen(state, self.banner, self.at, self.to)
        if self.flying and self.banner not in state.pending.flown:
            state.pending = replace(state.pending, flown=(*state.pending.flown, self.banner))


@dataclass(frozen=True)
class Portalled:
    """A banner went through a portal; its scroll is used up (NIP 14.8)."""

    banner: str
    at: int
    to: int

    def apply(self, state: State) -> None:
        """It stands there, and the first unit that had a scroll has one less."""
        settle(state, self.banner, self.to)
        units = list(state.banners[self.banner].units)
        first = next(index for index, unit in enumerate(units) if PORTAL_SCROLL in unit.items)
        units[first] = rid_of(units[first], PORTAL_SCROLL)
        state.change_banner(self.banner, units=tuple(units))


@dataclass(frozen=True)
class PortalKept:
    """A banner did not need its portal; only its realm knows of it (NIP 14.8)."""

    banner: str
    at: int

    def apply(self, state: State) -> None:
        """Nothing: it holds, and keeps its scroll."""


@dataclass(frozen=True)
class Sighted:
    """All that a realm sees of a step that began or ended in fog: a banner came to a section, or left it (NIP 17)."""

    banner: str
    at: int
    coming: bool

    def apply(self, state: State) -> None:
        """Nothing: the step itself is another event."""


@dataclass(frozen=True)
class Watched:
    """What each realm could see of the movement in fog: so much of others' marches its map shows (NIP 17.1)."""

    sights: tuple[tuple[str, tuple[int, ...]], ...]
    """Sections, by seat."""

    def apply(self, state: State) -> None:
        """Kept until the next orders are opened: what it sees later, it did not see then."""
        state.pending = replace(state.pending, watched=self.sights)


@dataclass(frozen=True)
class TurnedBack:
    """A flyer whose move ended over the ocean went back to where it last had ground below (NIP 5, 20.6)."""

    banner: str
    at: int
    to: int

    def apply(self, state: State) -> None:
        """It stands there."""
        settle(state, self.banner, self.to)
        lengthen(state, self.banner, self.at, self.to)


@dataclass(frozen=True)
class Disbanded:
    """A scattered banner has no home that it could reach, and goes its ways (NIP 9.3)."""

    banner: str
    at: int

    def apply(self, state: State) -> None:
        """It is gone."""
        remove(state, self.banner)


@dataclass(frozen=True)
class CameHome:
    """A scattered banner reached a site of its realm and is whole again (NIP 9.3)."""

    banner: str
    at: int

    def apply(self, state: State) -> None:
        """It obeys orders again."""
        state.change_banner(self.banner, scattered=False, scattered_on=0)


@dataclass(frozen=True)
class Intercepted:
    """A banner met hostile ones that remain where it is, and its move is over (NIP 6.3)."""

    banner: str
    at: int
    by: tuple[str, ...]

    def apply(self, state: State) -> None:
        """Nothing: it stays."""


@dataclass(frozen=True)
class NightRolled:
    """Hostile banners would cross a border in opposite directions: each realm has rolled (NIP 6.4)."""

    border: tuple[int, int]
    """The lower number first."""
    values: tuple[tuple[str, int], ...]
    """By realm."""

    def apply(self, state: State) -> None:
        """Nothing yet: who goes and who stays are other events."""


@dataclass(frozen=True)
class HeldInTheNight:
    """A banner lost the roll and waits for the enemy where it is; its move is over (NIP 6.4)."""

    banner: str
    at: int
    to: int
    by: tuple[str, ...]
    """The hostile banners that come."""

    def apply(self, state: State) -> None:
        """Nothing: it stays."""


@dataclass(frozen=True)
class WonTheNight:
    """A banner won the roll: it goes, and its move ends where it meets the loser (NIP 6.4)."""

    banner: str
    at: int
    to: int
    over: tuple[str, ...]

    def apply(self, state: State) -> None:
        """Nothing yet: it moves with the others."""


@dataclass(frozen=True)
class PassedInTheNight:
    """Two hostile banners rolled the same and never saw each other (NIP 6.4)."""

    border: tuple[int, int]
    banners: tuple[str, str]

    def apply(self, state: State) -> None:
        """Nothing yet: both move with the others."""


@dataclass(frozen=True)
class PointsTied:
    """Realms that want the same had equal points in the section and rolled for it (NIP 6.6, 7.4, 20.4)."""

    about: Literal["claim", "raze", "assault"]
    """Control of the section, the pay for razing it, or who assaults it."""
    at: int
    values: tuple[tuple[str, int], ...]
    """By realm. Equal again: another roll follows."""

    def apply(self, state: State) -> None:
        """Nothing yet: who gets it is another event."""


@dataclass(frozen=True)
class Claimed:
    """A realm took control of a section (NIP 6.6)."""

    realm: str
    at: int
    banners: tuple[str, ...]
    """Its banners there that claimed."""
    held_by: str
    """Who controlled it until now."""

    def apply(self, state: State) -> None:
        """It is theirs."""
        hand_over(state, self.at, self.realm)
