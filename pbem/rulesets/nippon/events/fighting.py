"""What happens in battles that nobody plays (chapter 8)."""

from dataclasses import dataclass, replace
from typing import Literal

from pbem import battles as br1
from pbem.rulesets.nippon.events.tolls import suffer
from pbem.rulesets.nippon.items.bearing import bearing
from pbem.rulesets.nippon.state import (
    DEFENCE,
    UNREPORTED,
    Assault,
    Bout,
    Degree,
    Engagement,
    Meeting,
    Result,
    State,
    Unit,
    assault_key,
)

# --- 8.3 Automatic battles ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PlanSet:
    """A realm has said how one of its banners is to fight where dice alone decide (NIP 8.3)."""

    banner: str
    plan: br1.Plan | None
    """Nothing: as the rules have it."""

    @property
    def words(self) -> str:
        """The plan as its owner would write it."""
        return br1.written(self.plan) if self.plan else ""

    def apply(self, state: State) -> None:
        """It stands until the realm says otherwise."""
        state.change_banner(self.banner, plan=self.plan)


@dataclass(frozen=True)
class AutomaticAsked:
    """A realm wants its battle to be fought automatically, or not any more."""

    at: int
    realm: str
    automatic: bool

    def apply(self, state: State) -> None:
        """Note it; either way the realm does not want to roll off any more."""
        battle, this = state.meetings[self.at].next, {self.realm}
        automatic = battle.automatic | this if self.automatic else battle.automatic - this
        state.change_battle(self.at, automatic=automatic, dice_off=battle.dice_off - this)


@dataclass(frozen=True)
class BattleFought:
    """A battle was fought automatically."""

    at: int
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    """Who stood in the fort, if there was one."""
    ground: br1.Ground
    fort: br1.Fort
    rounds: int

    def apply(self, state: State) -> None:
        """What came of it is told apart."""


@dataclass(frozen=True)
class RoundFought:
    """A round of an automatic battle, for those who fought it. Units are named with the key of their banner."""

    at: int
    sides: tuple[tuple[str, ...], tuple[str, ...]]
    """The sides A and B of the account."""
    round: br1.Account
    crowded: tuple[br1.Role, ...] = ()
    """The sides of more banners than one."""
    day: br1.Role | None = None
    """Whose day it is; told with the first round."""
    shared: tuple[str, ...] = ()
    """Names that units of both sides have: they are told with their realms."""

    def apply(self, state: State) -> None:
        """What comes of all rounds is told in the end."""


@dataclass(frozen=True)
class BattleTold:
    """How an automatic battle ended, for those who fought it. Units are named with the key of their banner."""

    at: int
    sides: tuple[tuple[str, ...], tuple[str, ...]]
    """As in its rounds."""
    result: Result
    units: tuple[br1.UnitOutcome, ...]
    """What is left of everybody, side A first."""
    end: br1.End
    ended: tuple[br1.Role, ...]
    assault: str = ""
    """Key of the assault; nothing: it was the battle of a meeting."""

    def apply(self, state: State) -> None:
        """It is the result that stands."""
        if self.assault:
            state.change_assault(self.assault, result=self.result)
        else:
            state.change_battle(self.at, result=self.result, confirmed=frozenset())


# --- 8.1 Assaults -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AssaultOpened:
    """Banners stand before a garrison, or in a lair, and mean to fight."""

    at: int
    kind: Literal["garrison", "lair"]
    banners: tuple[str, ...]

    def apply(self, state: State) -> None:
        """It is fought after the meetings."""
        opened = Assault(self.at, self.kind, self.banners)
        state.assaults[opened.key] = opened


@dataclass(frozen=True)
class AssaultDecided:
    """A garrison, who lives in a lair, or a Great Spawn was beaten or not."""

    at: int
    assault: str
    """Its key."""
    attackers: tuple[str, ...]
    banners: tuple[str, ...]
    """Those that fought."""
    winners: tuple[str, ...]
    """The attackers, or the defence; nobody: a draw."""
    degree: Degree
    alone: bool = False
    """Just one character fought."""

    def apply(self, state: State) -> None:
        """Write it down; units bear what it did to them; heroism ends with it (NIP 5.3)."""
        result = state.assaults[self.assault].result or Result(UNREPORTED)
        bout = Bout((self.attackers, (DEFENCE,)), result, self.winners)
        state.change_assault(self.assault, at=self.at, banners=self.banners, result=None, bout=bout, alone=self.alone)
        suffer(state, self.at, result.losses)
        for key in () if self.alone else self.banners:
            state.change_banner(key, heroism=0)


