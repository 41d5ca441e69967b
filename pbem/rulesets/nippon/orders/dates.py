"""When and by whom a battle is played on the table (NIP 8.8)."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Arranging:
    """What all that is said about when and by whom a battle is played shares; ``at`` is its section."""

    immediate: ClassVar[bool] = True

    at: int


@dataclass(frozen=True)
class ProposeDate(Arranging):
    """A date for a battle, in the player's own words; told to all concerned at once."""

    words: str

    @property
    def key(self) -> str:
        """One word about the date of each battle: this, yes or no."""
        return f"date {self.at}"

    def __str__(self) -> str:
        return f'propose B{self.at} "{self.words}"'


@dataclass(frozen=True)
class AgreeDate(Arranging):
    """Yes to the date that was proposed for a battle."""

    @property
    def key(self) -> str:
        """As of :class:`ProposeDate`."""
        return f"date {self.at}"

    def __str__(self) -> str:
        return f"agree B{self.at}"


@dataclass(frozen=True)
class Cannot(Arranging):
    """Its player cannot play a battle; a deputy plays it, or else dice do. From a deputy: he gives it back."""

    words: str = ""

    @property
    def key(self) -> str:
        """As of :class:`ProposeDate`."""
        return f"date {self.at}"

    def __str__(self) -> str:
        return f"cannot B{self.at}" + (f' "{self.words}"' if self.words else "")


@dataclass(frozen=True)
class NameDeputy(Arranging):
    """The player of another realm is to play a battle; he has no part in it himself."""

    realm: str
    """Seat of the deputy; nothing: nobody any more."""
    name: str
    """Its name, for the line."""

    @property
    def key(self) -> str:
        """One for each battle."""
        return f"deputy {self.at}"

    def __str__(self) -> str:
        return f"deputy {self.name if self.realm else 'none'} for B{self.at}"


@dataclass(frozen=True)
class Contact:
    """How a player can be reached by those whom he meets; by nobody if he does not say it."""

    immediate: ClassVar[bool] = True

    words: str = ""
    """Nothing: it is taken back."""

    @property
    def key(self) -> str:
        """One for each realm."""
        return "contact"

    def __str__(self) -> str:
        return f'contact "{self.words}"' if self.words else "contact none"


@dataclass(frozen=True)
class Volunteer:
    """Whether a player stands ready to play the battles of others."""

    immediate: ClassVar[bool] = True

    ready: bool = True

    @property
    def key(self) -> str:
        """One for each realm."""
        return "volunteer"

    def __str__(self) -> str:
        return f"volunteer {'yes' if self.ready else 'no'}"
