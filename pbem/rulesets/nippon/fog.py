"""Chapter 17, fog: what a realm sees of other realms' banners, and who learns of what they did.

Nobody decides at the moment of an event who may know of it: other rules have no thought for fog. When a stage is over
its log is gone through once. An event that is no news of the land or of a meeting is for the realms whose banners it
names, and for those who see all the sections it names; others learn less of it, or nothing.
"""

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from pbem.core.dice import EVERYONE, NOBODY, Audience
from pbem.core.turn import Entry, Phase, Turn, rule
from pbem.rulesets.nippon import events
from pbem.rulesets.nippon.events import Sighted, Watched
from pbem.rulesets.nippon.state import Banner, State, assault_key, seat_of, spawn_key

# --- what a realm sees ----------------------------------------------------------------------------------------------


def foggy(state: State) -> bool:
    """Whether there is anything that a realm does not see. When the campaign is over, all is shown."""
    return state.options.fog != "none" and state.stage != "over"


def sight(state: State, seat: str | None) -> frozenset[int]:
    """The sections in which a realm sees the banners of others: its own, and the neighbours of its own sections and of
    its banners. The public, ``None``, sees none."""
    if seat is None:
        return frozenset()
    here = {*state.held_by(seat), *(banner.at for banner in state.banners_of(seat))}
    near = (number for at in here if at in state.atlas for number in state.place(at).neighbours)
    return frozenset({*here, *near})


def in_sight(state: State, banner: Banner, seen: frozenset[int], seat: str | None) -> bool:
    """Whether a realm that sees these sections sees a banner. Who meets and who fights is known to all the world."""
    assaults = (state.assaults.get(key) for key in (assault_key(banner.at), spawn_key(banner.key)))
    fights = any(each is not None and banner.key in each.banners for each in (state.meetings.get(banner.at), *assaults))
    return banner.realm == seat or banner.at in seen or fights


# --- who learns of what happened --------------------------------------------------------------------------------------

PUBLIC: tuple[type, ...] = (
    *(events.MeetingOpened, events.StoodAside, events.SidedWith, events.AttackRolled),
    *(events.ScenarioRolled, events.BattleSet),
    *(events.ObstacleRolled, events.MeetingSettled, events.TermsAgreed, events.BattleFought),
    *(events.DisputeOpened, events.NextBattleAwaited, events.DiceOffRolled, events.BattleDecided, events.BattleDrawn),
    *(events.AssaultOpened, events.GarrisonRolled, events.StructureFound, events.AssaultDecided),
    *(events.LairEntered, events.DragonSlain, events.SpawnArose, events.DefenceSought, events.DefenceTaken),
    *(events.SectionWon, events.SectionCeded, events.StructureTested),
    *(events.Built, events.Upgraded, events.Launched),
    *(events.Produced, events.RazingPaid, events.MineFailing, events.MineRanOut),
    *(events.RealmEntered, events.PickRolled, events.HeadquartersChosen, events.CitadelRaised),
    *(events.HeadquartersLost, events.HeadquartersRegained),
    *(events.RealmWithdrawn, events.RealmReadmitted, events.RealmDisbanded),
)
"""News of the land, of meetings, of sites and lairs, and of their results, which all the world hears; so of ships."""

ANONYMOUS: Mapping[type, str] = {events.Claimed: "banners", events.Razed: "by", events.Recovered: "banners"}
"""News of the land of which the world does not hear whose banners did it, and in which field they stand."""

STEPS = (events.Moved, events.TurnedBack, events.Retreated, events.Portalled)
"""A banner goes to another section. Who sees one of them only sees it come or go."""

PLACES = frozenset({"at", "to", "wanted", "border", "path"})
"""Fields that hold sections. Where a battle was, ``origin``, is known to all."""

REALMS = frozenset({"realm", "values"})
"""Fields that hold realms that have a part in what happens."""


