"""Whole campaigns as a host plays them: views, cards as text, checks, what acts at once, and the stages' ends.

Robots play some, and odd players others. Each is played once for all tests.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import cycle
from typing import Any

from pbem.core.dice import Dice
from pbem.core.ruleset import Entrant
from pbem.rulesets.nippon import NIPPON
from pbem.rulesets.nippon.items import ITEMS
from pbem.rulesets.nippon.robot import robot
from pbem.rulesets.nippon.ships.harbours import free_names
from pbem.rulesets.nippon.state import Ship, State, Unit
from pbem.rulesets.nippon.view import View
from tests.playing import Stage, Table, play
from tests.rulesets.nippon.odd import odd

PEOPLES = (
    "dwarfs",
    "high elves",
    "orcs and goblins",
    "skaven",
    "vampire counts",
    "warriors of chaos",
    "free peoples",
    "mountain clans",
)
"""Every people with rules of its own, one without, and the second army list."""

SEATS = "ABCDEFGH"
WHOLE = 100
"""More stages than any of these campaigns has."""

GAMES = 6
"""So many games of a campaign are played at most, until what is looked for comes about."""

FORTUNE = 3000
"""What a furnished realm has to spend, in production points."""

TREASURE = tuple(item.name for item in ITEMS.values() if item.slot == "map")


def table(
    peoples: Sequence[str] = PEOPLES,
    kind: type[Table] = Table,
    player: Callable[[View, Dice], str] = robot,
    **options: Any,
) -> Table:
    """A table at which each people has a seat. Prices are those of a short campaign."""
    realms = zip(SEATS, peoples, strict=False)
    entrants = tuple(Entrant(seat, f"Realm {seat}", {"army": people}) for seat, people in realms)
    return kind(replace(NIPPON, robot=player), {"cost_percent": 10, **options}, entrants)


class Furnished(Table):
    """A table at which realms begin with what others come by late: gold, treasures, wounds, a ship, a trip to town."""

    def set_up(self, game: str = "1") -> State:
        """The usual first position, and more."""
        state: State = super().set_up(game)
        treasure = cycle(TREASURE)
        for seat in sorted(state.realms):
            state.change_realm(seat, treasury=FORTUNE)
            for banner in state.banners_of(seat):
                state.change_banner(banner.key, units=tuple(_laden(unit, treasure) for unit in banner.units))
            _launched(state, seat)
            _burnt(state, seat)
        _in_town(state)
        return state


def _laden(unit: Unit, treasure: Iterator[str]) -> Unit:
    if not unit.character:
        return unit
    hurt = unit.steed and replace(unit.steed, wounds=1)
    return replace(unit, items=(*unit.items, next(treasure), next(treasure)), steed=hurt)


def _launched(state: State, seat: str) -> None:
    """The nearest port that is nobody's becomes a keep of the realm, with a ship and its second banner in it."""
    away = state.atlas.distances(state.realms[seat].headquarters)
    ports = [place.number for place in state.atlas if place.port and not state.sections[place.number].controller]
    if ports:
        at = min(ports, key=lambda number: (away[number], number))
        state.change_section(at, controller=seat, site="keep")
        (name,) = free_names(state, seat, 1)
        ship = Ship(seat, name, at, "war ship")
        state.ships[ship.key] = ship
        state.change_banner(state.banners_of(seat)[1].key, at=at)


def _burnt(state: State, seat: str) -> None:
    """The first plains next to its headquarters on which nothing stands are razed, and its first banner is there."""
    near = state.place(state.realms[seat].headquarters).neighbours
    bare = (at for at in near if not state.sections[at].site and state.place(at).terrain == "plains")
    for at in [*bare][:1]:
        state.change_section(at, razed=True)
        state.change_banner(state.banners_of(seat)[0].key, at=at)


def _in_town(state: State) -> None:
    """The last banners of two realms, erratic ones, stand in a merchant city that has few things left."""
    cities = [at for at, section in state.sections.items() if section.site == "merchant city"]
    for at in cities[:1]:
        state.change_section(at, stock=tuple((name, 1) for name, _ in state.sections[at].stock[:2]))
        for seat in sorted(state.realms)[:2]:
            banner = state.banners_of(seat)[-1]
            erratic = (replace(unit, tags=unit.tags | {"random movement"}) for unit in banner.units)
            state.change_banner(banner.key, at=at, units=tuple(erratic))


class Uneven(Table):
    """A table at which all realms but the first begin with a single banner."""

    def set_up(self, game: str = "1") -> State:
        """The usual first position, and less."""
        state: State = super().set_up(game)
        for seat in sorted(state.realms)[1:]:
            for banner in state.banners_of(seat)[1:]:
                del state.banners[banner.key]
        return state


ROBOTS: dict[str, Table] = {
    "eight realms": table(setup=True, end_turn=20, battles="auto"),
    "to the last realm": table(
        PEOPLES[:2], Uneven, map="duel", domination=1.0, battles="auto", owned_sites_garrisoned=False
    ),
    "for the land": table(PEOPLES[1:4], domination=0.25, fog="adjacent", site_battles="table"),
}
"""Campaigns of robots, by what they are about."""

ODD: dict[str, Table] = {
    "of all peoples": table(PEOPLES[2:], Furnished, odd, end_turn=10),
    "in a valley": table(PEOPLES[2:6], Furnished, odd, map="duel", end_turn=8),
    "in fog": table(PEOPLES[2:6], Furnished, odd, end_turn=8, battles="auto", fog="adjacent"),
    "from the beginning": table(PEOPLES[4:], Table, odd, map="duel", setup=True, end_turn=2, unfought="draw"),
}
"""Campaigns of odd players, by where they are played."""


@cache
def campaign(name: str, game: int = 1) -> tuple[Stage, ...]:
    """A campaign to its end; other games of it have other dice."""
    return tuple(play((ROBOTS | ODD)[name], WHOLE, f"{name} {game}"))
