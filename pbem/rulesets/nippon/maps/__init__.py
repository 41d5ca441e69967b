"""Maps: TOML files to atlases, and every broken rule of the format (``docs/maps-format.md``) in words."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, get_args

from pbem.core.errors import BadInput, Flaw
from pbem.core.graph import Point, distances
from pbem.core.keys import (
    FLAG,
    TABLES,
    TEXT,
    WHOLE,
    Complaint,
    Fit,
    complaints,
    is_number,
    is_table,
    is_whole,
    list_of,
    one_of,
)
from pbem.core.orders import plain
from pbem.core.toml import Path, parse, where
from pbem.rulesets.nippon.atlas import FORTRESSES, Atlas, Border, Drawing, Place, Site, Terrain

FORMAT = 1
LONGEST_NAME = 14
"""Letters of a section's name."""

OCEAN_SIDES: dict[str, int] = {"land": 0, "strait": 0, "coast": 1, "sea": 2}
"""How many of the two sections of a border are ocean, by its kind."""


@cache
def names() -> tuple[str, ...]:
    """The maps that come with the program."""
    found = (file.name for file in files(__package__).iterdir() if file.name.endswith(".toml"))
    return tuple(sorted(name.removesuffix(".toml") for name in found))


@cache
def atlas(name: str) -> Atlas:
    """A map that comes with the program; raises ``KeyError`` for an unknown one."""
    if name not in names():
        raise KeyError(name)
    file = files(__package__) / f"{name}.toml"
    return load(file.name, file.read_text(encoding="utf-8"))


def load(file: str, text: str) -> Atlas:
    """The map in a TOML file; raises ``BadInput`` with every flaw of its keys, or else every flaw of its geography."""
    data = parse(file, text)
    wrong = list(misspelt(data)) or list(misdrawn(data))
    if wrong:
        raise BadInput([Flaw(where(file, text, path), reason) for path, reason in wrong])
    return build(data)


def build(data: Mapping[str, Any]) -> Atlas:
    """A map from data that has been found in order."""
    return Atlas(
        name=data["name"],
        title=data["title"],
        size=tuple(data["size"]),
        places=tuple(_place(section) for section in data["section"]),
        drawings=tuple(
            Drawing(line["kind"], line["name"], _points(line["points"])) for line in data.get("drawing", ())
        ),
        seats=tuple(data["seats"]),
        about=data.get("about", ""),
        **{corner: _point(data[corner]) for corner in CORNERS if corner in data},
    )


def _place(section: Mapping[str, Any]) -> Place:
    drawn = {
        "centre": _point(section["centre"]),
        "outline": _points(section["outline"]),
        "borders": {kind: tuple(sorted(numbers)) for kind, numbers in section["neighbours"].items()},
    }
    if "serves" in section:
        drawn["serves"] = tuple(section["serves"])
    return Place(**{key: value for key, value in section.items() if key != "neighbours"} | drawn)


def _points(pairs: Any) -> tuple[Point, ...]:
    return tuple(map(_point, pairs))


def _point(pair: Any) -> Point:
    return float(pair[0]), float(pair[1])


# --- keys ---------------------------------------------------------------------------------------------------------


def _is_point(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(is_number, value))


def _pair_of_whole(value: Any) -> bool:
    return list_of(is_whole)(value) and len(value) == 2 and min(value) > 0


POINT: Fit = (_is_point, "a point such as [120.5, 80]")
PAIR: Fit = (_pair_of_whole, "two whole numbers above 0")
OUTLINE: Fit = (list_of(_is_point, 3), "a list of at least 3 points")
LINE: Fit = (list_of(_is_point, 2), "a list of at least 2 points")
NUMBERS: Fit = (list_of(is_whole), "a list of numbers of sections; leave the key out if there are none")
PEOPLE: Fit = (list_of(lambda value: isinstance(value, str)), "a list of peoples; leave the key out if it serves all")

CORNERS = ("title_at", "legend_at", "realms_at")

MAP_KEYS: dict[str, Fit] = {
    "format": (lambda value: value == FORMAT, str(FORMAT)),
    "name": (lambda value: isinstance(value, str) and bool(re.fullmatch("[a-z0-9-]+", value)), "a word of a-z, 0-9, -"),
    "title": TEXT,
    "seats": PAIR,
    "size": PAIR,
    "section": (list_of(is_table, 2), "at least two tables, each headed [[section]]"),
    "about": TEXT,
    **dict.fromkeys(CORNERS, POINT),
    "drawing": TABLES,
}
SECTION_KEYS: dict[str, Fit] = {
    "number": WHOLE,
    "name": TEXT,
    "terrain": one_of(get_args(Terrain)),
    "neighbours": (is_table, "a table such as { land = [2, 3] }"),
    "centre": POINT,
    "outline": OUTLINE,
    "site": one_of([site for site in get_args(Site) if site]),
    **dict.fromkeys(("river", "snow", "port", "headquarters"), FLAG),
    "serves": PEOPLE,
}
DRAWING_KEYS: dict[str, Fit] = {"kind": one_of(("river", "strait")), "name": TEXT, "points": LINE}
BORDER_KEYS: dict[str, Fit] = dict.fromkeys(get_args(Border), NUMBERS)

MUST = frozenset(
    {"format", "name", "title", "seats", "size", "section", "number", "terrain", "neighbours", "centre", "outline"}
    | DRAWING_KEYS.keys()
)
"""Keys that may not be missing."""


