"""A position to be played, made of a view: banners whose units the player does not know get units for a guess."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Literal

from pbem.rulesets.nippon.state import Banner, Profile, State, Unit
from pbem.rulesets.nippon.tables import LEAST_POINTS, RATES
from pbem.rulesets.nippon.view import View

Pace = Literal["on foot", "mounted", "flying"]
"""How a banner goes."""

PACES: tuple[Pace, ...] = ("on foot", "mounted", "flying")
"""The slowest first."""

HERO, WARRIOR = 100, 10
"""Points of the models of a guess."""


def filled_in(view: View, paces: Mapping[str, Pace]) -> State:
    """The position that a view shows, with units for every banner; those not named in ``paces``, by key, go on foot.

    Where others come up from underground nobody else can say: they stay below.
    """
    position = view.position.copy()
    position.tunnels = {key: tunnel for key, tunnel in position.tunnels.items() if view.knows(tunnel.banner.realm)}
    for banner in blank(view):
        units = tuple(_guess(share(view, banner.realm), paces.get(banner.key, "on foot")))
        position.banners[banner.key] = replace(banner, units=units)
    return position


def blank(view: View) -> list[Banner]:
    """The banners whose units the player does not know, by key."""
    return [banner for _, banner in sorted(view.position.banners.items()) if not view.knows(banner.realm)]


def share(view: View, realm: str) -> int:
    """The points that a banner of another realm is taken for: an equal share of a whole army."""
    return max(LEAST_POINTS, view.position.options.army_points // len(view.position.banners_of(realm)))


def _guess(points: int, pace: Pace) -> Iterator[Unit]:
    """A hero and warriors worth so many points."""
    profile = Profile(RATES.mounted_from - (pace == "on foot"), 3, 3, 3, 3, 1, 3, 1, 7)
    tags = frozenset({"fly"}) if pace == "flying" else frozenset[str]()
    yield Unit("hero", "", "hero", 1, HERO, profile, tags)
    yield Unit("warriors", "", "core", max(1, (points - HERO) // WARRIOR), WARRIOR, profile, tags)
