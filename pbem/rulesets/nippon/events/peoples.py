"""What only some peoples do on the map (chapter 12)."""

from dataclasses import dataclass, replace

from pbem.rulesets.nippon.events.changes import remove
from pbem.rulesets.nippon.state import State, Tunnel

# --- 12.1 Forced march --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MarchBegan:
    """A banner sets out on a forced march (NIP 12.1)."""

    banner: str
    at: int

    def apply(self, state: State) -> None:
        """Nothing: it moves with the others."""


@dataclass(frozen=True)
class MarchTired:
    """A banner is too tired for a forced march and moves as usual (NIP 12.1)."""

    banner: str
    at: int

    def apply(self, state: State) -> None:
        """Nothing: it moves with the others."""


@dataclass(frozen=True)
class Mutinied:
    """A banner would not march: it holds, and pays for it (NIP 12.1)."""

    banner: str
    at: int
    points: int
    """To be lost."""

    def apply(self, state: State) -> None:
        """Nothing yet: which models are lost is for its owner to know."""


@dataclass(frozen=True)
class MarchRazeFailed:
    """A march could not raze a section that it left (NIP 12.1)."""

    banner: str
    at: int
    reason: str

    def apply(self, state: State) -> None:
        """Nothing."""


# --- 12.2 Underground ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class WentUnderground:
    """A banner went underground; all see that it is gone (NIP 12.2)."""

    banner: str
    at: int
    up: int
    """The turn in which it comes up."""

    def apply(self, state: State) -> None:
        """It leaves the map, and its works fall into ruin."""
        banner = state.banners[self.banner]
        remove(state, self.banner)
        state.tunnels[self.banner] = Tunnel(banner, self.up)


@dataclass(frozen=True)
class TunnelAimed:
    """Where a banner underground means to come up; only its realm knows (NIP 12.2)."""

    banner: str
    to: int
    no_claim: bool = False

    def apply(self, state: State) -> None:
        """So it will be, unless it is told otherwise."""
        state.tunnels[self.banner] = replace(state.tunnels[self.banner], goal=self.to, no_claim=self.no_claim)


@dataclass(frozen=True)
class CameUp:
    """A banner came up from underground (NIP 12.2)."""

    banner: str
    at: int

    def apply(self, state: State) -> None:
        """It is on the map again."""
        tunnel = state.tunnels.pop(self.banner)
        state.banners[self.banner] = replace(tunnel.banner, at=self.at)
        if tunnel.no_claim:
            state.pending = replace(state.pending, unclaiming=(*state.pending.unclaiming, self.banner))


@dataclass(frozen=True)
class LostUnderground:
    """A banner never came up (NIP 12.2)."""

    banner: str
    at: int
    """Where it had gone down."""

    def apply(self, state: State) -> None:
        """It is no more."""
        del state.tunnels[self.banner]
