"""Icons of sites, marks and realms, each centred on (0, 0) and about 24 units wide."""

import math
from collections.abc import Callable
from functools import cache

from pbem.core.graph import Point
from pbem.rulesets.nippon.drawing.palette import DEEP, FIGHT, FLAME, GLOW, GOLD, INK, PAPER, RED, SANS, TIMBER, sign
from pbem.rulesets.nippon.drawing.svg import num, put, text

HALO = f'fill="none" stroke="{PAPER}" stroke-width="4.5" stroke-linejoin="round" stroke-linecap="round"'


def _filled(d: str, fill: str = INK) -> str:
    """A shape with a pale rim, so that it stands out from any ground."""
    return f'<path d="{d}" {HALO}/><path d="{d}" fill="{fill}" stroke="{INK}" stroke-linejoin="round"/>'


def _light(d: str) -> str:
    return f'<path d="{d}" fill="{PAPER}"/>'


def _lines(d: str, width: float, colour: str = PAPER) -> str:
    return f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="{width:g}" stroke-linecap="round"/>'


def _village() -> str:
    return _filled("M-11 9V1L-5.5 -5L0 1V9Z M1.5 9V-1.5L7 -8L12 -1.5V9Z") + _light("M-7 9V4h3V9Z M5.2 9V3h3.4V9Z")


def _keep() -> str:
    walls = _filled("M-7 10V-2H-9V-9H-5.5V-6H-2V-9H2V-6H5.5V-9H9V-2H7V10Z")
    return walls + _light("M-2.2 10V4.5a2.2 2.2 0 0 1 4.4 0V10Z M-4.2 -1h2v3h-2Z M2.2 -1h2v3h-2Z")


def _stronghold() -> str:
    roofs = _filled("M-12 11L-9.5 4H-12.5Q-9 2 -7 -1.5H-9Q-3 -5 0 -11Q3 -5 9 -1.5H7Q9 2 12.5 4H9.5L12 11Z")
    return (
        roofs + _lines("M-7.2 4.6H7.2 M-5.2 -1H5.2", 1.4) + _light("M-2 11V7.4h4V11Z M-4.6 .8h2v2h-2Z M2.6 .8h2v2h-2Z")
    )


_ROOFS = (
    "M-13 12L-10.5 6H-13.5Q-10 4 -8.5 1H-10.5Q-7 -1 -5.5 -4H-7.5Q-2.5 -6.5 0 -11"
    "Q2.5 -6.5 7.5 -4H5.5Q7 -1 10.5 1H8.5Q10 4 13.5 6H10.5L13 12Z"
)


def _citadel(flag: str = "") -> str:
    walls = _filled(_ROOFS) + _lines("M-8 6.6H8 M-6.3 1.6H6.3 M-3.6 -3.6H3.6", 1.3) + _light("M-2.2 12V8.6h4.4V12Z")
    return f'<g transform="translate(0 3) scale(.9)">{flag}{walls}</g>'


def _flying(colour: str) -> str:
    """A flag on the roof, in a realm's colour."""
    return (
        f'<path d="M0 -10V-19L10 -16L0 -13" {HALO}/>{_lines("M0 -10V-19", 1.6, INK)}'
        f'<path d="M.6 -19L10 -16.2L.6 -13.2Z" fill="{colour}" stroke="{INK}" stroke-width=".8"/>'
    )


def _lair() -> str:
    cave = _filled("M-12 10Q-12 -3 -6 -8L-3.5 -5.5L0 -10L3.5 -6.5L7 -8Q12 -2 12 10Z")
    eyes = f'<path d="M-6 1.5L-1.5 4L-6 5Z M6 1.5L1.5 4L6 5Z" fill="{GLOW}"/>'
    return cave + eyes + _light("M-6 10l1.6 -2.6L-2.8 10Z M-1.6 10L0 7.2L1.6 10Z M2.8 10l1.6 -2.6L6 10Z")


