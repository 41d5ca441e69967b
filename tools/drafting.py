"""From geography to a map file: sections, numbers, borders, rivers."""

import math
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import shapely
from shapely import LineString, MultiLineString, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import polylabel

from pbem.core.graph import Point
from tools.atlas import Geography
from tools.shaping import (
    Bend,
    Pair,
    Taste,
    Unshapely,
    bent,
    chaikin,
    largest,
    redraw,
    settle,
    split,
    tenths,
)

KINDS = ("land", "strait", "coast", "sea")
FLAGS = ("river", "snow", "port", "headquarters")
EDGE = "edge"
"""In the course of a river: it leaves the map there."""


@dataclass
class Draft:
    """One section on its way from seed to map."""

    name: str
    terrain: str
    flags: set[str] = field(default_factory=set)
    site: str = ""
    number: int = 0
    outline: list[Point] = field(default_factory=list)
    centre: Point = (0.0, 0.0)
    borders: dict[str, set[str]] = field(default_factory=lambda: {kind: set() for kind in KINDS})

    @property
    def is_sea(self) -> bool:
        """Whether it is an ocean section."""
        return self.terrain == "ocean"


Drafts = dict[str, Draft]


def draw(geography: Geography) -> dict[str, Any]:
    """A map as its file holds it."""
    drafts, raw = _divide(geography)
    seas = {name: draft.is_sea for name, draft in drafts.items()}
    outlines, lengths = _bent(raw, seas)
    for name, face in outlines.items():
        drafts[name].outline = [(x, y) for x, y in face.exterior.coords[:-1]]
        drafts[name].centre = middle(face)
    for (one, other), length in lengths.items():
        if length >= 4:
            link(drafts[one], drafts[other], ("land", "coast", "sea")[seas[one] + seas[other]])
    for one, other in geography.straits:
        link(drafts[one], drafts[other], "strait")
    number_in_bands(drafts.values(), geography.band)
    _furnish(geography, drafts)
    lines = [*_rivers(geography, drafts), *_straits(geography, drafts)]
    return document(_head(geography), drafts.values(), lines)


def _divide(geography: Geography) -> tuple[Drafts, dict[str, Polygon]]:
    """All sections, and their shares of land and water before any border is bent."""
    lands, lakes = _lands(geography), _waters(geography)
    drafts: Drafts = {}
    raw: dict[str, Polygon] = {}
    rng = random.Random(geography.name)
    for island, shape in lands.items():
        ground: BaseGeometry = shape
        for lake in lakes.values():
            ground = ground.difference(lake)
        seeds = {}
        for name, home, at, terrain, *flags in geography.places:
            if home == island:
                seeds[name] = geography.project(island, [tuple(at)])[0]
                drafts[name] = Draft(name, terrain, set(flags))
        taste = Taste(geography.rounds, geography.shortest, geography.pull)
        raw |= _shares(ground, seeds, rng, taste)
    raw = {name: _finished(geography, shape) for name, shape in raw.items()}
    charted = _charted(geography, shapely.union_all([_finished(geography, shape) for shape in lands.values()]))
    seas = {name: geography.finish(*geography.project("sea", [tuple(at)])[0]) for name, at in geography.seas}
    raw |= split(charted, seas) if seas else {}
    raw |= lakes
    drafts |= {name: Draft(name, "ocean") for name in (*seas, *lakes)}
    return drafts, raw


def _lands(geography: Geography) -> dict[str, Polygon]:
    """The islands, their thin capes fattened and their smallest bays closed."""
    return {
        island: largest(_ring(points).buffer(geography.swell + 2).buffer(-2).simplify(0.8))
        for island, points in _projected(geography, geography.coasts)
    }


def _waters(geography: Geography) -> dict[str, Polygon]:
    return {lake: _ring(points) for lake, points in _projected(geography, geography.lakes)}


def _projected(geography: Geography, lines: Mapping[str, Sequence[Point]]) -> Iterator[tuple[str, list[Point]]]:
    return ((name, geography.project(name, points)) for name, points in lines.items())


def _ring(points: Sequence[Point]) -> Polygon:
    return largest(Polygon(points).buffer(0))


def _shares(ground: BaseGeometry, seeds: dict[str, Point], rng: random.Random, taste: Taste) -> dict[str, Polygon]:
    if len(seeds) == 1:
        return {next(iter(seeds)): largest(ground)}
    return split(ground, settle(ground, seeds, rng, taste))


def _finished(geography: Geography, shape: Polygon) -> Polygon:
    return shapely.transform(shape, lambda points: [geography.finish(x, y) for x, y in points])


