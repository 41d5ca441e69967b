"""Positions drafted for rule cases, and the states they become.

What a case does not say is plain: sections are plains without a site, nobody's; banners have M 4 and 500 points with a
hero; realms are hostile, their treasuries empty, and their headquarters stand off the map and pay nothing this turn.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import count
from typing import Any

from pbem.core.graph import Point
from pbem.core.trials import BadLine
from pbem.rulesets.nippon import maps
from pbem.rulesets.nippon.atlas import Atlas, Place
from pbem.rulesets.nippon.items import MERCHANDISE
from pbem.rulesets.nippon.items.bearing import bearing
from pbem.rulesets.nippon.state import Banner, Options, Pact, Profile, Realm, Section, Ship, State, Tunnel, Unit, key_of

NEVER = 2.0
"""A share of the sections that nobody can hold: on the small maps of cases no realm wins by domination."""

ARMY = "free peoples"


@dataclass
class BannerDraft:
    """A banner as described so far."""

    at: int
    points: int = 500
    M: int = 4
    hero: bool = True
    tags: frozenset[str] = frozenset()
    hero_tags: frozenset[str] = frozenset()
    items: list[str] = field(default_factory=list)
    """What its hero carries, beside his points."""
    units: list[Unit] = field(default_factory=list)
    marks: dict[str, Any] = field(default_factory=dict)
    tunnel: tuple[int, int] | None = None
    """Underground: the turn in which it comes up, and where."""


@dataclass
class Draft:
    """A position as described so far."""

    atlas: str = ""
    """The name of a map in the package; nothing: drawn by the case."""
    turn: int = 1
    options: dict[str, Any] = field(default_factory=lambda: {"domination": NEVER})
    borders: dict[int, dict[str, set[int]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(set)))
    places: dict[int, dict[str, Any]] = field(default_factory=lambda: defaultdict(dict))
    sections: dict[int, dict[str, Any]] = field(default_factory=lambda: defaultdict(dict))
    realms: dict[str, dict[str, Any]] = field(default_factory=lambda: defaultdict(dict))
    banners: dict[str, BannerDraft] = field(default_factory=dict)
    pacts: list[Pact] = field(default_factory=list)
    ships: list[Ship] = field(default_factory=list)


ORDINARY: dict[str, int] = {"M": 4, "WS": 3, "BS": 3, "S": 3, "T": 3, "W": 1, "I": 3, "A": 1, "Ld": 7}
"""The characteristics of a fighter of whom nothing is said."""

WARRIOR, HERO = 10, 100
"""Points of a model of the usual units."""

STEP = 100.0
"""Sections without a place of their own lie this far apart, in the order of their numbers from west to east."""


def banner_key(seat: str, name: str) -> str:
    """A banner among all banners, as the state names it."""
    return key_of(seat, name).replace('"', "")


def build(draft: Draft) -> State:
    """The state that a draft describes; raises ``BadLine`` where it does not hold together."""
    for seat in ("Y", "Z"):
        if len(draft.realms) < 2:  # a campaign of one realm would be over
            draft.realms[seat]
    atlas = _printed(draft.atlas) if draft.atlas else _drawn(draft)
    homes = _homes(draft, atlas)
    atlas = replace(atlas, places=(*atlas.places, *(_home(number) for number in homes.values() if number not in atlas)))
    realms = {seat: _realm(seat, homes, draft.realms[seat]) for seat in sorted(draft.realms)}
    sections = {place.number: _section(draft, place, realms) for place in atlas}
    if draft.options.get("setup"):
        return _unchosen(draft, atlas, realms)
    banners = {key: _banner(draft, atlas, key) for key in sorted(draft.banners)}
    ships = {ship.key: ship for ship in draft.ships}
    tunnels = {key: Tunnel(banners.pop(key), *said.tunnel) for key, said in draft.banners.items() if said.tunnel}
    pacts = tuple(draft.pacts)
    switches = Options(**draft.options)
    return State(atlas, switches, realms, sections, banners, tunnels, draft.turn, pacts=pacts, ships=ships)


def _unchosen(draft: Draft, atlas: Atlas, realms: dict[str, Realm]) -> State:
    """The position of a campaign that is set up by mail: only headquarters that a line speaks of are chosen."""
    homes = {seat: draft.realms[seat].get("headquarters", 0) for seat in realms}
    chosen = {seat: replace(realm, headquarters=homes[seat]) for seat, realm in realms.items()}
    land = {place.number: Section(site=place.site) for place in atlas}
    return State(atlas, Options(**draft.options), chosen, land, {}, turn=0, stage="set-up")


def _printed(name: str) -> Atlas:
    if name not in maps.names():
        raise BadLine(f"no map is called {name!r}; there are {', '.join(maps.names())}")
    return maps.atlas(name)


def _drawn(draft: Draft) -> Atlas:
    """The map of the case's own lines; numbers that no line speaks of are plains without borders."""
    highest = max((*draft.borders, *draft.places, *draft.sections), default=0)
    if not highest:
        raise BadLine("no line says what the map is, such as: map 1-2-3")
    places = tuple(_place(draft, number) for number in range(1, highest + 1))
    return Atlas("case", "Case", (int(STEP) * (highest + 1), 2 * int(STEP)), places)


