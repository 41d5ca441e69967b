"""The orders of a Nippon campaign (NIP 4). ``str()`` of an order is the line that reads back as that order."""

from dataclasses import dataclass
from typing import ClassVar, Literal

# --- orders to a banner: one for each, the later takes the place of the earlier -----------------------------------


@dataclass(frozen=True)
class BannerOrder:
    """What all orders to a banner share. ``banner`` is its name as its realm knows it."""

    immediate: ClassVar[bool] = False

    banner: str

    @property
    def key(self) -> str:
        """One order per banner (NIP 4)."""
        return f"banner {self.banner}"

    @property
    def deed(self) -> str:
        """The order without the name of the banner."""
        raise NotImplementedError

    def __str__(self) -> str:
        return f"{self.banner}: {self.deed}"


@dataclass(frozen=True)
class Hold(BannerOrder):
    """Stay, and take the section (NIP 6.6)."""

    no_claim: bool = False
    no_assault: bool = False

    @property
    def deed(self) -> str:
        """``hold``."""
        return "hold" + _suffixes(no_claim=self.no_claim, no_assault=self.no_assault)


@dataclass(frozen=True)
class Move(BannerOrder):
    """Go along ``path``, the start left out (NIP 6). As written it may name the goal only; the check settles it."""

    path: tuple[int, ...]
    by_land: bool = False
    no_claim: bool = False
    no_assault: bool = False
    raze: bool = False
    """Raze the section it leaves first (NIP 7.1, 7.2)."""

    @property
    def deed(self) -> str:
        """``move 13 14``."""
        way = " ".join(map(str, self.path))
        suffixes = _suffixes(by_land=self.by_land, no_claim=self.no_claim, no_assault=self.no_assault)
        return f"{'raze and ' if self.raze else ''}move {way}{suffixes}"


@dataclass(frozen=True)
class Raze(BannerOrder):
    """Raze the section and hold (NIP 7.1)."""

    @property
    def deed(self) -> str:
        """``raze and hold``."""
        return "raze and hold"


@dataclass(frozen=True)
class Fortify(BannerOrder):
    """Build works for the next defence (NIP 7.3)."""

    @property
    def deed(self) -> str:
        """``fortify``."""
        return "fortify"


@dataclass(frozen=True)
class Recover(BannerOrder):
    """Try to make a razed section live again (NIP 7.4)."""

    @property
    def deed(self) -> str:
        """``recover``."""
        return "recover"


@dataclass(frozen=True)
class Scatter(BannerOrder):
    """After a draw, with no own section in reach: let the banner scatter (NIP 9.4)."""

    @property
    def deed(self) -> str:
        """``scatter``."""
        return "scatter"


def _suffixes(**given: bool) -> str:
    return "".join(f" {name.replace('_', ' ')}" for name, yes in given.items() if yes)


# --- spending -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Gift:
    """Give production points to another realm (NIP 11.6)."""

    immediate: ClassVar[bool] = False
    rule: ClassVar[str] = "11.6"

    realm: str
    """Seat of the realm that gets them."""
    name: str
    """Its name, for the line."""
    pp: int

    @property
    def key(self) -> str:
        """One for each realm."""
        return f"give {self.realm}"

    def __str__(self) -> str:
        return f"give {self.pp} to {self.name}"


@dataclass(frozen=True)
class Works:
    """What is paid for at a section."""

    immediate: ClassVar[bool] = False

    at: int


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
        """Each kind once at each site."""
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
        """A second one for a section does not take the place of the first: it is refused (NIP 11.3)."""
        return f"upgrade {self.at} {self.to}"

    def __str__(self) -> str:
        return f"upgrade {self.at} to {self.to}"


Spending = Gift | Build | Upgrade
"""What is paid out of the treasury, in the order written."""


# --- diplomacy ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BreakPact:
    """End an alliance, a truce or the right of passage; effective the turn after (NIP 8.2)."""

    immediate: ClassVar[bool] = False

    realm: str
    """Seat of the other side."""
    name: str
    """Its name, for the line."""

    @property
    def key(self) -> str:
        """One for each realm."""
        return f"break {self.realm}"

    def __str__(self) -> str:
        return f"break with {self.name}"


