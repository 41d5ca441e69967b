"""Chapter 3, banners that are none any more."""

from dataclasses import dataclass

from pbem.rulesets.nippon.events.changes import remove
from pbem.rulesets.nippon.state import State


@dataclass(frozen=True)
class FellShort:
    """A banner does not meet the rules for banners any more; only its owner learns why (NIP 3.5)."""

    banner: str
    at: int
    why: str
    """``too few points``, ``no hero or lord``, ``a lone character``."""

    def apply(self, state: State) -> None:
        """Nothing yet: what follows is another event."""


@dataclass(frozen=True)
class Scattered:
    """A banner is scattered (NIP 3.5, 9.3)."""

    banner: str
    at: int

    def apply(self, state: State) -> None:
        """From now on it walks home, and until the turn ends it is outside everything."""
        state.change_banner(self.banner, scattered=True, scattered_on=state.turn, aboard="")


@dataclass(frozen=True)
class JoinedReserve:
    """A banner that may be none any more becomes the reserve of a site of its realm (NIP 3.5, 9.3)."""

    banner: str
    at: int

    def apply(self, state: State) -> None:
        """Its units stay at the site."""
        realm, units = state.banners[self.banner].realm, state.banners[self.banner].units
        remove(state, self.banner)
        state.change_section(self.at, reserve=(*state.sections[self.at].reserve, *units), quartered=realm)
