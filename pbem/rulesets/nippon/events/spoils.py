"""What is taken and raised where a battle was fought (chapters 9.5 and 12)."""

from dataclasses import dataclass, replace

from pbem.rulesets.nippon.events.changes import rearm
from pbem.rulesets.nippon.events.tolls import bereaved
from pbem.rulesets.nippon.items.bearing import bearing, rid_of
from pbem.rulesets.nippon.state import GARRISON, State, Unit
from pbem.rulesets.nippon.tables import Search


@dataclass(frozen=True)
class StandardLost:
    """A standard fell into the enemy's hands; nobody gets it back (NIP 9.5)."""

    banner: str
    at: int
    unit: str
    points: int
    """What a character had paid for bearing it; of a unit: 0."""

    def apply(self, state: State) -> None:
        """Whoever bore it bears it no more."""
        bearer = unit_of(state, self.at, self.banner, self.unit)
        rearm(state, self.at, self.banner, bereaved(bearer, self.points))


@dataclass(frozen=True)
class BodySearched:
    """Victors searched a fallen enemy for magic items (NIP 9.5)."""

    banner: str
    """Key of the banner that he is of; nothing, or the garrison: who fought for the site."""
    at: int
    unit: str
    victor: str
    """The seat of the realm that searched."""
    found: Search
    in_challenge: bool
    """One was added to the die."""
    taken: tuple[tuple[str, str, str], ...]
    """Each item with the key of the banner and the unit that took it; neither, if nobody had room."""

    def apply(self, state: State) -> None:
        """The items change hands. A garrison is never stored: its next hero is armed anew (NIP 8.7)."""
        for item, key, taker in self.taken:
            if self.banner != GARRISON:
                rearm(state, self.at, self.banner, rid_of(unit_of(state, self.at, self.banner, self.unit), item))
            if key:
                rearm(state, self.at, key, bearing(unit_of(state, self.at, key, taker), item))


@dataclass(frozen=True)
class DeadRaised:
    """Dead enemies joined the ranks of vampire counts (NIP 12)."""

    banner: str
    at: int
    raised: tuple[tuple[str, int], ...]
    """By unit: how many models."""

    def apply(self, state: State) -> None:
        """There are more of them."""
        for name, models in self.raised:
            unit = unit_of(state, self.at, self.banner, name)
            rearm(state, self.at, self.banner, replace(unit, models=unit.models + models))


def unit_of(state: State, at: int, banner: str, name: str) -> Unit:
    """A unit of a banner (of the reserve in a section, if empty) by its name."""
    units = state.banners[banner].units if banner else state.sections[at].reserve
    return next(unit for unit in units if unit.name == name)


@dataclass(frozen=True)
class SpoilsChosen:
    """A realm has said what it wants done about the spoils of one battle."""

    at: int
    realm: str
    about: str
    names: tuple[str, ...]
    """Items or characters, in order; nothing: as the rules have it, whatever it prefers else."""

    def apply(self, state: State) -> None:
        """Remember it until the turn ends."""
        of = (self.realm, self.about)
        others = (wish for wish in state.meetings[self.at].spoils if wish[:2] != of)
        state.change_meeting(self.at, spoils=tuple(sorted((*others, (*of, self.names)))))
