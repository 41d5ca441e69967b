"""What happens before the first turn (NIP 2)."""

from dataclasses import dataclass

from pbem.rulesets.nippon.state import Banner, Realm, State, Unit, name_of, seat_of


@dataclass(frozen=True)
class RealmEntered:
    """Somebody took a free seat (NIP 2.1)."""

    realm: str
    name: str
    army: str

    def apply(self, state: State) -> None:
        """It chooses like the others."""
        state.realms[self.realm] = Realm(self.realm, self.name, self.army, 0)


@dataclass(frozen=True)
class PickRolled:
    """A realm rolled for when it picks its headquarters (NIP 2.2)."""

    realm: str
    total: int

    def apply(self, state: State) -> None:
        """The picks follow."""


@dataclass(frozen=True)
class HeadquartersChosen:
    """A realm got its headquarters (NIP 2.2)."""

    realm: str
    at: int

    def apply(self, state: State) -> None:
        """It is taken."""
        state.change_realm(self.realm, headquarters=self.at)


@dataclass(frozen=True)
class CitadelRaised:
    """A headquarters became a citadel (NIP 2.3)."""

    realm: str
    at: int
    machines: tuple[str, ...]
    """Its stationary war machines."""

    def apply(self, state: State) -> None:
        """The realm controls it."""
        state.change_section(self.at, controller=self.realm, site="citadel", machines=self.machines)


@dataclass(frozen=True)
class RosterRefused:
    """A roster was not legal when the set-up ended (NIP 2.4)."""

    realm: str
    reason: str

    def apply(self, state: State) -> None:
        """The ready-made army takes its place."""


@dataclass(frozen=True)
class BannerMustered:
    """A banner of a realm's first army (NIP 2.4): its realm alone knows what is in it."""

    banner: str
    at: int
    units: tuple[Unit, ...]

    def apply(self, state: State) -> None:
        """It stands at its headquarters."""
        state.banners[self.banner] = Banner(seat_of(self.banner), name_of(self.banner), self.at, self.units)


@dataclass(frozen=True)
class GeneralChosen:
    """Somebody leads an army from its first day (NIP 2.4): its realm alone knows who."""

    realm: str
    unit: str

    def apply(self, state: State) -> None:
        """He is the Army General."""
        state.change_realm(self.realm, general=self.unit)


@dataclass(frozen=True)
class ArmyMustered:
    """A realm's army stands under its banners (NIP 2.4)."""

    realm: str
    at: int
    names: tuple[str, ...]

    def apply(self, state: State) -> None:
        """The banners are there already."""


@dataclass(frozen=True)
class CampaignBegan:
    """The set-up is over (NIP 2.5)."""

    def apply(self, state: State) -> None:
        """The first turn waits for orders."""
        state.turn, state.stage = 1, "orders"