def _mine() -> str:
    gold = '<circle cx="5.2" cy="8.2" r="3"/><circle cx="10" cy="9" r="2.3"/><circle cx="8" cy="4.8" r="2.4"/>'
    return (
        _lines("M-9 9.5L5 -5 M-3 -10Q6 -11.5 10.5 3", 7.5)
        + f'<g fill="{PAPER}" stroke="{PAPER}" stroke-width="4">{gold}</g>'
        + _lines("M-9 9.5L5 -5", 2.8, INK)
        + f'<path d="M-3 -10Q6 -11.5 10.5 3Q6 -5.5 -3 -10Z" fill="{INK}" stroke="{INK}" stroke-width="1.4"/>'
        + f'<g fill="{GOLD}" stroke="{INK}" stroke-width="1.1">{gold}</g>'
    )


def _merchant_city() -> str:
    coin = f'<circle r="12.6" fill="{PAPER}"/><circle r="10.6" fill="{GOLD}" stroke="{INK}" stroke-width="1.8"/>'
    rim = f'<circle r="7.9" fill="none" stroke="{INK}" stroke-width=".9"/>'
    return coin + rim + f'<path d="M-3.4 -3.4H3.4V3.4H-3.4Z" fill="{PAPER}" stroke="{INK}" stroke-width="1.6"/>'


def _port() -> str:
    disc = f'<circle r="10" fill="{PAPER}"/><circle r="8.8" fill="{DEEP}"/>'
    ring = '<circle cy="-5.2" r="1.4" fill="none" stroke="#fff" stroke-width="1.3"/>'
    return disc + ring + _lines("M0 -4.2V6.2 M-3 -1.6H3 M-5.6 2Q-5 6.2 0 6.2Q5 6.2 5.6 2", 1.7, "#fff")


def _star(fill: str, edge: str) -> str:
    """Crossed swords on a jagged star."""
    tips = [(13 if i % 2 == 0 else 9.2, i * math.pi / 10) for i in range(20)]
    d = "M" + "L".join(f"{num(r * math.sin(a))} {num(-r * math.cos(a))}" for r, a in tips) + "Z"
    star = f'<path d="{d}" {HALO}/><path d="{d}" fill="{fill}" stroke="{edge}" stroke-width="1.7"/>'
    return (
        star
        + _lines("M-5.4 -5.4L4.6 4.6 M5.4 -5.4L-4.6 4.6", 2, INK)
        + _lines("M1.6 5.2L5.2 1.6 M-1.6 5.2L-5.2 1.6", 1.7, INK)
    )


def _razed() -> str:
    left, right = (
        "Q-8.5 10 -7.5 2.5Q-7 -1.5 -3.6 -4.5Q-3.4 -1.4 -1.2 -1",
        "Q2.2 -6.5 5.4 -3Q8.6 1 7.2 5.4Q5.8 10.6 0 11",
    )
    fire = f"M0 11{left}Q-2.6 -6.5 2 -11{right}Z"
    core = "M.2 9.4Q-3.6 8.6 -3 5.2Q-2.4 3 .4 1Q3.6 4.4 3.2 6.6Q2.6 9.2 .2 9.4Z"
    return _filled(fire, FLAME) + f'<path d="{core}" fill="{GLOW}"/>'


def _fortified() -> str:
    stakes = _filled("M-11 8V-3L-8 -7L-5 -3L-2.5 -7L0 -3L2.5 -7L5 -3L8 -7L11 -3V8Z", TIMBER)
    return stakes + _lines("M-5 -2.5V8 M0 -2.5V8 M5 -2.5V8 M-11 2.6H11", 1.1, INK)


_SHIELD = "M-9 -10.5H9V1.5Q9 8 0 11.5Q-9 8 -9 1.5Z"


def _letter(seat: str, y: float, size: float, colour: str) -> str:
    return (
        f'<text y="{num(y)}" font-size="{num(size)}" font-weight="bold" fill="{colour}" text-anchor="middle" '
        f'font-family="{SANS}">{seat}</text>'
    )


def _shield(seat: str) -> str:
    rim = f'<path d="{_SHIELD}" fill="none" stroke="{PAPER}" stroke-width="4.4" stroke-linejoin="round"/>'
    field = (
        f'<path d="{_SHIELD}" fill="{sign(seat).colour}" stroke="{INK}" stroke-width="1.3" stroke-linejoin="round"/>'
    )
    return rim + field + _letter(seat, 4.3, 14, "#fff")


