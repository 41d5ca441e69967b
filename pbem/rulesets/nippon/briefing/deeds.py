"""Your orders, one by one: what was ordered, what came of it, and why."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pbem.core.report import Items, Section
from pbem.core.ruleset import Material
from pbem.core.turn import Entry
from pbem.rulesets.nippon import events, orders
from pbem.rulesets.nippon.briefing.chronicle import Chronicle, position_before
from pbem.rulesets.nippon.briefing.telling import told
from pbem.rulesets.nippon.state import State, key_of, name_of, seat_of


def deeds(material: Material, chronicle: Chronicle) -> Section:
    """One item for each own banner, one for every other order."""
    items = (*_banners(material, chronicle), *_ships(material, chronicle), *_others(material))
    return Section("orders", "Your orders", (Items(items),) if items else ())


def _banners(material: Material, chronicle: Chronicle) -> Iterator[tuple[str, str]]:
    """What each own banner was ordered and did; in the second stage of a turn only those to whom something happened."""
    before, after = position_before(material), material.after.position
    marching = before.stage == "orders" and bool(material.log)
    ordered = {
        each.order.banner: each.order.deed for each in material.orders if isinstance(each.order, orders.BannerOrder)
    }
    own = {key for key in _known_banners(material) if seat_of(key) == material.seat}
    for key in sorted(own if marching else own & chronicle.own.keys()):
        name = name_of(key)
        regrouped = any(isinstance(entry.event, GONE) for entry in chronicle.own.get(key, ()))
        unordered = [] if regrouped else [_unordered(before, key)]
        first = ([ordered[name]] if name in ordered else unordered) if marching else []
        lines = [told(material, entry, name) for entry in chronicle.own.get(key, ())]
        yield name, "\n".join([*first, *(lines or _unmoved(material, after, key))])


GONE = (events.BannerDissolved, events.BannerRenamed)
"""What a banner of that name does not live to carry out an order after."""


def _unordered(before: State, key: str) -> str:
    """What a banner without an order does."""
    if key in before.tunnels:
        return "underground"
    banner = before.banners.get(key)
    return "scattered: obeys no orders" if banner and banner.scattered else "no order: hold"


def _unmoved(material: Material, after: State, key: str) -> list[str]:
    """What there is to say of a banner to which nothing happened; nothing of one that is no more."""
    if key in after.tunnels:
        return ["Stayed underground."]
    return [f"Stayed in {material.after.place(after.banners[key].at)}."] if key in after.banners else []


def _ships(material: Material, chronicle: Chronicle) -> Iterator[tuple[str, str]]:
    """The ships that had an order, or to which something happened."""
    ordered = {each.order.ship: each.order.deed for each in material.orders if isinstance(each.order, orders.Steer)}
    keys = {key_of(material.seat, name) for name in ordered}
    keys |= chronicle.own.keys() & {*position_before(material).ships, *material.after.position.ships}
    for key in sorted(keys):
        name = name_of(key)
        lines = [told(material, entry, name) for entry in chronicle.own.get(key, ())]
        yield name, "\n".join([ordered.get(name, "no order of its own"), *lines])


def _known_banners(material: Material) -> frozenset[str]:
    states = (position_before(material), material.after.position)
    return frozenset(key for state in states for key in (*state.banners, *state.tunnels))


# --- orders that move no banner -----------------------------------------------------------------------------------

Answers = Callable[[Any, Any, str], bool]
"""Whether an event (second) is what came of an order (first) of a seat (third)."""

VERDICTS = events.ResultConfirmed | events.ResultDisputed | events.ResultRuled | events.BattleDecided
"""What comes of a result that was reported."""

DICE = events.BattleFought | events.DiceOffRolled | events.LossesAgreed
"""By what a battle may be decided without the word of its players."""

SHARED = events.BidsCompared | events.TermsFailed | events.TermsPaid | DICE | VERDICTS
"""What may come of several orders; all else that comes of orders that can be given again comes of one of them."""


def _failed(order: Any, event: Any, seat: str) -> bool:
    failures = events.SpendingFailed | events.RegroupingFailed
    return isinstance(event, failures) and (event.realm, event.line) == (seat, str(order))


ANSWERS: Mapping[type, Answers] = {
    orders.BreakPact: lambda order, event, seat: (
        isinstance(event, events.PactBroken) and (event.by, event.other) == (seat, order.realm)
    ),
    orders.Form: lambda order, event, seat: (
        (isinstance(event, events.BannerFormed) and event.banner == key_of(seat, order.name))
        or _failed(order, event, seat)
    ),
    orders.Transfer: lambda order, event, seat: (
        (isinstance(event, events.UnitsMoved) and set(event.units) <= set(order.units)) or _failed(order, event, seat)
    ),
    orders.Join: lambda order, event, seat: (
        (isinstance(event, events.BannerDissolved) and event.banner == key_of(seat, order.banner))
        or _failed(order, event, seat)
    ),
    orders.Rename: lambda order, event, seat: (
        (isinstance(event, events.BannerRenamed) and event.banner == key_of(seat, order.banner))
        or _failed(order, event, seat)
    ),
    orders.Appoint: lambda order, event, seat: (
        (isinstance(event, events.GeneralNamed) and event.unit == order.unit) or _failed(order, event, seat)
    ),
    orders.Recruit: lambda order, event, seat: (
        (isinstance(event, events.Recruited) and (event.at, event.unit.type) == (order.at, order.type))
        or _failed(order, event, seat)
    ),
    orders.Reinforce: lambda order, event, seat: (
        (isinstance(event, events.Reinforced) and event.unit == order.unit) or _failed(order, event, seat)
    ),
    orders.BuyStandard: lambda order, event, seat: (
        (isinstance(event, events.StandardBought) and event.unit == order.unit) or _failed(order, event, seat)
    ),
    orders.Gift: lambda order, event, seat: (
        (isinstance(event, events.GiftPaid) and (event.giver, event.taker) == (seat, order.realm))
        or _failed(order, event, seat)
    ),
    orders.Build: lambda order, event, seat: (
        (isinstance(event, events.Built) and (event.realm, event.at, event.what) == (seat, order.at, order.what))
        or _failed(order, event, seat)
    ),
    orders.Upgrade: lambda order, event, seat: (
        (isinstance(event, events.Upgraded) and (event.realm, event.at) == (seat, order.at))
        or _failed(order, event, seat)
    ),
    orders.Launch: lambda order, event, seat: (
        (isinstance(event, events.Launched) and (event.realm, event.at, event.kind) == (seat, order.at, order.kind))
        or _failed(order, event, seat)
    ),
    orders.Buy: lambda order, event, seat: (
        (isinstance(event, events.ItemBought) and (event.item, event.bearer.name) == (order.item, order.bearer))
        or (isinstance(event, events.BidsCompared) and (event.at, event.item) == (order.at, order.item))
        or _failed(order, event, seat)
    ),
    orders.Sell: lambda order, event, seat: (
        (isinstance(event, events.ItemSold) and (event.item, event.bearer.name) == (order.item, order.bearer))
        or _failed(order, event, seat)
    ),
    orders.HandOver: lambda order, event, seat: (
        (isinstance(event, events.ItemHandedOver) and (event.item, event.giver.name) == (order.item, order.bearer))
        or (isinstance(event, events.HandlingFailed) and event.line == str(order))
    ),
    orders.Drink: lambda order, event, seat: (
        (isinstance(event, events.ItemDrunk) and (event.item, event.bearer.name) == (order.item, order.bearer))
        or (isinstance(event, events.HandlingFailed) and event.line == str(order))
    ),
    orders.Preference: lambda order, event, seat: (
        (isinstance(event, events.PreferenceSet) and not order.at and (event.realm, event.about) == (seat, order.about))
        or (isinstance(event, events.SpoilsChosen) and (event.at, event.about) == (order.at, order.about))
    ),
    orders.SetPlan: lambda order, event, seat: (
        isinstance(event, events.PlanSet) and event.banner == key_of(seat, order.banner)
    ),
    orders.Quaff: lambda order, event, seat: (
        isinstance(event, events.ItemDrunk) and (event.item, event.bearer.name) == (order.item, order.bearer)
    ),
    orders.Scry: lambda order, event, seat: (
        isinstance(event, events.Scried) and (event.realm, event.banner) == (seat, order.banner)
    ),
    orders.Offer: lambda order, event, seat: (
        isinstance(event, events.TermsOffered) and (event.terms.by, event.terms.at) == (seat, order.at)
    ),
    orders.Answer: lambda order, event, seat: (
        (
            isinstance(event, events.TermsAccepted | events.TermsDeclined)
            and (event.realm, event.number) == (seat, order.terms)
        )
        or (isinstance(event, events.TermsFailed | events.TermsPaid) and event.number == order.terms)
    ),
    orders.ReportResult: lambda order, event, seat: (
        (isinstance(event, events.ResultReported) and seat in (event.result.by, event.deputy) and event.at == order.at)
        or (isinstance(event, VERDICTS) and event.at == order.at)
    ),
    orders.Defend: lambda order, event, seat: (
        isinstance(event, events.DefenceTaken) and (event.realm, event.at) == (seat, order.at)
    ),
    orders.AskAutomatic: lambda order, event, seat: (
        (isinstance(event, events.AutomaticAsked) and (event.realm, event.at) == (seat, order.at))
        or (isinstance(event, events.BattleFought) and event.at == order.at)
    ),
    orders.AskDiceOff: lambda order, event, seat: (
        (isinstance(event, events.DiceOffAsked) and (event.realm, event.at) == (seat, order.at))
        or (isinstance(event, events.DiceOffRolled | events.LossesAgreed) and event.at == order.at)
    ),
    orders.ProposeDate: lambda order, event, seat: (
        isinstance(event, events.DateProposed)
        and seat in (event.realm, event.deputy)
        and (event.at, event.words) == (order.at, order.words)
    ),
    orders.AgreeDate: lambda order, event, seat: (
        isinstance(event, events.DateAgreed) and seat in (event.realm, event.deputy) and event.at == order.at
    ),
    orders.Cannot: lambda order, event, seat: (
        (isinstance(event, events.CannotPlay) and (event.realm, event.at) == (seat, order.at))
        or (isinstance(event, events.DeputyLeft) and (event.by, event.deputy, event.at) == (seat, seat, order.at))
    ),
    orders.NameDeputy: lambda order, event, seat: (
        (isinstance(event, events.DeputyNamed) and (event.deputy, event.at) == (order.realm, order.at))
        or (isinstance(event, events.DeputyLeft) and (event.by, event.realm, event.at) == (seat, seat, order.at))
    ),
    orders.Contact: lambda order, event, seat: (
        isinstance(event, events.ContactGiven) and (event.realm, event.words) == (seat, order.words)
    ),
    orders.Volunteer: lambda order, event, seat: (
        isinstance(event, events.Volunteered) and (event.realm, event.ready) == (seat, order.ready)
    ),
    orders.Propose: lambda order, event, seat: (
        isinstance(event, events.RuleProposed)
        and (event.proposal.by, event.proposal.option, event.proposal.words) == (seat, order.option, order.words)
    ),
    orders.Vote: lambda order, event, seat: (
        isinstance(event, events.Voted) and (event.realm, event.number) == (seat, order.proposal)
    ),
    orders.JudgeResult: lambda order, event, seat: (
        (
            isinstance(event, events.ResultConfirmed | events.ResultDisputed)
            and seat in (event.realm, event.deputy)
            and event.at == order.at
        )
        or (isinstance(event, events.BattleDecided) and event.at == order.at)
    ),
}


def _others(material: Material) -> Iterator[tuple[str, str]]:
    claimed: set[int] = set()
    for written in material.orders:
        order, seat = written.order, material.seat
        answers = ANSWERS.get(type(order))
        if answers is None or seat is None:
            continue
        found = [index for index, entry in enumerate(material.log) if answers(order, entry.event, seat)]
        if order.immediate or getattr(order, "adds_up", False):
            found = _one_of_its_own(material, found, claimed)
        entries = [material.log[index] for index in found]
        yield str(order), "\n".join(told(material, each) for each in _with_fate(material, entries)) or NOTHING


NOTHING = "Nothing came of it."


def _one_of_its_own(material: Material, found: Sequence[int], claimed: set[int]) -> list[int]:
    """What came of one of several orders that may be alike: what they share, and the first that no other claimed."""
    shared = [index for index in found if isinstance(material.log[index].event, SHARED)]
    own = next((index for index in found if index not in claimed and index not in shared), None)
    claimed.update([] if own is None else [own])
    return sorted(shared if own is None else [*shared, own])


def _with_fate(material: Material, entries: Sequence[Entry]) -> Iterator[Entry]:
    """What came of an order; of an offer also what was answered to it, and what came of that."""
    offered = {each.event.terms.number for each in entries if isinstance(each.event, events.TermsOffered)}
    yield from entries
    for entry in material.log if offered else ():
        if isinstance(entry.event, ANSWERED) and entry.event.number in offered:
            yield entry


ANSWERED = events.TermsAccepted | events.TermsDeclined | events.TermsFailed | events.TermsPaid
