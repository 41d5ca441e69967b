from dataclasses import replace

import pytest

from pbem.core.dice import Dice
from pbem.service.incoming.robots import play_robots
from tests.service.conftest import Club
from tests.toy import TOY


def test_a_robot_that_keeps_to_its_card_is_asked_once_about_each_step(
    club: Club, caplog: pytest.LogCaptureFixture
) -> None:
    stubborn = replace(TOY, robot=lambda view, dice: TOY.robot(view, Dice(b"always the same")))
    host = replace(club.host, rulesets={"toy": stubborn})
    mover = club.mover()
    with host.unit() as unit:
        seats = unit.campaigns.seats(unit.campaigns.all()[0])
        next(seat for seat in seats if mover in unit.campaigns.addresses(seat)).robot = True
        unit.commit()
    assert [play_robots(host), play_robots(host)] == [1, 0]
    club.clock.go(minutes=1)
    club.write(club.other(), "taunt Hurry!")
    assert [play_robots(host), play_robots(host)] == [1, 0]
    assert caplog.records == []
