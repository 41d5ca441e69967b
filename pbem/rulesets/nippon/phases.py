"""Chapter 4.1, the order of a turn: what happens when, for each stage."""

from collections.abc import Iterable, Sequence

from pbem.core.ruleset import ORGANIZER, Stage
from pbem.core.turn import Phase, Turn, rule
from pbem.rulesets.nippon.aftermath import choose_retreats, draws, retreats, take_sections
from pbem.rulesets.nippon.assaults import assaults, choose_champions, face_spawns, open_assaults
from pbem.rulesets.nippon.banners import check_after_parley, check_banners, succeed_generals
from pbem.rulesets.nippon.beginning import begin, choose_headquarters, enter, muster, raise_citadels
from pbem.rulesets.nippon.control import claims
from pbem.rulesets.nippon.defence import seek_defence, take_defence
from pbem.rulesets.nippon.disputes import arbitrate, close_battles, to_rule
from pbem.rulesets.nippon.ending import judge_end
from pbem.rulesets.nippon.events import TurnEnded
from pbem.rulesets.nippon.fighting import set_plans
from pbem.rulesets.nippon.fog import draw_fog, unwatched
from pbem.rulesets.nippon.handling import handle_items, old_ones, quaff, scry, sober_up, tell_of_scrying
from pbem.rulesets.nippon.headquarters import headquarters
from pbem.rulesets.nippon.healing import heal
from pbem.rulesets.nippon.honours import count_deeds
from pbem.rulesets.nippon.legality import open_orders, set_out
from pbem.rulesets.nippon.meetings import open_meetings
from pbem.rulesets.nippon.movement import movement, roll_paces
from pbem.rulesets.nippon.parley import begin_pacts, break_pacts, end_pacts, parley
from pbem.rulesets.nippon.portals import portals
from pbem.rulesets.nippon.preferences import set_preferences
from pbem.rulesets.nippon.production import exhaust_mines, production
from pbem.rulesets.nippon.raising import raise_dead
from pbem.rulesets.nippon.rallying import count_losses, rally
from pbem.rulesets.nippon.razing import fortify, raze_and_move, razing, recover
from pbem.rulesets.nippon.regrouping import disperse_reserves, regroup
from pbem.rulesets.nippon.results import report_results
from pbem.rulesets.nippon.scattered import come_home
from pbem.rulesets.nippon.seasons import ballots, count_votes
from pbem.rulesets.nippon.ships.losses import flee, seize, seize_stormed
from pbem.rulesets.nippon.ships.voyages import sail
from pbem.rulesets.nippon.spending import spend
from pbem.rulesets.nippon.spoils import spoils
from pbem.rulesets.nippon.state import State
from pbem.rulesets.nippon.tabletop import arrange, awaited
from pbem.rulesets.nippon.underground import come_up, go_underground
from pbem.rulesets.nippon.withdrawal import come_and_go, disband_withdrawn, void_orders

BEGINNING: tuple[Phase, ...] = (
    choose_headquarters,
    raise_citadels,
    muster,
    begin,
    roll_paces,
)
"""Before the first turn, if the campaign is set up by mail."""

MARCHES: tuple[Phase, ...] = (
    void_orders,
    open_orders,
    set_preferences,  # they hold for all that follows
    spend,  # gifts first, then in the order written
    regroup,  # who marches under which banner
    handle_items,  # by whom they are carried, and what is drunk
    set_out,  # what is impossible means hold
    break_pacts,  # told now, effective next turn
    come_up,  # then nobody acts before them
    portals,  # judged on what is ordered, before any die of moves
    go_underground,  # they leave no works to raze
    razing,  # before anybody moves
    raze_and_move,  # who is done in time moves with the others
    sail,  # before banners step: who lands steps from the ship
    movement,  # step by step, the scattered too
    come_home,  # before anybody is met
    check_banners,  # before claims: who scatters now claims nothing
    succeed_generals,
    claims,
    seize,  # a port that was taken falls with its ships
)
"""From the opening of the orders to the last claim."""

EXECUTION: tuple[Phase, ...] = (
    *map(unwatched, MARCHES),
    open_meetings,
    open_assaults,
    choose_champions,
    choose_retreats,
    set_plans,
    seek_defence,  # unless somebody goes alone
)
"""From the opening of the orders to the movement report."""

AFTER_MEETINGS: tuple[Phase, ...] = (
    check_after_parley,  # before assaults: who has given too much away storms nothing
    unwatched(face_spawns),  # whoever has lost to his own assaults nobody
    assaults,  # the winners of meetings among them
    spoils,  # of garrisons, too, before their sites change hands; what is taken stays taken, whoever is healed
    take_sections,  # before retreats: nobody flees into what was lost in the same turn
    seize_stormed,  # with the port, whatever was agreed elsewhere
    begin_pacts,  # from the end of the battles
    seize,  # who cedes a port for a pact keeps his ships
    draws,
    unwatched(retreats),  # all together
    unwatched(flee),  # the same at sea
)
"""From the first assault to the last retreat: at once where nobody has met."""

