"""BR-1 12.3, battle plans: where everybody stands, with what order, and what holds where a plan says nothing."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle

from pbem.battles import tables
from pbem.battles.conversion import Values, values
from pbem.battles.field import Field, Fighter, Marks
from pbem.battles.magic_seven import Roll
from pbem.battles.model import ROLES, Battle, Lane, Order, Plan, Role, Side, Station, Unit


def draw_up(battle: Battle, roll: Roll) -> Field:
    """Both sides on the field as their plans say."""
    sides: tuple[tuple[Role, Side], ...] = (("A", battle.attacker), ("B", battle.defender))
    fighters = [fighter for role, side in sides for fighter in _fighters(role, side)]
    return Field(battle, tuple(fighters), {role: side.plan or Plan() for role, side in sides}, roll)


def _fighters(role: Role, side: Side) -> list[Fighter]:
    worth = {unit.name: values(unit) for unit in side.units}
    joined = joined_heroes(side)
    placed = stations(side, joined)
    leader = general(side)
    fighters: dict[str, Fighter] = {}
    for unit in sorted(side.units, key=lambda unit: unit.name in joined):  # Hosts first.
        host = joined.get(unit.name, "")
        station = placed[host or unit.name]
        order = station.order or default_order(role, station, worth[host or unit.name])
        wounds = unit.models * worth[unit.name].wounds - unit.hurt
        fighters[unit.name] = Fighter(
            unit=unit,
            values=worth[unit.name],
            side=role,
            lane=station.lane,
            order=order,
            station=station,
            general=unit.name == leader,
            host=fighters.get(host),
            start=wounds,
            left=wounds,
            marks=Marks(wounds),
            arrived=station.arrives == "start",
        )
    return [fighters[unit.name] for unit in side.units]


def general(side: Side) -> str:
    """The hero who is named, else the one with most points, of equals the first; nobody, if there is no hero."""
    heroes = [unit for unit in side.units if unit.kind == "hero"]
    by_rank = sorted(heroes, key=lambda unit: (unit.name != side.general, -unit.points))
    return by_rank[0].name if by_rank else ""


def joined_heroes(side: Side) -> dict[str, str]:
    """Who fights in which unit: by the plan; without one by the roster, then the dearest units that have no hero yet.

    One hero to a unit, the first that is named.
    """
    wished = [(unit.name, unit.joined) for unit in side.units if unit.joined]
    hosts = {unit.name: unit for unit in side.units if unit.kind != "hero"}
    heroes = [unit.name for unit in side.units if unit.kind == "hero"]
    joined: dict[str, str] = {}
    for hero, host in [*(side.plan.heroes if side.plan else ()), *wished]:
        if hero in heroes and host in hosts and hero not in joined and host not in joined.values():
            joined[hero] = host
    return joined if side.plan else _with_the_rest(joined, heroes, hosts)


def _with_the_rest(joined: Mapping[str, str], heroes: Sequence[str], hosts: Mapping[str, Unit]) -> dict[str, str]:
    free = [name for name in sorted(hosts, key=lambda name: -hosts[name].points) if name not in joined.values()]
    return {**joined, **dict(zip((hero for hero in heroes if hero not in joined), free, strict=False))}


def stations(side: Side, joined: Mapping[str, str]) -> dict[str, Station]:
    """Where each unit stands; of more than eight in a lane, and of those not mentioned, the plan says nothing."""
    names = [unit.name for unit in side.units if unit.name not in joined]
    if side.plan is None:
        return dict(_default_stations(names))
    room: Counter[Lane] = Counter()
    placed: dict[str, Station] = {}
    for station in side.plan.stations:
        if station.unit in names and station.unit not in placed and room[station.lane] < tables.MOST_IN_LANE:
            room[station.lane] += 1
            placed[station.unit] = station
    return {name: placed.get(name, Station(name)) for name in names}


def _default_stations(names: Sequence[str], room: int = tables.MOST_IN_LANE) -> Iterator[tuple[str, Station]]:
    """As many in the centre as it has room for, the others left and right by turns."""
    wings: Iterator[Lane] = cycle(("L", "R"))
    for index, name in enumerate(names):
        yield name, Station(name, "C" if index < room else next(wings))


def arrival(station: Station, unit: Unit, worth: Values) -> int:
    """The round in which a unit comes, at the latest; 0: it is there from the start. The fast come sooner round the
    flank, and so do those who fly or scout."""
    match station.arrives:
        case "start":
            return 0
        case "flank":
            swift = worth.fast or not unit.flags.isdisjoint({"fly", "scout"})
            return tables.FAST_FLANK_ROUND if swift else tables.FLANK_ROUND
        case "round":
            return max(station.round, 1)
        case "broken":
            return tables.RESERVE_ROUND


def default_order(role: Role, station: Station, worth: Values) -> Order:
    """Who comes later attacks; else attackers attack, defenders hold, and who shoots holds on both sides."""
    if station.arrives != "start":
        return "ATTACK"
    return "HOLD" if worth.missile or role == "B" else "ATTACK"


# --- what comes of a plan -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Placed:
    """A unit as it is drawn up."""

    station: Station
    hero: str
    """Who fights in it; nothing: no hero."""
    order: Order | None
    """What it does for certain; nothing: it hangs on who attacks."""
    round: int
    """When it comes, at the latest; 0: it is there from the start."""
    moves: bool
    """Whether it can move at all."""


def drawn_up(side: Side) -> tuple[Placed, ...]:
    """How the units of a side are drawn up, whether it attacks or defends; heroes with the units that they join."""
    joined = joined_heroes(side)
    heroes = {host: hero for hero, host in joined.items()}
    units = {unit.name: unit for unit in side.units}
    placed = stations(side, joined)
    return tuple(_placed(units[name], station, heroes.get(name, "")) for name, station in placed.items())


def _placed(unit: Unit, station: Station, hero: str) -> Placed:
    worth = values(unit)
    orders = {station.order or default_order(role, station, worth) for role in ROLES}
    order = orders.pop() if len(orders) == 1 else None
    return Placed(station, hero, order, arrival(station, unit, worth), worth.speed > 0)


# --- one plan for many --------------------------------------------------------------------------------------------


def together(parts: Sequence[tuple[Sequence[Unit], Plan]], leading: Plan) -> Plan:
    """One plan for units that follow several, each part its own; what the side does as one says ``leading``.

    It says of everybody what he does. A hero of whom his plan says nothing joins a unit of his part, as without a plan.
    A unit that its plan does not mention stands in the centre; where a plan places nobody all stand as without one.
    """
    heroes: dict[str, str] = {}
    placed: list[Station] = []
    free: list[str] = []
    for units, plan in parts:
        heroes |= (joined := _joined_by(units, plan))
        names = [unit.name for unit in units if unit.name not in joined]
        said = {station.unit: station for station in reversed(plan.stations) if station.unit in names}
        if said:
            placed += [*reversed(said.values()), *(Station(name) for name in names if name not in said)]
        else:
            free += names
    room = tables.MOST_IN_LANE - sum(station.lane == "C" for station in placed)
    stood = [station for _, station in _default_stations(free, room)]
    return replace(leading, stations=(*placed, *stood), heroes=tuple(heroes.items()))


def _joined_by(units: Sequence[Unit], plan: Plan) -> dict[str, str]:
    """Who fights in which unit, by a plan and, where it says nothing of a hero, as without one."""
    hosts = {unit.name: unit for unit in units if unit.kind != "hero"}
    alone = {station.unit for station in plan.stations}
    joined = joined_heroes(Side(tuple(units), plan=plan))
    heroes = [unit.name for unit in units if unit.kind == "hero" and unit.name not in alone]
    return _with_the_rest(joined, heroes, hosts)
