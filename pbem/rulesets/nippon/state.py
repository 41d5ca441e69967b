"""The position of a Nippon campaign (NIP 1). Everything but the top is frozen; only events make new values."""

from collections import Counter
from copy import copy
from dataclasses import dataclass, field
from typing import Any, Literal, Self, TypeVar

from pbem.core.codec import BY_NAME
from pbem.rulesets.nippon.atlas import Atlas, Place, Site

# --- pieces -----------------------------------------------------------------------------------------------------


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
    """``cavalry``, ``monster``, ``monstrous mount``, ``caster``, ``fly``, ``scout``, ``random movement``, ``named``."""
    champion: int = 0
    """Points paid for a living champion, 0: none. So too the next two."""
    musician: int = 0
    standard: int = 0
    battle_standard: Literal["", "army", "banner"] = ""
    wounds: int = 0
    """Wounds lost by models that still live."""
    items: tuple[str, ...] = ()

    @property
    def character(self) -> bool:
        """A hero or lord."""
        return self.category in ("hero", "lord")

    @property
    def worth(self) -> int:
        """List points of what lives; a wounded model counts in full (NIP 3.1)."""
        return self.models * self.points + self.champion + self.musician + self.standard


def seat_of(key: str) -> str:
    """Whose banner a key names."""
    return key.partition(" ")[0]


def name_of(key: str) -> str:
    """What its realm calls the banner that a key names."""
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
    heroism: int = 0
    """Points at which it won heroism (NIP 5.3); 0: none."""
    drawn: bool = False
    """It drew a battle in the turn before (NIP 9.4)."""

    @property
    def key(self) -> str:
        """Its name among all banners: realm and name."""
        return f"{self.realm} {self.name}"

    @property
    def points(self) -> int:
        """What its units are worth (NIP 3.1)."""
        return sum(unit.worth for unit in self.units)

    @property
    def flies(self) -> bool:
        """All its models fly."""
        return bool(self.units) and all("fly" in unit.tags for unit in self.units)


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
    port: bool = False
    """One was built here, beside those that the map has (NIP 11.3)."""
    upgraded: int = 0
    """The turn of the last upgrade (NIP 11.3)."""
    before: Site = ""
    """The site until that upgrade."""

    @property
    def things(self) -> tuple[str, ...]:
        """What stands at its site, machines of a kind counted: ``("tavern", "2 mortars")``."""
        machines = (f"{many} {name}s" if many > 1 else name for name, many in Counter(self.machines).items())
        return (*self.buildings, *machines)


@dataclass(frozen=True)
class Realm:
    """A player's side."""

    seat: str
    name: str
    army: str
    headquarters: int
    treasury: int = 0
    status: Literal["active", "eliminated", "withdrawn"] = "active"
    homeless: bool = False
    """Its headquarters was lost or razed when the turn began (NIP 13)."""


@dataclass(frozen=True)
class Pact:
    """An alliance, a truce or the right of passage between two realms (NIP 8.2)."""

    kind: Literal["alliance", "truce", "passage"]
    between: frozenset[str]
    until: int = 0
    """The last turn in which it holds; 0: until broken."""
    broken: int = 0
    """The turn at whose end it ceases; 0: not broken."""


@dataclass(frozen=True)
class Terms:
    """Terms of a parley, as offered by one realm to others."""

    number: int
    """Unique in the campaign: ``accept P3``."""
    at: int
    by: str
    to: frozenset[str]
    gives: tuple[tuple[str, str, int], ...] = ()
    """Payments: from, to, pp."""
    cedes: tuple[tuple[str, str, int], ...] = ()
    """Sections: from, to, number."""
    pact: Literal["", "alliance", "truce", "passage"] = ""
    turns: int = 0
    words: str = ""
    accepted: frozenset[str] = frozenset()
    declined: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Loss:
    """What a battle did to a unit."""

    unit: str
    models: int
    """Left on the table."""
    fled: int = 0
    """Fled from it."""
    standard_lost: bool = False
    champion_alive: bool = True
    musician_alive: bool = True
    in_challenge: bool = False


