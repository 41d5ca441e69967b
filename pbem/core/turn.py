"""Resolve one stage of a game: rules in order of the book, events out.

Events are the only writers of a state. Nothing can happen that a report cannot tell; folding the log over the
state before gives the state after; and who may know of an event is settled when it happens.
"""

import functools
import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, Self, TypeVar, cast

from pbem.core.dice import EVERYONE, NOBODY, Audience, Dice, Meaning, Roll, Row
from pbem.core.errors import RuleError


class State(Protocol):
    """A position. Everything below its top is frozen, so that a copy costs next to nothing."""

    def copy(self) -> Self:
        """A state that events may write to without touching this one."""
        ...


class Event(Protocol):
    """Something that happened."""

    def apply(self, state: Any) -> None:
        """Change the state accordingly: the only code that does."""
        ...


S = TypeVar("S", bound=State)
P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)
class Entry:
    """One line of a stage's log: what happened, the rule that says so, who may know, the dice behind it."""

    rule: str
    audience: Audience
    event: Any
    rolls: tuple[Roll, ...] = ()
    seed: Audience = EVERYONE
    """Whose seed the dice hang on: the audience's, unless they were :meth:`Turn.sealed` or it was narrowed later."""
    others: tuple[tuple[Audience, Any], ...] = ()
    """What those learn who may not know the event itself: an audience, and an event that changes nothing."""

    def visible(self, seat: str | None) -> bool:
        """Whether ``seat`` may know of it; ``None`` is the public."""
        return _among(seat, self.audience)

    def told(self, seat: str | None) -> Self | None:
        """What ``seat`` may know of it: all, without the dice what others learn instead, or nothing."""
        if self.visible(seat):
            return self
        instead = (pair for pair in self.others if _among(seat, pair[0]))
        return next((replace(self, audience=to, event=event, rolls=(), others=()) for to, event in instead), None)


def _among(seat: str | None, audience: Audience) -> bool:
    return audience == EVERYONE or seat in audience


@dataclass(frozen=True)
class Resolution(Generic[S]):
    """What came of a stage."""

    state: S
    log: tuple[Entry, ...]