def _charted(geography: Geography, ground: BaseGeometry) -> BaseGeometry:
    """The sea along the coasts."""
    frame = shapely.box(10, 10, geography.width - 10, geography.height - 10)
    near = ground.buffer(geography.sea_width, 24).buffer(14).buffer(-14)
    return near.intersection(frame).difference(ground)


def _bent(raw: Mapping[str, Polygon], seas: Mapping[str, bool]) -> tuple[dict[str, Polygon], dict[Pair, float]]:
    """Sections with bent borders, bent as strongly as they can bear."""
    missing: Iterable[str] = ()
    for strength in (1.0, 0.8, 0.6, 0.4, 0.2):
        outlines, lengths = redraw(raw, seas, strength)
        if len(outlines) == len(raw) and not any(face.interiors for face in outlines.values()):
            return outlines, lengths
        missing = sorted(set(raw) - set(outlines)) or [name for name, face in outlines.items() if face.interiors]
    raise Unshapely(f"no simple outline: {', '.join(missing)}")


def middle(face: Polygon) -> Point:
    """Between the roomiest point and the centre of a section, if that lies inside."""
    roomy, centre = polylabel(face, 1.0), face.centroid
    mix = shapely.Point(roomy.x * 0.7 + centre.x * 0.3, roomy.y * 0.7 + centre.y * 0.3)
    spot = mix if face.buffer(-10).contains(mix) else roomy
    return round(spot.x, 1), round(spot.y, 1)


def link(one: Draft, other: Draft, kind: str) -> None:
    """Make two sections neighbours."""
    one.borders[kind].add(other.name)
    other.borders[kind].add(one.name)


def number_in_bands(drafts: Iterable[Draft], band: float) -> None:
    """Number land first, then sea; each in bands from north to south, from west to east within a band."""
    every = sorted(drafts, key=lambda draft: draft.centre[1])
    ordered = [*_in_bands([each for each in every if not each.is_sea], band)]
    ordered += _in_bands([each for each in every if each.is_sea], band * 1.6)
    for number, draft in enumerate(ordered, 1):
        draft.number = number


def _in_bands(rest: list[Draft], band: float) -> list[Draft]:
    out: list[Draft] = []
    while rest:
        row = [each for each in rest if each.centre[1] < rest[0].centre[1] + band]
        out += sorted(row, key=lambda draft: draft.centre[0])
        rest = rest[len(row) :]
    return out


def _furnish(geography: Geography, drafts: Drafts) -> None:
    """Sites, ports, candidates for headquarters; and the flag of every section that a river is drawn through."""
    for name, site in geography.sites.items():
        drafts[name].site = site
    for name in geography.ports:
        drafts[name].flags.add("port")
    for name in geography.headquarters:
        drafts[name].flags.add("headquarters")
    for _, _, course in geography.rivers:
        for name in course:
            if name != EDGE and not drafts[name].is_sea:
                drafts[name].flags.add("river")


# --- lines --------------------------------------------------------------------------------------------------------

Line = dict[str, Any]


def _rivers(geography: Geography, drafts: Drafts) -> list[Line]:
    return [
        {"kind": "river", "name": name, "points": _River(name, drift, course, drafts).line()}
        for name, drift, course in geography.rivers
    ]


def _straits(geography: Geography, drafts: Drafts) -> list[Line]:
    """Each strait where it is narrowest."""
    shapes = {name: Polygon(draft.outline) for name, draft in drafts.items()}
    return [
        {
            "kind": "strait",
            "name": f"{one} - {other}",
            "points": tenths(shapely.shortest_line(shapes[one], shapes[other]).coords),
        }
        for one, other in geography.straits
    ]


