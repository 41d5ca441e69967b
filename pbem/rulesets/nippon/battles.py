"""Chapter 8, meetings: who met whom, who attacks, and how it came out. Chapter 8.2 is in ``parley.py``."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Literal

from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.banners import outside
from pbem.rulesets.nippon.events import (
    AttackRolled,
    AutomaticAsked,
    BattleDecided,
    BattleSet,
    DiceOffAsked,
    MeetingOpened,
    MeetingSettled,
    Prepared,
    ResultConfirmed,
    ResultDisputed,
    ResultReported,
    ScenarioRolled,
    SidedWith,
    StoodAside,
)
from pbem.rulesets.nippon.fighting import at_home, residents
from pbem.rulesets.nippon.garrisons import destroy, standing_there
from pbem.rulesets.nippon.legality import orders_of
from pbem.rulesets.nippon.orders import (
    AskAutomatic,
    AskDiceOff,
    BannerOrder,
    Claiming,
    JudgeResult,
    ReportResult,
    UnitLoss,
)
from pbem.rulesets.nippon.razing import obstacle
from pbem.rulesets.nippon.state import RESERVE, Banner, Losses, Meeting, Result, State, Unit, by_corps
from pbem.rulesets.nippon.tables import SCENARIOS
from pbem.rulesets.nippon.ties import rolled_off

Side = tuple[str, ...]
"""Realms that fight together, by seat; named by the first."""


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


# --- 8.4 Attacker, defender, scenario -------------------------------------------------------------------------------


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


def battle(state: State, meeting: Meeting) -> tuple[Side, Side]:
    """The realms in the battle that an open meeting waits for, attackers first."""
    attackers, defenders = meeting.side(meeting.next.attacker), meeting.side(meeting.next.defender)
    if meeting.assault:
        return attackers, defenders
    return opponents(state, meeting, attackers, defenders), opponents(state, meeting, defenders, attackers)


def opponents(state: State, meeting: Meeting, side: Side, foes: Side) -> Side:
    """The realms of a side that have to fight somebody on the other."""
    return tuple(seat for seat in side if any(opposed(state, meeting, seat, foe) for foe in foes))


def opposed(state: State, meeting: Meeting, one: str, other: str) -> bool:
    """Whether two realms at a meeting still have to fight each other: not who just plays the defence (NIP 8.9)."""
    at_peace = meeting.assault or (one, other) in meeting.peace or (other, one) in meeting.peace
    return not at_peace and meeting.beaten.isdisjoint({one, other}) and state.hostile(one, other)


def proceed(turn: Turn[State], at: int) -> None:
    """After terms or a battle: on to the next battle, or the meeting is settled."""
    meeting = turn.state.meetings[at]
    waiting = next_battle(turn.state, meeting)
    if waiting is None:
        turn.emit(MeetingSettled(at, "battle" if meeting.fought else "parley"))
    elif (meeting.next.attacker, meeting.next.defender) != (waiting[0][0], waiting[1][0]):
        with turn.citing("8.4"):
            set_battle(turn, at)


# --- 8.5 Results --------------------------------------------------------------------------------------------------


@rule("8.5", "Results")
def report_results(turn: Turn[State]) -> None:
    """At once, while meetings are open: a side tells how its battle came out, the other side confirms or disputes."""
    for seat, wish in turn.given(AskAutomatic):
        ask_automatic(turn, seat, wish)
    for seat, asking in turn.given(AskDiceOff):
        ask_dice_off(turn, seat, asking)
    for seat, told in turn.given(ReportResult):
        report(turn, seat, told)
    for seat, judged in turn.given(JudgeResult):
        judge(turn, seat, judged)


def ask_automatic(turn: Turn[State], seat: str, wish: AskAutomatic) -> None:
    """Note who wants the next battle to be automatic, or not any more (NIP 8.3)."""
    meeting = meeting_for(turn.state, wish.at, seat)
    changes = meeting and (seat in meeting.next.automatic, seat in meeting.next.dice_off) != (wish.automatic, False)
    if meeting and changes and seat in fighters(turn.state, meeting):
        with turn.citing("8.3"):
            turn.emit(AutomaticAsked(wish.at, seat, wish.automatic), to=privy(meeting))


def ask_dice_off(turn: Turn[State], seat: str, wish: AskDiceOff) -> None:
    """Note who wants to roll off for a battle whose result is disputed."""
    meeting = meeting_for(turn.state, wish.at, seat)
    if meeting is None or meeting.assault or not disputed(turn.state, meeting):
        return
    if seat in set(fighters(turn.state, meeting)) - meeting.next.dice_off:
        turn.emit(DiceOffAsked(wish.at, seat), to=privy(meeting))


def report(turn: Turn[State], seat: str, told: ReportResult) -> None:
    """Put a result to the other side. One that fits theirs confirms or completes it; one that does not disputes it."""
    speaker, seat = seat, voice(turn.state, told.at, seat)
    meeting = meeting_for(turn.state, told.at, seat)
    fighting = fighters(turn.state, meeting) if meeting and not forsaken(turn.state, meeting) else ()
    if meeting is None or seat not in fighting or told.winner not in ("", *fighting):
        return
    deputy = speaker if speaker != seat else ""
    result = read_result(turn.state, meeting, seat, told)
    standing = meeting.next.result if seat in asked(turn.state, meeting) else None
    common = combined(standing, result) if standing else result
    if standing and common == replace(standing, by=seat):
        confirm(turn, told.at, seat, deputy)
        return
    if common is None:
        turn.emit(ResultDisputed(told.at, seat, deputy=deputy), to=privy(meeting))
    turn.emit(ResultReported(told.at, common or result, deputy), to=privy(meeting))


def judge(turn: Turn[State], seat: str, judged: JudgeResult) -> None:
    """The other side says whether it was so."""
    speaker, seat = seat, voice(turn.state, judged.at, seat)
    meeting = meeting_for(turn.state, judged.at, seat)
    if meeting is None or seat not in asked(turn.state, meeting):
        return
    deputy = speaker if speaker != seat else ""
    if judged.confirm:
        confirm(turn, judged.at, seat, deputy)
    else:
        turn.emit(ResultDisputed(judged.at, seat, judged.words, deputy), to=privy(meeting))


def confirm(turn: Turn[State], at: int, seat: str, deputy: str = "") -> None:
    """One more realm agrees, by itself or its deputy; when all who are asked do, the battle is decided."""
    turn.emit(ResultConfirmed(at, seat, deputy), to=privy(turn.state.meetings[at]))
    meeting = turn.state.meetings[at]
    if meeting.next.confirmed.issuperset(asked(turn.state, meeting)):
        decide(turn, at, "confirmed")


def meeting_for(state: State, at: int, seat: str) -> Meeting | None:
    """The open meeting in a section in which a realm still has a part."""
    meeting = state.meetings.get(at)
    if meeting is None or meeting.settled or not meeting.side(seat) or seat in meeting.beaten:
        return None
    return meeting


def fighters(state: State, meeting: Meeting) -> Side:
    """The realms in the battle that waits for its result."""
    attackers, defenders = battle(state, meeting)
    return attackers + defenders


def asked(state: State, meeting: Meeting) -> Side:
    """The realms to whom the reported result is put: the side that did not report it."""
    reported, sides = meeting.next.result, battle(state, meeting)
    return played(state, next((side for side in sides if reported and reported.by not in side), ()))


def played(state: State, seats: Side) -> Side:
    """Those of some realms that somebody plays: nobody else has a say (NIP 13.1)."""
    return tuple(seat for seat in seats if state.realms[seat].in_play)


def forsaken(state: State, meeting: Meeting) -> bool:
    """Whether nobody plays a side of the battle that waits for its result: nobody could confirm one (NIP 13.1)."""
    return not all(played(state, side) for side in battle(state, meeting))


def disputed(state: State, meeting: Meeting) -> bool:
    """Whether somebody who has a say disputes the result that was reported."""
    return bool(meeting.next.result and played(state, tuple(meeting.next.disputed)))


def stands(state: State, meeting: Meeting) -> bool:
    """Whether a result was reported that nobody disputes, though somebody could."""
    return bool(meeting.next.result and not disputed(state, meeting) and asked(state, meeting))


def left_to_dice(state: State, meeting: Meeting) -> bool:
    """Whether the battle that waits is to be automatic: all who have a say want it so, or a side has none; or the
    organizer has ruled so."""
    unheard = forsaken(state, meeting) and not stands(state, meeting) and not meeting.unopposed
    agreed = any(meeting.next.automatic.issuperset(agreeing(state, meeting, seat)) for seat in meeting.next.automatic)
    return meeting.next.ruled or unheard or agreed


def agreeing(state: State, meeting: Meeting, seat: str) -> Side:
    """The realms that have to ask with this one for an automatic battle: all in it, of an assault its own side."""
    return played(state, meeting.side(seat) if meeting.assault else fighters(state, meeting))


def rolled_for(state: State, meeting: Meeting) -> bool:
    """Whether all who have a say want to roll off for the battle that waits."""
    deciding = played(state, fighters(state, meeting))
    return disputed(state, meeting) and not meeting.next.ruled and meeting.next.dice_off.issuperset(deciding)


def unanswered(state: State, meeting: Meeting) -> bool:
    """Whether those who have a say must still agree on a result, or how to decide it: on an assault nobody has to."""
    decided = meeting.assault or left_to_dice(state, meeting) or rolled_for(state, meeting)
    return bool(meeting.next.result) and not decided


def privy(meeting: Meeting) -> frozenset[str]:
    """Who sees what is said about battles here: the realms that meet, and who plays for them (NIP 8.8)."""
    return meeting.concerned


def voice(state: State, at: int, seat: str) -> str:
    """The realm for which a seat speaks of the battle in a section: another's, where it is its deputy (NIP 8.8)."""
    meeting = state.meetings.get(at)
    if meeting is None or meeting.settled or seat in meeting.realms:
        return seat
    realms = meeting.spoken_for(seat)
    fighting = fighters(state, meeting) if realms else ()
    return min(realms, key=lambda realm: (realm not in fighting, realm), default=seat)


