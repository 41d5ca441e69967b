"""Between GeoJSON and map files; docs/maps-format.md says which property becomes which key.

python -m tools.geojson import regions.geojson map.toml [--flip]    (--flip: y grows upward, as latitudes do)
python -m tools.geojson export map.toml map.geojson
"""

import argparse
import json
import math
import sys
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import shapely
from shapely import LineString, Polygon, STRtree
from shapely.ops import polylabel

from pbem.core.graph import Point
from pbem.rulesets.nippon import maps
from pbem.rulesets.nippon.atlas import Atlas, Place
from tools.checking import check
from tools.drafting import FLAGS, Draft, document, link, number_in_bands, toml
from tools.fairness import table
from tools.shaping import tenths

SNAP, LEAST_BORDER = 0.4, 4.0
"""Outlines so near to each other are drawn together; longer common borders make neighbours."""
WIDTH, MARGIN, BAND = 1000, 40, 46

Feature = dict[str, Any]


class Unusable(Exception):
    """A GeoJSON file that cannot become a map; the message says why."""


def load(name: str, collection: Mapping[str, Any], *, flip: bool = False) -> dict[str, Any]:
    """The map file made of a feature collection, not yet checked."""
    features: list[Feature] = collection["features"]
    shapes = _fitted(_shapes(features), flip=flip)
    if not _agree(shapes):
        shapes = _snapped(shapes)
    outlines = {each: tenths(_noded(shape, shapes)) for each, shape in shapes.items()}
    drafts = {f["properties"]["name"]: _draft(f["properties"], outlines) for f in features}
    _link(drafts, features)
    if any(not draft.number for draft in drafts.values()):
        number_in_bands(drafts.values(), BAND)
    bottom = max(y for draft in drafts.values() for _, y in draft.outline)
    seats = sum("headquarters" in draft.flags for draft in drafts.values())
    head = {
        "name": name,
        "title": name.replace("-", " ").title(),
        "seats": [min(2, seats), seats],
        "size": [WIDTH, math.ceil(bottom + MARGIN)],
    }
    return document(head, drafts.values(), [])


def _shapes(features: Sequence[Feature]) -> dict[str, Polygon]:
    shapes = {f["properties"]["name"]: shapely.geometry.shape(f["geometry"]) for f in features}
    if len(shapes) != len(features):
        raise Unusable("two features bear the same name")
    odd = [name for name, shape in shapes.items() if shape.geom_type != "Polygon"]
    if odd:
        raise Unusable(f"not a Polygon (split a MultiPolygon into sections): {', '.join(odd)}")
    return shapes


def _fitted(shapes: Mapping[str, Polygon], *, flip: bool) -> dict[str, Polygon]:
    """The same shapes on the canvas; where they lie already if they have about its width."""
    x0, y0, x1, y1 = shapely.union_all(list(shapes.values())).bounds
    if not flip and WIDTH / 2 <= x1 - x0 <= WIDTH:
        return dict(shapes)
    scale = (WIDTH - 2 * MARGIN) / (x1 - x0)

    def fit(points: Sequence[Point]) -> list[Point]:
        return [(MARGIN + (x - x0) * scale, MARGIN + ((y1 - y) if flip else (y - y0)) * scale) for x, y in points]

    return {name: shapely.transform(shape, fit) for name, shape in shapes.items()}


def _agree(shapes: Mapping[str, Polygon]) -> bool:
    """Whether outlines that come near to each other touch already."""
    return not any(0 < one.distance(other) < SNAP for one, other in combinations(shapes.values(), 2))


def _snapped(shapes: Mapping[str, Polygon]) -> dict[str, Polygon]:
    """Each outline pulled onto those before it."""
    done: dict[str, Polygon] = {}
    for name, shape in shapes.items():
        near = [each.boundary for each in done.values() if each.distance(shape) < SNAP]
        done[name] = shapely.snap(shape, shapely.union_all(near), SNAP) if near else shape
    return done


