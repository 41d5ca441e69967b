"""Dice that anyone can check afterwards.

A die is a question: its value hangs on the seed and on its label alone, never on the order in which dice are
asked for. The seed hangs on a secret of the stage, whose hash players hold before they write their orders, and
on all accepted order mails, which the organizer cannot know when he fixes the secret.
"""

import hashlib
import hmac
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass

from pbem.core.errors import RuleError

Audience = frozenset[str]
"""Seats that may know something; :data:`EVERYONE` stands for all, readers of the archive included."""

EVERYONE: Audience = frozenset({"*"})

NOBODY: Audience = frozenset()
"""No seat: its seed can be computed when the sealed secret is opened, and not before."""

Meaning = Callable[[int], Hashable]
"""What the value of a die comes to for the rule that asks: of two values with one meaning it makes no difference which
it was. Those who count how dice can fall (:mod:`pbem.core.odds`) need to look at one of them only."""

WORD = 8
"""Bytes of a digest that make one number."""


MOST_SIDES_IN_A_ROW = 9
"""Each die of a row is told by one digit."""


@dataclass(frozen=True)
class Roll:
    """One die: the question it answered, its number of sides, what it showed. Or a row of dice for one question."""

    label: str
    sides: int
    value: int
    """Of a row: how many dice it has."""
    row: str = ""
    """What the dice of a row showed, one after the other, a digit each."""


class Row:
    """Dice for one question, as many as are asked for: each call rolls the next.

    The dice of the row ``battle 12`` are those labelled ``battle 12 #1``, ``battle 12 #2`` and so on.
    """

    def __init__(self, label: str, sides: int, die: Callable[[int], int]) -> None:
        """``die`` gives the value of the first, second ... die of the row, counted from 1."""
        self.label, self._sides, self._die = label, sides, die
        self._shown: list[int] = []

    def __call__(self) -> int:
        """Roll the next die."""
        shown = self._die(len(self._shown) + 1)
        if not 1 <= shown <= self._sides:
            raise RuleError(f"{self.label!r} is a row of D{self._sides} and cannot show {shown}")
        self._shown.append(shown)
        return shown

    def told(self) -> Roll:
        """All that were rolled so far."""
        return Roll(self.label, self._sides, len(self._shown), "".join(map(str, self._shown)))


def commitment(secret: bytes) -> str:
    """The hash of a stage's secret, mailed before the stage; hex digits."""
    return hashlib.sha256(secret).hexdigest()


def entropy(letters: Iterable[str]) -> bytes:
    """What the players added to the seed: a hash over the content hashes of all accepted order mails."""
    return hashlib.sha256("\n".join(sorted(letters)).encode()).digest()


def seed(secret: bytes, letters: Iterable[str]) -> bytes:
    """The seed of a stage: HMAC-SHA256 of its secret over :func:`entropy`."""
    return hmac.digest(secret, entropy(letters), "sha256")


def sealed_seed(secret: bytes, open_seed: bytes, audience: Audience) -> bytes:
    """The seed of a stage's dice that only some may know; it tells them nothing about anybody else's.

    ``secret`` is the campaign's sealed secret, opened when the campaign ends; ``open_seed`` the stage's
    :func:`seed`. Each audience gets a seed of its own.
    """
    return hmac.digest(secret, open_seed + " ".join(sorted(audience)).encode(), "sha256")


def value(seed: bytes, label: str, sides: int) -> int:
    """The value of the die ``label``: a number from 1 to ``sides``, evenly.

    HMAC-SHA256 of the seed over ``label``, a line feed and a counter from 0; the first eight bytes as a number,
    thrown away and counted on while it lies in the uneven rest.
    """
    bound = (1 << 8 * WORD) // sides * sides
    counter = 0
    while True:
        digest = hmac.digest(seed, f"{label}\n{counter}".encode(), "sha256")
        number = int.from_bytes(digest[:WORD], "big")
        if number < bound:
            return number % sides + 1
        counter += 1


def values(seed: bytes, label: str, sides: int, count: int) -> str:
    """The first dice of the row ``label``, a digit each."""
    return "".join(str(value(seed, f"{label} #{number}", sides)) for number in range(1, count + 1))


class Dice:
    """The dice of one stage. The same label always gives the same die.

    ``open_seed`` serves dice that all may know; ``sealed`` gives the seed for any other audience.
    ``fixed`` names values outright: rule cases use it, and a label it lacks is then an error. Without any of
    these every roll is an error.
    """

    def __init__(
        self,
        open_seed: bytes | None = None,
        sealed: Callable[[Audience], bytes] | None = None,
        *,
        fixed: Mapping[str, int] | None = None,
    ) -> None:
        self._open_seed = open_seed
        self._sealed = sealed
        self._fixed = dict(fixed or {})
        self.rolled: dict[tuple[str, Audience], Roll] = {}
        """Every die asked for so far, with those who may know it."""

    def roll(self, label: str, sides: int, to: Audience = EVERYONE, meaning: Meaning | None = None) -> Roll:
        """Roll one die of ``sides`` sides for the question ``label``, known to ``to`` only.

        A label is one line of words, as it is printed and read back: anything else is a :class:`RuleError`.
        ``meaning`` changes nothing here; ``None``: every value has one of its own.
        """
        _check_label(label)
        shown = self._fixed[label] if label in self._fixed else value(self._seed(label, sides, to), label, sides)
        if not 1 <= shown <= sides:
            raise RuleError(f"{label!r} is a D{sides} and cannot show {shown}")
        return self.rolled.setdefault((label, to), Roll(label, sides, shown))

    def row(self, label: str, sides: int = 6, to: Audience = EVERYONE) -> Row:
        """A row of dice for the question ``label``, for those who may know it. A fixed row repeats the digits given."""
        _check_label(label)
        if sides > MOST_SIDES_IN_A_ROW:
            raise RuleError(f"a row of dice has at most {MOST_SIDES_IN_A_ROW} sides: {label!r}")
        if label in self._fixed:
            return repeating(label, sides, self._fixed[label])
        seed = self._seed(label, sides, to)
        return Row(label, sides, lambda number: value(seed, f"{label} #{number}", sides))

    def _seed(self, label: str, sides: int, to: Audience) -> bytes:
        seed = self._open_seed if to == EVERYONE else self._sealed and self._sealed(to)
        if seed is None:
            raise RuleError(f"this die has no given value: {label!r} (D{sides})")
        return seed


def repeating(label: str, sides: int, digits: int) -> Row:
    """A row that shows these digits again and again."""
    shown = [int(digit) for digit in str(digits)]
    return Row(label, sides, lambda number: shown[(number - 1) % len(shown)])


def _check_label(label: str) -> None:
    if not label.isprintable() or " ".join(label.split()) != label or not label:
        raise RuleError(f"no label for a die: {label!r}")
