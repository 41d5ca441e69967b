"""Moves as arrows over the borders that were crossed."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pbem.core.graph import Point
from pbem.rulesets.nippon.drawing.chart import Chart
from pbem.rulesets.nippon.drawing.layout import Gate
from pbem.rulesets.nippon.drawing.palette import PAPER, sign
from pbem.rulesets.nippon.drawing.stacks import Placed
from pbem.rulesets.nippon.drawing.svg import num, put, text

BOW = 0.16
"""How far an arrow bends to the left, as a share of its length."""
SIDESTEP = 9.0
"""How far an arrow gives way to another one on the same spot."""
REACHES = (1.0, 0.8, 0.6)
"""How far an arrow may be drawn in, as shares of its reach."""
MARGIN = 5.0
"""How near an arrow may come to a number or a shield without harm."""


@dataclass(frozen=True)
class Arrow:
    """The way of one or several banners of a realm: a smooth line through these points, with a head at the end."""

    seat: str
    sections: tuple[int, ...]
    points: tuple[Point, ...]


def arrows(
    chart: Chart, ways: Iterable[tuple[str, tuple[int, ...]]], things: Mapping[int, Sequence[Placed]]
) -> list[Arrow]:
    """One arrow for each realm and path; each takes the gates where it covers least of what stands in the sections."""
    used: Counter[Gate] = Counter()
    return [Arrow(seat, path, line) for seat, path in sorted(set(ways)) if (line := _line(chart, path, things, used))]


def _line(
    chart: Chart, path: tuple[int, ...], things: Mapping[int, Sequence[Placed]], used: Counter[Gate]
) -> tuple[Point, ...]:
    """From behind the first border to beyond the last, through all between; nothing if a step crosses no border."""
    crossed: list[Gate] = []
    for step in pairwise(path):
        if step not in chart.gates:
            return ()
        near = [*things.get(step[0], ()), *things.get(step[1], ())]
        before = middle(crossed[-1]) if crossed else None
        gates = chart.gates[step]
        harm = [_harm(gate, before, near) + 9 * used[_spot(gate)] + 2 * rank for rank, gate in enumerate(gates)]
        gate = gates[harm.index(min(harm))]
        crossed.append(_aside(_shortened(gate, near), used[_spot(gate)] * SIDESTEP))
        used[_spot(gate)] += 1
    if not crossed:
        return ()
    return (crossed[0][:2], *(_bowed(*gate) for gate in crossed), crossed[-1][2:])


def _harm(gate: Gate, before: Point | None, things: Sequence[Placed]) -> int:
    """How much an arrow would cover that comes through this gate from the gate before."""
    return covered(gate, things) + (covered((*before, *middle(gate)), things) if before else 0)


def _shortened(gate: Gate, things: Sequence[Placed]) -> Gate:
    """The same arrow, with ends drawn in where they would lie on things."""
    return (*_drawn_in(middle(gate), gate[:2], things), *_drawn_in(middle(gate), gate[2:], things))


def _drawn_in(border: Point, end: Point, things: Sequence[Placed]) -> Point:
    for share in REACHES:
        spot = border[0] + (end[0] - border[0]) * share, border[1] + (end[1] - border[1]) * share
        if not any(_near(spot, thing) for thing in things):
            return spot
    return end


def _near(spot: Point, thing: Placed) -> bool:
    return abs(spot[0] - thing.x) < thing.half_width + MARGIN and abs(spot[1] - thing.y) < thing.half_height + MARGIN


def middle(gate: Gate) -> Point:
    """The point where an arrow crosses the border."""
    return (gate[0] + gate[2]) / 2, (gate[1] + gate[3]) / 2


def _spot(gate: Gate) -> Gate:
    """The same for both directions of a gate."""
    return min(gate, (*gate[2:], *gate[:2]))


def covered(gate: Gate, things: Iterable[Placed]) -> int:
    """How much of an arrow through a gate would lie on things, in sevenths of its length."""
    ax, ay, bx, by = gate
    spots = [(ax + (bx - ax) * t / 6, ay + (by - ay) * t / 6) for t in range(7)]
    left, right = min(ax, bx) - MARGIN, max(ax, bx) + MARGIN
    above, below = min(ay, by) - MARGIN, max(ay, by) + MARGIN
    within = [
        thing
        for thing in things
        if left < thing.x + thing.half_width
        and right > thing.x - thing.half_width
        and above < thing.y + thing.half_height
        and below > thing.y - thing.half_height
    ]
    return sum(_near(spot, thing) for thing in within for spot in spots)


def _aside(gate: Gate, distance: float) -> Gate:
    ax, ay, bx, by = gate
    length = math.dist((ax, ay), (bx, by)) or 1.0
    dx, dy = -(by - ay) / length * distance, (bx - ax) / length * distance
    return ax + dx, ay + dy, bx + dx, by + dy


def _bowed(ax: float, ay: float, bx: float, by: float) -> Point:
    """The middle of a gate, moved to the left of the arrow's way."""
    return (ax + bx) / 2 + (by - ay) * BOW / 2, (ay + by) / 2 - (bx - ax) * BOW / 2


