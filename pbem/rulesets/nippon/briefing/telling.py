"""How an entry of the log is told: its sentence, the rule that speaks, the dice behind it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby

from pbem.core.dice import Roll
from pbem.core.ruleset import Material
from pbem.core.turn import Entry
from pbem.rulesets.nippon.view import View

NBSP = "\N{NO-BREAK SPACE}"


def told(material: Material, entry: Entry, beside: str = "") -> str:
    """The sentence for an entry, with rule and dice. A name that stands ``beside`` it is not said again."""
    sentence = material.say(entry.event)
    if beside and sentence.startswith(f"{beside} "):
        sentence = capitalized(sentence.removeprefix(f"{beside} "))
    return f"{sentence} {source(entry)}"


def source(entry: Entry) -> str:
    """The rule and the dice: ``(NIP 5.1, D6 2)``."""
    return f"({', '.join([f'NIP{NBSP}{entry.rule}', *shown(entry.rolls)])})"


MANY = 12
"""More dice of a kind than this are told by how often each number fell."""


def shown(rolls: Iterable[Roll]) -> list[str]:
    """Dice by kind, in the order they fell: ``D6 1 3``, ``D3 2``; of a row their number only: ``300 D6``.

    Many dice of a kind are told by how often each number fell: ``D6 1 (x9) 3 (x4)``.
    """
    return [
        f"{sum(roll.value for roll in group)}{NBSP}D{sides}"
        if in_row
        else f"D{sides}{NBSP}{_values([roll.value for roll in group])}"
        for (sides, in_row), group in groupby(rolls, lambda roll: (roll.sides, bool(roll.row)))
    ]


def _values(dice: Sequence[int]) -> str:
    """Few stay on one line; many may be broken between two numbers, for phones are narrow."""
    if len(dice) <= MANY:
        return NBSP.join(map(str, dice))
    return " ".join(f"{value}{NBSP}(x{count})" for value, count in sorted(Counter(dice).items()))


def you(view: View, seat: str) -> str:
    """A realm in the midst of a sentence to the reader."""
    return "you" if seat == view.seat else view.realm(seat)


def capitalized(text: str) -> str:
    """A sentence with a capital at its beginning."""
    return text[:1].upper() + text[1:]
