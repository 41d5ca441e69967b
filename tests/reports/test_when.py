"""Times on the reader's clock."""

from datetime import UTC, datetime, timedelta

import pytest

from pbem.reports.when import moment, until

NOON = datetime(2026, 5, 17, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("when", "zone", "told"),
    [
        (NOON, "Europe/Berlin", "Sun 17 May, 14:00 Europe/Berlin (12:00 UTC)"),
        (NOON, "UTC", "Sun 17 May, 12:00 UTC"),
        (NOON, "Pacific/Auckland", "Mon 18 May, 00:00 Pacific/Auckland (Sun 17 May, 12:00 UTC)"),
        (datetime(2026, 10, 25, 0, 30, tzinfo=UTC), "Europe/Berlin", "Sun 25 Oct, 02:30 Europe/Berlin (00:30 UTC)"),
        (datetime(2026, 10, 25, 1, 30, tzinfo=UTC), "Europe/Berlin", "Sun 25 Oct, 02:30 Europe/Berlin (01:30 UTC)"),
    ],
)
def test_moment_names_the_zone_and_utc(when: datetime, zone: str, told: str) -> None:
    assert moment(when, zone) == told


@pytest.mark.parametrize(
    ("left", "told"),
    [
        (timedelta(days=6, hours=23, minutes=59), "in 7 days"),
        (timedelta(days=5, hours=11), "in 5 days"),
        (timedelta(days=3), "in 3 days"),
        (timedelta(days=2, hours=5), "in 2 days 5 hours"),
        (timedelta(days=1, hours=7, minutes=59), "in 1 day 7 hours"),
        (timedelta(days=1, minutes=20), "in 1 day"),
        (timedelta(hours=3, minutes=20), "in 3 hours 20 minutes"),
        (timedelta(hours=3), "in 3 hours"),
        (timedelta(minutes=1), "in 1 minute"),
        (timedelta(seconds=59), "now"),
        (timedelta(0), "now"),
        (timedelta(hours=-26), "1 day 2 hours ago"),
        (timedelta(seconds=-20), "a moment ago"),
    ],
)
def test_until_tells_the_two_largest_units(left: timedelta, told: str) -> None:
    assert until(NOON, NOON + left) == told
