"""What a realm wants done where nobody can be asked in time (NIP 18)."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Preferences:
    """The standing preferences of a realm; what is left empty is done as the rules have it."""

    loss_order: tuple[str, ...] = ()
    """Units or types of unit, in the order in which dangerous terrain takes them (NIP 5.2)."""
    give_up: tuple[str, ...] = ()
    """Items, in the order in which beaten characters part with them (NIP 9.5)."""
    take: tuple[str, ...] = ()
    """Items, in the order in which they are wanted as spoils (NIP 9.5)."""
    carriers: tuple[str, ...] = ()
    """Characters, in the order in which they get what is found (NIP 9.5)."""
    raise_dead: tuple[str, ...] = ()
    """Units or types of unit, in the order in which the dead join them (NIP 12)."""
    leaves_dead: bool = False
    """The dead are left in peace."""
    kills_creatures: bool = False
    """Beaten creatures are killed; otherwise they join the banner, if they can be had (NIP 8.6)."""
    assaults: tuple[str, ...] = ()
    """Names of the banners that assault garrisons and lairs (NIP 8.1)."""
    assaults_nothing: bool = False
    """None of them does."""
    sides_with: tuple[str, ...] = ()
    """Names of realms, in the order in which it fights beside them against others of its allies (NIP 8.4)."""

    def assaulting(self, banner: str) -> bool:
        """Whether a banner of this name assaults garrisons and lairs."""
        return not self.assaults_nothing and (not self.assaults or banner in self.assaults)


def rank(names: tuple[str, ...], *called: str) -> int:
    """The place in an order of preference of what goes by these names; after all others if it has none."""
    return min((names.index(name) for name in called if name in names), default=len(names))
