"""Where the ships of a realm may go, and who with them: judged for all its orders together (NIP 11.4).

The check of a card and the turn itself both ask :func:`muster`. A ship has one course a turn; all aboard go along.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from pbem.core.wording import counted
from pbem.rulesets.nippon.legality import Refusal, first_objection
from pbem.rulesets.nippon.orders import Sail, Steer, Voyage
from pbem.rulesets.nippon.paths import Path
from pbem.rulesets.nippon.ships.harbours import berths, open_port
from pbem.rulesets.nippon.state import Banner, Ship, State, key_of
from pbem.rulesets.nippon.tables import HULLS, OCEANS_A_VOYAGE

Mustered = tuple[Voyage, Refusal | None]
"""An order with ship and way settled, and why it cannot be carried out, if so."""


def muster(position: State, seat: str, given: Iterable[Voyage]) -> dict[Voyage, Mustered]:
    """What comes of a realm's orders for the sea: ships' own first, then as written; of two to one the later."""
    fleet = Fleet(position, seat)
    latest = {order.key: order for order in given}
    ordered = sorted(latest.values(), key=lambda order: isinstance(order, Sail))
    return {order: fleet.entered(order) for order in ordered}


@dataclass
class Fleet:
    """A realm's ships, and what has been decided about them so far."""

    position: State
    seat: str
    courses: dict[str, Path] = field(default_factory=dict)
    """By name of the ship."""
    joining: dict[str, list[Banner]] = field(default_factory=dict)
    """Who comes aboard this turn, by name of the ship."""

    def entered(self, order: Voyage) -> Mustered:
        """Judge an order on what those before it have decided; what is not refused is decided."""
        final = self._steered(order) if isinstance(order, Steer) else self._settled(order)
        refused = first_objection("11.4", self._objections(final))
        if not refused:
            self._decide(final)
        return final, refused

    def _decide(self, order: Voyage) -> None:
        if order.path or (isinstance(order, Sail) and order.land):
            self.courses[order.ship] = order.path
        if isinstance(order, Sail):
            banner = self._banner(order)
            if not banner.aboard:
                self.joining.setdefault(order.ship, []).append(banner)

    # --- what an order leaves open ---

    def _steered(self, order: Steer) -> Steer:
        ship = self._ship(order.ship)
        if ship is None or len(order.path) != 1:
            return order
        return replace(order, path=sea_way(self.position, ship, order.path) or order.path)

    def _settled(self, order: Sail) -> Sail:
        """The order with its ship, the whole way, and where it ends."""
        position, banner = self.position, self._banner(order)
        order = self._landing(order)
        ship = self._ship(order.ship) if order.ship else self._found(order, banner)
        if ship is None:
            return order
        path = self._way(order, ship)
        end = path[-1] if path else ship.at
        if order.land != end and ship.name not in self.courses and self._puts_in(ship, end, order.land):
            path, end = (*path, order.land), order.land
        ashore = end if path and not position.place(end).ocean else order.land
        return replace(order, ship=ship.name, path=path, land=ashore)

    def _landing(self, order: Sail) -> Sail:
        """A way that ends on land that is no port of one's own means: land there."""
        if order.land or not order.path:
            return order
        *way, goal = order.path
        if self.position.place(goal).ocean or (way and open_port(self.position, self.seat, goal)):
            return order
        return replace(order, path=tuple(way), land=goal)

    def _puts_in(self, ship: Ship, end: int, port: int) -> bool:
        place = self.position.place(end)
        near = place.ocean and port in place.neighbours and open_port(self.position, self.seat, port)
        return near and self._has_berth(ship, port)

    def _way(self, order: Sail, ship: Ship) -> Path:
        if not order.path and ship.name in self.courses:
            return self.courses[ship.name]
        if len(order.path) > 1 and order.path[0] == ship.at:
            return order.path[1:]
        if len(order.path) == 1:
            return sea_way(self.position, ship, order.path) or order.path
        if order.path or not order.land or self._at_once(ship, order.land):
            return order.path
        shores = (number for number in self.position.place(order.land).neighbours if self.position.place(number).ocean)
        return sea_way(self.position, ship, tuple(shores)) or ()

    def _at_once(self, ship: Ship, land: int) -> bool:
        here = self.position.place(ship.at)
        return here.ocean and land in here.neighbours

    def _found(self, order: Sail, banner: Banner) -> Ship | None:
        """The ship for a banner that names none: the one that carries it; else of those at hand the smallest with room
        that comes where it wants to go, by name."""
        if banner.aboard:
            return self.position.ships[banner.aboard]
        near = [ship for ship in self.position.ships_of(self.seat) if at_hand(self.position, ship, banner)]
        fitting = [ship for ship in near if self._load(ship) + banner.points <= HULLS[ship.kind].room]
        free = [ship for ship in fitting if order.path in ((), self.courses.get(ship.name, order.path))]
        return min(free or fitting or near, key=lambda ship: (HULLS[ship.kind].room, ship.name), default=None)

    # --- what speaks against it ---

    def _objections(self, order: Voyage) -> Iterator[str]:
        """What speaks against an order, a sentence each."""
        ship = self._ship(order.ship) if order.ship else None
        if ship is None:
            yield self._no_ship(order)
            return
        if isinstance(order, Sail):
            yield from self._boarding(order, ship, self._banner(order))
        yield from self._course(order.path, ship)
        if isinstance(order, Sail):
            yield from self._ashore(order, ship)
        elif not order.path:
            yield "It is not said where to."

    def _no_ship(self, order: Voyage) -> str:
        names = ", ".join(ship.name for ship in self.position.ships_of(self.seat))
        if not names:
            return "You have no ship."
        if isinstance(order, Steer) or order.ship:
            return f"You have no ship {order.ship}. You have {names}."
        return f"No ship of yours lies in {self.position.place(self._banner(order).at)}, or off its coast."

    def _boarding(self, order: Sail, ship: Ship, banner: Banner) -> Iterator[str]:
        here, there, room = self.position.place(banner.at), self.position.place(ship.at), HULLS[ship.kind].room
        if banner.aboard == ship.key:
            if not order.path and not order.land and ship.name not in self.courses:
                yield f"It is aboard {ship.name}, and it is not said where to."
            return
        if banner.aboard:
            yield f"It is aboard {self.position.ships[banner.aboard].name}, not {ship.name}."
        elif not at_hand(self.position, ship, banner):
            yield f"{ship.name} lies in {there}: troops come aboard there, or off their coast, not in {here}."
        elif not there.ocean and not order.path:
            yield f"{ship.name} lies in port, and it is not said where to."
        if (load := self._load(ship)) + banner.points > room:
            others = f", of which {load:,} are taken" if load else ""
            has = f"{banner.name} has {banner.points:,}"
            yield f"{ship.name} is a {ship.kind} with room for {room:,} points{others}; {has}."

    def _course(self, path: Path, ship: Ship) -> Iterator[str]:
        known = self.courses.get(ship.name)
        if known is not None and known != path:
            goes = f"sails {' '.join(map(str, known))}" if known else f"stays in {ship.at}"
            yield f"{ship.name} {goes} this turn, and all aboard go the same way."
        yield from illegal_way(self.position, ship, path)
        if path and known is None and not self.position.place(path[-1]).ocean and not self._has_berth(ship, path[-1]):
            room = berths(self.position, path[-1])
            yield f"The port of {self.position.place(path[-1])} has room for {counted(room, 'ship')}."

    def _ashore(self, order: Sail, ship: Ship) -> Iterator[str]:
        end = self.position.place(order.path[-1] if order.path else ship.at)
        if not order.land or order.land == end.number:
            return
        goal = self.position.place(order.land)
        if goal.ocean:
            yield f"{goal} is ocean: sail there, and land on a coast."
        elif not end.ocean:
            yield f"{ship.name} ends its way in {end}: whoever is aboard goes ashore there."
        elif goal.number not in end.neighbours:
            shores = [number for number in end.neighbours if not self.position.place(number).ocean]
            coasts = f"; there is land at {' '.join(map(str, shores))}" if shores else ""
            yield f"{goal} does not border {end}, where {ship.name} ends its way{coasts}."

    # --- facts ---

    def _banner(self, order: Sail) -> Banner:
        return self.position.banners[key_of(self.seat, order.banner)]

    def _ship(self, name: str) -> Ship | None:
        return self.position.ships.get(key_of(self.seat, name))

    def _load(self, ship: Ship) -> int:
        """Points aboard a ship, with those who come aboard this turn."""
        return sum(banner.points for banner in (*self.position.aboard(ship.key), *self.joining.get(ship.name, ())))

    def _has_berth(self, ship: Ship, port: int) -> bool:
        """Whether a port has room when all that is decided so far is done."""
        others = sum(other.realm != self.seat for other in self.position.ships_at(port))
        own = [other for other in self.position.ships_of(self.seat) if other.key != ship.key]
        return others + sum(self._end(other) == port for other in own) < berths(self.position, port)

    def _end(self, ship: Ship) -> int:
        course = self.courses.get(ship.name, ())
        return course[-1] if course else ship.at


