"""What a robot does with its ships: it lands where land is to be had, and sends empty ships home."""

from collections.abc import Iterator

from pbem.rulesets.nippon.legality import claimable, hostile_at
from pbem.rulesets.nippon.orders import Sail, Steer
from pbem.rulesets.nippon.paths import Path
from pbem.rulesets.nippon.robot.mind import Mind, can_take, value
from pbem.rulesets.nippon.ships.fleet import at_hand, sea_way, sea_ways
from pbem.rulesets.nippon.ships.harbours import berths
from pbem.rulesets.nippon.state import Banner, Ship
from pbem.rulesets.nippon.tables import HULLS, ODDS

TRIED = 3
"""Landings that it considers for a banner, the best first."""

ASHORE = 0.6
"""What it is worth for troops at sea to be on land again, wherever."""


def landings(mind: Mind, banner: Banner) -> Iterator[tuple[Sail, float]]:
    """Landings that a ship could bring a banner to, and what each seems worth."""
    found = [each for ship in _ships_for(mind, banner) for each in _coasts(mind, banner, ship)]
    best = sorted(found, key=lambda each: (-each[1], str(each[0])))
    yield from (each for each in best[:TRIED] if mind.may(each[0]))


def _ships_for(mind: Mind, banner: Banner) -> Iterator[Ship]:
    for ship in mind.position.ships_of(mind.seat):
        aboard = sum(each.points for each in mind.position.aboard(ship.key))
        fits = banner.aboard == ship.key or (
            not banner.aboard
            and at_hand(mind.position, ship, banner)
            and aboard + banner.points <= HULLS[ship.kind].room
        )
        if fits and ship.name not in mind.ships:
            yield ship


def _coasts(mind: Mind, banner: Banner, ship: Ship) -> Iterator[tuple[Sail, float]]:
    position = mind.position
    ways: dict[int, Path] = sea_ways(position, ship) | ({ship.at: ()} if position.place(ship.at).ocean else {})
    seas = sorted((len(way), way, number) for number, way in ways.items() if position.place(number).ocean)
    seen = {banner.at}
    for _, way, sea in seas:
        for land in position.place(sea).neighbours:
            worth = _worth(mind, banner, land)
            if land not in seen and worth and not position.place(land).ocean:
                order = Sail(banner.name, way, land, ship.name, no_assault=not can_take(mind, banner, land))
                yield order, (0.0 if order.no_assault else worth * float(ODDS["ocean"]))
            seen.add(land)


def _worth(mind: Mind, banner: Banner, land: int) -> float:
    """What landing in a section brings: nothing where enemies stand or another banner goes."""
    if hostile_at(mind.position, mind.seat, land) or land in mind.goals:
        return 0.0
    gain = value(mind.position, land) if claimable(mind.position, mind.seat, land) else 0.0
    return gain + (ASHORE if banner.aboard else 0.0)


def homeward(mind: Mind) -> Iterator[Steer]:
    """Empty ships at sea that carry nobody this turn go to a port of the realm, if they can reach one."""
    for ship in mind.position.ships_of(mind.seat):
        idle = ship.name not in mind.ships and not mind.position.aboard(ship.key)
        if idle and mind.position.place(ship.at).ocean:
            ports = [number for number in mind.position.held_by(mind.seat) if _room(mind, number)]
            way = sea_way(mind.position, ship, ports)
            order = Steer(ship.name, way or ())
            if way and mind.may(order):
                mind.goals.add(way[-1])
                yield order


def _room(mind: Mind, port: int) -> bool:
    return port not in mind.goals and len(mind.position.ships_at(port)) < berths(mind.position, port)
