"""The picture for the README: a position in the middle of a campaign, from sample.toml."""

import tomllib
from pathlib import Path
from typing import Any

from pbem.reports.raster import png
from pbem.rulesets.nippon import maps
from pbem.rulesets.nippon.atlas import Atlas
from pbem.rulesets.nippon.picture import picture
from pbem.rulesets.nippon.state import Banner, March, Meeting, Options, Realm, Section, State
from pbem.rulesets.nippon.view import view

WIDTH = 1000


def sample() -> bytes:
    """The picture as PNG."""
    return png(picture(view(position(), None)), WIDTH)


def position() -> State:
    """The position that it shows."""
    data = tomllib.loads((Path(__file__).parent / "sample.toml").read_text(encoding="utf-8"))
    atlas = maps.atlas("nippon")
    number = {place.name: place.number for place in atlas}
    realms = {
        each["seat"]: Realm(each["seat"], each["name"], "", number[each["headquarters"]]) for each in data["realm"]
    }
    banners = {banner.key: banner for each in data["realm"] for banner in _banners(each, data["position"], number)}
    owner = {banner.name: banner for banner in banners.values()}
    return State(
        atlas,
        Options(),
        realms,
        _sections(atlas, data, number),
        banners,
        turn=data["turn"],
        stage="meetings",
        meetings={number[name]: Meeting(number[name], ()) for name in data["position"]["meetings"]},
        marches={
            owner[name].key: March(owner[name].realm, owner[name].key, tuple(number[each] for each in path))
            for name, *path in data["position"]["moved"]
        },
    )


def _banners(realm: dict[str, Any], happened: dict[str, Any], number: dict[str, int]) -> list[Banner]:
    return [
        Banner(realm["seat"], name, number[at], (), scattered=name in happened["scattered"])
        for name, at in realm["banners"].items()
    ]


def _sections(atlas: Atlas, data: dict[str, Any], number: dict[str, int]) -> dict[int, Section]:
    owner = {number[name]: each["seat"] for each in data["realm"] for name in (*each["holds"], each["headquarters"])}
    homes = {number[each["headquarters"]] for each in data["realm"]}
    return {
        place.number: Section(
            owner.get(place.number, ""),
            "citadel" if place.number in homes else place.site,
            razed=place.name in data["position"]["razed"],
            fortified=owner.get(place.number, "") if place.name in data["position"]["fortified"] else "",
        )
        for place in atlas
    }
