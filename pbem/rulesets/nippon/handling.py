"""Chapter 14, magic items on the map: handed over, drunk, read; and what they do by themselves.

Production asks :func:`swarm`.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import singledispatch
from itertools import product

from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.aftermath import bouts, reserve_in
from pbem.rulesets.nippon.banners import Station, stations
from pbem.rulesets.nippon.events import (
    ChaosTested,
    HandlingFailed,
    ItemDrunk,
    ItemHandedOver,
    OldOnesTested,
    PotionsWoreOff,
    Scried,
    ScryingNoticed,
    SpawnArose,
    WipedOut,
)
from pbem.rulesets.nippon.items import CHAOS, ITEMS, OLD_ONES, SCRY, SWARM
from pbem.rulesets.nippon.items.bearing import bearing, no_room_for, raised, rid_of, sober
from pbem.rulesets.nippon.legality import Refusal, first_objection, hostile_at
from pbem.rulesets.nippon.merchants import bearers
from pbem.rulesets.nippon.orders import Drink, Handling, HandOver, Quaff, Scry
from pbem.rulesets.nippon.state import Profile, State, Unit, seat_of
from pbem.rulesets.nippon.tables import (
    CHAOS_FAILS_ON,
    CHAOS_LEADERSHIP,
    CHAOS_PASSES_ON,
    OLD_ONES_UP_TO,
    PIPS,
    SWARM_PERCENT,
)
from pbem.rulesets.nippon.ties import repeated

Line = Handling | Quaff | Scry
"""A line about an item that is carried."""


# --- what speaks against a line -----------------------------------------------------------------------------------


def refusal(position: State, seat: str, order: Line) -> Refusal | None:
    """Why a realm cannot do so with an item, as far as the position shows; ``None`` if it can."""
    return first_objection(order.rule, _objections(order, position, seat))


@singledispatch
def _objections(order: Line, position: State, seat: str) -> Iterator[str]:
    raise NotImplementedError


@_objections.register
def _(order: HandOver, position: State, seat: str) -> Iterator[str]:
    if position.stage != "orders":
        yield "Items change hands with the orders of a turn, not while realms meet."
    yield from _not_carried(position, seat, order.bearer, order.item)
    giver, taker = bearers(position, seat)[order.bearer], bearers(position, seat).get(order.to)
    if taker is None:
        yield f"You have no {order.to} who could take it."
        return
    if taker == giver:
        yield f"{order.to} has it."
    if taker.at != giver.at:
        yield f"{order.bearer} stands in {position.place(giver.at)}, {order.to} in {position.place(taker.at)}."
    if hostile_at(position, seat, giver.at):
        yield f"An enemy stands in {position.place(giver.at)}."
    if lack := no_room_for(taker.unit, order.item):
        yield lack


@_objections.register
def _(order: Drink, position: State, seat: str) -> Iterator[str]:
    if position.stage != "orders":
        yield "An elixir is drunk with the orders of a turn, not while realms meet."
    yield from _not_carried(position, seat, order.bearer, order.item)
    found = bearers(position, seat)[order.bearer]
    if not found.unit.character:
        yield "Heroes and lords drink elixirs."
    if not found.banner:
        yield f"{order.bearer} waits in a reserve: let him join a banner first."


@_objections.register
def _(order: Quaff, position: State, seat: str) -> Iterator[str]:
    if position.stage != "meetings":
        yield "It works for a day: drink it when the movement report says that there is a battle."
    yield from _not_carried(position, seat, order.bearer, order.item)


@_objections.register
def _(order: Scry, position: State, seat: str) -> Iterator[str]:
    if order.banner not in position.banners:
        yield f"There is no banner {order.name}."
    if seat_of(order.banner) == seat:
        yield f"{order.name} is your own."
    if reader(position, seat) is None:
        yield f"Nobody of yours carries a {SCRY}."


def _not_carried(position: State, seat: str, bearer: str, item: str) -> Iterator[str]:
    found = bearers(position, seat).get(bearer)
    if found is None or item not in found.unit.items:
        yield f"{bearer} carries no {item}."


def reader(position: State, seat: str) -> Station | None:
    """Who reads a Scroll of Scry: the first that has one, by name."""
    carrying = {name: each for name, each in bearers(position, seat).items() if SCRY in each.unit.items}
    return carrying[min(carrying)] if carrying else None


# --- 14.1 What can be carried -------------------------------------------------------------------------------------


@rule("14.1", "What can be carried")
def handle_items(turn: Turn[State]) -> None:
    """Lines about items as they are written, after banners are regrouped and before anybody acts on his orders."""
    drunk_before: Counter[tuple[str, Drink]] = Counter()
    for seat, order in turn.given(Handling):
        if refused := refusal(turn.state, seat, order):
            with turn.citing(refused.rule):
                turn.emit(HandlingFailed(seat, str(order), refused.reason), to=frozenset({seat}))
        elif isinstance(order, HandOver):
            turn.emit(handed_over(turn.state, seat, order), to=frozenset({seat}))
        elif isinstance(order, Drink):
            drink(turn, seat, order, drunk_before[seat, order])
            drunk_before[seat, order] += 1


def handed_over(position: State, seat: str, order: HandOver) -> ItemHandedOver:
    """What comes of a line that is not refused."""
    giver, taker = bearers(position, seat)[order.bearer], bearers(position, seat)[order.to]
    without, laden = rid_of(giver.unit, order.item), bearing(taker.unit, order.item)
    return ItemHandedOver(giver.at, order.item, without, giver.banner, laden, taker.banner)


# --- 14.2 Elixirs -------------------------------------------------------------------------------------------------


@rule("14.2", "Elixirs")
def drink(turn: Turn[State], seat: str, order: Drink, times: int) -> None:
    """What an elixir gives is for good; one of chaos has its price. ``times``: how many alike he drank this turn."""
    before = bearers(turn.state, seat)[order.bearer].unit.profile
    event = drunk(turn.state, seat, order)
    turn.emit(event, to=frozenset({seat}))
    if order.item == CHAOS:
        withstand_chaos(turn, seat, event, before, times)


def drunk(position: State, seat: str, order: Drink) -> ItemDrunk:
    """What comes of a line that is not refused."""
    found = bearers(position, seat)[order.bearer]
    return ItemDrunk(found.at, found.banner, order.item, strengthened(found.unit, order.item))


def strengthened(unit: Unit, item: str) -> Unit:
    """A unit after it has drunk what it carries."""
    profile = raised(unit.profile, ITEMS[item].gives.items())
    return replace(rid_of(unit, item), profile=profile, natural=unit.natural or unit.profile)


# --- 14.3 Elixir of Chaos -----------------------------------------------------------------------------------------


@rule("14.3", "Elixir of Chaos")
def withstand_chaos(turn: Turn[State], seat: str, event: ItemDrunk, before: Profile, times: int) -> None:
    """A Toughness test for each characteristic that was raised; who fails one, and is weak of will, is lost."""
    at, banner, unit = event.at, event.banner, event.bearer
    owner = frozenset({seat})
    for name in risen(before, unit.profile):
        about = f"chaos {seat} {unit.name} {name}{repeated(times)}"
        tough = _stands(turn.roll(about, to=owner), unit.profile.T)
        lost = not tough and sum(turn.roll(f"{about} will {die}", to=owner) for die in "ab") > _will(unit.profile)
        turn.emit(
            ChaosTested(at, banner, unit.name, name, "tough" if tough else "lost" if lost else "willing"), to=owner
        )
        if lost:
            turn.emit(SpawnArose(at, banner) if turn.state.banners[banner].units else WipedOut(banner, at))
            return


def risen(before: Profile, after: Profile) -> tuple[str, ...]:
    """The characteristics that are higher than before."""
    return tuple(name for name, value in vars(before).items() if vars(after)[name] > value)


def _stands(pips: int, toughness: int) -> bool:
    return pips == CHAOS_PASSES_ON or (pips != CHAOS_FAILS_ON and pips <= toughness)


def _will(profile: Profile) -> int:
    return profile.Ld + CHAOS_LEADERSHIP


def doom(before: Profile, after: Profile) -> Fraction:
    """The chance that a character with these characteristics, before and after, succumbs to an Elixir of Chaos."""
    weak = Fraction(sum(not _stands(pips, after.T) for pips in PIPS), len(PIPS))
    unwilling = Fraction(sum(a + b > _will(after) for a, b in product(PIPS, PIPS)), len(PIPS) ** 2)
    return 1 - (1 - weak * unwilling) ** len(risen(before, after))


# --- 14.4 Potions of the day --------------------------------------------------------------------------------------


@rule("14.4", "Potions of the day")
def quaff(turn: Turn[State]) -> None:
    """At once, while realms meet: what a potion gives lasts until the turn's resources."""
    for seat, order in turn.given(Quaff):
        if not refusal(turn.state, seat, order):
            turn.emit(quaffed(turn.state, seat, order), to=frozenset({seat}))


