"""The geography that maps are drawn from: ``geographies/*.toml``, and how their points are put on the canvas."""

import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pbem.core.graph import Point

Line = Sequence[Point]


def _as_entered(_: str, points: Line) -> list[Point]:
    return list(points)


def _as_projected(x: float, y: float) -> Point:
    return x, y


@dataclass(frozen=True)
class Geography:
    """What a map is drawn from: coasts, one seed for each section, rivers, sites."""

    name: str
    title: str
    about: str
    seats: Sequence[int]
    width: int
    height: int
    band: float
    """Sections are numbered in bands of this height."""
    rounds: int
    """How long to look for sections without too short a border."""
    shortest: float
    pull: float
    """How far seeds are moved to the middle of their share before that, 0 to 1."""
    coasts: Mapping[str, Line]
    """By island; clockwise."""
    places: Sequence[Sequence[Any]]
    """Name, island, seed, terrain, flags. The flag ``river`` comes from the rivers."""
    headquarters: Sequence[str]
    by_site: Mapping[str, Sequence[str]]
    ports: Sequence[str]
    rivers: Sequence[tuple[str, float, Sequence[str]]]
    """Name, how far it keeps from the centres of sections, course. A course may end at the ``edge`` of the map."""
    lakes: Mapping[str, Line] = field(default_factory=dict)
    seas: Sequence[tuple[str, Point]] = ()
    """Name and seed."""
    straits: Sequence[tuple[str, str]] = ()
    swell: float = 0.0
    """By how much land is fattened, so that thin capes have room."""
    sea_width: float = 0.0
    """How far the charted sea reaches from the coasts."""
    panels: Mapping[str, Point] = field(default_factory=dict)
    """Free corners for title, legend and realms."""
    project: Callable[[str, Line], list[Point]] = _as_entered
    """To canvas units: island (or ``sea``) and points."""
    finish: Callable[[float, float], Point] = _as_projected
    """A last change of the canvas, after the splitting, so that it cannot change who borders whom."""

    @property
    def sites(self) -> dict[str, str]:
        """The site of each section that has one."""
        return {name: site for site, names in self.by_site.items() for name in names}


# --- Nippon: from longitude and latitude --------------------------------------------------------------------------

LEFT, TOP, X0, Y0, SCALE, WIDEN = 62, 58, -7.494, -8.772, 63.82, 1.62
AXIS = math.radians(43)
"""The long axis of the islands, from east."""
WIDER = 1.95
"""How much wider across the axis the finished map is, for room to write."""


def _project(island: str, points: Line) -> list[Point]:
    """Northern Ezo pressed together, islands set apart, everything widened across the long axis."""
    return [_placed(*_widened(*_shifted(island, *point))) for point in points]


def _placed(x: float, y: float) -> Point:
    return LEFT + (x - X0) * SCALE, TOP + (y - Y0) * SCALE


SHIFTS = {
    "hokkaido": (141.2, 1.12, -0.2, 42.0, 1.12, 0.3),
    "kyushu": (130.7, 1.2, -0.32, 32.5, 1.1, -0.46),
    "shikoku": (133.4, 1.15, 0.1, 33.6, 1.15, -0.5),
    "sado": (138.4, 1.7, -0.42, 38.05, 1.35, 0.2),
}
"""By island: fixed longitude, factor and shift to the east; the same for latitude and north."""


def _shifted(island: str, lon: float, lat: float) -> Point:
    if lat > 42.7:
        lat = 42.7 + (lat - 42.7) * 0.5
    if lon > 143.0:
        lon = 143.0 + (lon - 143.0) * 0.66
    if island not in SHIFTS:
        return lon, lat
    fixed, factor, east, level, growth, north = SHIFTS[island]
    return fixed + (lon - fixed) * factor + east, level + (lat - level) * growth + north


def _widened(lon: float, lat: float) -> Point:
    x, y = _across((lon - 137.3) * 0.81, lat - 37.2, WIDEN)
    return x, -y


def _across(x: float, y: float, wide: float, than: float = 1.0) -> Point:
    """Stretched across the long axis to be so wide rather ``than`` that; here y grows northward."""
    along, across = x * math.cos(AXIS) + y * math.sin(AXIS), (-x * math.sin(AXIS) + y * math.cos(AXIS)) * wide / than
    return along * math.cos(AXIS) - across * math.sin(AXIS), along * math.sin(AXIS) + across * math.cos(AXIS)


def _finish(x: float, y: float) -> Point:
    x, y = _across((x - LEFT) / SCALE + X0, -((y - TOP) / SCALE + Y0), WIDER, WIDEN)
    return 58 + (x + 7.858) * 64.19, 58 + (-y + 9.475) * 64.19


# --- reading ------------------------------------------------------------------------------------------------------

PROJECTIONS = {"nippon": (_project, _finish)}
"""How the points of a geography become canvas units; any other has them already."""


def geography(name: str) -> Geography:
    """A geography by its name."""
    data = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    project, finish = PROJECTIONS.get(name, (_as_entered, _as_projected))
    return Geography(**data, project=project, finish=finish)


FOLDER = Path(__file__).parent / "geographies"
GEOGRAPHIES = {file.stem: geography(file.stem) for file in sorted(FOLDER.glob("*.toml"))}
