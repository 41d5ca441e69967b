"""The fairness of maps, figure by figure."""

from pathlib import Path

import pytest

from pbem.rulesets.nippon import maps
from pbem.rulesets.nippon.atlas import Atlas, Place
from tools.fairness import homes, spreads, table
from tools.make_map import fairness

DOCS = Path(__file__).parents[2] / "docs"


def chain(*places: dict[str, object]) -> Atlas:
    """Sections in a row, each with its land neighbours."""
    last = len(places)
    return Atlas(
        "chain",
        "Chain",
        (100, 100),
        tuple(
            Place(
                **{  # type: ignore[arg-type]
                    "number": number,
                    "name": f"P{number}",
                    "terrain": "plains",
                    "centre": (0, 0),
                    "outline": (),
                    "borders": {"land": tuple(n for n in (number - 1, number + 1) if 1 <= n <= last)},
                    **place,
                }
            )
            for number, place in enumerate(places, 1)
        ),
    )


def test_homes_count_what_lies_within_three_steps() -> None:
    home: dict[str, object] = {"headquarters": True}
    village, mine, marsh = {"site": "village", "port": True}, {"site": "gold mine"}, {"terrain": "marsh", "snow": True}
    atlas = chain(home, village, mine, marsh, {"terrain": "wasteland"}, home)

    first, last = homes(atlas)

    assert (first.near, first.within, first.sites, first.snow) == (2, 3, 2, 1)
    assert first.difficult == 1 / 3
    assert first.income == (3.5 + 1 + 3.5) + 14 + 2
    assert (first.own, first.next) == (3, (5, 6))
    assert (last.within, last.own, last.next) == (2, 2, (5, 1))


def test_spreads_are_shares_beyond_the_mean() -> None:
    home: dict[str, object] = {"headquarters": True}
    nearest = spreads(chain(home, {}, {}, {}, home, {}))[-1]

    assert (nearest.name, nearest.mean) == ("nearest to it", 2.5)
    assert (nearest.lowest, nearest.highest) == pytest.approx((-0.2, 0.2))


def test_table_of_a_map_without_candidates_is_empty() -> None:
    assert len(table(chain({}, {})).splitlines()) == len(("head", "rule"))


def test_fairness_page_is_up_to_date() -> None:
    assert (DOCS / "fairness.md").read_text(encoding="utf-8") == fairness()


def test_fairness_page_has_every_map() -> None:
    assert [line for line in fairness().splitlines() if line.startswith("## ")] == [
        f"## {maps.atlas(name).title}" for name in maps.names()
    ]
