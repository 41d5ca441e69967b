"""What is done with magic items, beside trade (NIP 14)."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Use:
    """What is done with an item by the unit that carries it."""

    item: str
    bearer: str
    """The unit, by name."""

    @property
    def key(self) -> str:
        """Each kind by each bearer."""
        return f"use {self.item} {self.bearer}"

    def __str__(self) -> str:
        return f"use {self.item} by {self.bearer}"


@dataclass(frozen=True)
class Handling(Use):
    """What is done before the orders of a turn, after banners are regrouped (NIP 4.1); twice, if there are two."""

    immediate: ClassVar[bool] = False
    adds_up: ClassVar[bool] = True
    rule: ClassVar[str] = "14.1"


@dataclass(frozen=True)
class HandOver(Handling):
    """Let another unit in the same section carry an item (NIP 14.1)."""

    to: str
    """Unit, by name."""

    @property
    def key(self) -> str:
        """Each kind from each bearer."""
        return f"transfer {self.item} {self.bearer}"

    def __str__(self) -> str:
        return f"transfer {self.item} from {self.bearer} to {self.to}"


@dataclass(frozen=True)
class Drink(Handling):
    """Drink an elixir (NIP 14.2, 14.3)."""

    rule: ClassVar[str] = "14.2"


@dataclass(frozen=True)
class Quaff(Use):
    """Drink a potion of the day, at once (NIP 14.4)."""

    immediate: ClassVar[bool] = True
    adds_up: ClassVar[bool] = True
    rule: ClassVar[str] = "14.4"


@dataclass(frozen=True)
class Scry:
    """Look into another realm's banner, at once (NIP 14.5)."""

    immediate: ClassVar[bool] = True
    rule: ClassVar[str] = "14.5"

    banner: str
    """Its key."""
    name: str
    """For the line: ``Blue's Red Fist``."""

    @property
    def key(self) -> str:
        """It acts at once: nothing takes its place."""
        return f"scry {self.banner}"

    def __str__(self) -> str:
        return f"scry {self.name}"
