"""Who stands where while a battle lasts: the only things that change."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from pbem.battles import tables
from pbem.battles.conversion import Values
from pbem.battles.magic_seven import Roll, two_dice
from pbem.battles.model import (
    LANES,
    ROLES,
    Battle,
    Lane,
    LeadershipTest,
    Name,
    Order,
    Pair,
    Plan,
    Role,
    Station,
    Unit,
    Why,
)


@dataclass(slots=True)
class Marks:
    """What is true of a unit in one round and no longer."""

    before: int
    """Wounds at the round's start."""
    charged: bool = False
    flanker: bool = False
    """It strikes from the side."""
    came: bool = False
    """It arrived in this round."""
    stopped: bool = False
    """Walls kept it from striking."""


@dataclass(eq=False, slots=True)
class Fighter:
    """A unit in battle."""

    unit: Unit
    values: Values
    side: Role
    lane: Lane
    order: Order
    station: Station
    general: bool
    host: "Fighter | None"
    """The unit that a hero joined."""
    start: int
    """Wounds at the start of the battle; so too the next, of now."""
    left: int
    marks: Marks
    """Of this round."""
    arrived: bool
    fled: bool = False
    standard_lost: bool = False
    slain_in_challenge: bool = False
    engaged: bool = False
    """It has come to blows, or would have but for walls."""

    @property
    def name(self) -> Name:
        """What an account calls it."""
        return self.side, self.unit.name

    @property
    def models(self) -> int:
        """Models alive: wounds fill one after another."""
        return -(-self.left // self.values.wounds)

    @property
    def points(self) -> int:
        """What its wounds left are worth."""
        return self.unit.points * self.left // self.start

    @property
    def present(self) -> bool:
        """On the field, alive, not fled."""
        return self.arrived and self.left > 0 and not self.fled

    @property
    def joined(self) -> bool:
        """A hero inside a unit that stands."""
        return self.host is not None and self.host.present and self.host.lane == self.lane

    @property
    def lost_points(self) -> int:
        """What it cost its side; who fled keeps a share of the rest."""
        kept = self.points * tables.FLED_KEEPS // 100 if self.fled else self.points
        return self.unit.points - kept

    def suffer(self, wounds: int) -> int:
        """Take wounds, at most those that are left; how many they were."""
        suffered = min(wounds, self.left)
        self.left -= suffered
        return suffered

    def begin_round(self) -> None:
        """The marks of the last round are gone."""
        self.marks = Marks(self.left)


@dataclass(slots=True)
class Notes:
    """What is written down of a lane in a round for its account. No rule reads it."""

    shot: Counter[Role] = field(default_factory=Counter)
    """Wounds that each side caused by shooting."""
    score: Pair | None = None
    tests: list[LeadershipTest] = field(default_factory=list)
    pursued: list[tuple[Name, int]] = field(default_factory=list)
    fled: list[Name] = field(default_factory=list)
    destroyed: list[Name] = field(default_factory=list)


@dataclass(eq=False)
class Field:
    """The field of battle."""

    battle: Battle
    fighters: tuple[Fighter, ...]
    """A's, then B's, in the order of their rosters."""
    plans: dict[Role, Plan]
    roll: Roll
    day: Role | None = None
    round: int = 0
    bands: dict[Lane, int] = field(default_factory=lambda: dict.fromkeys(LANES, tables.BANDS))
    steps: dict[tuple[Role, Lane], int] = field(default_factory=dict)
    """How far each side went in each lane this round."""
    dealt: Counter[tuple[Role, Lane]] = field(default_factory=Counter)
    """The wounds that each side dealt hand to hand in each lane this round."""
    gone: list[Fighter] = field(default_factory=list)
    """Who fled or was destroyed in earlier rounds."""
    notes: defaultdict[Lane, Notes] = field(default_factory=lambda: defaultdict(Notes))
    """What happened in this round."""

    @cached_property
    def sides(self) -> dict[Role, tuple[Fighter, ...]]:
        """The fighters of each side."""
        return {role: tuple(each for each in self.fighters if each.side == role) for role in ROLES}

    def begin_round(self) -> None:
        """Nothing has happened yet in the next round."""
        self.round += 1
        self.steps, self.dealt, self.notes = {}, Counter(), defaultdict(Notes)
        for fighter in self.fighters:
            fighter.begin_round()

    def present(self, side: Role | None = None, lane: Lane | None = None) -> list[Fighter]:
        """Who is present, of a side, in a lane; A first."""
        asked = self.sides[side] if side else self.fighters
        return [each for each in asked if (lane is None or each.lane == lane) and each.present]

    def targets(self, side: Role, lane: Lane) -> list[Fighter]:
        """Whom one may aim at on a side in a lane: heroes inside units are not seen."""
        return [each for each in self.present(side, lane) if not each.joined]

    def contested(self) -> Iterator[Lane]:
        """The lanes in which both sides are present."""
        return (lane for lane in LANES if self.present("A", lane) and self.present("B", lane))

    def fighting(self) -> list[Lane]:
        """The lanes in which the sides have met."""
        return [lane for lane in self.contested() if self.bands[lane] == 0]

    def lost_since(self) -> list[Fighter]:
        """Who fled or was destroyed and is not yet among the gone."""
        return [each for each in self.fighters if each.arrived and not each.present and each not in self.gone]

    def leadership(self, fighter: Fighter) -> int:
        """Its own or its hero's, whichever is higher, and one more beside the own general."""
        beside = [each for each in self.present(fighter.side, fighter.lane) if each is not fighter]
        heroes = [each.values.leadership for each in beside if each.host is fighter]
        led = fighter.general or any(each.general for each in beside)
        highest = max(fighter.values.leadership, *heroes, 0)
        return min(tables.MOST_LEADERSHIP, highest + tables.GENERAL_LEADS) if led else highest

    def passes(self, fighter: Fighter, limit: int, why: Why, rolled: int = 0) -> bool:
        """A test of leadership, by two dice or what was ``rolled`` for a whole lane; the heroic try it again alone."""
        dice = [rolled or two_dice(self.roll)]
        if dice[0] > limit and "heroic" in fighter.unit.flags:
            dice.append(two_dice(self.roll))
        test = LeadershipTest(fighter.name, why, limit, tuple(dice))
        self.notes[fighter.lane].tests.append(test)
        return test.passed

    def flee(self, fighter: Fighter) -> list[Fighter]:
        """It leaves the field for good, with the hero in it; who that is."""
        fleeing = [fighter, *(each for each in self.present(fighter.side) if each.host is fighter and each.joined)]
        for each in fleeing:
            each.fled = True
        return fleeing


def enemy_of(side: Role) -> Role:
    """The other side."""
    return "B" if side == "A" else "A"


def choose(policy: str, targets: Sequence[Fighter], first: Callable[[Fighter], int] = lambda _: 0) -> Fighter | None:
    """The target by a side's policy; ``first`` counts before strength. Equals: the first on the roster."""
    missiles = [each for each in targets if each.values.missile]
    among = missiles if policy == "MISSILES" and missiles else targets
    sign = 1 if policy == "WEAKEST" else -1
    return min(among, key=lambda each: (first(each), sign * each.points), default=None)
