"""A layout for a map that has none: quick, and good enough to play by."""

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial

from pbem.core.graph import Point
from pbem.rulesets.nippon.atlas import Atlas, Place
from pbem.rulesets.nippon.drawing.borders import Borders, Edge, steps
from pbem.rulesets.nippon.drawing.layout import Gate, Layout, likeness
from pbem.rulesets.nippon.drawing.palette import BAND
from pbem.rulesets.nippon.drawing.stacks import Content, Shape, Stack, extent, parts, ways
from pbem.rulesets.nippon.drawing.symbols import sow

CLEAR = 8.0
"""How far symbols keep from a border."""
ARROW = 21.0
"""How far an arrow reaches on either side of a border."""
OFF_SHORE = 7.0
"""How far a port lies out in the water."""
SMALLER = (100, 86, 72)
"""Scales to try, in per cent."""


def plain_layout(atlas: Atlas, borders: Borders, scale: float) -> Layout:
    """A layout without any search. Stacks are left to :func:`plain_stack`."""
    return Layout(
        likeness(atlas),
        symbols=tuple(sow(place, scale, partial(_roomy, place.outline)) for place in atlas),
        insets=tuple(inset(edge) for edge in borders.edges),
        gates=dict(_gates(atlas, borders, ARROW * scale)),
        ports={place.number: anchorage(place, atlas, borders) for place in atlas if place.port},
    )


@lru_cache(maxsize=4096)
def plain_stack(shape: Shape, content: Content, centre: Point, room: tuple[float, float], scale: float) -> Stack:
    """The way to stack things that fits best into ``room`` round the centre of a section."""
    x, y = map(round, centre)
    every = ways(parts(shape, content))
    best = min(
        (_excess(extent(rows), room, scale * percent / 100) + order * 0.5 + trial * 12, order, percent)
        for trial, percent in enumerate(SMALLER)
        for order, rows in enumerate(every)
    )
    return Stack(best[1], x, y, best[2])


def _excess(size: tuple[float, float], room: tuple[float, float], scale: float) -> float:
    return sum(max(0.0, side * scale - space) for side, space in zip(size, room, strict=True))


def room(place: Place) -> tuple[float, float]:
    """Width and height that are free round the centre, measured along the axes and both ways alike."""
    x, y = place.centre
    across = [
        ax + (bx - ax) * (y - ay) / (by - ay) for (ax, ay), (bx, by) in steps(place.outline) if (ay > y) != (by > y)
    ]
    down = [
        ay + (by - ay) * (x - ax) / (bx - ax) for (ax, ay), (bx, by) in steps(place.outline) if (ax > x) != (bx > x)
    ]
    return _between(x, across), _between(y, down)


def _between(middle: float, crossings: Sequence[float]) -> float:
    return 2 * min((abs(crossing - middle) for crossing in crossings), default=0.0)


def _roomy(outline: Sequence[Point], at: Point) -> bool:
    x, y = at
    corners = ((x, y), (x - CLEAR, y), (x + CLEAR, y), (x, y - CLEAR), (x, y + CLEAR))
    return all(inside(outline, corner) for corner in corners)


def inside(outline: Sequence[Point], at: Point) -> bool:
    """Whether a point lies within a ring."""
    x, y = at
    crossings = sum(
        (ay > y) != (by > y) and x < ax + (bx - ax) * (y - ay) / (by - ay) for (ax, ay), (bx, by) in steps(outline)
    )
    return crossings % 2 == 1


def inset(edge: Edge) -> tuple[Point, ...]:
    """The edge, moved by half a band into its section, which lies on the right."""
    return tuple(_sideways(edge.points, i, BAND / 2) for i in range(len(edge.points)))


def _sideways(line: Sequence[Point], index: int, distance: float) -> Point:
    """A point of a line, moved to the right of the way the line runs there."""
    (ax, ay), (bx, by) = line[max(index - 1, 0)], line[min(index + 1, len(line) - 1)]
    length = math.dist((ax, ay), (bx, by)) or 1.0
    x, y = line[index]
    return x - (by - ay) / length * distance, y + (bx - ax) / length * distance


def _gates(atlas: Atlas, borders: Borders, reach: float) -> Iterator[tuple[str, tuple[Gate, ...]]]:
    longest: dict[tuple[int, int], Edge] = {}
    for edge in borders.edges:
        pair = edge.section, edge.along
        if edge.section < edge.along and edge.along in atlas[edge.section].neighbours:
            longest[pair] = max(longest.get(pair, edge), edge, key=lambda each: len(each.points))
    for (one, other), edge in longest.items():
        middle = len(edge.points) // 2
        gate = (*_sideways(edge.points, middle, reach), *_sideways(edge.points, middle, -reach))
        yield f"{one}-{other}", (gate,)
    for place in atlas:
        for other in place.borders.get("strait", ()):
            if place.number < other:
                yield f"{place.number}-{other}", (_crossing(place, atlas[other]),)


def _crossing(one: Place, other: Place) -> Gate:
    """An arrow over a strait: between the nearest vertices, and a little way on at both ends."""
    a, b = min(((a, b) for a in one.outline for b in other.outline), key=lambda pair: math.dist(*pair))
    length = math.dist(a, b) or 1.0
    dx, dy = (b[0] - a[0]) / length * ARROW * 0.8, (b[1] - a[1]) / length * ARROW * 0.8
    return a[0] - dx, a[1] - dy, b[0] + dx, b[1] + dy


def anchorage(place: Place, atlas: Atlas, borders: Borders) -> Point:
    """Where a port lies: a point in the water off the middle of the longest coast."""
    coasts = [e for e in borders.edges if e.section == place.number and e.along and atlas[e.along].ocean]
    coast = max(coasts, key=lambda edge: len(edge.points)).points if coasts else (place.centre,)
    return _sideways(coast, len(coast) // 2, -OFF_SHORE)
