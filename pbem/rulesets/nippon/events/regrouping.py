"""How banners come, go and change (chapter 3). That a banner is there all know; what is in it, its owner alone."""

from dataclasses import dataclass, replace

from pbem.rulesets.nippon.events.changes import remove
from pbem.rulesets.nippon.state import Banner, State, name_of


@dataclass(frozen=True)
class BannerFormed:
    """A new banner is raised (NIP 3.6)."""

    realm: str
    banner: str
    at: int
    drawn: bool = False
    """Its units come from one that drew its battle: so they are bound by that still (NIP 4.3)."""

    def apply(self, state: State) -> None:
        """It stands there; who marches under it is told to its owner only."""
        name = name_of(self.banner)
        state.banners[self.banner] = Banner(self.realm, name, self.at, (), drawn=self.drawn)


@dataclass(frozen=True)
class UnitsMoved:
    """Units go from one banner to another, or into or out of the reserve of the section (NIP 3.6)."""

    realm: str
    at: int
    units: tuple[str, ...]
    """By name."""
    banner: str = ""
    """Key of the banner they leave; nothing: the reserve."""
    to: str = ""
    """Key of the banner they join; nothing: the reserve."""
    drawn: bool = False
    """They come from a banner that drew its battle: whoever they join is bound by that too (NIP 4.3)."""

    def apply(self, state: State) -> None:
        """They stand elsewhere in the line."""
        there = state.banners[self.banner].units if self.banner else state.sections[self.at].reserve
        moved = tuple(unit for unit in there if unit.name in self.units)
        left = tuple(unit for unit in there if unit.name not in self.units)
        if self.banner:
            state.change_banner(self.banner, units=left)
        else:
            state.change_section(self.at, reserve=left)
        if self.to:
            joined = state.banners[self.to]
            state.change_banner(self.to, units=(*joined.units, *moved), drawn=joined.drawn or self.drawn)
        else:
            state.change_section(self.at, reserve=(*state.sections[self.at].reserve, *moved), quartered=self.realm)


@dataclass(frozen=True)
class BannerDissolved:
    """Nobody marches under a banner any more (NIP 3.6)."""

    banner: str
    at: int
    into: tuple[str, ...] = ()
    """Keys of the banners that its last units joined; nothing: the reserve."""

    def apply(self, state: State) -> None:
        """It is gone, and so are its works."""
        remove(state, self.banner)


@dataclass(frozen=True)
class BannerRenamed:
    """A banner goes by another name (NIP 3.6)."""

    banner: str
    at: int
    to: str
    """Its new key. What it is marked with, it keeps."""

    def apply(self, state: State) -> None:
        """Its works are known by the new name too."""
        state.banners[self.to] = replace(state.banners.pop(self.banner), name=name_of(self.to))
        if state.sections[self.at].fortified == self.banner:
            state.change_section(self.at, fortified=self.to)


@dataclass(frozen=True)
class HeroismKept:
    """The heroes of a banner that went over to a smaller one are the larger part of it: it counts as heroic."""

    banner: str
    at: int
    heroism: int
    """Points at which it was won."""

    def apply(self, state: State) -> None:
        """The mark goes over."""
        state.change_banner(self.banner, heroism=self.heroism)


@dataclass(frozen=True)
class HeroismFaded:
    """Too many have joined a heroic banner who were not there (NIP 5.3)."""

    banner: str
    at: int

    def apply(self, state: State) -> None:
        """The mark goes."""
        state.change_banner(self.banner, heroism=0)


@dataclass(frozen=True)
class GeneralNamed:
    """A hero or lord leads his banner where the Army General is not (NIP 3.4)."""

    banner: str
    at: int
    unit: str

    def apply(self, state: State) -> None:
        """It is remembered."""
        state.change_banner(self.banner, general=self.unit)


@dataclass(frozen=True)
class GeneralSucceeded:
    """The Army General is dead; the costliest of the characters left follows (NIP 3.4)."""

    realm: str
    fallen: str
    unit: str

    def apply(self, state: State) -> None:
        """From now on he is the general."""
        state.change_realm(self.realm, general=self.unit)


@dataclass(frozen=True)
class ReserveDispersed:
    """A site fell into other hands, and the reserve there goes its ways (NIP 3.6)."""

    realm: str
    """Whose reserve it was."""
    at: int
    units: tuple[str, ...]

    def apply(self, state: State) -> None:
        """It is gone."""
        state.change_section(self.at, reserve=(), quartered="")


@dataclass(frozen=True)
class RegroupingFailed:
    """A line about banners and units that cannot be carried out now (NIP 3.6)."""

    realm: str
    line: str
    reason: str

    def apply(self, state: State) -> None:
        """All stay where they are."""
