"""Letters about a player's orders."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Literal

from pbem.core.odds import Forecast
from pbem.core.orders import Check, Fault, Line, Sheet, Verdict
from pbem.reports.letters.head import Letter


@dataclass(frozen=True)
class Acknowledgement(Letter):
    """The answer to a mail with orders.

    What was in this mail is ``sheet``, what is on file now ``check``, made of the whole merged set. From these faults,
    new orders, kept orders and defaults are derived."""

    turn: int
    receipt: str
    """``K7Q2``; nothing if nothing was filed."""
    content: str
    """SHA-256 of the mail's content, hex; nothing if the mail has no part in the dice."""
    received: datetime
    sheet: Sheet
    """What this mail said. After ``YES`` to orders in a quoted part: those orders."""
    check: Check
    """The whole set now on file, and the faults the check found."""
    kind: Literal["filed", "unchanged", "late", "overdue", "quoted", "outside"] = "filed"
    """``unchanged``: this mail was here before. ``late``: it answers a closed stage; its orders wait for a ``YES`` to
    count in the open one, where ``check`` is what they would do. ``overdue``: it came after the deadline of a stage
    that is being closed; nothing counts. ``quoted``: orders stand only in the quoted part (``sheet`` holds those),
    ``outside``: some stand outside the card, or below a quotation below others; they wait for a ``YES``."""
    same_as: str = ""
    """For ``unchanged``: the receipt of the first copy."""
    missed: str = ""
    """For ``late`` and ``overdue``: the stage it answers."""
    closed: datetime | None = None
    """For ``late``: when that stage was closed. For ``overdue``: its deadline."""
    later: str = ""
    """The receipt of a mail that was received later, at ``later_at``, and read before; nothing: there is none."""
    later_at: datetime | None = None
    overtaken: tuple[str, ...] = ()
    """Lines of this mail that do not count, because a later one says otherwise."""
    all_hold: bool = False
    """The mail said ``OK``."""
    final: bool = False
    """The mail said ``FINAL``: the player is done."""
    reopened: bool = False
    """An earlier mail said ``FINAL``; this one changes something, so that no longer holds."""
    replaced: bool = False
    """The mail said ``REPLACE ALL``."""
    dropped: tuple[str, ...] = ()
    """The lines that were on file and no longer are: cancelled, or fallen to ``REPLACE ALL``."""
    outdone: tuple[tuple[str, str], ...] = ()
    """Orders of this mail that do not count, each with the later one that takes its place; equal, if it repeats it."""
    done: tuple[str, ...] = ()
    """What the ``acted`` immediate orders of this mail did, as sentences: they are carried out already."""
    acted: int = 0
    examples: tuple[str, ...] = ()
    """Three lines this player could send, for a mail in which nothing could be read."""

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        """All faults, in the order of the lines."""
        return tuple(sorted(self.sheet.faults + self.check.faults, key=lambda fault: fault.line.number))

    @cached_property
    def understood(self) -> tuple[Verdict, ...]:
        """The orders of this mail that are now on file."""
        said = {(written.order.key, written.line) for written in self.sheet.orders}
        on_file = ((verdict, verdict.written) for verdict in self.check.verdicts)
        return tuple(verdict for verdict, written in on_file if (written.order.key, written.line) in said)

    @cached_property
    def kept(self) -> tuple[Verdict, ...]:
        """The orders of earlier mails that are still on file."""
        new = self.understood
        return tuple(verdict for verdict in self.check.verdicts if verdict not in new)

    @property
    def good(self) -> int:
        """How many orders of this mail were understood."""
        return len(self.understood) + self.acted

    @property
    def total(self) -> int:
        """How many orders this mail held."""
        return self.good + len(self.faults)

    @property
    def readable(self) -> bool:
        """Whether anything in the mail could be read as an order or a word to the server."""
        return bool(self.total or self.all_hold or self.final or self.replaced or self.dropped or self.later)

    @property
    def ignored(self) -> tuple[Line, ...]:
        """Lines that did not look like orders."""
        return self.sheet.ignored

    def otherwise(self, fault: Fault) -> str:
        """What happens if the player leaves a fault as it is: what is on file, else the default. It is told once, with
        the last of the faults for which it is the same."""
        told = self._default(fault)
        last = next(each for each in reversed(self.faults) if self._default(each) == told)
        return told if last is fault else ""

    def _default(self, fault: Fault) -> str:
        on_file = {verdict.subject: f"your order on file stays, {verdict.does}" for verdict in self.check.verdicts}
        defaults = {subject: f"{subject}: {deed}" for subject, deed in self.check.defaults}
        return on_file.get(fault.subject) or fault.otherwise or defaults.get(fault.subject, "")


@dataclass(frozen=True)
class Status(Letter):
    """What a player has on file; the answer to ``STATUS``."""

    turn: int
    stage: str
    """``Turn 7, orders``."""
    check: Check
    receipt: str = ""
    """The receipt of the last mail that counted; nothing: none came."""
    received: datetime | None = None
    final: bool = False
    awaited: bool = True
    """Whether the stage waits for this seat."""
    standing: tuple[tuple[str, str], ...] = ()
    """What he has decided for all stages, until he says otherwise: about what, and what."""


@dataclass(frozen=True)
class Try(Letter):
    """What may come of a card that was not filed; the answer to ``TRY``."""

    turn: int
    stage: str
    """``Turn 7, orders``."""
    forecast: Forecast | None
    """``None``: nothing in this stage can be foreseen."""
    check: Check
    """What would be on file."""
    sheet: Sheet
    """What the mail said."""
    undone: tuple[str, ...] = ()
    """Words of the mail that were not obeyed: ``FINAL``."""
    outdone: tuple[tuple[str, str], ...] = ()
    """Orders of the mail that do not count, each with the one that takes its place."""

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        """All lines that need the player: his orders and what he assumes, in the order of the lines."""
        assumed = self.forecast.faults if self.forecast else ()
        faults = (*self.sheet.faults, *self.check.faults, *assumed)
        return tuple(sorted(faults, key=lambda fault: fault.line.number))


@dataclass(frozen=True)
class Reminder(Letter):
    """To a player from whom nothing came."""

    turn: int
    stage: str
    defaults: tuple[tuple[str, str], ...] = ()
    """What happens without a word from him: ``Check.defaults`` and ``matters`` of an empty card."""
    form: tuple[str, ...] = ()
    """The order form, to reply with."""


@dataclass(frozen=True)
class Notice(Letter):
    """News of what another player's immediate order did, with the lines to answer it."""

    turn: int
    topic: str
    """A few words for the subject: ``an offer at 14 Ford``."""
    sentences: tuple[str, ...]
    answers: tuple[tuple[str, str], ...] = ()
    """Line to send and what it does: ``("accept P3", "takes the terms")``."""
    otherwise: str = ""
    """What happens without an answer."""
    facts: tuple[tuple[str, str], ...] = ()
    """What the reader has to know beyond the sentences, by subject."""
    form: tuple[str, ...] = ()
    """The order form, where the facts have changed what stands in it."""