@dataclass(frozen=True)
class Result:
    """A battle's result, as somebody reported it (NIP 8.5)."""

    by: str
    winner: str = ""
    """A realm, or nothing for a draw."""
    degree: Literal["", "victory", "solid victory", "massacre"] = ""
    losses: tuple[tuple[str, tuple[Loss, ...]], ...] = ()
    """By key of the banner."""


@dataclass(frozen=True)
class Bout:
    """A battle that is decided. A meeting of three sides has more than one (NIP 8.4)."""

    sides: tuple[tuple[str, ...], tuple[str, ...]]
    """The seats that fought, the attackers first."""
    result: Result
    winners: tuple[str, ...] = ()
    """One of the sides; nobody: a draw."""

    @property
    def losers(self) -> tuple[str, ...]:
        """The other side; nobody after a draw."""
        attackers, defenders = self.sides
        if not self.winners:
            return ()
        return defenders if self.winners == attackers else attackers


@dataclass(frozen=True)
class Meeting:
    """Hostile banners in one section (NIP 8.1)."""

    at: int
    banners: tuple[str, ...]
    """Keys, sorted."""
    sides: tuple[tuple[str, ...], ...] = ()
    """Groups of allies, by seat. A side is named by its first seat."""
    initiative: tuple[str, ...] = ()
    """The sides by their roll-off, highest first: of any two, the former attacks."""
    scenarios: tuple[int, ...] = ()
    """One for each battle there may be, in turn."""
    attacker: str = ""
    """The side that attacks in the battle now waiting to be fought. So too the next two."""
    defender: str = ""
    scenario: int = 0
    peace: tuple[tuple[str, str], ...] = ()
    """Pairs of realms that came to terms here."""
    result: Result | None = None
    """What has been reported of the battle now waiting for a result."""
    confirmed: frozenset[str] = frozenset()
    disputed: frozenset[str] = frozenset()
    fought: tuple[Bout, ...] = ()
    settled: Literal["", "parley", "battle"] = ""

    @property
    def beaten(self) -> frozenset[str]:
        """The realms that lost here."""
        return frozenset(seat for bout in self.fought for seat in bout.losers)

    @property
    def drew(self) -> tuple[str, ...]:
        """Keys of the banners that drew their battle (NIP 9.4)."""
        drawn = [seat for bout in self.fought if not bout.winners for side in bout.sides for seat in side]
        return tuple(key for key in self.banners if seat_of(key) in drawn)

    def side(self, seat: str) -> tuple[str, ...]:
        """The side a realm fights on; nobody if it has no part in the meeting."""
        return next((side for side in self.sides if seat in side), ())


@dataclass(frozen=True)
class March:
    """What a banner did in the last movement, for the map and the reports: its path, the start first."""

    realm: str
    banner: str
    path: tuple[int, ...]


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
class Movement:
    """What the first stage of a turn leaves for the second."""

    fortifying: tuple[str, ...] = ()
    """Keys of banners whose order to fortify waits for the end of the meetings (NIP 7.5)."""
    recovering: tuple[str, ...] = ()
    unclaiming: tuple[str, ...] = ()
    """Keys of banners in meetings that do not take the section even if they win (NIP 6.6)."""
    razed: tuple[Razing, ...] = ()
    flown: tuple[str, ...] = ()
    """Keys of banners that flew this turn (NIP 6.2)."""
    holding: tuple[str, ...] = ()
    """Keys of banners whose order came to nothing, so that they hold (NIP 4, 7.2)."""


@dataclass(frozen=True)
class Options:
    """The switches of a campaign that do something; the defaults are those of the rules."""

    army_points: int = 2000
    pp_per_pip: int = 10
    interception: bool = True
    flyers_ignore_difficult: bool = False
    end_turn: int = 0
    """The last turn; 0: none is set."""
    domination: float = 0.6
    allied_victory: bool = False
    cost_percent: int = 100
    """Prices of buildings, upgrades and ships, of those in the book (NIP 11.8)."""
    gifts: Literal["any", "meetings"] = "any"
    """When realms may give each other production points (NIP 11.6): any turn, or only by terms when they meet."""