def _place(draft: Draft, number: int) -> Place:
    borders = {kind: tuple(sorted(there)) for kind, there in sorted(draft.borders[number].items())}
    printed = {"terrain": "plains", "centre": (STEP * number, STEP)} | draft.places[number]
    return Place(number, f"Section {number}", outline=_square(printed["centre"]), borders=borders, **printed)


def _square(centre: Point) -> tuple[Point, ...]:
    (x, y), half = centre, STEP / 2 - 1
    return ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))


def _homes(draft: Draft, atlas: Atlas) -> dict[str, int]:
    """The section of each realm's headquarters: as said; else a candidate of a printed map, or one off a drawn one."""
    taken = {realm["headquarters"] for realm in draft.realms.values() if "headquarters" in realm}
    candidates = (place.number for place in atlas if place.headquarters and place.number not in taken)
    free = candidates if draft.atlas else count(len(atlas.places) + 1)
    return {seat: draft.realms[seat].get("headquarters") or next(free) for seat in sorted(draft.realms)}


def _home(number: int) -> Place:
    centre = (STEP * number, 100 * STEP)
    return Place(number, f"Home {number}", "plains", centre, _square(centre), {}, "citadel", headquarters=True)


def _realm(seat: str, homes: dict[str, int], said: dict[str, Any]) -> Realm:
    return Realm(seat, **({"name": seat, "army": ARMY} | said | {"headquarters": homes[seat]}))


def _section(draft: Draft, place: Place, realms: dict[str, Realm]) -> Section:
    """What a section is like; a headquarters of which nothing is said pays nothing this turn."""
    if place.number in draft.sections or place.number in draft.places:
        stock = MERCHANDISE if place.site == "merchant city" else ()
        return Section(**({"site": place.site, "stock": stock} | draft.sections[place.number]))
    owners = [realm for realm in realms.values() if realm.headquarters == place.number]
    if not owners:
        return Section(site=place.site)
    return Section("" if owners[0].homeless else owners[0].seat, "citadel", taken=draft.turn)


def _banner(draft: Draft, atlas: Atlas, key: str) -> Banner:
    said = draft.banners[key]
    if said.at not in atlas:
        raise BadLine(f"banner {key} stands in {said.at}, which is not on the map")
    seat, _, name = key.partition(" ")
    first = next(each for each in draft.banners if each.startswith(f"{seat} "))
    units = tuple(said.units) or tuple(_usual_units(said, "" if key == first else f" of {name}"))
    return Banner(seat, name, said.at, units, **said.marks)


def _usual_units(said: BannerDraft, whose: str) -> Iterator[Unit]:
    """A hero at 100 points, warriors at 10 each; odd points are the hero's, or the standard's if he is missing.

    In further banners of a realm they are called ``Hero of Blue``: a unit's name is unique in its realm.
    """
    profile = Profile(**(ORDINARY | {"M": said.M}))
    warriors, odd = divmod(max(said.points - HERO * said.hero, 0), WARRIOR)
    if said.hero:
        worth = min(said.points, HERO) + odd
        hero = Unit(f"Hero{whose}", "hero", "hero", 1, worth, profile, said.tags | said.hero_tags)
        yield reduce(bearing, said.items, hero)
    if warriors:
        odd = 0 if said.hero else odd
        yield Unit(f"Warriors{whose}", "warriors", "core", warriors, WARRIOR, profile, said.tags, standard=odd)
