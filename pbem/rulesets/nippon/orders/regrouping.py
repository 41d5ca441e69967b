"""Who marches under which banner, and who leads (NIP 3)."""

from dataclasses import dataclass
from typing import ClassVar

THE_RESERVE = "the reserve"
"""Where units stand that belong to no banner; no banner can be called so."""


@dataclass(frozen=True)
class Regrouping:
    """What all lines about banners and units share: they are carried out before the orders, as written (NIP 3.6)."""

    immediate: ClassVar[bool] = False
    rule: ClassVar[str] = "3.6"

    @property
    def key(self) -> str:
        """What it is about; a later line about the same takes its place."""
        raise NotImplementedError


@dataclass(frozen=True)
class Form(Regrouping):
    """Make a new banner of units that stand in one section."""

    name: str
    units: tuple[str, ...]
    """By name: a name is unique in its realm."""

    @property
    def key(self) -> str:
        """One for each new banner."""
        return f"form {self.name}"

    def __str__(self) -> str:
        return f"form {self.name} from {', '.join(self.units)}"


@dataclass(frozen=True)
class Transfer(Regrouping):
    """Send units over to another banner, or into the reserve of the site."""

    units: tuple[str, ...]
    to: str
    """A banner's name, or :data:`THE_RESERVE`."""

    @property
    def key(self) -> str:
        """One for the same units: a unit may be sent on."""
        return f"transfer {', '.join(self.units)}"

    def __str__(self) -> str:
        return f"transfer {', '.join(self.units)} to {self.to}"


@dataclass(frozen=True)
class Join(Regrouping):
    """Let a banner go over to another as a whole, or into the reserve of the site; then it is no more."""

    banner: str
    to: str
    """A banner's name, or :data:`THE_RESERVE`."""

    @property
    def key(self) -> str:
        """A banner joins one other."""
        return f"join {self.banner}"

    def __str__(self) -> str:
        return f"join {self.banner} to {self.to}"


@dataclass(frozen=True)
class Rename(Regrouping):
    """Call a banner otherwise."""

    banner: str
    to: str

    @property
    def key(self) -> str:
        """A banner gets one new name a turn."""
        return f"rename {self.banner}"

    def __str__(self) -> str:
        return f"rename {self.banner} to {self.to}"


@dataclass(frozen=True)
class Appoint(Regrouping):
    """Name the hero or lord who leads the banner he is with (NIP 3.4)."""

    rule: ClassVar[str] = "3.4"

    unit: str

    @property
    def key(self) -> str:
        """A second one in the same banner takes over from the first when it is carried out."""
        return f"general {self.unit}"

    def __str__(self) -> str:
        return f"general {self.unit}"
