"""What the stages of a turn leave for one another, for the map and for the reports."""

from dataclasses import dataclass


@dataclass(frozen=True)
class March:
    """What a banner, or a ship without any, did in the last movement, for the map and the reports."""

    realm: str
    banner: str
    """Key of the banner, or of the ship."""
    path: tuple[int, ...]
    """Its start first."""


@dataclass(frozen=True)
class Razing:
    """What production must know of a section that was razed this turn (NIP 7.1)."""

    at: int
    paid: str
    """The realm that is paid for the razing."""
    held_by: str
    """Who controlled the section until then."""
    pp: int


@dataclass(frozen=True)
class Scrying:
    """A look into a banner, of which its owner does not know yet (NIP 14.5)."""

    by: str
    """The realm that looked."""
    banner: str
    """Key of the banner."""


@dataclass(frozen=True)
class Pending:
    """What the first stage of a turn leaves for the second."""

    fortifying: tuple[str, ...] = ()
    """Keys of banners whose order to fortify waits for the end of the meetings (NIP 7.5)."""
    recovering: tuple[str, ...] = ()
    unclaiming: tuple[str, ...] = ()
    """Keys of banners in meetings that do not take the section even if they win (NIP 6.6)."""
    razed: tuple[Razing, ...] = ()
    retreating: tuple[tuple[str, int], ...] = ()
    """Where banners are to retreat to, by key, as their realms chose (NIP 9.2)."""
    alone: tuple[tuple[str, str], ...] = ()
    """Who goes into a lair alone, by key of the banner, as their realms chose (NIP 8.6)."""
    flown: tuple[str, ...] = ()
    """Keys of banners that flew this turn (NIP 6.2)."""
    watched: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """In fog: by seat, the sections in which it could see what moved (NIP 17.1)."""
    holding: tuple[str, ...] = ()
    """Keys of banners whose order came to nothing, so that they hold (NIP 4, 7.2)."""
