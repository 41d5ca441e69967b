"""What a player decides before the first turn (NIP 2)."""

from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from pbem.rulesets.nippon.armies.rosters.roster import Entry


@dataclass(frozen=True)
class Prefer:
    """Where the headquarters should stand: candidates, the best first (NIP 2.2)."""

    immediate: ClassVar[bool] = False

    sections: tuple[int, ...]

    @property
    def key(self) -> str:
        """A realm has one list."""
        return "headquarters"

    def __str__(self) -> str:
        return f"headquarters {', '.join(map(str, self.sections))}"


@dataclass(frozen=True)
class NameBanners:
    """What the banners of the ready-made army are called (NIP 2.4)."""

    immediate: ClassVar[bool] = False

    names: tuple[str, ...]

    @property
    def key(self) -> str:
        """All at once."""
        return "names"

    def __str__(self) -> str:
        return f"names {', '.join(self.names)}"


@dataclass(frozen=True)
class Enlist:
    """The army: units by banners, or the ready-made one (NIP 2.4)."""

    immediate: ClassVar[bool] = False

    entries: tuple[Entry, ...] = ()
    """Those of a banner together; none: the ready-made army."""
    foreign: str = ""
    """The game that they come from, if that is another."""

    @property
    def key(self) -> str:
        """A realm has one army."""
        return "roster"

    def __str__(self) -> str:
        lines = [f"made for {self.foreign}"] if self.foreign else []
        for banner, entries in groupby(self.entries, key=lambda entry: entry.banner):
            lines += [f"banner {banner}"] if banner else []
            lines += map(str, entries)
        return f"roster: {'; '.join(lines) or 'ready-made'}"


@dataclass(frozen=True)
class Enter:
    """One more realm, while the campaign is set up (NIP 2.1). The host gives it for whoever gets a free seat."""

    immediate: ClassVar[bool] = True

    name: str
    army: str

    @property
    def key(self) -> str:
        """A realm enters once."""
        return "enter"

    def __str__(self) -> str:
        return f"enter {self.name} with {self.army}"


Beginning = Prefer | NameBanners | Enlist
"""What can be ordered while a campaign is set up."""
