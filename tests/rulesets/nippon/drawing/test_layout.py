"""Layouts: those that ship with a map, and the plain one for any other."""

from dataclasses import replace

import pytest

from pbem.rulesets.nippon import maps
from pbem.rulesets.nippon.atlas import Atlas
from pbem.rulesets.nippon.drawing.borders import borders
from pbem.rulesets.nippon.drawing.chart import chart, map_scale
from pbem.rulesets.nippon.drawing.layout import likeness, shipped
from pbem.rulesets.nippon.drawing.plain import inside, plain_layout
from pbem.rulesets.nippon.drawing.stacks import MOST_SHIELDS, Content, contents

SHIPPED = [maps.atlas(name) for name in maps.names()]
ANY = [*SHIPPED, *(replace(atlas, name="own") for atlas in SHIPPED)]


def name(atlas: Atlas) -> str:
    """Of a test's parameter."""
    return f"{atlas.title} {atlas.name}"


@pytest.mark.parametrize("atlas", SHIPPED, ids=name)
def test_shipped_layout_settles_everything_its_map_can_hold(atlas: Atlas) -> None:
    layout = shipped(atlas)

    assert layout is not None
    assert [len(stacks) for stacks in layout.stacks] == [len(contents(place)) for place in atlas]
    assert len(layout.insets) == len(borders(atlas).edges)
    assert sorted(layout.ports) == [place.number for place in atlas if place.port]


def test_shipped_layout_is_no_longer_used_when_the_map_has_changed() -> None:
    first, *others = maps.atlas("duel").places
    moved = replace(maps.atlas("duel"), places=(replace(first, outline=((1.0, 1.0), *first.outline[1:])), *others))

    assert likeness(moved) != likeness(maps.atlas("duel"))
    assert shipped(moved) is None


@pytest.mark.parametrize("strange", ["no-such-map", "../maps/duel", ""])
def test_shipped_layout_of_a_map_with_another_name_is_none(strange: str) -> None:
    assert shipped(replace(maps.atlas("duel"), name=strange)) is None


@pytest.mark.parametrize("atlas", ANY, ids=name)
def test_chart_has_a_gate_for_every_border(atlas: Atlas) -> None:
    assert sorted(chart(atlas).gates) == sorted((place.number, n) for place in atlas for n in place.neighbours)


@pytest.mark.parametrize("atlas", ANY, ids=name)
def test_chart_numbers_stand_in_their_sections(atlas: Atlas) -> None:
    bare = [Content(site=bool(place.site)) for place in atlas]
    things = [chart(atlas).things(number, content) for number, content in enumerate(bare, 1)]
    centres = [(thing.x, thing.y) for each in things for thing in each if thing.what == "number"]

    assert [inside(place.outline, at) for place, at in zip(atlas, centres, strict=True)] == [True] * len(bare)


@pytest.mark.parametrize("atlas", ANY, ids=name)
def test_chart_places_any_number_of_shields(atlas: Atlas) -> None:
    many = chart(atlas).things(1, Content(chips=1, star=True, shields=MOST_SHIELDS + 3))

    assert sum(thing.what == "shield" for thing in many) == MOST_SHIELDS + 3


@pytest.mark.parametrize("atlas", SHIPPED, ids=name)
def test_chart_things_of_a_section_do_not_overlap(atlas: Atlas) -> None:
    content = Content(chips=1, site=bool(atlas[2].site), mark=True, star=True, shields=4)
    things = chart(atlas).things(2, content)

    overlaps = [
        (one.what, other.what)
        for index, one in enumerate(things)
        for other in things[:index]
        if abs(one.x - other.x) < one.half_width + other.half_width - 0.01
        and abs(one.y - other.y) < one.half_height + other.half_height - 0.01
    ]
    assert overlaps == []


@pytest.mark.parametrize("atlas", SHIPPED, ids=name)
def test_plain_layout_sows_only_inside(atlas: Atlas) -> None:
    layout = plain_layout(atlas, borders(atlas), map_scale(atlas))

    outside = [
        (place.number, symbol)
        for place, symbols in zip(atlas, layout.symbols, strict=True)
        for symbol in symbols
        if not inside(place.outline, symbol[:2])
    ]
    assert outside == []
    assert sum(map(len, layout.symbols)) > len(atlas.places)
