"""What stands round the map: frame, title, legend and the table of realms."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from pbem.core.graph import Point
from pbem.rulesets.nippon.atlas import Atlas
from pbem.rulesets.nippon.drawing import arrows, icons, symbols
from pbem.rulesets.nippon.drawing.chart import sheet
from pbem.rulesets.nippon.drawing.control import pattern
from pbem.rulesets.nippon.drawing.palette import GROUND, INK, PAPER, SERIF, SOFT, WATER, ground
from pbem.rulesets.nippon.drawing.svg import put, text, use

STEP = 28
"""From one line of the legend to the next."""


@dataclass(frozen=True)
class Row:
    """A realm in the table."""

    seat: str
    name: str
    sections: int
    banners: int | None
    """Nothing, if the reader sees none at all."""
    gone: str = ""
    """``eliminated`` or ``withdrawn``, instead of the numbers."""


def frame(atlas: Atlas) -> str:
    """The double line round the sheet."""
    width, height = sheet(atlas)
    return "".join(
        f'<rect x="{inset}" y="{inset}" width="{width - 2 * inset}" height="{height - 2 * inset}" fill="none" '
        f'stroke="{INK}" stroke-width="{line}"/>'
        for inset, line in ((5, 2), (10, 0.8))
    )


def heading(atlas: Atlas, title: str, subtitle: str) -> str:
    """The name of the map, the turn, and what the picture shows."""
    x, y = atlas.title_at or (42, atlas.size[1] + 22)
    if atlas.legend_at is None:
        line = text(f"{atlas.title} · {title}", (x, y), 24, family=SERIF, font_weight="bold", letter_spacing="1")
        return line + text(subtitle, (x + 560, y), 14, family=SERIF, colour=SOFT, font_style="italic")
    return (
        text(atlas.title.upper(), (x, y + 8), 46, family=SERIF, font_weight="bold", letter_spacing="7")
        + text(title, (x + 2, y + 34), 19, family=SERIF, font_weight="bold")
        + text(subtitle, (x + 2, y + 56), 14, family=SERIF, colour=SOFT, font_style="italic")
        + _compass((x + 360, y + 8))
    )


def _compass(at: Point) -> str:
    return put(
        f'<circle r="17" fill="none" stroke="{SOFT}"/>'
        f'<path d="M0 -25L5 0L0 25L-5 0Z" fill="{PAPER}" stroke="{INK}" stroke-width="1.1"/>'
        f'<path d="M0 -25L5 0H-5Z" fill="{INK}"/><path d="M-22 0H-8 M8 0H22" stroke="{INK}" stroke-width="1.1"/>'
        + text("N", (0, -30), 14, family=SERIF, font_weight="bold", text_anchor="middle"),
        at,
    )


# --- legend -------------------------------------------------------------------------------------------------------


def legend(atlas: Atlas, seat: str) -> str:
    """Three columns: terrain, sites, marks, the last with the sign of one realm for all."""
    ocean = any(place.ocean for place in atlas)
    straits = any(drawing.kind == "strait" for drawing in atlas.drawings)
    return _legend(atlas.legend_at or (42, atlas.size[1] + 60), seat, ocean=ocean, straits=straits)


@cache
def _legend(at: Point, seat: str, *, ocean: bool, straits: bool) -> str:
    x, y = at
    terrain = _terrain(ocean=ocean, straits=straits)
    columns = ((x, "Terrain", terrain), (x + 150, "Sites", _sites(seat)), (x + 296, "Marks", _marks(seat, ocean=ocean)))
    out = ""
    for left, title, entries in columns:
        out += text(title, (left, y), 15, family=SERIF, colour=SOFT, font_weight="bold")
        for line, (art, words, indent) in enumerate(entries):
            middle = y + 24 + line * STEP
            out += put(art, (left, middle)) + text(words, (left + indent, middle + 5.2), 14)
    return out


Entry = tuple[str, str, int]
"""A drawing, its words, and how far to the right these begin."""


def _terrain(*, ocean: bool, straits: bool) -> Iterator[Entry]:
    for terrain in GROUND:
        if terrain != "ocean" or ocean:
            yield _swatch(ground(terrain)) + _pair(terrain), terrain, 51
    yield _swatch(ground("plains", snow=True)) + _pair("snow"), "snow", 51
    river = f'<path d="M1 5q10 -12 20 -5t18 -5" fill="none" stroke="{WATER}" stroke-width="2.6"/>'
    strait = f'<path d="M23 6H40" stroke="{INK}" stroke-width="2.6" stroke-dasharray="0 5.2" stroke-linecap="round"/>'
    yield _swatch(ground("plains")) + river + (strait if straits else ""), "river, strait" if straits else "river", 51


def _swatch(fill: str) -> str:
    return f'<rect y="-11" width="42" height="22" rx="4" fill="{fill}" stroke="{SOFT}"/>'


def _pair(kind: str) -> str:
    return symbols.drawn([(kind, "M11.5 .5"), (kind, "M28.5 .5")], 1)


def _sites(seat: str) -> Iterator[Entry]:
    for site in ("village", "keep", "stronghold", f"citadel-{seat}", "lair", "gold-mine", "merchant-city", "port"):
        words = site.removesuffix(f"-{seat}").replace("-", " ")
        yield _small(site, 13), words, 34


def _marks(seat: str, *, ocean: bool) -> Iterator[Entry]:
    yield icons.plate(7, (14, 0), 1), "headquarters", 38
    yield _small(f"chip-{seat}", 14), f"held by {seat}", 38
    yield _small(f"lost-{seat}", 14), "lost headquarters", 38
    yield _small(f"banner-{seat}", 10) + _small(f"scattered-{seat}", 34), "banner, scattered", 52
    if ocean:
        yield _small(f"ship-{seat}", 14), "ship", 38
    way = arrows.Arrow(seat, (), ((2, 4), (20, -2), (40, 1)))
    yield arrows.drawn(way, 1), "moved", 52
    yield _small("meeting", 9) + _small("fought", 35), "meeting, fought", 52
    yield _small("razed", 9) + _small("fortified", 35), "razed, fortified", 52


def _small(icon: str, x: float) -> str:
    return use(icon, (x, 0), 0.92)


# --- realms -------------------------------------------------------------------------------------------------------


def realms(atlas: Atlas, rows: tuple[Row, ...], banners: str = "banners") -> str:
    """The table of realms: their signs, how many sections they hold and how many banners they have, or show."""
    x, y = atlas.realms_at or (600, atlas.size[1] + 60)
    step = min(30.0, 168 / max(1, len(rows)))
    out = text("Realms", (x, y), 15, family=SERIF, colour=SOFT, font_weight="bold")
    out += _column("sections", (x + 288, y), 13, SOFT) + _column(banners, (x + 350, y), 13, SOFT)
    return out + "".join(
        put(_realm(row, min(1.0, step / 27)), (x, y + 25 + order * step)) for order, row in enumerate(rows)
    )


def _realm(row: Row, scale: float) -> str:
    art = use(f"banner-{row.seat}", (11, 0), 0.95 * scale) + put(pattern(row.seat, "M0 0h34"), (30, 0), scale)
    size = min(15.0, NAME_WIDTH / (0.68 * max(1, len(row.name))))
    art += text(_cut(row.name), (73, 5.2), max(size, LEAST_SIZE), colour=SOFT if row.gone else INK, font_weight="bold")
    if row.gone:
        return art + _column(row.gone, (342, 5.2), 14, SOFT)
    banners = "" if row.banners is None else _column(str(row.banners), (342, 5.2), 15, INK)
    return art + _column(str(row.sections), (280, 5.2), 15, INK) + banners


NAME_WIDTH, LEAST_SIZE = 182, 9.5


def _cut(name: str) -> str:
    """A name too long for the table, cut; the words below the picture give it whole."""
    most = int(NAME_WIDTH / (0.68 * LEAST_SIZE))
    return name if len(name) <= most else name[: most - 1].rstrip() + "…"


def _column(words: str, at: Point, size: float, colour: str) -> str:
    return text(words, at, size, colour=colour, text_anchor="end")
