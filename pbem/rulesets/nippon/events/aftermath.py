"""What happens after the battles and at the end of a turn (chapters 9 to 15)."""

from dataclasses import dataclass, replace
from typing import Literal

from pbem.rulesets.nippon.events.changes import hand_over, rearm, remove, settle
from pbem.rulesets.nippon.state import Preferences, State, Unit

# --- 9 After a battle ---------------------------------------------------------------------------------------------


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
class BattleDrawn:
    """Both stay; next turn these banners may only hold, move to a section of their own, or scatter."""

    at: int
    banners: tuple[str, ...]

    def apply(self, state: State) -> None:
        """Mark them until the end of the next turn."""
        for key in self.banners:
            state.change_banner(key, drawn=True)


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


Came = Literal["back", "lost", "better", "no better"]
"""What came of the test of a ridden monster."""


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


# --- 10 Production ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Produced:
    """A section paid its controller."""

    at: int
    realm: str
    parts: tuple[tuple[str, int], ...]
    """What the sum is made of, by source: ``die``, ``village``, ``tavern``, ``port``, ``mine``."""
    pp: int
    halved: Literal["", "snow", "no headquarters"] = ""
    """Why the die was a D3."""
    swarm: int = 0
    """What a Banner of the Swarm adds, among ``pp`` (NIP 14.6)."""

    def apply(self, state: State) -> None:
        """Book it."""
        state.pay(self.realm, self.pp)


@dataclass(frozen=True)
class RazingPaid:
    """A section that was razed this turn paid the realm that razed it (NIP 7.1)."""

    at: int
    realm: str
    pp: int

    def apply(self, state: State) -> None:
        """Book it."""
        state.pay(self.realm, self.pp)


@dataclass(frozen=True)
class MineFailing:
    """Two or more ones: the gold mine runs out after this many more turns."""

    at: int
    last: int
    """The last turn in which it pays as a mine."""

    def apply(self, state: State) -> None:
        """Note it."""
        state.change_section(self.at, mine_ends=self.last)


@dataclass(frozen=True)
class MineRanOut:
    """A gold mine is an ordinary section from now on."""

    at: int

    def apply(self, state: State) -> None:
        """No site stands there any more."""
        state.change_section(self.at, site="", mine_ends=0)


# --- 13, 15 Headquarters and the end ------------------------------------------------------------------------------


@dataclass(frozen=True)
class HeadquartersLost:
    """A realm starts the next turn without headquarters."""

    realm: str
    at: int

    def apply(self, state: State) -> None:
        """It may only hold and move."""
        state.change_realm(self.realm, homeless=True)


@dataclass(frozen=True)
class HeadquartersRegained:
    """A realm has its headquarters back."""

    realm: str
    at: int

    def apply(self, state: State) -> None:
        """All is as it was."""
        state.change_realm(self.realm, homeless=False)


@dataclass(frozen=True)
class RealmWithdrawn:
    """Nobody plays a realm any more: the organizer says so, and why."""

    realm: str
    reason: str
    until: int
    """The last turn in which its banners are on the map."""

    def apply(self, state: State) -> None:
        """They hold until then."""
        state.change_realm(self.realm, status="withdrawn", stands_until=self.until)


@dataclass(frozen=True)
class RealmReadmitted:
    """Somebody plays a withdrawn realm again."""

    realm: str
    reason: str

    def apply(self, state: State) -> None:
        """All is as before."""
        state.change_realm(self.realm, status="active", stands_until=0)


@dataclass(frozen=True)
class RealmDisbanded:
    """Nobody was found to play a withdrawn realm: its banners go their ways, with its ships and reserves."""

    realm: str
    sections: tuple[int, ...]
    """What it controlled."""

    def apply(self, state: State) -> None:
        """What was its own is nobody's."""
        for banner in state.banners_of(self.realm):
            remove(state, banner.key)
        for tunnel in state.tunnels_of(self.realm):
            del state.tunnels[tunnel.banner.key]
        for ship in state.ships_of(self.realm):
            del state.ships[ship.key]
        for at in self.sections:
            hand_over(state, at, "")
        for at in [at for at, section in state.sections.items() if section.quartered == self.realm]:
            state.change_section(at, reserve=(), quartered="")
        state.change_realm(self.realm, homeless=True)


@dataclass(frozen=True)
class RealmEliminated:
    """A realm has neither section nor banner nor ship."""

    realm: str

    def apply(self, state: State) -> None:
        """It is out."""
        state.change_realm(self.realm, status="eliminated")


@dataclass(frozen=True)
class DeedsCounted:
    """What a stage adds to the deeds for which there are honours at the end (NIP 15.3)."""

    deeds: tuple[tuple[str, int], ...]
    """By deed and doer: ``razed A``, ``walked A Red Dragons``."""

    def apply(self, state: State) -> None:
        """Add them up."""
        for deed, much in self.deeds:
            state.deeds[deed] = state.deeds.get(deed, 0) + much


@dataclass(frozen=True)
class CampaignEnded:
    """The campaign is over."""

    reason: str
    ranking: tuple[tuple[str, ...], ...]
    """Realms in order of merit, equals together."""
    scores: tuple[tuple[str, int], ...]
    """By seat."""

    def apply(self, state: State) -> None:
        """Nothing is awaited any more."""
        state.stage = "over"
        state.ending, state.ranking = self.reason, self.ranking


@dataclass(frozen=True)
class PreferenceSet:
    """A realm has said what it wants done where it cannot be asked (NIP 18)."""

    realm: str
    about: str
    names: tuple[str, ...]
    """In order; nothing: as the rules have it."""
    preferences: Preferences
    """All its preferences from now on."""

    def apply(self, state: State) -> None:
        """They stand until it says otherwise."""
        state.change_realm(self.realm, preferences=self.preferences)


@dataclass(frozen=True)
class TurnEnded:
    """The turn is over; orders are awaited for the next."""

    turn: int

    def apply(self, state: State) -> None:
        """What lasts for one turn only goes."""
        drawn = {key for fought in (state.meetings, state.assaults) for each in fought.values() for key in each.drew}
        for banner in [each for each in state.banners.values() if each.drawn and each.key not in drawn]:
            state.change_banner(banner.key, drawn=False)
        state.meetings, state.assaults, state.terms = {}, {}, {}
        state.turn, state.stage = self.turn + 1, "orders"
