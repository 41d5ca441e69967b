"""Chapter 8.3, automatic battles: banners become the sides of a battle, and what comes out becomes their losses."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pbem import battles as br1
from pbem.core.dice import Audience
from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.atlas import FORTRESSES
from pbem.rulesets.nippon.banners import army_general, leader
from pbem.rulesets.nippon.corps import called, counted, gunners
from pbem.rulesets.nippon.engagements import Side, battle, dice_about
from pbem.rulesets.nippon.events import BattleFought, BattleTold, PlanSet, RoundFought
from pbem.rulesets.nippon.garrisons import crews, defending_reserve, fort_of_site, garrison, garrisoned
from pbem.rulesets.nippon.items import ITEMS
from pbem.rulesets.nippon.items.bearing import equipped, without_standard
from pbem.rulesets.nippon.orders import SetPlan
from pbem.rulesets.nippon.ships.harbours import ships_beside
from pbem.rulesets.nippon.state import (
    GARRISON,
    LAIR,
    RESERVE,
    UNREPORTED,
    Banner,
    Degree,
    Loss,
    Meeting,
    Result,
    State,
    Unit,
    assault_key,
    by_corps,
    key_of,
)

Troop = tuple[str, Unit]
"""A unit in battle, with its corps."""

DEGREES: dict[br1.Margin, Degree] = {
    "draw": "",
    "minor victory": "victory",
    "solid victory": "solid victory",
    "massacre": "massacre",
}
"""How clear a victory is, in the words of 8.5."""


@dataclass(frozen=True)
class Host:
    """A side of a battle: who fights on it, and for whom."""

    realms: tuple[str, ...]
    """By seat; or the defence."""
    troops: tuple[Troop, ...]
    fort: br1.Fort = "none"
    """What it stands behind."""


# --- 8.3 Automatic battles ----------------------------------------------------------------------------------------


@rule("8.3", "Automatic battles")
def set_plans(turn: Turn[State]) -> None:
    """Note how banners are to fight where dice alone decide: plans hold for the battles of this turn already."""
    for seat, wanted in turn.given(SetPlan):
        key = key_of(seat, wanted.banner)
        if key in turn.state.banners:
            turn.emit(PlanSet(key, wanted.plan), to=frozenset({seat}))


@rule("8.3", "Automatic battles")
def fight_out(
    turn: Turn[State], label: str, at: int, attackers: Host, defenders: Host, privy: Audience, assault: str = ""
) -> br1.Outcome:
    """Fight a battle with dice alone, a row called ``label``: all learn that it was fought, those in it how it went.

    ``assault`` is the key of the assault that it decides; without one it is the battle of a meeting.
    Who has a fort stays in it, even if the roll-off made him attack.
    """
    a, b = (defenders, attackers) if attackers.fort != "none" else (attackers, defenders)
    ground = ground_of(turn.state, at)
    outcome = br1.fight(br1.Battle(side(turn.state, a), side(turn.state, b), ground, b.fort), turn.row(label))
    turn.emit(BattleFought(at, a.realms, b.realms, ground, b.fort, len(outcome.rounds)))
    result, sides = result_of(outcome, a, b), (a.realms, b.realms)
    roles: tuple[tuple[br1.Role, Host], ...] = (("A", a), ("B", b))
    crowded = tuple(role for role, host in roles if len(banners_of(turn.state, host)) > 1)
    shared = tuple(sorted({unit.name for _, unit in a.troops} & {unit.name for _, unit in b.troops}))
    for each in outcome.rounds:
        turn.emit(RoundFought(at, sides, each, crowded, None if each.round > 1 else outcome.day, shared), to=privy)
    turn.emit(BattleTold(at, sides, result, outcome.units, outcome.end, outcome.ended, assault), to=privy)
    return outcome


def fight_battle(turn: Turn[State], at: int) -> None:
    """Have the battle that waits fought automatically."""
    meeting = turn.state.meetings[at]
    one, other = battle(turn.state, meeting)
    attackers, defenders = host_of(turn.state, meeting, one, other), host_of(turn.state, meeting, other, one)
    fight_out(turn, dice_about("battle", meeting), at, attackers, defenders, meeting.realms)


def host_of(state: State, meeting: Meeting, side: Side, foes: Side) -> Host:
    """The banners of these realms at a meeting, who else fights for them there, and what they stand behind."""
    banners = [state.banners[key] for key in meeting.banners if state.banners[key].realm in side]
    beside = townsmen(state, meeting.at) if at_home(state, meeting.at, side) else ()
    guns = broadsides(state, meeting.at, side, foes)
    fort = fort_of(state, meeting.at, side, [banner.key for banner in banners])
    return Host(side, (*troops_of(banners), *beside, *guns), fort)


def winners(outcome: br1.Outcome, a: Host, b: Host) -> tuple[str, ...]:
    """Who has won a battle of these sides; nobody: a draw."""
    return {"A": a.realms, "B": b.realms, None: ()}[outcome.winner]


def result_of(outcome: br1.Outcome, a: Host, b: Host) -> Result:
    """An outcome as the players would have reported it."""
    winner = next(iter(winners(outcome, a, b)), "")
    troops = (*a.troops, *b.troops)
    told = ((key, lost(unit, left)) for (key, unit), left in zip(troops, outcome.units, strict=True))
    losses = by_corps((key, loss) for key, loss in told if loss and counted(key))
    return Result(UNREPORTED, winner, DEGREES[outcome.margin], losses)


def lost(unit: Unit, left: br1.UnitOutcome) -> Loss | None:
    """What a battle did to a unit; nothing if it came through whole."""
    rider, mount = shared(unit, left)
    down = bool(unit.steed) and mount >= stamina(unit) - unit.profile.W
    loss = Loss(
        unit=unit.name,
        models=0 if left.fled else left.remaining,
        fled=left.remaining if left.fled else 0,
        standard_lost=left.standard_lost,
        champion_dead=unit.champion > 0 and not left.champion_alive,
        musician_dead=unit.musician > 0 and not left.musician_alive and left.remaining < left.start,
        in_challenge=left.slain_in_challenge,
        wounds=rider,
        mount_dead=down,
        mount_wounds=0 if down else mount,
    )
    whole = Loss(unit.name, left.start, wounds=unit.wounds, mount_wounds=unit.steed.wounds if unit.steed else 0)
    return None if loss == whole else loss


def stamina(unit: Unit) -> int:
    """The wounds of a model, with those of the monster it rides."""
    return unit.profile.W + (unit.steed.profile.W if unit.steed else 0)


def shared(unit: Unit, left: br1.UnitOutcome) -> tuple[int, int]:
    """What living models lack of their wounds, and what the monster lacks that is ridden: new ones fall on it first."""
    if unit.steed is None:
        return left.remaining * unit.profile.W - left.wounds_left, 0
    if not left.remaining:
        return 0, unit.steed.profile.W
    lacking = stamina(unit) - left.wounds_left
    mount = min(lacking - unit.wounds, unit.steed.profile.W)
    return lacking - mount, mount


# --- from banners to sides ----------------------------------------------------------------------------------------


def side(state: State, host: Host) -> br1.Side:
    """A side of the resolver's."""
    units = tuple(fighter(state, key, unit) for key, unit in host.troops)
    banner, general = lead_of(state, host)
    leads = called(banner.key, general.name) if banner and general else ""
    return br1.Side(units, leads, plan_of(state, host, units, banner))


