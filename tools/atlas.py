"""The geography that maps are drawn from: entered by hand, from general knowledge, simplified."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.core.graph import Point

Line = Sequence[Point]


def _as_entered(_: str, points: Line) -> list[Point]:
    return list(points)


def _as_projected(x: float, y: float) -> Point:
    return x, y


@dataclass(frozen=True)
class Geography:
    """What a map is drawn from: coasts, one seed for each section, rivers, sites."""

    name: str
    title: str
    about: str
    seats: tuple[int, int]
    width: int
    height: int
    band: float
    """Sections are numbered in bands of this height."""
    rounds: int
    """How long to look for sections without too short a border."""
    shortest: float
    pull: float
    """How far seeds are moved to the middle of their share before that, 0 to 1."""
    coasts: Mapping[str, Line]
    """By island; clockwise."""
    places: Sequence[tuple[Any, ...]]
    """Name, island, seed, terrain, flags. The flag ``river`` comes from the rivers."""
    headquarters: Sequence[str]
    by_site: Mapping[str, Sequence[str]]
    ports: Sequence[str]
    rivers: Sequence[tuple[str, float, Sequence[str]]]
    """Name, how far it keeps from the centres of sections, course. A course may end at the ``edge`` of the map."""
    lakes: Mapping[str, Line] = field(default_factory=dict)
    seas: Sequence[tuple[str, Point]] = ()
    """Name and seed."""
    straits: Sequence[tuple[str, str]] = ()
    swell: float = 0.0
    """By how much land is fattened, so that thin capes have room."""
    sea_width: float = 0.0
    """How far the charted sea reaches from the coasts."""
    panels: Mapping[str, Point] = field(default_factory=dict)
    """Free corners for title, legend and realms."""
    project: Callable[[str, Line], list[Point]] = _as_entered
    """To canvas units: island (or ``sea``) and points."""
    finish: Callable[[float, float], Point] = _as_projected
    """A last change of the canvas, after the splitting, so that it cannot change who borders whom."""

    @property
    def sites(self) -> dict[str, str]:
        """The site of each section that has one."""
        return {name: site for site, names in self.by_site.items() for name in names}


# --- Nippon -------------------------------------------------------------------------------------------------------

# Coasts, as longitude and latitude.
_COASTS: dict[str, Line] = {
    "honshu": (
        (140.34, 41.25),
        (140.56, 41.2),
        (140.6, 40.92),
        (140.85, 40.8),
        (141.15, 40.86),
        (141.24, 41.1),
        (141, 41.22),
        (140.9, 41.3),
        (140.88, 41.5),
        (141, 41.58),
        (141.46, 41.45),
        (141.42, 41),
        (141.5, 40.6),
        (141.85, 40.2),
        (142.1, 39.65),
        (141.95, 39.2),
        (141.65, 38.85),
        (141.6, 38.3),
        (141.25, 38.38),
        (141, 38.22),
        (140.95, 37.95),
        (141.06, 37.6),
        (141.04, 37.2),
        (140.85, 36.85),
        (140.65, 36.5),
        (140.6, 36.25),
        (140.75, 35.95),
        (140.95, 35.72),
        (140.55, 35.5),
        (140.45, 35.25),
        (140.25, 35.05),
        (139.95, 34.85),
        (139.86, 35),
        (139.96, 35.3),
        (140.14, 35.5),
        (140.02, 35.7),
        (139.76, 35.64),
        (139.6, 35.4),
        (139.6, 35.18),
        (139.42, 35.25),
        (139.2, 35.22),
        (139.13, 34.9),
        (138.98, 34.6),
        (138.76, 34.65),
        (138.74, 34.95),
        (138.7, 35.1),
        (138.48, 34.97),
        (138.3, 34.8),
        (138.2, 34.55),
        (137.6, 34.6),
        (137.22, 34.6),
        (137.12, 34.78),
        (136.98, 34.74),
        (136.9, 35),
        (136.66, 35.02),
        (136.48, 34.7),
        (136.7, 34.42),
        (136.84, 34.2),
        (136.3, 34),
        (136.05, 33.7),
        (135.8, 33.38),
        (135.4, 33.6),
        (135.1, 33.9),
        (135.12, 34.28),
        (135.42, 34.5),
        (135.4, 34.68),
        (135.05, 34.64),
        (134.7, 34.78),
        (134.35, 34.72),
        (134.05, 34.6),
        (133.85, 34.45),
        (133.4, 34.45),
        (133, 34.33),
        (132.6, 34.15),
        (132.4, 34.33),
        (132.2, 34.1),
        (132.1, 33.88),
        (131.75, 34.02),
        (131.3, 33.93),
        (130.95, 33.93),
        (130.86, 34.35),
        (131.35, 34.45),
        (131.8, 34.72),
        (132.2, 35.05),
        (132.6, 35.42),
        (133, 35.6),
        (133.35, 35.62),
        (133.4, 35.47),
        (133.9, 35.55),
        (134.4, 35.62),
        (134.9, 35.72),
        (135.25, 35.82),
        (135.4, 35.55),
        (135.8, 35.52),
        (136.08, 35.68),
        (135.95, 35.95),
        (136.15, 36.25),
        (136.55, 36.6),
        (136.72, 36.95),
        (136.62, 37.2),
        (136.8, 37.45),
        (137.35, 37.6),
        (137.3, 37.35),
        (137.08, 37.2),
        (137.02, 36.85),
        (137.25, 36.77),
        (137.55, 36.95),
        (137.9, 37.08),
        (138.3, 37.2),
        (138.7, 37.5),
        (138.95, 37.9),
        (139.42, 38.2),
        (139.55, 38.55),
        (139.85, 38.95),
        (139.95, 39.4),
        (140.02, 39.7),
        (139.7, 39.85),
        (139.8, 40.05),
        (140, 40.2),
        (139.85, 40.6),
        (140.2, 40.8),
        (140.28, 41.05),
    ),
    "hokkaido": (
        (140.15, 41.4),
        (140.05, 41.87),
        (139.8, 42.4),
        (140.15, 42.8),
        (140.35, 43.4),
        (140.95, 43.2),
        (141.35, 43.25),
        (141.35, 43.8),
        (141.65, 44.1),
        (141.65, 45.3),
        (142, 45.5),
        (142.7, 44.95),
        (143.4, 44.4),
        (144.3, 44),
        (144.75, 43.95),
        (145.4, 44.45),
        (145.15, 43.9),
        (145.3, 43.5),
        (145.5, 43.2),
        (144.4, 42.85),
        (143.65, 42.6),
        (143.25, 41.9),
        (142.7, 42.15),
        (141.7, 42.55),
        (141.2, 42.35),
        (141, 42.28),
        (140.85, 42.52),
        (140.45, 42.52),
        (140.55, 42.15),
        (140.95, 42.05),
        (141.2, 41.8),
        (140.75, 41.75),
        (140.5, 41.5),
    ),
    "shikoku": (
        (132.33, 33.36),
        (132.42, 33.5),
        (132.55, 33.7),
        (132.72, 33.95),
        (133, 34.12),
        (133.2, 33.95),
        (133.5, 34),
        (133.7, 34.25),
        (134.05, 34.38),
        (134.4, 34.25),
        (134.65, 34.2),
        (134.62, 34),
        (134.78, 33.83),
        (134.4, 33.55),
        (134.18, 33.22),
        (133.95, 33.45),
        (133.55, 33.5),
        (133.3, 33.3),
        (133.2, 33.05),
        (133, 32.7),
        (132.65, 32.85),
        (132.5, 33.2),
        (132.35, 33.33),
    ),
    "kyushu": (
        (130.97, 33.95),
        (131.1, 33.7),
        (131.4, 33.6),
        (131.75, 33.68),
        (131.8, 33.42),
        (131.58, 33.3),
        (131.95, 33.25),
        (132, 32.95),
        (131.72, 32.55),
        (131.55, 32.1),
        (131.45, 31.75),
        (131.33, 31.35),
        (131.2, 31.05),
        (130.95, 30.98),
        (130.9, 31.25),
        (130.92, 31.6),
        (130.56, 31.66),
        (130.54, 31.2),
        (130.3, 31.16),
        (130.12, 31.42),
        (130.27, 31.75),
        (130.15, 32.05),
        (130.4, 32.25),
        (130.32, 32.4),
        (130.45, 32.62),
        (130.52, 32.85),
        (130.36, 33.02),
        (130.16, 32.96),
        (130.02, 32.75),
        (129.98, 32.5),
        (129.75, 32.5),
        (129.6, 33.05),
        (129.45, 33.4),
        (129.8, 33.45),
        (130, 33.52),
        (130.35, 33.65),
        (130.55, 33.9),
    ),
    "sado": (
        (138.2, 37.8),
        (138.18, 38.02),
        (138.3, 38.12),
        (138.52, 38.36),
        (138.6, 38.2),
        (138.5, 38.05),
        (138.62, 37.98),
        (138.45, 37.8),
    ),
}
_PLACES = (
    ("Kitami", "hokkaido", (143.6, 43.9), "mountains", "snow"),
    ("Ishikari", "hokkaido", (141.8, 43.5), "plains"),
    ("Shiribeshi", "hokkaido", (140.75, 43.15), "forest"),
    ("Tokachi", "hokkaido", (143.3, 42.95), "plains"),
    ("Iburi", "hokkaido", (141.35, 42.65), "plains"),
    ("Hidaka", "hokkaido", (142.6, 42.6), "mountains"),
    ("Oshima", "hokkaido", (140.45, 42.3), "forest"),
    ("Teshio", "hokkaido", (142, 44.9), "forest", "snow"),
    ("Kushiro", "hokkaido", (144.6, 43.4), "marsh", "snow"),
    ("Tsugaru", "honshu", (140.5, 40.95), "plains"),
    ("Nambu", "honshu", (141.2, 40.6), "plains"),
    ("Osore", "honshu", (141.35, 41.3), "wasteland"),
    ("Akita", "honshu", (140.15, 39.85), "forest", "snow"),
    ("Rikuchu", "honshu", (141.6, 39.5), "plains"),
    ("Dewa", "honshu", (140.05, 39.05), "plains"),
    ("Uzen", "honshu", (140.05, 38.4), "mountains", "snow"),
    ("Rikuzen", "honshu", (141, 38.75), "plains"),
    ("Iwaki", "honshu", (140.75, 37.5), "plains"),
    ("Aizu", "honshu", (139.85, 37.55), "mountains", "snow"),
    ("Echigo", "honshu", (139, 37.65), "plains", "snow"),
    ("Hitachi", "honshu", (140.45, 36.4), "plains"),
    ("Kozuke", "honshu", (139.05, 36.55), "plains"),
    ("Shimosa", "honshu", (140.35, 35.8), "plains"),
    ("Kazusa", "honshu", (140.15, 35.3), "forest"),
    ("Musashi", "honshu", (139.4, 35.9), "plains"),
    ("Sagami", "honshu", (139.3, 35.4), "plains"),
    ("Asama", "honshu", (138.45, 36.4), "wasteland"),
    ("Shinano", "honshu", (137.7, 36.1), "mountains", "snow"),
    ("Kai", "honshu", (138.6, 35.65), "mountains"),
    ("Suruga", "honshu", (138.55, 35.1), "plains"),
    ("Owari", "honshu", (137.05, 35), "plains"),
    ("Mino", "honshu", (136.9, 35.6), "forest"),
    ("Etchu", "honshu", (137.35, 36.6), "plains"),
    ("Noto", "honshu", (136.9, 37.25), "forest"),
    ("Kaga", "honshu", (136.55, 36.55), "plains"),
    ("Echizen", "honshu", (136.25, 35.85), "forest"),
    ("Omi", "honshu", (135.95, 35.3), "marsh"),
    ("Ise", "honshu", (136.3, 34.55), "plains"),
    ("Yamashiro", "honshu", (135.6, 34.85), "plains"),
    ("Tanba", "honshu", (135.3, 35.4), "mountains", "snow"),
    ("Yamato", "honshu", (135.75, 34.3), "plains"),
    ("Kii", "honshu", (135.7, 33.8), "mountains"),
    ("Harima", "honshu", (134.8, 34.95), "plains"),
    ("Inaba", "honshu", (134.4, 35.45), "mountains", "snow"),
    ("Bizen", "honshu", (134.1, 34.8), "plains"),
    ("Izumo", "honshu", (132.95, 35.35), "plains"),
    ("Bingo", "honshu", (133.3, 34.7), "forest"),
    ("Aki", "honshu", (132.55, 34.5), "mountains"),
    ("Iwami", "honshu", (132.15, 34.8), "plains"),
    ("Suo", "honshu", (131.95, 34.15), "plains"),
    ("Nagato", "honshu", (131.2, 34.2), "forest"),
    ("Sanuki", "shikoku", (134, 34.2), "plains"),
    ("Awa", "shikoku", (134.4, 33.9), "mountains"),
    ("Tosa", "shikoku", (133.6, 33.6), "forest"),
    ("Iyo", "shikoku", (132.95, 33.75), "plains"),
    ("Chikuzen", "kyushu", (130.7, 33.65), "plains"),
    ("Hizen", "kyushu", (130, 33.1), "forest"),
    ("Chikugo", "kyushu", (130.6, 33.2), "plains"),
    ("Buzen", "kyushu", (131.1, 33.5), "forest"),
    ("Bungo", "kyushu", (131.5, 33.3), "forest"),
    ("Aso", "kyushu", (131.15, 32.9), "mountains"),
    ("Higo", "kyushu", (130.6, 32.6), "plains"),
    ("Hyuga", "kyushu", (131.45, 32.3), "mountains"),
    ("Satsuma", "kyushu", (130.4, 31.8), "plains"),
    ("Osumi", "kyushu", (131.15, 31.65), "forest"),
    ("Sado", "sado", (138.4, 38.05), "mountains"),
)
_SEAS = (
    ("Ishikari Sea", (140.4, 44)),
    ("Erimo Sea", (144.2, 42.2)),
    ("Okhotsk Sea", (144, 45)),
    ("Tsugaru Strait", (141, 41.6)),
    ("Dewa Sea", (138.9, 39.6)),
    ("Sanriku Sea", (142.8, 39.4)),
    ("Sado Sea", (137.6, 38.6)),
    ("Echigo Sea", (138.9, 37.9)),
    ("Wakasa Sea", (135.8, 36.7)),
    ("Kashima Sea", (141.6, 36.3)),
    ("Sagami Sea", (139.5, 34.4)),
    ("Enshu Sea", (137.5, 34.1)),
    ("Kumano Sea", (135.4, 33.2)),
    ("Oki Sea", (132.9, 36)),
    ("Genkai Sea", (130.6, 34.7)),
    ("Inland Sea", (133.2, 34.2)),
    ("Tosa Sea", (133.2, 32.3)),
    ("Hyuga Sea", (132, 31.6)),
    ("Amakusa Sea", (129.4, 32.2)),
)
_SITES = {
    "village": (
        "Ishikari",
        "Rikuzen",
        "Noto",
        "Izumo",
        "Hitachi",
        "Ise",
        "Iyo",
        "Chikugo",
    ),
    "keep": (
        "Teshio",
        "Tsugaru",
        "Owari",
        "Harima",
        "Bungo",
    ),
    "stronghold": (
        "Echigo",
        "Chikuzen",
    ),
    "lair": (
        "Kushiro",
        "Osore",
        "Asama",
        "Kazusa",
        "Tanba",
        "Nagato",
        "Kii",
        "Osumi",
    ),
    "gold mine": (
        "Sado",
        "Kitami",
        "Hyuga",
    ),
    "merchant city": (
        "Oshima",
        "Yamashiro",
    ),
}
_RIVERS = (
    ("Ishikari", 12, ("Hidaka", "Ishikari", "Ishikari Sea")),
    ("Tokachi", 12, ("Tokachi", "Erimo Sea")),
    ("Kitakami", 13, ("Rikuchu", "Rikuzen", "Sanriku Sea")),
    ("Mogami", 12, ("Uzen", "Dewa", "Dewa Sea")),
    ("Tone", 12, ("Kozuke", "Hitachi", "Kashima Sea")),
    ("Yoshii", 12, ("Inaba", "Bizen", "Inland Sea")),
    ("Onga", -15, ("Chikuzen", "Genkai Sea")),
    ("Yoshino", 12, ("Awa", "Kumano Sea")),
    ("Chikugo", 12, ("Aso", "Chikugo", "Amakusa Sea")),
    ("Sendai", 12, ("Satsuma", "Amakusa Sea")),
    ("Oyodo", 12, ("Hyuga", "Hyuga Sea")),
)

LEFT, TOP, X0, Y0, SCALE, WIDEN = 62, 58, -7.494, -8.772, 63.82, 1.62
AXIS = math.radians(43)
"""The long axis of the islands, from east."""
WIDER = 1.95
"""How much wider across the axis the finished map is, for room to write."""


def _project(island: str, points: Line) -> list[Point]:
    """Northern Ezo pressed together, islands set apart, everything widened across the long axis."""
    return [_placed(*_widened(*_shifted(island, *point))) for point in points]


def _placed(x: float, y: float) -> Point:
    return LEFT + (x - X0) * SCALE, TOP + (y - Y0) * SCALE


SHIFTS = {
    "hokkaido": (141.2, 1.12, -0.2, 42.0, 1.12, 0.3),
    "kyushu": (130.7, 1.2, -0.32, 32.5, 1.1, -0.46),
    "shikoku": (133.4, 1.15, 0.1, 33.6, 1.15, -0.5),
    "sado": (138.4, 1.7, -0.42, 38.05, 1.35, 0.2),
}
"""By island: fixed longitude, factor and shift to the east; the same for latitude and north."""


def _shifted(island: str, lon: float, lat: float) -> Point:
    if lat > 42.7:
        lat = 42.7 + (lat - 42.7) * 0.5
    if lon > 143.0:
        lon = 143.0 + (lon - 143.0) * 0.66
    if island not in SHIFTS:
        return lon, lat
    fixed, factor, east, level, growth, north = SHIFTS[island]
    return fixed + (lon - fixed) * factor + east, level + (lat - level) * growth + north


def _widened(lon: float, lat: float) -> Point:
    x, y = _across((lon - 137.3) * 0.81, lat - 37.2, WIDEN)
    return x, -y


def _across(x: float, y: float, wide: float, than: float = 1.0) -> Point:
    """Stretched across the long axis to be so wide rather ``than`` that; here y grows northward."""
    along, across = x * math.cos(AXIS) + y * math.sin(AXIS), (-x * math.sin(AXIS) + y * math.cos(AXIS)) * wide / than
    return along * math.cos(AXIS) - across * math.sin(AXIS), along * math.sin(AXIS) + across * math.cos(AXIS)


def _finish(x: float, y: float) -> Point:
    x, y = _across((x - LEFT) / SCALE + X0, -((y - TOP) / SCALE + Y0), WIDER, WIDEN)
    return 58 + (x + 7.858) * 64.19, 58 + (-y + 9.475) * 64.19


NIPPON = Geography(
    name="nippon",
    title="Nippon",
    about="The old provinces, from Ezo to Satsuma: eight seats, four islands, a narrow spine of mountains.",
    seats=(2, 8),
    width=1000,
    height=1215,
    band=46,
    rounds=900,
    shortest=17,
    pull=0.35,
    coasts=_COASTS,
    places=_PLACES,
    headquarters=("Iburi", "Rikuchu", "Kaga", "Iwami", "Shimosa", "Yamato", "Sanuki", "Higo"),
    by_site=_SITES,
    ports=("Tsugaru", "Rikuzen", "Echigo", "Owari", "Harima", "Chikuzen"),
    rivers=_RIVERS,
    seas=_SEAS,
    straits=(("Oshima", "Tsugaru"), ("Nagato", "Chikuzen"), ("Bizen", "Sanuki"), ("Bungo", "Iyo")),
    swell=5,
    sea_width=58,
    panels={"title_at": (42, 60), "legend_at": (42, 166), "realms_at": (42, 440)},
    project=_project,
    finish=_finish,
)

# --- The Long Mere ------------------------------------------------------------------------------------------------

# In canvas units.
_VALLEY: dict[str, Line] = {
    "valley": (
        (70, 130),
        (130, 62),
        (240, 40),
        (380, 52),
        (500, 34),
        (630, 50),
        (760, 38),
        (880, 66),
        (940, 140),
        (958, 260),
        (940, 360),
        (962, 470),
        (950, 600),
        (915, 705),
        (820, 755),
        (690, 742),
        (560, 764),
        (430, 748),
        (300, 762),
        (170, 748),
        (80, 690),
        (44, 580),
        (60, 470),
        (38, 360),
        (46, 240),
    ),
}
_MERE: dict[str, Line] = {
    "Long Mere": (
        (352, 408),
        (392, 374),
        (455, 366),
        (520, 380),
        (575, 364),
        (632, 384),
        (656, 420),
        (630, 456),
        (560, 468),
        (500, 456),
        (440, 472),
        (380, 452),
    ),
}
_PARTS = (
    ("Thornwick", "valley", (150, 130), "plains"),
    ("Crowbarrow", "valley", (380, 120), "forest"),
    ("Mistfell", "valley", (620, 120), "mountains", "snow"),
    ("Emberly", "valley", (850, 130), "plains"),
    ("Stagholt", "valley", (115, 285), "forest"),
    ("Millbrook", "valley", (300, 255), "plains"),
    ("Stone Pass", "valley", (500, 260), "mountains", "snow"),
    ("Fairlea", "valley", (700, 255), "plains"),
    ("Blackmire", "valley", (885, 285), "marsh"),
    ("Westwater", "valley", (215, 415), "plains"),
    ("Eastwater", "valley", (785, 415), "plains"),
    ("Heronfen", "valley", (115, 545), "marsh"),
    ("Lowbridge", "valley", (350, 560), "plains"),
    ("Cairn Hill", "valley", (630, 560), "forest"),
    ("Wolfscar", "valley", (885, 545), "forest"),
    ("Southmoor", "valley", (150, 685), "plains"),
    ("Cinder Vale", "valley", (385, 680), "wasteland"),
    ("Barrow Down", "valley", (620, 680), "mountains"),
    ("Larkfield", "valley", (850, 685), "plains"),
)
_WORKS = {
    "village": (
        "Millbrook",
        "Fairlea",
        "Lowbridge",
        "Cairn Hill",
    ),
    "keep": (
        "Westwater",
        "Eastwater",
    ),
    "gold mine": ("Stone Pass",),
    "lair": (
        "Stagholt",
        "Wolfscar",
    ),
}
_STREAMS = (
    ("Mill Brook", 22, ("Stone Pass", "Millbrook", "Long Mere")),
    ("Black Water", 22, ("Blackmire", "Eastwater", "Long Mere")),
    ("Heron", 20, ("Long Mere", "Westwater", "Heronfen", "edge")),
)

DUEL = Geography(
    name="duel",
    title="The Long Mere",
    about="A closed valley round a lake: four seats in the corners, mines in the pass, for two to four players.",
    seats=(2, 4),
    width=1000,
    height=800,
    band=90,
    rounds=900,
    shortest=26,
    pull=0.25,
    coasts=_VALLEY,
    lakes=_MERE,
    places=_PARTS,
    headquarters=("Thornwick", "Emberly", "Southmoor", "Larkfield"),
    by_site=_WORKS,
    ports=("Westwater", "Eastwater"),
    rivers=_STREAMS,
)

GEOGRAPHIES = {geography.name: geography for geography in (NIPPON, DUEL)}
