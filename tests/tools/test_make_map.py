"""Maps drawn from geography, and the command that does it."""

from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest

from pbem.rulesets.nippon import maps
from pbem.rulesets.nippon.picture import alt
from pbem.rulesets.nippon.view import view
from tools.atlas import GEOGRAPHIES, geography
from tools.drafting import draw, toml
from tools.make_map import main
from tools.sample import position
from tools.shaping import Unshapely


def shipped(name: str) -> str:
    """The text of a map file that ships."""
    return (files(maps) / f"{name}.toml").read_text(encoding="utf-8")


def test_draw_makes_the_small_map_that_ships() -> None:
    assert toml(draw(geography("duel"))) == shipped("duel")


def test_geographies_are_those_of_the_maps_that_ship() -> None:
    assert sorted(GEOGRAPHIES) == sorted(maps.names())


def test_geography_of_the_large_map_has_its_names() -> None:
    large = geography("nippon")
    named = [name for name, *_ in large.places] + [name for name, _ in large.seas]

    assert sorted(named) == sorted(place.name for place in maps.atlas("nippon"))
    assert large.sites == {place.name: place.site for place in maps.atlas("nippon") if place.site}


def test_draw_refuses_a_river_that_jumps() -> None:
    jumping = replace(geography("duel"), rivers=[("Hop", 10, ("Thornwick", "Larkfield"))])

    with pytest.raises(Unshapely, match="river Hop: Thornwick and Larkfield are no neighbours"):
        draw(jumping)


def test_main_draws_and_checks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "duel.toml"

    assert main(["draw", "duel", str(target)]) == 0
    assert target.read_text(encoding="utf-8") == shipped("duel")
    assert capsys.readouterr().out.splitlines()[:2] == [
        "duel.toml: no faults",
        "doubtful: candidates 1 Thornwick and 4 Emberly are 3 steps apart",
    ]


def test_main_check_of_a_bad_map_names_the_line_and_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text(shipped("duel").replace('terrain = "marsh"', 'terrain = "swamp"', 1), encoding="utf-8")

    assert main(["check", str(bad)]) == 2
    assert "swamp" in capsys.readouterr().out


def test_sample_shows_six_realms_in_the_middle_of_a_campaign() -> None:
    seen = alt(view(position(), None))

    assert seen.title == "Nippon, turn 7, after the moves, before 3 meetings."
    assert len([text for _, text in seen.position if " sections, 3 banners." in text]) == 6
    assert {label for label, _ in seen.position} >= {"Moved", "Meetings", "Razed", "Fortified"}


def test_sample_moves_end_where_the_banners_stand() -> None:
    sample = position()

    assert [(march.banner, march.path[-1]) for march in sample.marches.values()] == [
        (march.banner, sample.banners[march.banner].at) for march in sample.marches.values()
    ]
    steps = [(a, b) for march in sample.marches.values() for a, b in zip(march.path, march.path[1:], strict=False)]
    assert [step for step in steps if step[1] not in sample.atlas[step[0]].neighbours] == []
