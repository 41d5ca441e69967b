"""Arms and armour: what they do to the models that carry them (``tables/equipment.toml``)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from pbem.rulesets.nippon.tables import read

UNARMOURED = 7
"""The armour save of who wears nothing: no die shows it."""


@dataclass(frozen=True)
class Gear:
    """A weapon or a piece of armour."""

    save: int = 0
    """How much it betters the armour save."""
    reach: int = 0
    """Inches it shoots."""
    needs: Literal["", "mount", "barded mount"] = ""
    """Who can use it: everybody, riders, or riders of what can wear barding."""
    ends: frozenset[str] = frozenset()
    """Special rules that whoever carries it loses."""


GEAR = {name: Gear(**row | {"ends": frozenset(row.get("ends", ()))}) for name, row in read("equipment").items()}


def armour_save(carried: Iterable[str], better: int = 0) -> int:
    """The armour save with this gear, and with what a mount betters it by."""
    return max(1, UNARMOURED - better - sum(GEAR[name].save for name in carried))


def reach(carried: Iterable[str]) -> int:
    """How far the farthest-shooting of these shoots; 0: none does."""
    return max((GEAR[name].reach for name in carried), default=0)
