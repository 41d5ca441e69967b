"""Magic Seven: a value and a die that together reach seven. Skirmishes and whole battles roll alike.

Melee: one D6 for each attack, melee skill and die reach 7. A hit is cancelled if defence and one D6 reach 7. A shot is
2D6, aim and dice reach 10. Attacks that explode hit on a natural 6 whatever the skill, and strike again.
"""

from collections.abc import Callable

Roll = Callable[[], int]
"""Gives the next D6."""

SEVEN, TEN, SIX = 7, 10, 6
MOST_BONUS_DICE = 50
"""Where explosions end, so that any dice come to an end."""


def two_dice(roll: Roll) -> int:
    """The sum of the next two dice."""
    return roll() + roll()


def attack(dice: int, skill: int, roll: Roll, *, explodes: bool = False) -> tuple[int, int]:
    """Hits of so many attack dice, and how many dice were rolled, bonus dice of explosions included.

    A skill of six or more hits always; a skill of 0 or less never, but for explosions.
    """
    hits, rolled, due = 0, 0, dice
    while due and rolled < dice + MOST_BONUS_DICE:
        shown = roll()
        rolled += 1
        exploded = explodes and shown == SIX
        hits += exploded or skill + shown >= SEVEN
        due += exploded - 1
    return hits, rolled


def unsaved(hits: int, defence: int, roll: Roll) -> int:
    """How many of these hits the defence does not cancel: one die for each."""
    return sum(defence + roll() < SEVEN for _ in range(hits))


def shoot(shots: int, aim: int, roll: Roll) -> int:
    """Hits of so many shots: two dice for each. Shots never explode."""
    return sum(aim + two_dice(roll) >= TEN for _ in range(shots))