def lead_of(state: State, host: Host) -> tuple[Banner | None, Unit | None]:
    """Who leads a side, and his banner: an Army General, else who leads its strongest banner (NIP 3.4).

    Nobody, where no banner has a hero; then the strongest banner goes first. No banner: the side has none.
    """
    banners = sorted(banners_of(state, host), key=lambda banner: (-banner.points, banner.key))
    generals = [(banner, army_general(state, banner)) for banner in banners]
    leaders = [(banner, leader(state, banner)) for banner in banners]
    led = ((banner, unit) for banner, unit in (*generals, *leaders) if unit)
    return next(led, (banners[0] if banners else None, None))


def plan_of(state: State, host: Host, units: Sequence[br1.Unit], first: Banner | None) -> br1.Plan | None:
    """The plan of a side: those of its banners, put together; the ``first`` says what the side does as one.

    ``units`` are those of the host, as the resolver takes them. Nothing: no banner has a plan.
    """
    owners = [key for key, _ in host.troops]
    plans = {key: plan for key in dict.fromkeys(owners) if (plan := plan_for(state, key))}
    if not plans:
        return None
    follow = {key: [unit for of, unit in zip(owners, units, strict=True) if of == key] for key in plans}
    others = [unit for of, unit in zip(owners, units, strict=True) if of not in plans]
    leading = plans.get(first.key, br1.Plan()) if first else br1.Plan()
    return br1.together([*((follow[key], plan) for key, plan in plans.items()), (others, br1.Plan())], leading)


def plan_for(state: State, key: str) -> br1.Plan | None:
    """The plan of a banner with its units called as in battle; nothing: it has none, or it is no banner."""
    plan = state.banners[key].plan if key in state.banners else None
    if plan is None:
        return None
    stations = tuple(replace(each, unit=called(key, each.unit)) for each in plan.stations)
    heroes = tuple((called(key, hero), called(key, host)) for hero, host in plan.heroes)
    return replace(plan, stations=stations, heroes=heroes)


def banners_of(state: State, host: Host) -> list[Banner]:
    """The banners of a side, with those of their units that fight."""
    keys = dict.fromkeys(key for key, _ in host.troops if key in state.banners)
    return [replace(state.banners[key], units=tuple(unit for of, unit in host.troops if of == key)) for key in keys]


def troops_of(banners: Iterable[Banner]) -> tuple[Troop, ...]:
    """The units of banners that can still fight: with what the battles before in this turn have left on its feet."""
    return tuple((banner.key, on_its_feet(unit)) for banner in banners for unit in banner.units if unit.standing)


