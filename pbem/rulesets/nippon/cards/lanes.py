"""What comes of a battle plan, for the acknowledgement (NIP 8.3): who stands where, and what of it cannot work."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pbem import battles as br1
from pbem.rulesets.nippon.cards.plan_words import WHERE
from pbem.rulesets.nippon.cards.prospect import Prospect
from pbem.rulesets.nippon.fighting import fighter, on_its_feet
from pbem.rulesets.nippon.legality import Refusal
from pbem.rulesets.nippon.orders import SetPlan
from pbem.rulesets.nippon.state import Banner, key_of
from pbem.rulesets.nippon.view import View

ARRIVALS: tuple[br1.Arrival, ...] = ("start", "flank", "round", "broken")
"""First come, first told."""
TARGETS: dict[br1.Policy, str] = {
    "STRONGEST": "the strongest",
    "WEAKEST": "the weakest",
    "MISSILES": "those who shoot",
    "HEROES": "heroes",
}


def judge_plan(view: View, order: SetPlan) -> Prospect | Refusal:
    """What comes of a plan, or why it cannot be made."""
    position = view.position
    banner = position.banner_called(key_of(view.seat, order.banner))
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
        self._plan = plan
        self.whole = br1.together([(fighters, plan)], plan)
        """The plan with all that it leaves open."""
        self._units = {unit.name for unit in fighters}
        self._placed = {each.station.unit: each for each in br1.drawn_up(br1.Side(tuple(fighters), plan=self.whole))}

    # --- who stands where ---

    def told(self) -> Iterator[str]:
        """Lane by lane in words, what is by default apart."""
        named = {each.unit for each in self._plan.stations}
        placed = self._placed.values()
        yield from self._places([each for each in placed if each.station.unit in named])
        if by_default := [*self._places([each for each in placed if each.station.unit not in named])]:
            yield f"by default {'; '.join(by_default)}"
        if any(not each.order for each in placed):
            yield "units told nothing attack if you are the attacker, and hold if you defend"
        yield as_one(self._plan)

    def _places(self, placed: Sequence[br1.Placed]) -> Iterator[str]:
        """Those who stand or come in the same way together: from left to right, then the later ones."""
        groups: dict[tuple[int, int, str], list[br1.Placed]] = {}
        for each in placed:
            arrives, lane = each.station.arrives, each.station.lane
            way = ARRIVALS.index(arrives), br1.LANES.index(lane), f"{WHERE[arrives, lane]}{_due(each)}"
            groups.setdefault(way, []).append(each)
        for (_, _, where), here in sorted(groups.items()):
            yield f"{where}: {', '.join(map(_told, here))}"

    # --- what cannot work ---

    def warnings(self) -> Iterator[str]:
        """What of the plan will not come out as it was meant."""
        known = [each for each in self._plan.stations if each.unit in self._units]
        flaws: dict[str, list[str]] = {}
        for each in known:
            flaws.setdefault(self._flaw(each), []).append(each.unit)
        yield from (f"WARNING: {', '.join(units)}: {flaw}" for flaw, units in flaws.items() if flaw)
        if self._placed and not self._lanes_held:
            yield "WARNING: nobody is on the field at first: the battle is lost before they come"
        if self._plan.retreat == 0:
            yield "WARNING: retreat 0 leaves the field after the first round, whatever happens"

    def _flaw(self, station: br1.Station) -> str:
        """What a unit is told and cannot do, or may not come to."""
        least, most = br1.LEAST_ROUNDS, br1.MOST_ROUNDS
        placed = self._placed.get(station.unit)
        still = placed is not None and not placed.moves
        flaws = {
            f"no place has room for more than {br1.MOST_IN_LANE}; in the centre, as by default": (
                placed is not None and placed.station != station
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
    def _lanes_held(self) -> set[br1.Lane]:
        """Where somebody stands at first."""
        return {each.station.lane for each in self._placed.values() if each.station.arrives == "start"}


def _due(placed: br1.Placed) -> str:
    """When a unit comes, if not at once: `` in round 3``."""
    lane = br1.LANE_NAMES[placed.station.lane]
    match placed.station.arrives:
        case "flank":
            return f" in round {placed.round}"
        case "round":
            return f", to the {lane} in round {placed.round}"
        case "broken":
            return f", to the {lane} when a unit there breaks, else to the centre in round {placed.round}"
        case "start":
            return ""


def _told(placed: br1.Placed) -> str:
    """``Spears with Captain Oda attack``."""
    hero = f" with {placed.hero}" if placed.hero else ""
    return f"{placed.station.unit}{hero}{f' {placed.order.lower()}' if placed.order else ''}"


def as_one(plan: br1.Plan) -> str:
    """What a side does as one: ``strikes the strongest first, pursues, ...``."""
    retreat = br1.RETREAT if plan.retreat is None else plan.retreat
    parts = [
        f"strikes {TARGETS[plan.target]} first",
        "pursues" if plan.pursue else "does not pursue",
        "sallies" if plan.sally else "does not sally",
        f"withdraws at {retreat} % of its points lost" if retreat < 100 else "never withdraws",
    ]
    return ", ".join(parts)
