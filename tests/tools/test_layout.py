"""Layouts as the tool makes them, and that those which ship are its latest."""

import json

import pytest
from shapely import Point

from pbem.rulesets.nippon import maps
from pbem.rulesets.nippon.drawing.borders import borders
from pbem.rulesets.nippon.drawing.layout import CODEC, Layout, shipped
from pbem.rulesets.nippon.drawing.palette import BAND
from pbem.rulesets.nippon.drawing.stacks import Content
from tools import layout
from tools.stacking import Ground


def stored(name: str) -> Layout:
    """The layout that ships with a map."""
    found = shipped(maps.atlas(name))
    assert found is not None
    return found


@pytest.fixture(scope="module")
def duel() -> Ground:
    """The small map, as the search sees it."""
    return Ground(maps.atlas("duel"))


def test_make_layout_small_map_is_up_to_date() -> None:
    """If this fails after a change of stacks, symbols or tools: ``python -m tools.make_map layout`` both maps."""
    assert layout.make_layout(maps.atlas("duel"), only=(1, 6, 20)) == trimmed(stored("duel"), 1, 6, 20)


def trimmed(whole: Layout, *numbers: int) -> Layout:
    """A layout with the stacks of some sections only."""
    stacks = tuple(each if number in numbers else () for number, each in enumerate(whole.stacks, 1))
    return Layout(whole.likeness, stacks, whole.symbols, whole.insets, whole.gates, whole.ports)


def test_insets_of_the_large_map_are_up_to_date() -> None:
    atlas = maps.atlas("nippon")
    edges = borders(atlas).edges
    some = range(0, len(edges), 25)

    assert [layout.inset(atlas[edges[index].section], edges[index]) for index in some] == [
        stored("nippon").insets[index] for index in some
    ]


def test_stack_of_a_roomy_section_has_its_name_and_full_scale(duel: Ground) -> None:
    place = maps.atlas("duel")[6]
    (best,) = duel.stacks(place, [Content(site=True)])

    assert best.percent == 100
    assert any(thing.what == "name" for thing in duel.things(place, Content(site=True)))


def test_stack_of_a_crowd_is_smaller_but_inside(duel: Ground) -> None:
    place = maps.atlas("duel")[8]
    content = Content(chips=1, site=True, mark=True, star=True, shields=6)

    things = duel.things(place, content)

    xs, ys = [x for x, _ in place.outline], [y for _, y in place.outline]
    assert all(min(xs) < thing.x - thing.half_width and thing.x + thing.half_width < max(xs) for thing in things)
    assert all(min(ys) < thing.y - thing.half_height and thing.y + thing.half_height < max(ys) for thing in things)


@pytest.mark.parametrize("name", maps.names())
def test_text_reads_back(name: str) -> None:
    written = layout.text(stored(name))

    assert CODEC.decode(json.loads(written)) == stored(name)


def test_insets_run_half_a_band_inside() -> None:
    atlas = maps.atlas("duel")
    ground = Ground(atlas)
    for edge, line in zip(borders(atlas).edges, stored("duel").insets, strict=True):
        outline = ground.shapes[edge.section].exterior
        assert max(outline.distance(Point(at)) for at in line) < BAND / 2 + 0.6
