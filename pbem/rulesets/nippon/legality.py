"""Chapter 4, orders: which of them a banner can carry out. The check of a card and the turn itself both ask here."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import singledispatch

from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.events import OrdersOpened, OrderVoid, Prepared
from pbem.rulesets.nippon.garrisons import guarded
from pbem.rulesets.nippon.orders import (
    BannerOrder,
    ForcedMarch,
    Fortify,
    Hold,
    Move,
    Portal,
    Raze,
    Recover,
    Sail,
    Scatter,
    Underground,
)
from pbem.rulesets.nippon.paths import Path, shortest_path, steps_of
from pbem.rulesets.nippon.state import Banner, State, key_of
from pbem.rulesets.nippon.tables import (
    MARCH_STEPS,
    OCEANS_A_TURN,
    PORTAL_SCROLL,
    SPARED_SITES,
    SPARED_TERRAIN,
    UNCONTROLLABLE_SITES,
    UNCONTROLLABLE_TERRAIN,
    people,
)
from pbem.rulesets.nippon.terrain import sea_legs


@dataclass(frozen=True)
class Refusal:
    """Why a banner cannot carry out an order."""

    rule: str
    """The number of the rule that forbids it."""
    reason: str
    """A sentence."""


def first_objection(rule: str, objections: Iterable[str]) -> Refusal | None:
    """The first of what speaks against an order, each a sentence, as its refusal; ``None`` if nothing does."""
    reason = next(iter(objections), "")
    return Refusal(rule, reason) if reason else None


# --- 4 Orders -----------------------------------------------------------------------------------------------------


@rule("4", "Orders")
def open_orders(turn: Turn[State]) -> None:
    """Open the sealed orders: a new turn begins."""
    turn.emit(OrdersOpened())


@rule("4", "Orders")
def set_out(turn: Turn[State]) -> None:
    """What is impossible now means hold; work that waits for the meetings is noted."""
    for key, order in orders_of(turn).items():
        if banner := turn.state.banner_called(key):
            open_order(turn, banner, order)


def open_order(turn: Turn[State], banner: Banner, order: BannerOrder) -> None:
    """Open one; what comes of it before anybody acts is for its realm alone to know."""
    refused = refusal(turn.state, banner, order)
    if refused:
        with turn.citing(refused.rule):
            turn.emit(OrderVoid(banner.key, banner.at, order.deed, refused.reason), to=frozenset({banner.realm}))
    elif isinstance(order, Fortify | Recover):
        turn.emit(Prepared(banner.key, banner.at, order.deed), to=frozenset({banner.realm}))


def orders_of(turn: Turn[State]) -> dict[str, BannerOrder]:
    """The orders to banners that exist, above the ground or below, by key of the banner, in the order of the keys."""
    given = {key_of(seat, order.banner): order for seat, order in turn.given(BannerOrder)}
    return {key: given[key] for key in sorted(given) if turn.state.banner_called(key)}


def orders_in_force(turn: Turn[State]) -> dict[str, BannerOrder]:
    """The orders that have not come to nothing so far."""
    holding = frozenset(turn.state.pending.holding)
    return {key: order for key, order in orders_of(turn).items() if key not in holding}


def refusal(position: State, banner: Banner, order: BannerOrder) -> Refusal | None:
    """Why ``banner`` cannot carry out ``order``, as far as the position shows; ``None`` if it can."""
    return (
        underground(position, banner, order)
        or scattered(banner)
        or at_sea(position, banner, order)
        or homeless(position, banner, order)
        or drawn(position, banner, order)
        or _impossible(order, position, banner)
    )


def homeless(position: State, banner: Banner, order: BannerOrder) -> Refusal | None:
    """NIP 4.2: without a headquarters only hold and move (20.8: and scatter; 13: and recover the headquarters)."""
    realm = position.realms[banner.realm]
    allowed = isinstance(order, Hold | Scatter) or (isinstance(order, Move) and not order.raze)
    rebuilding = isinstance(order, Recover) and banner.at == realm.headquarters
    if not realm.homeless or allowed or rebuilding:
        return None
    return Refusal("4.2", "A realm without its headquarters may only hold and move.")


def drawn(position: State, banner: Banner, order: BannerOrder) -> Refusal | None:
    """NIP 4.3: after a draw only hold, move to a section of one's own or land there, or scatter."""
    if not banner.drawn or isinstance(order, Hold | Scatter):
        return None
    goal = order.land if isinstance(order, Sail) else 0
    if isinstance(order, Move) and not order.raze and order.path:
        goal = order.path[-1]
    if goal in position.sections and position.sections[goal].controller == banner.realm:
        return None
    return Refusal(
        "4.3", "After a drawn battle a banner may only hold, move to a section its realm controls, or scatter."
    )