# --- 8.6 Lairs ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AloneChosen:
    """A realm says who of a banner goes into a lair alone (NIP 8.6)."""

    banner: str
    at: int
    unit: str

    def apply(self, state: State) -> None:
        """Keep it for the end of the meetings; the last word counts."""
        others = tuple((key, unit) for key, unit in state.pending.alone if key != self.banner)
        state.pending = replace(state.pending, alone=(*others, (self.banner, self.unit)))


@dataclass(frozen=True)
class LairEntered:
    """Banners looked who is at home in a lair."""

    at: int
    banners: tuple[str, ...]
    kind: str
    """``empty``, ``beast`` and so on."""
    met: tuple[tuple[str, int], ...]
    """Names of those met, and how many; nobody is at home if there are none."""
    dragon: bool = False
    """Seika Ryuu is one of them."""

    def apply(self, state: State) -> None:
        """Where Seika Ryuu lives he stays; where nobody is at home there is nobody to fight."""
        if not self.met:
            state.change_assault(assault_key(self.at), met=())
        if self.dragon:
            state.change_section(self.at, dragon="found")


@dataclass(frozen=True)
class DragonSlain:
    """Seika Ryuu is no more: his lair is empty for ever."""

    at: int
    realm: str

    def apply(self, state: State) -> None:
        """Nobody else will live there."""
        state.change_section(self.at, dragon="slain")


@dataclass(frozen=True)
class TreasureFound:
    """What those who beat a lair's inhabitants found there."""

    at: int
    realm: str
    pp: int
    items: tuple[str, ...]

    def apply(self, state: State) -> None:
        """The gold is theirs."""
        state.pay(self.realm, self.pp)


@dataclass(frozen=True)
class TreasureTaken:
    """Who carries the items of a treasure."""

    at: int
    items: tuple[tuple[str, str, str], ...]
    """Banner, unit and item; banner and unit are empty if nobody could carry it."""

    def apply(self, state: State) -> None:
        """They have it from now on."""
        for key, name, item in self.items:
            if key:
                units = state.banners[key].units
                state.change_banner(key, units=tuple(bearing(u, item) if u.name == name else u for u in units))


@dataclass(frozen=True)
class CreaturesTested:
    """Beaten creatures that recover join the banner, or have to be killed."""

    at: int
    banner: str
    creature: str
    fallen: int
    recovered: int
    joined: int

    def apply(self, state: State) -> None:
        """Who joins is told to the owner apart."""


@dataclass(frozen=True)
class CreaturesJoined:
    """Creatures that were tamed march with a banner."""

    banner: str
    unit: Unit

    def apply(self, state: State) -> None:
        """They are its own from now on."""
        state.change_banner(self.banner, units=(*state.banners[self.banner].units, self.unit))


# --- 8.7 Garrisons ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class StructureFound:
    """A die said whether a building or a machine stands at a neutral site."""

    at: int
    building: str
    machine: str
    """One of the two is empty."""
    found: bool

    def apply(self, state: State) -> None:
        """What was found stands there for all to see."""
        section = state.sections[self.at]
        if self.found and self.building:
            state.change_section(self.at, buildings=(*section.buildings, self.building))
        elif self.found:
            state.change_section(self.at, machines=(*section.machines, self.machine))


@dataclass(frozen=True)
class GarrisonRolled:
    """What stands at a neutral site is known now."""

    at: int

    def apply(self, state: State) -> None:
        """It is not rolled again."""
        state.change_section(self.at, mustered=True)


# --- 8.9 Assaults on the table ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DefenceSought:
    """An assault can be played on the table, if somebody takes the defence."""

    at: int
    banners: tuple[str, ...]
    """Keys, sorted."""
    attackers: tuple[str, ...]
    scenario: int
    met: tuple[Unit, ...] = ()
    """Who lives in the lair."""
    times: int = 1
    """How many times their treasure counts."""

    def apply(self, state: State) -> None:
        """The turn waits for it, as for a meeting."""
        storm = Engagement(self.attackers[0], scenario=self.scenario)
        state.meetings[self.at] = Meeting(self.at, self.banners, (self.attackers,), next=storm, assault=True)
        state.stage = "meetings"
        if self.met:
            state.change_assault(assault_key(self.at), met=self.met, times=self.times)


@dataclass(frozen=True)
class DefenceTaken:
    """A realm plays the defence in an assault."""

    at: int
    realm: str

    def apply(self, state: State) -> None:
        """It is the other side from now on."""
        attackers = state.meetings[self.at].sides[0]
        state.change_meeting(self.at, sides=(attackers, (self.realm,)))
        state.change_battle(self.at, defender=self.realm)


@dataclass(frozen=True)
class AssaultPlayed:
    """What both sides have reported of an assault stands."""

    at: int
    result: Result

    def apply(self, state: State) -> None:
        """It is the result that counts."""
        state.change_assault(assault_key(self.at), result=self.result)
