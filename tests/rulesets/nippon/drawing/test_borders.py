"""Outlines cut at their corners, and the borders of realms."""

from collections import Counter

import pytest

from pbem.rulesets.nippon import maps
from pbem.rulesets.nippon.atlas import Atlas, Place
from pbem.rulesets.nippon.drawing.borders import RIM, area, borders, clockwise

SQUARE = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))


def tiles(*corners: tuple[float, float]) -> Atlas:
    """Squares of side 10 with these upper left corners, numbered from 1; every second one runs the other way round."""
    outlines = [tuple((x + dx, y + dy) for dx, dy in SQUARE) for x, y in corners]
    turned = [outline if index % 2 else outline[::-1] for index, outline in enumerate(outlines)]
    places = (Place(number, f"P{number}", "plains", (0, 0), each, {}) for number, each in enumerate(turned, 1))
    return Atlas("tiles", "Tiles", (100, 100), tuple(places))


def test_area_is_positive_for_rings_that_run_clockwise_where_y_grows_downward() -> None:
    assert area(SQUARE) == 100
    assert area(SQUARE[::-1]) == -100
    assert clockwise(SQUARE[::-1]) == SQUARE


def test_borders_of_two_tiles_are_the_rim_and_the_common_edge_from_both_sides() -> None:
    found = borders(tiles((0, 0), (10, 0)))

    assert [(edge.section, edge.along, len(edge.points)) for edge in found.edges] == [
        (1, 2, 2),
        (1, RIM, 4),
        (2, RIM, 4),
        (2, 1, 2),
    ]
    assert found.twins == (3, -1, -1, 0)


@pytest.mark.parametrize("name", maps.names())
def test_borders_of_a_shipped_map_are_those_of_its_neighbours(name: str) -> None:
    atlas = maps.atlas(name)

    met = {(edge.section, edge.along) for edge in borders(atlas).edges if edge.along != RIM}

    said = {
        (place.number, n) for place in atlas for kind in ("land", "coast", "sea") for n in place.borders.get(kind, ())
    }
    corners = met - said
    assert met >= said
    assert corners == {(other, one) for one, other in corners}


@pytest.mark.parametrize("name", maps.names())
def test_borders_of_a_shipped_map_have_a_twin_each(name: str) -> None:
    found = borders(maps.atlas(name))

    assert Counter(index < 0 for index in found.twins) == Counter(edge.along == RIM for edge in found.edges)
    assert all(found.twins[twin] == index for index, twin in enumerate(found.twins) if twin >= 0)


def test_rings_run_round_sections_held_together() -> None:
    found = borders(tiles((0, 0), (10, 0), (20, 0), (50, 50)))

    rings = list(found.rings({1: "A", 2: "A", 3: "B", 4: "A"}, "A"))

    assert [sorted(found.edges[index].section for index in ring) for ring in rings] == [[1, 2, 2, 2], [4]]


def test_rings_run_inside_too_where_something_foreign_is_enclosed() -> None:
    ring = [(x, y) for x in (0, 10, 20) for y in (0, 10, 20)]
    found = borders(tiles(*ring))
    middle = ring.index((10, 10)) + 1

    rings = list(found.rings({number: "A" for number in range(1, 10) if number != middle}, "A"))

    assert sorted(len(each) for each in rings) == [4, 8]
