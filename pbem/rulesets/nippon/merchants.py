"""Chapter 11.5, trade in magic items: what speaks against a line about them, what it costs, and who outbids whom.

``spending.py`` carries the lines out, among all others of a realm.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from pbem.core.turn import Turn
from pbem.core.wording import listed
from pbem.rulesets.nippon import armies
from pbem.rulesets.nippon.banners import Station, stations
from pbem.rulesets.nippon.events import BidsCompared, ItemBought, ItemSold
from pbem.rulesets.nippon.items import ITEMS
from pbem.rulesets.nippon.items.bearing import bearing, no_room_for, rid_of
from pbem.rulesets.nippon.legality import hostile_at
from pbem.rulesets.nippon.orders import Buy, Sell
from pbem.rulesets.nippon.sites import unusable
from pbem.rulesets.nippon.state import State
from pbem.rulesets.nippon.tables import FORGES, RESALE_PERCENT
from pbem.rulesets.nippon.ties import rolled_off


def bearers(position: State, seat: str) -> dict[str, Station]:
    """A realm's units that can be given things, by name: those in reserve, and those of banners that are whole."""
    return {
        each.unit.name: each
        for each in stations(position, seat)
        if not each.banner or not position.banners[each.banner].scattered
    }


# --- buying -------------------------------------------------------------------------------------------------------


def objections_to_buying(position: State, seat: str, order: Buy) -> Iterator[str]:
    """Why a realm cannot buy an item, each a sentence."""
    place, section = position.place(order.at), position.sections[order.at]
    if section.site == "merchant city":
        yield from _no_trade(position, seat, order.at)
        if not dict(section.stock).get(order.item):
            yield f"{place} has no {order.item} for sale."
    elif order.at == position.realms[seat].headquarters:
        yield from _no_forge(position, seat, order)
    else:
        yield "Magic items are bought in merchant cities, and at the forge of your headquarters."
    if 0 < order.bid < ITEMS[order.item].price:
        yield f"It costs {ITEMS[order.item].price} pp: bid as much, or more."
    yield from _no_bearer(position, seat, order)


def _no_trade(position: State, seat: str, at: int) -> Iterator[str]:
    place, army = position.place(at), position.realms[seat].army
    if place.serves and army not in place.serves:
        yield f"{place} deals with {listed(place.serves)} only."
    if not any(not banner.scattered and banner.at == at for banner in position.banners_of(seat)):
        yield f"No banner of yours stands in {place}."
    if hostile_at(position, seat, at):
        yield f"An enemy stands in {place}."


def _no_forge(position: State, seat: str, order: Buy) -> Iterator[str]:
    place, section = position.place(order.at), position.sections[order.at]
    yield from unusable(position, order.at, seat)
    if FORGES.isdisjoint(section.buildings):
        yield f"Magic items are made at a forge; {place} has none."
    if ITEMS[order.item].source != armies.army(position.realms[seat].army).magic_items:
        yield f"{order.item} is not on your army list: it can be bought in merchant cities at most."
    if order.bid:
        yield "Nobody bids against you at your own forge."


def _no_bearer(position: State, seat: str, order: Buy) -> Iterator[str]:
    found = bearers(position, seat).get(order.bearer)
    if found is None or found.at != order.at:
        yield f"{order.bearer} does not stand in {position.place(order.at)}."
    elif lack := no_room_for(found.unit, order.item):
        yield lack


def price_to_buy(order: Buy) -> int:
    """What a line takes out of the treasury at most: the bid, if there is one."""
    return max(order.bid, ITEMS[order.item].price)


def bought(position: State, seat: str, order: Buy) -> ItemBought:
    """What comes of a line that is not refused."""
    found = bearers(position, seat)[order.bearer]
    stocked = position.sections[order.at].site == "merchant city"
    laden = bearing(found.unit, order.item)
    return ItemBought(seat, order.at, order.item, laden, found.banner, price_to_buy(order), stocked)


# --- bids ---------------------------------------------------------------------------------------------------------

Line = tuple[str, Buy]
"""A seat, and what it wants to buy."""


def compare_bids(turn: Turn[State], payable: Sequence[Line]) -> dict[Line, int]:
    """Where more realms want an item than a city has of it: the lines about it, and how many of those alike may buy.

    The larger bid comes first, then the higher die; of one realm, the line written first. ``payable``: the lines that
    can be carried out whatever is bid; the others come behind them, and get nothing.
    """
    wanted: dict[tuple[int, str], list[Line]] = defaultdict(list)
    for seat, order in turn.given(Buy):
        if turn.state.sections[order.at].site == "merchant city":
            wanted[order.at, order.item].append((seat, order))
    judged: dict[Line, int] = {}
    for (at, item), lines in sorted(wanted.items(), key=lambda each: each[0]):
        left = dict(turn.state.sections[at].stock).get(item, 0)
        if 0 < left < len(lines) and _seats(lines) > 1:
            rivals = [line for line in payable if line in lines]
            judged |= dict.fromkeys((line for line in lines if line not in rivals), 0)
            if left < len(rivals) and _seats(rivals) > 1:
                judged |= {**dict.fromkeys(rivals, 0), **Counter(_by_bids(turn, rivals, left))}
    return judged


def _seats(lines: Iterable[Line]) -> int:
    return len({seat for seat, _ in lines})


def _by_bids(turn: Turn[State], rivals: Sequence[Line], left: int) -> Sequence[Line]:
    """The lines that get one of the few that are left."""
    at, item = rivals[0][1].at, rivals[0][1].item
    seats = sorted({seat for seat, _ in rivals})
    knowing = frozenset(seats)
    dice = dict.fromkeys(seats, 0)
    ranked = sorted(rivals, key=lambda line: -price_to_buy(line[1]))
    lowest = price_to_buy(ranked[left - 1][1])
    tied = sorted({seat for seat, order in ranked if price_to_buy(order) == lowest})
    if price_to_buy(ranked[left][1]) == lowest and len(tied) > 1:
        order = rolled_off(tied, lambda seat, again: turn.roll(f"bid {item} {at} {seat}{again}", to=knowing))
        dice |= {seat: rank for rank, seat in enumerate(order)}
    ranked.sort(key=lambda line: (-price_to_buy(line[1]), dice[line[0]]))
    bids = tuple((seat, price_to_buy(order)) for seat, order in ranked)
    turn.emit(BidsCompared(at, item, left, bids, tuple(seat for seat, _ in ranked[:left])), to=knowing)
    return ranked[:left]


# --- selling ------------------------------------------------------------------------------------------------------


def objections_to_selling(position: State, seat: str, order: Sell) -> Iterator[str]:
    """Why a realm cannot sell an item, each a sentence."""
    place, found = position.place(order.at), bearers(position, seat).get(order.bearer)
    if position.sections[order.at].site != "merchant city":
        yield f"Magic items are sold in merchant cities; {place} is none."
    yield from _no_trade(position, seat, order.at)
    if found is None or found.at != order.at:
        yield f"{order.bearer} does not stand in {place}."
    elif order.item not in found.unit.items:
        yield f"{order.bearer} carries no {order.item}."
    if not ITEMS[order.item].price:
        yield f"{order.item} has no price."


def sold(position: State, seat: str, order: Sell) -> ItemSold:
    """What comes of a line that is not refused."""
    found = bearers(position, seat)[order.bearer]
    pp = ITEMS[order.item].price * RESALE_PERCENT // 100
    return ItemSold(seat, order.at, order.item, rid_of(found.unit, order.item), found.banner, pp)
