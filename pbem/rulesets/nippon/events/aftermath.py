"""Chapter 9, what becomes of those who fought."""

from dataclasses import dataclass, replace
from typing import Literal

from pbem.rulesets.nippon.events.changes import hand_over, rearm, settle
from pbem.rulesets.nippon.state import State, Unit


@dataclass(frozen=True)
class SectionWon:
    """The winner of a battle takes the section."""

    at: int
    realm: str
    lost_by: str
    """Who controlled it until now."""

    def apply(self, state: State) -> None:
        """It changes hands and pays nobody this turn; the loser's works go (NIP 7.3)."""
        hand_over(state, self.at, self.realm)
        state.change_section(self.at, taken=state.turn)


@dataclass(frozen=True)
class StructureTested:
    """A building or war machine of a site that was won: it survives, or is gone."""

    at: int
    kind: Literal["buildings", "machines"]
    name: str
    survives: bool

    def apply(self, state: State) -> None:
        """Strike what is gone."""
        if not self.survives:
            left = list(getattr(state.sections[self.at], self.kind))
            left.remove(self.name)
            state.change_section(self.at, **{self.kind: tuple(left)})


@dataclass(frozen=True)
class Retreated:
    """A beaten banner went to a neighbouring section of its own or an ally's."""

    banner: str
    origin: int
    to: int

    def apply(self, state: State) -> None:
        """Its works stay behind and go (NIP 7.3)."""
        settle(state, self.banner, self.to)


@dataclass(frozen=True)
class RetreatChosen:
    """A realm says where a banner is to go if it is beaten."""

    banner: str
    at: int
    to: int

    def apply(self, state: State) -> None:
        """Keep it for the end of the battles; the last word counts."""
        others = tuple((key, to) for key, to in state.pending.retreating if key != self.banner)
        state.pending = replace(state.pending, retreating=(*others, (self.banner, self.to)))


@dataclass(frozen=True)
class BattleDrawn:
    """Both stay; next turn these banners may only hold, move to a section of their own, or scatter."""

    at: int
    banners: tuple[str, ...]

    def apply(self, state: State) -> None:
        """Mark them until the end of the next turn."""
        for key in self.banners:
            state.change_banner(key, drawn=True)


Came = Literal["back", "lost", "better", "no better"]
"""What came of the test of a ridden monster."""


@dataclass(frozen=True)
class FallenTested:
    """Models of a unit at 0 wounds were tested: they come back with 1 wound, or are dead."""

    banner: str
    """Its key; nothing: the unit is in the reserve of a site. So too in the next."""
    at: int
    unit: str
    needed: str
    """What a die had to show."""
    fallen: int
    returned: int
    after: Unit
    """The unit as it is then."""

    def apply(self, state: State) -> None:
        """The dead leave it."""
        rearm(state, self.at, self.banner, self.after)


@dataclass(frozen=True)
class WoundsTested:
    """Wounded models of a unit were tested: they regain a wound each, or not."""

    banner: str
    at: int
    unit: str
    needed: str
    hurt: int
    regained: int
    after: Unit

    def apply(self, state: State) -> None:
        """Some are better."""
        rearm(state, self.at, self.banner, self.after)


@dataclass(frozen=True)
class SteedTested:
    """A ridden monster was tested: at 0 wounds it comes back, or is lost to its rider; else it may regain a wound."""

    banner: str
    at: int
    unit: str
    mount: str
    needed: str
    came: Came
    after: Unit

    def apply(self, state: State) -> None:
        """It is better, or its rider on foot."""
        rearm(state, self.at, self.banner, self.after)


@dataclass(frozen=True)
class FledTested:
    """A unit that fled from the table was called back."""

    banner: str
    at: int
    unit: str
    needed: int
    """The Leadership it had to pass; 0: it is a character and came of itself."""
    fled: int
    failed_by: int
    returned: int
    after: Unit

    def apply(self, state: State) -> None:
        """Those who come back are with it again."""
        rearm(state, self.at, self.banner, self.after)


@dataclass(frozen=True)
class MachinesTested:
    """Monsters or war machines that fled from the table came back, or were lost."""

    banner: str
    at: int
    unit: str
    needed: int
    """What a die had to show, or more."""
    fled: int
    returned: int
    after: Unit

    def apply(self, state: State) -> None:
        """Those who come back are with it again."""
        rearm(state, self.at, self.banner, self.after)


@dataclass(frozen=True)
class CharacterDied:
    """A hero or lord is dead (NIP 3.4)."""

    banner: str
    at: int
    unit: str

    def apply(self, state: State) -> None:
        """Nothing more: his tests have taken him from the living."""


@dataclass(frozen=True)
class LossesCounted:
    """A banner, or a reserve, knows what its battles cost it."""

    banner: str
    """Its key; nothing: it is the reserve in that section."""
    at: int
    counted: tuple[tuple[str, int, int], ...]
    """By unit: models now, and before the battle."""
    units: tuple[Unit, ...]
    """Who is left."""

    def apply(self, state: State) -> None:
        """Units of whom nobody is left go."""
        if self.banner:
            state.change_banner(self.banner, units=self.units)
        else:
            state.change_section(self.at, reserve=self.units)
