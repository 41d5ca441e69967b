"""What comes of trade in magic items (NIP 11.5). Who carries what is its owner's secret."""

from dataclasses import dataclass

from pbem.rulesets.nippon.events.changes import rearm
from pbem.rulesets.nippon.state import State, Unit


@dataclass(frozen=True)
class ItemBought:
    """A unit gets a magic item for production points (NIP 11.5)."""

    realm: str
    at: int
    item: str
    bearer: Unit
    """The unit with it."""
    banner: str
    """Key of its banner; nothing: it stands in reserve."""
    pp: int
    stocked: bool
    """Out of the stock of a merchant city; else it was made at the realm's own forge."""

    def apply(self, state: State) -> None:
        """It is carried from now on."""
        rearm(state, self.at, self.banner, self.bearer)
        state.pay(self.realm, -self.pp)
        if self.stocked:
            restock(state, self.at, self.item, -1)


@dataclass(frozen=True)
class ItemSold:
    """A merchant city takes a magic item for half its price (NIP 11.5)."""

    realm: str
    at: int
    item: str
    bearer: Unit
    """The unit without it."""
    banner: str
    pp: int

    def apply(self, state: State) -> None:
        """Others can buy it there."""
        rearm(state, self.at, self.banner, self.bearer)
        state.pay(self.realm, self.pp)
        restock(state, self.at, self.item, 1)


@dataclass(frozen=True)
class BidsCompared:
    """More realms want an item than a merchant city has of it (NIP 11.5)."""

    at: int
    item: str
    left: int
    """How many there are."""
    bids: tuple[tuple[str, int], ...]
    """Realms and what they bid, the highest first."""
    winners: tuple[str, ...]

    def apply(self, state: State) -> None:
        """Who may buy is settled; they still have to pay."""


def restock(state: State, at: int, item: str, more: int) -> None:
    """For events: a merchant city has more of an item, or less."""
    stock = dict(state.sections[at].stock)
    stock[item] = stock.get(item, 0) + more
    state.change_section(at, stock=tuple((name, count) for name, count in stock.items() if count))
