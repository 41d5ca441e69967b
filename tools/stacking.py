"""Find the best place for what stands in a section, on a grid of one cell for each square unit.

A stack of things costs what it covers (ground of its own section is free, foreign ground dear, rivers and ports
dearer), and how far it strays from the centre. Sums over boxes come from summed-area tables, for many places of a
stack at once.
"""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
import numpy.typing as npt
import shapely
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from pbem.core.graph import Point
from pbem.rulesets.nippon.atlas import Atlas, Place
from pbem.rulesets.nippon.drawing.chart import map_scale, sheet
from pbem.rulesets.nippon.drawing.stacks import Content, Placed, Row, Shape, Stack, extent, parts, placed, spread, ways

Grid = npt.NDArray[np.float64]
Cells = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]
"""Rows and columns of a grid."""

PAD = 220
"""Cells round the sheet, so that no search runs off the grid."""
ROAM, STRIDE = 36, 3
"""How far from the centre a stack may go, and by which steps it is tried."""
WINDOW = 200
"""How far from the centre anything of a stack may reach."""
NEAR_BORDER, BANDED = 4.0, 11.0
"""Things keep so far from the border of their section, if they can; and off the band of its owner."""
ON_BAND, AT_BORDER, ON_WATER, ON_FOREIGN = 0.02, 0.12, 0.2, 0.35
"""Cost of a covered square unit: on the band, on the own border, on water or off the map, on foreign land."""
ON_THINGS, ON_LINE, ON_PORT, OFF_SHEET = 0.5, 0.1, 0.5, 2.0
"""The same: on the usual things of a neighbour, a river or strait, a port, the frame."""
STRAY, WANDER = 0.03, 0.1
"""Cost of a unit by which a stack strays from the centre, and its number from the usual place."""
NAMELESS, LOPSIDED, NAMES = 6.0, 0.01, 2.5
"""Cost of leaving out the name, and of a unit between width and height; how much dearer names are, having no rim."""
SMALLER = ((100, 0.0), (86, 22.0), (74, 48.0))
"""Scales to try, in per cent, and what each costs."""
FRAME = 14
"""Width of the frame round the sheet."""
PORT_RADIUS = 10.0


class Ground:
    """A map as the search sees it."""

    def __init__(self, atlas: Atlas) -> None:
        self.atlas = atlas
        self.scale = map_scale(atlas)
        self.shapes = {place.number: Polygon(place.outline) for place in atlas}
        width, height = sheet(atlas)
        size = height + 2 * PAD, width + 2 * PAD
        self._owner, self._things = np.zeros(size, np.int16), np.zeros(size, np.int16)
        self._inside = np.full(size, AT_BORDER)
        self._extra = np.full(size, OFF_SHEET)
        self._extra[PAD + FRAME : -PAD - FRAME, PAD + FRAME : -PAD - FRAME] = 0.0
        for number, shape in self.shapes.items():
            self._owner[cells(shape)] = number
            self._inside[cells(shape.buffer(-NEAR_BORDER))] = ON_BAND
            self._inside[cells(shape.buffer(-BANDED))] = 0.0
        for drawing in atlas.drawings:
            self._extra[cells(LineString(drawing.points).buffer(1.5))] += ON_LINE
        self._ocean = np.array([True, *(place.ocean for place in atlas)])

    def keep_clear(self, usual: Mapping[int, Iterable[Placed]], ports: Iterable[Point]) -> None:
        """From now on: off the ports, and off the usual things of other sections."""
        for number, things in usual.items():
            for thing in things:
                self._things[_box(thing)] = number
        for port in ports:
            self._extra[cells(shapely.Point(port).buffer((PORT_RADIUS + 3) * self.scale))] += ON_PORT

    def stacks(self, place: Place, every: Iterable[Content], usual: Iterable[Placed] = ()) -> Iterator[Stack]:
        """The best way and place to stack each content; the number is drawn to where it usually stands."""
        home = next(((thing.x, thing.y) for thing in usual if thing.what == "number"), None)
        search = _Search(self, place, home)
        return (search.best(content) for content in every)

    def things(self, place: Place, content: Content) -> tuple[Placed, ...]:
        """What stands in a section, stacked at its best."""
        (stack,) = self.stacks(place, [content])
        return placed(Shape.of(place), content, stack, self.scale)

    def costs(self, place: Place) -> Grid:
        """What each cell of the window round a section's centre costs it."""
        row, column = (round(value) + PAD for value in reversed(place.centre))
        window = slice(row - WINDOW, row + WINDOW), slice(column - WINDOW, column + WINDOW)
        owner, things = self._owner[window], self._things[window]
        cost = np.where(self._ocean[owner] | np.bool_(place.ocean), ON_WATER, ON_FOREIGN)
        cost = np.where(owner == place.number, self._inside[window], cost)
        strange: Grid = np.where((things != 0) & (things != place.number), ON_THINGS, 0.0)
        return strange + cost + self._extra[window]


