"""What an order to a banner will bring, as far as its player may know: each test with its odds, whom it may meet.

Every function gives notes: sentences for the acknowledgement. They are made from a view, so they can tell no secret.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import singledispatch
from math import prod

from pbem.core.odds import in_words
from pbem.rulesets.nippon.assaults import before_enemies
from pbem.rulesets.nippon.garrisons import fort_of_site, guarded, likely_points
from pbem.rulesets.nippon.legality import claimable, controllable
from pbem.rulesets.nippon.orders import (
    BannerOrder,
    ForcedMarch,
    Fortify,
    Going,
    Hold,
    Move,
    Portal,
    Raze,
    Recover,
    Sail,
    Scatter,
    Steer,
    Underground,
)
from pbem.rulesets.nippon.paths import Path, first_leg
from pbem.rulesets.nippon.state import Banner, Ship, key_of
from pbem.rulesets.nippon.tables import (
    GOES_FROM,
    LOSS_DIE,
    LOSS_PER_PIP,
    LOST_BELOW_UP_TO,
    MUTINY_DIE,
    MUTINY_LOSS,
    MUTINY_UP_TO,
    NEVER_RECOVERS,
    ODDS,
    RAZE_DICE,
    RAZE_PP_PER_PIP,
    RECOVERS_FROM,
    TIRED_UP_TO,
    TUNNEL_TURNS,
    WORST,
    Hazard,
    People,
    from_on,
    people,
)
from pbem.rulesets.nippon.terrain import tests_of
from pbem.rulesets.nippon.view import View

FEW = 3
"""Banners named in one note; of more only the number is told."""


# --- the order in a few words ---------------------------------------------------------------------------------


@singledispatch
def does(order: BannerOrder, banner: Banner) -> str:
    """An order in a few words: ``MOVE 12 -> 13``."""
    return f"HOLD in {banner.at}"


@does.register
def _(order: Move, banner: Banner) -> str:
    raze = f"RAZE {banner.at}, then " if order.raze else ""
    by_land = " by land" if order.by_land else ""
    return f"{raze}MOVE {' -> '.join(map(str, (banner.at, *order.path)))}{by_land}"


@does.register
def _(order: ForcedMarch, banner: Banner) -> str:
    razing = f", RAZE {', '.join(map(str, order.razes))} on the way" if order.razes else ""
    by_land = " by land" if order.by_land else ""
    return f"FORCED MARCH {' -> '.join(map(str, (banner.at, *order.path)))}{by_land}{razing}"


@does.register
def _(order: Underground, banner: Banner) -> str:
    return f"UNDERGROUND to {order.goal}"


@does.register
def _(order: Portal, banner: Banner) -> str:
    return f"PORTAL to {order.goal}" + (" if an enemy is ordered here, else HOLD" if order.if_threatened else "")


@does.register
def _(order: Raze, banner: Banner) -> str:
    return f"RAZE {banner.at} and HOLD"


@does.register
def _(order: Fortify, banner: Banner) -> str:
    return f"FORTIFY in {banner.at}"


@does.register
def _(order: Recover, banner: Banner) -> str:
    return f"RECOVER {banner.at}"


@does.register
def _(order: Scatter, banner: Banner) -> str:
    return f"SCATTER in {banner.at}"


@does.register
def _(order: Sail, banner: Banner) -> str:
    way = f" {' -> '.join(map(str, order.path))}" if order.path else ""
    land = f", LAND in {order.land}" if order.land else ", stay aboard"
    return f"SAIL aboard {order.ship}{way}{land}"


def course(order: Steer, ship: Ship) -> str:
    """A ship's order in a few words."""
    return f"SAIL {' -> '.join(map(str, (ship.at, *order.path)))}"


# --- odds -----------------------------------------------------------------------------------------------------


LOSSES = f"{LOSS_PER_PIP} to {LOSS_PER_PIP * LOSS_DIE} points"
"""What dangerous terrain may cost."""

