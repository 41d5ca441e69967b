"""What play has made of the map, and whose it is (NIP 1)."""

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from pbem.core.orders import plain
from pbem.rulesets.nippon.atlas import Site
from pbem.rulesets.nippon.state.preferences import Preferences
from pbem.rulesets.nippon.state.units import Unit


def counted_machines(machines: tuple[str, ...]) -> tuple[str, ...]:
    """Machines of a kind together: ``("mortar", "2 great cannons")``."""
    return tuple(f"{many} {name}s" if many > 1 else name for name, many in Counter(machines).items())


@dataclass(frozen=True)
class Section:
    """What play has made of a place."""

    controller: str = ""
    site: Site = ""
    razed: bool = False
    fortified: str = ""
    """Key of the banner that fortified it."""
    buildings: tuple[str, ...] = ()
    machines: tuple[str, ...] = ()
    mine_ends: int = 0
    """The last turn in which the mine rolls as one; 0: no end in sight."""
    tries: tuple[tuple[str, int], ...] = ()
    """Tries at recovery in a row, by realm (NIP 7.4)."""
    taken: int = 0
    """The turn in which it last changed hands by battle."""
    reserve: tuple[Unit, ...] = ()
    """Units at its site that march under no banner (NIP 3.5, 3.6)."""
    quartered: str = ""
    """The realm whose reserve that is."""
    recruited: int = 0
    """The turn in which its site last produced a unit (NIP 11.1)."""
    mustered: bool = False
    """While it was neutral dice have said what stands at its site (NIP 8.7)."""
    dragon: Literal["", "found", "slain"] = ""
    """Whether Seika Ryuu was found in this lair, and whether he is still alive (NIP 8.6)."""
    stock: tuple[tuple[str, int], ...] = ()
    """What a merchant city has for sale: items, and how many (NIP 11.5)."""
    port: bool = False
    """One was built here, beside those that the map has (NIP 11.3)."""
    upgraded: int = 0
    """The turn of the last upgrade (NIP 11.3)."""
    before: Site = ""
    """The site until that upgrade."""

    @property
    def things(self) -> tuple[str, ...]:
        """What stands at its site, machines of a kind counted: ``("tavern", "2 mortars")``."""
        return (*self.buildings, *counted_machines(self.machines))


BEFORE_A_NAME = re.compile(r"(?:(?:the|realm)\s+)+(?=\S)")
"""What people say before the name of a realm."""


def known_as(name: str) -> str:
    """The name of a realm as it is compared: ``The Ash``, ``Realm Ash`` and ``ash`` are one."""
    return BEFORE_A_NAME.sub("", plain(name), count=1)


@dataclass(frozen=True)
class Realm:
    """A player's side."""

    seat: str
    name: str
    army: str
    headquarters: int
    """0: it has not got one yet (NIP 2.2)."""
    treasury: int = 0
    status: Literal["active", "eliminated", "withdrawn"] = "active"
    stands_until: int = 0
    """Withdrawn: the last turn in which it is on the map (NIP 13.1)."""
    general: str = ""
    """Name of the Army General; nothing: none is left (NIP 3.4)."""
    preferences: Preferences = field(default_factory=Preferences)
    homeless: bool = False
    """Its headquarters was lost or razed when the turn began (NIP 13)."""
    contact: str = ""
    """How its player can be reached by those whom it meets; nothing: not at all (NIP 8.8)."""
    volunteers: bool = False
    """Its player stands ready to play battles of others."""
    banner_names: tuple[str, ...] = ()
    """For the ready-made army, if the organizer gave any (NIP 2.4)."""

    @property
    def in_play(self) -> bool:
        """Whether somebody plays it, and it has something to play with."""
        return self.status == "active"
