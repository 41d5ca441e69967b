"""What comes of a battle plan, for the acknowledgement (NIP 8.3): who stands where, and what of it cannot work."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pbem import battles as br1
from pbem.battles import tables
from pbem.battles.conversion import values
from pbem.battles.model import LANES, Arrival, Lane, Order, Policy, Role
from pbem.battles.plans import default_order, stations
from pbem.battles.writing import LANE_NAMES
from pbem.rulesets.nippon.cards.battle_plans import WHERE
from pbem.rulesets.nippon.cards.prospect import Prospect
from pbem.rulesets.nippon.fighting import fighter, on_its_feet
from pbem.rulesets.nippon.legality import Refusal
from pbem.rulesets.nippon.orders import SetPlan
from pbem.rulesets.nippon.state import Banner
from pbem.rulesets.nippon.view import View

ROLES: tuple[Role, ...] = ("A", "B")
ARRIVALS: tuple[Arrival, ...] = ("start", "flank", "round", "broken")
"""First come, first told."""
TARGETS: dict[Policy, str] = {
    "STRONGEST": "the strongest",
    "WEAKEST": "the weakest",
    "MISSILES": "those who shoot",
    "HEROES": "heroes",
}


def judge_plan(view: View, order: SetPlan) -> Prospect | Refusal:
    """What comes of a plan, or why it cannot be made."""
    position = view.position
    banner = position.banner_called(f"{view.seat} {order.banner}")
    if banner is None:
        return Refusal("4", f"You have no banner {order.banner}.")
    if position.stage not in ("orders", "meetings"):
        return Refusal("8.3", "Plans are made with the orders of a turn, or while realms meet.")
    tunnel = position.tunnels.get(banner.key)
    if tunnel and position.turn < tunnel.up:
        return Refusal("12.2", f"It is underground until turn {tunnel.up}, and fights nobody before.")
    drawn = Drawn(view, banner, order.plan or br1.Plan())
    does = "PLAN for automatic battles, assaults and lairs" if order.plan else "NO PLAN: fights as by default"
    lasts = ("holds until you change it",) if order.plan else ()
    return Prospect(order, banner.name, does, (*drawn.told(), *lasts, *drawn.warnings()))


class Drawn:
    """A banner drawn up by a plan, as it fights alone."""

    def __init__(self, view: View, banner: Banner, plan: br1.Plan) -> None:
        troops = [on_its_feet(unit) for unit in banner.units if unit.standing]
        fighters = [replace(fighter(view.position, banner.key, unit), name=unit.name) for unit in troops]
        self._units = {unit.name: unit for unit in fighters}
        self._plan = plan
        self.whole = br1.together([(fighters, plan)], plan)
        """The plan with all that it leaves open."""
        joined = dict(self.whole.heroes)
        self._hosted = {host: hero for hero, host in joined.items()}
        self._stations = stations(br1.Side(tuple(fighters), plan=self.whole), joined)

    # --- who stands where ---

    def told(self) -> Iterator[str]:
        """Lane by lane in words, what is by default apart."""
        named = {each.unit for each in self._plan.stations}
        placed = [*self._stations.values()]
        yield from self._places([each for each in placed if each.unit in named])
        if by_default := [*self._places([each for each in placed if each.unit not in named])]:
            yield f"by default {'; '.join(by_default)}"
        if any(not self._order(each) for each in placed):
            yield "units told nothing attack if you are the attacker, and hold if you defend"
        yield policies(self._plan)

    def _places(self, placed: Sequence[br1.Station]) -> Iterator[str]:
        """Those who stand or come in the same way together: from left to right, then the later ones."""
        groups: dict[tuple[int, int, str], list[br1.Station]] = {}
        for each in placed:
            where = f"{WHERE[each.arrives, each.lane]}{self._due(each)}"
            way = ARRIVALS.index(each.arrives), LANES.index(each.lane), where
            groups.setdefault(way, []).append(each)
        for (_, _, where), here in sorted(groups.items()):
            yield f"{where}: {', '.join(map(self._told, here))}"

    def _due(self, station: br1.Station) -> str:
        """When a unit comes, if not at once: `` in round 3``."""
        lane = LANE_NAMES[station.lane]
        match station.arrives:
            case "flank":
                worth, flags = values(self._units[station.unit]), self._units[station.unit].flags
                swift = worth.fast or not flags.isdisjoint({"fly", "scout"})
                return f" in round {tables.FAST_FLANK_ROUND if swift else tables.FLANK_ROUND}"
            case "round":
                return f", to the {lane} in round {station.round}"
            case "broken":
                return f", to the {lane} when a unit there breaks, else to the centre in round {tables.RESERVE_ROUND}"
            case "start":
                return ""

    def _told(self, station: br1.Station) -> str:
        """``Spears with Captain Oda attack``."""
        hero, order = self._hosted.get(station.unit), self._order(station)
        return f"{station.unit}{f' with {hero}' if hero else ''}{f' {order.lower()}' if order else ''}"

    def _order(self, station: br1.Station) -> Order | None:
        """What a unit does for certain; nothing: it hangs on who attacks."""
        worth = values(self._units[station.unit])
        orders = {default_order(role, station, worth) for role in ROLES}
        return station.order or (orders.pop() if len(orders) == 1 else None)

    # --- what cannot work ---

    def warnings(self) -> Iterator[str]:
        """What of the plan will not come out as it was meant."""
        known = [each for each in self._plan.stations if each.unit in self._units]
        flaws: dict[str, list[str]] = {}
        for each in known:
            flaws.setdefault(self._flaw(each), []).append(each.unit)
        yield from (f"WARNING: {', '.join(units)}: {flaw}" for flaw, units in flaws.items() if flaw)
        if self._stations and not self._lanes_held:
            yield "WARNING: nobody is on the field at first: the battle is lost before they come"
        if self._plan.retreat == 0:
            yield "WARNING: retreat 0 leaves the field after the first round, whatever happens"

    def _flaw(self, station: br1.Station) -> str:
        """What a unit is told and cannot do, or may not come to."""
        least, most = tables.LEAST_ROUNDS, tables.MOST_ROUNDS
        still = values(self._units[station.unit]).speed == 0
        flaws = {
            f"no place has room for more than {tables.MOST_IN_LANE}; in the centre, as by default": (
                self._stations.get(station.unit, station) != station
            ),
            "cannot move, and so not charge; it shoots from where it stands": (
                still and (station.arrives == "flank" or station.order == "ATTACK")
            ),
            f"no battle has more than {most} rounds": station.round > most,
            f"may be too late: battles have {least} to {most} rounds, more the larger they are": station.round > least,
            f"none of yours stands {WHERE['start', station.lane]} at first, to break there": (
                station.arrives == "broken" and station.lane not in self._lanes_held
            ),
        }
        return next((flaw for flaw, so in flaws.items() if so), "")

    @property
    def _lanes_held(self) -> set[Lane]:
        """Where somebody stands at first."""
        return {each.lane for each in self._stations.values() if each.arrives == "start"}


def policies(plan: br1.Plan) -> str:
    """What a side does as one: ``strikes the strongest first, pursues, ...``."""
    retreat = tables.RETREAT if plan.retreat is None else plan.retreat
    parts = [
        f"strikes {TARGETS[plan.target]} first",
        "pursues" if plan.pursue else "does not pursue",
        "sallies" if plan.sally else "does not sally",
        f"withdraws at {retreat} % of its points lost" if retreat < 100 else "never withdraws",
    ]
    return ", ".join(parts)
