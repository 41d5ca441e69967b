"""What is wrong, or doubtful, with the drawing of a map. Its keys and rules are checked when it is loaded."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations

import shapely
from shapely import Polygon, STRtree

from pbem.core.errors import BadInput
from pbem.core.graph import Point
from pbem.rulesets.nippon import maps
from pbem.rulesets.nippon.atlas import Atlas, Place
from tools.fairness import candidates, spreads, steps_from

EDGED = ("land", "coast", "sea")
"""Kinds of border whose sections share an edge."""
ROUNDING = 0.5
"""Square units by which outlines may overlap."""
SMALL, SHORT, FEW, NEAR = 1600, 12, 3, 4
"""Less is doubtful: square units of a section, units of a border, land neighbours and distance of candidates."""
STRAY = 0.2
"""More is doubtful: how far a figure of the fairness table strays from its mean."""


def check(file: str, text: str) -> tuple[Atlas | None, list[str]]:
    """The map in a file, if it can be read, and everything wrong with it."""
    try:
        atlas = maps.load(file, text)
    except BadInput as error:
        return None, [str(flaw) for flaw in error.flaws]
    return atlas, list(flaws(atlas))


def flaws(atlas: Atlas) -> Iterator[str]:
    """What is wrong with the drawing."""
    shapes = {place.number: Polygon(place.outline) for place in atlas}
    for place in atlas:
        if not shapes[place.number].is_valid:
            yield f"{place}: the outline crosses itself"
        elif not shapes[place.number].contains(shapely.Point(place.centre)):
            yield f"{place}: the centre lies outside"
    yield from _overlaps(atlas, shapes)
    yield from _edges(atlas)


def _overlaps(atlas: Atlas, shapes: dict[int, Polygon]) -> Iterator[str]:
    sound = {number: shape for number, shape in shapes.items() if shape.is_valid}
    numbers = list(sound)
    tree = STRtree(list(sound.values()))
    for index, number in enumerate(numbers):
        for other in sorted(tree.query(sound[number])):
            if index < other and sound[number].intersection(sound[numbers[other]]).area > ROUNDING:
                yield f"{atlas[number]} and {atlas[numbers[other]]} overlap"


def _edges(atlas: Atlas) -> Iterator[str]:
    """Neighbours that share no edge, and sections that share one but are no neighbours."""
    meeting: dict[Point, set[int]] = defaultdict(set)
    for place in atlas:
        for vertex in place.outline:
            meeting[vertex].add(place.number)
    shared = Counter(pair for who in meeting.values() for pair in combinations(sorted(who), 2))
    linked = {(place.number, n) for place in atlas for kind in EDGED for n in place.borders.get(kind, ())}
    for one, other in sorted(linked):
        if one < other and shared[one, other] < 2:
            yield f"{atlas[one]} and {atlas[other]} are neighbours but share no edge"
    for one, other in sorted(shared):
        if shared[one, other] > 2 and (one, other) not in linked:
            yield f"{atlas[one]} and {atlas[other]} share an edge but are no neighbours"


# --- doubts -------------------------------------------------------------------------------------------------------


def doubts(atlas: Atlas) -> Iterator[str]:
    """What is allowed but may annoy a player."""
    shapes = {place.number: Polygon(place.outline) for place in atlas}
    for place in atlas:
        yield from _cramped(atlas, place, shapes)
    homes = candidates(atlas)
    for home in homes:
        if len(home.borders.get("land", ())) < FEW:
            yield f"{home}: a candidate with fewer than {FEW} land neighbours"
    for one, other in combinations(homes, 2):
        steps = steps_from(atlas, one.number).get(other.number)
        if steps is not None and steps < NEAR:
            yield f"candidates {one} and {other} are {steps} steps apart"
    for spread in spreads(atlas):
        if max(-spread.lowest, spread.highest) > STRAY:
            yield f"unfair: {spread.name} strays by {spread.lowest:+.0%} to {spread.highest:+.0%} from its mean"


def _cramped(atlas: Atlas, place: Place, shapes: dict[int, Polygon]) -> Iterator[str]:
    shape = shapes[place.number]
    if not place.ocean and shape.area < SMALL:
        yield f"{place}: small, {shape.area:.0f} square units"
    for number in (n for kind in EDGED for n in place.borders.get(kind, ()) if n > place.number):
        length = shape.boundary.intersection(shapes[number].boundary).length
        if length < SHORT:
            yield f"{place} and {atlas[number]}: a short border, {length:.0f} units"
