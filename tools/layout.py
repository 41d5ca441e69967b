"""Settle once, with all the time in the world, where things go on a map: the layout that ships beside it."""

import json
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

import shapely
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from pbem.core.graph import Point
from pbem.rulesets.nippon.atlas import Atlas, Place
from pbem.rulesets.nippon.drawing import arrows, plain
from pbem.rulesets.nippon.drawing.borders import RIM, Borders, Edge, borders
from pbem.rulesets.nippon.drawing.layout import CODEC, Gate, Layout, likeness
from pbem.rulesets.nippon.drawing.palette import BAND
from pbem.rulesets.nippon.drawing.stacks import Content, Placed, contents
from pbem.rulesets.nippon.drawing.symbols import Symbol, sow
from tools.stacking import PORT_RADIUS, Ground

Things = Mapping[int, tuple[Placed, ...]]

CLEAR_OF_BORDER, CLEAR_OF_COAST, CLEAR_OF_LINE = 7.5, 12.0, 4.0
"""How far symbols keep off the border, on the water off the coast, and off rivers and straits."""
GATES, APART = 3, 17.0
"""So many places for arrows are kept for each border, so far apart."""
SHORTEST = 11.0
"""The least reach of an arrow to either side of a border."""
ROOM = 7.0
"""How far its ends keep from the far side of a section."""
SAMPLE = 3.0
"""Steps by which borders are walked."""


def make_layout(atlas: Atlas, only: Collection[int] = ()) -> Layout:
    """The layout of a map; with stacks for some sections only, if any are named."""
    ground, cut = Ground(atlas), borders(atlas)
    usual = {place.number: ground.things(place, _usual(place)) for place in atlas}
    ports = {place.number: _anchorage(ground, cut, place, usual) for place in atlas if place.port}
    ground.keep_clear(usual, ports.values())
    return Layout(
        likeness(atlas),
        stacks=tuple(
            tuple(ground.stacks(place, contents(place), usual[place.number]))
            if not only or place.number in only
            else ()
            for place in atlas
        ),
        symbols=tuple(_symbols(ground, place, ports) for place in atlas),
        insets=tuple(inset(atlas[edge.section], edge) for edge in cut.edges),
        gates=dict(_gates(ground, cut, usual, ports)),
        ports=ports,
    )


def text(layout: Layout) -> str:
    """The file of a layout: JSON, a line for each section and border."""
    document = CODEC.encode(layout)
    lines = [f'"{key}":{_lines(value)}' for key, value in sorted(document.items())]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _lines(value: object) -> str:
    if isinstance(value, dict):
        return "{\n" + ",\n".join(f"{json.dumps(key)}:{_compact(each)}" for key, each in value.items()) + "\n}"
    if isinstance(value, list):
        return "[\n" + ",\n".join(map(_compact, value)) + "\n]"
    return json.dumps(value)


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


# --- numbers, signs and shields -----------------------------------------------------------------------------------


def _usual(place: Place) -> Content:
    """What stands in a section most of the time: the neighbours keep off that."""
    if place.ocean:
        return Content()
    return Content(chips=1, site=bool(place.site) or place.headquarters, shields=1)


def _symbols(ground: Ground, place: Place, ports: Mapping[int, Point]) -> tuple[Symbol, ...]:
    room: BaseGeometry = ground.shapes[place.number].buffer(-(CLEAR_OF_COAST if place.ocean else CLEAR_OF_BORDER))
    for drawing in ground.atlas.drawings:
        room = room.difference(LineString(drawing.points).buffer(CLEAR_OF_LINE))
    for port in ports.values():
        room = room.difference(shapely.Point(port).buffer(PORT_RADIUS + 6))
    return sow(place, ground.scale, lambda at: bool(shapely.contains_xy(room, *at)))


# --- bands --------------------------------------------------------------------------------------------------------


def inset(place: Place, edge: Edge) -> tuple[Point, ...]:
    """The edge as it is seen from half a band further in: each of its points moved to the nearest there."""
    inner = Polygon(place.outline).buffer(-BAND / 2).boundary
    if inner.is_empty:
        return plain.inset(edge)
    line = LineString(edge.points).segmentize(SAMPLE)
    spots = [shapely.shortest_line(shapely.Point(at), inner).coords[-1] for at in line.coords]
    kept = [spots[0], *(there for here, there in pairwise(spots) if math.dist(here, there) > 0.05)]
    return _tidy(kept)


def _tidy(spots: Sequence[Point], tolerance: float = 0.3) -> tuple[Point, ...]:
    if len(spots) > 2:
        spots = [(x, y) for x, y in LineString(spots).simplify(tolerance).coords]
    return tuple((round(x, 1), round(y, 1)) for x, y in spots)


# --- ports --------------------------------------------------------------------------------------------------------


def _anchorage(ground: Ground, cut: Borders, place: Place, usual: Things) -> Point:
    """The best point in the water off a section's coast for the anchor of its port."""
    radius = PORT_RADIUS * ground.scale
    land = shapely.union_all([ground.shapes[each.number] for each in ground.atlas if not each.ocean])
    boxes = [_shape(thing) for things in usual.values() for thing in things]
    lines = [LineString(drawing.points) for drawing in ground.atlas.drawings]
    number = next(thing for thing in usual[place.number] if thing.what == "number")

    def cost(at: Point) -> float:
        disc = shapely.Point(at).buffer(radius)
        near = sum(box.intersection(disc).area for box in boxes) * 0.2
        wet = disc.intersection(land).area * 0.02
        strange = disc.buffer(6).intersection(land.difference(ground.shapes[place.number])).area * 0.1
        crossed = 4 * sum(line.distance(disc) < 2 for line in lines)
        return float(near + wet + strange + crossed + 0.03 * math.dist(at, (number.x, number.y)))

    coasts = (e for e in cut.edges if e.section == place.number and e.along != RIM and ground.atlas[e.along].ocean)
    spots = [spot for edge in coasts for spot in _off(edge, plain.OFF_SHORE * ground.scale)]
    x, y = min(spots, key=lambda at: (cost(at), at))
    return round(x, 1), round(y, 1)


