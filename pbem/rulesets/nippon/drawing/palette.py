"""Colours and the signs by which realms are told apart: letter, pattern and colour, each enough by itself."""

from dataclasses import dataclass

PAPER, INK, SOFT, RED = "#f7f0de", "#33291f", "#7d6c55", "#b3161b"
WATER, DEEP, SEA_BORDER, SHADOW = "#4f8cab", "#2d5f78", "#8fb6c9", "#dccfae"
SHALLOWS = ((21, "#c3dae4"), (9, "#aac9d8"))
"""Bands of water along a coast: width of the stroke and colour, the outermost first."""

GROUND = {
    "plains": "#efe3b6",
    "forest": "#bcd0a0",
    "mountains": "#d2bfa6",
    "marsh": "#b9d4cf",
    "wasteland": "#c9b4b0",
    "ocean": "#d3e4ea",
}
SNOWY = 0.58
"""How much white snow adds to the ground."""
SYMBOL = {
    "plains": "#a58f4e",
    "forest": "#4f7442",
    "mountains": "#7a6046",
    "marsh": "#3f7a76",
    "wasteland": "#6f5450",
    "ocean": "#8fb4c4",
    "snow": "#54708a",
}
GOLD, FLAME, GLOW, TIMBER, FIGHT, NAME = "#e8b100", "#e2571c", "#ffd34d", "#a9743a", "#fff3c4", "#54463a"

SERIF, SANS = "DejaVu Serif, Georgia, serif", "DejaVu Sans, Verdana, Arial, sans-serif"


@dataclass(frozen=True)
class Stroke:
    """One line of a pattern: width, colour (``None``: the realm's own), dashes, round ends or not."""

    width: float
    colour: str | None = None
    dashes: str = ""
    round: bool = False


@dataclass(frozen=True)
class Sign:
    """A realm's colour and the pattern of its border, drawn line upon line."""

    colour: str
    pattern: tuple[Stroke, ...]


BAND = 10.0
"""Width of the band along the border of a realm."""


SIGNS = (
    Sign("#1f5fa8", (Stroke(BAND),)),
    Sign("#c4560a", (Stroke(BAND, dashes="11 4.5"),)),
    Sign("#7b2d82", (Stroke(BAND, dashes="2.6 3"),)),
    Sign("#0d7358", (Stroke(BAND, dashes="13 3.2 3.2 3.2"),)),
    Sign("#7d6200", (Stroke(BAND), Stroke(3.6, PAPER))),
    Sign("#4d5963", (Stroke(BAND), Stroke(5, PAPER, "0.1 8", round=True))),
    Sign("#a11a4a", (Stroke(4), Stroke(BAND, dashes="3 6"))),
    Sign("#00788f", (Stroke(BAND), Stroke(3.6, PAPER, "8 4"))),
)
"""Dark enough for a white letter. Where some eyes see two colours alike, the patterns differ."""


def sign(seat: str) -> Sign:
    """The sign of the realm with this letter."""
    return SIGNS[(ord(seat[0]) - ord("A")) % len(SIGNS)]


def ground(terrain: str, *, snow: bool = False) -> str:
    """The colour of the ground."""
    return mix(GROUND[terrain], "#ffffff", SNOWY) if snow else GROUND[terrain]


def mix(one: str, other: str, share: float) -> str:
    """A colour with ``share`` of another in it."""
    channels = (round(int(one[i : i + 2], 16) * (1 - share) + int(other[i : i + 2], 16) * share) for i in (1, 3, 5))
    return "#" + "".join(f"{channel:02x}" for channel in channels)
