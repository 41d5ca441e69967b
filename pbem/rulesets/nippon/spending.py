"""Chapter 11, spending: what a realm does with its production points before its orders are carried out.

Gifts are paid first, then the rest in the order written. What a line may be is judged on the position after the lines
before it: the turn asks :func:`refusal` and emits :func:`outcome`; the check of a card does both on a copy, see
:func:`booked`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import singledispatch

from pbem.core.dice import EVERYONE, Audience
from pbem.core.turn import Turn, rule
from pbem.core.wording import counted, listed
from pbem.rulesets.nippon import armies, recruiting
from pbem.rulesets.nippon.banners import outgrown, station
from pbem.rulesets.nippon.events import (
    Built,
    GiftPaid,
    HeroismFaded,
    ItemBought,
    ItemSold,
    Launched,
    Recruited,
    Reinforced,
    SpendingFailed,
    StandardBought,
    Upgraded,
)
from pbem.rulesets.nippon.legality import Refusal, first_objection
from pbem.rulesets.nippon.merchants import (
    Line,
    bought,
    compare_bids,
    objections_to_buying,
    objections_to_selling,
    price_to_buy,
    sold,
)
from pbem.rulesets.nippon.orders import (
    Build,
    Buy,
    BuyStandard,
    Gift,
    Launch,
    Recruit,
    Reinforce,
    Sell,
    Spending,
    Trade,
    Upgrade,
    Works,
)
from pbem.rulesets.nippon.ships.harbours import berths, free_names, taken
from pbem.rulesets.nippon.sites import unusable, usable_site
from pbem.rulesets.nippon.state import State
from pbem.rulesets.nippon.tables import BUILDINGS, GROWTHS, HULLS, MACHINE_DISCOUNT, SITES, UPGRADES

Purchase = GiftPaid | Recruited | Reinforced | StandardBought | Built | Upgraded | Launched | ItemBought | ItemSold
"""What comes of a line that is paid."""


@rule("11", "Spending")
def spend(turn: Turn[State]) -> None:
    """Gifts of all realms first: what one gives, another may spend at once. Then the rest, as it is written."""
    for seat, gift in turn.given(Gift):
        give(turn, seat, gift)
    bids = open_bids(turn)
    for seat, works in turn.given(Works):
        if isinstance(works, Recruit | Reinforce | BuyStandard):
            recruit(turn, seat, works)
        elif isinstance(works, Build):
            build(turn, seat, works)
        elif isinstance(works, Upgrade):
            upgrade(turn, seat, works)
        elif isinstance(works, Launch):
            launch(turn, seat, works)
        elif isinstance(works, Trade):
            trade(turn, seat, works, bids)


@rule("11.1", "Recruiting")
def recruit(turn: Turn[State], seat: str, order: Recruit | Reinforce | BuyStandard) -> None:
    """A unit, more models for one, or a standard; only the owner learns of it. Who has doubled is no longer heroic."""
    _pay(turn, seat, order, frozenset({seat}))
    for banner in () if isinstance(order, Recruit) else turn.state.banners_of(seat):
        if banner.at == order.at and outgrown(banner):
            with turn.citing("5.3"):
                turn.emit(HeroismFaded(banner.key, banner.at))


@rule("11.2", "Buildings")
def build(turn: Turn[State], seat: str, order: Build) -> None:
    """A building or a stationary war machine counts from now on."""
    _pay(turn, seat, order)


@rule("11.3", "Upgrades")
def upgrade(turn: Turn[State], seat: str, order: Upgrade) -> None:
    """A village is founded, or a site grows."""
    _pay(turn, seat, order)


@rule("11.4", "Ships")
def launch(turn: Turn[State], seat: str, order: Launch) -> None:
    """Ships are built, armed and named; they can sail at once."""
    _pay(turn, seat, order)


@rule("11.5", "Trade in magic items")
def open_bids(turn: Turn[State]) -> dict[Line, int]:
    """Before anybody pays: how many each line gets of what more realms want than there is of it. Who could not pay his
    bid, after what he wrote above it, bids nothing."""
    buyers = {seat for seat, _ in turn.given(Buy)}
    return compare_bids(turn, [line for seat in sorted(buyers) for line in _payable(turn, seat)])


def _payable(turn: Turn[State], seat: str) -> Iterator[Line]:
    """What a realm wants to buy and could pay for, if every bid of its lines has to be paid."""
    trial = turn.state.copy()
    for order in turn.orders.get(seat, ()):
        if isinstance(order, Spending) and not isinstance(order, Gift):
            paid = booked(trial, seat, order)
            if isinstance(order, Buy) and not isinstance(paid, Refusal):
                yield seat, order


@rule("11.5", "Trade in magic items")
def trade(turn: Turn[State], seat: str, order: Trade, bids: dict[Line, int]) -> None:
    """An item is bought or sold; only the realm learns of it. A bid that nobody contests is not paid, but the price."""
    owner = frozenset({seat})
    if isinstance(order, Buy) and (seat, order) not in bids:
        _pay(turn, seat, replace(order, bid=0), owner)
    elif isinstance(order, Buy) and not bids[seat, order]:
        turn.emit(SpendingFailed(seat, str(order), "Others wanted it more."), to=owner)
    elif isinstance(order, Buy):
        bids[seat, order] -= 1
        _pay(turn, seat, order, owner)
    elif isinstance(order, Sell):
        _pay(turn, seat, order, owner)


@rule("11.6", "Gifts")
def give(turn: Turn[State], seat: str, gift: Gift) -> None:
    """From one treasury to another; only the two realms learn of it."""
    _pay(turn, seat, gift, frozenset({seat, gift.realm}))


def _pay(turn: Turn[State], seat: str, order: Spending, knowing: Audience = EVERYONE) -> None:
    if refused := refusal(turn.state, seat, order):
        turn.emit(SpendingFailed(seat, str(order), refused.reason), to=frozenset({seat}))
    else:
        turn.emit(outcome(turn.state, seat, order), to=knowing)


def booked(position: State, seat: str, order: Spending) -> Purchase | Refusal:
    """What comes of a line, carried out on ``position``, which is a copy; or why it cannot be."""
    if refused := refusal(position, seat, order):
        return refused
    event = outcome(position, seat, order)
    event.apply(position)
    return event


def refusal(position: State, seat: str, order: Spending) -> Refusal | None:
    """Why a realm cannot spend so, as far as the position shows; ``None`` if it can."""
    treasury = position.realms[seat].treasury
    if position.stage != "orders":
        return Refusal(order.rule, "The treasury is open with the orders of a turn, and closed while realms meet.")
    if refused := first_objection(order.rule, _objections(order, position, seat)):
        return refused
    price = price_of(position, seat, order)
    return Refusal("11", f"That takes {price:,} pp; {treasury:,} are left.") if price > treasury else None


def price_of(position: State, seat: str, order: Spending) -> int:
    """What a line takes out of the treasury, if it is allowed."""
    match order:
        case Gift():
            return order.pp
        case Recruit():
            return recruiting.raised(position, seat, order).worth
        case Reinforce():
            return station(position, seat, order.unit).unit.points * order.models
        case BuyStandard():
            return recruiting.standard_price(position, seat, order.unit)
        case Upgrade():
            return _scaled(position, GROWTHS[order.to])
        case Launch():
            return _scaled(position, HULLS[order.kind].price) * order.count
        case Build() if order.what in BUILDINGS:
            return _scaled(position, BUILDINGS[order.what].price)
        case Buy():
            return price_to_buy(order)
        case Sell():
            return 0
        case Build():
            return (machines(position, seat)[order.what] - MACHINE_DISCOUNT) * order.count


def _scaled(position: State, price: int) -> int:
    """NIP 11.8: a short campaign may want lower prices."""
    return price * position.options.cost_percent // 100


def machines(position: State, seat: str) -> dict[str, int]:
    """The war machines that a realm's army knows, and their points."""
    types = armies.army(position.realms[seat].army).types
    return {name: kind.points for name, kind in types.items() if kind.category == "war machine"}


