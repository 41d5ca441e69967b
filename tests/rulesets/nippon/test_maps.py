"""Map files: what the loader makes of a good one, and what it says of bad ones."""

import pytest

from pbem.core.errors import BadInput
from pbem.rulesets.nippon import maps

GOOD = """
format = 1
name = "tiny"
title = "Tiny"
seats = [1, 2]
size = [100, 100]

[[section]]
number = 1
name = "North"
terrain = "plains"
headquarters = true
port = true
neighbours = { land = [2], coast = [3] }
centre = [10, 10]
outline = [[0, 0], [50, 0], [50, 50]]

[[section]]
number = 2
name = "South"
terrain = "forest"
headquarters = true
river = true
neighbours = { land = [1] }
centre = [20, 20.5]
outline = [[0, 0], [50, 0], [50, 50]]

[[section]]
number = 3
name = "Sea"
terrain = "ocean"
neighbours = { coast = [1] }
centre = [80, 80]
outline = [[50, 0], [99, 0], [50, 50]]

[[drawing]]
kind = "river"
name = "Brook"
points = [[0, 0], [1, 1]]
"""


def flaws(old: str = "", new: str = "", text: str = GOOD) -> list[str]:
    """What the loader says of the good map with one thing changed."""
    with pytest.raises(BadInput) as caught:
        maps.load("tiny.toml", text.replace(old, new))
    return [str(flaw) for flaw in caught.value.flaws]


def test_load_gives_the_atlas():
    atlas = maps.load("tiny.toml", GOOD)
    assert [str(place) for place in atlas] == ["1 North", "2 South", "3 Sea"]
    assert atlas[1].neighbours == (2, 3)
    assert (atlas[1].port, atlas[2].river, atlas[3].ocean) == (True, True, True)
    assert atlas[2].centre == (20.0, 20.5)
    assert atlas.drawings[0].points == ((0.0, 0.0), (1.0, 1.0))


@pytest.mark.parametrize("name", maps.names())
def test_shipped_maps_are_in_order(name):
    atlas = maps.atlas(name)
    assert atlas.name == name
    assert atlas is maps.atlas(name)


def test_atlas_of_unknown_name_is_an_error():
    with pytest.raises(KeyError):
        maps.atlas("atlantis")


def test_text_that_is_no_toml_is_told():
    assert flaws("format = 1", "format 1")[0].startswith("tiny.toml: this is not TOML")


@pytest.mark.parametrize(
    ("old", "new", "flaw"),
    [
        ('title = "Tiny"\n', "", "tiny.toml: title: this key is missing"),
        ("format = 1", "format = 2", "tiny.toml: format (line 2): 2 should be 1"),
        ("size = [100, 100]", "size = [100]", "tiny.toml: size (line 6): [100] should be two whole numbers above 0"),
        ("river = true", "rivr = true", "tiny.toml: section.2.rivr (line 23): there is no such key; there are number"),
        (
            "river = true",
            "serves = 'dwarfs'",
            "tiny.toml: section.2.serves (line 23): 'dwarfs' should be a list of peoples",
        ),
        ("river = true", "river = 1", "tiny.toml: section.2.river (line 23): 1 should be true or false"),
        ('"forest"', '"wood"', "tiny.toml: section.2.terrain (line 21): 'wood' should be one of plains, forest"),
        ("centre = [80, 80]", "centre = 80", "tiny.toml: section.3.centre (line 33): 80 should be a point such as"),
        ("{ land = [1] }", "{ lend = [1] }", "tiny.toml: section.2.neighbours.lend (line 24): there is no such key"),
        (
            'kind = "river"',
            'kind = "road"',
            "tiny.toml: drawing.1.kind (line 37): 'road' should be one of river, strait",
        ),
    ],
)
def test_key_that_is_wrong_is_named_with_its_line(old, new, flaw):
    told = flaws(old, new)
    assert len(told) == 1
    assert told[0].startswith(flaw)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"South"', '"nörth"', ["more than one section is called North", "more than one section is called nörth"]),
        ('"South"', '"South Province"', []),
        ('"South"', '"Southern Shires"', ["Southern Shires is longer than 14 letters"]),
        ('"South"', '"Area 51"', ["Area 51 has a digit: orders could take it for a number"]),
        ("seats = [1, 2]", "seats = [2, 3]", ["3 seats need as many candidates for a headquarters; here are 2"]),
        ("seats = [1, 2]", "seats = [2, 1]", ["the least number of seats comes first"]),
        ("[99, 0]", "[101, 0]", ["[101, 0] lies off the canvas of 100 x 100"]),
        ("centre = [80, 80]", "centre = [80, 180]", ["[80, 180] lies off the canvas of 100 x 100"]),
        ("river = true", 'site = "keep"', ["2 South: a candidate for a headquarters bears no site"]),
        ('"forest"', '"wasteland"', ["2 South: wasteland is no candidate for a headquarters"]),
        ('terrain = "ocean"', 'terrain = "ocean"\nsnow = true', ["3 Sea: an ocean section has no snow"]),
        ("river = true", "port = true", ["2 South: a port needs a coast"]),
        ("river = true", 'serves = ["dwarfs"]', ["2 South: only a merchant city serves anybody"]),
        (
            "headquarters = true\nport = true",
            "port = true",
            [
                "2 seats need as many candidates for a headquarters; here are 1",
                "1 North: a port needs a village, keep, stronghold, citadel or candidate for a headquarters",
            ],
        ),
        ("number = 3", "number = 4", ["the numbers must run from 1 to 3, each once and in that order"]),
        ("land = [2]", "land = [2, 2]", ["1 North: 2 stands there more than once"]),
        ("land = [2]", "land = [2, 1]", ["1 North: 1 cannot be its neighbour"]),
        ("land = [2]", "land = [2, 9]", ["1 North: 9 cannot be its neighbour"]),
        (
            "land = [2]",
            "strait = [2]",
            [
                "1 North: the strait border with 2 South does not stand in that section too",
                "2 South: the land border with 1 North does not stand in that section too",
            ],
        ),
        (
            "coast",
            "sea",
            [
                "1 North: a port needs a coast",
                "1 North: a border with 3 Sea cannot be of the kind sea",
                "3 Sea: a border with 1 North cannot be of the kind sea",
            ],
        ),
    ],
)
def test_geography_that_is_wrong_is_told_all_at_once(old, new, told):
    if not told:
        maps.load("tiny.toml", GOOD.replace(old, new))
        return
    assert [flaw.split(": ", 2)[2] for flaw in flaws(old, new)] == told


def test_section_that_cannot_be_reached_is_told():
    cut = GOOD.replace("port = true\n", "").replace(", coast = [3]", "").replace("{ coast = [1] }", "{}")
    assert flaws(text=cut) == [
        "tiny.toml: section.3.neighbours (line 31): 3 Sea: a section needs a neighbour",
        "tiny.toml: section.3.neighbours (line 31): 3 Sea cannot be reached from 1 North",
    ]
