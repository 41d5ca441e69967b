"""A map made ready to draw: everything that is the same turn after turn, prepared once."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from pbem.core.graph import Point
from pbem.rulesets.nippon.atlas import Atlas
from pbem.rulesets.nippon.drawing import layout as layouts
from pbem.rulesets.nippon.drawing import palette, symbols
from pbem.rulesets.nippon.drawing.borders import RIM, Borders, Edge, area, borders
from pbem.rulesets.nippon.drawing.layout import Gate, Layout
from pbem.rulesets.nippon.drawing.plain import anchorage, plain_layout, plain_stack, room
from pbem.rulesets.nippon.drawing.stacks import MOST_SHIELDS, Content, Placed, Shape, Stack, contents, placed
from pbem.rulesets.nippon.drawing.svg import attributes, group, path, points
from pbem.rulesets.nippon.drawing.symbols import Seed, Symbol

ROOMY = 70.0
"""Side of a square as large as the middling section of a map that is drawn at full scale."""
LARGEST = 1.5
"""The most that symbols and marks grow on a map of large sections."""


@dataclass(frozen=True)
class Chart:
    """A map ready to draw."""

    atlas: Atlas
    borders: Borders
    scale: float
    """How large symbols and marks are."""
    insets: tuple[str, ...]
    """For each edge: the points of the line that a band along it follows."""
    seeds: tuple[tuple[Seed, ...], ...]
    """By section, from the first."""
    spots: tuple[tuple[Shape, Point, tuple[float, float]], ...]
    """By section, from the first: what bears on the stacking, the centre, the room round it."""
    stacks: tuple[Mapping[Content, Stack], ...]
    """By section, from the first."""
    gates: Mapping[tuple[int, int], tuple[Gate, ...]]
    """Where arrows from one section to another may run, the best place first."""
    ports: Mapping[int, Point]
    outlines: str
    """Definitions of the sections' outlines: ``s1``, ``s2`` ..."""
    ground: str
    """Paper, water and land."""
    lines: str
    """Rivers, borders, coasts and straits."""

    def things(self, number: int, content: Content) -> tuple[Placed, ...]:
        """Everything that stands in a section, in its place."""
        return placed(self.spots[number - 1][0], content, self._stack(number, content), self.scale)

    def fits(self, number: int, content: Content) -> bool:
        """Whether a section has room for all this at full scale."""
        return self._stack(number, content).percent == 100

    def _stack(self, number: int, content: Content) -> Stack:
        settled = self.stacks[number - 1].get(content)
        if settled:
            return settled
        if content.shields > MOST_SHIELDS:
            fewer = self._stack(number, content._replace(shields=MOST_SHIELDS))
            return fewer._replace(percent=fewer.percent * MOST_SHIELDS // content.shields)
        shape, centre, room = self.spots[number - 1]
        return plain_stack(shape, content, centre, room, self.scale)


class _Map:
    """An atlas as the key of a cache: alike maps are the same."""

    def __init__(self, atlas: Atlas) -> None:
        self.atlas = atlas
        lines = tuple((drawing.kind, drawing.points) for drawing in atlas.drawings)
        sections = tuple((p.name, p.terrain, p.site, p.snow, p.port, p.headquarters, p.outline) for p in atlas)
        self.key = (atlas.name, atlas.size, atlas.legend_at, lines, sections)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Map) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key[:2])  # All its outlines would take longer than much of the drawing.


def chart(atlas: Atlas) -> Chart:
    """The map made ready, from its shipped layout if it has one."""
    return _chart(_Map(atlas))


@lru_cache(maxsize=32)
def _chart(key: _Map) -> Chart:
    atlas = key.atlas
    cut, scale = borders(atlas), map_scale(atlas)
    settled = layouts.shipped(atlas) or plain_layout(atlas, cut, scale)
    return Chart(
        atlas,
        cut,
        scale,
        insets=tuple(map(points, settled.insets)),
        seeds=_seeds(atlas, settled, scale),
        spots=tuple((Shape.of(place), place.centre, room(place)) for place in atlas),
        stacks=_stacks(atlas, settled),
        gates=_both_ways(settled.gates),
        ports=_ports(atlas, cut, settled),
        outlines="".join(f'<path id="s{place.number}" d="{path(place.outline, closed=True)}"/>' for place in atlas),
        ground=_ground(atlas, cut),
        lines=_lines(atlas, cut),
    )


def map_scale(atlas: Atlas) -> float:
    """How large symbols and marks are drawn: larger where sections are roomy."""
    land = [abs(area(place.outline)) for place in atlas if not place.ocean]
    return min(LARGEST, max(1.0, math.sqrt(sum(land) / max(len(land), 1)) / ROOMY))


