"""BR-1 12.2, conversion: what a unit's profile is worth in battle."""

from dataclasses import dataclass

from pbem.battles import tables
from pbem.battles.model import Profile, Unit


@dataclass(frozen=True)
class Values:
    """What a unit fights with."""

    melee: int
    defence: int
    aim: int
    wounds: int
    attacks: int
    speed: int
    leadership: int
    bands: int
    """How far it shoots; 0: it does not."""
    quick: bool
    frontage: int
    """How many of its models can strike."""

    @property
    def missile(self) -> bool:
        """Whether it shoots."""
        return self.bands > 0

    @property
    def fast(self) -> bool:
        """Whether it takes two steps in a round."""
        return self.speed >= tables.FAST


def values(unit: Unit) -> Values:
    """Convert a unit."""
    profile = unit.profile or default_profile(unit)
    bands = reach_in_bands(unit)
    clumsy = 1 if bands and unit.kind == "infantry" else 0
    return Values(
        melee=max(1, min((profile.WS + profile.S + 1) // 2, tables.MOST_SKILL) - clumsy),
        defence=max(0, min(profile.T - 2 + (8 - profile.Sv) // 2, tables.MOST_DEFENCE)),
        aim=min(profile.BS, tables.MOST_SKILL) if bands else 0,
        wounds=profile.W,
        attacks=profile.A,
        speed=profile.M,
        leadership=profile.Ld,
        bands=bands,
        quick=profile.I >= tables.QUICK_INITIATIVE or "quick" in unit.flags,
        frontage=tables.FRONTAGE.get(unit.kind, 1),
    )


def reach_in_bands(unit: Unit) -> int:
    """How many bands of distance a unit shoots over; a machine shoots far if nothing is said."""
    reach = unit.reach or (tables.MACHINE_RANGE if unit.kind == "machine" else 0)
    return min(reach // tables.INCHES_PER_BAND, tables.BANDS) if reach >= tables.MISSILE_RANGE else 0


def default_profile(unit: Unit) -> Profile:
    """A profile by class and points per model, for a unit that comes without one."""
    fitting = (line for line in tables.PROFILES if line["class"] == unit.kind)
    line = next(line for line in fitting if "below" not in line or unit.points < line["below"] * unit.models)
    return Profile(**line["profile"])
