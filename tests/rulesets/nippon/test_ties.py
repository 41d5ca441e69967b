"""Dice that are rolled again because they came out equal."""

from hypothesis import given
from hypothesis import strategies as st

from pbem.core.cases import read_cases
from pbem.rulesets.nippon.cases import play_case
from pbem.rulesets.nippon.ties import rolled_off

SEATS = "ABCDEF"


@given(st.lists(st.integers(1, 6), max_size=30))
def test_the_highest_goes_first_and_only_the_tied_roll_again(pips):
    """Whatever falls first; in the end everybody has a die of his own."""
    fallen = iter([*pips, *range(1, 1000)])
    rolled: dict[str, list[int]] = {seat: [] for seat in SEATS}

    def roll(seat: str, again: str) -> int:
        assert (again == "") == (not rolled[seat])
        rolled[seat].append(next(fallen))
        return rolled[seat][-1]

    order = rolled_off(SEATS, roll)
    assert order == tuple(sorted(SEATS, key=rolled.get, reverse=True))
    for seat in SEATS:
        others = [rolled[other] for other in SEATS if other != seat]
        *before, _ = range(1, len(rolled[seat]) + 1)
        assert all(any(other[:count] == rolled[seat][:count] for other in others) for count in before)


def test_who_is_alone_rolls_no_die():
    assert rolled_off("A", lambda seat, again: 1 // 0) == ("A",)


def test_a_case_whose_dice_tie_for_ever_says_so():
    (case,) = read_cases(
        "tie",
        """
CASE 8.4 all dice show the same
  map 1-2
  banner A Red at 1
  banner B Blue at 2
  order A Red: move 2
  dice any = 4
  play orders
""",
    )
    (told,) = play_case(case)
    assert "equal dice roll again for ever" in told
