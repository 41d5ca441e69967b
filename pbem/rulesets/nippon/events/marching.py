"""What happens from the opening of the orders to the last step (chapters 3 to 6)."""

from dataclasses import dataclass, replace
from typing import Literal

from pbem.rulesets.nippon.events.changes import hand_over, lengthen, remove, settle
from pbem.rulesets.nippon.items.bearing import rid_of
from pbem.rulesets.nippon.state import Pending, State, Unit
from pbem.rulesets.nippon.tables import PORTAL_SCROLL, Hazard

# --- 3 Banners ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FellShort:
    """A banner does not meet the rules for banners any more; only its owner learns why (NIP 3.5)."""

    banner: str
    at: int
    why: str
    """``too few points``, ``no hero or lord``, ``a lone character``."""

    def apply(self, state: State) -> None:
        """Nothing yet: what follows is another event."""


@dataclass(frozen=True)
class Scattered:
    """A banner is scattered (NIP 3.5, 9.3)."""

    banner: str
    at: int

    def apply(self, state: State) -> None:
        """From now on it walks home, and until the turn ends it is outside everything."""
        state.change_banner(self.banner, scattered=True, scattered_on=state.turn, aboard="")


@dataclass(frozen=True)
class JoinedReserve:
    """A banner that may be none any more becomes the reserve of a site of its realm (NIP 3.5, 9.3)."""

    banner: str
    at: int

    def apply(self, state: State) -> None:
        """Its units stay at the site."""
        realm, units = state.banners[self.banner].realm, state.banners[self.banner].units
        remove(state, self.banner)
        state.change_section(self.at, reserve=(*state.sections[self.at].reserve, *units), quartered=realm)


# --- 4 Orders -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OrdersOpened:
    """The sealed orders of all realms are opened (NIP 4.1)."""

    def apply(self, state: State) -> None:
        """What was kept of the last turn is forgotten."""
        state.marches, state.battles = {}, ()
        state.pending = Pending()


@dataclass(frozen=True)
class OrderVoid:
    """An order is impossible now that it comes to be executed: the banner holds (NIP 4)."""

    banner: str
    at: int
    order: str
    """The line without the banner's name."""
    reason: str

    def apply(self, state: State) -> None:
        """The banner holds."""
        state.pending = replace(state.pending, holding=(*state.pending.holding, self.banner))


@dataclass(frozen=True)
class Prepared:
    """A banner has its orders for after the meetings; whether anything comes of them shows then (NIP 6.6, 7.5)."""

    banner: str
    at: int
    work: str
    """``fortify``, ``recover`` or ``no claim``."""

    def apply(self, state: State) -> None:
        """The order is kept until then."""
        kept = state.pending
        if self.work == "fortify":
            state.pending = replace(kept, fortifying=(*kept.fortifying, self.banner))
        elif self.work == "recover":
            state.pending = replace(kept, recovering=(*kept.recovering, self.banner))
        else:
            state.pending = replace(kept, unclaiming=(*kept.unclaiming, self.banner))


# --- 5 Terrain ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Passed:
    """A banner got past a hazard (NIP 5)."""

    banner: str
    at: int
    to: int
    hazard: Hazard

    def apply(self, state: State) -> None:
        """Nothing: it may go on."""


@dataclass(frozen=True)
class LostInForest:
    """A banner lost its way on leaving a forest and heads for ``to``, where its move will end (NIP 5)."""

    banner: str
    at: int
    bearing: int
    """Degrees clockwise from the top of the map."""
    to: int
    wanted: int

    def apply(self, state: State) -> None:
        """Nothing yet: the tests of that neighbour come first."""


@dataclass(frozen=True)
class StuckInForest:
    """A lost banner came to the shore of a second ocean section and turned back into the forest (NIP 20.6)."""

    banner: str
    at: int
    to: int

    def apply(self, state: State) -> None:
        """Nothing: it stays."""


@dataclass(frozen=True)
class Halted:
    """Difficult terrain stopped a banner before ``to``; it counts as holding (NIP 5.1)."""

    banner: str
    at: int
    to: int

    def apply(self, state: State) -> None:
        """Nothing: it stays."""