class _Search:
    """The search for the best stacks of one section."""

    def __init__(self, ground: Ground, place: Place, home: Point | None) -> None:
        self._shape, self._scale, self._home = Shape.of(place), ground.scale, home
        self._sums = np.pad(ground.costs(place).cumsum(0).cumsum(1), ((1, 0), (1, 0)))
        self._known: dict[tuple[int, int], Grid] = {}
        steps = np.arange(-ROAM, ROAM + 1, STRIDE)
        dx, dy = np.meshgrid(steps, steps)
        self._x, self._y = dx + round(place.centre[0]), dy + round(place.centre[1])
        self._stray = STRAY * np.hypot(self._x - place.centre[0], self._y - place.centre[1])

    def best(self, content: Content) -> Stack:
        """The best of all ways, places and scales."""
        every = ways(parts(self._shape, content))
        different = {rows: way for way, rows in reversed(list(enumerate(every)))}
        trials = [
            (prior + price, way, rows, percent)
            for rows, way in different.items()
            if (prior := self._price(rows)) < float("inf")
            for percent, price in SMALLER
        ]
        least, found = float("inf"), Stack(0, 0, 0, 100)
        for price, way, rows, percent in sorted(trials):
            if price >= least:
                break
            cost, x, y = self._attempt(tuple(spread(rows, (0.0, 0.0), self._scale * percent / 100)))
            if price + cost < least:
                least, found = price + cost, Stack(way, x, y, percent)
        return found

    def _price(self, rows: tuple[Row, ...]) -> float:
        """What a way of stacking costs wherever it stands; too long a row is out of the question."""
        width, height = extent(rows)
        if max(width, height) * self._scale / 2 > WINDOW - ROAM - STRIDE:
            return float("inf")
        named = any(thing.what == "name" for row in rows for thing in row)
        return LOPSIDED * abs(width - height) + (0.0 if named else NAMELESS)

    def _attempt(self, things: Iterable[Placed]) -> tuple[float, int, int]:
        """The least cost of all places for a stack, and that place."""
        cost = self._stray
        for thing in things:
            cost = cost + self._covered(thing) * (NAMES if thing.what == "name" else 1.0)
            if thing.what == "number" and self._home:
                cost = cost + WANDER * np.hypot(self._x + thing.x - self._home[0], self._y + thing.y - self._home[1])
        least = np.unravel_index(cost.argmin(), cost.shape)
        return round(float(cost[least]), 6), int(self._x[least]), int(self._y[least])

    def _covered(self, thing: Placed) -> Grid:
        """The cost of all cells that a thing would cover, for every place of the stack."""
        boxes = self._boxes(round(2 * thing.half_width), round(2 * thing.half_height))
        left, top = (
            round(thing.x - thing.half_width) + WINDOW - ROAM,
            round(thing.y - thing.half_height) + WINDOW - ROAM,
        )
        ends = 2 * ROAM + 1
        return boxes[top : top + ends : STRIDE, left : left + ends : STRIDE]

    def _boxes(self, width: int, height: int) -> Grid:
        """The cost of a box of this size, by the place of its upper left corner."""
        if (width, height) not in self._known:
            sums = self._sums
            near, far = sums[:-height, :-width] + sums[height:, width:], sums[:-height, width:] + sums[height:, :-width]
            self._known[width, height] = near - far
        return self._known[width, height]


def cells(shape: BaseGeometry) -> Cells:
    """The cells whose middle lies in a shape."""
    if shape.is_empty:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    x0, y0, x1, y1 = (int(value) for value in shape.bounds)
    xs, ys = np.meshgrid(np.arange(x0 - 1, x1 + 2), np.arange(y0 - 1, y1 + 2))
    hit = shapely.contains_xy(shape, xs + 0.5, ys + 0.5)
    return ys[hit] + PAD, xs[hit] + PAD


def _box(thing: Placed) -> tuple[slice, slice]:
    left, right = (round(thing.x + side * thing.half_width) + PAD for side in (-1, 1))
    top, bottom = (round(thing.y + side * thing.half_height) + PAD for side in (-1, 1))
    return slice(top, bottom), slice(left, right)
