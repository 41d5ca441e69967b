"""What ships do, and what becomes of them (NIP 11.4)."""

from dataclasses import dataclass, replace
from typing import Literal

from pbem.rulesets.nippon.events.changes import lengthen, settle
from pbem.rulesets.nippon.state import Ship, ShipKind, State


@dataclass(frozen=True)
class Launched:
    """One or more ships of a kind are built in a port, and armed."""

    realm: str
    at: int
    kind: ShipKind
    names: tuple[str, ...]
    machines: tuple[str, ...]
    """Of each."""
    pp: int

    def apply(self, state: State) -> None:
        """They lie in the port."""
        for name in self.names:
            ship = Ship(self.realm, name, self.at, self.kind, self.machines)
            state.ships[ship.key] = ship
        state.pay(self.realm, -self.pp)


@dataclass(frozen=True)
class Embarked:
    """A banner goes aboard a ship that lies where it stands, or off the coast there."""

    banner: str
    ship: str
    at: int
    to: int
    """Where the ship lies."""

    def apply(self, state: State) -> None:
        """From now on it is where the ship is."""
        settle(state, self.banner, self.to)
        state.change_banner(self.banner, aboard=self.ship)
        if self.to != self.at:
            lengthen(state, self.banner, self.at, self.to)


@dataclass(frozen=True)
class ShipWeathered:
    """The sea did a ship no harm."""

    ship: str
    at: int
    total: int
    """Of the 2D6; so too below."""

    def apply(self, state: State) -> None:
        """Nothing: it goes on."""


@dataclass(frozen=True)
class ShipHeld:
    """The weather keeps a ship where it is."""

    ship: str
    at: int
    total: int

    def apply(self, state: State) -> None:
        """Nobody aboard lands this turn, either."""
        _hold(state, self.ship)


@dataclass(frozen=True)
class ShipBattered:
    """A storm keeps a ship where it is, and costs the troops aboard men."""

    ship: str
    at: int
    total: int
    points: int
    """To be lost by those aboard."""

    def apply(self, state: State) -> None:
        """Nobody aboard lands this turn; which models are lost is for their owner to know."""
        _hold(state, self.ship)


@dataclass(frozen=True)
class ShipFoundered:
    """The sea swallowed a ship; that its troops are lost as well is told of each."""

    ship: str
    at: int
    total: int

    def apply(self, state: State) -> None:
        """It is gone."""
        del state.ships[self.ship]


@dataclass(frozen=True)
class Sailed:
    """A ship went on by a section, with all aboard."""

    ship: str
    at: int
    to: int

    def apply(self, state: State) -> None:
        """They are there, and the map will show the way."""
        carry(state, self.ship, self.to)
        for each in state.aboard(self.ship) or (state.ships[self.ship],):
            lengthen(state, each.key, self.at, self.to)


@dataclass(frozen=True)
class ShipIntercepted:
    """A ship came upon hostile ones, and its way is over."""

    ship: str
    at: int
    by: tuple[str, ...]

    def apply(self, state: State) -> None:
        """Its troops do not land."""
        _hold(state, self.ship)


@dataclass(frozen=True)
class PortFull:
    """A ship stays at sea before a port that has no room for it."""

    ship: str
    at: int
    port: int

    def apply(self, state: State) -> None:
        """Nothing: its troops may still go ashore in boats."""


@dataclass(frozen=True)
class WentAshore:
    """A banner left its ship in port."""

    banner: str
    ship: str
    at: int

    def apply(self, state: State) -> None:
        """It stands there as any other."""
        state.change_banner(self.banner, aboard="")


def carry(state: State, ship: str, to: int) -> None:
    """For events: a ship lies elsewhere, and all aboard with it."""
    state.change_ship(ship, at=to)
    for banner in state.aboard(ship):
        state.change_banner(banner.key, at=to)


def _hold(state: State, ship: str) -> None:
    """The orders of those aboard come to nothing."""
    kept = state.pending
    state.pending = replace(kept, holding=(*kept.holding, *(banner.key for banner in state.aboard(ship))))


@dataclass(frozen=True)
class ShipFled:
    """A ship that was beaten at sea reached a port, and its troops went ashore there."""

    ship: str
    at: int
    to: int

    def apply(self, state: State) -> None:
        """They stand there."""
        troops = state.aboard(self.ship)
        carry(state, self.ship, self.to)
        for banner in troops:
            state.change_banner(banner.key, aboard="")


@dataclass(frozen=True)
class ShipTaken:
    """A ship fell into the hands of an enemy."""

    ship: str
    at: int
    by: str
    name: str
    """What its new owner calls it: the same, unless he has that name already."""

    def apply(self, state: State) -> None:
        """It is his, with its machines."""
        prize = replace(state.ships.pop(self.ship), realm=self.by, name=self.name)
        state.ships[prize.key] = prize


@dataclass(frozen=True)
class ShipLost:
    """A ship was sunk by an enemy at sea, or burnt in port before he could take it."""

    ship: str
    at: int
    by: str
    how: Literal["sunk", "burnt"]

    def apply(self, state: State) -> None:
        """It is no more."""
        del state.ships[self.ship]
