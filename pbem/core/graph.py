"""Maps as graphs: distances, shortest paths and bearings."""

import math
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, TypeVar


class Node(Protocol):
    """What stands for a node: something that can be a key, and put in order."""

    def __hash__(self) -> int: ...

    def __lt__(self, other: Any, /) -> bool: ...


N = TypeVar("N", bound=Node)
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


def shortest_path(start: N, left: Mapping[N, int], neighbours: Callable[[N], Iterable[N]]) -> tuple[N, ...] | None:
    """The shortest path to the node from which ``left`` gives the :func:`distances`; ``None`` if there is none.

    The start is left out, the goal included. Of equally short ones the one whose nodes come first in order.
    """
    if start not in left:
        return None
    path: list[N] = []
    for steps in range(left[start] - 1, -1, -1):
        path.append(min(node for node in neighbours(path[-1] if path else start) if left.get(node) == steps))
    return tuple(path)


def bearing(origin: Point, target: Point) -> float:
    """The direction from one point to another: degrees clockwise from the top of a map whose y grows downward."""
    return math.degrees(math.atan2(target[0] - origin[0], origin[1] - target[1])) % 360


def angle_between(first: float, second: float) -> float:
    """The angle between two bearings, 0 to 180 degrees, to a millionth."""
    return round(abs((first - second + 180) % 360 - 180), 6)
