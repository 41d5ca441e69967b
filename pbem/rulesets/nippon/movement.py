"""Chapter 6, movement: all banners step together; enemies who cross in the night."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.banners import outside
from pbem.rulesets.nippon.control import by_section
from pbem.rulesets.nippon.events import (
    HeldInTheNight,
    Intercepted,
    Moved,
    NightRolled,
    PassedInTheNight,
    WonTheNight,
)
from pbem.rulesets.nippon.legality import orders_in_force
from pbem.rulesets.nippon.orders import BannerOrder, Move, Sail, Scatter
from pbem.rulesets.nippon.paths import Path
from pbem.rulesets.nippon.scattered import scatter, walk_home
from pbem.rulesets.nippon.state import Banner, State
from pbem.rulesets.nippon.tables import people
from pbem.rulesets.nippon.terrain import Step, try_step, turn_back

Border = tuple[int, int]
"""Two neighbours, the lower number first."""


@dataclass
class Journey:
    """A banner's way through the steps of one turn."""

    banner: str
    path: Path
    """Where it has been, its start first."""
    ahead: Path
    """Where it still means to go; empty when its move is over."""
    airborne: bool

    @property
    def next_step(self) -> Step:
        """The step that comes first."""
        return Step(self.banner, self.path, self.ahead[0], self.airborne)

    def stop(self) -> None:
        """Its move is over."""
        self.ahead = ()

    def take(self, step: Step) -> None:
        """It has gone where ``step`` led. Who lost his way stays there."""
        self.path = (*self.path, step.to)
        self.ahead = () if step.lost else self.ahead[1:]


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
    if isinstance(order, Move):
        return Journey(banner.key, (banner.at,), order.path, banner.flies and not order.by_land)
    if isinstance(order, Sail) and banner.aboard and order.land in turn.state.place(banner.at).neighbours:
        return Journey(banner.key, (banner.at,), (order.land,), airborne=False)
    return None


def take_steps(turn: Turn[State], under_way: Sequence[Journey]) -> None:
    """One step of everybody who has any left: tests, Don't Pass in the Night, the step itself, interception."""
    tried = {journey.banner: try_step(turn, journey.next_step) for journey in under_way}
    fates = pass_in_the_night(turn, (step for step in tried.values() if step))
    for journey in under_way:
        step = tried[journey.banner]
        fate = fates.get(journey.banner)
        if step and fate != "held":
            turn.emit(Moved(step.banner, step.at, step.to, step.airborne))
            journey.take(step)
        if step is None or fate:
            journey.stop()
    for journey in under_way:
        if journey.airborne and not journey.ahead:
            turn_back(turn, journey.banner, journey.path)
    if turn.state.options.interception:
        intercept(turn, under_way)


def intercept(turn: Turn[State], journeys: Sequence[Journey]) -> None:
    """On the ground, who shares a section with a hostile banner that remains there stops. Passing flyers do neither."""
    passing = {journey.banner for journey in journeys if journey.airborne and journey.ahead}
    remaining = by_section(banner for key, banner in turn.state.banners.items() if key not in passing)
    for journey in journeys:
        if journey.ahead and not journey.airborne:
            banner = turn.state.banners[journey.banner]
            met = [each.key for each in remaining[banner.at] if turn.state.hostile(each.realm, banner.realm)]
            standing = tuple(key for key in sorted(met) if not outside(turn.state, turn.state.banners[key]))
            if standing:
                turn.emit(Intercepted(banner.key, banner.at, standing))
                journey.stop()


# --- 6.4 Don't Pass in the Night ----------------------------------------------------------------------------------


Fate = Literal["held", "won"]
"""What a night did to a banner: it must stay; or it goes, and its move ends where it meets the loser."""


@rule("6.4", "Don't Pass in the Night")
def pass_in_the_night(turn: Turn[State], steps: Iterable[Step]) -> dict[str, Fate]:
    """Where hostile banners would cross a border in opposite directions, dice decide who goes and who waits."""
    crossing: dict[Border, list[Step]] = defaultdict(list)
    for step in steps:
        crossing[step.border].append(step)
    fates: dict[str, Fate] = {}
    for border in sorted(crossing):
        facing = [step for step in crossing[border] if facing_enemies(turn.state, step, crossing[border])]
        if facing:
            fates.update(settle_border(turn, border, facing))
    return fates


def facing_enemies(position: State, step: Step, others: Iterable[Step]) -> list[Step]:
    """The steps of hostile banners that cross the border of ``step`` the other way."""
    return [other for other in others if other.at == step.to and position.hostile(other.realm, step.realm)]


def settle_border(turn: Turn[State], border: Border, facing: Sequence[Step]) -> dict[str, Fate]:
    """Judge from the highest roll down: all go but those whom an enemy with a higher roll, who goes, comes to meet."""
    strength = roll_for_border(turn, border, sorted({step.realm for step in facing}))
    fates: dict[str, Fate] = {}
    going: list[Step] = []
    for step in sorted(facing, key=lambda step: strength[step.realm], reverse=True):
        met = facing_enemies(turn.state, step, going)
        stronger = [other.banner for other in met if strength[other.realm] > strength[step.realm]]
        if stronger:
            turn.emit(HeldInTheNight(step.banner, step.at, step.to, tuple(stronger)))
            fates[step.banner] = "held"
            continue
        going.append(step)
        for other in met:
            turn.emit(PassedInTheNight(border, (other.banner, step.banner)))
    for step in going:
        enemies = facing_enemies(turn.state, step, facing)
        weaker = [other.banner for other in enemies if strength[other.realm] < strength[step.realm]]
        over = tuple(banner for banner in weaker if banner in fates)
        if over:
            turn.emit(WonTheNight(step.banner, step.at, step.to, over))
            fates[step.banner] = "won"
    return fates


def roll_for_border(turn: Turn[State], border: Border, realms: Iterable[str]) -> dict[str, tuple[bool, int]]:
    """How strong a realm is at a border: its die for this turn (NIP 20.1), unless its people always wins."""
    low, high = border
    values = {realm: turn.roll(f"night {realm} {low}-{high}") for realm in realms}
    turn.emit(NightRolled(border, tuple(values.items())))
    return {realm: (people(turn.state.realms[realm].army).wins_the_night, value) for realm, value in values.items()}
