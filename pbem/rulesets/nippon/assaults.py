"""Chapters 8.6 and 8.7, assaults: banners before a garrison or in a lair fight, and no stage waits for it.

So do those who have to fight what an Elixir of Chaos made of some of their own (14.3).
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.banners import army, outside
from pbem.rulesets.nippon.control import foremost
from pbem.rulesets.nippon.corps import called
from pbem.rulesets.nippon.engagements import privy
from pbem.rulesets.nippon.events import (
    AloneChosen,
    AssaultDecided,
    AssaultOpened,
    AssaultPlayed,
    CreaturesJoined,
    CreaturesTested,
    DragonSlain,
    LairEntered,
    Prepared,
    TreasureFound,
    TreasureTaken,
)
from pbem.rulesets.nippon.fighting import (
    DEGREES,
    Host,
    broadsides,
    fight_out,
    townsmen,
    troops_of,
    winners,
    with_known_items,
)
from pbem.rulesets.nippon.garrisons import defending_reserve, destroy, fort_of_site, guarded, muster
from pbem.rulesets.nippon.healing import grimly_won, passes, return_test
from pbem.rulesets.nippon.items.bearing import bearer_for, bearing
from pbem.rulesets.nippon.lairs import CREATURES, SPAWN, TAMED_FROM, Encounter, encounter_at, treasure
from pbem.rulesets.nippon.legality import orders_of
from pbem.rulesets.nippon.meetings import allied_groups, unclaiming
from pbem.rulesets.nippon.naming import free_name
from pbem.rulesets.nippon.orders import Alone, Claiming
from pbem.rulesets.nippon.state import DEFENCE, LAIR, Assault, Banner, March, Result, State, Unit, key_of

RIDERS = frozenset({"cavalry", "monster", "monstrous mount"})
"""Tags of characters who are not on foot."""

# --- 8.1 Meetings -------------------------------------------------------------------------------------------------


@rule("8.1", "Meetings")
def open_assaults(turn: Turn[State]) -> None:
    """After all moves: who stands on a site that must be won, or ended a move in a lair, means to fight there.

    Unless the order says ``no assault``, or its realm that this banner assaults nobody, though not where one of it is
    to go in alone. Realms that meet there settle first.
    """
    orders = orders_of(turn)
    avoiding = {key for key, order in orders.items() if isinstance(order, Claiming) and order.no_assault}
    bold = {key_of(seat, chosen.banner) for seat, chosen in turn.given(Alone)}
    avoiding |= {key for key, banner in turn.state.banners.items() if key not in bold and spares(turn.state, banner)}
    before: dict[int, list[str]] = defaultdict(list)
    for key, banner in sorted(turn.state.banners.items()):
        if key not in avoiding and turn.state.realms[banner.realm].in_play and may_assault(turn.state, banner):
            before[banner.at].append(key)
    for at, keys in sorted(before.items()):
        turn.emit(AssaultOpened(at, "lair" if turn.state.site(at) == "lair" else "garrison", tuple(keys)))
        for key in [key for key in unclaiming(orders, keys) if key not in turn.state.pending.unclaiming]:
            turn.emit(Prepared(key, at, "no claim"), to=frozenset({turn.state.banners[key].realm}))


def spares(state: State, banner: Banner) -> bool:
    """Whether its realm has said that this banner is not one of those that assault (NIP 18)."""
    return not state.realms[banner.realm].preferences.assaulting(banner.name)


def may_assault(state: State, banner: Banner) -> bool:
    """Whether a banner stands where it can fight those who live there."""
    if outside(state, banner):
        return False
    if state.site(banner.at) == "lair":
        inhabited = state.options.garrisons and state.sections[banner.at].dragon != "slain"
        march = state.marches.get(banner.key)
        return inhabited and march is not None and ends_at(march, banner.at)
    return not banner.scattered and before_enemies(state, banner.realm, banner.at)


def ends_at(march: March, at: int) -> bool:
    """Whether a banner came to a section by this turn's movement."""
    return len(march.path) > 1 and march.path[-1] == at


def before_enemies(state: State, realm: str, at: int) -> bool:
    """Whether a section has a garrison that a realm may fight: not an ally's or a partner's (NIP 20.3)."""
    holder = state.sections[at].controller
    return guarded(state, realm, at) and (not holder or state.hostile(holder, realm))


