"""Who fights: profiles, units and the banners they march under (NIP 1, 3)."""

from dataclasses import dataclass
from typing import Literal

from pbem.battles import Plan


@dataclass(frozen=True)
class Profile:
    """A fighter's characteristics."""

    M: int
    WS: int
    BS: int
    S: int
    T: int
    W: int
    I: int  # noqa: E741  the game's own letter for initiative
    A: int
    Ld: int


@dataclass(frozen=True)
class Toll:
    """What the battles of a turn did to a unit. It bears it until wounds are healed and the fled rallied (NIP 3.5)."""

    started: int
    """Models with which it went into battle."""
    fallen: int = 0
    """Models at 0 wounds that have not been tested yet (NIP 9.6)."""
    fled: int = 0
    """Models that fled from the table and have not been rallied yet (NIP 9.7)."""
    dead: int = 0
    """Models that were tested in vain."""
    standard_lost: bool = False
    champion_fell: bool = False
    musician_fell: bool = False
    in_challenge: bool = False
    """It fell in a challenge (NIP 9.5)."""


@dataclass(frozen=True)
class Steed:
    """A monster that somebody rides. It has wounds of its own (NIP 9.6)."""

    profile: Profile
    wounds: int = 0
    """Wounds it has lost."""

    @property
    def down(self) -> bool:
        """Whether it is at 0 wounds, and waits to be tested."""
        return self.wounds >= self.profile.W


@dataclass(frozen=True)
class Unit:
    """Models that stand together, or one character with mount and gear."""

    name: str
    """Unique in its realm: ``Iron Wall``."""
    type: str
    """Key in the army list."""
    category: Literal["lord", "hero", "core", "special", "rare", "war machine"]
    models: int
    points: int
    """Of each living model, with its upgrades and gear."""
    profile: Profile
    tags: frozenset[str] = frozenset()
    """``cavalry``, ``monster``, ``monstrous mount``, ``caster``, ``fly``, ``scout``, ``random movement``, ``named``;
    special rules such as ``stubborn``; its list says which."""
    champion: int = 0
    """Points paid for a living champion, 0: none. So too the next two."""
    musician: int = 0
    standard: int = 0
    battle_standard: Literal["", "army", "banner"] = ""
    wounds: int = 0
    """Wounds lost by models that still live."""
    items: tuple[str, ...] = ()
    drunk: tuple[str, ...] = ()
    """Potions of the day that still work, reckoned into the profile (NIP 14.4)."""
    natural: Profile | None = None
    """Its profile before it drank anything; nothing: it never did (NIP 14.2)."""
    save: int = 7
    """Least number on a D6 that turns a wound aside: its armour save; 7: none."""
    reach: int = 0
    """Inches it shoots, 0: it does not."""
    mount: str = ""
    """What its models ride, by its name in the army list."""
    steed: Steed | None = None
    """That, if it is a monster."""
    gear: tuple[str, ...] = ()
    """Arms and armour of each model, by their names in ``tables/equipment.toml``; everybody has a hand weapon."""
    bereft: Literal["", "unit", "army", "banner"] = ""
    """Whose standard it bore and has lost in battle; it can be bought again (NIP 11.1)."""
    toll: Toll | None = None
    """What this turn's battles did to it; its models are whole until that is settled."""

    @property
    def erratic(self) -> bool:
        """Its models move at random (NIP 6.1)."""
        return "random movement" in self.tags

    @property
    def character(self) -> bool:
        """A hero or lord."""
        return self.category in ("hero", "lord")

    @property
    def standing(self) -> int:
        """Models that are neither at 0 wounds nor fled."""
        return self.models - self.toll.fallen - self.toll.fled if self.toll else self.models

    @property
    def worth(self) -> int:
        """List points of what lives; a wounded model counts in full (NIP 3.1), and so does who fell or fled (3.5)."""
        return self.models * self.points + self.champion + self.musician + self.standard


def key_of(seat: str | None, name: str) -> str:
    """The name of a banner or ship among those of all realms; with ``None``, the public, it names none."""
    return f"{seat} {name}"


def seat_of(key: str) -> str:
    """Whose banner or ship a key names."""
    return key.partition(" ")[0]


def name_of(key: str) -> str:
    """What its realm calls the banner or ship that a key names."""
    return key.partition(" ")[2]


@dataclass(frozen=True)
class Banner:
    """An army on the map."""

    realm: str
    name: str
    """Unique in its realm."""
    at: int
    units: tuple[Unit, ...]
    scattered: bool = False
    scattered_on: int = 0
    """The turn in which it scattered: until that turn ends it is outside everything (NIP 20.7)."""
    pace: int = 0
    """M of its models with random movement, this turn (NIP 6.1)."""
    heroism: int = 0
    """Points at which it won heroism (NIP 5.3); 0: none."""
    drawn: bool = False
    """It drew a battle in the turn before (NIP 9.4)."""
    aboard: str = ""
    """Key of the ship at sea that carries it (NIP 11.4). In port everybody is ashore."""
    general: str = ""
    """Name of the hero or lord who is to lead it where the Army General is not; nothing: the costliest (NIP 3.4)."""
    plan: Plan | None = None
    """How it means to fight where dice alone decide, by the names of its units; nothing: the rules say (NIP 8.3)."""

    @property
    def key(self) -> str:
        """Its name among all banners: realm and name."""
        return key_of(self.realm, self.name)

    def bears(self, item: str) -> bool:
        """Whether any of its units has an item of this name."""
        return any(item in unit.items for unit in self.units)

    @property
    def erratic(self) -> bool:
        """Any of its models move at random."""
        return any(unit.erratic for unit in self.units)

    @property
    def points(self) -> int:
        """What its units are worth (NIP 3.1)."""
        return sum(unit.worth for unit in self.units)

    @property
    def flies(self) -> bool:
        """All its models fly."""
        return bool(self.units) and all("fly" in unit.tags for unit in self.units)

    def airborne(self, by_land: bool) -> bool:
        """Whether it flies where it goes, unless its order says ``by land``."""
        return self.flies and not by_land


@dataclass(frozen=True)
class Tunnel:
    """A banner on its way underground, off the map: it is not among the banners (NIP 12.2)."""

    banner: Banner
    """As it went down, and where."""
    up: int
    """The turn in which it comes up."""
    goal: int = 0
    """Where it means to come up."""
    no_claim: bool = False
    """It does not take the section in which it comes up."""
