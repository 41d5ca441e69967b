"""Regions to sections: split a region among seeds, then bend every border as an unsteady hand would draw it.

Outlines are cut into chains between corners; each chain is bent once and the outlines are put together again from the
bent chains, so that neighbours share exactly the same vertices. The same input gives the same sections.
"""

import math
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import shapely
from shapely import LineString, MultiLineString, MultiPoint, Polygon, STRtree
from shapely.geometry.base import BaseGeometry

from pbem.core.graph import Point

Seeds = dict[str, Point]
Pair = tuple[str, str]


class Unshapely(Exception):
    """The geography cannot be drawn as it stands; the message says what to move."""


def pieces(shape: BaseGeometry) -> list[Polygon]:
    """The polygons of any geometry."""
    parts = getattr(shape, "geoms", [shape])
    return [part for part in parts if part.geom_type == "Polygon" and part.area > 1e-6]


def largest(shape: BaseGeometry) -> Polygon:
    """The largest polygon of any geometry."""
    return max(pieces(shape), key=lambda part: part.area)


# --- splitting ----------------------------------------------------------------------------------------------------


def split(region: BaseGeometry, seeds: Mapping[str, Point]) -> dict[str, Polygon]:
    """Each seed's share of a region. What a bay cuts off goes to the neighbour with the longest common border."""
    names = list(seeds)
    points = MultiPoint([seeds[name] for name in names])
    cells = shapely.voronoi_polygons(points, extend_to=region.buffer(400), ordered=True).geoms
    own, strays = {}, []
    for name, cell in zip(names, cells, strict=True):
        parts = sorted(pieces(cell.intersection(region)), key=lambda part: -part.area)
        if not parts:
            raise Unshapely(f"{name}: the seed owns no ground")
        own[name] = parts[0]
        strays += parts[1:]
    for stray in sorted(strays, key=lambda part: -part.area):
        taker = max(own, key=lambda name: own[name].intersection(stray.buffer(0.01)).area)
        own[taker] = largest(shapely.union_all([own[taker], stray.buffer(0.001, join_style="mitre")]))
    return own


def border_lengths(own: Mapping[str, Polygon]) -> dict[Pair, float]:
    """How long the common border of every two neighbours is."""
    names = list(own)
    tree = STRtree([own[name] for name in names])
    out = {}
    for index, name in enumerate(names):
        for other in tree.query(own[name]):
            length = own[name].intersection(own[names[other]]).length if index < other else 0.0
            if length > 1e-6:
                out[name, names[other]] = length
    return out


@dataclass(frozen=True)
class Taste:
    """How sections are evened out."""

    rounds: int
    """The most trials."""
    shortest: float
    """Borders shorter than this make readers doubt whether there is one."""
    pull: float
    """How far seeds move to the middle of their share at first, 0 to 1."""


def settle(region: BaseGeometry, seeds: Seeds, rng: random.Random, taste: Taste) -> Seeds:
    """Move seeds until sections are of like size and no border is too short."""
    for _ in range(2):
        seeds = _drawn_to_middles(region, seeds, taste.pull)
    home = dict(seeds)
    best, bad = _unrest(region, seeds, home, taste.shortest)
    for _ in range(taste.rounds):
        if not bad:
            break
        trial = _nudged(region, seeds, bad, rng)
        cost, left = _unrest(region, trial, home, taste.shortest)
        if cost < best:
            best, bad, seeds = cost, left, trial
    return seeds


def _drawn_to_middles(region: BaseGeometry, seeds: Seeds, pull: float) -> Seeds:
    middles = {name: share.centroid for name, share in split(region, seeds).items()}
    return {
        name: (x + pull * (middles[name].x - x), y + pull * (middles[name].y - y)) for name, (x, y) in seeds.items()
    }


def _unrest(region: BaseGeometry, seeds: Seeds, home: Seeds, shortest: float) -> tuple[float, list[Pair]]:
    """The lower the better: short borders, small sections, seeds far from home; and the pairs with short borders."""
    own = split(region, seeds)
    short = [(max(0.0, shortest - length) ** 2, pair) for pair, length in border_lengths(own).items()]
    mean = region.area / len(own)
    small = sum(max(0.0, 0.62 - share.area / mean) ** 2 for share in own.values())
    away = sum(math.dist(seeds[name], home[name]) ** 2 for name in seeds)
    cost = sum(each for each, _ in short) + 900 * small + 0.04 * away
    return cost, [pair for each, pair in short if each > 0]


def _nudged(region: BaseGeometry, seeds: Seeds, bad: Sequence[Pair], rng: random.Random) -> Seeds:
    """The same seeds, but a pair with too short a border, or any one, moved at random."""
    trial = dict(seeds)
    moved: Sequence[str] = rng.choice(bad) if rng.random() < 0.7 else [rng.choice(list(seeds))]
    for name in moved:
        trial[name] = (trial[name][0] + rng.gauss(0, 7), trial[name][1] + rng.gauss(0, 7))
        if not region.contains(shapely.Point(trial[name])):
            trial[name] = seeds[name]
    return trial


# --- bending ------------------------------------------------------------------------------------------------------

WAVES = ((28, 0.2), (55, 0.5), (110, 0.7))
"""Length and share of the waves in a bent line."""
EASE = 16.0
"""Over so much of its length a line comes back to its end."""


