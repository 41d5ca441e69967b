"""What sails: the ships of the realms (NIP 11.4)."""

from dataclasses import dataclass
from typing import Literal

from pbem.rulesets.nippon.state.units import key_of

ShipKind = Literal["transport", "battle ship", "war ship"]


@dataclass(frozen=True)
class Ship:
    """A ship in port or at sea."""

    realm: str
    name: str
    """Unique in its realm, among banners too: orders go to it by this name."""
    at: int
    """An ocean section, or the section of the port in which it lies."""
    kind: ShipKind
    machines: tuple[str, ...] = ()
    """Its war machines, by type."""

    @property
    def key(self) -> str:
        """Its name among all ships: realm and name."""
        return key_of(self.realm, self.name)
