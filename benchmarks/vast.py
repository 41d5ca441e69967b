"""Campaigns far larger than a club: what a turn costs as realms, banners and orders grow."""

import resource
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from random import Random
from typing import Any

from benchmarks.timing import alternately, seconds
from pbem.core.dice import Dice
from pbem.core.turn import resolve
from pbem.rulesets.nippon import armies
from pbem.rulesets.nippon.atlas import Atlas, Place
from pbem.rulesets.nippon.orders import Fortify, Hold, Move, Raze, Recover
from pbem.rulesets.nippon.phases import phases
from pbem.rulesets.nippon.state import Banner, Options, Realm, Section, State

TERRAINS = ("plains", "plains", "forest", "mountains", "marsh", "plains")
SITES = ("", "", "", "", "", "village", "", "keep", "gold mine", "")
PEOPLES = ("free peoples", "dwarfs", "high elves", "orcs and goblins", "skaven", "vampire counts")


@dataclass(frozen=True)
class Size:
    """How large a campaign is."""

    realms: int
    banners: int
    sections: int


@dataclass(frozen=True)
class Measure:
    """What resolving a turn of orders took."""

    size: Size
    orders: int
    seconds: float
    megabytes: float
    """The most that the process held until now."""


LARGE, VAST = Size(40, 200, 320), Size(250, 10_000, 5_000)
FEW, MANY = Size(25, 1_000, 500), Size(1_250, 50_000, 25_000)
"""As dense as :data:`VAST`: what an order costs may not grow with their number."""

BOUNDS = {LARGE: 0.050, VAST: 5.0}
"""Seconds."""
ROOM = {VAST: 500}
"""Megabytes."""
FLAT = 1.5
"""How many times as much as one of :data:`FEW` an order of :data:`MANY` may cost."""


def measure() -> Iterator[Measure]:
    """A turn of each size, the smallest first."""
    for size in (LARGE, VAST):
        turns = _turns(size)
        yield _measure(turns, seconds(turns, 3))
    few, many = _turns(FEW, MANY.banners // FEW.banners), _turns(MANY)
    for turns, took in zip((few, many), alternately((few, many)), strict=True):
        yield _measure(turns, took)


@dataclass(frozen=True)
class _Turns:
    """One turn, resolved so many times."""

    size: Size
    state: State
    orders: dict[str, list[Any]]
    times: int

    def __call__(self) -> None:
        for _ in range(self.times):
            resolve(phases(self.state), self.state, self.orders, Dice(b"vast"))


def _turns(size: Size, times: int = 1) -> _Turns:
    state = position(size)
    return _Turns(size, state, given(state), times)


def _measure(turns: _Turns, took: float) -> Measure:
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Measure(turns.size, sum(map(len, turns.orders.values())), took / turns.times, held)


# --- a position -------------------------------------------------------------------------------------------------------


def position(size: Size) -> State:
    """Realms side by side on a grid, their banners spread over it, some sites razed, some land theirs."""
    luck = Random(size.sections)
    atlas = _grid(size.sections, luck)
    seats = [_seat(number) for number in range(size.realms)]
    homes = {seat: 1 + number * size.sections // size.realms for number, seat in enumerate(seats)}
    realms = {seat: Realm(seat, f"Realm {seat}", luck.choice(PEOPLES), homes[seat], 500) for seat in seats}
    sections = {place.number: _section(place, luck.choice(seats), luck) for place in atlas}
    sections |= {at: Section(controller=seat, site="citadel") for seat, at in homes.items()}
    ready = armies.army(armies.DEFAULT).ready
    banners = [  # Realm by realm, as they are mustered.
        Banner(seats[number * size.realms // size.banners], f"Banner {number}", luck.randint(1, size.sections), units)
        for number, units in zip(range(size.banners), cycle(ready), strict=False)
    ]
    return State(atlas, Options(domination=1.0), realms, sections, {banner.key: banner for banner in banners})


def _seat(number: int) -> str:
    return f"{chr(ord('A') + number % 26)}{number // 26}"


def _grid(sections: int, luck: Random) -> Atlas:
    width = max(2, round(sections**0.5))
    places = tuple(_place(number, width, sections, luck) for number in range(1, sections + 1))
    return Atlas(f"grid of {sections}", "A grid", (width, width), places)


def _place(number: int, width: int, last: int, luck: Random) -> Place:
    row, column = divmod(number - 1, width)
    beside = [number - 1] * (column > 0) + [number + 1] * (column < width - 1) + [number - width, number + width]
    neighbours = tuple(sorted(other for other in beside if 1 <= other <= last))
    terrain: Any = luck.choice(TERRAINS)
    river, snow = luck.random() < 0.1, luck.random() < 0.1
    site: Any = luck.choice(SITES)
    return Place(number, f"Place {number}", terrain, (column, row), (), {"land": neighbours}, site, river, snow)


def _section(place: Place, seat: str, luck: Random) -> Section:
    owned = luck.random() < 0.5 and not place.site
    return Section(controller=seat if owned else "", site=place.site, razed=not owned and luck.random() < 0.1)


def given(state: State) -> dict[str, list[Any]]:
    """An order for every banner: most move to a section beside theirs, the others do one of the other deeds."""
    luck = Random(len(state.banners))
    orders: dict[str, list[Any]] = {seat: [] for seat in state.realms}
    for banner in state.banners.values():
        deeds = (Hold, Raze, Fortify, Recover)
        goal = luck.choice(state.place(banner.at).neighbours)
        order = luck.choice(deeds)(banner.name) if luck.random() < 0.3 else Move(banner.name, (goal,))
        orders[banner.realm].append(order)
    return orders