@dataclass
class Turn(Generic[S]):
    """A stage being resolved: all that a rule may read, and the only thing it may write to."""

    state: S
    """The position as it stands now; written by :meth:`emit` alone."""
    orders: Mapping[str, Sequence[Any]]
    """The orders of each seat, as checked and filed, in the order of the seats."""
    dice: Dice
    log: list[Entry] = field(default_factory=list)
    _citing: list[str] = field(default_factory=list)
    _rolls: list[Roll | Row] = field(default_factory=list)
    _rolls_for: Audience = EVERYONE
    _sealing: bool = False

    def emit(self, event: Event, to: Audience = EVERYONE) -> None:
        """Let something happen, known to ``to``. The dice rolled since the last event belong to it."""
        if self._rolls and self._rolls_for != to:
            raise RuleError(f"dice for {sorted(self._rolls_for)} lead to an event for {sorted(to)}: {event}")
        if not self._citing:
            raise RuleError(f"no rule says so: {event}")
        event.apply(self.state)
        told = (each.told() if isinstance(each, Row) else each for each in self._rolls)
        rolls = tuple(roll for roll in told if roll.value)  # A row of which no die was asked for tells nothing.
        self.log.append(Entry(self._citing[-1], to, event, rolls, self._seed(to)))
        self._rolls.clear()

    def roll(self, label: str, sides: int = 6, to: Audience = EVERYONE, meaning: Meaning | None = None) -> int:
        """Roll a die for the question ``label``. The next event tells it, and must have the same audience.

        A rule to which several values are the same may say so by their ``meaning``, for those who count the odds.
        """
        roll = self.dice.roll(label, sides, self._seed(to), meaning)
        self._await(roll, label, to)
        return roll.value

    def row(self, label: str, sides: int = 6, to: Audience = EVERYONE) -> Row:
        """Dice for the question ``label``, as many as are asked for. The next event tells them as one."""
        row = self.dice.row(label, sides, self._seed(to))
        self._await(row, label, to)
        return row

    def _await(self, roll: Roll | Row, label: str, to: Audience) -> None:
        """Dice wait for the event that tells them."""
        if self._rolls and self._rolls_for != to:
            raise RuleError(f"dice for {sorted(self._rolls_for)} and for {sorted(to)} before one event: {label}")
        self._rolls.append(roll)
        self._rolls_for = to

    def _seed(self, to: Audience) -> Audience:
        return NOBODY if self._sealing and to == EVERYONE else to

    @contextmanager
    def sealed(self) -> Iterator[None]:
        """Until the block ends, take the dice for everyone from a seed that nobody gets before the game is over: what
        has been rolled may turn out not to be for everyone."""
        self._sealing = True
        try:
            yield
        finally:
            self._sealing = False

    def narrow(self, entries: Callable[[Entry], Entry]) -> None:
        """Take back what not everyone may know: each entry for everyone becomes what ``entries`` makes of it."""
        self.log[:] = [entries(entry) if entry.audience == EVERYONE else entry for entry in self.log]

    def passes(self, label: str, least: int, sides: int = 6) -> bool:
        """Roll a die that all may know for a test that ``least`` and more pass."""
        return self.roll(label, sides, meaning=lambda pips: pips >= least) >= least

    def given(self, kind: type[R]) -> Iterator[tuple[str, R]]:
        """All orders of a kind, each with its seat: by seat, then as written."""
        return ((seat, order) for seat in sorted(self.orders) for order in self.orders[seat] if isinstance(order, kind))

    @contextmanager
    def citing(self, number: str) -> Iterator[None]:
        """Name the rule that speaks until the block ends."""
        self._citing.append(number)
        try:
            yield
        finally:
            self._citing.pop()

    def close(self) -> Resolution[S]:
        """End the stage. A die that no event tells of is a broken promise."""
        if self._rolls:
            raise RuleError(f"rolled, but told by no event: {[roll.label for roll in self._rolls]}")
        return Resolution(self.state, tuple(self.log))


Phase = Callable[[Turn[Any]], object]
"""One line of a sequence of play."""


def rule(
    number: str, title: str
) -> Callable[[Callable[Concatenate[Turn[Any], P], R]], Callable[Concatenate[Turn[Any], P], R]]:
    """Tie a function to one heading of the rulebook; its events cite the number."""

    def mark(function: Callable[Concatenate[Turn[Any], P], R]) -> Callable[Concatenate[Turn[Any], P], R]:
        @functools.wraps(function)
        def run(turn: Turn[Any], *args: P.args, **kwargs: P.kwargs) -> R:
            with turn.citing(number):
                return function(turn, *args, **kwargs)

        vars(run).update(number=number, title=title)
        return cast(Callable[Concatenate[Turn[Any], P], R], run)

    return mark


def number_of(phase: Callable[..., Any]) -> str:
    """The heading of the rulebook that :func:`rule` has tied a function to; nothing: none."""
    number: str = vars(phase).get("number", "")
    return number


def resolve(phases: Sequence[Phase], state: S, orders: Mapping[str, Sequence[Any]], dice: Dice) -> Resolution[S]:
    """Play ``phases`` in their order. The same input gives the same resolution, always and anywhere."""
    turn = Turn(state.copy(), orders, dice)
    with _uncollected():
        for phase in phases:
            phase(turn)
    return turn.close()


@contextmanager
def _uncollected() -> Iterator[None]:
    """Look for no cycles of garbage until the block ends: a stage makes none, but so much besides that in a very large
    campaign the search, again and again through all of it, takes a third of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def fold(state: S, log: Sequence[Entry]) -> S:
    """The state after ``log``, from the state before it."""
    after = state.copy()
    for entry in log:
        entry.event.apply(after)
    return after
