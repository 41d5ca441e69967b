"""Chapter 9.3, scattered banners: their walk home, and what becomes of them. Who scatters is told where it happens."""

from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.banners import outside, own_site
from pbem.rulesets.nippon.composition import shortfall
from pbem.rulesets.nippon.events import CameHome, Disbanded, JoinedReserve, Scattered
from pbem.rulesets.nippon.paths import Path, first_leg, way_home
from pbem.rulesets.nippon.state import Banner, State


@rule("9.3", "Scattered banners")
def walk_home(turn: Turn[State], banner: Banner) -> Path | None:
    """How far a scattered banner means to go this turn; without a site that it can reach it disbands."""
    way = way_home(turn.state, banner)
    if way is None:
        turn.emit(Disbanded(banner.key, banner.at))
        return None
    return first_leg(turn.state, banner, way)


@rule("9.3", "Scattered banners")
def come_home(turn: Turn[State]) -> None:
    """Scattered banners that have reached a site of their realm are whole again, or become its reserve."""
    for key in sorted(turn.state.banners):
        banner = turn.state.banners[key]
        if banner.scattered and own_site(turn.state, banner.realm, banner.at) and not outside(turn.state, banner):
            event = JoinedReserve if shortfall(banner.units) else CameHome
            turn.emit(event(key, banner.at))


@rule("9.3", "Scattered banners")
def disband(turn: Turn[State], key: str) -> None:
    """Who is beaten while scattered is no more."""
    turn.emit(Disbanded(key, turn.state.banners[key].at))


@rule("9.4", "Draws")
def scatter(turn: Turn[State], banner: Banner) -> None:
    """A banner that drew, with no own section in reach, scatters by order. Its walk begins next turn (NIP 20.8)."""
    turn.emit(Scattered(banner.key, banner.at))
