"""What comes of spending (NIP 11)."""

from dataclasses import dataclass, replace
from typing import Literal

from pbem.rulesets.nippon.atlas import Site
from pbem.rulesets.nippon.events.changes import rearm
from pbem.rulesets.nippon.state import State, Unit


@dataclass(frozen=True)
class GiftPaid:
    """Production points change hands as a gift (NIP 11.6)."""

    giver: str
    taker: str
    pp: int

    def apply(self, state: State) -> None:
        """Book them."""
        state.pay(self.giver, -self.pp)
        state.pay(self.taker, self.pp)


@dataclass(frozen=True)
class Recruited:
    """A site has produced a unit (NIP 11.1)."""

    realm: str
    at: int
    unit: Unit
    pp: int

    def apply(self, state: State) -> None:
        """It stays there as the reserve until it joins a banner (NIP 3.6)."""
        reserve = (*state.sections[self.at].reserve, self.unit)
        state.change_section(self.at, reserve=reserve, quartered=self.realm, recruited=state.turn)
        state.pay(self.realm, -self.pp)


@dataclass(frozen=True)
class StandardBought:
    """A unit that has lost its standard has another one (NIP 11.1)."""

    realm: str
    at: int
    unit: str
    banner: str
    """Key of the banner it marches under; nothing: it is in the reserve."""
    pp: int
    bearer: Unit
    """The unit with it."""

    def apply(self, state: State) -> None:
        """It is carried from now on."""
        rearm(state, self.at, self.banner, self.bearer)
        state.pay(self.realm, -self.pp)


@dataclass(frozen=True)
class Reinforced:
    """A site has produced models for a unit that is there (NIP 11.1)."""

    realm: str
    at: int
    unit: str
    banner: str
    """Key of the banner it marches under; nothing: it is in the reserve."""
    models: int
    pp: int

    def apply(self, state: State) -> None:
        """They fall in."""
        units = state.banners[self.banner].units if self.banner else state.sections[self.at].reserve
        unit = next(each for each in units if each.name == self.unit)
        rearm(state, self.at, self.banner, replace(unit, models=unit.models + self.models))
        state.change_section(self.at, recruited=state.turn)
        state.pay(self.realm, -self.pp)


@dataclass(frozen=True)
class Built:
    """A building, or one or more stationary war machines of a type, stand at a site (NIP 11.2)."""

    realm: str
    at: int
    what: str
    machines: int
    """0: it is a building."""
    pp: int

    def apply(self, state: State) -> None:
        """It counts from the moment it is paid."""
        section = state.sections[self.at]
        if self.machines:
            state.change_section(self.at, machines=(*section.machines, *(self.what,) * self.machines))
        else:
            state.change_section(self.at, buildings=(*section.buildings, self.what))
        state.pay(self.realm, -self.pp)


@dataclass(frozen=True)
class Upgraded:
    """A section gets a village, a site grows, or gets a port (NIP 11.3)."""

    realm: str
    at: int
    to: Site | Literal["port"]
    pp: int
    machine: str = ""
    """The stationary war machine that comes with it for nothing."""

    def apply(self, state: State) -> None:
        """Works of a banner give way to walls."""
        section = state.sections[self.at]
        changes = {"port": True} if self.to == "port" else {"site": self.to, "fortified": ""}
        there = (*section.machines, self.machine) if self.machine else section.machines
        state.change_section(self.at, upgraded=state.turn, before=section.site, machines=there, **changes)
        state.pay(self.realm, -self.pp)


@dataclass(frozen=True)
class SpendingFailed:
    """A line that was allowed when it was written cannot be paid, or is not allowed any more (NIP 11)."""

    realm: str
    line: str
    reason: str

    def apply(self, state: State) -> None:
        """Nothing is spent."""
