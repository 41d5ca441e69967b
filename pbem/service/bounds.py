"""How much of a mail is read: an answer tells of every line, and must not become many times as long as a mail that
anybody may send."""

from collections.abc import Sequence
from dataclasses import replace

from pbem.core.orders import Fault, Line

MOST_LINES = 500
LONGEST_LINE = 2000
EXCERPT = 100
"""Signs of a line that is too long, to know it by."""


def within_bounds(lines: Sequence[Line]) -> tuple[list[Line], list[Fault]]:
    """The lines that are read, and what is said of those that are not."""
    long = [replace(line, text=f"{line.text[:EXCERPT]} …") for line in lines if len(line.text) > LONGEST_LINE]
    faults = [Fault(line, "", f"A line has at most {LONGEST_LINE} signs; this one was not read.") for line in long[:1]]
    short = [line for line in lines if len(line.text) <= LONGEST_LINE]
    reason = f"A card has at most {MOST_LINES} lines; what stands from here on was not read."
    faults += [Fault(line, "", reason) for line in short[MOST_LINES : MOST_LINES + 1]]
    return short[:MOST_LINES], faults
