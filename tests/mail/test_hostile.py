"""Every mail of 5 MB is read, and in less than 200 MB, whatever its shape. ``make bench`` says how soon."""

import pytest

from pbem.mail.reading.letter import Envelope
from pbem.mail.reading.safely import read
from tests.mail.cost import MOST_MEGABYTES, costs
from tests.mail.hostile import SHAPES

NAMES = list(SHAPES)


@pytest.mark.parametrize("part", range(2))
def test_large_letter_of_any_shape_is_read_in_little_memory(part: int) -> None:
    measured = costs(NAMES[part::2])
    assert [each.name for each in measured] == NAMES[part::2], "the next one hung, or ended the process"
    assert [each for each in measured if each.unread] == []
    assert [each for each in measured if each.megabytes > MOST_MEGABYTES] == []


@pytest.mark.parametrize("name", NAMES)
def test_small_letter_of_any_shape_is_read(name: str) -> None:
    for size in (100, 1000, 3000):
        reading = read(SHAPES[name](size), Envelope())
        assert reading.letter.obstacle != "unreadable"
