"""What happens after the battles and at the end of a turn (chapters 9 to 15)."""

from dataclasses import dataclass
from typing import Literal

from pbem.rulesets.nippon.events.changes import hand_over, settle
from pbem.rulesets.nippon.state import State

# --- 9 After a battle ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SectionWon:
    """The winner of a battle takes the section."""

    at: int
    realm: str
    lost_by: str
    """Who controlled it until now."""

    def apply(self, state: State) -> None:
        """It changes hands and pays nobody this turn; the loser's works go (NIP 7.3)."""
        hand_over(state, self.at, self.realm)
        state.change_section(self.at, taken=state.turn)


@dataclass(frozen=True)
class StructureTested:
    """A building or war machine of a site that was won: it survives, or is gone."""

    at: int
    kind: Literal["buildings", "machines"]
    name: str
    survives: bool

    def apply(self, state: State) -> None:
        """Strike what is gone."""
        if not self.survives:
            left = list(getattr(state.sections[self.at], self.kind))
            left.remove(self.name)
            state.change_section(self.at, **{self.kind: tuple(left)})


@dataclass(frozen=True)
class Retreated:
    """A beaten banner went to a neighbouring section of its own or an ally's."""

    banner: str
    origin: int
    to: int

    def apply(self, state: State) -> None:
        """Its works stay behind and go (NIP 7.3)."""
        settle(state, self.banner, self.to)


@dataclass(frozen=True)
class BattleDrawn:
    """Both stay; next turn these banners may only hold, move to a section of their own, or scatter."""

    at: int
    banners: tuple[str, ...]

    def apply(self, state: State) -> None:
        """Mark them until the end of the next turn."""
        for key in self.banners:
            state.change_banner(key, drawn=True)


# --- 10 Production ------------------------------------------------------------------------------------------------


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


# --- 13, 15 Headquarters and the end ------------------------------------------------------------------------------


@dataclass(frozen=True)
class HeadquartersLost:
    """A realm starts the next turn without headquarters."""

    realm: str
    at: int

    def apply(self, state: State) -> None:
        """It may only hold and move."""
        state.change_realm(self.realm, homeless=True)


@dataclass(frozen=True)
class HeadquartersRegained:
    """A realm has its headquarters back."""

    realm: str
    at: int

    def apply(self, state: State) -> None:
        """All is as it was."""
        state.change_realm(self.realm, homeless=False)


@dataclass(frozen=True)
class RealmEliminated:
    """A realm has neither section nor banner nor ship."""

    realm: str

    def apply(self, state: State) -> None:
        """It is out."""
        state.change_realm(self.realm, status="eliminated")


@dataclass(frozen=True)
class DeedsCounted:
    """What a stage adds to the deeds for which there are honours at the end (NIP 15.3)."""

    deeds: tuple[tuple[str, int], ...]
    """By deed and doer: ``razed A``, ``walked A Red Dragons``."""

    def apply(self, state: State) -> None:
        """Add them up."""
        for deed, much in self.deeds:
            state.deeds[deed] = state.deeds.get(deed, 0) + much


@dataclass(frozen=True)
class CampaignEnded:
    """The campaign is over."""

    reason: str
    ranking: tuple[tuple[str, ...], ...]
    """Realms in order of merit, equals together."""
    scores: tuple[tuple[str, int], ...]
    """By seat."""

    def apply(self, state: State) -> None:
        """Nothing is awaited any more."""
        state.stage = "over"
        state.ending, state.ranking = self.reason, self.ranking


@dataclass(frozen=True)
class TurnEnded:
    """The turn is over; orders are awaited for the next."""

    turn: int

    def apply(self, state: State) -> None:
        """What lasts for one turn only goes."""
        drawn = {key for fought in (state.meetings, state.assaults) for each in fought.values() for key in each.drew}
        for banner in [each for each in state.banners.values() if each.drawn and each.key not in drawn]:
            state.change_banner(banner.key, drawn=False)
        state.meetings, state.assaults, state.terms = {}, {}, {}
        state.turn, state.stage = self.turn + 1, "orders"
