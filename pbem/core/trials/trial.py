"""A rule case being played: a position, dice that show what they are told, orders, and what came of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.core.dice import EVERYONE, Audience, Dice, Meaning, Roll, Row, repeating, value
from pbem.core.errors import NotNow, RuleError
from pbem.core.orders import Check, Fault, Line, Sheet, Written, merge
from pbem.core.ruleset import ORGANIZER, Dispute, never_ruled, never_withdrawn
from pbem.core.trials.phrases import BadLine, Vocabulary
from pbem.core.turn import Entry, Phase, resolve

ENDLESS = 2000
"""More dice than this in one case: equal dice are being rolled again for ever."""


@dataclass(frozen=True)
class Game:
    """What a rule system lends to its cases."""

    draft: Callable[[], Any]
    """An empty position, for the phrases of :attr:`position` to fill."""
    build: Callable[[Any], Any]
    """A filled draft to a state; raises ``BadLine`` where it does not hold together."""
    position: Vocabulary
    """Phrases that describe the position; they are called with the draft."""
    expected: Vocabulary
    """Phrases that say what should come out; called with the :class:`Trial`, they return what came instead."""
    events: Sequence[type]
    view: Callable[[Any, str], Any]
    read: Callable[[Any, Sequence[Line]], Sheet]
    check: Callable[[Any, Sequence[Written]], Check]
    phases: Callable[[Any], Sequence[Phase]]
    acts: Sequence[Phase]
    stage: Callable[[Any], str]
    """The kind of the stage that a state is in."""
    withdraw: Callable[[Any, str, str], Any] = never_withdrawn
    """What the organizer orders when nobody plays a seat any more."""
    readmit: Callable[[Any, str, str], Any | None] = lambda state, seat, reason: None
    ruling: Callable[[Any, str], tuple[Dispute, Any]] = never_ruled
    """What he orders when he rules on what players do not agree on."""
    expecting: Callable[[Any, Sequence[Written]], Any] = lambda view, orders: view
    """What a seat's orders on file will make of its view: later lines are read in it."""
    usual: Callable[[str], int | None] = lambda label: None
    """What a die shows that no line gives, where it does not matter to most cases."""


class GivenDice(Dice):
    """Dice that show what a case says. A die without a value is noted, so that all of them can be told at once."""

    def __init__(self, usual: Callable[[str], int | None]) -> None:
        super().__init__()
        self.given: dict[str, int] = {}
        self.others: int | None = None
        """What all dice show that no line gives."""
        self.missing: dict[str, int] = {}
        """The sides of each die that should have had a value, by label."""
        self._usual = usual
        self._count = 0

    def roll(self, label: str, sides: int, to: Audience = EVERYONE, meaning: Meaning | None = None) -> Roll:
        """The given value; else that of ``dice any``, capped at the sides; else the usual one for its label."""
        self._count += 1
        if self._count > ENDLESS:
            raise RuleError(f"more than {ENDLESS} dice, the last for {label!r}: equal dice roll again for ever")
        roll = Roll(label, sides, self._shown(label, sides))
        if not 1 <= roll.value <= sides:
            raise RuleError(f"{label!r} is a D{sides} and cannot show {roll.value}")
        self.rolled[label, to] = roll
        return roll

    def row(self, label: str, sides: int = 6, to: Audience = EVERYONE) -> Row:
        """A row that repeats the digits of the value that is given, or usual. It counts as rolled when it is begun."""
        digits = self.given.get(label, self._usual(label) if self.others is None else self.others)
        if digits is None:
            self.missing[label] = sides
        row = repeating(label, sides, digits or 1)
        self.rolled[label, to] = row.told()
        return row

    def last(self, label: str) -> Roll | None:
        """The die of this label, if it was rolled."""
        return next((roll for (said, _), roll in self.rolled.items() if said == label), None)

    def _shown(self, label: str, sides: int) -> int:
        if label in self.given:
            return self.given[label]
        usual = self._usual(label) if self.others is None else self.others
        if usual is None:
            self.missing[label] = sides
            return value(b"", label, sides)
        return min(usual, sides)


