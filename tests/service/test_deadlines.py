"""Deadline rules are wall-clock rules of the campaign's zone, one instant each."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.service.stages.deadlines import NOTICE, duration, next_deadline


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("2d", timedelta(days=2)),
        ("36h", timedelta(hours=36)),
        ("1d 12h", timedelta(hours=36)),
        ("1.5h", timedelta(minutes=90)),
        ("1w", timedelta(days=7)),
        ("10s", timedelta(seconds=10)),
        ("1d12h", timedelta(hours=36)),
        ("2 days", timedelta(days=2)),
        ("Two Days", timedelta(days=2)),
        ("a week", timedelta(days=7)),
        ("1 day, 12 hours", timedelta(hours=36)),
        ("1 day and 90 min", timedelta(days=1, minutes=90)),
    ],
)
def test_duration_reads_numbers_with_units(text: str, span: timedelta) -> None:
    assert duration(text) == span


@pytest.mark.parametrize(
    "text", ["", "2", "d2", "days", "2 dogs", "2 days and", "2d,", "2d!", "-2d", "0d", "400d", "9999999999999w"]
)
def test_duration_refuses_anything_else(text: str) -> None:
    with pytest.raises(ValueError, match="write for example 2d"):
        duration(text)


@pytest.mark.parametrize(
    ("rule", "opened", "zone", "deadline"),
    [
        # A Monday to the Sunday after it; the zone is an hour ahead in winter, two in summer.
        ("weekly Sun 20:00", "2026-01-05T08:00", "Europe/Berlin", "2026-01-11T19:00"),
        ("weekly Sun 20:00", "2026-07-06T08:00", "Europe/Berlin", "2026-07-12T18:00"),
        # Too near: the next week's.
        ("weekly Sun 20:00", "2026-01-11T10:00", "Europe/Berlin", "2026-01-18T19:00"),
        ("weekly Tue Fri 20:00", "2026-01-05T08:00", "UTC", "2026-01-06T20:00"),
        ("weekly Tue, Fri 20:00", "2026-01-06T10:00", "UTC", "2026-01-09T20:00"),
        ("daily 20:00", "2026-01-05T08:01", "UTC", "2026-01-06T20:00"),
        # Opened by the deadline of the day before, or an hour nearer by the clock change.
        ("daily 20:00", "2026-01-05T20:00:03", "UTC", "2026-01-06T20:00"),
        ("daily 20:00", "2026-03-28T19:00:03", "Europe/Berlin", "2026-03-29T18:00"),
        ("after 3d", "2026-01-05T08:00", "UTC", "2026-01-08T08:00"),
        ("after 10s", "2026-01-05T08:00", "UTC", "2026-01-05T08:00:10"),
        ("after 3d at 20:00", "2026-01-05T08:00", "Europe/Berlin", "2026-01-08T19:00"),
        ("after 3 days at 20:00", "2026-01-05T08:00", "Europe/Berlin", "2026-01-08T19:00"),
        # A wall clock that skips the hour: the deadline still comes that night, an hour later on the clock.
        ("weekly Sun 02:30", "2026-03-27T00:00", "Europe/Berlin", "2026-03-29T01:30"),
        # A wall clock that shows the hour twice: the first one.
        ("weekly Sun 02:30", "2026-10-23T00:00", "Europe/Berlin", "2026-10-25T00:30"),
        # Midnight rules do not lose the day after the change.
        ("daily 00:00", "2026-03-28T12:00", "Europe/Berlin", "2026-03-29T22:00"),
    ],
)
def test_next_deadline_is_the_first_moment_of_the_rule(rule: str, opened: str, zone: str, deadline: str) -> None:
    assert next_deadline(rule, utc(opened), zone) == utc(deadline)


@pytest.mark.parametrize("rule", ["", "weekly", "weekly Sun", "weekly Son 20:00", "after", "every 7d", "after 3 moons"])
def test_a_rule_that_is_none_is_refused_with_examples(rule: str) -> None:
    with pytest.raises(ValueError, match="write"):
        next_deadline(rule, utc("2026-01-05T08:00"), "UTC")


@given(
    opened=st.datetimes(min_value=datetime(2020, 1, 1), max_value=datetime(2040, 1, 1)),
    zone=st.sampled_from(["UTC", "Europe/Berlin", "America/Los_Angeles", "Australia/Lord_Howe", "Asia/Kathmandu"]),
    rule=st.sampled_from(["weekly Sun 02:30", "daily 00:00", "weekly Tue Fri 20:00"]),
)
def test_a_clocked_deadline_leaves_notice_and_comes_within_a_week_of_it(opened: datetime, zone: str, rule: str) -> None:
    start = opened.replace(tzinfo=UTC)
    left = next_deadline(rule, start, zone) - start
    assert NOTICE <= left <= NOTICE + timedelta(days=7, hours=2)
