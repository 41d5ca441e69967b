"""Dice that anyone can check."""

import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core import dice
from pbem.core.dice import EVERYONE, Dice, Roll
from pbem.core.errors import RuleError

SECRET = bytes(range(32))
A, B = frozenset({"A"}), frozenset({"B"})

seeds = st.binary(min_size=1, max_size=64)
labels = st.text()
printable = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1)
sides = st.integers(1, 1000)


def by_hand(seed: bytes, label: str, sides: int) -> int:
    """The definition, written down a second time."""
    counter = 0
    while True:
        digest = hmac.new(seed, f"{label}\n{counter}".encode(), hashlib.sha256).digest()
        number = int.from_bytes(digest[:8], "big")
        if number < 2**64 - 2**64 % sides:
            return number % sides + 1
        counter += 1


@given(seeds, labels, st.integers(1, 2**64 - 1))
def test_a_value_is_what_its_definition_says(seed, label, sides):
    assert dice.value(seed, label, sides) == by_hand(seed, label, sides)


def test_known_values_never_change():
    """Written down once: if they change, every stored turn of every campaign changes with them."""
    assert [dice.value(SECRET, f"night A 1-{number}", 6) for number in range(12)] == KNOWN
    assert dice.commitment(SECRET) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


KNOWN = [2, 2, 4, 1, 4, 5, 5, 5, 1, 2, 3, 6]


def test_an_uneven_rest_is_thrown_again():
    """Of 2**63 + 1 sides nearly half of all numbers lie in the rest."""
    thrown = [dice.value(SECRET, str(number), 2**63 + 1) for number in range(200)]
    assert max(thrown) <= 2**63 + 1
    assert thrown == [by_hand(SECRET, str(number), 2**63 + 1) for number in range(200)]


def test_all_sides_come_up_evenly():
    """Six thousand dice: every side within five standard deviations of a thousand."""
    count = Counter(dice.value(SECRET, f"die {number}", 6) for number in range(6000))
    assert sorted(count) == [1, 2, 3, 4, 5, 6]
    assert all(abs(times - 1000) < 145 for times in count.values())


@given(st.lists(printable, unique=True, min_size=1), st.randoms())
def test_the_order_of_questions_changes_nothing(asked, shuffler):
    other_order = list(asked)
    shuffler.shuffle(other_order)
    one, other = Dice(SECRET), Dice(SECRET)
    assert {label: one.roll(label, 6) for label in asked} == {label: other.roll(label, 6) for label in other_order}


def test_the_seed_hangs_on_secret_and_letters():
    seeds = {dice.seed(secret, letters) for secret in (b"1", b"2") for letters in ((), ("a",), ("a", "b"), ("ab",))}
    assert len(seeds) == 8


@given(st.lists(st.text()), st.randoms())
def test_the_seed_does_not_hang_on_the_order_of_letters(letters, shuffler):
    shuffled = list(letters)
    shuffler.shuffle(shuffled)
    assert dice.seed(SECRET, letters) == dice.seed(SECRET, shuffled)


def test_the_seed_is_what_players_are_told():
    entropy = hashlib.sha256(b"aa\nbb").digest()
    assert dice.seed(SECRET, ("bb", "aa")) == hmac.new(SECRET, entropy, hashlib.sha256).digest()


def test_every_audience_has_a_seed_of_its_own():
    opened = dice.seed(SECRET, ())
    audiences = [frozenset(), A, B, A | B]
    assert len({opened, *(dice.sealed_seed(SECRET, opened, audience) for audience in audiences)}) == 5


def test_a_sealed_seed_varies_with_the_stage():
    assert dice.sealed_seed(SECRET, b"one stage", A) != dice.sealed_seed(SECRET, b"another", A)


def test_dice_of_different_audiences_come_from_different_seeds():
    asked = Dice(b"open", lambda audience: "".join(sorted(audience)).encode())
    assert asked.roll("x", 10**9) == Roll("x", 10**9, dice.value(b"open", "x", 10**9))
    assert asked.roll("x", 10**9, A) == Roll("x", 10**9, dice.value(b"A", "x", 10**9))
    assert asked.roll("x", 10**9, B) == Roll("x", 10**9, dice.value(b"B", "x", 10**9))


def test_every_die_is_remembered_once_with_its_audience():
    asked = Dice(SECRET, lambda audience: SECRET)
    for label, audience in [("x", EVERYONE), ("y", A), ("x", EVERYONE)]:
        asked.roll(label, 6, audience)
    assert list(asked.rolled) == [("x", EVERYONE), ("y", A)]


def test_a_row_is_made_of_numbered_dice():
    asked = Dice(SECRET)
    row = asked.row("battle 12")
    shown = [row() for _ in range(20)]
    assert shown == [dice.value(SECRET, f"battle 12 #{number}", 6) for number in range(1, 21)]
    assert row.told() == Roll("battle 12", 6, 20, dice.values(SECRET, "battle 12", 6, 20))


def test_a_row_for_some_comes_from_their_seed():
    row = Dice(b"open", lambda audience: b"A").row("x", 6, A)
    assert row() == dice.value(b"A", "x #1", 6)


def test_a_given_row_repeats_its_digits():
    row = Dice(fixed={"x": 463}).row("x")
    assert [row() for _ in range(5)] == [4, 6, 3, 4, 6]


@pytest.mark.parametrize(("label", "sides"), [("x", 10), (" x", 6)], ids=["two digits", "no label"])
def test_not_every_row_can_be_printed(label, sides):
    with pytest.raises(RuleError, match="x"):
        Dice(SECRET).row(label, sides)


def test_a_given_row_shows_nothing_that_is_not_on_the_dice():
    row = Dice(fixed={"x": 7}).row("x")
    with pytest.raises(RuleError, match="cannot show 7"):
        row()


def test_a_given_value_is_shown():
    assert Dice(fixed={"x": 5}).roll("x", 6) == Roll("x", 6, 5)


@pytest.mark.parametrize(
    ("asked", "to"),
    [(Dice(fixed={"x": 5}), EVERYONE), (Dice(), EVERYONE), (Dice(b"open"), A), (Dice(fixed={"y": 7}), EVERYONE)],
    ids=["another label", "no seed", "no sealed seed", "too high"],
)
def test_a_die_without_a_value_is_an_error(asked, to):
    with pytest.raises(RuleError):
        asked.roll("y", 6, to)


@pytest.mark.parametrize(
    "label", ["", " night", "night ", "night  A", "night\nA", "night\u2028A", "night\tA", "night\x00A"]
)
def test_a_label_that_could_not_be_printed_and_read_back_is_an_error(label):
    with pytest.raises(RuleError, match="no label for a die"):
        Dice(b"seed").roll(label, 6)