@dataclass(frozen=True)
class DangerSurvived:
    """Dangerous terrain did a banner no harm (NIP 5.2)."""

    banner: str
    at: int
    to: int
    hazard: Hazard
    total: int
    """Of the 2D6; so too below."""

    def apply(self, state: State) -> None:
        """Nothing: it may go on."""


@dataclass(frozen=True)
class DangerHeld:
    """Dangerous terrain kept a banner from moving (NIP 5.2)."""

    banner: str
    at: int
    to: int
    hazard: Hazard
    total: int

    def apply(self, state: State) -> None:
        """Nothing: it stays."""


@dataclass(frozen=True)
class DangerCost:
    """Dangerous terrain cost a banner men, and kept it from moving (NIP 5.2)."""

    banner: str
    at: int
    to: int
    hazard: Hazard
    total: int
    points: int
    """To be lost."""

    def apply(self, state: State) -> None:
        """Nothing yet: which models are lost is for its owner to know."""


@dataclass(frozen=True)
class ModelsLost:
    """The models that a banner lost on dangerous terrain (NIP 5.2)."""

    banner: str
    at: int
    lost: tuple[tuple[str, int], ...]
    """Unit and number of models."""
    units: tuple[Unit, ...]
    """What is left."""

    def apply(self, state: State) -> None:
        """They are gone."""
        state.change_banner(self.banner, units=self.units)


@dataclass(frozen=True)
class Destroyed:
    """Dangerous terrain swallowed a banner whole (NIP 5.2)."""

    banner: str
    at: int
    to: int
    hazard: Hazard
    total: int

    def apply(self, state: State) -> None:
        """It is gone."""
        remove(state, self.banner)


@dataclass(frozen=True)
class WipedOut:
    """A banner lost its last models (NIP 5.2)."""

    banner: str
    at: int

    def apply(self, state: State) -> None:
        """It is gone."""
        remove(state, self.banner)


@dataclass(frozen=True)
class Heroic:
    """A banner went through danger and came out as heroes (NIP 5.3)."""

    banner: str
    at: int
    to: int
    hazard: Hazard
    total: int

    def apply(self, state: State) -> None:
        """It is remembered at how many points."""
        state.change_banner(self.banner, heroism=state.banners[self.banner].points)


# --- 6 Movement ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PaceRolled:
    """M of a banner's models with random movement in the turn that begins; only its realm learns it (NIP 6.1)."""

    banner: str
    at: int
    pace: int

    def apply(self, state: State) -> None:
        """So it is for this turn."""
        state.change_banner(self.banner, pace=self.pace)


@dataclass(frozen=True)
class Moved:
    """A banner took a step (NIP 6.3)."""

    banner: str
    at: int
    to: int
    flying: bool = False

    def apply(self, state: State) -> None:
        """It stands there, and the map will show its path."""
        settle(state, self.banner, self.to)
        lengthen(state, self.banner, self.at, self.to)
        if self.flying and self.banner not in state.pending.flown:
            state.pending = replace(state.pending, flown=(*state.pending.flown, self.banner))


@dataclass(frozen=True)
class Portalled:
    """A banner went through a portal; its scroll is used up (NIP 14.8)."""

    banner: str
    at: int
    to: int

    def apply(self, state: State) -> None:
        """It stands there, and the first unit that had a scroll has one less."""
        settle(state, self.banner, self.to)
        units = list(state.banners[self.banner].units)
        first = next(index for index, unit in enumerate(units) if PORTAL_SCROLL in unit.items)
        units[first] = rid_of(units[first], PORTAL_SCROLL)
        state.change_banner(self.banner, units=tuple(units))


@dataclass(frozen=True)
class PortalKept:
    """A banner did not need its portal; only its realm knows of it (NIP 14.8)."""

    banner: str
    at: int

    def apply(self, state: State) -> None:
        """Nothing: it holds, and keeps its scroll."""


