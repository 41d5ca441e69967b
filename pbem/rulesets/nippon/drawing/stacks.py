"""What stands in a section, and the ways to stack it: the number, chips of owners, the name, signs and shields."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import NamedTuple, Self

from pbem.core.graph import Point
from pbem.rulesets.nippon.atlas import Place

GAP = 2.5
MOST_SHIELDS = 6
"""A layout settles the places of up to so many shields; more stand closer together."""


class Item(NamedTuple):
    """A thing to place: what it is (``number``, ``chip``, ``name`` ...), width and height."""

    what: str
    width: float
    height: float


class Placed(NamedTuple):
    """A thing in its place: what it is, its centre, half its width and half its height, the scale of its drawing."""

    what: str
    x: float
    y: float
    half_width: float
    half_height: float
    scale: float


Row = tuple[Item, ...]


class Shape(NamedTuple):
    """What of a section bears on the stacking."""

    number: int
    name: str
    ocean: bool
    headquarters: bool
    """A candidate for one."""

    @classmethod
    def of(cls, place: Place) -> Self:
        """The shape of a section."""
        return cls(place.number, place.name, place.ocean, place.headquarters)

    @property
    def lines(self) -> tuple[str, ...]:
        """The name as it is written: a sea has a line for each word."""
        return tuple(self.name.split()) if self.ocean else (self.name,)

    @property
    def name_size(self) -> float:
        """Height of the letters."""
        return 11.0 if self.ocean else 9.0


class Content(NamedTuple):
    """How many things of each kind stand in a section."""

    chips: int = 0
    """Of the owner, and of a realm that has lost its headquarters here."""
    site: bool = False
    mark: bool = False
    """Razed or fortified."""
    star: bool = False
    """A meeting or a battle."""
    shields: int = 0


class Stack(NamedTuple):
    """How the things are stacked: which of the :func:`ways`, around which point, at which scale in per cent."""

    way: int
    x: int
    y: int
    percent: int


CHIP, SIGN, CITADEL, MARK, STAR = 15.0, (25.0, 23.0), (24.0, 27.0), 22.0, 26.0
SHIELD = (20.0, 23.0)


def contents(place: Place) -> tuple[Content, ...]:
    """Everything that may have to be shown in a section, in the order in which layouts list it."""
    chips = range(1) if place.ocean else range(3 if place.headquarters else 2)
    sites = (False, True) if place.headquarters else (bool(place.site),)
    marks = (False,) if place.ocean else (False, True)
    return tuple(map(Content._make, product(chips, sites, marks, (False, True), range(MOST_SHIELDS + 1))))


@dataclass(frozen=True)
class Parts:
    """The things of a section, sorted for stacking."""

    label: Row
    name: tuple[Row, ...]
    signs: Row
    star: Row
    shields: Row


def parts(shape: Shape, content: Content) -> Parts:
    """The things of a section, with their sizes at full scale."""
    digits = len(str(shape.number))
    number = Item("number", 12 * digits + 8, 19) if shape.headquarters else Item("number", 12 * digits + 2, 16)
    site = Item("site", *(CITADEL if shape.headquarters else SIGN))
    size = shape.name_size
    return Parts(
        (number, *[Item("chip", CHIP, CHIP)] * content.chips),
        tuple((Item("name", 0.56 * size * len(line), size),) for line in shape.lines),
        (*[site] * content.site, *[Item("mark", MARK, MARK)] * content.mark),
        (Item("star", STAR, STAR),) * content.star,
        (Item("shield", *SHIELD),) * content.shields,
    )


def ways(thing: Parts) -> tuple[tuple[Row, ...], ...]:
    """All ways to stack the things, as rows from top to bottom; each way with the name, then all without it."""
    every = (*_ways(thing, thing.name), *_ways(thing, ()))
    return tuple(tuple(row for row in rows if row) for rows in every)


def _ways(thing: Parts, name: Sequence[Row]) -> Iterator[tuple[Row, ...]]:
    label, signs, star, shields = thing.label, thing.signs, thing.star, thing.shields
    half = (len(shields) + 1) // 2
    left, right = shields[:half], shields[half:]
    third = (len(shields) + 2) // 3
    yield label, *name, signs, left + star + right
    yield label + signs, *name, left + star + right
    yield label, *name, signs + left + star + right
    yield label + signs + left + star + right, *name
    yield label + star, *name, signs, shields
    yield label + star, *name, signs + shields
    yield label + star + signs, *name, shields
    yield label + signs, *name, left + star, right
    yield label, *name, signs + star, left, right
    yield label + signs, *name, star + shields[:third], shields[third : 2 * third], shields[2 * third :]
    yield *name, label + signs, left + star + right
    yield left + star + right, label + signs, *name
    yield left + star + right, label, *name, signs


def extent(rows: Sequence[Row]) -> tuple[float, float]:
    """Width and height of a stack at full scale."""
    width = max(sum(item.width for item in row) + GAP * (len(row) - 1) for row in rows)
    return width, sum(max(item.height for item in row) for row in rows) + GAP * (len(rows) - 1)


def spread(rows: Sequence[Row], centre: Point, scale: float) -> Iterator[Placed]:
    """Every thing of a stack in its place, row by row."""
    heights = [max([item.height for item in row]) for row in rows]
    y = centre[1] - (sum(heights) + GAP * (len(rows) - 1)) * scale / 2
    for row, height in zip(rows, heights, strict=True):
        x = centre[0] - (sum([item.width for item in row]) + GAP * (len(row) - 1)) * scale / 2
        for what, width, tall in row:
            half = width * scale / 2
            yield Placed(what, x + half, y + height * scale / 2, half, tall * scale / 2, scale)
            x += 2 * half + GAP * scale
        y += (height + GAP) * scale


@lru_cache(maxsize=8192)
def placed(shape: Shape, content: Content, stack: Stack, scale: float) -> tuple[Placed, ...]:
    """Everything in a section in its place, on a map of this scale."""
    rows = ways(parts(shape, content))[stack.way]
    return tuple(spread(rows, (stack.x, stack.y), scale * stack.percent / 100))