def stand_in(state: State, meeting: Meeting, seat: str) -> str:
    """The deputy who plays for a realm; nobody, if there is none or he plays no more himself (NIP 8.8)."""
    deputy = meeting.deputy_of(seat)
    return deputy if deputy and state.realms[deputy].in_play else ""


def unplayed(state: State, meeting: Meeting) -> bool:
    """Whether somebody in the battle that waits cannot play it, and has no deputy (NIP 8.8)."""
    return any(seat in meeting.cannot and not stand_in(state, meeting, seat) for seat in fighters(state, meeting))


def read_result(state: State, meeting: Meeting, by: str, told: ReportResult) -> Result:
    """A result as it was told; the winner's side goes by its first realm."""
    winner = next((side[0] for side in battle(state, meeting) if told.winner in side), "")
    losses, burnt = read_losses(state, meeting, told.losses), standing_there(state, told.at, told.destroyed)
    return Result(by, winner, told.degree, losses, burnt)


def read_losses(state: State, meeting: Meeting, told: Sequence[UnitLoss]) -> Losses:
    """Losses as they were told, by banner; lines about who has no part in it are dropped."""
    there = {(key, unit.name): unit for key, unit in combatants(state, meeting)}
    known = {line.of: line.loss.within(there[line.of], known=False) for line in told if line.of in there}
    return by_corps((corps_of(state, key), known[key, unit]) for key, unit in sorted(known))


