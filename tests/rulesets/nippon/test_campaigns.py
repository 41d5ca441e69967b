"""Robots play whole campaigns as players would by mail, to each of the three ends; odd players play some more.

What must hold in all of them, whatever happens, stands here; what holds of odd players' cards, in
``test_odd_players.py``.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import get_args

import pytest

from pbem.core.turn import Entry, resolve
from pbem.rulesets.nippon import NIPPON
from pbem.rulesets.nippon.atlas import FORTRESSES
from pbem.rulesets.nippon.events import EVENTS
from pbem.rulesets.nippon.orders import Order
from pbem.rulesets.nippon.state import State, Unit
from tests.playing import Stage
from tests.rulesets.nippon.campaigns import GAMES, ODD, PEOPLES, ROBOTS, campaign
from tests.test_cases import cases

robots = pytest.mark.parametrize("name", ROBOTS)
everybody = pytest.mark.parametrize("name", ROBOTS | ODD)

FEW = 16
"""Stages of a campaign that are looked at where it takes long."""


def some(stages: Sequence[Stage]) -> Sequence[Stage]:
    """Few stages from all over a campaign."""
    return stages[:: -(-len(stages) // FEW)]


# --- how campaigns end --------------------------------------------------------------------------------------------


def test_a_campaign_of_eight_realms_ends_with_its_last_turn():
    """Twenty turns, from the choice of headquarters on, every people and every army list among the realms."""
    last = campaign("eight realms")[-1].after
    assert (last.turn, last.ending) == (20, "Turn 20 was the last.")
    assert {realm.army for realm in last.realms.values()} == {*PEOPLES}


def test_a_campaign_ends_when_one_realm_is_left():
    games = (campaign("to the last realm", game)[-1].after for game in range(1, GAMES + 1))
    last = next(state for state in games if state.ending.endswith("left."))
    (left,) = (realm for realm in last.realms.values() if realm.status == "active")
    assert last.ending == f"{left.name} is the only realm left."
    assert last.ranking[0] == (left.seat,)


def test_a_campaign_ends_when_one_realm_rules_the_land():
    last = campaign("for the land")[-1].after
    (winner,) = last.ranking[0]
    assert last.ending.startswith(f"{last.realms[winner].name} controls {len(last.held_by(winner))} of ")


# --- what robots write --------------------------------------------------------------------------------------------


@robots
def test_no_line_of_a_robot_is_in_vain(name):
    """Each is understood, and what it orders is legal."""
    for stage in campaign(name):
        assert [(sheet.faults, sheet.ignored) for sheet in stage.sheets if sheet.faults or sheet.ignored] == []
        assert [check.faults for _, check in stage.checks if check.faults] == []


# --- the same again -----------------------------------------------------------------------------------------------


@everybody
def test_a_stage_comes_out_the_same_again(name):
    """From what is stored of it, and its dice: position, events and dice, to the byte; and every die is told."""
    dump, load = NIPPON.codec.dump, NIPPON.codec.load
    for stage in some(campaign(name)):
        opened, orders = load(dump(stage.opened)), {seat: load(dump(given)) for seat, given in stage.orders.items()}
        dice = stage.table.dice(stage.name)
        again = resolve(NIPPON.phases(opened), opened, orders, dice)
        assert dump(again.state) == dump(stage.after)
        assert again.log == stage.resolution.log
        told = {roll.label for entry in again.log for roll in entry.rolls}
        assert {label for label, _ in dice.rolled} <= told


# --- what must always hold of a position --------------------------------------------------------------------------


@everybody
def test_no_position_is_nonsense(name):
    for stage in campaign(name):
        assert [*nonsense(stage.opened), *nonsense(stage.after)] == []


def nonsense(state: State) -> Iterator[str]:
    """Everything in a position that cannot be."""
    yield from _odd_realms(state)
    yield from _odd_banners(state)
    yield from _odd_sections(state)
    for key, ship in state.ships.items():
        if not state.place(ship.at).ocean and not state.port(ship.at):
            yield f"{key} lies in {ship.at}, on land"


def _odd_realms(state: State) -> Iterator[str]:
    for seat, realm in state.realms.items():
        names = Counter(unit.name for unit in army(state, seat))
        yield from (f"{seat} has {times} units called {name}" for name, times in names.items() if times > 1)
        if realm.treasury < 0:
            yield f"{seat} owes {-realm.treasury}"
        if realm.status == "eliminated" and (names or state.held_by(seat) or state.ships_of(seat)):
            yield f"{seat} is eliminated, and there"


def _odd_banners(state: State) -> Iterator[str]:
    for banner in (banner for seat in state.realms for banner in state.all_of(seat)):
        if banner.at not in state.sections:
            yield f"{banner.key} is nowhere"
        if not banner.units:
            yield f"nobody marches under {banner.key}"
        if banner.aboard and state.ships[banner.aboard].at != banner.at:
            yield f"{banner.key} swims behind {banner.aboard}"
        yield from (f"{banner.key} has an odd {unit}" for unit in banner.units if _odd(unit))
    yield from (f"{key} is on the map and under it" for key in state.tunnels.keys() & state.banners.keys())


def _odd(unit: Unit) -> bool:
    """Whether there is less than nothing of it, or nobody."""
    points = (unit.points, unit.champion, unit.musician, unit.standard, unit.wounds, *vars(unit.profile).values())
    return unit.models < 1 or min(points) < 0


def _odd_sections(state: State) -> Iterator[str]:
    for at, section in state.sections.items():
        lost = section.controller not in ("", section.quartered) and state.stage == "orders"
        if section.reserve and (section.site not in FORTRESSES or lost):
            yield f"{section.quartered} has a reserve in {at}, {section.site or 'no site'} of {section.controller}"
        if section.razed and section.controller:
            yield f"{section.controller} controls {at}, which is razed"
        if section.fortified and section.fortified not in {banner.key for banner in state.banners_at(at)}:
            yield f"{section.fortified} has works in {at}, but is not there"


def army(state: State, seat: str) -> list[Unit]:
    """All units of a realm, on the map, under it, and in reserve."""
    marching = [unit for banner in state.all_of(seat) for unit in banner.units]
    reserves = (each for each in state.sections.values() if each.quartered == seat)
    return marching + [unit for section in reserves for unit in section.reserve]


# --- what must always hold of events ------------------------------------------------------------------------------

MORE = {
    "BannerMustered",
    "BodySearched",
    "CreaturesJoined",
    "DeadRaised",
    "ItemBought",
    "ItemCeded",
    "Recruited",
    "Reinforced",
    "StandardBought",
}
"""The events by which an army comes to be worth more."""

LESS = {
    "AssaultDecided",  # what reserves lost; so too the next
    "BattleDecided",
    "BodySearched",
    "ChaosTested",
    "CharacterDied",
    "Destroyed",
    "Disbanded",
    "FallenTested",
    "FledTested",
    "ItemCeded",
    "ItemSold",
    "LostUnderground",
    "MachinesTested",
    "ModelsLost",
    "OldOnesTested",
    "RealmDisbanded",
    "ReserveDispersed",
    "SpawnArose",
    "StandardLost",
    "SteedTested",
    "WipedOut",
    "WoundsTested",
}
"""Those by which it comes to be worth less."""


@everybody
def test_nothing_comes_from_nowhere_and_nothing_goes_without_a_word(name):
    """Points of armies change by events that say so, and treasuries by the sum that is told."""
    for stage in campaign(name):
        state = stage.before.copy()
        before = worth(state)
        for entry in stage.log:
            entry.event.apply(state)
            after = worth(state)
            assert [*_unsaid(entry, before, after)] == []
            before = after


def worth(state: State) -> dict[str, tuple[int, int]]:
    """For each realm, the points of its army and what is in its treasury."""
    return {
        seat: (sum(unit.worth for unit in army(state, seat)), realm.treasury) for seat, realm in state.realms.items()
    }


def _unsaid(entry: Entry, before: Mapping[str, tuple[int, int]], after: Mapping[str, tuple[int, int]]) -> Iterator[str]:
    kind = type(entry.event).__name__
    for seat, (points, treasury) in before.items():
        more, pp = after[seat][0] - points, after[seat][1] - treasury
        if (more > 0 and kind not in MORE) or (more < 0 and kind not in LESS):
            yield f"{seat} {more:+} points by {entry.event}"
        if pp and abs(pp) != getattr(entry.event, "pp", 0):
            yield f"{seat} {pp:+} pp by {entry.event}"


# --- everything happens -------------------------------------------------------------------------------------------

SELDOM = {
    "several realms have to want the same at the same time": (
        "BidsCompared",
        "DiceOffRolled",
        "LossesAgreed",
        "NextBattleAwaited",
        "ResultLapsed",
        "ResultVoided",
        "PointsTied",
        "SidedWith",
        "StoodAside",
    ),
    "what was legal has to be spoilt by others before the turn": (
        "HandlingFailed",
        "MarchRazeFailed",
        "OrderVoid",
        "RegroupingFailed",
        "RosterRefused",
        "SpendingFailed",
        "TermsFailed",
        "WorkFailed",
    ),
    "it takes an offer with a price, and somebody who likes it": ("SectionCeded", "TermsPaid"),
    "fleets are small, and the sea is wide": (
        "PortFull",
        "ShipBattered",
        "ShipFled",
        "ShipFoundered",
        "ShipIntercepted",
        "ShipLost",
        "ShipTaken",
        "WentAshore",
    ),
    "heroism takes two sixes, and then banners that join": ("Heroic", "HeroismFaded", "HeroismKept"),
    "it hangs on few dice that come one way": (
        "BodySearched",
        "CharacterDied",
        "Destroyed",
        "LostUnderground",
        "MarchTired",
        "Mutinied",
        "PassedInTheNight",
        "RazeAndMoveHeld",
        "StuckInForest",
        "TurnedBack",
        "WipedOut",
    ),
    "two have to play the same game, and to agree": ("AssaultPlayed",),
    "it takes works that are attacked, or fog in the right place": ("ObstacleRolled", "Sighted"),
    "treasures are rare, and few know what to do with them": (
        "ItemHandedOver",
        "ItemSold",
        "OldOnesTested",
        "PortalKept",
        "Portalled",
    ),
    "the organizer lets it happen": (
        "RealmDisbanded",
        "RealmEntered",
        "RealmReadmitted",
        "RealmWithdrawn",
        "ResultRuled",
    ),
    "few realms are beaten for good in so few turns": ("HeadquartersRegained", "RealmEliminated"),
}
"""The events that these campaigns may do without, and why. All others they have to come to."""

EXCUSED = {name for names in SELDOM.values() for name in names}

HOSTS = {"RealmEntered"}
"""What only the host brings about, and no line of a case: ``tests/service/test_joining.py``."""

EXPECTS = re.compile(r"event (?:[\d.]+ )?(?P<kind>[A-Z]\w+)")
"""The line of a case that expects an event."""


def test_everything_that_can_happen_happens():
    """What is no matter of luck, or of somebody's plan, comes about when robots and odd players play.

    If it does not any more, see first whether robots have lost the use of it.
    """
    missing = {event.__name__ for event in EVENTS} - EXCUSED
    for stage in stages():
        missing -= {type(entry.event).__name__ for entry in stage.log}
        if not missing:
            return
    assert missing == set()


def test_what_is_excused_is_an_event():
    assert {event.__name__ for event in EVENTS} >= EXCUSED


def test_what_is_excused_comes_in_a_rule_case():
    found = (EXPECTS.match(line.text) for case in cases("nippon") for line in case.lines)
    assert EXCUSED - HOSTS - {line["kind"] for line in found if line} == set()


def test_everything_that_can_be_ordered_is_ordered():
    """By robots or by odd players."""
    missing = {*get_args(Order)}
    for stage in stages():
        missing -= {type(order) for order in ordered(stage)}
        if not missing:
            return
    assert missing == set()


def stages() -> Iterator[Stage]:
    """The stages of all campaigns, played when their turn comes; of robots' campaigns one game is enough."""
    for game in range(1, GAMES + 1):
        for name in ROBOTS | ODD if game == 1 else ODD:
            yield from campaign(name, game)


def ordered(stage: Stage) -> Iterator[Order]:
    """All orders of a stage."""
    return (each.order for seat in stage.table.seats for each in stage.said(seat))
