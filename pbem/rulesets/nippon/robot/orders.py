"""What a robot orders its banners to do."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import prod

from pbem.rulesets.nippon.legality import claimable, hostile_at, spared_for_good
from pbem.rulesets.nippon.orders import (
    BannerOrder,
    ForcedMarch,
    Fortify,
    Going,
    Hold,
    Move,
    Portal,
    Raze,
    Recover,
    Sail,
    Scatter,
    Steer,
    Underground,
)
from pbem.rulesets.nippon.paths import settled, shortest_path, steps_of
from pbem.rulesets.nippon.robot.mind import Mind, can_take, value
from pbem.rulesets.nippon.robot.ships import homeward, landings
from pbem.rulesets.nippon.state import Banner
from pbem.rulesets.nippon.tables import MARCH_STEPS, ODDS, PORTAL_SCROLL, SITE_SCORE, TIRED_UP_TO, from_on, people
from pbem.rulesets.nippon.terrain import tests_of
from pbem.rulesets.nippon.whatif.guesses import share

ENOUGH = 1.1
"""How much stronger a banner must seem to attack gladly."""

LAIR = 1.5
"""What the treasure of a lair seems worth."""

DARING = 0.7
"""How strong it must seem to attack on a whim."""

DIGS_FROM = 5
"""A D6 for going underground."""

SPIRITED = float(from_on(TIRED_UP_TO + 1))
"""The chance that a forced march succeeds."""


def orders(mind: Mind) -> Iterator[BannerOrder | Steer]:
    """The best order for each banner; then ships that nobody needs go home."""
    for banner in mind.position.banners_of(mind.seat):
        if not banner.scattered:
            yield _best(mind, banner)
    yield from homeward(mind)


def _best(mind: Mind, banner: Banner) -> BannerOrder:
    """The legal order that promises most; a die shakes up what is nearly equal."""
    rated = sorted(((worth, str(order), order) for order, worth in _choices(mind, banner)), key=lambda each: each[:2])
    worths = [(worth + mind.roll(line) / 12, line, order) for worth, line, order in rated]
    order = max(worths, key=lambda each: each[:2])[2]
    if isinstance(order, Going):
        mind.goals.add(order.path[-1])
    if isinstance(order, Sail):
        mind.goals.add(order.land)
        mind.ships.add(order.ship)
    return order


def _choices(mind: Mind, banner: Banner) -> Iterator[tuple[BannerOrder, float]]:
    """Orders that a banner could carry out, and what each seems worth."""
    yield Hold(banner.name, no_assault=not can_take(mind, banner, banner.at)), _staying(mind, banner)
    yield from ((order, worth) for order, worth in _works(mind, banner) if mind.may(order))
    yield from landings(mind, banner)
    if banner.aboard:
        return
    prospects = _prospects(mind, banner)
    for goal in _in_reach(mind, banner):
        order = settled(mind.position, banner, Move(banner.name, (goal,), no_assault=not can_take(mind, banner, goal)))
        if isinstance(order, Move) and not _over_water(mind, order.path) and mind.may(order):
            yield order, _arriving(mind, banner, order) + prospects.get(goal, 0)
    yield from _marches(mind, banner)
    yield from _tunnels(mind, banner)


def _marches(mind: Mind, banner: Banner) -> Iterator[tuple[BannerOrder, float]]:
    """Forced marches to what lies a section too far, burning the land of others on the way."""
    if not people(mind.position.realms[mind.seat].army).marches:
        return
    eager = float(mind.roll(f"{banner.name} marches") == 6)
    near = set(_in_reach(mind, banner))
    for goal in _in_reach(mind, banner, MARCH_STEPS):
        way = () if goal in near else shortest_path(mind.position, banner, goal, more_steps=MARCH_STEPS) or ()
        razes = tuple(at for at in way[:-1] if _enemys(mind, at) and not spared_for_good(mind.position, mind.seat, at))
        order = ForcedMarch(banner.name, way, razes, no_assault=not can_take(mind, banner, goal))
        if way and not _over_water(mind, way) and mind.may(order):
            yield order, _arriving(mind, banner, order) * SPIRITED + len(razes) + eager


def _tunnels(mind: Mind, banner: Banner) -> Iterator[tuple[BannerOrder, float]]:
    """On a whim underground, to the land of others that lies furthest away."""
    if not people(mind.position.realms[mind.seat].army).tunnels or mind.roll(f"{banner.name} digs") < DIGS_FROM:
        return
    away = mind.position.atlas.distances(banner.at)
    goals = sorted((away.get(number, 0), number) for number in mind.position.sections if _enemys(mind, number))
    orders = (Underground(banner.name, number) for _, number in reversed(goals))
    yield from [(order, 5.0) for order in orders if mind.may(order)][:1]


def _enemys(mind: Mind, number: int) -> bool:
    holder = mind.position.sections[number].controller
    return bool(holder) and mind.position.hostile(holder, mind.seat)


def _works(mind: Mind, banner: Banner) -> Iterator[tuple[BannerOrder, float]]:
    section = mind.position.sections[banner.at]
    threatened = any(hostile_at(mind.position, mind.seat, number) for number in _next_to(mind, banner.at))
    yield Recover(banner.name), 3.0 + SITE_SCORE.get(section.site, 0)
    if threatened and not section.fortified:
        careful = mind.roll(f"{banner.name} fortify") > 4
        yield Fortify(banner.name), _staying(mind, banner) + (4.0 if careful else 1.0)
    if section.controller not in ("", mind.seat) and mind.roll(f"{banner.name} raze") == 1:
        yield Raze(banner.name), 3.0
    if threatened and banner.bears(PORTAL_SCROLL):
        yield Portal(banner.name, mind.position.realms[mind.seat].headquarters, if_threatened=True), 4.5
    yield Scatter(banner.name), 0.5


def _staying(mind: Mind, banner: Banner) -> float:
    """What holding is worth: a section to take, a home to guard."""
    if claimable(mind.position, mind.seat, banner.at) and can_take(mind, banner, banner.at):
        return value(mind.position, banner.at)
    guards = [each for each in mind.position.banners_at(banner.at) if each.realm == mind.seat]
    at_home = banner.at == mind.position.realms[mind.seat].headquarters
    threatened = any(hostile_at(mind.position, mind.seat, number) for number in _next_to(mind, banner.at))
    return 4.0 if at_home and threatened and guards[0].key == banner.key else 0.2


def _in_reach(mind: Mind, banner: Banner, more_steps: int = 0) -> list[int]:
    steps = steps_of(mind.position, banner) + more_steps
    found = mind.position.atlas.distances(banner.at)
    return sorted(number for number, away in found.items() if 0 < away <= steps)


def _next_to(mind: Mind, number: int) -> tuple[int, ...]:
    return mind.position.place(number).neighbours


def _over_water(mind: Mind, path: Sequence[int]) -> bool:
    return any(mind.position.place(number).ocean for number in path)


def _arriving(mind: Mind, banner: Banner, order: Going) -> float:
    """What a move brings this turn: the section, less where others go already or enemies stand, times the odds."""
    goal = order.path[-1]
    free = claimable(mind.position, mind.seat, goal) and not order.no_assault and goal not in mind.goals
    gain = value(mind.position, goal) if free else 0.0
    if mind.position.site(goal) == "lair" and not order.no_assault:
        gain += LAIR
    enemies = [enemy for number in order.path for enemy in hostile_at(mind.position, mind.seat, number)]
    if enemies:
        gain += _fighting(mind, banner, enemies, goal)
    if banner.flies:
        gain /= 2
    tests = tests_of(mind.position, banner, order.path, order.by_land)
    return gain * float(prod((ODDS[hazard] for _, _, hazard in tests), start=Fraction(1)))


def _fighting(mind: Mind, banner: Banner, enemies: Sequence[Banner], goal: int) -> float:
    """Whether it seems wise to meet these."""
    strength = banner.points / sum(share(mind.view, enemy.realm) for enemy in enemies)
    if strength >= ENOUGH or all(enemy.scattered for enemy in enemies):
        return 2.0
    return 1.0 if strength >= DARING and mind.roll(f"{banner.name} dares {goal}") == 1 else -4.0


def _prospects(mind: Mind, banner: Banner) -> dict[int, float]:
    """For every section in reach, the pull of what lies beyond it."""
    steps = max(1, steps_of(mind.position, banner))
    free = (number for number in mind.position.sections if number not in mind.goals and _wanted(mind, number))
    worth = {number: value(mind.position, number) for number in free}
    pulls: dict[int, float] = {}
    for number in _in_reach(mind, banner):
        away = mind.position.atlas.distances_on_foot(number)
        turns = {each: 1 + -(-away[each] // steps) for each in worth if each in away}
        pulls[number] = max((worth[each] / turns[each] for each in turns), default=0.0)
    return pulls


def _wanted(mind: Mind, number: int) -> bool:
    """Whether to go there in the end: to take it, or to make it live again."""
    return claimable(mind.position, mind.seat, number) or mind.position.sections[number].razed
