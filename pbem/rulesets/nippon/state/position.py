"""The position as a whole. It is not frozen, but only events write to it."""

from copy import copy
from dataclasses import dataclass, field
from typing import Any, Literal, Self, TypeVar

from pbem.core.codec import BY_NAME
from pbem.rulesets.nippon.atlas import Atlas, Place, Site
from pbem.rulesets.nippon.state.ballots import Proposal
from pbem.rulesets.nippon.state.index import Indexed, having, keys_having
from pbem.rulesets.nippon.state.land import Realm, Section
from pbem.rulesets.nippon.state.meetings import Assault, Meeting, Pact, Terms
from pbem.rulesets.nippon.state.options import Options
from pbem.rulesets.nippon.state.ships import Ship
from pbem.rulesets.nippon.state.turns import March, Pending, Scrying
from pbem.rulesets.nippon.state.units import Banner, Tunnel

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
    tunnels: dict[str, Tunnel] = field(default_factory=dict)
    """Banners underground, by key."""
    turn: int = 1
    stage: Literal["set-up", "orders", "meetings", "disputes", "over"] = "orders"
    reopened: bool = False
    """Whether a stage for disputes is the second, and last, for its battles (NIP 8.5)."""
    pacts: tuple[Pact, ...] = ()
    meetings: dict[int, Meeting] = field(default_factory=dict)
    """By section; of this turn."""
    assaults: dict[str, Assault] = field(default_factory=dict)
    """By key; of this turn."""
    terms: dict[int, Terms] = field(default_factory=dict)
    """By number; of this turn."""
    marches: dict[str, March] = field(default_factory=dict)
    """By key of the banner or ship, in the order in which they set out; the parts seen through fog are numbered."""
    battles: tuple[int, ...] = ()
    """Sections of this turn's battles."""
    scryings: tuple[Scrying, ...] = ()
    """Looks into banners, of this turn."""
    proposals: dict[int, Proposal] = field(default_factory=dict)
    """Open ones, by number (NIP 15.1)."""
    proposed: int = 0
    """The number of the last proposal."""
    house_rules: tuple[str, ...] = ()
    """What all have agreed on, in words."""
    deeds: dict[str, int] = field(default_factory=dict)
    """What there are honours for at the end, by deed and doer (NIP 15.3); secret until then."""
    ending: str = ""
    """Why the campaign is over."""
    ranking: tuple[tuple[str, ...], ...] = ()
    pending: Pending = field(default_factory=Pending)
    """What the second stage of a turn must know of the first."""
    ships: dict[str, Ship] = field(default_factory=dict)
    """By key."""

    def __post_init__(self) -> None:
        """Tables that grow with the campaign are found by their fields."""
        self.sections, self.banners, self.ships = Indexed(self.sections), Indexed(self.banners), Indexed(self.ships)

    def copy(self) -> Self:
        """A state that shares every frozen part with this one."""
        twin = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, dict):
                setattr(twin, name, value.copy())
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
        return having(self.banners, "at", number)

    def banners_of(self, seat: str) -> tuple[Banner, ...]:
        """A realm's banners, by name."""
        return having(self.banners, "realm", seat)

    def ships_at(self, number: int) -> tuple[Ship, ...]:
        """The ships in a section, by key."""
        return having(self.ships, "at", number)

    def ships_of(self, seat: str) -> tuple[Ship, ...]:
        """A realm's ships, by name."""
        return having(self.ships, "realm", seat)

    def aboard(self, ship: str) -> tuple[Banner, ...]:
        """The banners that a ship carries, by key."""
        return having(self.banners, "aboard", ship)

    def tunnels_of(self, seat: str) -> tuple[Tunnel, ...]:
        """A realm's banners underground, by name."""
        return tuple(self.tunnels[key] for key in sorted(self.tunnels) if self.tunnels[key].banner.realm == seat)

    def all_of(self, seat: str) -> tuple[Banner, ...]:
        """A realm's banners, by name, those underground after those on the map."""
        return (*self.banners_of(seat), *(tunnel.banner for tunnel in self.tunnels_of(seat)))

    def banner_called(self, key: str) -> Banner | None:
        """A banner on the map, or under it."""
        tunnel = self.tunnels.get(key)
        return self.banners.get(key) or (tunnel.banner if tunnel else None)

    def held_by(self, seat: str) -> tuple[int, ...]:
        """The sections a realm controls, by number."""
        return keys_having(self.sections, "controller", seat)

    def quarters_of(self, seat: str) -> tuple[int, ...]:
        """The sections in which a realm has a reserve, by number."""
        return keys_having(self.sections, "quartered", seat)

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

    def change_ship(self, key: str, **changes: Any) -> None:
        """For events: a ship with some fields changed."""
        self.ships[key] = changed(self.ships[key], changes)

    def change_realm(self, seat: str, **changes: Any) -> None:
        """For events: a realm with some fields changed."""
        self.realms[seat] = changed(self.realms[seat], changes)

    def change_meeting(self, number: int, **changes: Any) -> None:
        """For events: a meeting with some fields changed."""
        self.meetings[number] = changed(self.meetings[number], changes)

    def change_battle(self, number: int, **changes: Any) -> None:
        """For events: the battle for which a meeting waits, with some fields changed."""
        self.change_meeting(number, next=changed(self.meetings[number].next, changes))

    def change_assault(self, key: str, **changes: Any) -> None:
        """For events: an assault with some fields changed."""
        self.assaults[key] = changed(self.assaults[key], changes)

    def change_terms(self, number: int, **changes: Any) -> None:
        """For events: terms with some fields changed."""
        self.terms[number] = changed(self.terms[number], changes)

    def pay(self, seat: str, pp: int) -> None:
        """For events: a realm's treasury with ``pp`` more, or less."""
        self.change_realm(seat, treasury=self.realms[seat].treasury + pp)