def _seeds(atlas: Atlas, settled: Layout, scale: float) -> tuple[tuple[Seed, ...], ...]:
    return tuple(
        tuple(
            Seed(symbol.x, symbol.y, "snow" if symbol.flake else place.terrain, symbols.start(symbol, scale))
            for symbol in map(Symbol._make, sown)
        )
        for place, sown in zip(atlas, settled.symbols, strict=True)
    )


def _stacks(atlas: Atlas, settled: Layout) -> tuple[dict[Content, Stack], ...]:
    found = settled.stacks or ((),) * len(atlas.places)
    return tuple(
        dict(zip(contents(place), map(Stack._make, each), strict=False))
        for place, each in zip(atlas, found, strict=True)
    )


def _both_ways(gates: Mapping[str, tuple[Gate, ...]]) -> dict[tuple[int, int], tuple[Gate, ...]]:
    out: dict[tuple[int, int], tuple[Gate, ...]] = {}
    for pair, ways in gates.items():
        low, high = map(int, pair.split("-"))
        out[low, high] = ways
        out[high, low] = tuple((cx, cy, ax, ay) for ax, ay, cx, cy in ways)
    return out


# --- what never changes -------------------------------------------------------------------------------------------


def _ground(atlas: Atlas, cut: Borders) -> str:
    """Paper, the charted sea, shallows along the coasts, land in the colours of its terrain."""
    sea, width, height = _by_colour(atlas, ocean=True), *sheet(atlas)
    land_rim = _strokes(e for e in cut.edges if not atlas[e.section].ocean and e.along == RIM)
    shores = _strokes(e for e in cut.edges if not atlas[e.section].ocean and e.along != RIM and atlas[e.along].ocean)
    paper = f'<rect width="{width}" height="{height}" fill="{palette.PAPER}"/>'
    edge = _pen(land_rim, palette.SHADOW, 14)
    shallows = "".join(_pen(shores, colour, wide) for wide, colour in palette.SHALLOWS)
    return paper + edge + sea + shallows + _sea_borders(atlas, cut) + _by_colour(atlas, ocean=False)


def _by_colour(atlas: Atlas, *, ocean: bool) -> str:
    numbers: dict[str, list[int]] = {}
    for place in atlas:
        if place.ocean == ocean:
            numbers.setdefault(palette.ground(place.terrain, snow=place.snow), []).append(place.number)
    return "".join(
        group("".join(f'<use href="#s{n}"/>' for n in each), fill=colour) for colour, each in numbers.items()
    )


def _sea_borders(atlas: Atlas, cut: Borders) -> str:
    water = [e for e in cut.edges if atlas[e.section].ocean]
    lines = _strokes(e for e in water if e.along == RIM or (e.section < e.along and atlas[e.along].ocean))
    return _pen(lines, palette.SEA_BORDER, 1.2)


def _lines(atlas: Atlas, cut: Borders) -> str:
    land = [e for e in cut.edges if not atlas[e.section].ocean]
    inner = _strokes(e for e in land if e.section < e.along and not atlas[e.along].ocean)
    coast = _strokes(e for e in land if e.along == RIM or atlas[e.along].ocean)
    rivers = "".join(path(drawing.points) for drawing in atlas.drawings if drawing.kind == "river")
    straits = "".join(path(drawing.points) for drawing in atlas.drawings if drawing.kind == "strait")
    return (
        _pen(rivers, palette.PAPER, 4.6, stroke_opacity=".7")
        + _pen(rivers, palette.WATER, 2.6)
        + _pen(inner, palette.SOFT, 1.25)
        + _pen(coast, palette.INK, 2)
        + _pen(straits, palette.PAPER, 6)
        + _pen(straits, palette.INK, 2.8, stroke_dasharray="0 5.2")
    )


def _strokes(edges: Iterable[Edge]) -> str:
    return "".join(path(edge.points) for edge in edges)


def _pen(d: str, colour: str, width: float, **more: str) -> str:
    """A line along a path, or nothing if the path is empty."""
    pen = f'fill="none" stroke="{colour}" stroke-width="{width:g}" stroke-linecap="round" stroke-linejoin="round"'
    return f'<path d="{d}" {pen}{attributes(more)}/>' if d else ""


STRIP = 334
"""Height of the strip below a map that leaves no corner free for the legend."""


def sheet(atlas: Atlas) -> tuple[int, int]:
    """Width and height of the whole picture."""
    width, height = atlas.size
    return width, height + (0 if atlas.legend_at else STRIP)


def _ports(atlas: Atlas, cut: Borders, settled: Layout) -> dict[int, Point]:
    """Where a port lies, or would lie, off every coast."""
    coasts = {place.number: anchorage(place, atlas, cut) for place in atlas if place.borders.get("coast")}
    return {number: at for number, at in (coasts | settled.ports).items() if not atlas[number].ocean}
