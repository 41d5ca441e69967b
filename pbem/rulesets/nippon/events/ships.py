"""What ships do, and what becomes of them (NIP 11.4)."""

from dataclasses import dataclass

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
