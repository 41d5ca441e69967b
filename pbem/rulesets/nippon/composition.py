"""3.1 and 3.2, what may march under one banner."""

from collections.abc import Iterable
from typing import Literal

from pbem.rulesets.nippon.state import Unit
from pbem.rulesets.nippon.tables import LEAST_POINTS

Shortfall = Literal["", "too few points", "no hero or lord", "a lone character"]
"""What a banner lacks to be one; nothing: it is legal."""

LIFTED = frozenset({"monster", "monstrous mount", "fly"})
"""Tags of a character that is a banner by himself."""


def shortfall(units: tuple[Unit, ...]) -> Shortfall:
    """What these units lack to form a banner (NIP 3.1, 3.2)."""
    lack = _lack(units)
    return "" if lack and exempt(units) else lack


def _lack(units: tuple[Unit, ...]) -> Shortfall:
    if not any(unit.character for unit in units):
        return "no hero or lord"
    if len(units) == 1:
        return "a lone character"
    return "" if sum(unit.worth for unit in units) >= LEAST_POINTS else "too few points"


def exempt(units: tuple[Unit, ...]) -> bool:
    """Whether these units may form a banner of any size (NIP 3.2)."""
    ridden = any(unit.character and not LIFTED.isdisjoint(unit.tags) for unit in units)
    return ridden or (bool(units) and all("scout" in unit.tags for unit in units))


def costliest(units: Iterable[Unit]) -> Unit | None:
    """The hero or lord with most points; of equals a lord, then the first by name."""
    characters = [unit for unit in units if unit.character]
    return min(characters, key=lambda unit: (-unit.worth, unit.category != "lord", unit.name), default=None)
