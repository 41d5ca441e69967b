"""BR-1 12.3, battle plans in words: ``left Spears attack, Bows hold; reserve Wolves when left breaks; retreat 50``."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from pbem.battles import tables
from pbem.battles.model import Lane, Plan, Station

LANE_NAMES: dict[Lane, str] = {"L": "left", "C": "centre", "R": "right"}


def written(plan: Plan) -> str:
    """A plan as its owner would write it; what is as by default is left out."""
    return "; ".join((*placings(plan), *policies(plan)))


def placings(plan: Plan) -> Iterator[str]:
    """Who stands where, and which hero with whom."""
    for _, stations in groupby(plan.stations, lambda station: (station.lane, station.arrives, station.round)):
        yield _stations(tuple(stations))
    yield from (f"{hero} with {host}" for hero, host in plan.heroes)


def _stations(stations: Sequence[Station]) -> str:
    """Units that stand, or arrive, in the same way."""
    first = stations[0]
    named = ", ".join(f"{each.unit} {each.order.lower()}" if each.order else each.unit for each in stations)
    lane = LANE_NAMES[first.lane]
    match first.arrives:
        case "flank":
            return f"flank {lane} {named}"
        case "round":
            return f"reserve {named} round {first.round} {lane}"
        case "broken":
            return f"reserve {named} when {lane} breaks"
        case "start":
            return f"{lane} {named}"


def policies(plan: Plan, in_full: bool = False) -> Iterator[str]:
    """What a side does as one, where it is not as by default, or all of it: ``target weakest``, ``pursue no``."""
    usual = Plan()
    if in_full or plan.target != usual.target:
        yield f"target {plan.target.lower()}"
    if in_full or plan.pursue != usual.pursue:
        yield f"pursue {'yes' if plan.pursue else 'no'}"
    if in_full or plan.sally != usual.sally:
        yield f"sally {'yes' if plan.sally else 'no'}"
    if in_full or plan.retreat is not None:
        yield f"retreat {tables.RETREAT if plan.retreat is None else plan.retreat}"