HAZARD_NOTES: dict[Hazard, str] = {
    "forest": "leaving forest {at}: {odds} finds the way, else it is lost in a random direction and stops there",
    "difficult": "difficult terrain entering {to}: {odds} goes on, else it halts in {at} and counts as holding",
    "ocean": "the sea {to}: {odds} goes on, else it stops in {at}, may lose " + LOSSES + f", on a {WORST} everything",
    "snow": "snow entering {to}: {odds} goes on, else it stops in {at} and may suffer as in dangerous terrain",
}
"""What each test of a step means."""


TOLD: dict[Hazard, str] = {hazard: in_words(chance) for hazard, chance in ODDS.items()}
"""The chance to get past each hazard, in words."""


# --- notes ----------------------------------------------------------------------------------------------------


@singledispatch
def notes(order: BannerOrder, view: View, banner: Banner) -> Iterator[str]:
    """What to expect of an order that is legal and settled."""
    yield from ()


@notes.register
def _(order: Move, view: View, banner: Banner) -> Iterator[str]:
    yield from _leaving(order, view, banner)
    tests = tests_of(view.position, banner, order.path, order.by_land)
    for at, to, hazard in tests:
        yield HAZARD_NOTES[hazard].format(at=at, to=to, odds=TOLD[hazard])
    in_doubt = order.raze and not _traits(view, banner).always_in_time
    chances = [ODDS[hazard] for _, _, hazard in tests] + ([from_on(GOES_FROM)] if in_doubt else [])
    if len(chances) > 1:
        yield f"all the way to {order.path[-1]}: {in_words(prod(chances, start=Fraction(1)))}"
    yield from _enemies_ahead(order, view, banner)
    yield from _arriving(order, view, banner)


@notes.register
def _(order: ForcedMarch, view: View, banner: Banner) -> Iterator[str]:
    yield from _spirit(order, view, banner)
    if view.position.sections[banner.at].fortified == banner.key:
        yield f"gives up its works in {banner.at}"
    tests = tests_of(view.position, banner, order.path, order.by_land)
    for at, to, hazard in tests:
        yield HAZARD_NOTES[hazard].format(at=at, to=to, odds=TOLD[hazard])
    chances = [from_on(TIRED_UP_TO + 1), *(ODDS[hazard] for _, _, hazard in tests)]
    if tests:
        yield f"all the way to {order.path[-1]}: {in_words(prod(chances, start=Fraction(1)))}"
    for at in order.razes:
        yield f"{_razing(view, banner, at)}, unless an enemy is there when it passes"
    yield from _enemies_ahead(order, view, banner)
    yield from _arriving(order, view, banner)


def _spirit(order: ForcedMarch, view: View, banner: Banner) -> Iterator[str]:
    """What the die of a march may show."""
    usual = first_leg(view.position, banner, order.path, order.by_land)
    loss = f"{MUTINY_LOSS} to {MUTINY_LOSS * MUTINY_DIE} points"
    tired = f"goes only to {usual[-1]}" if usual else f"stays in {banner.at}"
    yield f"mutiny: {in_words(1 - from_on(MUTINY_UP_TO + 1))}; then it holds in {banner.at} and loses {loss}"
    yield f"tired: {in_words(from_on(MUTINY_UP_TO + 1) - from_on(TIRED_UP_TO + 1))}; then it {tired} and razes nothing"


@notes.register
def _(order: Underground, view: View, banner: Banner) -> Iterator[str]:
    below = view.position.tunnels.get(banner.key)
    up = below.up if below else view.position.turn + TUNNEL_TURNS
    if not below:
        yield f"leaves the map now; all see that, but not where to; until turn {up - 1} you may change the goal"
    yield f"comes up when turn {up} is executed: {in_words(from_on(LOST_BELOW_UP_TO + 1))}, else it is lost for good"
    if not order.no_claim:
        yield from _taking(view, banner, order.goal)


@notes.register
def _(order: Portal, view: View, banner: Banner) -> Iterator[str]:
    if order.if_threatened:
        yield f"judged on all orders, before any die; if no enemy is ordered into {banner.at} nobody learns of this"
    yield "goes before anybody moves, without any test or roll; the scroll is used up"


