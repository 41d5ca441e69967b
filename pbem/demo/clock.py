"""A clock that runs like any other, and leaps when told to."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

CLOSING = time(20, 0)
DAYS_AGO = 3
"""The meetings after the last orders take two days."""


class LeapingClock:
    """The time of the demo."""

    def __init__(self, start: datetime) -> None:
        self._ahead = start - datetime.now(UTC)

    def __call__(self) -> datetime:
        """The demo's time, aware UTC."""
        return datetime.now(UTC) + self._ahead

    def leap(self, moment: datetime) -> None:
        """Go on from ``moment``, if that is not past."""
        self._ahead += max(moment - self(), timedelta())


def closing_day(now: datetime, zone: str) -> date:
    """The day on which the orders of the last turn close: what follows is past, and the next turn has days to go."""
    return now.astimezone(ZoneInfo(zone)).date() - timedelta(days=DAYS_AGO)


def beginning(last: date, weeks: int, zone: str) -> datetime:
    """A minute past closing time, so many weeks before the day ``last``; UTC."""
    day = last - timedelta(weeks=weeks)
    return datetime.combine(day, CLOSING, tzinfo=ZoneInfo(zone)).astimezone(UTC) + timedelta(minutes=1)