def _shape(thing: Placed) -> Polygon:
    x, y, w, h = thing.x, thing.y, thing.half_width, thing.half_height
    return shapely.box(x - w, y - h, x + w, y + h)


def _off(edge: Edge, distance: float) -> Iterator[Point]:
    """Points off an edge, outside the section, which lies on its right."""
    for (x, y), (dx, dy) in _walk(LineString(edge.points)):
        yield x + dy * distance, y - dx * distance


def _walk(line: LineString) -> Iterator[tuple[Point, Point]]:
    """Points along a line, off its ends, each with the direction of the line there."""
    count = max(2, round(line.length / SAMPLE))
    for step in range(1, count):
        here = line.length * step / count
        a, b, at = (line.interpolate(max(0.0, here + ahead)) for ahead in (-6.0, 6.0, 0.0))
        length = math.dist((a.x, a.y), (b.x, b.y)) or 1.0
        yield (at.x, at.y), ((b.x - a.x) / length, (b.y - a.y) / length)


# --- arrows -------------------------------------------------------------------------------------------------------


def _gates(
    ground: Ground, cut: Borders, usual: Things, ports: Mapping[int, Point]
) -> Iterator[tuple[str, tuple[Gate, ...]]]:
    """For every border the best places where an arrow may cross it."""
    radius = PORT_RADIUS * ground.scale
    harbours = [Placed("port", x, y, radius, radius, 1.0) for x, y in ports.values()]
    pairs = {
        (e.section, e.along) for e in cut.edges if e.section < e.along and e.along in ground.atlas[e.section].neighbours
    }
    for one, other in sorted(pairs):
        lines = [e.points for e in cut.edges if (e.section, e.along) == (one, other)]
        things = [*usual[one], *usual[other], *harbours]
        yield f"{one}-{other}", _best(_candidates(ground, one, other, lines), things)
    for place in ground.atlas:
        for number in sorted(place.borders.get("strait", ())):
            if place.number < number:
                yield f"{place.number}-{number}", (_ferry(ground, place.number, number),)


Rated = tuple[float, Gate]


def _candidates(ground: Ground, one: int, other: int, lines: Iterable[Sequence[Point]]) -> Iterator[Rated]:
    """Arrows from one section to its neighbour anywhere along their border, each with what speaks against it."""
    (ax, ay), (bx, by) = ground.atlas[one].centre, ground.atlas[other].centre
    length = math.dist((ax, ay), (bx, by))
    for line in map(LineString, lines):
        middle = line.interpolate(0.5, normalized=True)
        for (x, y), (dx, dy) in _walk(line):
            # Square to the border, and somewhat toward the other centre. The neighbour lies on the left of the edge.
            heading = _unit(dy + 0.5 * (bx - ax) / length, -dx + 0.5 * (by - ay) / length)
            back = _reach(ground, one, (x, y), (-heading[0], -heading[1]))
            ahead = _reach(ground, other, (x, y), heading)
            gate = _rounded(
                x - heading[0] * back, y - heading[1] * back, x + heading[0] * ahead, y + heading[1] * ahead
            )
            cramped = 2 * plain.ARROW * ground.scale - back - ahead
            yield 0.12 * math.dist((x, y), (middle.x, middle.y)) + cramped - 0.05 * line.length, gate


def _reach(ground: Ground, number: int, at: Point, heading: Point) -> float:
    """How far an arrow may reach from a border into a section: as far as arrows do, unless it is narrow there."""
    room, reach = ground.shapes[number].buffer(-ROOM), plain.ARROW * ground.scale
    while reach > SHORTEST * ground.scale:
        if shapely.contains_xy(room, at[0] + heading[0] * reach, at[1] + heading[1] * reach):
            break
        reach -= 2.0
    return reach


def _unit(x: float, y: float) -> Point:
    length = math.hypot(x, y) or 1.0
    return x / length, y / length


def _rounded(*gate: float) -> Gate:
    ax, ay, bx, by = (round(value, 1) for value in gate)
    return ax, ay, bx, by


def _best(candidates: Iterable[Rated], things: Sequence[Placed]) -> tuple[Gate, ...]:
    """The best gates, none too near to another."""
    rated = sorted((cost + 6 * arrows.covered(gate, things), gate) for cost, gate in candidates)
    kept: list[Gate] = []
    for _, gate in rated:
        if len(kept) < GATES and all(math.dist(arrows.middle(gate), arrows.middle(each)) >= APART for each in kept):
            kept.append(gate)
    return tuple(kept)


def _ferry(ground: Ground, one: int, other: int) -> Gate:
    """An arrow along the drawn line of a strait, and some way on at both ends."""
    a, b = shapely.shortest_line(ground.shapes[one], ground.shapes[other]).coords
    dx, dy = _unit(b[0] - a[0], b[1] - a[1])
    beyond = plain.ARROW * 0.8 * ground.scale
    return _rounded(a[0] - dx * beyond, a[1] - dy * beyond, b[0] + dx * beyond, b[1] + dy * beyond)