@notes.register
def _(order: Hold, view: View, banner: Banner) -> Iterator[str]:
    yield from _enemies_near(view, banner)
    yield from _settling(order, view, banner, banner.at)


@notes.register
def _(order: Raze, view: View, banner: Banner) -> Iterator[str]:
    yield _razing(view, banner, banner.at)
    yield from _enemies_near(view, banner)


@notes.register
def _(order: Fortify, view: View, banner: Banner) -> Iterator[str]:
    yield from _taking(view, banner, banner.at)
    yield "void if it has to fight there this turn"
    if view.position.sections[banner.at].fortified:
        yield f"{banner.at} is fortified already"
    yield from _enemies_near(view, banner)


@notes.register
def _(order: Recover, view: View, banner: Banner) -> Iterator[str]:
    before = dict(view.position.sections[banner.at].tries).get(banner.realm, 0)
    needed = max(NEVER_RECOVERS + 1, RECOVERS_FROM - before)
    tried = f" after {before} {'try' if before == 1 else 'tries'} in a row" if before else ""
    yield f"recovers on {needed}+{tried}: {in_words(from_on(needed))}; void if it has to fight there this turn"
    yield from _enemies_near(view, banner)


@notes.register
def _(order: Scatter, view: View, banner: Banner) -> Iterator[str]:
    yield "from the next turn it walks to the nearest village, keep, stronghold or citadel of yours"


@notes.register
def _(order: Sail, view: View, banner: Banner) -> Iterator[str]:
    ship = view.position.ships[key_of(banner.realm, order.ship)]
    end = order.path[-1] if order.path else ship.at
    if view.position.sections[banner.at].fortified == banner.key:
        yield f"gives up its works in {banner.at}"
    yield from voyage(view, ship, order.path)
    if not order.land or order.land == end:
        return
    there, ashore = replace(banner, at=end), Move(order.banner, (order.land,), by_land=True, no_claim=order.no_claim)
    tests = tests_of(view.position, there, ashore.path, by_land=True)
    for at, to, hazard in tests:
        yield HAZARD_NOTES[hazard].format(at=at, to=to, odds=TOLD[hazard])
    if tests:
        chance = prod((ODDS[hazard] for _, _, hazard in tests), start=ODDS["ocean"])
        yield f"all the way to {order.land}: {in_words(chance)}"
    yield from _enemies_ahead(ashore, view, there)
    yield from _arriving(ashore, view, there)


def voyage(view: View, ship: Ship, path: Path) -> Iterator[str]:
    """What a ship may meet at sea."""
    stays = (
        f"else {ship.name} stays in {ship.at} and nobody lands, may lose {LOSSES} of troops, on a {WORST} everything"
    )
    yield f"the sea: {TOLD['ocean']} all goes well, {stays}"
    others = [other for number in path for other in view.position.ships_at(number)]
    for other in others:
        if view.position.hostile(other.realm, ship.realm):
            yield f"may be stopped by {view.banner(other.key)}, seen in {other.at} last turn"


def _razing(view: View, banner: Banner, at: int) -> str:
    traits = _traits(view, banner)
    pips = f"({RAZE_DICE}D6 + {RAZE_DICE * traits.razing})" if traits.razing else f"{RAZE_DICE}D6"
    again = ", low dice rolled again," if traits.razes_again_up_to else ""
    return f"{at} pays you {pips} x {RAZE_PP_PER_PIP} pp{again} and is nobody's until it is recovered"


def _traits(view: View, banner: Banner) -> People:
    return people(view.position.realms[banner.realm].army)


def _leaving(order: Move, view: View, banner: Banner) -> Iterator[str]:
    if order.raze:
        yield _razing(view, banner, banner.at)
        if not _traits(view, banner).always_in_time:
            yield f"after razing: {in_words(from_on(GOES_FROM))} goes on, else it holds in {banner.at}"
    elif view.position.sections[banner.at].fortified == banner.key:
        yield f"gives up its works in {banner.at}"


