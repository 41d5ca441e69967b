"""What realms say to each other: pacts, terms, and how a battle came out (NIP 8)."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from pbem.core.wording import counted
from pbem.rulesets.nippon.state import Degree, Loss, PactKind


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
    items: tuple[tuple[str, str], ...] = ()
    """Magic items given by the offering side: ``(to, item)``."""
    wanted: tuple[tuple[str, str], ...] = ()
    """Magic items asked: ``(from, item)``."""
    pact: PactKind | Literal[""] = ""
    turns: int = 0
    words: str = ""

    @property
    def key(self) -> str:
        """One offer to the same realms at each meeting."""
        return f"offer {self.at} {' '.join(sorted(self.to))}".rstrip()

    def __str__(self) -> str:
        parts = [f"give {pp} to {seat}" for seat, pp in self.gives]
        parts += [f"ask {pp} from {seat}" for seat, pp in self.asks]
        parts += [f"give {item} to {seat}" for seat, item in self.items]
        parts += [f"ask {item} from {seat}" for seat, item in self.wanted]
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


@dataclass(frozen=True)
class AskAutomatic:
    """Have the battle in section ``at`` fought automatically if the others want it too, or rather not (NIP 8.3)."""

    immediate: ClassVar[bool] = True

    at: int
    automatic: bool = True

    @property
    def key(self) -> str:
        """One wish for each battle."""
        return f"automatic {self.at}"

    def __str__(self) -> str:
        return f"{'automatic' if self.automatic else 'table'} {self.at}"


@dataclass(frozen=True)
class Defend:
    """Play the garrison or the creatures that are assaulted in section ``at`` on the table (NIP 8.9)."""

    immediate: ClassVar[bool] = True

    at: int

    @property
    def key(self) -> str:
        """Once for each assault."""
        return f"defend {self.at}"

    def __str__(self) -> str:
        return self.key


def wounds(lacking: int) -> str:
    """So many wounds, in words."""
    return counted(lacking, "wound")


@dataclass(frozen=True)
class AskDiceOff:
    """Roll off for the battle in section ``at``, whose result is disputed, if the other side wants it too (NIP 8.5)."""

    immediate: ClassVar[bool] = True

    at: int

    @property
    def key(self) -> str:
        """One wish for each battle, this or an automatic one."""
        return f"automatic {self.at}"

    def __str__(self) -> str:
        return f"dice-off {self.at}"


@dataclass(frozen=True)
class UnitLoss:
    """What the report of a battle says of one unit: ``Iron Wall 12, 3 fled, lost standard``."""

    banner: str
    """Key of its banner; the seat alone: it fights from its realm's reserve; or it is a garrison's."""
    loss: Loss

    @property
    def of(self) -> tuple[str, str]:
        """Whose unit it is, and its name."""
        return self.banner, self.loss.unit

    @property
    def told(self) -> str:
        """What is said of the unit: ``Iron Wall 12, 3 fled``."""
        loss = self.loss
        told = {
            f"{loss.fled} fled": loss.fled > 0,
            wounds(loss.wounds): loss.wounds > 0,
            "lost standard": loss.standard_lost,
            "champion dead": loss.champion_dead,
            "musician dead": loss.musician_dead,
            "mount dead": loss.mount_dead,
            f"mount {wounds(loss.mount_wounds)}": loss.mount_wounds > 0,
            "in challenge": loss.in_challenge,
        }
        return ", ".join([f"{loss.unit} {loss.models}", *(words for words, so in told.items() if so)])

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
    degree: Degree = ""
    losses: tuple[UnitLoss, ...] = ()
    """Units not named came through whole."""
    destroyed: tuple[str, ...] = ()
    """Buildings and war machines of the site that the battle has destroyed, each as often as it was."""

    @property
    def key(self) -> str:
        """One result for each battle."""
        return f"result {self.at}"

    def __str__(self) -> str:
        outcome = f"{self.winner_name} {self.degree}" if self.winner else "draw"
        burnt = (f"{name} destroyed" for name in self.destroyed)
        return "; ".join([f"result {self.at}: {outcome}", *map(str, self.losses), *burnt])


@dataclass(frozen=True)
class JudgeResult:
    """Confirm or dispute the result that another sent (NIP 8.5)."""

    immediate: ClassVar[bool] = True

    at: int
    confirm: bool
    words: str = ""
    version: int = 0
    """Which result is confirmed, where one has taken another's place; 0: the only one."""

    @property
    def key(self) -> str:
        """One answer for each battle."""
        return f"judge {self.at}"

    def __str__(self) -> str:
        battle = f"{self.at}-{self.version}" if self.version else str(self.at)
        return f"{'confirm' if self.confirm else 'dispute'} {battle}" + (f' "{self.words}"' if self.words else "")


@dataclass(frozen=True)
class Ruling:
    """The organizer settles a dispute (NIP 8.5). No seat can order it."""

    at: int
    told: ReportResult | None
    """How the battle came out; nothing: it is to be fought automatically."""
    reason: str
    """For all who fought it."""
