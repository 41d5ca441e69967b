"""Maps as graphs: distances, shortest paths and bearings."""

import math
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping
from heapq import heappop, heappush
from typing import Any, TypeVar

N = TypeVar("N", bound=Hashable)
Point = tuple[float, float]


def distances(start: N, neighbours: Callable[[N], Iterable[N]]) -> Mapping[N, int]:
    """Steps from ``start`` to every node that can be reached, itself included."""
    found, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        for there in neighbours(here):
            if there not in found:
                found[there] = found[here] + 1
                queue.append(there)
    return found


def best_path(
    start: N, goal: N, neighbours: Callable[[N], Iterable[N]], cost: Callable[[N], tuple[int, ...]]
) -> tuple[N, ...] | None:
    """The shortest path, ``start`` left out, ``goal`` included; ``None`` if there is none.

    Among equally short ones the one with the least sum of ``cost`` over its nodes, term by term; then the one
    whose nodes come first in order.
    """
    queue: list[tuple[int, tuple[int, ...], Any]] = [(0, (), (start,))]
    done: set[N] = set()
    while queue:
        steps, spent, path = heappop(queue)
        here = path[-1]
        if here == goal:
            return tuple(path[1:])
        if here in done:
            continue
        done.add(here)
        for there in neighbours(here):
            if there not in done:
                heappush(queue, (steps + 1, _add(spent, cost(there)), (*path, there)))
    return None


def _add(left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(left, right, strict=True)) if left else right


def bearing(origin: Point, target: Point) -> float:
    """The direction from one point to another: degrees clockwise from the top of a map whose y grows downward."""
    return math.degrees(math.atan2(target[0] - origin[0], origin[1] - target[1])) % 360


def angle_between(first: float, second: float) -> float:
    """The angle between two bearings, 0 to 180 degrees, to a millionth."""
    return round(abs((first - second + 180) % 360 - 180), 6)
