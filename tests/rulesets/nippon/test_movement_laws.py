"""Laws of movement, whatever is ordered: crowds of banners with random orders on the maps that players get."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, pairwise
from random import Random
from typing import Any, TypeVar

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.core.codec import Codec
from pbem.core.dice import Dice
from pbem.core.ruleset import Entrant
from pbem.core.turn import Entry, fold, resolve
from pbem.rulesets.nippon import maps
from pbem.rulesets.nippon.banners import outside, own_site
from pbem.rulesets.nippon.events import (
    EVENTS,
    Claimed,
    CreaturesJoined,
    LostInForest,
    MarchBegan,
    Moved,
    PassedInTheNight,
    Razed,
    Retreated,
    TurnedBack,
)
from pbem.rulesets.nippon.legality import controllable, refusal
from pbem.rulesets.nippon.orders import ForcedMarch, Fortify, Hold, Move, Order, Raze, Recover, Scatter, Underground
from pbem.rulesets.nippon.paths import shortest_path, steps_of
from pbem.rulesets.nippon.phases import EXECUTION, phases
from pbem.rulesets.nippon.setup import setup
from pbem.rulesets.nippon.state import Banner, Pact, State
from pbem.rulesets.nippon.tables import MARCH_STEPS, people

K = TypeVar("K")
V = TypeVar("V")

CODEC = Codec(State, *EVENTS)
KINDS = {"foot": (4, frozenset[str]()), "riders": (8, frozenset({"cavalry"})), "flyers": (8, frozenset({"fly"}))}
"""M and tags of all models of a banner."""

CROWD = 12
"""Sections in which the banners begin: near enough to each other to meet."""


@dataclass(frozen=True)
class Trial:
    """A stage of orders as it came out."""

    before: State
    orders: dict[str, list[Order]]
    dice: Dice
    after: State
    log: tuple[Entry, ...]

    def told(self, kind: type[V]) -> list[V]:
        """Its events of a kind."""
        return [entry.event for entry in self.log if isinstance(entry.event, kind)]

    def bytes(self) -> bytes:
        """All that came of it, as stored."""
        told = [
            CODEC.dump(entry.event) + f"{entry.rule} {sorted(entry.audience)} {entry.rolls}".encode()
            for entry in self.log
        ]
        return CODEC.dump(self.after) + b"".join(told)


def law(test: Callable[[Random], None]) -> Callable[[], None]:
    """Try a law on positions that each grow from a number."""

    @settings(max_examples=20, deadline=None)
    @given(st.integers(0, 2**32))
    def test_with(seed: int) -> None:
        test(Random(seed))

    test_with.__name__ = test.__name__
    test_with.__doc__ = test.__doc__
    return test_with


@cache
def ready(map_name: str) -> State:
    """As many realms as the map seats, before their first turn."""
    seats = "ABCDEFGH"[: maps.atlas(map_name).seats[1]]
    return setup({"map": map_name}, [Entrant(seat, f"Realm {seat}", {}) for seat in seats], Dice(b"set-up"))


def crowd(rng: Random) -> State:
    """Banners of all kinds, thrown together; sections held, razed, fortified; friends and enemies."""
    state = ready(rng.choice(maps.names())).copy()
    numbers = [place.number for place in state.atlas]
    where = _cluster(state, rng.choice(numbers))
    for key, banner in sorted(state.banners.items()):
        M, tags = KINDS[rng.choice(sorted(KINDS))]
        units = tuple(replace(unit, profile=replace(unit.profile, M=M), tags=tags) for unit in banner.units)
        few = units if rng.random() < 0.8 else units[:2]
        marks = {"scattered": rng.random() < 0.1, "drawn": rng.random() < 0.05}
        state.change_banner(key, at=rng.choice(where), units=few, **marks)
    for number in numbers:
        state.change_section(number, **_held(state, number, rng))
    for seat in state.realms:
        state.change_realm(seat, army=rng.choice(["free peoples", "orcs and goblins", "orcs and goblins", "skaven"]))
    pairs = combinations(sorted(state.realms), 2)
    state.pacts = tuple(
        Pact(rng.choice(["alliance", "truce"]), frozenset(pair)) for pair in pairs if rng.random() < 0.2
    )
    state.options = replace(state.options, interception=rng.random() < 0.8, flyers_ignore_difficult=rng.random() < 0.3)
    return state


def _cluster(state: State, first: int) -> list[int]:
    found = [first]
    for number in found:
        found += [near for near in state.place(number).neighbours if near not in found]
        if len(found) >= CROWD:
            break
    return found[:CROWD]


def _held(state: State, number: int, rng: Random) -> dict[str, Any]:
    realm = rng.choice(sorted(state.realms))
    if rng.random() < 0.15 and state.sections[number].controller == "":
        return {"razed": True, "tries": ((realm, rng.randint(1, 3)),)}
    if rng.random() < 0.4 and controllable(state, realm, number):
        return {"controller": realm}
    return {}


def deed(state: State, banner: Banner, rng: Random) -> Order:
    """An order to a banner, legal or not."""
    name = banner.name
    others = (Hold(name), Hold(name, no_claim=True), Raze(name), Fortify(name), Recover(name), Scatter(name))
    if rng.random() < 0.25:
        return rng.choice(others)
    if people(state.realms[banner.realm].army).tunnels and rng.random() < 0.5:
        return Underground(name, rng.choice(sorted(state.sections)))
    path, at = list[int](), banner.at
    forced = people(state.realms[banner.realm].army).marches and rng.random() < 0.7
    for _ in range(rng.randint(1, max(1, steps_of(state, banner))) + forced):
        at = rng.choice(state.place(at).neighbours)
        path.append(at)
    if forced:
        razes = tuple(dict.fromkeys(number for number in path[:-1] if rng.random() < 0.3))
        return ForcedMarch(name, tuple(path), razes, by_land=rng.random() < 0.1, no_claim=rng.random() < 0.1)
    return Move(name, tuple(path), by_land=rng.random() < 0.1, no_claim=rng.random() < 0.1, raze=rng.random() < 0.1)


def tried(rng: Random) -> Trial:
    """One stage of orders."""
    before = crowd(rng)
    orders = {seat: [deed(before, banner, rng) for banner in before.banners_of(seat)] for seat in sorted(before.realms)}
    seed = str(rng.random()).encode()
    dice = Dice(seed, lambda audience: seed + repr(sorted(audience)).encode())
    done = resolve(phases(before), before, orders, dice)
    return Trial(before, orders, dice, done.state, done.log)


def shuffled(given: Mapping[K, V], rng: Random) -> dict[K, V]:
    """The same entries, put in in another order."""
    keys = list(given)
    rng.shuffle(keys)
    return {key: given[key] for key in keys}


def strides(trial: Trial) -> dict[str, list[Moved]]:
    """The steps of each banner that moved; the first of all are taken together, then the second, and so on."""
    steps: dict[str, list[Moved]] = defaultdict(list)
    for moved in trial.told(Moved):
        steps[moved.banner].append(moved)
    return steps


def everything(state: State) -> Iterator[int]:
    """The points of all units, under banners and in reserve."""
    yield from (banner.points for banner in state.banners.values())
    yield from (tunnel.banner.points for tunnel in state.tunnels.values())
    yield from (unit.worth for section in state.sections.values() for unit in section.reserve)


# --- the same again -------------------------------------------------------------------------------------------------


@law
def test_folding_the_log_over_the_position_before_gives_the_position_after(rng):
    trial = tried(rng)
    assert fold(trial.before, trial.log) == trial.after


@law
def test_same_input_gives_the_same_bytes(rng):
    trial = tried(rng)
    again = resolve(phases(trial.before), trial.before, trial.orders, trial.dice)
    assert replace(trial, after=again.state, log=again.log).bytes() == trial.bytes()


@law
def test_order_of_seats_orders_banners_and_sections_changes_nothing(rng):
    trial = tried(rng)
    other = trial.before.copy()
    other.banners, other.sections = shuffled(other.banners, rng), shuffled(other.sections, rng)
    other.realms = shuffled(other.realms, rng)
    orders = {seat: rng.sample(given, len(given)) for seat, given in shuffled(trial.orders, rng).items()}
    again = resolve(phases(other), other, orders, trial.dice)
    assert replace(trial, after=again.state, log=again.log).bytes() == trial.bytes()


# --- banners ----------------------------------------------------------------------------------------------------------


@law
def test_every_banner_stands_where_its_steps_led(rng):
    trial = tried(rng)
    at = {key: banner.at for key, banner in trial.before.banners.items()}
    for event in trial.told(Moved) + trial.told(TurnedBack) + trial.told(Retreated):
        assert not isinstance(event, Moved) or event.at == at[event.banner]
        assert not isinstance(event, Moved) or event.to in trial.before.place(event.at).neighbours
        at[event.banner] = event.to
    assert {key: banner.at for key, banner in trial.after.banners.items()} == {
        key: at[key] for key in trial.after.banners
    }


@law
def test_nobody_goes_further_than_his_steps(rng):
    trial = tried(rng)
    for key, steps in strides(trial).items():
        banner = trial.before.banners[key]
        usual = max(steps_of(trial.before, banner), steps_of(trial.before, banner, by_land=True))
        assert len(steps) <= usual + (MARCH_STEPS if key in marching(trial) else 0)


@law
def test_a_march_ends_elsewhere_and_burns_only_what_it_left(rng):
    trial = tried(rng)
    for key in marching(trial) & strides(trial).keys():
        steps = strides(trial)[key]
        assert trial.before.banners[key].at not in [step.to for step in steps if not lost_there(trial, step)]
        left = {step.at for step in steps[1:]}
        assert {razed.at for razed in trial.told(Razed) if key in razed.by} <= left


def lost_there(trial: Trial, step: Moved) -> bool:
    """Whether a banner took a step because it had lost its way."""
    return any((each.banner, each.at, each.to) == (step.banner, step.at, step.to) for each in trial.told(LostInForest))


def marching(trial: Trial) -> set[str]:
    """The banners whose forced march succeeded."""
    return {event.banner for event in trial.told(MarchBegan)}


def ordered_way(trial: Trial, key: str) -> list[tuple[int, int]]:
    """The borders that a march was ordered to cross."""
    order = next(each for each in trial.orders[key[0]] if f"{key[0]} {each.banner}" == key)
    return list(pairwise((trial.before.banners[key].at, *order.path)))


@law
def test_the_last_leg_of_a_march_never_crosses_an_enemy_who_did_not_roll_the_same(rng):
    trial = tried(rng)
    unseen = {frozenset(event.banners) for event in trial.told(PassedInTheNight)}
    walked = {key: [(step.at, step.to) for step in steps] for key, steps in strides(trial).items()}
    lost = {event.banner for event in trial.told(LostInForest)}
    for key in marching(trial) & walked.keys():
        leg = walked[key][-1]
        if walked[key] != ordered_way(trial, key) or key in lost:
            continue  # What it crossed before, were it the same border, is compared with nobody.
        for other, back in walked.items():
            if leg[::-1] not in back or not trial.before.hostile(key[0], other[0]):
                continue
            if other not in marching(trial):
                assert frozenset({key, other}) in unseen


@law
def test_no_banner_appears_and_no_points_are_made(rng):
    trial = tried(rng)
    assert trial.after.banners.keys() <= trial.before.banners.keys()
    tamed = Counter[str]()
    for joined in trial.told(CreaturesJoined):
        tamed[joined.banner] += joined.unit.worth
    assert sum(everything(trial.after)) <= sum(everything(trial.before)) + tamed.total()
    for key, banner in trial.after.banners.items():
        assert banner.points <= trial.before.banners[key].points + tamed[key]


@law
def test_whose_order_is_refused_stays_unless_he_walks_home(rng):
    trial = tried(rng)
    for seat, orders in trial.orders.items():
        for order in orders:
            banner = trial.before.banners[f"{seat} {order.banner}"]
            if not banner.scattered and refusal(trial.before, banner, order):
                assert banner.key not in strides(trial)


# --- enemies ------------------------------------------------------------------------------------------------------


@law
def test_enemies_cross_a_border_in_one_step_only_if_they_rolled_the_same(rng):
    trial = tried(rng)
    unseen = {frozenset(event.banners) for event in trial.told(PassedInTheNight)}
    for (one, steps), (other, back) in combinations(strides(trial).items(), 2):
        for step, facing in zip(steps, back, strict=False):
            crossed = (step.at, step.to) == (facing.to, facing.at)
            if {one, other} & marching(trial):
                continue  # the next law is about them
            if crossed and trial.before.hostile(one[0], other[0]):
                assert frozenset({one, other}) in unseen


@law
def test_nobody_walks_past_an_enemy_who_stands_in_his_way(rng):
    trial = tried(rng)
    stood = {key: banner for key, banner in trial.before.banners.items() if key not in strides(trial)}
    standing = [banner for key, banner in stood.items() if key in trial.after.banners]
    for key, steps in strides(trial).items():
        passing = steps[0].flying or key in marching(trial)
        for step in steps[:-1] if trial.before.options.interception and not passing else ():
            met = [each.key for each in standing if each.at == step.to and trial.before.hostile(each.realm, key[0])]
            assert [each for each in met if not _scattered_by_order(trial, each)] == []


def _scattered_by_order(trial: Trial, key: str) -> bool:
    return not trial.before.banners[key].scattered and trial.after.banners[key].scattered


# --- control ------------------------------------------------------------------------------------------------------


@law
def test_a_section_is_claimed_once_at_most_by_somebody_who_is_there_without_enemies(rng):
    before = crowd(rng)
    orders = {seat: [deed(before, banner, rng) for banner in before.banners_of(seat)] for seat in sorted(before.realms)}
    done = resolve(EXECUTION, before, orders, Dice(f"{rng.random()}".encode()))
    claims = [entry.event for entry in done.log if isinstance(entry.event, Claimed)]
    assert len({event.at for event in claims}) == len(claims)
    for event in claims:
        there = [banner for banner in done.state.banners_at(event.at) if not outside(done.state, banner)]
        assert [banner for banner in there if done.state.hostile(banner.realm, event.realm)] == []
        assert {banner.key for banner in there} >= set(event.banners)
        assert done.state.sections[event.at].controller == event.realm


@law
def test_nobody_controls_what_cannot_be_controlled(rng):
    trial = tried(rng)
    for number, section in trial.after.sections.items():
        if section.controller:
            assert controllable(trial.after, section.controller, number)


@law
def test_works_stand_only_where_their_builder_stands_and_his_realm_controls(rng):
    trial = tried(rng)
    for number, section in trial.after.sections.items():
        if section.fortified:
            builder = trial.after.banners[section.fortified]
            assert (builder.at, builder.realm) == (number, section.controller)


# --- ways ---------------------------------------------------------------------------------------------------------


@law
def test_the_shortest_way_is_legal_and_found_if_there_is_any(rng):
    state = crowd(rng)
    banner = replace(state.banners[rng.choice(sorted(state.banners))], scattered=False, drawn=False)
    goals = _reachable(state, banner)
    for goal in [*goals, rng.choice(list(state.sections))]:
        way = shortest_path(state, banner, goal)
        assert (way is not None) == (goal in goals)
        assert way is None or (way[-1] == goal and refusal(state, banner, Move(banner.name, way)) is None)
        assert way is None or len(way) == goals[goal]


def _reachable(state: State, banner: Banner) -> dict[int, int]:
    """Every goal of a legal way, and how many steps it takes: all ways are tried."""
    found: dict[int, int] = {}
    ways = [(number,) for number in state.place(banner.at).neighbours]
    for length in range(1, steps_of(state, banner) + 1):
        for way in ways:
            if refusal(state, banner, Move(banner.name, way)) is None and way[-1] != banner.at:
                found.setdefault(way[-1], length)
        ways = [(*way, number) for way in ways for number in state.place(way[-1]).neighbours]
    return found


@law
def test_who_is_home_is_not_scattered(rng):
    trial = tried(rng)
    for key, banner in trial.after.banners.items():
        if banner.scattered and trial.before.banners[key].scattered:
            homes = [own_site(state, banner.realm, banner.at) for state in (trial.before, trial.after)]
            assert homes != [True, True]