# --- 8.4 Who fights -----------------------------------------------------------------------------------------------


@rule("8.4", "Sides, attacker and scenario")
def assaults(turn: Turn[State]) -> None:
    """After the meetings: what was opened is fought, if somebody is left to do it."""
    opened = [each for each in turn.state.assaults.values() if each.kind != "spawn"]
    for assault in sorted(opened, key=lambda each: each.at):
        left = [turn.state.banners[key] for key in assault.banners if still_there(turn.state, assault, key)]
        if left:
            first, attackers = party(turn, assault.at, left)
            if assault.kind == "garrison":
                storm(turn, assault, attackers)
            else:
                explore(turn, assault, attackers, first)


def still_there(state: State, assault: Assault, key: str) -> bool:
    """Whether a banner can still fight here: it has neither lost nor drawn the meeting before, nor lost to a Spawn."""
    banner, meeting = state.banners.get(key), state.meetings.get(assault.at)
    if banner is None or banner.at != assault.at or outside(state, banner) or fled_from_spawn(state, key):
        return False
    if spares(state, banner) and key not in dict(state.pending.alone):
        return False
    if meeting and (banner.realm in meeting.beaten or key in meeting.drew):
        return False
    return assault.kind == "lair" or (undefended(state, assault.at) and before_enemies(state, banner.realm, assault.at))


def fled_from_spawn(state: State, key: str) -> bool:
    """Whether a banner has been beaten by what some of its own have become."""
    return any(each.kind == "spawn" and key in each.banners and each.lost for each in state.assaults.values())


def undefended(state: State, at: int) -> bool:
    """Whether no banner of its realm stands at a site: one that does has fought for it, or come to terms."""
    return all(banner.realm != state.sections[at].controller for banner in state.banners_at(at))


def party(turn: Turn[State], at: int, left: Sequence[Banner]) -> tuple[str, list[Banner]]:
    """Those who fight together: allies; of several groups that of the realm with most points there.

    That realm too, if it was asked for: it is foremost among its allies as well.
    """
    groups = allied_groups(turn.state, {banner.realm for banner in left})
    if len(groups) == 1:
        return "", list(left)
    first = foremost(turn, "assault", at, left)
    side = next(group for group in groups if first in group)
    return first, [banner for banner in left if banner.realm in side]


def host(state: State, banners: Sequence[Banner], alone: bool) -> Host:
    """The attackers; ships beside help those who are not alone."""
    at, realms = banners[0].at, tuple(sorted({banner.realm for banner in banners}))
    guns = () if alone else broadsides(state, at, realms, (state.sections[at].controller,))
    return Host(realms, (*troops_of(banners), *guns))


@dataclass(frozen=True)
class Ending:
    """How a fight came out."""

    won: bool
    """By the attackers."""
    fallen: Mapping[str, int]
    """How many of each unit of the defence, by name."""


def fight(
    turn: Turn[State], assault: Assault, banners: Sequence[Banner], defenders: Host, alone: bool = False
) -> Ending:
    """The fight, where they stand: garrison and creatures defend. Who fights ``alone`` comes as a banner of one."""
    attackers, keys = host(turn.state, banners, alone), tuple(banner.key for banner in banners)
    at, privy = banners[0].at, frozenset(attackers.realms) | reservists(turn.state, assault)
    result = common_result(turn.state, assault, keys)
    if result:
        return play_out(turn, assault, attackers.realms, result)
    outcome = fight_out(turn, assault.key, at, attackers, defenders, privy, assault.key)
    won = winners(outcome, attackers, defenders)
    turn.emit(AssaultDecided(at, assault.key, attackers.realms, keys, won, DEGREES[outcome.margin], alone))
    ends = {left.name: left.start - left.remaining for left in outcome.of("B")}
    return Ending(won == attackers.realms, {unit.name: ends[called(key, unit.name)] for key, unit in defenders.troops})


def common_result(state: State, assault: Assault, keys: tuple[str, ...]) -> Result | None:
    """What both sides have told of an assault that was played on the table (NIP 8.9).

    Nothing if not all who attacked still can: the site has been ceded to a friend of theirs, for example.
    """
    meeting = state.meetings.get(assault.at)
    if assault.kind == "spawn" or meeting is None or (meeting.settled, meeting.banners) != ("table", keys):
        return None
    return meeting.next.result