@dataclass(frozen=True)
class Offer:
    """Terms of a parley (NIP 8.2). Relayed at once to all hostile realms at the meeting, or to those named."""

    immediate: ClassVar[bool] = True

    at: int
    to: frozenset[str] = frozenset()
    """Seats; nobody: all others at the meeting."""
    gives: tuple[tuple[str, int], ...] = ()
    """Payments by the offering side: ``(to, pp)``."""
    asks: tuple[tuple[str, int], ...] = ()
    """Payments asked: ``(from, pp)``."""
    cedes: tuple[int, ...] = ()
    """Own sections given up; with more than one partner they go to the first."""
    claims: tuple[int, ...] = ()
    """Sections asked for."""
    pact: Literal["", "alliance", "truce", "passage"] = ""
    turns: int = 0
    words: str = ""

    @property
    def key(self) -> str:
        """One offer for each meeting."""
        return f"offer {self.at}"

    def __str__(self) -> str:
        parts = [f"give {pp} to {seat}" for seat, pp in self.gives]
        parts += [f"ask {pp} from {seat}" for seat, pp in self.asks]
        parts += [f"cede {number}" for number in self.cedes] + [f"claim {number}" for number in self.claims]
        parts += [f"truce {self.turns}" if self.pact == "truce" else self.pact] if self.pact else []
        parts += [f'"{self.words}"'] if self.words else []
        to = f" to {', '.join(sorted(self.to))}" if self.to else ""
        return f"offer {self.at}{to}: {', '.join(parts)}"


@dataclass(frozen=True)
class Answer:
    """Accept or decline terms (NIP 8.2)."""

    immediate: ClassVar[bool] = True

    terms: int
    accept: bool

    @property
    def key(self) -> str:
        """One answer for each offer."""
        return f"answer {self.terms}"

    def __str__(self) -> str:
        return f"{'accept' if self.accept else 'decline'} P{self.terms}"


# --- battles ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class UnitLoss:
    """What the report of a battle says of one unit: ``Iron Wall 12, 3 fled, lost standard``."""

    banner: str
    """Key of the banner."""
    unit: str
    models: int
    fled: int = 0
    standard_lost: bool = False
    champion_dead: bool = False
    musician_dead: bool = False
    in_challenge: bool = False

    @property
    def told(self) -> str:
        """What is said of the unit: ``Iron Wall 12, 3 fled``."""
        told = {
            f"{self.fled} fled": self.fled > 0,
            "lost standard": self.standard_lost,
            "champion dead": self.champion_dead,
            "musician dead": self.musician_dead,
            "in challenge": self.in_challenge,
        }
        return ", ".join([f"{self.unit} {self.models}", *(words for words, so in told.items() if so)])

    def __str__(self) -> str:
        return f"{self.banner.partition(' ')[0]} {self.told}"


@dataclass(frozen=True)
class ReportResult:
    """The result of the battle in section ``at``, as one side saw it (NIP 8.5)."""

    immediate: ClassVar[bool] = True

    at: int
    winner: str = ""
    """A seat, or nothing for a draw."""
    winner_name: str = ""
    degree: Literal["", "victory", "solid victory", "massacre"] = ""
    losses: tuple[UnitLoss, ...] = ()
    """Units not named came through whole."""

    @property
    def key(self) -> str:
        """One result for each battle."""
        return f"result {self.at}"

    def __str__(self) -> str:
        outcome = f"{self.winner_name} {self.degree}" if self.winner else "draw"
        return "; ".join([f"result {self.at}: {outcome}", *map(str, self.losses)])


@dataclass(frozen=True)
class JudgeResult:
    """Confirm or dispute the result that the other side sent (NIP 8.5)."""

    immediate: ClassVar[bool] = True

    at: int
    confirm: bool
    words: str = ""

    @property
    def key(self) -> str:
        """One answer for each battle."""
        return f"judge {self.at}"

    def __str__(self) -> str:
        return f"{'confirm' if self.confirm else 'dispute'} {self.at}" + (f' "{self.words}"' if self.words else "")


Order = (
    Hold
    | Move
    | Raze
    | Fortify
    | Recover
    | Scatter
    | Spending
    | BreakPact
    | Offer
    | Answer
    | ReportResult
    | JudgeResult
)
"""Everything a player may order in this campaign."""
