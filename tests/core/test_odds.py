"""The odds of what hangs on dice: exact where the ways are few, else a fair sample."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import prod, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.core.dice import Dice
from pbem.core.errors import RuleError
from pbem.core.odds import Odds, counted, fair, odds, sampled

MANY = 10**5
PIPS = range(1, 7)


def roll(dice: Dice, label: str, sides: int = 6, meaning=None) -> int:
    return dice.roll(label, sides, meaning=meaning).value


hands = st.lists(st.integers(1, 6), max_size=4)
"""Sides of some dice."""


def total(hand):
    """A play that adds up all dice of a hand."""
    return lambda dice: sum(roll(dice, f"die {index}", sides) for index, sides in enumerate(hand))


def until_high(dice: Dice) -> int:
    """A play that asks for a further die only while the last one was low: how many were."""
    return next((count for count in range(3) if roll(dice, f"die {count}") > 2), 3)


@given(hands)
def test_every_way_counts_once(hand):
    ways = Counter(map(sum, product(*(range(1, sides + 1) for sides in hand))))
    expected = {outcome: Fraction(times, prod(hand)) for outcome, times in ways.items()}
    assert counted(total(hand), MANY) == Odds(expected)


def test_dice_that_are_asked_for_on_some_ways_only_count_there():
    low = Fraction(2, 6)
    assert counted(until_high, MANY) == Odds({count: low**count * (1 - low) for count in range(3)} | {3: low**3})


@given(st.lists(st.tuples(st.integers(1, 20), st.integers(1, 20)), min_size=1, max_size=4))
def test_values_that_mean_the_same_are_one_way(tests):
    """Tests of so many sides that are passed from so many pips on."""

    def passed(alike):
        def play(dice):
            throws = enumerate(tests)
            return tuple(
                roll(dice, f"{n}", sides, least.__le__ if alike else None) >= least for n, (sides, least) in throws
            )

        return play

    few = counted(passed(alike=True), 2 ** len(tests))
    assert few is not None
    assert few.of(all) == prod(Fraction(max(0, sides + 1 - least), sides) for sides, least in tests)
    many = counted(passed(alike=False), 10**3)
    assert many is None or many == few


@given(hands)
def test_chances_sum_to_one(hand):
    play = total(hand)
    for each in (counted(play, MANY), sampled(play, 50)):
        assert sum(each.chances.values()) == each.of(lambda outcome: True) == 1


@settings(max_examples=10, deadline=None)
@given(hands)
def test_a_sample_comes_near(hand):
    """Within five standard deviations: no fair sample of these seeds is further off."""
    runs = 2000
    exact, sample = counted(total(hand), MANY), sampled(total(hand), runs)
    for outcome, chance in exact.chances.items():
        assert abs(sample.chances.get(outcome, 0) - chance) <= 5 * sqrt(chance * (1 - chance) / runs)
    assert sample.runs == runs


@pytest.mark.parametrize("sides", [2, 6])
def test_more_ways_than_wanted_are_sampled(sides):
    assert odds(total([sides] * 2), sides**2, 10).runs == 0
    assert odds(total([sides] * 2), sides**2 - 1, 10).runs == 10
    assert counted(total([sides] * 2), sides**2 - 1) is None


def test_the_same_question_gets_the_same_die():
    assert set(counted(lambda dice: roll(dice, "one") - roll(dice, "one"), MANY).chances) == {0}


def test_dice_for_some_are_other_dice():
    def play(dice):
        return dice.roll("one", 2).value, dice.roll("one", 2, frozenset({"A"})).value

    assert set(counted(play, MANY).chances) == set(product((1, 2), repeat=2))
    assert sampled(play, 200).chances.keys() == counted(play, MANY).chances.keys()


def test_a_play_that_asks_otherwise_for_the_same_dice_is_an_error():
    labels = iter("abcdefgh")
    with pytest.raises(RuleError, match="'a' and to 'b'"):
        counted(lambda dice: roll(dice, next(labels)), MANY)


def test_fair_dice_are_the_same_for_a_name_alone():
    assert [fair("x").roll("die", 6), fair("x").roll("die", 6)] == [fair("x").roll("die", 6)] * 2
    assert len({fair(f"{number}").roll("die", 6).value for number in range(60)}) == len(PIPS)


@pytest.mark.parametrize(
    ("chance", "exact", "sample"),
    [
        (Fraction(1), "certain", "more than 99 in 100"),
        (Fraction(4, 9), "4 in 9", "about 44 in 100"),
        (Fraction(15, 36), "5 in 12", "about 42 in 100"),
        (Fraction(1, 216), "less than 1 in 100", "less than 1 in 100"),
        (Fraction(215, 216), "more than 99 in 100", "more than 99 in 100"),
        (Fraction(100, 216), "about 46 in 100", "about 46 in 100"),
        (Fraction(1, 36), "1 in 36", "about 3 in 100"),
    ],
)
def test_chances_are_said_as_players_say_them(chance, exact, sample):
    assert (Odds({}).words(chance), Odds({}, 1000).words(chance)) == (exact, sample)


def test_dice_that_are_rolled_again_while_they_are_equal_are_sampled():
    def tie(dice):
        times = 0
        while roll(dice, f"a {times}", 6) == roll(dice, f"b {times}", 6):
            times += 1
        return times

    assert counted(tie, MANY) is None
    assert odds(tie, MANY, 500).runs == 500


def test_one_aspect_of_outcomes_is_told_the_likeliest_first():
    both = counted(lambda dice: (roll(dice, "a", 2), roll(dice, "b", 6) > 4), MANY)
    assert list(both.by(lambda outcome: outcome[1]).items()) == [(False, Fraction(4, 6)), (True, Fraction(2, 6))]
    assert both.by(lambda outcome: outcome[0]) == {1: Fraction(1, 2), 2: Fraction(1, 2)}