def quaffed(position: State, seat: str, order: Quaff) -> ItemDrunk:
    """What comes of a line that is not refused."""
    found = bearers(position, seat)[order.bearer]
    unit = strengthened(found.unit, order.item)
    works = (order.item,) if unit.profile != found.unit.profile else ()  # nothing goes above ten, or comes down from it
    return ItemDrunk(found.at, found.banner, order.item, replace(unit, drunk=(*unit.drunk, *works)))


@rule("14.4", "Potions of the day")
def sober_up(turn: Turn[State]) -> None:
    """At the turn's resources potions of the day wear off."""
    for seat in sorted(turn.state.realms):
        for each in [each for each in stations(turn.state, seat) if each.unit.drunk]:
            turn.emit(PotionsWoreOff(each.at, each.banner, sober(each.unit)), to=frozenset({seat}))


# --- 14.5 Scroll of Scry ------------------------------------------------------------------------------------------


@rule("14.5", "Scroll of Scry")
def scry(turn: Turn[State]) -> None:
    """At once: one look into one banner, for the eyes of the reader alone."""
    for seat, order in turn.given(Scry):
        found = reader(turn.state, seat)
        if found and not refusal(turn.state, seat, order):
            seen = tuple(map(described, turn.state.banners[order.banner].units))
            bearer = rid_of(found.unit, SCRY)
            turn.emit(Scried(seat, order.banner, seen, bearer, found.at, found.banner), to=frozenset({seat}))