def _arriving(order: Going, view: View, banner: Banner) -> Iterator[str]:
    goal = order.path[-1]
    flown = banner.airborne(order.by_land) and controllable(view.position, banner.realm, goal)
    if flown and not order.no_claim and not guarded(view.position, banner.realm, goal):
        yield f"flying in, it takes {goal} only if it holds there next turn"
    else:
        yield from _settling(order, view, banner, goal)


def _settling(order: Hold | Going, view: View, banner: Banner, number: int) -> Iterator[str]:
    """What comes of standing in a section in the end: a fight for it, or a claim."""
    if before_enemies(view.position, banner.realm, number):
        yield from _assault(order, view, number)
    elif not isinstance(order, Hold) and view.position.site(number) == "lair" and view.position.options.garrisons:
        if order.no_assault:
            yield f"leaves whoever lives in the lair of {number} alone"
        else:
            yield f"fights whoever lives in the lair of {number} (NIP 8.6); no assault leaves them alone"
    elif not order.no_claim:
        yield from _taking(view, banner, number)


def _assault(order: Hold | Going, view: View, number: int) -> Iterator[str]:
    """A garrison that has to be beaten: what it may be, as far as all know."""
    if order.no_assault:
        yield f"leaves the garrison of {number} alone, and does not take it"
        return
    behind = fort_of_site(view.position.sections[number])
    about = f"about {round(likely_points(view.position, number), -1):,.0f} points behind {behind}"
    after = "beaten, it stays as it is" if order.no_claim else f"beaten, {number} is yours"
    yield f"assaults the garrison of {number} (NIP 8.7), {about}; {after}; no assault leaves it alone"


def _taking(view: View, banner: Banner, number: int) -> Iterator[str]:
    """Whether a section becomes the banner's realm's, if no enemy stands there in the end."""
    holder = view.position.sections[number].controller
    if holder == banner.realm:
        return
    if claimable(view.position, banner.realm, number):
        unless = ", if no enemy stands there in the end" if _enemies(view, banner, (number,)) else ""
        yield (f"takes {number} from {view.realm(holder)}" if holder else f"claims {number}") + unless
    elif holder:
        yield f"{number} stays {view.realm(holder)}'s, who is no enemy"
    else:
        yield f"{number} cannot be claimed: {_barren(view, number)}"


def _barren(view: View, number: int) -> str:
    section = view.position.sections[number]
    if section.razed:
        return "it is razed"
    return f"it is a {section.site}" if section.site else f"it is {view.position.place(number).terrain}"


# --- enemies, where they were seen last ---------------------------------------------------------------------------


def _enemies_ahead(order: Going, view: View, banner: Banner) -> Iterator[str]:
    """Banners in the sections it enters: it may meet them there, or cross them in the night (NIP 6.4)."""
    seen = _enemies(view, banner, order.path)
    for at, to in zip((banner.at, *order.path), order.path, strict=False):
        enemies = [enemy for enemy in seen if enemy.at == to]
        if enemies:
            night = f"if they come to {at} meanwhile, dice decide who passes (NIP 6.4)"
            yield f"may meet {_named(view, enemies)}, seen in {to} last turn; {night}"


def _enemies_near(view: View, banner: Banner) -> Iterator[str]:
    """Banners that stand here or next door."""
    here = _enemies(view, banner, (banner.at,))
    near = _enemies(view, banner, view.position.place(banner.at).neighbours)
    if here:
        yield f"meets {_named(view, here)} here, if they stay"
    if near:
        yield f"may be met by {_named(view, near, where=True)}"


def _enemies(view: View, banner: Banner, numbers: Collection[int]) -> list[Banner]:
    """The hostile banners in any of some sections, by key."""
    others = (each for each in view.position.banners.values() if each.realm != banner.realm and each.at in numbers)
    return sorted(
        (each for each in others if view.position.hostile(each.realm, banner.realm)), key=lambda each: each.key
    )


def _named(view: View, banners: Iterable[Banner], where: bool = False) -> str:
    listed = [view.banner(each.key) + (f" ({each.at})" if where else "") for each in banners]
    rest = f" and {len(listed) - FEW} more" if len(listed) > FEW else ""
    return ", ".join(listed[:FEW]) + rest
