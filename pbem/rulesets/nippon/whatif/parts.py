"""Which banners can get into each other's way this turn: what becomes of the others need not be asked together."""

from collections.abc import Iterator, Mapping, Sequence

from pbem.rulesets.nippon.orders import (
    BannerOrder,
    Fortify,
    Hold,
    Move,
    Order,
    Raze,
    Recover,
    Regrouping,
    Scatter,
    Steer,
)
from pbem.rulesets.nippon.paths import steps_of
from pbem.rulesets.nippon.state import Banner, State, key_of, seat_of

Orders = Mapping[str, Sequence[Order | BannerOrder]]
"""By seat."""

ORDINARY = (Hold, Move, Raze, Fortify, Recover, Scatter)
"""Orders that bring a banner nowhere but along its steps, or not that far."""


def parts(position: State, seat: str, orders: Orders) -> list[frozenset[str]]:
    """The keys of a realm's banners, and of all others that go anywhere, in parts that have nothing to do with one
    another: neither in steps, nor at night, nor in meetings, nor in claims (NIP 6, 8.1).

    Own banners never hinder each other. Those of two realms may, if the sections that they can come to overlap. Where
    banners go by ship, or units change banners, all are one part.
    """
    given = [(key_of(giver, order.banner), order) for giver, order in _banner_orders(orders)]
    commanded = {key: order for key, order in given if key in position.banners}
    if _anywhere(position, orders):
        return [frozenset(position.banners)]
    reach = {
        key: _reach(position, banner, commanded.get(key))
        for key, banner in position.banners.items()
        if banner.realm == seat or key in commanded or banner.scattered
    }
    found: list[frozenset[str]] = []
    for key in sorted(reach):
        near = [part for part in found if any(_overlap(position, reach, key, other) for other in part)]
        found = [*(part for part in found if part not in near), frozenset({key}).union(*near)]
    return found


def _anywhere(position: State, orders: Orders) -> bool:
    """Whether the orders bring banners to where steps do not, or make others of them."""
    all_orders = [order for given in orders.values() for order in given]
    beyond = any(isinstance(order, BannerOrder) and not isinstance(order, ORDINARY) for order in all_orders)
    regrouped = any(isinstance(order, Regrouping | Steer) for order in all_orders)
    return beyond or regrouped or any(banner.aboard for banner in position.banners.values())


def _banner_orders(orders: Orders) -> Iterator[tuple[str, BannerOrder]]:
    return ((seat, order) for seat in orders for order in orders[seat] if isinstance(order, BannerOrder))


def _reach(position: State, banner: Banner, order: BannerOrder | None) -> int:
    """How many sections away a banner may be at most when the moves are over."""
    return steps_of(position, banner) if banner.scattered or isinstance(order, Move) else 0


def _overlap(position: State, reach: Mapping[str, int], one: str, other: str) -> bool:
    away = position.atlas.distances(position.banners[one].at).get(position.banners[other].at)
    return seat_of(one) != seat_of(other) and away is not None and away <= reach[one] + reach[other]
