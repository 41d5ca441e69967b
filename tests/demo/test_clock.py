from datetime import UTC, datetime, timedelta

import pytest

from pbem.demo.clock import beginning, closing_day
from pbem.service.stages.deadlines import DAYS, next_deadline

ZONE = "Europe/Berlin"
TURNS = 4
WEEK = [datetime(2026, 10, 20, tzinfo=UTC) + timedelta(hours=hours) for hours in range(0, 14 * 24, 7)]
"""Moments of two weeks, in which summer time ends."""


@pytest.mark.parametrize("now", WEEK)
def test_all_of_the_demo_is_past_and_its_next_turn_is_not(now: datetime) -> None:
    last = closing_day(now, ZONE)
    rule = f"weekly {DAYS[last.weekday()]} 20:00"
    deadline = beginning(last, TURNS, ZONE)
    for _ in range(TURNS):
        deadline = next_deadline(rule, deadline, ZONE)
        meetings = next_deadline("after 1d at 20:00", deadline + timedelta(seconds=2), ZONE)
    assert meetings < now
    assert next_deadline(rule, meetings, ZONE) > now + timedelta(days=3)
