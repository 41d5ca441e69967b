"""The odds of what hangs on dice: every way in which they can fall, or a sample of the ways.

What is asked about is a function of dice, such as a stage resolved with them. It is run again and again from its
beginning, and each run is dealt other dice, so that it needs to know nothing of this; it must be pure.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Generic, TypeVar

from pbem.core.dice import EVERYONE, Audience, Dice, Meaning, Roll, Row, sealed_seed
from pbem.core.errors import RuleError
from pbem.core.orders import Fault

T = TypeVar("T", bound=Hashable)
K = TypeVar("K", bound=Hashable)

Play = Callable[[Dice], T]
"""What hangs on dice: the outcome for those that it is dealt."""

FINEST = 36
"""Chances that take a larger denominator than two dice have are told by the hundred."""


def in_words(chance: Fraction, exact: bool = True) -> str:
    """A chance as players say it, in the smallest numbers: ``2 in 3``, ``about 44 in 100``, ``certain``."""
    if chance == 1 and exact:
        return "certain"
    if chance.denominator <= FINEST and exact:
        return f"{chance.numerator} in {chance.denominator}"
    hundredth = Fraction(1, 100)
    if chance < hundredth or chance > 1 - hundredth:
        return "less than 1 in 100" if chance < hundredth else "more than 99 in 100"
    return f"about {round(chance / hundredth)} in 100"


@dataclass(frozen=True)
class Odds(Generic[T]):
    """What may come out, each with its chance; the chances sum to 1."""

    chances: Mapping[T, Fraction]
    runs: int = 0
    """The size of the sample that they are taken from; 0: they are exact."""

    def of(self, holds: Callable[[T], bool]) -> Fraction:
        """The chance of all outcomes of which something holds."""
        return sum((chance for outcome, chance in self.chances.items() if holds(outcome)), start=Fraction(0))

    def by(self, aspect: Callable[[T], K]) -> dict[K, Fraction]:
        """The chances of what an outcome is in one respect, the likeliest first, equal ones as they came."""
        found: dict[K, Fraction] = defaultdict(Fraction)
        for outcome, chance in self.chances.items():
            found[aspect(outcome)] += chance
        return dict(sorted(found.items(), key=lambda each: -each[1]))

    def words(self, chance: Fraction) -> str:
        """A chance of these as players say it: a sample is never exact."""
        return in_words(chance, exact=not self.runs)


@dataclass(frozen=True)
class Forecast:
    """What may come of a card, for all that its player knows; a rule system's own words."""

    prospects: tuple[tuple[str, tuple[str, ...]], ...]
    """Whom or what it is about, and what may become of it: ``("Red Dragons", ("4 in 9 to arrive in 14 Ford",))``."""
    overall: tuple[tuple[str, str], ...] = ()
    """The same for the whole side."""
    assumed: tuple[tuple[str, str], ...] = ()
    """Whose orders were taken for granted by the player's word, and what they are."""
    guessed: tuple[str, ...] = ()
    """What was taken for granted besides, because he cannot know it, as sentences."""
    faults: tuple[Fault, ...] = ()
    """Assumptions that could not be made."""
    runs: int = 0
    """The size of the sample; 0: the odds are exact."""


def odds(play: Play[T], most: int, runs: int) -> Odds[T]:
    """The odds of a play: counted, if the dice can fall in at most ``most`` ways, else from a sample of ``runs``."""
    return counted(play, most) or sampled(play, runs)


# --- every way ----------------------------------------------------------------------------------------------------


def counted(play: Play[T], most: int) -> Odds[T] | None:
    """The odds by every way in which the dice can fall, ``None`` if there are more than ``most``, or if one has no end:
    where equal dice are rolled again, they may come out equal again and again.

    Ways are gone through depth first; values that mean the same to the rule that asked are one way. The same arguments
    give the same answer. Raises :class:`RuleError` for a play that asks otherwise for the same dice.
    """
    chances: dict[T, Fraction] = defaultdict(Fraction)
    way: Sequence[_Fork] = ()
    for _ in range(most):
        dice = _Dealt(way)
        try:
            outcome = play(dice)
        except _Endless:
            return None
        chances[outcome] += dice.chance
        following = _next(dice.way)
        if following is None:
            return Odds(dict(chances))
        way = following
    return None


ENDLESS = 1000
"""More dice than this on one way: equal dice are being rolled again for ever."""


class _Endless(Exception):
    """A way on which dice are rolled again for ever. It never leaves :func:`counted`."""


@dataclass(frozen=True)
class _Fork:
    """A die on a way: what it can show, each with its chance, and which of that it shows."""

    label: str
    shows: tuple[tuple[int, Fraction], ...]
    taken: int = 0


def _next(way: Sequence[_Fork]) -> Sequence[_Fork] | None:
    """The beginning of the way that comes after one; ``None`` after the last."""
    for index in range(len(way) - 1, -1, -1):
        fork = way[index]
        if fork.taken + 1 < len(fork.shows):
            return (*way[:index], replace(fork, taken=fork.taken + 1))
    return None


class _Dealt(Dice):
    """Dice that fall as the beginning of a way says, and from there on the first way that they can."""

    def __init__(self, beginning: Sequence[_Fork]) -> None:
        super().__init__()
        self.way = list(beginning)
        self.chance = Fraction(1)
        self._dealt = 0

    def roll(self, label: str, sides: int, to: Audience = EVERYONE, meaning: Meaning | None = None) -> Roll:
        """The next die of the way; one that was asked for already shows the same again."""
        known = self.rolled.get((label, to))
        if known is None:
            value, chance = self._deal(label, sides, meaning)
            self.chance *= chance
            known = self.rolled[label, to] = Roll(label, sides, value)
        return known

    def row(self, label: str, sides: int = 6, to: Audience = EVERYONE) -> Row:
        """A row is dealt die by die."""
        return Row(label, sides, lambda number: self.roll(f"{label} #{number}", sides, to).value)

    def _deal(self, label: str, sides: int, meaning: Meaning | None) -> tuple[int, Fraction]:
        if self._dealt == ENDLESS:
            raise _Endless
        if self._dealt == len(self.way):
            self.way.append(_Fork(label, tuple(_ways(sides, meaning))))
        fork = self.way[self._dealt]
        if fork.label != label:
            raise RuleError(f"the same dice led to {fork.label!r} and to {label!r}")
        self._dealt += 1
        return fork.shows[fork.taken]


def _ways(sides: int, meaning: Meaning | None) -> Iterator[tuple[int, Fraction]]:
    """One value for each meaning that a die can have, with the chance of all that mean the same."""
    values: dict[Hashable, list[int]] = defaultdict(list)
    for value in range(1, sides + 1):
        values[meaning(value) if meaning else value].append(value)
    for alike in values.values():
        yield alike[0], Fraction(len(alike), sides)


# --- a sample of the ways -----------------------------------------------------------------------------------------


def sampled(play: Play[T], runs: int) -> Odds[T]:
    """The odds as ``runs`` runs with fair dice show them: about right. The same arguments give the same answer."""
    times: dict[T, int] = defaultdict(int)
    for run in range(runs):
        times[play(fair(f"run {run}"))] += 1
    return Odds({outcome: Fraction(count, runs) for outcome, count in times.items()}, runs)


def fair(name: str) -> Dice:
    """Dice for trials that fall evenly, always the same for a name; nothing real hangs on them."""
    seed = hashlib.sha256(name.encode()).digest()
    return Dice(seed, partial(sealed_seed, seed, seed))