def _scattered(seat: str) -> str:
    """A shield that hangs askew and is hollow."""
    colour = sign(seat).colour
    rim = f'<path d="{_SHIELD}" fill="{PAPER}" stroke="{PAPER}" stroke-width="5" stroke-linejoin="round"/>'
    field = f'<path d="{_SHIELD}" fill="none" stroke="{colour}" stroke-width="2" stroke-linejoin="round"/>'
    return f'<g transform="rotate(15) scale(.92)">{rim}{field}{_letter(seat, 4.6, 14, colour)}</g>'


def _ship(seat: str) -> str:
    """A ship under a sail of its realm's colour."""
    hull, canvas = "M-11 5H11L7.5 11H-7.5Z", "M-7.5 -11Q0 -8.6 7.5 -11V1.5Q0 4 -7.5 1.5Z"
    rim = f'<path d="{hull} {canvas}" {HALO}/>'
    timber = f'<path d="{hull}" fill="{TIMBER}" stroke="{INK}" stroke-width="1.2" stroke-linejoin="round"/>'
    field = f'<path d="{canvas}" fill="{sign(seat).colour}" stroke="{INK}" stroke-width="1.2" stroke-linejoin="round"/>'
    return rim + _lines("M0 -12V6", 1.6, INK) + timber + field + _letter(seat, 0.6, 11, "#fff")


def _chip(seat: str) -> str:
    plate = f'<rect x="-7.5" y="-7.5" width="15" height="15" rx="3" fill="{PAPER}"/>'
    field = f'<rect x="-6.3" y="-6.3" width="12.6" height="12.6" rx="2.4" fill="{sign(seat).colour}"/>'
    return plate + field + _letter(seat, 3.9, 10.8, "#fff")


def _struck(seat: str) -> str:
    """The chip of a realm that has lost its headquarters here."""
    colour = sign(seat).colour
    plate = f'<rect x="-7" y="-7" width="14" height="14" rx="3" fill="{PAPER}" stroke="{colour}" stroke-width="1.6"/>'
    return plate + _letter(seat, 3.9, 10.8, colour) + _lines("M-8 8L8 -8", 4.4) + _lines("M-8 8L8 -8", 2.2, RED)


_ICONS: dict[str, Callable[[], str]] = {
    "village": _village,
    "keep": _keep,
    "stronghold": _stronghold,
    "citadel": _citadel,
    "lair": _lair,
    "gold-mine": _mine,
    "merchant-city": _merchant_city,
    "port": _port,
    "meeting": lambda: _star(FIGHT, RED),
    "fought": lambda: _star("#e9e2d0", "#7d6c55"),
    "razed": _razed,
    "fortified": _fortified,
}
_REALM_ICONS: dict[str, Callable[[str], str]] = {
    "citadel": lambda seat: _citadel(_flying(sign(seat).colour)),
    "banner": _shield,
    "scattered": _scattered,
    "ship": _ship,
    "chip": _chip,
    "lost": _struck,
}


@cache
def definitions(seats: tuple[str, ...]) -> str:
    """All icons, for ``<use>``: ``keep``, ``banner-A`` ..."""
    arts = {name: draw() for name, draw in _ICONS.items()}
    arts |= {f"{name}-{seat}": draw(seat) for name, draw in _REALM_ICONS.items() for seat in seats}
    return "".join(f'<g id="{name}">{art}</g>' for name, art in arts.items())


def plate(number: int, at: Point, scale: float) -> str:
    """The number of a section that may hold a headquarters: red, in a frame."""
    half = 5.9 * len(str(number)) + 4.5
    box = f'x="{num(-half)}" y="-9.6" width="{num(2 * half)}" height="19.2" rx="5"'
    frame = f'<rect {box} fill="{PAPER}" stroke="{RED}" stroke-width="1.8"/>'
    digits = text(str(number), (0, 6.2), 17, colour=RED, font_weight="bold", text_anchor="middle")
    return put(frame + digits, at, scale)