def outcome(position: State, seat: str, order: Spending) -> Purchase:
    """What comes of a line that is not refused."""
    price = price_of(position, seat, order)
    match order:
        case Gift():
            return GiftPaid(seat, order.realm, price)
        case Recruit():
            return Recruited(seat, order.at, recruiting.raised(position, seat, order), price)
        case Reinforce():
            found = station(position, seat, order.unit)
            return Reinforced(seat, order.at, found.unit.name, found.banner, order.models, price)
        case BuyStandard():
            found = station(position, seat, order.unit)
            bearer = recruiting.with_standard(found.unit, price)
            return StandardBought(seat, order.at, found.unit.name, found.banner, price, bearer)
        case Upgrade():
            return Upgraded(seat, order.at, order.to, price, _armament(position, seat, order))
        case Buy():
            return bought(position, seat, order)
        case Sell():
            return sold(position, seat, order)
        case Build():
            return Built(seat, order.at, order.what, 0 if order.what in BUILDINGS else order.count, price)
        case Launch():
            names = (order.name,) if order.name else free_names(position, seat, order.count)
            cheapest = armies.army(position.realms[seat].army).cheapest_machine
            return Launched(seat, order.at, order.kind, names, (cheapest,) * HULLS[order.kind].machines, price)


def _armament(position: State, seat: str, order: Upgrade) -> str:
    """A stronghold has at least one war machine; where none stands yet, one of the cheapest type comes with it."""
    armed = order.to != "stronghold" or position.sections[order.at].machines
    return "" if armed else armies.army(position.realms[seat].army).cheapest_machine


def in_order(lines: Mapping[int, Spending]) -> Sequence[int]:
    """A realm's lines as they are carried out, by their places on the card: gifts first, the rest as it is written."""
    return sorted(lines, key=lambda place: (not isinstance(lines[place], Gift), place))


# --- what each line needs -----------------------------------------------------------------------------------------