def play_out(turn: Turn[State], assault: Assault, attackers: tuple[str, ...], result: Result) -> Ending:
    """Let a result of the table count in place of dice."""
    won = attackers if result.winner in attackers else (DEFENCE,) if result.winner else ()
    told = replace(result, winner=next(iter(won), ""))
    with turn.citing("8.9"):
        turn.emit(AssaultPlayed(assault.at, told), to=privy(turn.state.meetings[assault.at]))
    turn.emit(AssaultDecided(assault.at, assault.key, attackers, assault.banners, won, told.degree))
    destroy(turn, assault.at, told.destroyed)
    losses = {loss.unit: loss for key, told in told.losses if key == LAIR for loss in told}
    met = [unit for unit in assault.met or () if unit.name in losses]
    return Ending(
        won == attackers, {unit.name: unit.models - losses[unit.name].models - losses[unit.name].fled for unit in met}
    )


def reservists(state: State, assault: Assault) -> frozenset[str]:
    """The realm whose reserve fights an assault, if one does."""
    fights = assault.kind == "garrison" and defending_reserve(state, assault.at)
    return frozenset({state.sections[assault.at].quartered}) if fights else frozenset()


# --- 8.6 Lairs ----------------------------------------------------------------------------------------------------


@rule("8.6", "Lairs")
def choose_champions(turn: Turn[State]) -> None:
    """Note who is to go into a lair alone, where his banner has come to one."""
    for seat, chosen in turn.given(Alone):
        key = key_of(seat, chosen.banner)
        for each in turn.state.assaults.values():
            if each.kind == "lair" and key in each.banners and each.met is None:
                turn.emit(AloneChosen(key, each.at, chosen.unit), to=frozenset({seat}))


@rule("8.6", "Lairs")
def explore(turn: Turn[State], assault: Assault, banners: Sequence[Banner], first: str) -> None:
    """See who is at home, fight them, and take what they guarded. ``first``: see :func:`party`."""
    at = assault.at
    champion = sent_in_alone(turn.state, banners) if assault.met is None else None
    banners = [replace(banners[0], units=(champion,))] if champion else banners
    met = enter(turn, at, banners) if assault.met is None else Encounter("", assault.met, assault.times)
    if not met.units:
        return
    inhabitants = Host((DEFENCE,), tuple((LAIR, unit) for unit in met.units))
    ending = fight(turn, assault, banners, inhabitants, alone=champion is not None)
    if ending.won:
        realm = first or foremost(turn, "assault", at, banners)
        plunder(turn, banners, realm, met, ending.fallen)


def enter(turn: Turn[State], at: int, banners: Sequence[Banner]) -> Encounter:
    """See who is at home."""
    points = sum(banner.points for banner in banners)
    met = encounter_at(turn.state, at, points, lambda label, sides: roll(turn, at, label, sides))
    named = tuple((unit.name, unit.models) for unit in met.units)
    turn.emit(LairEntered(at, tuple(banner.key for banner in banners), met.kind, named, met.dragon))
    return met


def sent_in_alone(state: State, banners: Sequence[Banner]) -> Unit | None:
    """Who takes on a lair alone: a character on foot, if his is the only banner that goes in."""
    if len(banners) > 1:
        return None
    wanted = dict(state.pending.alone).get(banners[0].key)
    return next((unit for unit in banners[0].units if unit.name == wanted and unit.standing and on_foot(unit)), None)


def on_foot(unit: Unit) -> bool:
    """Whether a unit is a character who rides nothing."""
    return unit.character and not unit.mount and RIDERS.isdisjoint(unit.tags)


def roll(turn: Turn[State], at: int, about: str, sides: int) -> int:
    """A die about a lair."""
    return turn.roll(f"lair {at} {about}", sides)


def plunder(
    turn: Turn[State], banners: Sequence[Banner], realm: str, met: Encounter, fallen: Mapping[str, int]
) -> None:
    """Treasure for the banners of the realm with most points there, and creatures that may be tamed."""
    at, own = banners[0].at, [banner for banner in banners if banner.realm == realm]
    twice = grimly_won(turn.state, {banner.realm for banner in banners})
    if met.dragon:
        turn.emit(DragonSlain(at, realm))
    take_treasure(turn, at, met, own)
    for unit in met.units:
        if not met.dragon and fallen.get(unit.name):
            tame(turn, at, own[0].key, unit, fallen[unit.name], twice)


