"""What a realm wants done where it cannot be asked in time (NIP 9.2, 18)."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from pbem.battles import Plan, written

Matter = Literal[
    "loss order", "give up", "take", "carriers", "raise dead", "captured creatures", "assaults", "side with"
]
"""What there may be a standing preference about."""

USUAL = "as usual"
"""What is preferred if nothing is: what the rules say."""


SPOILS: tuple[Matter, ...] = ("give up", "take", "carriers")
"""What can be said of one battle alone (NIP 9.5)."""


@dataclass(frozen=True)
class Preference:
    """A standing preference: it holds until another one about the same matter comes (NIP 18)."""

    immediate: ClassVar[bool] = False

    about: Matter
    names: tuple[str, ...] = ()
    """In order; nothing: as the rules have it."""
    at: int = 0
    """The section of the battle for which alone it holds, if it is about spoils (NIP 9.5); 0: it stands."""

    @property
    def key(self) -> str:
        """One for each matter, and for each battle."""
        return f"prefer {self.about} {self.at or ''}".rstrip()

    def __str__(self) -> str:
        of = f" B{self.at}" if self.at else ""
        return f"{self.about}{of}: {', '.join(self.names) or USUAL}"


@dataclass(frozen=True)
class Alone:
    """Who of a banner takes on alone whoever lives in the lair where it ends its move this turn (NIP 8.6)."""

    immediate: ClassVar[bool] = False

    banner: str
    unit: str

    @property
    def key(self) -> str:
        """One for each banner, beside its order."""
        return f"alone {self.banner}"

    @property
    def deed(self) -> str:
        """``alone with Captain Oda``."""
        return f"alone with {self.unit}"

    def __str__(self) -> str:
        return f"{self.banner}: {self.deed}"


@dataclass(frozen=True)
class Retreat:
    """Where a banner is to retreat to if it is beaten this turn (NIP 9.2)."""

    immediate: ClassVar[bool] = False

    banner: str
    to: int

    @property
    def key(self) -> str:
        """One for each banner, beside its order."""
        return f"retreat {self.banner}"

    @property
    def deed(self) -> str:
        """``retreat to 14``."""
        return f"retreat to {self.to}"

    def __str__(self) -> str:
        return f"{self.banner}: {self.deed}"


@dataclass(frozen=True)
class SetPlan:
    """How a banner is to fight where dice alone decide; it holds until another one comes (NIP 8.3)."""

    immediate: ClassVar[bool] = False

    banner: str
    plan: Plan | None = None
    """By the names of its units; nothing: as the rules have it."""

    @property
    def key(self) -> str:
        """One for each banner, beside its order."""
        return f"plan {self.banner}"

    def __str__(self) -> str:
        return f"plan {self.banner}: {written(self.plan or Plan()) or 'none'}"
