"""Chapter 5, terrain: the tests of a step, and what becomes of those who fail them."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial

from pbem.core.graph import angle_between, bearing
from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.atlas import Place
from pbem.rulesets.nippon.banners import own_site
from pbem.rulesets.nippon.events import (
    DangerCost,
    DangerHeld,
    DangerSurvived,
    Destroyed,
    Halted,
    Heroic,
    LostInForest,
    ModelsLost,
    Passed,
    StuckInForest,
    TurnedBack,
    WipedOut,
)
from pbem.rulesets.nippon.losses import after_losses
from pbem.rulesets.nippon.state import Banner, State, seat_of
from pbem.rulesets.nippon.tables import (
    CAUGHT_UP_TO,
    DIFFICULT_TERRAIN,
    HALTED_UP_TO,
    LOSS_DIE,
    LOSS_PER_PIP,
    LOST_UP_TO,
    OCEANS_A_TURN,
    Hazard,
    danger,
    people,
)
from pbem.rulesets.nippon.ties import repeated

CIRCLE = 360
"""Sides of the die for a direction."""


@dataclass(frozen=True)
class Step:
    """A step that a banner is about to take."""

    banner: str
    path: tuple[int, ...]
    """Where it has been this turn, its start first, the section it leaves last."""
    to: int
    airborne: bool = False
    """All its models fly, and it does not move by land."""
    lost: bool = False
    """It goes where it did not mean to, and its move ends there."""

    @property
    def at(self) -> int:
        """The section it leaves."""
        return self.path[-1]

    @property
    def realm(self) -> str:
        """Whose banner it is."""
        return seat_of(self.banner)

    @property
    def border(self) -> tuple[int, int]:
        """The border it crosses, the lower number first."""
        return (self.at, self.to) if self.at < self.to else (self.to, self.at)


def hazards(position: State, banner: Banner, at: int, to: int, by_land: bool = False) -> tuple[Hazard, ...]:
    """The tests of a step from ``at`` to ``to``, in the order in which they are made (NIP 5.5)."""
    return hazards_for(position, banner.realm, at, to, banner.airborne(by_land))


def hazards_for(position: State, realm: str, at: int, to: int, airborne: bool) -> tuple[Hazard, ...]:
    """The tests of a step for any banner of a realm that flies or walks."""
    entering = _on_entering(position, realm, to, airborne)
    return ("forest", *entering) if _forest(position, at, airborne) else entering


def _forest(position: State, at: int, airborne: bool) -> bool:
    return position.place(at).terrain == "forest" and not airborne


def _on_entering(position: State, realm: str, to: int, airborne: bool) -> tuple[Hazard, ...]:
    place = position.place(to)
    return _due(_difficult(position, realm, place, airborne), place.ocean and not airborne, place.snow)


@cache
def _due(difficult: bool, ocean: bool, snow: bool) -> tuple[Hazard, ...]:
    tests: dict[Hazard, bool] = {"difficult": difficult, "ocean": ocean, "snow": snow}
    return tuple(hazard for hazard, due in tests.items() if due)


def _difficult(position: State, realm: str, place: Place, airborne: bool) -> bool:
    """One test, however many reasons. Flyers are spared rivers and ocean only, unless an option says more (5.4)."""
    at_home = people(position.realms[realm].army).at_home_in
    rugged = place.terrain in DIFFICULT_TERRAIN and place.terrain != at_home
    if airborne:
        return rugged and not place.ocean and not position.options.flyers_ignore_difficult
    return rugged or (place.river and not own_site(position, realm, place.number))


def tests_of(
    position: State, banner: Banner, path: tuple[int, ...], by_land: bool
) -> tuple[tuple[int, int, Hazard], ...]:
    """Every test of a way: from, to, and what it is."""
    steps = zip((banner.at, *path), path, strict=False)
    return tuple((at, to, hazard) for at, to in steps for hazard in hazards(position, banner, at, to, by_land))


def sea_legs(position: State, path: tuple[int, ...]) -> int:
    """How many ocean sections a path enters; its first section is where it starts."""
    return sum(position.place(number).ocean for number in path[1:])


# --- 5 Terrain ----------------------------------------------------------------------------------------------------


@rule("5", "Terrain")
def leave_forest(turn: Turn[State], step: Step) -> Step | None:
    """The step as it is taken out of a forest; ``None`` if the banner stays there."""
    if turn.passes(f"forest {step.banner} {step.at}{_again(step.path[:-1], step.at)}", LOST_UP_TO + 1):
        turn.emit(Passed(step.banner, step.at, step.to, "forest"))
        return step
    towards = partial(_neighbour_towards, turn.state, step.at)
    degrees = turn.roll(f"lost {step.banner} {step.at}{_again(step.path[:-1], step.at)}", CIRCLE, meaning=towards)
    strayed = replace(step, to=towards(degrees), lost=True)
    turn.emit(LostInForest(step.banner, step.at, degrees, strayed.to, step.to))
    if sea_legs(turn.state, (*strayed.path, strayed.to)) > OCEANS_A_TURN:
        turn.emit(StuckInForest(step.banner, step.at, strayed.to))
        return None
    return strayed


def _neighbour_towards(position: State, at: int, degrees: int) -> int:
    here = position.place(at)

    def off_course(number: int) -> tuple[float, int]:
        return angle_between(bearing(here.centre, position.place(number).centre), degrees), number

    return min(here.neighbours, key=off_course)


@rule("5", "Terrain")
def ocean(turn: Turn[State], step: Step) -> bool:
    """Whether a banner without a ship dares the sea and lives."""
    return dangerous_terrain(turn, step, "ocean")


@rule("5", "Terrain")
def snow(turn: Turn[State], step: Step) -> bool:
    """Whether a banner gets into a section under snow."""
    if not turn.passes(f"snow {step.banner} {step.to}{_again(step.path[1:], step.to)}", CAUGHT_UP_TO + 1):
        return dangerous_terrain(turn, step, "snow")
    turn.emit(Passed(step.banner, step.at, step.to, "snow"))
    return True


@rule("5", "Terrain")
def turn_back(turn: Turn[State], banner: str, path: tuple[int, ...]) -> None:
    """A flyer whose move has ended over the ocean goes back to the last section of its path that is not ocean."""
    if banner not in turn.state.banners or not turn.state.place(path[-1]).ocean:
        return
    ground = next((number for number in reversed(path) if not turn.state.place(number).ocean), 0)
    if ground:
        turn.emit(TurnedBack(banner, path[-1], ground))


@rule("5.1", "Difficult terrain")
def difficult_terrain(turn: Turn[State], step: Step) -> bool:
    """Whether a banner finds a way."""
    if not turn.passes(f"difficult {step.banner} {step.to}{_again(step.path[1:], step.to)}", HALTED_UP_TO + 1):
        turn.emit(Halted(step.banner, step.at, step.to))
        return False
    turn.emit(Passed(step.banner, step.at, step.to, "difficult"))
    return True


@rule("5.2", "Dangerous terrain")
def dangerous_terrain(turn: Turn[State], step: Step, hazard: Hazard) -> bool:
    """Whether a banner comes through danger and may go on."""
    question = f"{step.banner} {step.to}{_again(step.path[1:], step.to)}"
    first = turn.roll(f"dangerous {question} a")
    total = first + turn.roll(f"dangerous {question} b", meaning=lambda pips: danger(first + pips))
    ordeal = (step.banner, step.at, step.to, hazard, total)
    outcome = danger(total)
    match outcome:
        case "destroyed":
            turn.emit(Destroyed(*ordeal))
        case "costly":
            points = turn.roll(f"loss {question}", LOSS_DIE) * LOSS_PER_PIP
            turn.emit(DangerCost(*ordeal, points))
            lose_models(turn, step.banner, step.at, points)
        case "held":
            turn.emit(DangerHeld(*ordeal))
        case "safe":
            turn.emit(DangerSurvived(*ordeal))
        case "heroic":
            heroism(turn, ordeal)
    return outcome in ("safe", "heroic")


def lose_models(turn: Turn[State], key: str, at: int, points: int) -> None:
    """Take ``points`` from a banner; only its owner learns from which units."""
    before = turn.state.banners[key].units
    after = after_losses(before, points, turn.state.realms[seat_of(key)].preferences.loss_order)
    left = {unit.name: unit.models for unit in after}
    lost = tuple((unit.name, unit.models - left.get(unit.name, 0)) for unit in before)
    taken = tuple((name, models) for name, models in lost if models)
    turn.emit(ModelsLost(key, at, taken, after), to=frozenset({seat_of(key)}))
    if not after:
        turn.emit(WipedOut(key, at))


@rule("5.3", "Heroism")
def heroism(turn: Turn[State], ordeal: tuple[str, int, int, Hazard, int]) -> None:
    """A feat that will steady the banner in its next battle."""
    turn.emit(Heroic(*ordeal))


# --- 5.5 ----------------------------------------------------------------------------------------------------------

TESTS: dict[Hazard, Callable[[Turn[State], Step], bool]] = {
    "difficult": difficult_terrain,
    "ocean": ocean,
    "snow": snow,
}
"""The tests on entering, in their order."""


@rule("5.5", "The order of tests")
def try_step(turn: Turn[State], step: Step) -> Step | None:
    """Make every test of a step: the step as it will be taken, or ``None``. The first failure ends the move."""
    trying: Step | None = step
    if _forest(turn.state, step.at, step.airborne):
        trying = leave_forest(turn, step)
    if trying is None:
        return None
    due = _on_entering(turn.state, trying.realm, trying.to, trying.airborne)
    return trying if all(TESTS[hazard](turn, trying) for hazard in due) else None


def _again(been: tuple[int, ...], number: int) -> str:
    """What tells the dice of a later visit to a section from those of the first."""
    return repeated(been.count(number))
