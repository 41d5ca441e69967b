"""Chapters 8.1 and 8.4, meetings: who met whom, on which side, who attacks, and what is fought next."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations

from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.banners import outside
from pbem.rulesets.nippon.engagements import Side, opponents
from pbem.rulesets.nippon.events import (
    AttackRolled,
    BattleSet,
    MeetingOpened,
    MeetingSettled,
    Prepared,
    ScenarioRolled,
    SidedWith,
    StoodAside,
)
from pbem.rulesets.nippon.legality import orders_of
from pbem.rulesets.nippon.orders import BannerOrder, Claiming
from pbem.rulesets.nippon.razing import obstacle
from pbem.rulesets.nippon.state import Banner, Meeting, State
from pbem.rulesets.nippon.tables import SCENARIOS
from pbem.rulesets.nippon.ties import rolled_off

# --- 8.1 Meetings -------------------------------------------------------------------------------------------------


UNTORN: Mapping[str, str] = {}
"""Nobody is allied to both sides."""


@rule("8.1", "Meetings")
def open_meetings(turn: Turn[State]) -> None:
    """After all moves, every section with hostile banners is a meeting, and at sea with hostile ships (NIP 11.4)."""
    orders = orders_of(turn)
    for at, banners in gathered(turn.state).items():
        meet(turn, at, banners, orders)


def gathered(state: State) -> dict[int, list[Banner]]:
    """The banners that count, by section and key, of every section that holds more than one realm's, or its ships."""
    found: dict[int, list[Banner]] = defaultdict(list)
    realms: dict[int, set[str]] = defaultdict(set)
    for key in sorted(state.banners):
        banner = state.banners[key]
        if not outside(state, banner):
            found[banner.at].append(banner)
            realms[banner.at].add(banner.realm)
    for ship in state.ships.values():
        if state.place(ship.at).ocean:
            realms[ship.at].add(ship.realm)
    return {at: found[at] for at in sorted(realms) if len(realms[at]) > 1}


def meet(turn: Turn[State], at: int, banners: Sequence[Banner], orders: Mapping[str, BannerOrder]) -> None:
    """Open the meeting in one section, if anybody there is hostile to anybody."""
    state = turn.state
    ships = state.ships_at(at) if state.place(at).ocean else ()
    present = {banner.realm for banner in banners} | {ship.realm for ship in ships}
    beside = torn(state, present)
    there = {seat for seat in present if beside.get(seat) != ""}
    facing = {seat for seat in there if beside.get(seat) or any(state.hostile(seat, other) for other in there)}
    if not facing:
        return
    sides = tuple(allied_groups(state, facing, beside))
    keys = tuple(banner.key for banner in banners if banner.realm in facing)
    turn.emit(MeetingOpened(at, keys, sides, tuple(ship.key for ship in ships if ship.realm in facing)))
    for key in unclaiming(orders, keys):
        turn.emit(Prepared(key, at, "no claim"), to=frozenset({turn.state.banners[key].realm}))
    prepare(turn, at, beside)


def torn(state: State, present: Collection[str]) -> dict[str, str]:
    """Who is allied to both sides of a quarrel, by seat, each with the ally beside whom it has said to fight; none: it
    stands aside (NIP 8.4)."""
    quarrels = [pair for pair in combinations(sorted(present), 2) if state.hostile(*pair)]
    friends = {seat: [pair for pair in quarrels if all(allied(state, seat, each) for each in pair)] for seat in present}
    between = {seat: {ally for pair in pairs for ally in pair} for seat, pairs in sorted(friends.items()) if pairs}
    return {seat: _chosen(state, seat, allies - between.keys()) for seat, allies in between.items()}


def _chosen(state: State, seat: str, allies: Collection[str]) -> str:
    """The first of some allies that a realm has named as those beside whom it fights; nobody: it has named none."""
    names = {state.realms[ally].name: ally for ally in allies}
    return next((names[name] for name in state.realms[seat].preferences.sides_with if name in names), "")


def allied(state: State, one: str, other: str) -> bool:
    """Whether an alliance holds between two realms."""
    return state.at_pact(one, other, "alliance")