# --- drawing ------------------------------------------------------------------------------------------------------

HEAD = 11.0


def drawn(arrow: Arrow, scale: float) -> str:
    """An arrow with a pale rim, and the letter of its realm where it begins."""
    colour, (shaft, tip, heading) = sign(arrow.seat).colour, _shaft(arrow.points, HEAD * scale)
    head = _head(tip, heading, scale)
    return (
        f'<path d="{shaft}" fill="none" stroke="{PAPER}" stroke-width="{num(7.4 * scale)}" stroke-linecap="round"/>'
        f'<path d="{head}" fill="{PAPER}" stroke="{PAPER}" stroke-width="4" stroke-linejoin="round"/>'
        f'<path d="{shaft}" fill="none" stroke="{colour}" stroke-width="{num(3.8 * scale)}" stroke-linecap="round"/>'
        f'<path d="{head}" fill="{colour}"/>' + _tail(arrow, colour, scale)
    )


def _tail(arrow: Arrow, colour: str, scale: float) -> str:
    disc = f'<circle r="6.2" fill="{colour}" stroke="{PAPER}" stroke-width="1.6"/>'
    letter = text(arrow.seat, (0, 3.2), 9, colour="#fff", font_weight="bold", text_anchor="middle")
    return put(disc + letter, arrow.points[0], scale)


def _shaft(line: Sequence[Point], head: float) -> tuple[str, Point, Point]:
    """The path of the shaft, which ends where the head begins; the tip; and the direction there."""
    (ax, ay), (bx, by) = line[-2], line[-1]
    # The curve is drawn to the tip of the line but cut by the head's length along its last direction.
    length = math.dist((ax, ay), (bx, by)) or 1.0
    ux, uy = (bx - ax) / length, (by - ay) / length
    base = (bx - ux * head, by - uy * head)
    return _curve([*line[:-1], base]), (bx, by), (ux, uy)


def _curve(line: Sequence[Point]) -> str:
    """A smooth path through all points."""
    ends = [line[0], *line, line[-1]]
    out = [f"M{num(line[0][0])} {num(line[0][1])}"]
    for before, here, there, beyond in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        control = (here[0] + (there[0] - before[0]) / 6, here[1] + (there[1] - before[1]) / 6)
        other = (there[0] - (beyond[0] - here[0]) / 6, there[1] - (beyond[1] - here[1]) / 6)
        out.append("C" + " ".join(num(value) for point in (control, other, there) for value in point))
    return "".join(out)


def _head(tip: Point, heading: Point, scale: float) -> str:
    (x, y), (ux, uy) = tip, heading
    base = x - ux * HEAD * scale, y - uy * HEAD * scale
    half = 6.5 * scale
    return (
        f"M{num(x)} {num(y)}L{num(base[0] - uy * half)} {num(base[1] + ux * half)}"
        f"L{num(base[0] + uy * half)} {num(base[1] - ux * half)}Z"
    )


def touched(arrow: Arrow) -> Iterator[Point]:
    """Points along an arrow, close enough together to keep symbols off it."""
    for (ax, ay), (bx, by) in pairwise(arrow.points):
        count = max(1, round(math.dist((ax, ay), (bx, by)) / 7))
        yield from ((ax + (bx - ax) * i / count, ay + (by - ay) * i / count) for i in range(count + 1))
