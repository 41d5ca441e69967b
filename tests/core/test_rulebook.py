"""Rulebooks: numbered parts, and how players ask for them."""

import pytest

from pbem.core.rulebook import look_up, rules

BOOK = """\
# March

Armies march.

## 3 Movement

All at once.

### 3.1 Marching

An army may march along a road.

### 3.10 Halting

It may stay: `halt`, or `march 14`.

### Not numbered

Never mind.

## 4 Supply

Armies eat.

| what | weighs |
|---|---|
| oats, hay | 2 |
| a berry | 1 |

### 4.1 Thirst

Oats make a mule thirsty; the mules drink.
"""


def found(asked: str) -> list[str]:
    """The headings that answer a question."""
    return [str(rule) for rule in look_up(BOOK, asked)]


def test_a_book_has_its_numbered_parts_in_order():
    assert [str(rule) for rule in rules(BOOK)] == [
        "3 Movement",
        "3.1 Marching",
        "3.10 Halting",
        "4 Supply",
        "4.1 Thirst",
    ]


def test_a_part_ends_where_the_next_begins():
    assert rules(BOOK)[1].text == "An army may march along a road."


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("3.1", ["3.1 Marching"]),
        ("NIP 3.1", ["3.1 Marching"]),
        (" 3.1. ", ["3.1 Marching"]),
        ("3", ["3 Movement", "3.1 Marching", "3.10 Halting"]),
        ("halt", ["3.10 Halting"]),
        ("MARCHING", ["3.1 Marching"]),
        ("march", ["3.1 Marching", "3.10 Halting"]),
        ("road", ["3.1 Marching"]),
        ("eat", ["4 Supply"]),
        ("oats", ["4 Supply"]),
        ("Hay", ["4 Supply"]),
        ("berries", ["4 Supply"]),
        ("mules", ["4.1 Thirst"]),
        ("weights", []),
        ("5", []),
        ("dragon", []),
        ("", []),
    ],
)
def test_rules_are_found_by_number_or_word(asked, answer):
    assert found(asked) == answer
