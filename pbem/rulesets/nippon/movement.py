"""Chapter 6, movement: all banners step together."""

from collections.abc import Sequence
from string import ascii_lowercase

from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.banners import outside
from pbem.rulesets.nippon.control import by_section
from pbem.rulesets.nippon.events import Intercepted, Moved, PaceRolled
from pbem.rulesets.nippon.journeys import Journey
from pbem.rulesets.nippon.legality import orders_in_force
from pbem.rulesets.nippon.marches import forced_march, raze_on_the_way
from pbem.rulesets.nippon.night import pass_in_the_night
from pbem.rulesets.nippon.orders import BannerOrder, ForcedMarch, Move, Sail, Scatter
from pbem.rulesets.nippon.scattered import scatter, walk_home
from pbem.rulesets.nippon.state import Banner, State
from pbem.rulesets.nippon.tables import RATES
from pbem.rulesets.nippon.terrain import Step, try_step, turn_back

# --- 6.1 Steps and ways -------------------------------------------------------------------------------------------


@rule("6.1", "Steps and ways")
def roll_paces(turn: Turn[State]) -> None:
    """When a turn opens: M of models with random movement, for this turn; only their realm learns it."""
    for key, banner in sorted(turn.state.banners.items()):
        if banner.erratic:
            own = frozenset({banner.realm})
            pace = sum(turn.roll(f"pace {key} {die}", to=own) for die in ascii_lowercase[: RATES.random_dice])
            turn.emit(PaceRolled(key, banner.at, pace), to=own)


# --- 6.3 Simultaneous movement ------------------------------------------------------------------------------------


@rule("6.3", "Simultaneous movement")
def movement(turn: Turn[State]) -> None:
    """All take their first step together, then the second, and so on; the scattered walk among them."""
    journeys = departures(turn)
    while under_way := [journey for journey in journeys if journey.ahead]:
        take_steps(turn, under_way)


def departures(turn: Turn[State]) -> list[Journey]:
    """Who sets out, and for where, by key of the banner."""
    orders = orders_in_force(turn)
    journeys = (departure(turn, turn.state.banners[key], orders.get(key)) for key in sorted(turn.state.banners))
    return [journey for journey in journeys if journey]


def departure(turn: Turn[State], banner: Banner, order: BannerOrder | None) -> Journey | None:
    """A banner's journey, if it sets out."""
    if banner.scattered:
        way = walk_home(turn, banner)
        return None if way is None else Journey(banner.key, (banner.at,), way, banner.flies)
    if isinstance(order, Scatter):
        scatter(turn, banner)
    if isinstance(order, ForcedMarch):
        return forced_march(turn, banner, order)
    if isinstance(order, Move):
        return Journey(banner.key, (banner.at,), order.path, banner.airborne(order.by_land))
    if isinstance(order, Sail) and banner.aboard and order.land in turn.state.place(banner.at).neighbours:
        return Journey(banner.key, (banner.at,), (order.land,), airborne=False)
    return None


def take_steps(turn: Turn[State], under_way: Sequence[Journey]) -> None:
    """One step of everybody who has any left: tests, Don't Pass in the Night, the step itself, interception."""
    steps = try_steps(turn, under_way)
    pass_in_the_night(turn, under_way, steps)
    going = [journey for journey in under_way if journey.ahead]
    raze_on_the_way(turn, going)
    for journey in going:
        step = steps[journey.banner]
        turn.emit(Moved(step.banner, step.at, step.to, step.airborne))
        journey.take(step)
    for journey in under_way:
        if journey.airborne and not journey.ahead:
            turn_back(turn, journey.banner, journey.path)
    if turn.state.options.interception:
        intercept(turn, under_way)


def try_steps(turn: Turn[State], under_way: Sequence[Journey]) -> dict[str, Step]:
    """The next step of each banner that passes its tests; the move of the others is over."""
    steps = {}
    for journey in under_way:
        step = journey.known_step or try_step(turn, journey.next_step)
        if step:
            steps[journey.banner] = step
        else:
            journey.cut(0)
    return steps


def intercept(turn: Turn[State], journeys: Sequence[Journey]) -> None:
    """Who shares a section with a hostile banner that remains there stops. Passing flyers and marches do neither."""
    passing = {journey.banner for journey in journeys if journey.passing}
    remaining = by_section(banner for key, banner in turn.state.banners.items() if key not in passing)
    for journey in journeys:
        if journey.ahead and not journey.passing:
            banner = turn.state.banners[journey.banner]
            met = [each.key for each in remaining[banner.at] if turn.state.hostile(each.realm, banner.realm)]
            standing = tuple(key for key in sorted(met) if not outside(turn.state, turn.state.banners[key]))
            if standing:
                turn.emit(Intercepted(banner.key, banner.at, standing))
                journey.cut(0)