@dataclass
class Trial:
    """A case being played."""

    game: Game
    state: Any
    dice: GivenDice
    log: list[Entry] = field(default_factory=list)
    filed: dict[str, tuple[Written, ...]] = field(default_factory=dict)
    unchecked: dict[str, list[Any]] = field(default_factory=dict)
    checks: dict[str, Check] = field(default_factory=dict)
    refusals: dict[int, tuple[str, Fault]] = field(default_factory=dict)
    """Refused orders: seat and fault by the line of the case."""
    foreseen: set[int] = field(default_factory=set)
    """Lines of orders whose refusal the case expects."""
    played: bool = False
    line: int = 0
    """The line being carried out."""

    def order(self, seat: str, text: str) -> None:
        """Read an order as the seat's player would have sent it, check it, and act on it if it is immediate."""
        for written in self._read(seat, text):
            if written.order.immediate:
                self._act(seat, self._checked(seat, (written,)))
            else:
                self.filed[seat] = merge((), (*self.filed.get(seat, ()), written))
                for earlier in self.filed[seat]:  # what a line alone cannot do, two together may
                    self.refusals.pop(earlier.line.number, None)
                self.checks[seat] = self._checked(seat, self.filed[seat])

    def order_unchecked(self, seat: str, text: str) -> None:
        """Read an order and file it though a check might refuse it."""
        self.unchecked.setdefault(seat, []).extend(written.order for written in self._read(seat, text))

    def by_hand(self, about: str, order: Callable[[Any], Any | None]) -> None:
        """Have the organizer do something, about a seat or about ``organizer``: what only he can order of a state."""
        try:
            given = order(self.state)
        except NotNow as error:
            self._refuse(about, [Fault(Line(self.line, ""), "", str(error))])
            return
        self._resolve(self.game.acts, {ORGANIZER: [given] if given else []}, Dice())

    def play(self) -> None:
        """Resolve the stage in which the position is."""
        orders = {
            seat: [*(verdict.written.order for verdict in check.verdicts), *self.unchecked.get(seat, ())]
            for seat, check in {**dict.fromkeys(self.unchecked, Check()), **self.checks}.items()
        }
        self._resolve(self.game.phases(self.state), dict(sorted(orders.items())), self.dice)
        self.filed, self.unchecked, self.checks, self.played = {}, {}, {}, True

    def settle(self) -> None:
        """Play what has been ordered and not yet played; a case without orders is played once."""
        if not self.played or self.filed or self.unchecked:
            self.play()

    def _read(self, seat: str, text: str) -> tuple[Written, ...]:
        view = self.game.expecting(self.game.view(self.state, seat), self.filed.get(seat, ()))
        sheet = self.game.read(view, [Line(self.line, text)])
        self._refuse(seat, sheet.faults)
        if sheet.ignored:
            raise BadLine(f"{text!r} does not look like an order")
        return sheet.orders

    def _checked(self, seat: str, orders: Sequence[Written]) -> Check:
        check = self.game.check(self.game.view(self.state, seat), orders)
        self._refuse(seat, check.faults)
        return check

    def _refuse(self, seat: str, faults: Sequence[Fault]) -> None:
        self.refusals.update({fault.line.number: (seat, fault) for fault in faults})

    def _act(self, seat: str, check: Check) -> None:
        if check.verdicts:
            self._resolve(self.game.acts, {seat: [verdict.written.order for verdict in check.verdicts]}, Dice())

    def _resolve(self, phases: Sequence[Phase], orders: Mapping[str, Sequence[Any]], dice: Dice) -> None:
        """What acts at once is given dice of which none can be rolled: each roll is an error."""
        resolution = resolve(phases, self.state, orders, dice)
        self.state = resolution.state
        self.log += resolution.log
