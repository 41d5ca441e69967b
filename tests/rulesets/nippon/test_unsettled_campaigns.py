"""Campaigns of players who settle nothing run to their end all the same, each turn in its stages (NIP 8.3, 8.5)."""

from collections import Counter
from collections.abc import Callable
from functools import cache

import pytest

from pbem.core.dice import Dice
from pbem.rulesets.nippon.agenda import open_meetings, results_to_judge
from pbem.rulesets.nippon.events import BattleDecided, DisputeOpened
from pbem.rulesets.nippon.robot import robot
from pbem.rulesets.nippon.view import View
from tests.playing import Stage, play
from tests.rulesets.nippon.campaigns import PEOPLES, WHOLE, table

TURNS = 6


def silent(view: View, dice: Dice) -> str:
    """He marches like a robot, and says nothing where he meets somebody."""
    return robot(view, dice) if view.position.stage == "orders" else ""


def quarrelsome(view: View, dice: Dice) -> str:
    """He has won every battle, and disputes whatever others report."""
    if view.position.stage == "orders":
        return robot(view, dice)
    judging = results_to_judge(view)
    won = [each.at for each in open_meetings(view) if each.next.result is None]
    disputed = [f'dispute {each.at} "I have won"' for each in judging]
    return "\n".join([*(f"result {at}: {view.realm(view.seat or '')} massacre" for at in won), *disputed])


def tardy(view: View, dice: Dice) -> str:
    """He has won every battle, and disputes whatever others report, but not before only disputes are left."""
    if view.position.stage == "disputes":
        return "\n".join(f'dispute {each.at} "I have won"' for each in results_to_judge(view))
    won = [each.at for each in open_meetings(view) if each.next.result is None]
    reported = "\n".join(f"result {at}: {view.realm(view.seat or '')} massacre" for at in won)
    return robot(view, dice) if view.position.stage == "orders" else reported


@cache
def campaign(player: Callable[[View, Dice], str], disputes: str = "players") -> tuple[Stage, ...]:
    """Four realms in a valley, who may play assaults on its sites on the table."""
    options = {"map": "duel", "end_turn": TURNS, "disputes": disputes, "site_battles": "table"}
    seats = table(PEOPLES[:4], player=player, **options)
    return tuple(play(seats, WHOLE))


CAMPAIGNS = [(silent, "players"), (quarrelsome, "players"), (quarrelsome, "organizer")]


@pytest.mark.parametrize(("player", "disputes"), [*CAMPAIGNS, (tardy, "organizer")])
def test_it_comes_to_its_end_on_schedule(player, disputes):
    """No turn has more than one stage of each kind, but for a second one for disputes, and the last is the one that was
    set."""
    stages = campaign(player, disputes)
    kinds = Counter((stage.before.turn, stage.before.stage) for stage in stages)
    assert all(times <= 1 + (kind == "disputes" and player is tardy) for (_, kind), times in kinds.items())
    assert [stage.before.turn for stage in stages if stage.before.stage == "orders"] == [*range(1, TURNS + 1)]
    assert stages[-1].after.stage == "over"


@pytest.mark.parametrize(("player", "disputes"), CAMPAIGNS)
def test_three_sides_meet_in_it_and_a_site_is_assaulted_of_which_nobody_takes_the_defence(player, disputes):
    """The stages wait for these, too."""
    meetings = [meeting for each in campaign(player, disputes) for meeting in each.before.meetings.values()]
    assert any(len(meeting.sides) > 2 for meeting in meetings)
    assert any(meeting.unopposed for meeting in meetings)


def decided(player: Callable[[View, Dice], str], disputes: str = "players") -> Counter[str]:
    """How its battles were decided."""
    stages = campaign(player, disputes)
    return Counter(entry.event.why for each in stages for entry in each.log if isinstance(entry.event, BattleDecided))


def test_what_nobody_reports_is_fought_automatically_and_waits_for_nobody():
    assert decided(silent).keys() == {"fought"}
    assert not any(isinstance(entry.event, DisputeOpened) for each in campaign(silent) for entry in each.log)


def test_what_is_disputed_late_gets_a_second_stage_and_is_fought_automatically():
    stages = campaign(tardy, "organizer")
    assert any(each.before.stage == "disputes" and each.before.reopened for each in stages)
    assert "fought" in decided(tardy, "organizer")


@pytest.mark.parametrize("disputes", ["players", "organizer"])
def test_what_is_disputed_to_the_end_is_fought_automatically(disputes):
    assert decided(quarrelsome, disputes).keys() == {"fought"}
    kinds = {each.before.stage for each in campaign(quarrelsome, disputes)}
    assert kinds == {"orders", "meetings", "disputes"}
