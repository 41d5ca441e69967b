"""What the checker says of the maps that ship, and of broken ones."""

from dataclasses import replace
from importlib.resources import files

import pytest

from pbem.core.graph import Point
from pbem.rulesets.nippon import maps
from pbem.rulesets.nippon.atlas import Atlas, Place
from tools.checking import check, doubts, flaws


def square(x: float, y: float, side: float = 50.0) -> tuple[Point, ...]:
    """An outline."""
    return ((x, y), (x + side, y), (x + side, y + side), (x, y + side))


def tiny(**changes: object) -> Atlas:
    """Two squares side by side; ``changes`` are of the first."""
    west = Place(1, "West", "plains", (25, 25), square(0, 0), {"land": (2,)})
    east = Place(2, "East", "plains", (75, 25), square(50, 0), {"land": (1,)})
    return Atlas("tiny", "Tiny", (100, 50), (replace(west, **changes), east))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", maps.names())
def test_check_accepts_the_maps_that_ship(name: str) -> None:
    text = (files(maps) / f"{name}.toml").read_text(encoding="utf-8")

    assert check(f"{name}.toml", text) == (maps.atlas(name), [])


def test_check_says_what_the_loader_says() -> None:
    atlas, wrong = check("bad.toml", 'format = 1\nname = "bad"\n')

    assert atlas is None
    assert wrong[0] == "bad.toml: title: this key is missing"


def test_flaws_none() -> None:
    assert list(flaws(tiny())) == []


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"outline": ((0, 0), (50, 50), (50, 0), (0, 50))}, "1 West: the outline crosses itself"),
        ({"centre": (60, 25)}, "1 West: the centre lies outside"),
        ({"outline": square(0, 0, 52)}, "1 West and 2 East overlap"),
        ({"outline": square(-10, 0)}, "1 West and 2 East are neighbours but share no edge"),
    ],
)
def test_flaws_name_what_is_wrong(changes: dict[str, object], said: str) -> None:
    assert said in list(flaws(tiny(**changes)))


def test_flaws_sections_that_share_an_edge_should_be_neighbours() -> None:
    corner = ((50, 0), (50, 25), (50, 50))
    west, east = tiny().places
    apart = tiny()
    strangers = (
        replace(west, outline=((0, 0), *corner, (0, 50)), borders={}),
        replace(east, outline=((100, 50), *reversed(corner), (100, 0)), borders={}),
    )

    assert list(flaws(replace(apart, places=strangers))) == ["1 West and 2 East share an edge but are no neighbours"]


def test_doubts_of_a_cramped_map() -> None:
    west, east = tiny().places
    cramped = (
        replace(west, outline=square(0, 0, 10), centre=(5, 5), headquarters=True),
        replace(east, outline=((10, 0), (60, 0), (60, 50), (10, 10)), headquarters=True),
    )

    assert list(doubts(replace(tiny(), places=cramped))) == [
        "1 West: small, 100 square units",
        "1 West and 2 East: a short border, 10 units",
        "2 East: small, 1500 square units",
        "1 West: a candidate with fewer than 3 land neighbours",
        "2 East: a candidate with fewer than 3 land neighbours",
        "candidates 1 West and 2 East are 1 steps apart",
    ]


def test_doubts_of_the_large_map() -> None:
    assert list(doubts(maps.atlas("nippon"))) == ["unfair: nearest to it strays by -26% to +33% from its mean"]