def at_sea(position: State, banner: Banner, order: BannerOrder) -> Refusal | None:
    """NIP 11.4: aboard a ship only hold, and sail on or land."""
    if not banner.aboard or isinstance(order, Hold | Sail):
        return None
    ship = position.ships[banner.aboard].name
    return Refusal("11.4", f"It is aboard {ship}: it may sail on, land on a coast, or hold, which is to stay aboard.")


def scattered(banner: Banner) -> Refusal | None:
    """NIP 4.4: who is scattered obeys no orders."""
    return Refusal("4.4", "It is scattered and obeys no orders until it reaches home.") if banner.scattered else None


def underground(position: State, banner: Banner, order: BannerOrder) -> Refusal | None:
    """NIP 12.2: underground a banner can only be told where to come up, and not in the turn in which it does."""
    tunnel = position.tunnels.get(banner.key)
    if tunnel is None or (isinstance(order, Underground) and position.turn < tunnel.up):
        return None
    if position.turn < tunnel.up:
        return Refusal("12.2", f"It is underground until turn {tunnel.up}. It can only be told where to come up.")
    return Refusal("12.2", f"It comes up in {position.place(tunnel.goal)} this turn, and obeys no orders.")


# --- what each order needs ----------------------------------------------------------------------------------------


@singledispatch
def _impossible(order: BannerOrder, position: State, banner: Banner) -> Refusal | None:
    raise NotImplementedError


@_impossible.register
def _(order: Hold, position: State, banner: Banner) -> Refusal | None:
    return None


@_impossible.register
def _(order: Sail, position: State, banner: Banner) -> Refusal | None:
    """It hangs on what else is ordered for the ship: ``ships/fleet.py`` judges them together (NIP 11.4)."""
    return None


@_impossible.register
def _(order: Move, position: State, banner: Banner) -> Refusal | None:
    return illegal_path(position, banner, order.path, order.by_land) or (
        cannot_raze(position, banner, banner.at) if order.raze else None
    )


@_impossible.register
def _(order: ForcedMarch, position: State, banner: Banner) -> Refusal | None:
    return cannot_march(position, banner, order)


@_impossible.register
def _(order: Underground, position: State, banner: Banner) -> Refusal | None:
    return cannot_go_underground(position, banner, order)


@_impossible.register
def _(order: Portal, position: State, banner: Banner) -> Refusal | None:
    goal = position.place(order.goal)
    if not banner.bears(PORTAL_SCROLL):
        return Refusal("14.8", f"Nobody in it has a {PORTAL_SCROLL}.")
    if order.goal == banner.at:
        return Refusal("14.8", f"{banner.name} stands in {goal} already.")
    if position.sections[order.goal].controller != banner.realm:
        return Refusal("14.8", f"A portal leads to a section that your realm controls; {goal} is none.")
    return None


@_impossible.register
def _(order: Raze, position: State, banner: Banner) -> Refusal | None:
    return cannot_raze(position, banner, banner.at)


@_impossible.register
def _(order: Fortify, position: State, banner: Banner) -> Refusal | None:
    return cannot_fortify(position, banner)


@_impossible.register
def _(order: Recover, position: State, banner: Banner) -> Refusal | None:
    if position.sections[banner.at].razed:
        return None
    return Refusal("7.4", f"{position.place(banner.at)} is not razed.")


@_impossible.register
def _(order: Scatter, position: State, banner: Banner) -> Refusal | None:
    if not banner.drawn:
        return Refusal("9.4", "Only a banner that has just drawn a battle may scatter.")
    own = (number for number in sorted(position.held_by(banner.realm)) if number != banner.at)
    near = next((number for number in own if shortest_path(position, banner, number)), 0)
    return Refusal("9.4", f"{position.place(near)} is your own and in reach: hold, or move there.") if near else None


def illegal_path(
    position: State, banner: Banner, path: Path, by_land: bool = False, more_steps: int = 0
) -> Refusal | None:
    """Why a banner cannot take a path (NIP 6.1, 5), if it has so many steps more than usual; its start is left out."""
    steps = steps_of(position, banner, by_land) + more_steps
    airborne = banner.airborne(by_land)
    at = banner.at
    for number in path:
        if number not in position.place(at).neighbours:
            return Refusal("6.1", f"{number} is not next to {at}.")
        at = number
    if not path:
        return Refusal("6.1", "It is not said where to.")
    if len(path) > steps:
        return Refusal("6.1", f"That is {_steps(len(path))}; it has {_steps(steps)} a turn.")
    if airborne and position.place(at).ocean:
        return Refusal("5", f"A flying banner cannot end its move over {position.place(at)}, which is ocean.")
    if not airborne and sea_legs(position, (banner.at, *path)) > OCEANS_A_TURN:
        return Refusal("5", "Without a ship a banner enters one ocean section a turn.")
    return None


def _steps(number: int) -> str:
    return f"{number} step" + ("" if number == 1 else "s")