@singledispatch
def _objections(order: Spending, position: State, seat: str) -> Iterator[str]:
    """What speaks against a line, a sentence each."""
    raise NotImplementedError


@_objections.register
def _(order: Gift, position: State, seat: str) -> Iterator[str]:
    taker = position.realms[order.realm]
    if position.options.gifts == "meetings":
        yield "In this campaign realms pay each other only by terms, when they meet."
    if order.realm == seat:
        yield "It is your own treasury."
    if not taker.in_play:
        yield f"{taker.name} is {taker.status}."


@_objections.register
def _(order: Recruit, position: State, seat: str) -> Iterator[str]:
    yield from unusable(position, order.at, seat)
    yield from recruiting.unfit(position, seat, order)


@_objections.register
def _(order: Reinforce, position: State, seat: str) -> Iterator[str]:
    yield from unusable(position, order.at, seat)
    yield from recruiting.unfit_to_grow(position, seat, order)


@_objections.register
def _(order: BuyStandard, position: State, seat: str) -> Iterator[str]:
    yield from unusable(position, order.at, seat)
    yield from recruiting.unfit_to_bear(position, seat, order)


@_objections.register
def _(order: Build, position: State, seat: str) -> Iterator[str]:
    section, place = position.sections[order.at], position.place(order.at)
    site = usable_site(position, order.at, seat)
    yield from unusable(position, order.at, seat)
    if site not in SITES:
        yield f"{place} has no village, keep, stronghold or citadel to build in."
    elif order.what in BUILDINGS:
        yield from _not_for(position.realms[seat].army, order.what)
        if order.what not in SITES[site].buildings:
            yield f"A {site} has no room for {order.what}; it may have: {', '.join(SITES[site].buildings)}."
        if order.what in section.buildings:
            yield f"{place} has its {order.what} already."
        if missing := [each for each in BUILDINGS[order.what].needs if each not in section.buildings]:
            yield f"No {order.what} without {listed(missing)}."
    elif len(section.machines) + order.count > SITES[site].machines:
        room, there = SITES[site].machines, len(section.machines)
        yield f"A {site} has room for {counted(room, 'stationary war machine')}; {there} stand there."


def _not_for(army: str, what: str) -> Iterator[str]:
    building = BUILDINGS[what]
    if army in building.not_for or (building.only_for and army not in building.only_for):
        yield f"{army.capitalize()} build no {what}."


@_objections.register
def _(order: Upgrade, position: State, seat: str) -> Iterator[str]:
    section, place = position.sections[order.at], position.place(order.at)
    yield from unusable(position, order.at, seat)
    yield from _no_port(position, order.at) if order.to == "port" else _no_growth(position, order.at, order.to)
    if section.upgraded == position.turn:
        yield f"{place} has had its upgrade this turn."
    if not any(banner.realm == seat and not banner.scattered for banner in position.banners_at(order.at)):
        yield f"An upgrade needs a banner of yours in {place}."


@_objections.register
def _(order: Buy, position: State, seat: str) -> Iterator[str]:
    yield from objections_to_buying(position, seat, order)


@_objections.register
def _(order: Sell, position: State, seat: str) -> Iterator[str]:
    yield from objections_to_selling(position, seat, order)


def _no_growth(position: State, at: int, to: str) -> Iterator[str]:
    needed, site = UPGRADES[to].site, position.sections[at].site
    if site != needed:
        yield f"A {to} grows out of a {needed or 'section without a site'}; {position.place(at)} {_described(site)}."


def _no_port(position: State, at: int) -> Iterator[str]:
    place = position.place(at)
    if position.sections[at].site not in SITES:
        yield f"A port needs a village, keep, stronghold or citadel in {place}."
    if not place.borders.get("coast"):
        yield f"{place} has no coast."
    if position.port(at):
        yield f"{place} has a port already."


@_objections.register
def _(order: Launch, position: State, seat: str) -> Iterator[str]:
    place, site = position.place(order.at), usable_site(position, order.at, seat)
    yield from unusable(position, order.at, seat)
    if not position.port(order.at) or site not in HULLS["transport"].sites:
        yield f"{place} has no port."
    elif _port_is_new(position, order.at):
        yield f"The port of {place} is built this turn: it can build ships from the next turn on."
    elif site not in HULLS[order.kind].sites:
        yield f"A {site} cannot build a {order.kind}."
    if len(position.ships_at(order.at)) + order.count > (room := berths(position, order.at)):
        there = len(position.ships_at(order.at))
        yield f"The port of {place} has room for {counted(room, 'ship')}; {there} lie there."
    if order.name and taken(position, seat, order.name):
        yield f"You have a ship or banner called {order.name} already."


def _port_is_new(position: State, at: int) -> bool:
    """NIP 11.3: what an upgrade has made can be used from the next turn on. An upgrade without a new site is a port."""
    section = position.sections[at]
    return section.port and section.upgraded == position.turn and section.before == section.site


def _described(site: str) -> str:
    return f"is a {site}" if site else "has no site"
