"""The outlines of sections cut at their corners: who lies along which stretch, and the border of a whole realm.

Neighbours share the vertices of their border. So a step of one outline is a step of the neighbour's outline, walked
the other way round.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from pbem.core.graph import Point
from pbem.rulesets.nippon.atlas import Atlas

Step = tuple[Point, Point]

RIM = 0
"""Stands for a neighbour where the map ends."""


@dataclass(frozen=True)
class Edge:
    """A stretch of a section's outline with the same neighbour along it; the section lies on its right."""

    section: int
    along: int
    points: tuple[Point, ...]
    after: int
    """Index of the edge that follows on the same outline."""


@dataclass(frozen=True)
class Borders:
    """All edges of a map, section by section."""

    edges: tuple[Edge, ...]

    @cached_property
    def twins(self) -> tuple[int, ...]:
        """For each edge the index of the same stretch seen from the neighbour; -1 on the rim."""
        ends = {(e.section, e.along, e.points[0], e.points[-1]): index for index, e in enumerate(self.edges)}
        return tuple(ends.get((e.along, e.section, e.points[-1], e.points[0]), -1) for e in self.edges)

    @cached_property
    def by_section(self) -> dict[int, tuple[int, ...]]:
        """The indexes of the edges of each section."""
        numbers = sorted({edge.section for edge in self.edges})
        return {number: tuple(i for i, e in enumerate(self.edges) if e.section == number) for number in numbers}

    def rings(self, owner: Mapping[int, str], seat: str) -> Iterator[tuple[int, ...]]:
        """The closed border of all that ``seat`` owns, as indexes of edges in their order."""
        mine = (index for number in owner if owner[number] == seat for index in self.by_section[number])
        waiting = {index for index in mine if owner.get(self.edges[index].along) != seat}
        while waiting:
            ring, here = [], min(waiting)
            while here in waiting:
                waiting.remove(here)
                ring.append(here)
                here = self._next(here, owner, seat)
            yield tuple(ring)

    def _next(self, index: int, owner: Mapping[int, str], seat: str) -> int:
        """The outer edge after this one: at a corner with a fellow section the border goes on along that one."""
        following = self.edges[index].after
        while owner.get(self.edges[following].along) == seat and self.twins[following] >= 0:
            following = self.edges[self.twins[following]].after
        return following


def borders(atlas: Atlas) -> Borders:
    """Cut the outlines of a map at the corners where the neighbour changes."""
    outlines = {place.number: clockwise(place.outline) for place in atlas}
    owner = {step: number for number, outline in outlines.items() for step in steps(outline)}
    edges: list[Edge] = []
    for number, outline in outlines.items():
        edges += _cut(number, outline, lambda step: owner.get((step[1], step[0]), RIM), len(edges))
    return Borders(tuple(edges))


def _cut(number: int, outline: Sequence[Point], beyond: Callable[[Step], int], first: int) -> list[Edge]:
    """The edges of one outline, the first of which gets the index ``first``."""
    ring = list(steps(outline))
    along = [beyond(step) for step in ring]
    cuts = [i for i in range(len(ring)) if along[i] != along[i - 1]] or [0]
    edges = []
    for order, (start, end) in enumerate(zip(cuts, [*cuts[1:], cuts[0] + len(ring)], strict=True)):
        line = (ring[start][0], *(ring[i % len(ring)][1] for i in range(start, end)))
        edges.append(Edge(number, along[start], line, first + (order + 1) % len(cuts)))
    return edges


def steps(outline: Sequence[Point]) -> Iterable[Step]:
    """From each vertex of a ring to the next."""
    return zip(outline, [*outline[1:], outline[0]], strict=True)


def area(outline: Sequence[Point]) -> float:
    """The area within a ring, positive if it runs clockwise on a map whose y grows downward."""
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in steps(outline)) / 2


def clockwise(outline: Sequence[Point]) -> tuple[Point, ...]:
    """The same ring, run clockwise."""
    return tuple(outline) if area(outline) > 0 else tuple(reversed(outline))
