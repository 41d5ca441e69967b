"""Chapter 14.8, the Scroll of Town Portal: banners that go to a section of their realm before anybody moves."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.events import PortalKept, Portalled
from pbem.rulesets.nippon.legality import orders_in_force
from pbem.rulesets.nippon.orders import BannerOrder, Going, Portal, Sail
from pbem.rulesets.nippon.state import Banner, State, seat_of


@rule("14.8", "Scroll of Town Portal")
def portals(turn: Turn[State]) -> None:
    """Who is to use a scroll goes, or keeps it if nobody is ordered against him: judged before any die is rolled."""
    orders = orders_in_force(turn)
    coming = ordered_into(orders)
    for key, order in orders.items():
        if isinstance(order, Portal):
            banner = turn.state.banners[key]
            if order.if_threatened and not threatened(turn.state, banner, coming[banner.at]):
                turn.emit(PortalKept(key, banner.at), to=frozenset({banner.realm}))
            else:
                turn.emit(Portalled(key, banner.at, order.goal))


def ordered_into(orders: Mapping[str, BannerOrder]) -> defaultdict[int, set[str]]:
    """The realms whose banners are ordered into each section, anywhere on their ways (NIP 20.11)."""
    coming: defaultdict[int, set[str]] = defaultdict(set)
    for key, order in orders.items():
        way = order.path if isinstance(order, Going) else (order.land,) if isinstance(order, Sail) else ()
        for number in way:
            coming[number].add(seat_of(key))
    return coming


def threatened(position: State, banner: Banner, coming: Iterable[str]) -> bool:
    """Whether a hostile realm is among those that come to where a banner stands."""
    return any(position.hostile(realm, banner.realm) for realm in coming)