def cannot_raze(position: State, banner: Banner, at: int) -> Refusal | None:
    """Why a banner cannot raze a section where it stands (NIP 7.1)."""
    spared = spared_for_good(position, banner.realm, at)
    if spared or not hostile_at(position, banner.realm, at):
        return spared
    return Refusal("7.1", f"{position.place(at)} holds an enemy.")


def spared_for_good(position: State, realm: str, at: int) -> Refusal | None:
    """Why a realm cannot raze a section, whoever stands there (NIP 7.1)."""
    place, section = position.place(at), position.sections[at]
    reason = ""
    if section.razed:
        reason = "is razed already"
    elif section.site in SPARED_SITES:
        reason = f"is a {section.site}, which cannot be razed"
    elif place.terrain in SPARED_TERRAIN and not _held_wasteland(position, at):
        reason = f"is {place.terrain}: there is nothing to raze"
    elif place.number == position.realms[realm].headquarters:
        reason = "is your own headquarters"
    elif guarded(position, realm, at):
        reason = "has a garrison that is not beaten"
    return Refusal("7.1", f"{place} {reason}.") if reason else None


def _held_wasteland(position: State, at: int) -> bool:
    """Wasteland can be razed only where a people that lives on it controls it."""
    return position.place(at).terrain == "wasteland" and bool(position.sections[at].controller)


def cannot_march(position: State, banner: Banner, order: ForcedMarch) -> Refusal | None:
    """Why a banner cannot make a forced march (NIP 12.1)."""
    army = position.realms[banner.realm].army
    if not people(army).marches:
        return Refusal("12.1", f"Only orcs and goblins make forced marches, not {army}.")
    if banner.at in order.path:
        return Refusal("12.1", f"A forced march does not come back to {banner.at}, where it begins.")
    illegal = illegal_path(position, banner, order.path, order.by_land, MARCH_STEPS)
    return illegal or next(filter(None, (_cannot_burn(position, banner, order, at) for at in order.razes)), None)


def _cannot_burn(position: State, banner: Banner, order: ForcedMarch, at: int) -> Refusal | None:
    """Why a march cannot raze a section on leaving it, as far as can be known before it sets out (NIP 12.1)."""
    if at == banner.at:
        return Refusal("12.1", f"A forced march does not raze {at}, where it begins.")
    if at not in order.path[:-1] or at == order.path[-1]:
        return Refusal("12.1", f"A forced march razes what it passes through; it does not pass through {at}.")
    return spared_for_good(position, banner.realm, at)


def cannot_go_underground(position: State, banner: Banner, order: Underground) -> Refusal | None:
    """Why a banner cannot go underground from where it stands, or come up where it is told to (NIP 12.2)."""
    army, section = position.realms[banner.realm].army, position.sections[banner.at]
    if not people(army).tunnels:
        return Refusal("12.2", f"Only Skaven go underground, not {army}.")
    if banner.key not in position.tunnels and not (section.controller == banner.realm and section.site):
        return Refusal("12.2", f"A banner goes underground at a special site of its realm; {banner.at} is none.")
    site, goal = position.site(order.goal), position.place(order.goal)
    if site or goal.ocean:
        return Refusal("12.2", f"{goal} is {'ocean' if goal.ocean else f'a {site}'}: no banner can come up there.")
    return None


def cannot_fortify(position: State, banner: Banner) -> Refusal | None:
    """Why a banner cannot fortify the section it stands in (NIP 7.3). It may still have to be claimed."""
    place, section = position.place(banner.at), position.sections[banner.at]
    if section.site:
        return Refusal("7.3", f"{place} is a {section.site}: special sites cannot be fortified.")
    if section.controller != banner.realm and not claimable(position, banner.realm, banner.at):
        return Refusal("7.3", f"Your realm does not control {place} and cannot claim it.")
    return None


# --- questions of several rules -----------------------------------------------------------------------------------


def hostile_at(position: State, realm: str, number: int) -> tuple[Banner, ...]:
    """The banners in a section that are hostile to a realm (NIP 6.5)."""
    return tuple(each for each in position.banners_at(number) if position.hostile(each.realm, realm))


def claimable(position: State, realm: str, number: int) -> bool:
    """Whether a section is one that a realm could take by standing there without an enemy (NIP 6.6, 20.3)."""
    holder = position.sections[number].controller
    return controllable(position, realm, number) and (not holder or position.hostile(holder, realm))


def controllable(position: State, realm: str, number: int) -> bool:
    """Whether a realm may control a section as it is now (NIP 6.6)."""
    return not position.sections[number].razed and habitable(position, realm, number)


def habitable(position: State, realm: str, number: int) -> bool:
    """Whether a realm may control a section at all, be it razed or not (NIP 6.6)."""
    place = position.place(number)
    if position.sections[number].site in UNCONTROLLABLE_SITES:
        return False
    if place.terrain == "wasteland" and people(position.realms[realm].army).holds_wasteland:
        return True
    return place.terrain not in UNCONTROLLABLE_TERRAIN