@dataclass(frozen=True)
class Sighted:
    """All that a realm sees of a step that began or ended in fog: a banner came to a section, or left it (NIP 17)."""

    banner: str
    at: int
    coming: bool

    def apply(self, state: State) -> None:
        """Nothing: the step itself is another event."""


@dataclass(frozen=True)
class Watched:
    """What each realm could see of the movement in fog: so much of others' marches its map shows (NIP 17.1)."""

    sights: tuple[tuple[str, tuple[int, ...]], ...]
    """Sections, by seat."""

    def apply(self, state: State) -> None:
        """Kept until the next orders are opened: what it sees later, it did not see then."""
        state.pending = replace(state.pending, watched=self.sights)


@dataclass(frozen=True)
class TurnedBack:
    """A flyer whose move ended over the ocean went back to where it last had ground below (NIP 5, 20.6)."""

    banner: str
    at: int
    to: int

    def apply(self, state: State) -> None:
        """It stands there."""
        settle(state, self.banner, self.to)
        lengthen(state, self.banner, self.at, self.to)


@dataclass(frozen=True)
class Disbanded:
    """A scattered banner has no home that it could reach, and goes its ways (NIP 9.3)."""

    banner: str
    at: int

    def apply(self, state: State) -> None:
        """It is gone."""
        remove(state, self.banner)


@dataclass(frozen=True)
class CameHome:
    """A scattered banner reached a site of its realm and is whole again (NIP 9.3)."""

    banner: str
    at: int

    def apply(self, state: State) -> None:
        """It obeys orders again."""
        state.change_banner(self.banner, scattered=False, scattered_on=0)


@dataclass(frozen=True)
class Intercepted:
    """A banner met hostile ones that remain where it is, and its move is over (NIP 6.3)."""

    banner: str
    at: int
    by: tuple[str, ...]

    def apply(self, state: State) -> None:
        """Nothing: it stays."""


@dataclass(frozen=True)
class NightRolled:
    """Hostile banners would cross a border in opposite directions: each realm has rolled (NIP 6.4)."""

    border: tuple[int, int]
    """The lower number first."""
    values: tuple[tuple[str, int], ...]
    """By realm."""

    def apply(self, state: State) -> None:
        """Nothing yet: who goes and who stays are other events."""


@dataclass(frozen=True)
class HeldInTheNight:
    """A banner lost the roll and waits for the enemy where it is; its move is over (NIP 6.4)."""

    banner: str
    at: int
    to: int
    by: tuple[str, ...]
    """The hostile banners that come."""

    def apply(self, state: State) -> None:
        """Nothing: it stays."""


@dataclass(frozen=True)
class WonTheNight:
    """A banner won the roll: it goes, and its move ends where it meets the loser (NIP 6.4)."""

    banner: str
    at: int
    to: int
    over: tuple[str, ...]

    def apply(self, state: State) -> None:
        """Nothing yet: it moves with the others."""


@dataclass(frozen=True)
class PassedInTheNight:
    """Two hostile banners rolled the same and never saw each other (NIP 6.4)."""

    border: tuple[int, int]
    banners: tuple[str, str]

    def apply(self, state: State) -> None:
        """Nothing yet: both move with the others."""


@dataclass(frozen=True)
class PointsTied:
    """Realms that want the same had equal points in the section and rolled for it (NIP 6.6, 7.4, 20.4)."""

    about: Literal["claim", "raze", "assault"]
    """Control of the section, the pay for razing it, or who assaults it."""
    at: int
    values: tuple[tuple[str, int], ...]
    """By realm. Equal again: another roll follows."""

    def apply(self, state: State) -> None:
        """Nothing yet: who gets it is another event."""


@dataclass(frozen=True)
class Claimed:
    """A realm took control of a section (NIP 6.6)."""

    realm: str
    at: int
    banners: tuple[str, ...]
    """Its banners there that claimed."""
    held_by: str
    """Who controlled it until now."""

    def apply(self, state: State) -> None:
        """It is theirs."""
        hand_over(state, self.at, self.realm)
