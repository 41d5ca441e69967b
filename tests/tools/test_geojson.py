"""Maps from GeoJSON and back."""

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.rulesets.nippon import maps
from tools.checking import check
from tools.drafting import toml
from tools.geojson import Unusable, dump, load, main


def feature(name: str, ring: list[list[float]], **properties: Any) -> dict[str, Any]:
    """A feature; its ring is closed here."""
    geometry = {"type": "Polygon", "coordinates": [[*ring, ring[0]]]}
    return {"type": "Feature", "geometry": geometry, "properties": {"name": name, "terrain": "plains"} | properties}


def collection(*features: dict[str, Any]) -> dict[str, Any]:
    """A feature collection."""
    return {"type": "FeatureCollection", "features": list(features)}


WEST = feature("West", [[0, 0], [300, 0], [300, 400], [0, 400]], headquarters=True, straits=["Isle"])
NORTH = feature("North", [[300, 0], [600, 0], [600, 200], [300, 200]], site="village", river=True)
SOUTH = feature("South", [[300, 200], [600, 200], [600, 400], [300, 400]], terrain="ocean")
ISLE = feature("Isle", [[0, 500], [600, 500], [600, 700], [0, 700]], headquarters=True)


def test_load_finds_neighbours_and_numbers_in_bands() -> None:
    data = load("four", collection(WEST, NORTH, SOUTH, ISLE))

    assert [(each["number"], each["name"], each["neighbours"]) for each in data["section"]] == [
        (1, "North", {"land": [2], "coast": [4]}),
        (2, "West", {"land": [1], "strait": [3], "coast": [4]}),
        (3, "Isle", {"strait": [2]}),
        (4, "South", {"coast": [1, 2]}),
    ]


def test_load_gives_neighbours_the_same_vertices() -> None:
    west = load("four", collection(WEST, NORTH, SOUTH, ISLE))["section"][1]

    assert (300.0, 200.0) in west["outline"]


def test_load_makes_a_map_without_faults() -> None:
    text = toml(load("four", collection(WEST, NORTH, SOUTH, ISLE)))

    assert check("four.toml", text)[1] == []


def test_load_draws_near_outlines_together() -> None:
    gap = feature("North", [[300.3, 0], [600, 0], [600, 200], [300.3, 200]])
    data = load("three", collection(WEST, gap, SOUTH, ISLE))

    assert data["section"][0]["neighbours"] == {"land": [2], "coast": [4]}


def test_load_flips_and_fits_what_is_measured_in_degrees() -> None:
    def ring(x0: float, y0: float) -> list[list[float]]:
        return [[x0, y0], [x0 + 1, y0], [x0 + 1, y0 + 1], [x0, y0 + 1]]

    data = load("two", collection(feature("South", ring(139, 35)), feature("North", ring(139, 36))), flip=True)

    assert [(each["name"], each["centre"]) for each in data["section"]] == [
        ("North", (500.0, 500.0)),
        ("South", (500.0, 1420.0)),
    ]
    assert data["size"] == [1000, 1920]


@pytest.mark.parametrize(
    ("features", "reason"),
    [
        ((WEST, WEST), "two features bear the same name"),
        ((WEST, NORTH | {"geometry": {"type": "MultiPolygon", "coordinates": []}}), "not a Polygon"),
    ],
)
def test_load_refuses_what_cannot_be_a_map(features: tuple[dict[str, Any], ...], reason: str) -> None:
    with pytest.raises(Unusable, match=reason):
        load("bad", collection(*features))


def test_dump_comes_back_as_the_same_map() -> None:
    atlas = maps.atlas("duel")

    again = check("duel.toml", toml(load("duel", dump(atlas))))[0]

    assert again is not None
    assert again.places == atlas.places


def test_main_imports_a_file_and_tells_how_fair_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target, back = tmp_path / "duel.geojson", tmp_path / "copy.toml"
    source = tmp_path / "duel.toml"
    source.write_text(toml(load("duel", dump(maps.atlas("duel")))))

    assert [main(["export", str(source), str(target)]), main(["import", str(target), str(back)])] == [0, 0]
    assert "1 Thornwick" in capsys.readouterr().out


def test_main_tells_what_is_wrong_with_a_map(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "bad.geojson"
    source.write_text(json.dumps(collection(WEST, WEST)), encoding="utf-8")

    assert main(["import", str(source), str(tmp_path / "bad.toml")]) == 2
    assert capsys.readouterr().err == "two features bear the same name\n"
