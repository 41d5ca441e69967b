"""How far a banner goes in a turn, and which way it takes (NIP 6.1)."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from pbem.core import graph
from pbem.rulesets.nippon.banners import own_site
from pbem.rulesets.nippon.orders import BannerOrder, Move
from pbem.rulesets.nippon.state import Banner, State
from pbem.rulesets.nippon.tables import OCEANS_A_TURN, RATES, people
from pbem.rulesets.nippon.terrain import hazards_for

Path = tuple[int, ...]
"""The sections of a way in order, the start left out, the goal included."""

Crossing = Callable[[int, bool], int | None]
"""What a way keeps of the sea, from what it kept so far and whether it goes on over ocean; ``None``: it may not."""


def steps_of(position: State, banner: Banner, by_land: bool = False) -> int:
    """Steps a turn (NIP 6.1); 0 if the banner's units are not known."""
    if not banner.units:
        return 0
    more = people(position.realms[banner.realm].army).more_steps
    more += RATES.standard if banner.bears(RATES.standard_item) else 0
    if banner.airborne(by_land):
        return RATES.flying + more
    slowest = min(banner.pace if unit.erratic else unit.profile.M for unit in banner.units)
    return (RATES.on_foot if slowest < RATES.mounted_from else RATES.mounted) + more


def shortest_path(
    position: State, banner: Banner, goal: int, by_land: bool = False, more_steps: int = 0
) -> Path | None:
    """The way a banner takes if its order names only the goal (NIP 6.1); ``None`` if it cannot get there this turn.

    Among equally short ways: not through ocean or a lair, then the fewest tests, then the lowest numbers.
    """
    airborne = banner.airborne(by_land)
    if goal == banner.at or (airborne and position.place(goal).ocean):
        return None
    longest = steps_of(position, banner, by_land) + more_steps
    return _best(position, banner, goal, airborne, longest, _freely if airborne else _once)


def settled(position: State, banner: Banner, order: BannerOrder) -> BannerOrder:
    """The order with the way it takes, if it names only the goal (NIP 6.1)."""
    atlas = position.atlas
    if not isinstance(order, Move) or len(order.path) != 1 or order.path[0] in atlas[banner.at].neighbours:
        return order
    goal = order.path[0]
    way = shortest_path(position, banner, goal, order.by_land)
    if way is None and goal != banner.at:
        # It cannot be taken; the refusal will say where it breaks off.
        way = graph.shortest_path(banner.at, atlas.distances(goal), lambda number: atlas[number].neighbours)
    return replace(order, path=way or order.path)


def way_home(position: State, banner: Banner) -> Path | None:
    """The whole way of a scattered banner to the nearest village, keep, stronghold or citadel of its realm (NIP 9.3).

    Empty if it stands at one; ``None`` if there is none that it can reach. Of equally near ones the lowest number.
    """
    sites = [number for number in position.held_by(banner.realm) if own_site(position, banner.realm, number)]
    if banner.at in sites:
        return ()
    flight = steps_of(position, banner) - 1

    def over_water(kept: int, ocean: bool) -> int | None:
        return 0 if not ocean else kept + 1 if kept < flight else None

    rule = over_water if banner.flies else _freely
    away, longest = position.atlas.distances(banner.at), len(position.sections)
    found: list[tuple[int, int, Path]] = []
    for steps, number in sorted((away[number], number) for number in sites if number in away):
        if found and min(found)[0] < steps:
            break
        way = _best(position, banner, number, banner.flies, longest, rule)
        found += [(len(way), number, way)] if way else []
    return min(found)[2] if found else None


def first_leg(position: State, banner: Banner, way: Path, by_land: bool = False) -> Path:
    """As much of a longer way as a banner goes in one turn: not into a second ocean section, flyers to firm ground."""
    leg = way[: steps_of(position, banner, by_land)]
    seas = [index for index, number in enumerate(leg) if position.place(number).ocean]
    if banner.airborne(by_land):
        return next((leg[:end] for end in range(len(leg), 0, -1) if end - 1 not in seas), ())
    return leg[: seas[OCEANS_A_TURN]] if len(seas) > OCEANS_A_TURN else leg


# --- searching ----------------------------------------------------------------------------------------------------


def _freely(kept: int, ocean: bool) -> int | None:
    """The sea is no matter."""
    return 0


def _once(kept: int, ocean: bool) -> int | None:
    """One ocean section a turn (NIP 5)."""
    return kept + ocean if kept + ocean <= OCEANS_A_TURN else None


Node = tuple[int, int, bool]
"""Where a way has come to: the section, what it keeps of the sea, whether it went through ocean or a lair."""


def _best(position: State, banner: Banner, goal: int, airborne: bool, longest: int, crossing: Crossing) -> Path | None:
    search = _Search(position, banner, goal, airborne, crossing)
    lengths = range(position.atlas.distances(goal).get(banner.at, longest + 1), longest + 1)
    return next((way for length in lengths if (way := search.of_length(length))), None)


class _Search:
    """The best way of a given length, found step by step; sections too far from the goal are left out."""

    def __init__(self, position: State, banner: Banner, goal: int, airborne: bool, crossing: Crossing) -> None:
        self._position = position
        self._banner = banner
        self._goal = goal
        self._airborne = airborne
        self._crossing = crossing
        self._left = position.atlas.distances(goal)

    def of_length(self, length: int) -> Path | None:
        """The best way of exactly ``length`` steps."""
        front: dict[Node, tuple[int, Path]] = {(self._banner.at, 0, False): (0, ())}
        for left in range(length - 1, -1, -1):
            onward: dict[Node, tuple[int, Path]] = {}
            for node, (tests, way) in front.items():
                for further, more, number in self._onward(node, left):
                    rated = (tests + more, (*way, number))
                    if further not in onward or rated < onward[further]:
                        onward[further] = rated
            front = onward
        rated_ways = [(through, tests, way) for (_, _, through), (tests, way) in front.items()]
        return min(rated_ways)[2] if rated_ways else None

    def _onward(self, node: Node, left: int) -> Iterator[tuple[Node, int, int]]:
        at, kept, through = node
        position, goal = self._position, self._goal
        for number in position.atlas[at].neighbours:
            if self._left[number] > left:
                continue
            ocean = position.atlas[number].ocean
            now = self._crossing(kept, ocean)
            if now is not None:
                wild = number != goal and (ocean or position.site(number) == "lair")
                tests = hazards_for(position, self._banner.realm, at, number, self._airborne)
                yield (number, now, through or wild), len(tests), number