P = TypeVar("P")
"""A frozen part of the position."""


def changed(part: P, changes: dict[str, Any]) -> P:
    """``dataclasses.replace`` at a quarter of its price, for parts that cache nothing: a turn changes a hundred."""
    fields = vars(part)
    if not changes.keys() <= fields.keys():
        raise TypeError(f"{type(part).__name__} has no {changes.keys() - fields.keys()}")
    twin: P = object.__new__(type(part))
    vars(twin).update(fields, **changes)
    return twin


@dataclass
class State:
    """The whole position. Only events write to it."""

    atlas: Atlas = field(metadata=BY_NAME)
    options: Options
    realms: dict[str, Realm]
    """By seat."""
    sections: dict[int, Section]
    banners: dict[str, Banner]
    """By key."""
    turn: int = 1
    stage: Literal["orders", "meetings", "over"] = "orders"
    pacts: tuple[Pact, ...] = ()
    meetings: dict[int, Meeting] = field(default_factory=dict)
    """By section; of this turn."""
    terms: dict[int, Terms] = field(default_factory=dict)
    """By number; of this turn."""
    marches: tuple[March, ...] = ()
    battles: tuple[int, ...] = ()
    """Sections of this turn's battles."""
    ending: str = ""
    """Why the campaign is over."""
    ranking: tuple[tuple[str, ...], ...] = ()
    movement: Movement = Movement()
    """What the second stage of a turn must know of the first."""

    def copy(self) -> Self:
        """A state that shares every frozen part with this one."""
        twin = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, dict):
                setattr(twin, name, dict(value))
        return twin

    def place(self, number: int) -> Place:
        """The printed section."""
        return self.atlas[number]

    def site(self, number: int) -> Site:
        """The site that stands there now, razed or not."""
        return self.sections[number].site

    def port(self, number: int) -> bool:
        """Whether there is a port, printed or built."""
        return self.atlas[number].port or self.sections[number].port

    def banners_at(self, number: int) -> tuple[Banner, ...]:
        """The banners in a section, by key."""
        return tuple(self.banners[key] for key in sorted(self.banners) if self.banners[key].at == number)

    def banners_of(self, seat: str) -> tuple[Banner, ...]:
        """A realm's banners, by name."""
        return tuple(self.banners[key] for key in sorted(self.banners) if self.banners[key].realm == seat)

    def held_by(self, seat: str) -> tuple[int, ...]:
        """The sections a realm controls, by number."""
        return tuple(sorted(number for number, section in self.sections.items() if section.controller == seat))

    def at_pact(self, one: str, other: str, *kinds: str) -> bool:
        """Whether a pact of one of these kinds (any, if none is named) holds between two realms this turn."""
        pair = frozenset({one, other})
        return any(
            pact.between == pair and (not kinds or pact.kind in kinds) and (not pact.until or pact.until >= self.turn)
            for pact in self.pacts
        )

    def hostile(self, one: str, other: str) -> bool:
        """Not the same realm, nor allied, under truce or with agreed passage (NIP 6.5)."""
        return one != other and not self.at_pact(one, other)

    # --- for events only ---

    def change_banner(self, key: str, **changes: Any) -> None:
        """For events: a banner with some fields changed."""
        self.banners[key] = changed(self.banners[key], changes)

    def change_section(self, number: int, **changes: Any) -> None:
        """For events: a section with some fields changed."""
        self.sections[number] = changed(self.sections[number], changes)

    def change_realm(self, seat: str, **changes: Any) -> None:
        """For events: a realm with some fields changed."""
        self.realms[seat] = changed(self.realms[seat], changes)

    def change_meeting(self, number: int, **changes: Any) -> None:
        """For events: a meeting with some fields changed."""
        self.meetings[number] = changed(self.meetings[number], changes)

    def change_terms(self, number: int, **changes: Any) -> None:
        """For events: terms with some fields changed."""
        self.terms[number] = changed(self.terms[number], changes)

    def pay(self, seat: str, pp: int) -> None:
        """For events: a realm's treasury with ``pp`` more, or less."""
        self.change_realm(seat, treasury=self.realms[seat].treasury + pp)
