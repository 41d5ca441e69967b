"""Chapter 4, orders as they are opened."""

from dataclasses import dataclass, replace

from pbem.rulesets.nippon.state import Pending, State


@dataclass(frozen=True)
class OrdersOpened:
    """The sealed orders of all realms are opened (NIP 4.1)."""

    def apply(self, state: State) -> None:
        """What was kept of the last turn is forgotten."""
        state.marches, state.battles = {}, ()
        state.pending = Pending()


@dataclass(frozen=True)
class OrderVoid:
    """An order is impossible now that it comes to be executed: the banner holds (NIP 4)."""

    banner: str
    at: int
    order: str
    """The line without the banner's name."""
    reason: str

    def apply(self, state: State) -> None:
        """The banner holds."""
        state.pending = replace(state.pending, holding=(*state.pending.holding, self.banner))


@dataclass(frozen=True)
class Prepared:
    """A banner has its orders for after the meetings; whether anything comes of them shows then (NIP 6.6, 7.5)."""

    banner: str
    at: int
    work: str
    """``fortify``, ``recover`` or ``no claim``."""

    def apply(self, state: State) -> None:
        """The order is kept until then."""
        kept = state.pending
        if self.work == "fortify":
            state.pending = replace(kept, fortifying=(*kept.fortifying, self.banner))
        elif self.work == "recover":
            state.pending = replace(kept, recovering=(*kept.recovering, self.banner))
        else:
            state.pending = replace(kept, unclaiming=(*kept.unclaiming, self.banner))
