"""Numbers and lists in sentences."""

import pytest

from pbem.core.wording import counted, listed


@pytest.mark.parametrize(
    ("names", "said"),
    [("", "nothing"), ("A", "A"), ("AB", "A and B"), ("ABC", "A, B and C")],
)
def test_lists_read_as_people_say_them(names, said):
    assert listed(names) == said


def test_lists_may_end_otherwise():
    assert (listed("ABC", last="or"), listed("", "nobody")) == ("A, B or C", "nobody")


def test_counts_know_the_plural():
    assert [counted(count, "banner") for count in (0, 1, 1200)] == ["0 banners", "1 banner", "1,200 banners"]
