"""What is paid out of the treasury (NIP 11)."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from pbem.rulesets.nippon.state import ShipKind


@dataclass(frozen=True)
class Gift:
    """Give production points to another realm (NIP 11.6)."""

    immediate: ClassVar[bool] = False
    adds_up: ClassVar[bool] = True
    rule: ClassVar[str] = "11.6"

    realm: str
    """Seat of the realm that gets them."""
    name: str
    """Its name, for the line."""
    pp: int

    @property
    def key(self) -> str:
        """To each realm."""
        return f"give {self.realm}"

    def __str__(self) -> str:
        return f"give {self.pp} to {self.name}"


@dataclass(frozen=True)
class Works:
    """What is paid for at a section, line by line: written twice it is bought twice, or refused."""

    immediate: ClassVar[bool] = False
    adds_up: ClassVar[bool] = True

    at: int


@dataclass(frozen=True)
class Recruit(Works):
    """Produce a unit, or a character (NIP 11.1)."""

    rule: ClassVar[str] = "11.1"

    type: str
    """As the army list calls it."""
    models: int = 1
    extras: tuple[str, ...] = ()
    """What is paid for besides: ``musician``, ``shield``, ``warhorse``, ``banner battle standard``."""
    name: str = ""
    """Without one it gets that of its type."""

    @property
    def key(self) -> str:
        """Each unit at each site."""
        return f"recruit {self.type} {self.at} {self.name}"

    def __str__(self) -> str:
        models = f"{self.models} " if self.models > 1 else ""
        extras = f" ({', '.join(self.extras)})" if self.extras else ""
        return f"recruit {models}{self.type} at {self.at}{extras}" + (f" name {self.name}" if self.name else "")


@dataclass(frozen=True)
class Reinforce(Works):
    """Add models to a unit that is there (NIP 11.1)."""

    rule: ClassVar[str] = "11.1"

    unit: str
    models: int

    @property
    def key(self) -> str:
        """Each unit."""
        return f"reinforce {self.unit}"

    def __str__(self) -> str:
        return f"reinforce {self.unit} with {self.models} at {self.at}"


@dataclass(frozen=True)
class BuyStandard(Works):
    """Give a unit that has lost its standard in battle another one (NIP 11.1)."""

    rule: ClassVar[str] = "11.1"

    unit: str

    @property
    def key(self) -> str:
        """Each unit."""
        return f"standard {self.unit}"

    def __str__(self) -> str:
        return f"buy standard for {self.unit} at {self.at}"


@dataclass(frozen=True)
class Build(Works):
    """Put a building, or a stationary war machine, up at a site (NIP 11.2)."""

    rule: ClassVar[str] = "11.2"

    what: str
    """``tavern``, or a type of war machine of the realm's army list."""
    count: int = 1
    """Of machines a site may get several in a turn."""

    @property
    def key(self) -> str:
        """Each kind at each site."""
        return f"build {self.what} {self.at}"

    def __str__(self) -> str:
        return f"build {f'{self.count} ' if self.count > 1 else ''}{self.what} at {self.at}"


@dataclass(frozen=True)
class Upgrade(Works):
    """Found a village, make more of a site, or give it a port (NIP 11.3)."""

    rule: ClassVar[str] = "11.3"

    to: Literal["village", "keep", "stronghold", "port"]

    @property
    def key(self) -> str:
        """Each at each section."""
        return f"upgrade {self.at} {self.to}"

    def __str__(self) -> str:
        return f"upgrade {self.at} to {self.to}"


@dataclass(frozen=True)
class Launch(Works):
    """Build one or more ships in a port (NIP 11.4)."""

    rule: ClassVar[str] = "11.4"

    kind: ShipKind
    count: int = 1
    name: str = ""
    """Of a single ship; without one it gets a name."""

    @property
    def key(self) -> str:
        """Each kind at each port, and each name."""
        return f"ship {self.kind} {self.at} {self.name}"

    def __str__(self) -> str:
        ships = f"{self.count} {self.kind}s" if self.count > 1 else self.kind
        return f"ship {ships} at {self.at}" + (f" name {self.name}" if self.name else "")


@dataclass(frozen=True)
class Trade(Works):
    """What is done with a magic item (NIP 11.5)."""

    rule: ClassVar[str] = "11.5"

    item: str
    bearer: str
    """The unit that carries it, before or after, by name."""


@dataclass(frozen=True)
class Buy(Trade):
    """Buy an item in a merchant city, or have it made at one's own forge."""

    bid: int = 0
    """What it is worth to the buyer if others want the last one, too; 0: its price."""

    @property
    def key(self) -> str:
        """Each kind for each bearer, with whatever bid."""
        return f"buy {self.item} {self.at} {self.bearer}"

    def __str__(self) -> str:
        return f"buy {self.item} at {self.at} for {self.bearer}{f' bid {self.bid}' if self.bid else ''}"


@dataclass(frozen=True)
class Sell(Trade):
    """Sell an item to a merchant city for half its price."""

    @property
    def key(self) -> str:
        """Each kind from each bearer."""
        return f"sell {self.item} {self.bearer}"

    def __str__(self) -> str:
        return f"sell {self.item} of {self.bearer} at {self.at}"


Spending = Gift | Recruit | Reinforce | BuyStandard | Build | Upgrade | Launch | Buy | Sell
"""What is paid out of the treasury, in the order written."""