@dataclass(frozen=True)
class Witnesses:
    """What each realm sees in the course of a stage, in its first position or in its last one."""

    before: State
    after: State
    log: Sequence[Entry] = ()

    @functools.cached_property
    def sights(self) -> dict[str, frozenset[int]]:
        """The sections each realm sees, by seat."""
        return {seat: sight(self.before, seat) | sight(self.after, seat) for seat in self.after.realms}

    @functools.cached_property
    def known(self) -> frozenset[str]:
        """The keys of all banners and ships that there were, if only for a moment in the course of the stage."""
        stood = (table for state in (self.before, self.after) for table in (state.banners, state.tunnels, state.ships))
        named = (key for entry in self.log for key in _of(entry.event, {"banner", "ship"}, str))
        return frozenset(named).union(*stood)

    def told(self, entry: Entry) -> Entry:
        """An entry as it is to be told: to whom, and what others learn instead."""
        event = entry.event
        named, places = set(self._keys(event)), set(_of(event, PLACES, int))
        keys = {key for key in named if key not in self.before.ships and key not in self.after.ships}
        if isinstance(event, PUBLIC) or not named | places or (named and not keys):
            return entry
        parties = {seat_of(key) for key in keys} | set(_of(event, REALMS, str)) & self.after.realms.keys()
        onlookers = {seat for seat, seen in self.sights.items() if places and places <= seen}
        audience = frozenset(parties | onlookers)
        return replace(entry, audience=audience, others=tuple(self._others(event, audience)))

    def _keys(self, event: Any) -> Iterator[str]:
        """The keys of all banners and ships that an event names, wherever it does so."""
        words = _of(event, {field.name for field in fields(event)}, str)
        return (word for word in words if word in self.known and seat_of(word) in self.after.realms)

    def _others(self, event: Any, audience: Audience) -> Iterator[tuple[Audience, Any]]:
        """What is learned by those who may not know the event itself."""
        if named := ANONYMOUS.get(type(event)):
            yield EVERYONE, replace(event, **{named: ()})
        elif isinstance(event, STEPS):
            yield self._seeing(event.to) - audience, Sighted(event.banner, event.to, coming=True)
            if not isinstance(event, events.Retreated):
                yield self._seeing(event.at) - audience, Sighted(event.banner, event.at, coming=False)

    def _seeing(self, number: int) -> Audience:
        return frozenset(seat for seat, seen in self.sights.items() if number in seen)


def _of(event: Any, names: Iterable[str], kind: type) -> Iterator[Any]:
    """Everything of a kind in some fields of an event, however deep in tuples."""
    return (each for field in fields(event) if field.name in names for each in _flat(getattr(event, field.name), kind))


def _flat(content: Any, kind: type) -> Iterator[Any]:
    if isinstance(content, tuple | frozenset):
        for each in content:
            yield from _flat(each, kind)
    elif isinstance(content, kind):
        yield content


# --- phases -----------------------------------------------------------------------------------------------------------


def unwatched(phase: Phase) -> Phase:
    """A phase in which banners roll where perhaps nobody sees them: in fog its dice stay sealed until the campaign is
    over. Otherwise anybody could compute what a banner that he cannot see would have rolled."""

    @functools.wraps(phase)
    def run(turn: Turn[State]) -> None:
        if not foggy(turn.state):
            phase(turn)
            return
        with turn.sealed():
            phase(turn)

    return run


def draw_fog(opening: State) -> Phase:
    """The last phase of a stage that began with ``opening``: nobody learns what he could not see."""
    return functools.partial(_draw_fog, opening=opening)


@rule("17.1", "Fog")
def _draw_fog(turn: Turn[State], opening: State) -> None:
    if not foggy(turn.state):
        return
    witnesses = Witnesses(opening, turn.state, tuple(turn.log))
    if opening.stage == "orders":
        sights = sorted(witnesses.sights.items())
        turn.emit(Watched(tuple((seat, tuple(sorted(seen))) for seat, seen in sights)), to=NOBODY)
    turn.narrow(witnesses.told)
