"""Chapter 6.4, Don't Pass in the Night: enemies who would cross a border in opposite directions.

Who crosses in the same step is compared. The last leg of a forced march is compared with every hostile banner that
crosses its border the other way in any step of the turn, when the first of the two comes there; no other leg of a
march is compared at all.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.events import HeldInTheNight, NightRolled, PassedInTheNight, WonTheNight
from pbem.rulesets.nippon.journeys import Journey
from pbem.rulesets.nippon.state import State
from pbem.rulesets.nippon.tables import people
from pbem.rulesets.nippon.terrain import Step, try_step

Border = tuple[int, int]
"""Two neighbours, the lower number first."""


@dataclass(frozen=True, eq=False)
class Crossing:
    """A banner that crosses a border, now or by a later step of its way."""

    journey: Journey
    step: Step
    leg: int
    """The place of that step among those that it still means to take; 0: now."""

    def faces(self, other: "Crossing", position: State) -> bool:
        """Whether the two are compared: enemies, opposite, and together unless one ends its march here."""
        opposite = (self.step.at, self.step.to) == (other.step.to, other.step.at)
        return opposite and self.meets(other) and position.hostile(self.step.realm, other.step.realm)

    def meets(self, other: "Crossing") -> bool:
        """Whether now is the time to compare them: the first of the two comes to the border."""
        if self.leg and other.leg:
            return False
        return not (self.leg or other.leg) or self.journey.marching or other.journey.marching


Borders = dict[Border, list[Crossing]]


@rule("6.4", "Don't Pass in the Night")
def pass_in_the_night(turn: Turn[State], under_way: Sequence[Journey], steps: Mapping[str, Step]) -> None:
    """Where hostile banners would cross a border in opposite directions, dice decide who goes and who waits.

    ``steps`` are those that passed their tests. Journeys are cut where their banners have to stop.
    """
    borders = by_border(now(under_way, steps))
    if any(journey.marching for journey in under_way):
        look_ahead(turn, borders, [each for each in under_way if each.banner in steps and not steps[each.banner].lost])
    for border in sorted(borders):
        crossings = borders[border]
        facing = [crossing for crossing in crossings if facing_enemies(turn.state, crossing, crossings)]
        if facing:
            settle_border(turn, border, facing)


def now(under_way: Iterable[Journey], steps: Mapping[str, Step]) -> Iterator[Crossing]:
    """Who crosses a border in this step; marches only with their last leg, which is that of who is lost, too."""
    for journey in under_way:
        step = steps.get(journey.banner)
        if step and (not journey.marching or step.lost or journey.is_last(0)):
            yield Crossing(journey, step, 0)


def by_border(crossings: Iterable[Crossing]) -> Borders:
    """Crossings by the border they cross."""
    borders: Borders = defaultdict(list)
    for crossing in crossings:
        borders[crossing.step.border].append(crossing)
    return borders


def facing_enemies(position: State, crossing: Crossing, others: Iterable[Crossing]) -> list[Crossing]:
    """Those it is compared with."""
    return [other for other in others if other.faces(crossing, position)]


# --- forced marches -----------------------------------------------------------------------------------------------


def look_ahead(turn: Turn[State], borders: Borders, under_way: Sequence[Journey]) -> None:
    """Enter who comes to a border later and is compared with somebody there now.

    A march makes the tests of its last leg for that, before its time; if it fails them the leg is cut.
    """
    planned = by_border(later(under_way))
    for border in sorted(borders.keys() & planned.keys()):
        crossing_now = tuple(borders[border])
        for crossing in planned[border]:
            if facing_enemies(turn.state, crossing, crossing_now):
                borders[border] += [crossing] if tested(turn, crossing) else []


def later(under_way: Iterable[Journey]) -> Iterator[Crossing]:
    """The borders that are to be crossed after this step; of marches the last."""
    for journey in under_way:
        for index in range(1, len(journey.ahead)):
            if journey.is_last(index) or not journey.marching:
                yield Crossing(journey, journey.leg(index), index)


def tested(turn: Turn[State], crossing: Crossing) -> bool:
    """Whether somebody who comes later will cross as planned; only marches are tested before their time."""
    journey = crossing.journey
    if journey.marching and journey.tested is None:
        journey.tested = try_step(turn, crossing.step)
        if journey.tested is None:
            journey.cut(crossing.leg if journey.banner in turn.state.banners else 0)
    return not journey.marching or journey.tested == crossing.step


# --- the dice -----------------------------------------------------------------------------------------------------


def settle_border(turn: Turn[State], border: Border, facing: Sequence[Crossing]) -> None:
    """Judge from the highest roll down: all go but those whom an enemy with a higher roll, who goes, comes to meet."""
    strength = roll_for_border(turn, border, sorted({crossing.step.realm for crossing in facing}))
    going: list[Crossing] = []
    held: list[Crossing] = []
    for crossing in sorted(facing, key=lambda each: strength[each.step.realm], reverse=True):
        step, met = crossing.step, facing_enemies(turn.state, crossing, going)
        stronger = tuple(other.step.banner for other in met if strength[other.step.realm] > strength[step.realm])
        if stronger:
            turn.emit(HeldInTheNight(step.banner, step.at, step.to, stronger))
            held.append(crossing)
            continue
        going.append(crossing)
        for other in met:
            turn.emit(PassedInTheNight(border, (other.step.banner, step.banner)))
    for crossing in going:
        step, enemies = crossing.step, facing_enemies(turn.state, crossing, held)
        over = tuple(other.step.banner for other in enemies if strength[other.step.realm] < strength[step.realm])
        if over:
            turn.emit(WonTheNight(step.banner, step.at, step.to, over))
            crossing.journey.cut(crossing.leg + 1)
    for crossing in held:
        crossing.journey.cut(crossing.leg)


def roll_for_border(turn: Turn[State], border: Border, realms: Iterable[str]) -> dict[str, tuple[bool, int]]:
    """How strong a realm is at a border: its die for this turn (NIP 20.1), unless its people always wins."""
    low, high = border
    values = {realm: turn.roll(f"night {realm} {low}-{high}") for realm in realms}
    turn.emit(NightRolled(border, tuple(values.items())))
    return {realm: (people(turn.state.realms[realm].army).wins_the_night, value) for realm, value in values.items()}
