"""What the figures of a club are measured with."""

from benchmarks.club import dice
from pbem.core.dice import EVERYONE


def test_its_dice_fall_for_all_and_for_some_alone() -> None:
    """A garrison that is stormed has losses that only their realm learns of."""
    fallen = dice()
    assert fallen.roll("attack", 6, EVERYONE).value in range(1, 7)
    assert fallen.roll("heal", 6, frozenset("A")).value in range(1, 7)
