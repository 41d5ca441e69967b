"""What magic items do on the map (NIP 14). Who carries what is its owner's secret."""

from dataclasses import dataclass, replace
from typing import Literal

from pbem.rulesets.nippon.events.changes import lose, rearm
from pbem.rulesets.nippon.state import Assault, Scrying, State, Unit


@dataclass(frozen=True)
class HandlingFailed:
    """A line about an item that was allowed when it was written comes to nothing (NIP 14)."""

    realm: str
    line: str
    reason: str

    def apply(self, state: State) -> None:
        """Nothing is done."""


@dataclass(frozen=True)
class ItemHandedOver:
    """An item is carried by another unit from now on (NIP 14.1)."""

    at: int
    item: str
    giver: Unit
    """Without it."""
    giver_banner: str
    """Key; nothing: it stands in reserve. So too the other."""
    taker: Unit
    """With it."""
    taker_banner: str

    def apply(self, state: State) -> None:
        """It changes hands."""
        rearm(state, self.at, self.giver_banner, self.giver)
        rearm(state, self.at, self.taker_banner, self.taker)


@dataclass(frozen=True)
class ItemDrunk:
    """A unit drinks an elixir for good, or a potion for the day (NIP 14.2 to 14.4)."""

    at: int
    banner: str
    item: str
    bearer: Unit
    """As it is now."""

    def apply(self, state: State) -> None:
        """The vial is empty."""
        rearm(state, self.at, self.banner, self.bearer)


@dataclass(frozen=True)
class ChaosTested:
    """Who has drunk an Elixir of Chaos is tested for a characteristic that it has raised (NIP 14.3)."""

    at: int
    banner: str
    bearer: str
    characteristic: str
    came: Literal["tough", "willing", "lost"]
    """He passed the test of his Toughness; failed it, but passed the one of his Leadership; failed both."""

    def apply(self, state: State) -> None:
        """Who is lost is no more, nor is what he carried; all learn of it by :class:`SpawnArose`, without his name."""
        if self.came == "lost":
            lose(state, self.at, self.banner, self.bearer)


@dataclass(frozen=True)
class SpawnArose:
    """A character has succumbed to chaos, and what he has become turns on his banner (NIP 14.3)."""

    at: int
    banner: str

    def apply(self, state: State) -> None:
        """The banner does nothing this turn but fight it."""
        state.pending = replace(state.pending, holding=(*state.pending.holding, self.banner))
        facing = Assault(self.at, "spawn", (self.banner,))
        foes = state.assaults.get(facing.key, facing).foes + 1
        state.assaults[facing.key] = replace(facing, foes=foes)


@dataclass(frozen=True)
class PotionsWoreOff:
    """What a unit drank for the day works no longer (NIP 14.4)."""

    at: int
    banner: str
    bearer: Unit
    """As he was before."""

    def apply(self, state: State) -> None:
        """He is himself again."""
        rearm(state, self.at, self.banner, self.bearer)


@dataclass(frozen=True)
class Scried:
    """A realm looks into a banner (NIP 14.5)."""

    realm: str
    banner: str
    seen: tuple[str, ...]
    """A unit each, in words."""
    bearer: Unit
    """Who read the scroll, without it."""
    at: int
    """Where he stands."""
    by: str
    """Key of his banner; nothing: he stands in reserve."""

    def apply(self, state: State) -> None:
        """The scroll is used up; the owner learns of it at the end of the turn."""
        rearm(state, self.at, self.by, self.bearer)
        state.scryings = (*state.scryings, Scrying(self.realm, self.banner))


@dataclass(frozen=True)
class ScryingNoticed:
    """The owner of a banner learns who has looked into it (NIP 14.5)."""

    banner: str
    by: str

    def apply(self, state: State) -> None:
        """It is no longer news."""
        state.scryings = tuple(each for each in state.scryings if each != Scrying(self.by, self.banner))


@dataclass(frozen=True)
class OldOnesTested:
    """After a battle the Talisman of the Old Ones may take its bearer (NIP 14.7)."""

    at: int
    banner: str
    bearer: str
    taken: bool

    def apply(self, state: State) -> None:
        """If so he is gone for good, and it with him."""
        if self.taken:
            lose(state, self.at, self.banner, self.bearer)