def combatants(state: State, meeting: Meeting) -> Iterator[tuple[str, Unit]]:
    """The units in the battle that waits, as a report of its result names them: with the key of their banner.

    Those of a reserve go by the seat of their realm alone, a garrison's by its own word (NIP 8.7).
    """
    for side in battle(state, meeting):
        yield from fielded(state, meeting, side)


def fielded(state: State, meeting: Meeting, side: Side) -> Iterator[tuple[str, Unit]]:
    """The units of one side, as :func:`combatants` has them."""
    banners = [state.banners[key] for key in meeting.banners if state.banners[key].realm in side]
    yield from ((banner.key, unit) for banner in banners for unit in banner.units)
    if at_home(state, meeting.at, side) or (meeting.assault and meeting.next.defender in side):
        holder = state.sections[meeting.at].controller
        yield from ((key or holder, unit) for key, unit in residents(state, meeting.at))


def corps_of(state: State, named: str) -> str:
    """The key in losses of those whom :func:`combatants` names so."""
    return RESERVE if named in state.realms else named


def combined(standing: Result, result: Result) -> Result | None:
    """The later result with all that both tell, if they do not contradict each other in anything."""
    if (standing.winner, standing.degree) != (result.winner, result.degree):
        return None
    one, other = ({(key, loss.unit): loss for key, told in each.losses for loss in told} for each in (standing, result))
    if any(one[of] != other[of] for of in one.keys() & other.keys()):
        return None
    burnt = (Counter(standing.destroyed) | Counter(result.destroyed)).elements()
    losses = by_corps((key, loss) for (key, _), loss in sorted((one | other).items()))
    return replace(result, losses=losses, destroyed=tuple(sorted(burnt)))