def on_its_feet(unit: Unit) -> Unit:
    """A unit without those who are at 0 wounds, have fled or been lost in this turn (NIP 8.4)."""
    toll = unit.toll
    if toll is None:
        return unit
    left = replace(without_standard(unit), battle_standard="") if toll.standard_lost else unit
    if unit.steed and unit.steed.down:
        left = replace(left, steed=None, tags=left.tags - MOUNTED)
    return replace(
        left,
        models=unit.standing,
        wounds=min(unit.wounds, unit.standing * (unit.profile.W - 1)),
        champion=0 if toll.champion_fell else unit.champion,
        musician=0 if toll.musician_fell else unit.musician,
        toll=None,
    )


MOUNTED = frozenset({"monstrous mount", "fly"})
"""Tags that who has fallen off a monster has lost."""


def fighter(state: State, key: str, unit: Unit) -> br1.Unit:
    """A unit as the resolver takes it; all of a heroic banner are heroic (NIP 5.3)."""
    unit = equipped(with_known_items(unit))
    heroic: set[br1.Flag] = {"heroic"} if key in state.banners and state.banners[key].heroism else set()
    return br1.Unit(
        name=called(key, unit.name),
        kind=class_of(unit),
        models=unit.models,
        points=unit.worth,
        profile=profile_of(unit),
        reach=unit.reach,
        flags=frozenset(flags_of(unit)) | heroic,
        hurt=unit.wounds + (unit.steed.wounds if unit.steed else 0),
    )


def with_known_items(unit: Unit) -> Unit:
    """A unit without items that no list knows: they do nothing, and take no room."""
    known = tuple(item for item in unit.items if item in ITEMS)
    return unit if known == unit.items else replace(unit, items=known)


def class_of(unit: Unit) -> br1.Class:
    """What kind of troops a unit is."""
    if unit.category == "war machine":
        return "machine"
    if unit.character:
        return "hero"
    if any(tag.startswith("monst") for tag in unit.tags):  # monsters; monstrous infantry, cavalry and beasts
        return "monster"
    return "cavalry" if "cavalry" in unit.tags else "infantry"


def flags_of(unit: Unit) -> Iterable[br1.Flag]:
    """What else a unit has or can."""
    has: dict[br1.Flag, object] = {
        "standard": unit.standard or unit.battle_standard,
        "musician": unit.musician,
        "champion": unit.champion,
        "quick": "quick" in unit.tags,
        "fly": "fly" in unit.tags,
        "scout": "scout" in unit.tags,
    }
    return (flag for flag, so in has.items() if so)


def profile_of(unit: Unit) -> br1.Profile:
    """A unit's characteristics in battle; a monster that is ridden strikes, is as hard to hurt, and bears wounds."""
    profile, steed = unit.profile, unit.steed
    if steed:
        profile = replace(profile, A=profile.A + steed.profile.A, T=max(profile.T, steed.profile.T), W=stamina(unit))
    return br1.Profile(**vars(profile), Sv=unit.save)


# --- the ground ---------------------------------------------------------------------------------------------------


def ground_of(state: State, at: int) -> br1.Ground:
    """What the ground counts as: first what is hard to cross, then what hides, then the rest."""
    place = state.place(at)
    grounds: dict[br1.Ground, bool] = {
        "marsh": place.terrain == "marsh",
        "river": place.river,
        "forest": place.terrain == "forest",
        "settlement": state.site(at) in FORTRESSES and not state.sections[at].razed,
        "hill": place.terrain == "mountains",
        "snow": place.snow,
    }
    return next((ground for ground, there in grounds.items() if there), "plain")


def at_home(state: State, at: int, realms: Sequence[str]) -> bool:
    """Whether a site stands here that one of these realms held until now."""
    section = state.sections[at]
    return section.controller in realms and section.site in FORTRESSES and not section.razed


def fort_of(state: State, at: int, realms: Sequence[str], keys: Iterable[str]) -> br1.Fort:
    """What a side stands behind: a site that it held until now, or works that it has thrown up."""
    section = state.sections[at]
    if at_home(state, at, realms):
        return fort_of_site(section)
    return "works" if section.fortified in keys else "none"


def broadsides(state: State, at: int, side: Sequence[str], foes: Sequence[str]) -> tuple[Troop, ...]:
    """The machines of a side's ships and its allies', in port here or off the coast (NIP 11.4)."""
    ships = ships_beside(state, at, side, foes)
    return tuple((gunners(ship.key), gun) for ship in ships for gun in crews(ship.machines))


def townsmen(state: State, at: int) -> tuple[Troop, ...]:
    """Who fights for a site beside banners: its garrison, and the reserve of its realm (NIP 8.7)."""
    guards = garrison(state, at) if garrisoned(state, at) else ()
    reserve = map(on_its_feet, defending_reserve(state, at))
    return (*((GARRISON, unit) for unit in guards), *((RESERVE, unit) for unit in reserve))


def residents(state: State, at: int) -> tuple[Troop, ...]:
    """Who fights beside banners where there is a site (NIP 8.7), or who was met in a lair (NIP 8.6)."""
    assault = state.assaults.get(assault_key(at))
    return tuple((LAIR, unit) for unit in assault.met) if assault and assault.met else townsmen(state, at)
