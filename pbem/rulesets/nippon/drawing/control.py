"""Who holds what: a tint, a band along the border of each realm, and ashes over razed ground."""

from collections.abc import Iterable, Mapping

from pbem.rulesets.nippon.drawing.chart import Chart
from pbem.rulesets.nippon.drawing.palette import BAND, INK, PAPER, Stroke, sign
from pbem.rulesets.nippon.drawing.svg import group

TINT = "0.15"
ASHES = (
    '<pattern id="ashes" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    f'<path d="M3 0V6" stroke="{INK}" stroke-width="1.5" stroke-opacity=".6"/></pattern>'
)
"""Hatching, for the definitions."""


def control(chart: Chart, owner: Mapping[int, str], razed: Iterable[int]) -> str:
    """Tints, ashes and bands; ``owner`` names the realm of every section that has one."""
    seats = sorted(set(owner.values()))
    tints = "".join(group(_uses(n for n in owner if owner[n] == seat), fill=sign(seat).colour) for seat in seats)
    ashes = group(_uses(razed), fill="url(#ashes)")
    return group(tints, fill_opacity=TINT) + ashes + "".join(_band(chart, owner, seat) for seat in seats)


def _uses(numbers: Iterable[int]) -> str:
    return "".join(f'<use href="#s{number}"/>' for number in numbers)


def _band(chart: Chart, owner: Mapping[int, str], seat: str) -> str:
    """The pattern of a realm along the inner side of its border, on a pale ground."""
    rings = chart.borders.rings(owner, seat)
    d = "".join(f"M{'L'.join(chart.insets[index] for index in ring)}Z" for ring in rings)
    return (
        f'<path d="{d}" fill="none" stroke="{PAPER}" stroke-width="{BAND + 2.5:g}" stroke-linejoin="round"/>'
        + pattern(seat, d)
    )


def pattern(seat: str, d: str) -> str:
    """A line in the colour and pattern of a realm."""
    return "".join(_stroke(stroke, d, sign(seat).colour) for stroke in sign(seat).pattern)


def _stroke(stroke: Stroke, d: str, colour: str) -> str:
    dashes = f' stroke-dasharray="{stroke.dashes}"' if stroke.dashes else ""
    cap = ' stroke-linecap="round"' if stroke.round else ""
    pen = f'stroke="{stroke.colour or colour}" stroke-width="{stroke.width:g}"{dashes}{cap}'
    return f'<path d="{d}" fill="none" stroke-linejoin="round" {pen}/>'