@dataclass(frozen=True)
class Bend:
    """How far a line swings, and how far apart its points are."""

    amplitude: float
    step: float


RIM_OF_SEA, SEA_BORDER, COAST, LAND_BORDER = Bend(3.0, 16), Bend(4.0, 14), Bend(2.6, 6), Bend(4.2, 8)


def bent(points: Sequence[Point], bend: Bend, name: str) -> list[Point]:
    """A chain redrawn by an unsteady hand; the ends stay where they are. The name decides the waves."""
    line, closed = LineString(points), points[0] == points[-1]
    count = max(2, round(line.length / bend.step))
    rng = random.Random(name)
    waves = [(rng.uniform(0.7, 1.3) * length, rng.uniform(0, math.tau), share) for length, share in WAVES]
    out = []
    for step in range(count + 1):
        at = line.length * step / count
        ease = 1.0 if closed else min(1.0, min(at, line.length - at) / EASE)
        swing = sum(share * math.sin(math.tau * at / length + phase) for length, phase, share in waves)
        out.append(_aside(line, at, bend.amplitude * ease * swing))
    out[0], out[-1] = points[0], points[-1]
    return chaikin(out, 1)


def _aside(line: LineString, at: float, push: float) -> Point:
    """The point of a line at a distance from its start, pushed aside."""
    here = line.interpolate(at)
    a, b = line.interpolate(max(0, at - 3)), line.interpolate(min(line.length, at + 3))
    length = math.hypot(b.x - a.x, b.y - a.y) or 1
    return here.x - (b.y - a.y) / length * push, here.y + (b.x - a.x) / length * push


def chaikin(points: Sequence[Point], rounds: int) -> list[Point]:
    """The same line with its corners cut; the ends stay."""
    out = list(points)
    for _ in range(rounds):
        cut = [out[0]]
        for (ax, ay), (bx, by) in pairwise(out):
            cut += [(0.75 * ax + 0.25 * bx, 0.75 * ay + 0.25 * by), (0.25 * ax + 0.75 * bx, 0.25 * ay + 0.75 * by)]
        out = [*cut[:1], *cut[2:-2], out[-1]] if len(cut) > 4 else out
    return out


def tenths(points: Iterable[Point]) -> list[Point]:
    """The same points on the grid of tenths."""
    return [(round(x, 1), round(y, 1)) for x, y in points]


def redraw(
    raw: Mapping[str, Polygon], is_sea: Mapping[str, bool], strength: float
) -> tuple[dict[str, Polygon], dict[Pair, float]]:
    """The sections with bent borders, and how long the border of every two neighbours was.

    A section may be missing, or have a hole, if bending was too strong for it.
    """
    drawn, lengths = [], defaultdict[Pair, float](float)
    for points, sides in sorted(_chains(raw), key=lambda chain: chain[0]):
        if points[0] != min(points[0], points[-1]):
            points = points[::-1]
        bend = _bend(sides, is_sea)
        line = bent(points, Bend(bend.amplitude * strength, bend.step), f"{points[0]} {points[-1]} {len(points)}")
        drawn.append(LineString(tenths(LineString(tenths(line)).simplify(0.35).coords)))
        if len(sides) == 2:
            one, other = sorted(sides)
            lengths[one, other] += LineString(points).length
    return _faces(drawn, raw), dict(lengths)


def _chains(raw: Mapping[str, Polygon]) -> Iterator[tuple[list[Point], frozenset[str]]]:
    """All outlines as chains between corners, each with the names on its two sides."""
    rings = [LineString(ring.coords) for shape in raw.values() for ring in (shape.exterior, *shape.interiors)]
    merged = shapely.line_merge(shapely.unary_union(MultiLineString(rings), grid_size=0.1))
    names, tree = list(raw), STRtree(list(raw.values()))
    for chain in getattr(merged, "geoms", [merged]):
        points = [(x, y) for x, y in chain.coords]
        sides = {names[index] for spot in _beside(points) for index in tree.query(spot, predicate="within")}
        yield points, frozenset(sides)


def _beside(points: Sequence[Point]) -> list[shapely.Point]:
    """A point on either side of a chain, next to the middle of its longest step."""
    (ax, ay), (bx, by) = max(pairwise(points), key=lambda step: math.dist(*step))
    length = math.dist((ax, ay), (bx, by))
    nx, ny = -(by - ay) / length * 0.2, (bx - ax) / length * 0.2
    return [shapely.Point((ax + bx) / 2 + sign * nx, (ay + by) / 2 + sign * ny) for sign in (1, -1)]


def _bend(sides: frozenset[str], is_sea: Mapping[str, bool]) -> Bend:
    seas = sum(is_sea[side] for side in sides)
    if len(sides) == 1:
        return RIM_OF_SEA if seas else COAST
    return (LAND_BORDER, COAST, SEA_BORDER)[seas]


def _faces(drawn: Sequence[LineString], raw: Mapping[str, Polygon]) -> dict[str, Polygon]:
    """What the bent lines enclose, under the name of the section that lay there."""
    outlines: dict[str, Polygon] = {}
    for face in shapely.polygonize(drawn).geoms:
        inner = face.representative_point()
        for name, shape in raw.items():
            most = shape.contains(inner) and shape.intersection(face).area > 0.4 * max(face.area, 1)
            if most and (name not in outlines or outlines[name].area < face.area):
                outlines[name] = face
    return outlines
