"""Deadline rules, as campaign files have them, and the moments they mean.

Rules are wall-clock rules of the campaign's zone, turned into UTC one at a time: ``weekly Sun 20:00``,
``weekly Tue Fri 20:00``, ``daily 20:00``, ``after 3d``, ``after 3d at 20:00``.
"""

import re
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

UNITS = {"w": "weeks", "d": "days", "h": "hours", "m": "minutes", "s": "seconds"}
NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10}
SPAN = re.compile(
    rf"(?P<number>\d+(?:\.\d+)?|(?:{'|'.join(NUMBERS)})\b) ?"
    r"(?P<unit>w|weeks?|d|days?|h|hours?|hrs?|m|minutes?|mins?|s|seconds?|secs?)(?![a-z]) ?"
)
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
CLOCKED = re.compile(r"(?:weekly (?P<days>\w{3}(?:[ ,]+\w{3})*)|(?P<daily>daily)) (?P<at>\d\d?:\d\d)")
DELAYED = re.compile(r"after (?P<delay>.+?)(?: at (?P<at>\d\d?:\d\d))?")
NOTICE = timedelta(hours=12)
"""A weekly or daily deadline is never nearer than this when a stage opens. Less than a day: a stage opens just after
the deadline of the one before, and the next day's must still be its own."""
LONGEST = timedelta(days=366)
"""Longer durations are slips of the pen."""


def duration(text: str) -> timedelta:
    """``2d``, ``36h``, ``1d 12h``, ``2 days and 12 hours``; raises ``ValueError`` that says what is expected."""
    words = re.sub(r",? and |, ", " ", " ".join(text.lower().split()))
    spans = list(SPAN.finditer(words))
    if not words or "".join(span[0] for span in spans) != words:
        raise ValueError(f"{text!r} is no duration; write for example 2d, 36h, 90m or 1d 12h")
    try:
        total = sum((_span(each["number"], each["unit"]) for each in spans), timedelta())
    except OverflowError:
        total = timedelta.max
    if not timedelta() < total <= LONGEST:
        raise ValueError(f"{text!r} is not between a second and a year; write for example 2d, 36h, 90m or 1d 12h")
    return total


def _span(number: str, unit: str) -> timedelta:
    return timedelta(**{UNITS[unit[0]]: float(NUMBERS.get(number) or number)})


def next_deadline(rule: str, opened: datetime, zone: str) -> datetime:
    """The moment (UTC) that a rule means for a stage opened at ``opened``; raises ``ValueError`` for a bad rule."""
    if match := CLOCKED.fullmatch(rule.strip()):
        days = range(7) if match["daily"] else tuple(_day(day) for day in re.findall(r"\w{3}", match["days"]))
        return _first(opened + NOTICE, days, _time(match["at"]), ZoneInfo(zone))
    if match := DELAYED.fullmatch(rule.strip()):
        earliest = opened + duration(match["delay"])
        return _first(earliest, range(7), _time(match["at"]), ZoneInfo(zone)) if match["at"] else earliest
    raise ValueError(
        f"{rule!r} is no deadline rule; write for example: weekly Sun 20:00 / after 3d / after 3d at 20:00"
    )


def _day(name: str) -> int:
    if name.capitalize() not in DAYS:
        raise ValueError(f"{name!r} is no day; write {', '.join(DAYS)}")
    return DAYS.index(name.capitalize())


def _time(text: str) -> time:
    hour, minute = text.split(":")
    return time(int(hour), int(minute))


def _first(earliest: datetime, days: range | tuple[int, ...], at: time, zone: ZoneInfo) -> datetime:
    """The first moment not before ``earliest`` at that time on one of those days.

    Each day is turned into UTC by itself: a clock change neither skips nor doubles a deadline.
    """
    day = earliest.astimezone(zone).date()
    while True:
        moment = datetime.combine(day, at, tzinfo=zone).astimezone(UTC)
        if moment >= earliest and day.weekday() in days:
            return moment
        day += timedelta(days=1)
