"""Orders to a banner: one for each, the later takes the place of the earlier (NIP 4)."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class BannerOrder:
    """What all orders to a banner share. ``banner`` is its name as its realm knows it."""

    immediate: ClassVar[bool] = False

    banner: str

    @property
    def key(self) -> str:
        """One order per banner (NIP 4)."""
        return f"banner {self.banner}"

    @property
    def deed(self) -> str:
        """The order without the name of the banner."""
        raise NotImplementedError

    def __str__(self) -> str:
        return f"{self.banner}: {self.deed}"


@dataclass(frozen=True)
class Hold(BannerOrder):
    """Stay, and take the section (NIP 6.6)."""

    no_claim: bool = False
    no_assault: bool = False

    @property
    def deed(self) -> str:
        """``hold``."""
        return "hold" + suffixes(no_claim=self.no_claim, no_assault=self.no_assault)


@dataclass(frozen=True)
class Move(BannerOrder):
    """Go along ``path``, the start left out (NIP 6). As written it may name the goal only; the check settles it."""

    path: tuple[int, ...]
    by_land: bool = False
    no_claim: bool = False
    no_assault: bool = False
    raze: bool = False
    """Raze the section it leaves first (NIP 7.1, 7.2)."""

    @property
    def deed(self) -> str:
        """``move 13 14``."""
        way = " ".join(map(str, self.path))
        after = suffixes(by_land=self.by_land, no_claim=self.no_claim, no_assault=self.no_assault)
        return f"{'raze and ' if self.raze else ''}move {way}{after}"


@dataclass(frozen=True)
class ForcedMarch(BannerOrder):
    """March along the whole of ``path``, the start left out, one section further than usual (NIP 12.1)."""

    path: tuple[int, ...]
    razes: tuple[int, ...] = ()
    """Sections of the way to raze on leaving them."""
    by_land: bool = False
    no_claim: bool = False
    no_assault: bool = False

    @property
    def deed(self) -> str:
        """``march 13 14 raze 13``."""
        way = " ".join(map(str, self.path))
        razing = f" raze {' '.join(map(str, self.razes))}" if self.razes else ""
        after = suffixes(by_land=self.by_land, no_claim=self.no_claim, no_assault=self.no_assault)
        return f"march {way}{razing}{after}"


@dataclass(frozen=True)
class Underground(BannerOrder):
    """Go underground to come up in ``goal``, or come up there instead of elsewhere (NIP 12.2)."""

    goal: int
    no_claim: bool = False

    @property
    def deed(self) -> str:
        """``underground to 14``."""
        return f"underground to {self.goal}" + suffixes(no_claim=self.no_claim)


@dataclass(frozen=True)
class Portal(BannerOrder):
    """Go to a section of the realm by a Scroll of Town Portal, always or if need be (NIP 14.8)."""

    goal: int
    if_threatened: bool = False
    """Only if a hostile banner is ordered into the section where it stands."""

    @property
    def deed(self) -> str:
        """``portal to 14``."""
        return f"portal to {self.goal}" + (" if a hostile is ordered into its section" if self.if_threatened else "")


@dataclass(frozen=True)
class Raze(BannerOrder):
    """Raze the section and hold (NIP 7.1)."""

    @property
    def deed(self) -> str:
        """``raze and hold``."""
        return "raze and hold"


@dataclass(frozen=True)
class Fortify(BannerOrder):
    """Build works for the next defence (NIP 7.3)."""

    @property
    def deed(self) -> str:
        """``fortify``."""
        return "fortify"


@dataclass(frozen=True)
class Recover(BannerOrder):
    """Try to make a razed section live again (NIP 7.4)."""

    @property
    def deed(self) -> str:
        """``recover``."""
        return "recover"


@dataclass(frozen=True)
class Scatter(BannerOrder):
    """After a draw, with no own section in reach: let the banner scatter (NIP 9.4)."""

    @property
    def deed(self) -> str:
        """``scatter``."""
        return "scatter"


Going = Move | ForcedMarch
"""Orders that lead along a way."""


def suffixes(**given: bool) -> str:
    """What stands after a deed: `` by land no claim``."""
    return "".join(f" {name.replace('_', ' ')}" for name, yes in given.items() if yes)
