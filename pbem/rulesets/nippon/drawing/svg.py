"""Small change of SVG."""

from collections.abc import Iterable, Mapping
from html import escape

from pbem.core.graph import Point
from pbem.rulesets.nippon.drawing.palette import INK, SANS


def num(value: float) -> str:
    """A number with one decimal at most."""
    return f"{value:.1f}".removesuffix(".0")


def points(line: Iterable[Point]) -> str:
    """The points of a path, joined by lines."""
    return "L".join([f"{num(x)} {num(y)}" for x, y in line])


def path(line: Iterable[Point], *, closed: bool = False) -> str:
    """The ``d`` of a path along a line."""
    return f"M{points(line)}{'Z' if closed else ''}"


def put(art: str, at: Point, scale: float = 1.0) -> str:
    """A drawing moved to a point, and scaled."""
    return f'<g transform="{_moved(at, scale)}">{art}</g>'


def use(name: str, at: Point, scale: float = 1.0) -> str:
    """A drawing from the definitions, put at a point."""
    if scale == 1:
        return f'<use href="#{name}" x="{num(at[0])}" y="{num(at[1])}"/>'
    return f'<use href="#{name}" transform="{_moved(at, scale)}"/>'


def _moved(at: Point, scale: float) -> str:
    return f"translate({num(at[0])} {num(at[1])})" + ("" if scale == 1 else f" scale({scale:.3g})")


def text(words: str, at: Point, size: float, *, family: str = SANS, colour: str = INK, **more: str) -> str:
    """A line of text, its base line beginning at ``at`` unless ``text_anchor`` says otherwise.

    ``more`` are attributes of SVG, with ``_`` for ``-``.
    """
    pen = f'font-size="{num(size)}" font-family="{family}" fill="{colour}"{attributes(more)}'
    return f'<text x="{num(at[0])}" y="{num(at[1])}" {pen}>{escape(words)}</text>'


def group(art: str, **more: str) -> str:
    """Drawings that share attributes, or nothing if there are none."""
    return f"<g{attributes(more)}>{art}</g>" if art else ""


def attributes(given: Mapping[str, str]) -> str:
    """Attributes as they stand in a tag; ``_`` becomes ``-``, and falls away at the end (``class_``)."""
    return "".join(f' {key.rstrip("_").replace("_", "-")}="{value}"' for key, value in given.items())
