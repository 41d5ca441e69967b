"""Who may see which part of a log."""

from collections.abc import Iterable

from pbem.core.dice import Audience, Roll
from pbem.core.turn import Entry


def visible(log: Iterable[Entry], seat: str | None) -> tuple[Entry, ...]:
    """The entries that ``seat`` may know; ``None`` is the public."""
    return tuple(entry for entry in log if entry.visible(seat))


def rolls(log: Iterable[Entry]) -> tuple[tuple[Audience, Roll], ...]:
    """Every die of a log once, each with those who may know it, in the order in which they were rolled."""
    seen = {(roll.label, entry.audience): roll for entry in log for roll in entry.rolls}
    return tuple((audience, roll) for (_, audience), roll in seen.items())
