"""Dice that are rolled again because they came out equal, or because the same question comes up again."""

from collections import Counter
from collections.abc import Callable, Sequence


def repeated(times: int) -> str:
    """What a die's label ends with when the same question was asked so many times before."""
    return "" if not times else " again" if times == 1 else f" again {times}"


def rolled_off(seats: Sequence[str], roll: Callable[[str, str], int]) -> tuple[str, ...]:
    """The seats by what they roll, the highest first; the tied roll again among themselves until nobody is.

    ``roll`` rolls for a seat, given what the label of a die has to end with.
    """
    shown: dict[str, tuple[int, ...]] = dict.fromkeys(seats, ())
    tied, times = list(shown), 0
    while len(tied) > 1:
        shown |= {seat: (*shown[seat], roll(seat, repeated(times))) for seat in tied}
        among = Counter(shown.values())
        tied, times = [seat for seat in tied if among[shown[seat]] > 1], times + 1
    return tuple(sorted(shown, key=lambda seat: shown[seat], reverse=True))
