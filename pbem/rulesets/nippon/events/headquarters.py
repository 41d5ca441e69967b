"""Chapter 13, realms without headquarters, and without players."""

from dataclasses import dataclass

from pbem.rulesets.nippon.events.changes import hand_over, remove
from pbem.rulesets.nippon.state import State


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
class RealmWithdrawn:
    """Nobody plays a realm any more: the organizer says so, and why."""

    realm: str
    reason: str
    until: int
    """The last turn in which its banners are on the map."""

    def apply(self, state: State) -> None:
        """They hold until then."""
        state.change_realm(self.realm, status="withdrawn", stands_until=self.until)


@dataclass(frozen=True)
class RealmReadmitted:
    """Somebody plays a withdrawn realm again."""

    realm: str
    reason: str

    def apply(self, state: State) -> None:
        """All is as before."""
        state.change_realm(self.realm, status="active", stands_until=0)


@dataclass(frozen=True)
class RealmDisbanded:
    """Nobody was found to play a withdrawn realm: its banners go their ways, with its ships and reserves."""

    realm: str
    sections: tuple[int, ...]
    """What it controlled."""

    def apply(self, state: State) -> None:
        """What was its own is nobody's."""
        for banner in state.banners_of(self.realm):
            remove(state, banner.key)
        for tunnel in state.tunnels_of(self.realm):
            del state.tunnels[tunnel.banner.key]
        for ship in state.ships_of(self.realm):
            del state.ships[ship.key]
        for at in self.sections:
            hand_over(state, at, "")
        for at in [at for at, section in state.sections.items() if section.quartered == self.realm]:
            state.change_section(at, reserve=(), quartered="")
        state.change_realm(self.realm, homeless=True)


@dataclass(frozen=True)
class RealmEliminated:
    """A realm has neither section nor banner nor ship."""

    realm: str

    def apply(self, state: State) -> None:
        """It is out."""
        state.change_realm(self.realm, status="eliminated")
