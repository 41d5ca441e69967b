"""Before the first turn: a robot wants room around its headquarters, and takes the ready-made army."""

from collections.abc import Iterator

from pbem.rulesets.nippon.beginning import candidates
from pbem.rulesets.nippon.orders import Prefer
from pbem.rulesets.nippon.robot.mind import Mind


def preferences(mind: Mind) -> Iterator[Prefer]:
    """Candidates with most neighbours first, among equals as it pleases."""
    position = mind.position
    if position.realms[mind.seat].headquarters:
        return
    whims = {number: mind.roll(f"likes {number}") for number in candidates(position)}
    rated = sorted(whims, key=lambda number: (-len(position.place(number).neighbours), whims[number], number))
    yield Prefer(tuple(rated))
