"""Times as people read them: on the wall clock of the reader's zone, with UTC beside it."""

from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from babel.dates import format_date

from pbem.core.wording import counted

FAR = timedelta(days=3)
"""From here on only whole days are told."""


def day(when: datetime, zone: str) -> str:
    """The day of a moment on the clock of ``zone``: ``Sun 17 May``."""
    return _day(when.astimezone(ZoneInfo(zone)).date())


@lru_cache(maxsize=64)
def _day(date: date) -> str:
    # Every mail names the same few days.
    return format_date(date, "EEE d MMM", locale="en")


def clock(when: datetime, zone: str) -> str:
    """A moment on the clock of ``zone`` alone: ``Tue 12 May, 19:04``."""
    return f"{day(when, zone)}, {when.astimezone(ZoneInfo(zone)):%H:%M}"


def moment(when: datetime, zone: str) -> str:
    """A moment for a deadline: ``Sun 17 May, 20:00 Europe/Berlin (18:00 UTC)``.

    ``when`` must be aware. The UTC part names its day where it is another one.
    """
    if zone == "UTC":
        return f"{clock(when, zone)} UTC"
    same_day = day(when, zone) == day(when, "UTC")
    utc = f"{when.astimezone(UTC):%H:%M}" if same_day else clock(when, "UTC")
    return f"{clock(when, zone)} {zone} ({utc} UTC)"


def until(now: datetime, when: datetime) -> str:
    """The time left: ``in 7 days``, ``in 1 day 7 hours``, ``in 20 minutes``, ``now``; ``2 days ago`` if it is past."""
    if when < now:
        return f"{_span(now - when) or 'a moment'} ago"
    left = _span(when - now)
    return f"in {left}" if left else "now"


def _span(span: timedelta) -> str:
    """A length of time in its two largest units, rounded down, or the nearest days; nothing below a minute."""
    hours, minutes = divmod(span.seconds // 60, 60)
    if span >= FAR:
        return f"{round(span / timedelta(days=1))} days"
    parts = [(span.days, "day"), (hours, "hour")] if span.days else [(hours, "hour"), (minutes, "minute")]
    return " ".join(counted(number, unit) for number, unit in parts if number)
