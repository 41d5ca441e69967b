"""A clock that runs like any other, and leaps when told to."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

CLOSING = time(20, 0)
FRIDAY = 4


class LeapingClock:
    """The time of the demo. Starts so that its last turn closes shortly before the real time."""

    def __init__(self, start: datetime) -> None:
        self._ahead = start - datetime.now(UTC)

    def __call__(self) -> datetime:
        """The demo's time, aware UTC."""
        return datetime.now(UTC) + self._ahead

    def leap(self, moment: datetime) -> None:
        """Go on from ``moment``, if that is not past."""
        self._ahead += max(moment - self(), timedelta())


def weeks_before(now: datetime, weeks: int, zone: str) -> datetime:
    """A minute past closing time on the last Friday before ``now``, so many weeks earlier."""
    local = now.astimezone(ZoneInfo(zone))
    day = local.date() - timedelta(days=(local.weekday() - FRIDAY) % 7, weeks=weeks)
    moment = datetime.combine(day, CLOSING, tzinfo=ZoneInfo(zone)).astimezone(UTC)
    return min(moment, now) + timedelta(minutes=1)
