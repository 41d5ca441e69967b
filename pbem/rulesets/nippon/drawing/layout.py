"""Where things go on a map, settled once by ``python -m tools.make_map layout`` and shipped beside the map."""

from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import chain
from math import fsum
from zlib import crc32

from pbem.core.codec import Codec
from pbem.core.graph import Point
from pbem.rulesets.nippon.atlas import Atlas

Gate = tuple[float, float, float, float]
"""Where an arrow over a border begins and ends: x and y of both points."""


@dataclass(frozen=True)
class Layout:
    """The settled part of a picture. What goes by section follows the order of the sections."""

    likeness: str
    """Of the map it was made for."""
    stacks: tuple[tuple[tuple[int, int, int, int], ...], ...] = ()
    """By section, for each of its ``contents``: a ``Stack``. Nothing: to be found when it is drawn."""
    symbols: tuple[tuple[tuple[float, float, bool], ...], ...] = ()
    """By section: its ``Symbol``s."""
    insets: tuple[tuple[Point, ...], ...] = ()
    """For each edge of the map's ``borders``: the line that a band along it follows."""
    gates: dict[str, tuple[Gate, ...]] = field(default_factory=dict)
    """For each border (``3-10``, the lower number first): where arrows may cross it, the best place first."""
    ports: dict[int, Point] = field(default_factory=dict)


CODEC = Codec(Layout)


def likeness(atlas: Atlas) -> str:
    """A short text that changes with anything that bears on a layout."""
    words = repr([(p.name, p.terrain, bool(p.site), p.snow, p.port, p.headquarters, p.centre) for p in atlas])
    lines = chain((place.outline for place in atlas), (drawing.points for drawing in atlas.drawings))
    coordinates = chain.from_iterable(chain.from_iterable(lines))
    return f"{crc32(words.encode()):08x}-{fsum(coordinates):.1f}"


def shipped(atlas: Atlas) -> Layout | None:
    """The layout that ships with a map, if there is one and the map has not been changed since."""
    layout = _stored(atlas.name)
    return layout if layout and layout.likeness == likeness(atlas) else None


@cache
def _stored(name: str) -> Layout | None:
    file = files(__package__.rpartition(".")[0]) / "maps" / f"{name}.layout.json"
    if not name.replace("-", "").isalnum() or not file.is_file():
        return None
    layout = CODEC.load(file.read_bytes())
    assert isinstance(layout, Layout)
    return layout