def described(unit: Unit) -> str:
    """A unit as it is: how many of what, with arms and items: ``Iron Wall: 20 halberdiers (halberd)``."""
    command = [each for each in ("champion", "musician", "standard") if getattr(unit, each)]
    bears = [f"{unit.battle_standard} battle standard"] if unit.battle_standard else []
    more = [*([f"on {unit.mount}"] if unit.mount else []), *unit.gear, *command, *bears, *unit.items]
    many = unit.type if unit.models == 1 else f"{unit.models} {unit.type}"
    return f"{unit.name}: {many}" + (f" ({', '.join(more)})" if more else "")


@rule("14.5", "Scroll of Scry")
def tell_of_scrying(turn: Turn[State]) -> None:
    """When the turn ends the owners learn who has looked into their banners."""
    for each in turn.state.scryings:
        turn.emit(ScryingNoticed(each.banner, each.by), to=frozenset({seat_of(each.banner)}))


# --- 14.6 Banner of the Swarm -------------------------------------------------------------------------------------


def swarm(position: State, at: int, realm: str, pp: int) -> int:
    """What a Banner of the Swarm adds to what a section pays its realm: it has to stand there; one is enough."""
    units = (unit for banner in position.banners_at(at) if banner.realm == realm for unit in banner.units)
    return pp * SWARM_PERCENT // 100 if any(SWARM in unit.items for unit in units) else 0


# --- 14.7 Talisman of the Old Ones --------------------------------------------------------------------------------


@rule("14.7", "Talisman of the Old Ones")
def old_ones(turn: Turn[State]) -> None:
    """After each battle of its bearer the talisman may take him for good."""
    for seat in sorted(turn.state.realms):
        for each in [each for each in stations(turn.state, seat) if OLD_ONES in each.unit.items]:
            tempt(turn, seat, each)


def tempt(turn: Turn[State], seat: str, bearer: Station) -> None:
    """Its bearer rolls for each battle of his until it takes him."""
    name, owner = bearer.unit.name, frozenset({seat})
    for battle in range(battles_fought(turn.state, bearer)):
        die = turn.roll(f"old ones {bearer.banner or bearer.at}: {name}{repeated(battle)}", to=owner)
        turn.emit(OldOnesTested(bearer.at, bearer.banner, name, die <= OLD_ONES_UP_TO), to=owner)
        if die <= OLD_ONES_UP_TO:
            break
    if bearer.banner and not turn.state.banners[bearer.banner].units:
        turn.emit(WipedOut(bearer.banner, bearer.at))


def battles_fought(position: State, bearer: Station) -> int:
    """How many battles a unit has fought this turn: alone, with all others of its banner, or from a reserve."""
    key, champion = bearer.banner, dict(position.pending.alone).get(bearer.banner) == bearer.unit.name
    if not key:
        return sum(fought.at == bearer.at and bool(reserve_in(position, fought)) for fought in bouts(position))
    return sum(key in fought.present and (champion or not fought.alone) for fought in bouts(position))