def at_hand(position: State, ship: Ship, banner: Banner) -> bool:
    """Whether a banner can go aboard: it stands where the ship lies, or on the coast of its ocean section."""
    there = position.place(ship.at)
    return banner.at == ship.at or (there.ocean and banner.at in there.neighbours)


# --- ways ---------------------------------------------------------------------------------------------------------


def illegal_way(position: State, ship: Ship, path: Path) -> Iterator[str]:
    """Why a ship cannot take a way, a sentence each: ocean sections and open ports, one next to the other."""
    at = ship.at
    for number in path:
        place = position.place(number)
        if number not in position.place(at).neighbours:
            yield f"{number} is not next to {at}."
        elif not navigable(position, ship.realm, number):
            yield f"{place} is neither ocean nor a port that is open to you."
        elif not position.place(at).ocean and not place.ocean:
            yield f"There is no way over land from {at} to {number}."
        at = number
    seas = sum(position.place(number).ocean for number in path)
    if seas > OCEANS_A_VOYAGE:
        yield f"That is {seas} ocean sections; a ship sails {OCEANS_A_VOYAGE} a turn."


def navigable(position: State, seat: str, number: int) -> bool:
    """Whether a realm's ships may be in a section at all: ocean, or a port that is open to them."""
    return position.place(number).ocean or open_port(position, seat, number)