def misspelt(data: Mapping[str, Any]) -> Iterator[Complaint]:
    """What is wrong with the keys and the kinds of their values."""
    yield from complaints((), data, MAP_KEYS, MUST)
    for word, keys in (("section", SECTION_KEYS), ("drawing", DRAWING_KEYS)):
        tables = data.get(word, ())
        for index, table in enumerate(tables if isinstance(tables, list) else ()):
            if is_table(table):
                yield from complaints((word, index), table, keys, MUST)
                borders = table.get("neighbours")
                if is_table(borders):
                    yield from complaints((word, index, "neighbours"), borders, BORDER_KEYS, MUST)


# --- geography ----------------------------------------------------------------------------------------------------

Sections = list[dict[str, Any]]


def misdrawn(data: Mapping[str, Any]) -> Iterator[Complaint]:
    """What is wrong with a map whose keys are all in order."""
    sections: Sections = data["section"]
    yield from _naming(sections)
    yield from _seats(data)
    yield from _off_the_canvas(data)
    for index, section in enumerate(sections):
        yield from ((("section", index, key), f"{_tag(section)}: {reason}") for key, reason in _ground(section))
    numbered = [section["number"] for section in sections] == list(range(1, len(sections) + 1))
    if not numbered:
        yield ("section",), f"the numbers must run from 1 to {len(sections)}, each once and in that order"
        return
    for index, section in enumerate(sections):
        reasons = _borders(section, sections)
        yield from ((("section", index, "neighbours"), f"{_tag(section)}: {reason}") for reason in reasons)
    yield from _islands(sections)


def _tag(section: Mapping[str, Any]) -> str:
    return f"{section['number']} {section['name']}"


def _naming(sections: Sections) -> Iterator[Complaint]:
    spelt = Counter(plain(section["name"]) for section in sections)
    for index, section in enumerate(sections):
        name = section["name"]
        if spelt[plain(name)] > 1:
            yield ("section", index, "name"), f"more than one section is called {name}"
        if len(name) > LONGEST_NAME:
            yield ("section", index, "name"), f"{name} is longer than {LONGEST_NAME} letters"
        if any(sign.isdigit() for sign in name):
            yield ("section", index, "name"), f"{name} has a digit: orders could take it for a number"


def _seats(data: Mapping[str, Any]) -> Iterator[Complaint]:
    least, most = data["seats"]
    candidates = sum(section.get("headquarters", False) for section in data["section"])
    if least > most:
        yield ("seats",), "the least number of seats comes first"
    if most > candidates:
        yield ("seats",), f"{most} seats need as many candidates for a headquarters; here are {candidates}"


def _off_the_canvas(data: Mapping[str, Any]) -> Iterator[Complaint]:
    width, height = data["size"]
    drawn: list[tuple[Path, list[Any]]] = [((corner,), [data[corner]]) for corner in CORNERS if corner in data]
    for index, section in enumerate(data["section"]):
        drawn += [
            (("section", index, "outline"), section["outline"]),
            (("section", index, "centre"), [section["centre"]]),
        ]
    drawn += [(("drawing", index, "points"), line["points"]) for index, line in enumerate(data.get("drawing", ()))]
    for path, points in drawn:
        outside = [point for point in points if not (0 <= point[0] <= width and 0 <= point[1] <= height)]
        if outside:
            yield path, f"{outside[0]} lies off the canvas of {width} x {height}"


def _ground(section: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Terrain, site and flags that do not go together: the key and the reason."""
    site = section.get("site", "")
    if section["terrain"] == "ocean":
        for key in ("site", "river", "snow", "port", "headquarters"):
            if section.get(key):
                yield key, f"an ocean section has no {key}"
    if section.get("serves") and site != "merchant city":
        yield "serves", "only a merchant city serves anybody"
    if section.get("headquarters") and site:
        yield "site", "a candidate for a headquarters bears no site"
    if section.get("headquarters") and section["terrain"] == "wasteland":
        yield "headquarters", "wasteland is no candidate for a headquarters"
    if section.get("port") and site not in FORTRESSES and not section.get("headquarters"):
        yield "port", "a port needs a village, keep, stronghold, citadel or candidate for a headquarters"
    if section.get("port") and not section["neighbours"].get("coast"):
        yield "port", "a port needs a coast"
    if not section["neighbours"]:
        yield "neighbours", "a section needs a neighbour"


def _borders(section: Mapping[str, Any], sections: Sections) -> Iterator[str]:
    """Borders that only one side knows, or of the wrong kind."""
    met = Counter(number for numbers in section["neighbours"].values() for number in numbers)
    for number, times in sorted(met.items()):
        if times > 1:
            yield f"{number} stands there more than once"
    for kind, numbers in section["neighbours"].items():
        for number in sorted(set(numbers)):
            if not 1 <= number <= len(sections) or number == section["number"]:
                yield f"{number} cannot be its neighbour"
            else:
                yield from _border(section, sections[number - 1], kind)


def _border(section: Mapping[str, Any], other: Mapping[str, Any], kind: str) -> Iterator[str]:
    if section["number"] not in other["neighbours"].get(kind, ()):
        yield f"the {kind} border with {_tag(other)} does not stand in that section too"
    if OCEAN_SIDES[kind] != sum(each["terrain"] == "ocean" for each in (section, other)):
        yield f"a border with {_tag(other)} cannot be of the kind {kind}"


def _islands(sections: Sections) -> Iterator[Complaint]:
    def neighbours(number: int) -> list[int]:
        numbers = (number for numbers in sections[number - 1]["neighbours"].values() for number in numbers)
        return [number for number in numbers if 1 <= number <= len(sections)]

    reached = distances(1, neighbours)
    for index, section in enumerate(sections):
        if section["number"] not in reached:
            yield ("section", index, "neighbours"), f"{_tag(section)} cannot be reached from {_tag(sections[0])}"