Verdict = Literal["confirmed", "undisputed", "unfought", "fought", "dice-off", "ruled"]
"""What decides a battle: a result stands, or there is none and it is a draw; or it is fought automatically, or rolled
off for; or the organizer says so."""


def decide(turn: Turn[State], at: int, why: Verdict) -> None:
    """A battle is over; on with the meeting. An assault comes after all meetings, with a common result or with dice."""
    meeting = turn.state.meetings[at]
    if meeting.assault:
        turn.emit(MeetingSettled(at, "table" if why == "confirmed" else "dice"))
        return
    result = meeting.next.result if why != "unfought" else None
    attackers, defenders = battle(turn.state, meeting)
    winners = next((side for side in (attackers, defenders) if result and result.winner in side), ())
    degree = result.degree if result else ""
    turn.emit(BattleDecided(at, attackers, defenders, winners, degree, why))
    destroy(turn, at, result.destroyed if result else ())
    proceed(turn, at)


def awaited(state: State, meeting: Meeting) -> frozenset[str]:
    """The seats for which an open meeting waits: deputies for their realms, and nobody for who cannot play; but whoever
    cannot play a battle can still judge what is told of it."""
    waiting = {seat: stand_in(state, meeting, seat) for seat in undecided(state, meeting)}
    absent = meeting.cannot if meeting.next.result is None else frozenset()
    return frozenset(deputy or seat for seat, deputy in waiting.items() if deputy or seat not in absent)


def undecided(state: State, meeting: Meeting) -> frozenset[str]:
    """The realms that have to confirm the result of an open meeting, or to come to one; or still to come to terms,
    which they can no more when only disputes are left."""
    if meeting.settled:
        return frozenset()
    fighting = frozenset(fighters(state, meeting))
    met = frozenset(seat for side in meeting.sides for seat in side if foes(state, meeting, seat))
    others = met - fighting if state.stage == "meetings" else frozenset()
    if left_to_dice(state, meeting) or rolled_for(state, meeting):
        return others
    if stands(state, meeting):
        return others | frozenset(asked(state, meeting)) - meeting.next.confirmed
    return others | fighting


def foes(state: State, meeting: Meeting, seat: str) -> Side:
    """The realms that a realm still has to fight at a meeting, by seat."""
    present = sorted(other for side in meeting.sides for other in side)
    return tuple(other for other in present if opposed(state, meeting, seat, other))
