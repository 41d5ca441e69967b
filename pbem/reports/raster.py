"""Pictures as PNG: SVG set in pixels by resvg, then brought down to a few colours so that mails stay small.

resvg holds the interpreter's lock for as long as it draws, so a server has it drawn in other processes, by a
:class:`Rasterizer`.
"""

import asyncio
import io
import re
from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from functools import cache, lru_cache
from importlib.resources import files
from types import TracebackType
from typing import Self

import resvg_py
from PIL import Image, ImageColor

from pbem.process import Workers

FINE = re.compile(r'<g class="fine".*?</g>', re.DOTALL)
"""Detail for large pictures only; such a group holds no other group."""
FINE_FROM = 800
"""The least width in pixels at which it is shown."""

LARGEST = 150_000
"""Bytes that a picture should not exceed."""
MOST_COLOURS = 128
EFFORTS = ((9, 30, 6), (14, 60, 6), (22, 120, 9), (30, 120, 9))
"""How far apart the colours of areas and of rims are to be, and how hard to compress, until a picture is small."""
SHADE, AREA = 9, 0.002
"""Nearer colours look the same; colours of areas cover at least this share of a picture."""

Colour = tuple[int, ...]


@lru_cache(maxsize=8)
def png(svg: str, width: int) -> bytes:
    """The picture, ``width`` pixels wide, as PNG. Raises ``ValueError`` for what is no SVG."""
    with Image.open(io.BytesIO(_drawn(svg, width))) as opaque:
        picture = opaque.convert("RGB")
    flat, mixed = _colours(svg, picture)
    packed = b""
    for shade, apart, level in EFFORTS:
        palette = _palette(_palette([], flat, shade), mixed, apart)
        packed = _packed(picture, palette, level)
        if len(packed) <= LARGEST:
            break
    return packed


def _drawn(svg: str, width: int) -> bytes:
    fitting = svg if width >= FINE_FROM else FINE.sub("", svg)
    return bytes(
        resvg_py.svg_to_bytes(svg_string=fitting, width=width, skip_system_fonts=True, font_files=list(_fonts()))
    )


@cache
def _fonts() -> tuple[str, ...]:
    """The shipped fonts: with no others the same SVG gives the same picture everywhere."""
    folder = files(__package__) / "fonts"
    return tuple(sorted(str(file) for file in folder.iterdir() if file.name.endswith(".ttf")))


def _colours(svg: str, picture: Image.Image) -> tuple[list[Colour], list[Colour]]:
    """The colours of areas and those that the SVG names; and those of rims and mixtures, the commonest first."""
    named = sorted({ImageColor.getrgb(name) for name in re.findall(r'"(#[0-9a-f]{6})"', svg)})
    least = picture.width * picture.height * AREA
    commonest = list(_commonest(picture))
    areas = [_snapped(colour, named) for count, colour in commonest if count >= least]
    return [*areas, *named], [colour for count, colour in commonest if count < least]


def _commonest(picture: Image.Image) -> Iterator[tuple[int, Colour]]:
    """The colours of a picture, alike ones together, each with the number of its pixels; the commonest first."""
    coarse = picture.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    table, pixels = coarse.getpalette() or [], coarse.histogram()
    for index in sorted(range(256), key=lambda index: (-pixels[index], index)):
        if pixels[index]:
            yield pixels[index], tuple(table[3 * index : 3 * index + 3])


def _snapped(colour: Colour, named: Sequence[Colour]) -> Colour:
    """The named colour of which this one is a blurred likeness, or itself."""
    nearest = min(named, key=lambda each: (_difference(colour, each), each), default=colour)
    return nearest if _difference(colour, nearest) <= SHADE else colour


def _palette(chosen: list[Colour], wanted: Sequence[Colour], apart: int) -> list[Colour]:
    """``chosen``, and of the wanted colours the first that are no nearer than ``apart`` to any other."""
    kept = list(chosen)
    for colour in wanted:
        if len(kept) < MOST_COLOURS and all(_difference(colour, each) > apart for each in kept):
            kept.append(colour)
    return kept


def _difference(one: Colour, other: Colour) -> int:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True))


def _packed(picture: Image.Image, palette: Sequence[Colour], level: int) -> bytes:
    colours = Image.new("P", (1, 1))
    colours.putpalette([channel for colour in palette for channel in colour])
    few = picture.quantize(palette=colours, dither=Image.Dither.NONE)
    out = io.BytesIO()
    few.save(out, "PNG", compress_level=level)
    return out.getvalue()


class Rasterizer:
    """Draws in other processes, started when first needed. A context manager; any number of threads may use it."""

    def __init__(self, processes: int = 2) -> None:
        self._workers = Workers(processes)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the processes. May be called twice; the next picture starts new ones."""
        self._workers.close()

    async def png(self, svg: str, width: int) -> bytes:
        """One picture, while the event loop goes on."""
        (picture,) = await asyncio.to_thread(self.draw, svg, width)
        return picture

    def draw(self, svg: str, *widths: int) -> tuple[bytes, ...]:
        """PNGs of an SVG at some widths, drawn at the same time; waits for them, so never call it in an event loop.

        A process that died, killed for its memory perhaps, is replaced once.
        """
        for _ in range(2):
            try:
                return self._drawn(svg, widths)
            except BrokenProcessPool as error:
                broken = error
        raise broken

    def _drawn(self, svg: str, widths: Sequence[int]) -> tuple[bytes, ...]:
        drawing = [self._workers.submit(png, svg, width) for width in widths]
        try:
            return tuple(picture.result() for picture, _ in drawing)
        except BrokenProcessPool:
            for _, pool in drawing:
                self._workers.replace(pool)
            raise