def _noded(shape: Polygon, shapes: Mapping[str, Polygon]) -> list[Point]:
    """The outline with all corners of others that lie on it: neighbours share their vertices."""
    others = [shapely.Point(at) for each in shapes.values() for at in each.exterior.coords[:-1]]
    tree = STRtree(others)
    out: list[Point] = []
    for start, end in pairwise(shape.exterior.coords):
        step = LineString([start, end])
        near = (others[index] for index in tree.query(step, predicate="dwithin", distance=SNAP / 8))
        between = {(spot.x, spot.y) for spot in near} - {start, end}
        out += [start, *sorted(between, key=lambda at: math.dist(start, at))]
    return out


def _draft(properties: Mapping[str, Any], outlines: Mapping[str, list[Point]]) -> Draft:
    name = properties["name"]
    roomy = polylabel(Polygon(outlines[name]), 1.0)
    return Draft(
        name,
        properties["terrain"],
        {flag for flag in FLAGS if properties.get(flag)},
        properties.get("site") or "",
        properties.get("number") or 0,
        outlines[name],
        tuple(properties.get("centre") or (round(roomy.x, 1), round(roomy.y, 1))),
    )


def _link(drafts: Mapping[str, Draft], features: Sequence[Feature]) -> None:
    """Neighbours by common borders, and the straits that are given."""
    rings = {name: Polygon(draft.outline).boundary for name, draft in drafts.items()}
    for one, other in combinations(drafts.values(), 2):
        near = rings[one.name].distance(rings[other.name]) < SNAP
        if near and rings[one.name].intersection(rings[other.name].buffer(SNAP / 2)).length > LEAST_BORDER:
            link(one, other, ("land", "coast", "sea")[one.is_sea + other.is_sea])
    for feature in features:
        for other_name in feature["properties"].get("straits", ()):
            link(drafts[feature["properties"]["name"]], drafts[other_name], "strait")


# --- export -------------------------------------------------------------------------------------------------------


def dump(atlas: Atlas) -> dict[str, Any]:
    """The sections of a map as a feature collection."""
    return {"type": "FeatureCollection", "features": [_feature(atlas, place) for place in atlas]}


def _feature(atlas: Atlas, place: Place) -> Feature:
    ring = [list(at) for at in (*place.outline, place.outline[0])]
    properties: dict[str, Any] = {"number": place.number, "name": place.name, "terrain": place.terrain}
    properties |= {"site": place.site} if place.site else {}
    properties |= {flag: True for flag in FLAGS if getattr(place, flag)}
    straits = [atlas[number].name for number in place.borders.get("strait", ())]
    properties |= {"centre": list(place.centre)} | ({"straits": straits} if straits else {})
    return {"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [ring]}, "properties": properties}


# --- command ------------------------------------------------------------------------------------------------------


def main(args: Sequence[str]) -> int:
    """The command; its exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.geojson", description=__doc__.partition("\n")[0])
    parser.add_argument("way", choices=("import", "export"))
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--flip", action="store_true", help="y grows upward, as latitudes do")
    given = parser.parse_args(args)
    if given.way == "export":
        atlas = maps.load(given.source.name, given.source.read_text(encoding="utf-8"))
        given.target.write_text(json.dumps(dump(atlas)) + "\n", encoding="utf-8")
        return 0
    return _import(given.source, given.target, flip=given.flip)


def _import(source: Path, target: Path, *, flip: bool) -> int:
    try:
        data = load(target.stem, json.loads(source.read_text(encoding="utf-8")), flip=flip)
    except Unusable as error:
        print(error, file=sys.stderr)
        return 2
    text = toml(data)
    target.write_text(text, encoding="utf-8")
    atlas, wrong = check(target.name, text)
    print("\n".join(wrong) or table(atlas) if atlas else "\n".join(wrong))
    return 2 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