@dataclass(frozen=True)
class _River:
    """A river through the middles of the common borders of its course.

    It rises in the first section, or leaves that lake, and ends in the last, in the sea beside it, or at the edge.
    """

    name: str
    drift: float
    """How far it keeps from the centre of a section, so that the number has room."""
    course: Sequence[str]
    drafts: Drafts

    def line(self) -> list[Point]:
        """Its points."""
        stops: list[Point] = []
        for index, here in enumerate(self.course):
            if here == EDGE:
                stops.append(self._edge(stops[-1]))
                break
            if not self.drafts[here].is_sea:
                stops.append(self._by_the_centre(index))
            if index + 1 < len(self._sections):
                stops.append(self._gate(here, self.course[index + 1], stops))
        return tenths(chaikin(bent(chaikin(stops, 2), Bend(2.2, 7), self.name), 1))

    @property
    def _sections(self) -> list[str]:
        return [name for name in self.course if name != EDGE]

    def _edge(self, last: Point) -> Point:
        rim = shapely.union_all([Polygon(draft.outline) for draft in self.drafts.values()]).exterior
        spot = rim.interpolate(rim.project(shapely.Point(last)))
        return spot.x, spot.y

    def _by_the_centre(self, index: int) -> Point:
        """Beside the centre; a spring also lies behind it."""
        middles = [self.drafts[name].centre for name in self._sections]
        (cx, cy), back, ahead = middles[index], middles[max(index - 1, 0)], middles[min(index + 1, len(middles) - 1)]
        length = math.dist(back, ahead) or 1
        dx, dy = (ahead[0] - back[0]) / length, (ahead[1] - back[1]) / length
        behind = 12 if index == 0 else 0
        spot = (cx - dy * self.drift - dx * behind, cy + dx * self.drift - dy * behind)
        shape = Polygon(self.drafts[self.course[index]].outline)
        if shape.buffer(-4).contains(shapely.Point(spot)):
            return spot
        return (spot[0] + cx) / 2, (spot[1] + cy) / 2

    def _gate(self, here: str, there: str, stops: Sequence[Point]) -> Point:
        """Where it goes into the next section: in the middle; a mouth lies at the nearest good point of the coast."""
        border = longest_border(Polygon(self.drafts[here].outline), Polygon(self.drafts[there].outline))
        if border is None:
            raise Unshapely(f"river {self.name}: {here} and {there} are no neighbours")
        if not self.drafts[there].is_sea:
            spot = border.interpolate(0.5, normalized=True)
        else:
            at = border.project(shapely.Point(stops[-1]))
            spot = border.interpolate(min(max(at, 0.12 * border.length), 0.88 * border.length))
        return spot.x, spot.y


def longest_border(one: Polygon, other: Polygon) -> LineString | None:
    """The longest common stretch of two outlines."""
    common = one.boundary.intersection(other.boundary)
    lines = [part for part in getattr(common, "geoms", [common]) if part.geom_type == "LineString" and part.length]
    if not lines:
        return None
    merged = shapely.line_merge(MultiLineString(lines))
    return max(getattr(merged, "geoms", [merged]), key=lambda part: part.length)


# --- the file -----------------------------------------------------------------------------------------------------


def _head(geography: Geography) -> dict[str, Any]:
    return {
        "name": geography.name,
        "title": geography.title,
        "seats": list(geography.seats),
        "size": [geography.width, geography.height],
        "about": geography.about,
        **{corner: list(at) for corner, at in geography.panels.items()},
    }


def document(head: Mapping[str, Any], drafts: Iterable[Draft], lines: Sequence[Line]) -> dict[str, Any]:
    """A map as its file holds it; ``head`` has the keys of the top level but ``format``."""
    by_name = {draft.name: draft for draft in drafts}
    sections = [_section(draft, by_name) for draft in sorted(by_name.values(), key=lambda draft: draft.number)]
    return {"format": 1, **head, "section": sections} | ({"drawing": list(lines)} if lines else {})


def _section(draft: Draft, by_name: Drafts) -> dict[str, Any]:
    borders = {kind: sorted(by_name[name].number for name in draft.borders[kind]) for kind in KINDS}
    return {
        "number": draft.number,
        "name": draft.name,
        "terrain": draft.terrain,
        **({"site": draft.site} if draft.site else {}),
        **{flag: True for flag in FLAGS if flag in draft.flags},
        "neighbours": {kind: numbers for kind, numbers in borders.items() if numbers},
        "centre": draft.centre,
        "outline": draft.outline,
    }


def toml(data: Mapping[str, Any]) -> str:
    """The text of a map file."""
    out = [
        "# A campaign map; docs/maps-format.md describes the format. Made by `python -m tools.make_map`,"
        " may be edited by hand.",
        "",
    ]
    tables = ("section", "drawing")
    out += [f"{key} = {_value(value)}" for key, value in data.items() if key not in tables]
    for table in tables:
        for entry in data.get(table, ()):
            out += ["", f"[[{table}]]", *(f"{key} = {_value(value)}" for key, value in entry.items())]
    return "\n".join(out) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {_value(each)}' for key, each in value.items())} }}"
    if isinstance(value, int | float):
        return f"{value:g}" if value == int(value) else f"{value:.1f}"
    cells = [_value(each) for each in value]
    if len(cells) <= PER_LINE or not isinstance(value[0], tuple | list):
        return f"[{', '.join(cells)}]"
    rows = (", ".join(cells[start : start + PER_LINE]) for start in range(0, len(cells), PER_LINE))
    return "[\n  " + ",\n  ".join(rows) + ",\n]"


PER_LINE = 12
"""Points on a line of the file."""
