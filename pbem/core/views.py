"""Who may see which part of a log."""

from collections.abc import Iterable
from dataclasses import dataclass

from pbem.core.dice import EVERYONE, Audience, Roll
from pbem.core.turn import Entry


def visible(log: Iterable[Entry], seat: str | None) -> tuple[Entry, ...]:
    """The entries that ``seat`` may know, as it may know them; ``None`` is the public."""
    return tuple(told for entry in log if (told := entry.told(seat)))


@dataclass(frozen=True)
class Die:
    """A die of a log."""

    roll: Roll
    audience: Audience
    """Who may know it."""
    seed: Audience
    """Whose seed it hangs on."""

    def known(self, seat: str | None) -> bool:
        """Whether ``seat`` may know it; ``None`` is the public."""
        return self.audience == EVERYONE or seat in self.audience


def rolls(log: Iterable[Entry]) -> tuple[Die, ...]:
    """Every die of a log once, in the order in which they were rolled."""
    dice = (Die(roll, entry.audience, entry.seed) for entry in log for roll in entry.rolls)
    return tuple({(die.roll.label, die.audience): die for die in dice}.values())
