"""Chapter 12, vampire counts: they fill their ranks with the dead of their enemies."""

from collections.abc import Iterable, Mapping, Set

from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.aftermath import Fought, bouts
from pbem.rulesets.nippon.armies import army
from pbem.rulesets.nippon.events import DeadRaised
from pbem.rulesets.nippon.state import Banner, State, Unit, rank, seat_of
from pbem.rulesets.nippon.tables import people


@rule("12", "Armies")
def raise_dead(turn: Turn[State]) -> None:
    """After healing: who is dead for good may rise again under the banner that fought him, as often as he is worth."""
    battles = bouts(turn.state)
    left = slain(turn.state, battles)
    for key in left:
        banner = turn.state.banners[key]
        realm = turn.state.realms[banner.realm]
        if people(realm.army).raises_dead and not realm.preferences.leaves_dead:
            foes = enemies(turn.state, key, battles)
            raised = recruits(turn.state, banner, sum(left[foe] for foe in foes))
            if raised:
                spend(left, foes, sum(models * points for _, models, points in raised))
                new = tuple((name, models) for name, models, _ in raised)
                turn.emit(DeadRaised(key, banner.at, new), to=frozenset({banner.realm}))


def slain(state: State, battles: Iterable[Fought]) -> dict[str, int]:
    """Points of the models that are dead for good, by key of their banner, of all who fought and are still there."""
    fighters = {key for fought in battles for key in fought.present} & state.banners.keys()
    return {
        key: sum(unit.toll.dead * unit.points for unit in state.banners[key].units if unit.toll)
        for key in sorted(fighters)
    }


def enemies(state: State, key: str, battles: Iterable[Fought]) -> tuple[str, ...]:
    """The banners that a banner fought this turn and that are still there to be looked through, by key."""
    return tuple(sorted({foe for fought in battles for foe in _against(fought, key) if foe in state.banners}))


def _against(fought: Fought, key: str) -> Set[str]:
    """Who stood on the other side of a battle; nobody, if the banner was not in it."""
    if key not in fought.present:
        return frozenset()
    own = next(side for side in fought.bout.sides if seat_of(key) in side)
    return {foe for foe in fought.present if seat_of(foe) not in own}


def recruits(state: State, banner: Banner, points: int) -> list[tuple[str, int, int]]:
    """Which units get how many models, at what points each: whole models, the dearest first if nothing is wanted."""
    types: Mapping[str, object] = army(state.realms[banner.realm].army).types
    wanted = state.realms[banner.realm].preferences.raise_dead
    ranks = [unit for unit in banner.units if common(unit) and unit.type in types]
    if wanted:
        ranks = [unit for unit in ranks if rank(wanted, unit.name, unit.type) < len(wanted)]
    raised = list[tuple[str, int, int]]()
    for unit in sorted(ranks, key=lambda unit: (rank(wanted, unit.name, unit.type), -unit.points, unit.name)):
        models = min(points // unit.points, room(state, banner.realm, unit))
        if models > 0:
            raised.append((unit.name, models, unit.points))
            points -= models * unit.points
    return raised


def common(unit: Unit) -> bool:
    """Whether it is made of common models, of which there are as many as one likes."""
    return bool(unit.models) and not unit.character and unit.category != "war machine" and "monster" not in unit.tags


def room(state: State, realm: str, unit: Unit) -> int:
    """How many more models its list allows a unit."""
    most = army(state.realms[realm].army).types[unit.type].most
    return most - unit.models if most else 10**6


def spend(left: dict[str, int], foes: tuple[str, ...], points: int) -> None:
    """Take the points of those who rose from what is left of the dead."""
    for foe in foes:
        taken = min(points, left[foe])
        left[foe] -= taken
        points -= taken
