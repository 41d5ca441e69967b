from dataclasses import replace

import pytest

from pbem.core.dice import Dice
from pbem.service.incoming.robots import play_robots
from tests.service.conftest import Club
from tests.toy import TOY


def leave_to_robot(club: Club) -> str:
    """Let a robot play the seat whose card is awaited; which."""
    mover = club.mover()
    with club.host.unit() as unit:
        seats = unit.campaigns.seats(unit.campaigns.all()[0])
        seat = next(seat for seat in seats if mover in unit.campaigns.addresses(seat))
        seat.robot = True
        unit.commit()
        return seat.code


def test_a_robot_that_keeps_to_its_card_is_asked_once_about_each_step(
    club: Club, caplog: pytest.LogCaptureFixture
) -> None:
    stubborn = replace(TOY, robot=lambda view, dice: TOY.robot(view, Dice(b"always the same")))
    host = replace(club.host, rulesets={"toy": stubborn})
    leave_to_robot(club)
    assert [play_robots(host), play_robots(host)] == [1, 0]
    club.clock.go(minutes=1)
    club.write(club.other(), "taunt Hurry!")
    assert [play_robots(host), play_robots(host)] == [1, 0]
    assert caplog.records == []


def test_a_robot_that_changes_its_mind_leaves_nothing_of_what_it_ordered_before(club: Club) -> None:
    seat = leave_to_robot(club)
    cards = iter((lambda view: f"lay {view.position.hands[seat][0]}", lambda view: "taunt Wait!"))
    host = replace(club.host, rulesets={"toy": replace(TOY, robot=lambda view, dice: next(cards)(view))})
    play_robots(host)
    (lay, _) = club.filed(seat)
    assert lay.startswith("lay ")
    club.clock.go(minutes=1)
    club.write(club.other(), "taunt Hurry!")
    play_robots(host)
    assert club.filed(seat) == ["FINAL"]
