"""Orders on file, and words as they are compared."""

from dataclasses import dataclass

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.core.orders import Line, Written, merge, nearest, outdone, plain


@dataclass(frozen=True)
class Move:
    """An order to a banner."""

    banner: str
    to: int

    @property
    def key(self):
        """One for each banner."""
        return self.banner


@dataclass(frozen=True)
class Buy:
    """A purchase."""

    adds_up = True
    what: str
    price: int

    @property
    def key(self):
        """One for each thing."""
        return f"buy {self.what}"


def bought(what: str, price: int) -> Written:
    """A purchase and its line."""
    return Written(Buy(what, price), Line(1, f"buy {what} for {price}"))


def written(banner: str, to: int) -> Written:
    """An order and its line."""
    return Written(Move(banner, to), Line(1, f"{banner}: move {to}"))


cards = st.lists(st.builds(written, st.sampled_from(["Red", "Blue", "Green"]), st.integers(1, 4)))


def test_a_later_order_takes_the_place_of_the_earlier():
    filed = merge([written("Red", 1), written("Blue", 2)], [written("Green", 3), written("Red", 4)])
    assert filed == (written("Red", 4), written("Blue", 2), written("Green", 3))


@given(cards, cards)
def test_the_last_order_for_each_key_counts(filed, new):
    last = {each.order.key: each for each in [*filed, *new]}
    merged = merge(filed, new)
    assert sorted(each.order.key for each in merged) == sorted(last)
    assert all(last[each.order.key] == each for each in merged)


purchases = st.lists(
    st.builds(written, st.sampled_from(["Red", "Blue"]), st.integers(1, 2))
    | st.builds(bought, st.sampled_from(["sword", "stone"]), st.integers(1, 2))
)


@given(purchases, purchases)
def test_the_same_card_again_changes_nothing(filed, new):
    assert merge(merge(filed, new), new) == merge(filed, new)


@given(purchases)
def test_purchases_of_a_card_count_one_by_one(card):
    assert [each for each in merge((), card) if isinstance(each.order, Buy)] == [
        each for each in card if isinstance(each.order, Buy)
    ]


def test_a_later_purchase_takes_the_place_of_the_earlier_one_by_one():
    filed = merge([], [bought("stone", 1), bought("stone", 1), bought("sword", 1)])
    assert merge(filed, [bought("stone", 2)]) == (bought("stone", 2), bought("stone", 1), bought("sword", 1))


@given(purchases)
def test_what_does_not_count_has_a_later_order_in_its_place(card):
    counted = merge((), card)
    assert len(counted) + len(outdone(card)) == len(card)
    assert all(each.order.key == by.order.key and by in counted for each, by in outdone(card))


def test_a_line_said_twice_is_outdone_by_its_like():
    card = [written("Red", 1), bought("stone", 1), written("Red", 1), bought("stone", 1)]
    assert outdone(card) == ((card[0], card[2]),)


@pytest.mark.parametrize(
    "typed",
    [
        "Red Dragons",
        "red dragons",
        "RED  DRAGONS ",
        "\N{LEFT DOUBLE QUOTATION MARK}Red Dragons\N{RIGHT DOUBLE QUOTATION MARK}",
        "Red-Dragons",
        "R\u00e9d Dragons",
        "Re\u0301d Dragons",
        "Red\N{NO-BREAK SPACE}Dragons.",
        "\uff32\uff45\uff44 Dragons!",
    ],
)
def test_words_are_compared_without_their_dress(typed):
    assert plain(typed) == "red dragons"


@given(st.text())
@example("move on !")
def test_plain_words_stay_as_they_are(text):
    assert plain(plain(text)) == plain(text)


def test_the_nearest_words_come_first():
    assert nearest("forify", ["forty", "hold", "fortify", "recover"]) == ("fortify", "forty")


def test_a_letter_swapped_is_one_slip():
    assert nearest("mvoe", ["move", "more"]) == ("move",)


def test_words_that_are_not_like_it_are_not_offered():
    assert nearest("banana", ["hold", "move"]) == ()


@given(st.text(), st.lists(st.text()))
def test_only_known_words_are_offered(word, known):
    assert set(nearest(word, known)) <= set(known)