def sea_way(position: State, ship: Ship, goals: Iterable[int], longest: int = OCEANS_A_VOYAGE) -> Path | None:
    """The shortest way of a ship to any of some sections; of equally short ones that with the lowest numbers.

    ``None`` if it takes more than ``longest`` ocean sections. Ports on the way may be passed.
    """
    ways = sea_ways(position, ship, longest)
    return min((ways[goal] for goal in goals if goal in ways), key=lambda way: (len(way), way), default=None)


def sea_ways(position: State, ship: Ship, longest: int = OCEANS_A_VOYAGE) -> dict[int, Path]:
    """The shortest way of a ship to every section in which it could be after ``longest`` ocean sections."""
    ways: dict[int, Path] = {}
    front: dict[int, Path] = {ship.at: ()}
    while front:
        onward: dict[int, Path] = {}
        for at, way in sorted(front.items(), key=lambda each: each[1]):
            for number in _next(position, ship.realm, at):
                further = (*way, number)
                if number != ship.at and number not in ways and _seas(position, further) <= longest:
                    onward.setdefault(number, further)
        ways |= onward
        front = onward
    return ways


def _next(position: State, seat: str, at: int) -> Iterator[int]:
    here = position.place(at)
    for number in here.neighbours:
        if navigable(position, seat, number) and (here.ocean or position.place(number).ocean):
            yield number


def _seas(position: State, way: Path) -> int:
    return sum(position.place(number).ocean for number in way)
