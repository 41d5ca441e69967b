"""How alike the candidates for a headquarters are: what lies within reach of each."""

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.core.graph import distances
from pbem.rulesets.nippon.atlas import Atlas, Place
from pbem.rulesets.nippon.tables import DIFFICULT_TERRAIN

MARCH = ("land", "strait")
REACH = 3
"""Steps within which a realm grows in its first turns."""
FAR = 99

MEAN_DIE, MEAN_SNOW_DIE, MEAN_MINE = 3.5, 2.0, 14.0
BONUS = {"village": 1, "keep": 2, "stronghold": 3}
"""Mean production of a section, in pips of its dice (NIP 10)."""


def candidates(atlas: Atlas) -> list[Place]:
    """The candidates for a headquarters."""
    return [place for place in atlas if place.headquarters]


def steps_from(atlas: Atlas, number: int) -> Mapping[int, int]:
    """Steps by land and strait from a section to every other that can be reached."""
    return distances(number, lambda here: [n for kind in MARCH for n in atlas[here].borders.get(kind, ())])


@dataclass(frozen=True)
class Home:
    """What a candidate has to offer."""

    place: Place
    near: int
    """Sections within two steps, wasteland left out. So too the next."""
    within: int
    """Within three."""
    sites: int
    """Special sites within three steps."""
    difficult: float
    """Share of sections within three steps that are hard to enter."""
    snow: int
    income: float
    """Mean production of all sections within three steps, in pips."""
    own: int
    """Sections nearer to it than to any other candidate."""
    next: tuple[int, int]
    """Steps to the nearest other candidate, and its number."""


def homes(atlas: Atlas) -> list[Home]:
    """All candidates of a map, by number."""
    far = {place.number: steps_from(atlas, place.number) for place in candidates(atlas)}
    return [_home(atlas, place, far) for place in candidates(atlas)]


def _home(atlas: Atlas, place: Place, far: Mapping[int, Mapping[int, int]]) -> Home:
    mine = far[place.number]
    others = [number for number in far if number != place.number]
    usable = [number for number in mine if atlas[number].terrain != "wasteland"]
    around = [atlas[number] for number in usable if 0 < mine[number] <= REACH]
    return Home(
        place,
        near=sum(0 < mine[number] <= 2 for number in usable),
        within=len(around),
        sites=sum(bool(atlas[number].site) for number in mine if 0 < mine[number] <= REACH),
        difficult=sum(map(_hard, around)) / max(1, len(around)),
        snow=sum(each.snow for each in around),
        income=sum(map(_income, around)),
        own=sum(all(mine[n] < far[other].get(n, FAR) for other in others) for n in usable),
        next=min(((mine.get(other, FAR), other) for other in others), default=(0, 0)),
    )


def _hard(place: Place) -> bool:
    return place.terrain in DIFFICULT_TERRAIN or place.river


def _income(place: Place) -> float:
    if place.site == "gold mine":
        return MEAN_MINE
    ground = MEAN_SNOW_DIE if place.snow else MEAN_DIE
    return ground + BONUS.get(place.site, 0) + (MEAN_DIE if place.port else 0.0)


# --- the table ----------------------------------------------------------------------------------------------------

COLUMNS = (
    "headquarters",
    "land neighbours",
    "sections in 2",
    "in 3",
    "sites in 3",
    "difficult in 3",
    "snow in 3",
    "mean income in 3, pips",
    "nearest to it",
    "next headquarters",
)


def table(atlas: Atlas) -> str:
    """The candidates side by side, and how far each column strays from its mean."""
    rows = [COLUMNS, tuple("---" for _ in COLUMNS), *map(_cells, homes(atlas))]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    strays = (
        f"- {each.name}: mean {each.mean:.2f}, {each.lowest:+.0%} to {each.highest:+.0%}" for each in spreads(atlas)
    )
    return "\n".join([*lines, "", *strays])


def _cells(home: Home) -> tuple[str, ...]:
    steps, other = home.next
    return (
        str(home.place),
        str(len(home.place.borders.get("land", ()))),
        str(home.near),
        str(home.within),
        str(home.sites),
        f"{home.difficult:.0%}",
        str(home.snow),
        f"{home.income:.0f}",
        str(home.own),
        f"{steps} steps ({other})",
    )


@dataclass(frozen=True)
class Spread:
    """How far a figure strays among the candidates: its mean, and the lowest and highest as shares beyond it."""

    name: str
    mean: float
    lowest: float
    highest: float


def spreads(atlas: Atlas) -> list[Spread]:
    """How far each figure strays; nothing on a map without candidates."""
    every = homes(atlas)
    figures: dict[str, list[float]] = {
        "sections in 2": [home.near for home in every],
        "sections in 3": [home.within for home in every],
        "sites in 3": [home.sites for home in every],
        "difficult in 3": [home.difficult for home in every],
        "mean income in 3": [home.income for home in every],
        "nearest to it": [home.own for home in every],
    }
    return [_spread(name, values) for name, values in figures.items() if values]


def _spread(name: str, values: list[float]) -> Spread:
    mean = sum(values) / len(values)
    below, above = (value / mean - 1 if mean else 0.0 for value in (min(values), max(values)))
    return Spread(name, mean, below, above)
