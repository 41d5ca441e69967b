"""Chapter 7: raze, fortify, recover."""

from collections import defaultdict
from collections.abc import Sequence

from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.control import by_section, foremost
from pbem.rulesets.nippon.events import (
    Claimed,
    Fortified,
    ObstacleRolled,
    OrderVoid,
    RazeAndMoveFree,
    RazeAndMoveHeld,
    Razed,
    Recovered,
    RecoveryFailed,
    RowEnded,
    WorkFailed,
)
from pbem.rulesets.nippon.legality import Refusal, cannot_raze, controllable, orders_in_force
from pbem.rulesets.nippon.orders import Move, Raze
from pbem.rulesets.nippon.state import Banner, State
from pbem.rulesets.nippon.tables import (
    GOES_FROM,
    NEVER_RECOVERS,
    OBSTACLES,
    RAZE_DICE,
    RAZE_PP_PER_PIP,
    RECOVERS_FROM,
    People,
    people,
)

# --- 7.1 Raze -----------------------------------------------------------------------------------------------------


@rule("7.1", "Raze")
def razing(turn: Turn[State]) -> None:
    """Before all movement, sections are laid waste. Each pays once, however many raze it (NIP 20.4)."""
    orders = orders_in_force(turn).items()
    razers = {
        key: order for key, order in orders if isinstance(order, Raze) or (isinstance(order, Move) and order.raze)
    }
    hindered = {key: reason for key in razers if (reason := _hindrance(turn.state, key))}
    for key, refused in hindered.items():  # An enemy came up here, or through a portal.
        banner = turn.state.banners[key]
        event = OrderVoid(key, banner.at, razers[key].deed, refused.reason)
        turn.emit(event, to=frozenset({banner.realm}))
    free = (turn.state.banners[key] for key in razers if key not in hindered)
    for at, banners in sorted(by_section(free).items()):
        raze(turn, at, banners)


def _hindrance(state: State, key: str) -> Refusal | None:
    """Why a banner can no longer raze where it stands."""
    banner = state.banners[key]
    return cannot_raze(state, banner, banner.at)


def raze(turn: Turn[State], at: int, banners: Sequence[Banner]) -> None:
    """Lay a section waste; its controller is paid for it if he does so himself, else the strongest razer."""
    controller = turn.state.sections[at].controller
    paid = controller if any(banner.realm == controller for banner in banners) else foremost(turn, "raze", at, banners)
    first = next(banner.key for banner in banners if banner.realm == paid)
    razer = people(turn.state.realms[paid].army)
    pips = sum(_razed(turn, razer, f"raze {first} {at} {die}") for die in "abc"[:RAZE_DICE])
    turn.emit(Razed(at, tuple(banner.key for banner in banners), paid, controller, pips * RAZE_PP_PER_PIP))


def _razed(turn: Turn[State], razer: People, die: str) -> int:
    """What one die is worth to those who are paid for the razing (NIP 12)."""
    pips = turn.roll(die)
    if pips <= razer.razes_again_up_to:
        pips = turn.roll(f"{die} again")
    return pips + razer.razing


@rule("7.2", "Raze and move")
def raze_and_move(turn: Turn[State]) -> None:
    """Each banner that is to move on after razing rolls whether it is done in time."""
    for key, order in orders_in_force(turn).items():
        if isinstance(order, Move) and order.raze:
            banner = turn.state.banners[key]
            sure = people(turn.state.realms[banner.realm].army).always_in_time
            done = sure or turn.passes(f"raze and move {key}", GOES_FROM)
            event = RazeAndMoveFree if done else RazeAndMoveHeld
            turn.emit(event(key, banner.at))


# --- 7.3 Fortify --------------------------------------------------------------------------------------------------


@rule("7.3", "Fortify")
def fortify(turn: Turn[State]) -> None:
    """After the meetings: who controls his section and has not fought puts up works."""
    for banner in undisturbed(turn, "fortify", turn.state.pending.fortifying):
        section = turn.state.sections[banner.at]
        if section.controller != banner.realm:
            turn.emit(WorkFailed(banner.key, banner.at, "fortify", "no control"))
        elif section.fortified not in ("", banner.key):
            turn.emit(WorkFailed(banner.key, banner.at, "fortify", "fortified already"))
        else:
            turn.emit(Fortified(banner.key, banner.at))