BATTLES: tuple[Phase, ...] = (
    void_orders,
    set_preferences,
    choose_champions,
    choose_retreats,
    set_plans,
    break_pacts,
    close_battles,  # all but what is not agreed
)
"""What comes at the deadline for battles, and at that for disputes."""

RESOURCES: tuple[Phase, ...] = (
    old_ones,
    disperse_reserves,  # of sites that were lost: nobody there is healed, and others may come to stand there
    heal,  # every turn: old wounds too
    raise_dead,  # none but who is dead for good
    rally,
    count_losses,
    check_banners,
    succeed_generals,
    fortify,  # these two waited for the end of the meetings
    unwatched(recover),  # what is recovered pays already
    disperse_reserves,  # also where a razed site has found a new master
    sober_up,
    production,
    exhaust_mines,
    end_pacts,
    disband_withdrawn,
    headquarters,  # who is without when the next turn begins
    tell_of_scrying,
)
"""What every turn ends with."""


ACTS: tuple[Phase, ...] = (
    void_orders,  # of realms that nobody plays
    enter,  # whoever takes a free seat in a campaign that is set up
    come_and_go,  # before its meetings are talked of: nobody waits for a realm that has withdrawn
    scry,  # into banners as they are before anything changes hands
    parley,  # offers and answers; who comes to terms has nothing to report
    quaff,  # before the battle is told of
    arrange,  # dates and deputies: results are told by who plays
    take_defence,  # then the assault has a side that can answer
    report_results,  # and verdicts on them
    arbitrate,  # what players still dispute
    ballots,  # proposals and votes
    count_deeds,  # of all that
)
"""What acts at once. No dice are rolled in it: parleys, results and rulings while meetings are open; some of it at any
stage."""


def phases(state: State) -> Sequence[Phase]:
    """The sequence of play that resolves the stage a campaign is in."""
    sequences: dict[str, tuple[Phase, ...]] = {
        "set-up": BEGINNING,
        "orders": (*EXECUTION, go_on_unless_met),
        "meetings": (*BATTLES, go_on_unless_met),
        "disputes": (*BATTLES, go_on_unless_met),
    }
    return (*sequences.get(state.stage, ()), count_deeds, draw_fog(state))


@rule("4.1", "The order of a turn")
def go_on_unless_met(turn: Turn[State]) -> None:
    """If nobody met, or all is settled, the turn goes on at once; else it waits for parley and battle, or for the
    result of a battle to be agreed."""
    if all(meeting.settled for meeting in turn.state.meetings.values()):
        for phase in AFTER_MEETINGS:
            phase(turn)
        end_turn(turn)


@rule("4.1", "The order of a turn")
def end_turn(turn: Turn[State]) -> None:
    """Resources, then the next turn, unless the campaign is over."""
    for phase in (*RESOURCES, judge_end):
        phase(turn)
    if turn.state.stage != "over":
        count_votes(turn)  # what is adopted holds from the next turn on
        turn.emit(TurnEnded(turn.state.turn))
        roll_paces(turn)


# --- 18 Stages ----------------------------------------------------------------------------------------------------


def stage(state: State) -> Stage:
    """What the campaign waits for."""
    if state.stage == "set-up":
        return Stage("set-up", state.turn, "Set-up", awaiting(state))
    name = "the end" if state.stage == "over" else state.stage
    once_more = " once more" if state.stage == "disputes" and state.reopened else ""
    return Stage(state.stage, state.turn, f"Turn {state.turn}, {name}{once_more}", awaiting(state))


def awaiting(state: State) -> frozenset[str]:
    """The realms without which a stage should not end early: who has a banner to command, or a meeting to settle; and
    the organizer, where only disputes are left that he may settle."""
    settling = [seat for meeting in state.meetings.values() for seat in awaited(state, meeting)]
    concerned: dict[str, Iterable[str]] = {
        "set-up": state.realms,
        "orders": (seat for seat in state.realms if leads(state, seat)),
        "meetings": settling,
        "disputes": settling,
    }
    ruling = {ORGANIZER} if state.stage == "disputes" and to_rule(state) else set()
    return frozenset(seat for seat in concerned.get(state.stage, ()) if state.realms[seat].in_play) | ruling


def leads(state: State, seat: str) -> bool:
    """Whether a realm has a ship, or a banner that obeys orders, if only as to where it comes up."""
    below = any(tunnel.up > state.turn for tunnel in state.tunnels_of(seat))
    return below or bool(state.ships_of(seat)) or any(not banner.scattered for banner in state.banners_of(seat))
