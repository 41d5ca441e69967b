"""What only some peoples do on the map (chapter 12)."""

from dataclasses import dataclass

from pbem.rulesets.nippon.state import State

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