@rule("7.3", "Fortify")
def obstacle(turn: Turn[State], at: int) -> None:
    """At a meeting: a fortified banner that is attacked, or may come to be, raises an obstacle."""
    meeting, works = turn.state.meetings[at], turn.state.sections[at].fortified
    if works in meeting.banners and meeting.initiative[0] not in meeting.side(turn.state.banners[works].realm):
        for number in range(people(turn.state.realms[turn.state.banners[works].realm].army).obstacles):
            die = f"obstacle {works} {at}" + (f" {number + 1}" if number else "")
            turn.emit(ObstacleRolled(at, works, OBSTACLES[turn.roll(die) - 1]))


# --- 7.4 Recover --------------------------------------------------------------------------------------------------


@rule("7.4", "Recover")
def recover(turn: Turn[State]) -> None:
    """After the meetings: each realm that works on a razed section rolls once for it."""
    working: dict[int, dict[str, list[Banner]]] = defaultdict(lambda: defaultdict(list))
    for banner in undisturbed(turn, "recover", turn.state.pending.recovering):
        working[banner.at][banner.realm].append(banner)
    end_rows(turn, working)
    for at, banners in sorted(working.items()):
        earlier = dict(turn.state.sections[at].tries)  # before anybody's success ends all rows
        successful = [
            realm for realm in sorted(banners) if try_recovery(turn, at, banners[realm], bonus=earlier.get(realm, 0))
        ]
        heirs = [realm for realm in successful if controllable(turn.state, realm, at)]
        if heirs:
            settle_in(turn, at, [banner for realm in heirs for banner in banners[realm]])


def end_rows(turn: Turn[State], working: dict[int, dict[str, list[Banner]]]) -> None:
    """Who does not try this turn begins anew."""
    for at, section in sorted(turn.state.sections.items()):
        for realm, _ in section.tries:
            if realm not in working.get(at, ()):
                turn.emit(RowEnded(realm, at))


def try_recovery(turn: Turn[State], at: int, banners: Sequence[Banner], bonus: int) -> bool:
    """Whether the work of a realm's banners bears fruit; earlier tries in a row help, but not against a 1."""
    realm = banners[0].realm
    die = turn.roll(f"recover {realm} {at}")
    success = die > NEVER_RECOVERS and die + bonus >= RECOVERS_FROM
    event = Recovered if success else RecoveryFailed
    turn.emit(event(realm, at, tuple(banner.key for banner in banners), die, bonus))
    return success


def settle_in(turn: Turn[State], at: int, banners: Sequence[Banner]) -> None:
    """The realm that recovered a section controls it; of two the one with more points there (NIP 20.14)."""
    realm = foremost(turn, "claim", at, banners)
    mine = tuple(banner.key for banner in banners if banner.realm == realm)
    turn.emit(Claimed(realm, at, mine, turn.state.sections[at].controller))


# --- 7.5 Work and meetings -----------------------------------------------------------------------------------------


@rule("7.5", "Work and meetings")
def undisturbed(turn: Turn[State], work: str, keys: Sequence[str]) -> list[Banner]:
    """The banners among these, by key, that can do their work: those that have not fought this turn."""
    able = []
    for key in sorted(keys):
        banner = turn.state.banners.get(key)
        if banner is None or banner.scattered:
            continue
        if fought(turn.state, banner):
            turn.emit(WorkFailed(key, banner.at, work, "battle"))
        else:
            able.append(banner)
    return able


def fought(position: State, banner: Banner) -> bool:
    """Whether a banner was in a battle this turn, or stands where there was one."""
    battles = (meeting for meeting in position.meetings.values() if meeting.settled == "battle")
    return banner.at in position.battles or any(banner.key in meeting.banners for meeting in battles)