def allied_groups(state: State, facing: Collection[str], beside: Mapping[str, str] = UNTORN) -> list[Side]:
    """Sides: allies together, as long as nobody among them is hostile to another; who has named one of them stands with
    that one (NIP 8.4)."""
    groups: dict[str, Side] = {seat: (seat,) for seat in facing}
    chosen = [(seat, ally) for seat, ally in sorted(beside.items()) if ally]
    for one, other in (*chosen, *combinations(sorted(facing), 2)):
        joined = tuple(sorted({*groups[one], *groups[other]}))
        if allied(state, one, other) and not any(state.hostile(*pair) for pair in combinations(joined, 2)):
            groups.update(dict.fromkeys(joined, joined))
    return sorted(set(groups.values()))


def unclaiming(orders: Mapping[str, BannerOrder], keys: Iterable[str]) -> tuple[str, ...]:
    """The banners whose orders say not to take the section, even if they win (NIP 6.6)."""
    return tuple(key for key in keys if isinstance(order := orders.get(key), Claiming) and order.no_claim)


# --- 8.4 Attacker, defender, scenario -----------------------------------------------------------------------------


@rule("8.4", "Sides, attacker and scenario")
def prepare(turn: Turn[State], at: int, beside: Mapping[str, str]) -> None:
    """Roll off, roll for all battles there may be, and set the first; the mail names the ground."""
    for seat, ally in sorted(beside.items()):
        turn.emit(SidedWith(at, seat, ally) if ally else StoodAside(at, seat))
    sides = turn.state.meetings[at].sides
    first = sorted(side[0] for side in sides)
    turn.emit(AttackRolled(at, rolled_off(first, lambda seat, again: turn.roll(f"attack {seat} {at}{again}"))))
    battles = range(1, sum(map(len, sides)))  # each that is no draw beats a realm: allies may have to fight one by one
    scenarios = [turn.roll(f"scenario {at}" if count == 1 else f"scenario {at} battle {count}") for count in battles]
    turn.emit(ScenarioRolled(at, tuple(scenarios)))
    obstacle(turn, at)
    set_battle(turn, at)


def set_battle(turn: Turn[State], at: int) -> None:
    """Name who fights next, on what ground. It rolls no die: an answer or a result may lead here at once."""
    state, meeting, place = turn.state, turn.state.meetings[at], turn.state.place(at)
    attackers, defenders = next_battle(state, meeting) or ((), ())
    scenario = meeting.scenarios[len(meeting.fought)]
    works = state.sections[at].fortified
    behind = works if works in meeting.banners and state.banners[works].realm in defenders else ""
    ground = (place.terrain, place.river, place.snow, state.site(at), behind)
    title = SCENARIOS[scenario - 1].title
    turn.emit(BattleSet(at, attackers[0], defenders[0], scenario, title, *ground))


def next_battle(state: State, meeting: Meeting) -> tuple[Side, Side] | None:
    """Who fights next, attackers first: the last winner goes on, else the strongest pair. A draw ends it all.

    It hangs on points, which views do not show: views ask for :func:`battle`.
    """
    last = meeting.fought[-1].winners if meeting.fought else ()
    if meeting.fought and not last:
        return None
    pairs = [pair for pair in combinations(strongest_first(state, meeting), 2) if opponents(state, meeting, *pair)]
    pairs.sort(key=lambda pair: not any(last and last[0] in side for side in pair))
    if not pairs:
        return None
    attackers, defenders = sorted(pairs[0], key=lambda side: meeting.initiative.index(side[0]))
    return opponents(state, meeting, attackers, defenders), opponents(state, meeting, defenders, attackers)


def strongest_first(state: State, meeting: Meeting) -> list[Side]:
    """The sides by the points of their banners. Nobody may know this order: it is never stored (NIP 17)."""
    banners = [state.banners[key] for key in meeting.banners]
    points = {side: sum(banner.points for banner in banners if banner.realm in side) for side in meeting.sides}
    return sorted(meeting.sides, key=lambda side: (-points[side], side))


def proceed(turn: Turn[State], at: int) -> None:
    """After terms or a battle: on to the next battle, or the meeting is settled."""
    meeting = turn.state.meetings[at]
    waiting = next_battle(turn.state, meeting)
    if waiting is None:
        turn.emit(MeetingSettled(at, "battle" if meeting.fought else "parley"))
    elif (meeting.next.attacker, meeting.next.defender) != (waiting[0][0], waiting[1][0]):
        with turn.citing("8.4"):
            set_battle(turn, at)
