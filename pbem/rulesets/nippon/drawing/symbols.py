"""The little trees, hills and waves that show the terrain: their shapes, and how they are sown over a section."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from pbem.core.graph import Point
from pbem.rulesets.nippon.atlas import Place
from pbem.rulesets.nippon.drawing.palette import SYMBOL
from pbem.rulesets.nippon.drawing.stacks import Placed
from pbem.rulesets.nippon.drawing.svg import num


class Symbol(NamedTuple):
    """One symbol: its centre, and whether it is a flake of snow rather than the terrain's own."""

    x: float
    y: float
    flake: bool = False


SPACING = {"plains": 19.0, "forest": 13.5, "mountains": 17.5, "marsh": 16.0, "wasteland": 16.0, "ocean": 36.0}
REACH = 5.5
"""How far a symbol reaches from its centre."""

SHAPES: dict[str, tuple[tuple[float, str], ...]] = {
    "forest": ((1.4, "m0 5v-3.5"), (0, "m0-6l4.2 7.8h-8.4z")),
    "mountains": ((1.5, "m-6.4 4.6l6.4-10.6l6.4 10.6"), (0, "m0-6l6.4 10.6h-4.2l-1.3-4.2z")),
    "marsh": ((1.35, "m-6 3.4h12m-9.4-2l-1.2-4.4m4.6 4.2v-5.8m3.4 6l1.2-4.4"),),
    "wasteland": ((1.35, "m-5.4-2.6l3.8 2.8l-1.4 4m1.4-4l3.6-1.6l3.2 3m-3.2-3l.6-3.6"),),
    "ocean": ((1.3, "m-8 0q2.7-3.6 5.3 0t5.3 0t5.3 0"),),
    "plains": ((1.15, "m-2.8-1.2l1.4 3.4m1.4-4.8v4.8m2.8-3.4l-1.4 3.4"),),
    "snow": ((1.3, "m0-4.6v9.2m-4-6.9l8 4.6m0-4.6l-8 4.6"),),
}
"""By kind: paths that begin at the centre of the symbol, each with its width of line, or 0 if it is filled."""


def start(symbol: Symbol, scale: float) -> str:
    """The beginning of a symbol's path."""
    return f"M{num(symbol.x / scale)} {num(symbol.y / scale)}"


def drawn(starts: Iterable[tuple[str, str]], scale: float) -> str:
    """Symbols, given as kind and beginning of their paths: as few paths as can be, whatever their number."""
    by_kind: dict[str, list[str]] = defaultdict(list)
    for kind, begin in starts:
        by_kind[kind].append(begin)
    art = "".join(_paths(kind, by_kind[kind]) for kind in sorted(by_kind))
    return f'<g transform="scale({scale:.4g})" stroke-linecap="round" stroke-linejoin="round">{art}</g>'


def _paths(kind: str, starts: list[str]) -> str:
    out = ""
    for width, shape in SHAPES[kind]:
        pen = f'fill="none" stroke="{SYMBOL[kind]}" stroke-width="{width}"' if width else f'fill="{SYMBOL[kind]}"'
        out += f'<path d="{shape.join([*starts, ""])}" {pen}/>'
    return out


def sow(place: Place, scale: float, free: Callable[[Point], bool]) -> tuple[Symbol, ...]:
    """Symbols on an uneven grid over a section, wherever there is room; every second one a flake if it has snow."""
    grown = (at for at in _grid(place, SPACING[place.terrain] * (1 + 1.4 * (scale - 1))) if free(at))
    return tuple(Symbol(x, y, place.snow and count % 2 == 1) for count, (x, y) in enumerate(grown))


def _grid(place: Place, gap: float) -> Iterator[Point]:
    xs, ys = [x for x, _ in place.outline], [y for _, y in place.outline]
    for row in range(int((max(ys) - min(ys)) / (gap * 0.82)) + 1):
        for column in range(int((max(xs) - min(xs)) / gap) + 1):
            dx, dy = _jitter(place.number * 1009 + row * 37 + column)
            x = min(xs) + gap * (column + 0.25 + 0.5 * (row % 2) + dx)
            y = min(ys) + gap * (0.82 * row + 0.3 + dy)
            yield round(x, 1), round(y, 1)


def _jitter(count: int) -> Point:
    """Two numbers from -0.17 to 0.17 that look like chance: the additive sequence of the plastic number."""
    return (count * 0.7548776662 % 1 - 0.5) * 0.34, (count * 0.5698402910 % 1 - 0.5) * 0.34


class Seed(NamedTuple):
    """A symbol ready to be drawn: where it is, what it shows, how its path begins."""

    x: float
    y: float
    kind: str
    begin: str


def clear(seeds: Iterable[Seed], things: Sequence[Placed], scale: float) -> Iterator[Seed]:
    """The symbols that keep clear of things."""
    reach = REACH * scale
    boxes = [(t.x, t.half_width + reach, t.y, t.half_height + reach) for t in things]
    for seed in seeds:
        for x, half_width, y, half_height in boxes:
            if abs(seed.x - x) < half_width and abs(seed.y - y) < half_height:
                break
        else:
            yield seed