def take_treasure(turn: Turn[State], at: int, met: Encounter, own: Sequence[Banner]) -> None:
    """What the beaten guarded: it is the finder's secret, with its dice (NIP 17)."""
    realm = own[0].realm
    finder = frozenset({realm})
    gold = turn.row(f"lair {at} treasure", to=finder)  # a die for each wound: they can be hundreds

    def rolled(label: str, sides: int) -> int:
        return gold() if label.startswith("treasure") else turn.roll(f"lair {at} {label}", sides, to=finder)

    found = treasure(met, rolled)
    turn.emit(TreasureFound(at, realm, found.pp, found.items), to=finder)
    turn.emit(TreasureTaken(at, tuple(carried(own, found.items))), to=finder)


def carried(banners: Sequence[Banner], items: Sequence[str]) -> list[tuple[str, str, str]]:
    """Who carries each item that was found: the first with room for it, by banner."""
    units = {banner.key: [with_known_items(unit) for unit in banner.units] for banner in banners}
    taken: list[tuple[str, str, str]] = []
    for item in items:
        key, name = next(((key, name) for key in units if (name := bearer_for(units[key], item))), ("", ""))
        if key:
            units[key] = [bearing(unit, item) if unit.name == name else unit for unit in units[key]]
        taken.append((key, name, item))
    return taken


def tame(turn: Turn[State], at: int, key: str, creature: Unit, fallen: int, twice: bool) -> None:
    """Who recovers as a wounded model would (NIP 9.6) joins the banner on another die; else it must be killed.

    The realm may want it killed anyway (NIP 18). ``twice``: each has to recover once more, for warriors of chaos.
    """
    dice = turn.row(f"tame {at} {creature.type}")
    banner = turn.state.banners[key]
    lucky = return_test(creature)
    recovered = sum(passes(creature, lucky, twice, lambda _: dice()) for _ in range(fallen))
    killed = turn.state.realms[banner.realm].preferences.kills_creatures
    tamed = 0 if killed else sum(dice() >= TAMED_FROM for _ in range(recovered))
    names = {unit.name for unit in army(turn.state, banner.realm)}
    turn.emit(CreaturesTested(at, key, creature.type, fallen, recovered, tamed))
    if tamed:
        turn.emit(CreaturesJoined(key, captive(creature, tamed, names)), to=frozenset({banner.realm}))


def captive(creature: Unit, models: int, taken: set[str]) -> Unit:
    """Creatures that join a banner, each with one wound left, under a name that is free in its realm."""
    name = free_name(creature.type, taken)
    return replace(creature, name=name, models=models, wounds=models * (creature.profile.W - 1))


# --- 8.7 Garrisons ------------------------------------------------------------------------------------------------


@rule("8.7", "Garrisons")
def storm(turn: Turn[State], assault: Assault, banners: Sequence[Banner]) -> None:
    """Assault the garrison of a site; its holder's ships beside help it."""
    at, foes = assault.at, tuple({banner.realm for banner in banners})
    muster(turn, at)
    holder = turn.state.sections[at].controller
    guns = broadsides(turn.state, at, (holder,), foes) if holder else ()
    defenders = (*townsmen(turn.state, at), *guns)
    fight(turn, assault, banners, Host((DEFENCE,), defenders, fort_of_site(turn.state.sections[at])))


# --- 14.3 Elixir of Chaos -----------------------------------------------------------------------------------------


@rule("14.3", "Elixir of Chaos")
def face_spawns(turn: Turn[State]) -> None:
    """Before all assaults: a banner fights what its drinkers have become, whether it has met anybody else or not."""
    for _, assault in sorted(turn.state.assaults.items()):
        if assault.kind == "spawn" and assault.banners[0] in turn.state.banners:
            spawns = CREATURES[SPAWN].unit(SPAWN, assault.foes)
            fight(turn, assault, [turn.state.banners[assault.banners[0]]], Host((DEFENCE,), ((LAIR, spawns),)))
