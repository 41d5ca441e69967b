"""Orders for the sea: what a ship is told, and what a banner is told that goes with it (NIP 11.4)."""

from dataclasses import dataclass
from typing import ClassVar

from pbem.rulesets.nippon.orders.banners import BannerOrder, suffixes


@dataclass(frozen=True)
class Steer:
    """Sail along ``path``, the start left out, with whoever is aboard. As written it may name the goal only."""

    immediate: ClassVar[bool] = False

    ship: str
    """Its name as its realm knows it."""
    path: tuple[int, ...]

    @property
    def key(self) -> str:
        """One order for each ship."""
        return f"ship {self.ship}"

    @property
    def deed(self) -> str:
        """``sail 40 41``."""
        return f"sail {' '.join(map(str, self.path))}"

    def __str__(self) -> str:
        return f"{self.ship}: {self.deed}"


@dataclass(frozen=True)
class Sail(BannerOrder):
    """Sail aboard a ship along ``path``, and land. The check finds the ship and the way where they are missing."""

    path: tuple[int, ...] = ()
    land: int = 0
    """The section to go ashore in; 0: stay aboard."""
    ship: str = ""
    no_claim: bool = False
    no_assault: bool = False

    @property
    def deed(self) -> str:
        """``sail aboard Sea Swan 40 41, land 12``."""
        aboard = f" aboard {self.ship}" if self.ship else ""
        way = "".join(f" {number}" for number in self.path)
        land = f", land {self.land}" if self.land else ""
        return f"sail{aboard}{way}{land}{suffixes(no_claim=self.no_claim, no_assault=self.no_assault)}"


Voyage = Steer | Sail
"""What sends a ship to sea."""
