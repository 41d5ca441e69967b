"""What goes into a battle and what comes out of it (BR-1 12.1, 12.5)."""

from dataclasses import dataclass, field
from typing import Literal

from pbem.battles import tables

Role = Literal["A", "B"]
"""Attacker and defender."""
ROLES: tuple[Role, ...] = ("A", "B")
"""Everything is done for A first."""
Lane = Literal["L", "C", "R"]
"""Left, centre, right."""
LANES: tuple[Lane, ...] = ("L", "C", "R")
Class = Literal["infantry", "cavalry", "monster", "machine", "hero"]
Ground = Literal["plain", "forest", "hill", "marsh", "river", "snow", "settlement"]
Fort = Literal["none", "works", "walls"]
"""Of the defender: field works, or a real fortress."""
Flag = Literal["standard", "musician", "champion", "quick", "explode", "fly", "scout", "heroic"]
"""What a unit has or can. ``heroic`` stands beside ``BR-1/2``, which does not know it: who is heroic rolls a failed
test of leadership again, once."""
Order = Literal["ATTACK", "HOLD"]
Arrival = Literal["start", "flank", "round", "broken"]
"""At once; round the flank; in a round; after an own unit in the lane broke."""
Policy = Literal["STRONGEST", "WEAKEST", "MISSILES", "HEROES"]
"""Whom to strike first."""
Margin = Literal["draw", "minor victory", "solid victory", "massacre"]
End = Literal["rout", "withdrawal", "limit"]


# --- 12.1 Input ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Profile:
    """A fighter's characteristics; ``Sv`` is the die that armour needs, 7: none."""

    M: int
    WS: int
    BS: int
    S: int
    T: int
    W: int
    I: int  # noqa: E741  the games' own letter for initiative
    A: int
    Ld: int
    Sv: int = 7


@dataclass(frozen=True)
class Unit:
    """Models that fight together, or one hero. ``points`` are those of all of them."""

    name: str
    """Unique on its side."""
    kind: Class
    models: int
    points: int
    profile: Profile | None = None
    """Unknown: one that fits the class and the points."""
    reach: int = 0
    """Inches it shoots."""
    flags: frozenset[Flag] = frozenset()
    joined: str = ""
    """The unit that a hero fights in."""
    hurt: int = 0
    """Wounds that its models bring along."""


@dataclass(frozen=True)
class Station:
    """A unit's place in a plan: where, with what order, and when it comes."""

    unit: str
    lane: Lane = "C"
    order: Order | None = None
    """Nothing: ATTACK for who comes later, else what its side does by default."""
    arrives: Arrival = "start"
    round: int = 0


@dataclass(frozen=True)
class Plan:
    """A side's orders before the battle (BR-1 12.3)."""

    stations: tuple[Station, ...] = ()
    heroes: tuple[tuple[str, str], ...] = ()
    """Who fights in which unit."""
    target: Policy = "STRONGEST"
    pursue: bool = True
    sally: bool = True
    """Units that hold go out against an enemy that only stands and shoots."""
    retreat: int | None = None
    """Percent of its points lost at which the side withdraws."""


@dataclass(frozen=True)
class Side:
    """All who fight together, in the order of their rosters. Without a plan the defaults hold."""

    units: tuple[Unit, ...]
    general: str = ""
    """Nobody named: the hero with most points."""
    plan: Plan | None = None


@dataclass(frozen=True)
class Battle:
    """Two sides on a ground."""

    attacker: Side
    defender: Side
    ground: Ground = "plain"
    fort: Fort = "none"


# --- 12.5 Output --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class UnitOutcome:
    """What the battle did to a unit."""

    side: Role
    name: str
    lane: Lane
    """Where it was in the end."""
    start: int
    """Models."""
    remaining: int
    """Models alive, on the field or fled from it."""
    wounds_left: int
    fled: bool
    standard_lost: bool
    lost_points: int
    slain_in_challenge: bool = False

    @property
    def destroyed(self) -> bool:
        """Whether nobody is left."""
        return not self.wounds_left

    @property
    def champion_alive(self) -> bool:
        """The champion is the last to fall."""
        return self.remaining >= 1

    @property
    def musician_alive(self) -> bool:
        """The musician is the third last."""
        return self.remaining >= tables.MUSICIAN_LIVES


Pair = tuple[int, int]
"""A number of each side, the attacker's first."""
Name = tuple[Role, str]
"""A unit: its side and its name."""
Why = Literal["panic", "break", "withdrawal"]
"""What a test of leadership is about."""


@dataclass(frozen=True)
class LeadershipTest:
    """A unit's test of leadership."""

    unit: Name
    why: Why
    limit: int
    """The most that two dice may show."""
    rolled: tuple[int, ...]
    """What they showed. One break roll serves a whole lane; the heroic roll a second time."""

    @property
    def passed(self) -> bool:
        """Whether it stood."""
        return self.rolled[-1] <= self.limit


@dataclass(frozen=True)
class LaneAccount:
    """What happened in a lane in one round."""

    lane: Lane
    band: int
    """How far apart the sides are after their advance; 0: they fight."""
    shot: Pair = (0, 0)
    """Wounds that each side caused by shooting; so too the next."""
    struck: Pair = (0, 0)
    score: Pair | None = None
    """Who did better in melee, where there was any."""
    came: tuple[Name, ...] = ()
    """Who arrived in reserve, in front of the enemy."""
    flanked: tuple[Name, ...] = ()
    """Who came from the side: round the flank, or out of another lane."""
    charged: tuple[Name, ...] = ()
    harmed: tuple[tuple[Name, int], ...] = ()
    """Who lost wounds, and how many in all."""
    tests: tuple[LeadershipTest, ...] = ()
    pursued: tuple[tuple[Name, int], ...] = ()
    """Who was pursued in flight, and what it cost of those wounds."""
    fled: tuple[Name, ...] = ()
    """Who fled in this round, for whatever reason."""
    destroyed: tuple[Name, ...] = ()

    @property
    def inches(self) -> int:
        """How far apart the sides are."""
        return self.band * tables.INCHES_PER_BAND


@dataclass(frozen=True)
class Account:
    """What happened in one round, in the lanes in which both sides stood."""

    round: int
    lanes: tuple[LaneAccount, ...]


@dataclass(frozen=True)
class Outcome:
    """How a battle came out."""

    winner: Role | None
    """Nobody: a draw."""
    margin: Margin
    difference: int
    """The attacker's advantage, in thousandths of a side's points."""
    score: Pair
    end: End
    ended: tuple[Role, ...]
    """The sides that were routed or withdrew."""
    day: Role | None
    """Whose day it was."""
    units: tuple[UnitOutcome, ...]
    """A's, then B's, as they were given."""
    rounds: tuple[Account, ...]
    dice: tuple[int, ...] = field(repr=False)
    """All that were rolled, in their order."""

    def of(self, side: Role) -> tuple[UnitOutcome, ...]:
        """The units of a side."""
        return tuple(unit for unit in self.units if unit.side == side)
