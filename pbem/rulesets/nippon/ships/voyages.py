"""Ships at sea: who goes aboard, the weather, the way, and who goes ashore in port (NIP 11.4).

Landings on a coast are steps of the banners' own movement, in :mod:`pbem.rulesets.nippon.movement`.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.events import (
    Destroyed,
    Embarked,
    Heroic,
    OrderVoid,
    PortFull,
    Sailed,
    ShipBattered,
    ShipFoundered,
    ShipHeld,
    ShipIntercepted,
    ShipWeathered,
    WentAshore,
)
from pbem.rulesets.nippon.legality import orders_in_force
from pbem.rulesets.nippon.orders import Sail, Steer, Voyage
from pbem.rulesets.nippon.paths import Path
from pbem.rulesets.nippon.ships.fleet import muster
from pbem.rulesets.nippon.ships.harbours import berths
from pbem.rulesets.nippon.state import State, key_of
from pbem.rulesets.nippon.tables import LOSS_DIE, LOSS_PER_PIP, danger
from pbem.rulesets.nippon.terrain import lose_models


@dataclass
class Passage:
    """A ship's way through a turn."""

    ship: str
    ahead: Path
    """Where it still means to go; empty when it lies still."""


@rule("11.4", "Ships")
def sail(turn: Turn[State]) -> None:
    """Before banners move: all ships sail in steps of their own, together; then whoever is in port goes ashore."""
    courses = departures(turn)
    at_sea = {key for key, ship in turn.state.ships.items() if turn.state.place(ship.at).ocean}
    passages = [Passage(key, courses.get(key, ())) for key in sorted(at_sea | courses.keys())]
    passages = [passage for passage in passages if weather(turn, passage)]
    while under_way := [passage for passage in passages if passage.ahead]:
        take_steps(turn, under_way)
    put_ashore(turn)


def departures(turn: Turn[State]) -> dict[str, Path]:
    """Orders for the sea are judged, troops go aboard; the courses of ships by key."""
    courses: dict[str, Path] = {}
    for seat, given in ordered(turn).items():
        for final, refused in muster(turn.state, seat, given).values():
            who = key_of(seat, final.banner if isinstance(final, Sail) else final.ship)
            if refused:
                turn.emit(
                    OrderVoid(who, whereabouts(turn.state, who), final.deed, refused.reason), to=frozenset({seat})
                )
                continue
            ship = key_of(seat, final.ship)
            if final.path:
                courses[ship] = final.path
            if isinstance(final, Sail) and not turn.state.banners[who].aboard:
                turn.emit(Embarked(who, ship, turn.state.banners[who].at, turn.state.ships[ship].at))
    return courses


def ordered(turn: Turn[State]) -> dict[str, list[Voyage]]:
    """What is ordered for the sea and still stands, by seat; a realm without headquarters does not sail."""
    standing, found = orders_in_force(turn), defaultdict[str, list[Voyage]](list)
    for seat, steer in turn.given(Steer):
        if not turn.state.realms[seat].homeless and key_of(seat, steer.ship) in turn.state.ships:
            found[seat].append(steer)
    for seat, sailing in turn.given(Sail):
        if standing.get(key_of(seat, sailing.banner)) == sailing:
            found[seat].append(sailing)
    return found


def whereabouts(state: State, key: str) -> int:
    """The section of a banner or ship."""
    return state.banners[key].at if key in state.banners else state.ships[key].at


# --- the weather --------------------------------------------------------------------------------------------------


def weather(turn: Turn[State], passage: Passage) -> bool:
    """One roll of dangerous terrain for each ship that is at sea this turn; whether it is still afloat."""
    ship = turn.state.ships[passage.ship]
    total = turn.roll(f"sea {ship.key} a") + turn.roll(f"sea {ship.key} b")
    outcome = danger(total)
    if outcome == "destroyed":
        troops = turn.state.aboard(ship.key)
        turn.emit(ShipFoundered(ship.key, ship.at, total))
        for banner in troops:
            turn.emit(Destroyed(banner.key, ship.at, ship.at, "ocean", total))
        return False
    if outcome == "costly":
        points = turn.roll(f"loss {ship.key} at sea", LOSS_DIE) * LOSS_PER_PIP
        turn.emit(ShipBattered(ship.key, ship.at, total, points))
        lose_troops(turn, ship.key, points)
    elif outcome == "held":
        turn.emit(ShipHeld(ship.key, ship.at, total))
    else:
        turn.emit(ShipWeathered(ship.key, ship.at, total))
    if outcome == "heroic":
        for banner in turn.state.aboard(ship.key):
            turn.emit(Heroic(banner.key, ship.at, ship.at, "ocean", total))
    if outcome in ("costly", "held"):
        passage.ahead = ()
    return True


def lose_troops(turn: Turn[State], ship: str, points: int) -> None:
    """The troops aboard lose points: the banner with the fewest first, then the next."""
    for banner in sorted(turn.state.aboard(ship), key=lambda banner: banner.points):
        if points > 0:
            lose_models(turn, banner.key, banner.at, points)
            points -= banner.points


# --- the way ------------------------------------------------------------------------------------------------------


def take_steps(turn: Turn[State], under_way: Sequence[Passage]) -> None:
    """One step of all ships that have any left: who leaves makes room for who comes."""
    state = turn.state
    for passage in sorted(under_way, key=lambda passage: (not state.place(passage.ahead[0]).ocean, passage.ship)):
        here, (to, *further) = state.ships[passage.ship].at, passage.ahead
        if not further and not state.place(to).ocean and len(state.ships_at(to)) >= berths(state, to):
            turn.emit(PortFull(passage.ship, here, to))
            passage.ahead = ()
            continue
        turn.emit(Sailed(passage.ship, here, to))
        passage.ahead = tuple(further)
    if state.options.interception:
        intercept(turn, under_way)


def intercept(turn: Turn[State], passages: Iterable[Passage]) -> None:
    """At sea, a ship that comes upon hostile ships stops. Nobody rolls for passing: the sea is wide."""
    state = turn.state
    for passage in passages:
        ship = state.ships[passage.ship]
        met = tuple(other.key for other in state.ships_at(ship.at) if state.hostile(other.realm, ship.realm))
        if passage.ahead and met and state.place(ship.at).ocean:
            turn.emit(ShipIntercepted(ship.key, ship.at, met))
            passage.ahead = ()


def put_ashore(turn: Turn[State]) -> None:
    """In port everybody leaves the ship."""
    for key, banner in sorted(turn.state.banners.items()):
        if banner.aboard and not turn.state.place(banner.at).ocean:
            turn.emit(WentAshore(key, banner.aboard, banner.at))
