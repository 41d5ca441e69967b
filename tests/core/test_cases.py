"""Rule cases as text."""

import pytest

from pbem.core.cases import Case, read_cases
from pbem.core.errors import BadInput
from pbem.core.orders import Line

TEXT = """\
# Movement.

CASE 6.4 the higher roll goes   # the example of the book
  map 1-2-3
  banner A "Red Dragons" at 1        # a comment

  at A Red 2

CASE 7 razing
  map 1
CASE 8.1.2 nothing said
"""


def test_a_file_holds_its_cases_in_order():
    assert read_cases("6.txt", TEXT) == (
        Case(
            "6.4",
            "the higher roll goes",
            "6.txt:3",
            (Line(4, "map 1-2-3"), Line(5, 'banner A "Red Dragons" at 1'), Line(7, "at A Red 2")),
        ),
        Case("7", "razing", "6.txt:9", (Line(10, "map 1"),)),
        Case("8.1.2", "nothing said", "6.txt:11", ()),
    )


def test_an_empty_file_holds_no_case():
    assert read_cases("6.txt", "\n# nothing yet\n") == ()


def test_every_line_outside_a_case_is_told_at_once():
    with pytest.raises(BadInput) as caught:
        read_cases("6.txt", "  map 1-2\nCASE 6 title\n  map 1\nmap 2\nCASE without number\n")
    assert [flaw.where for flaw in caught.value.flaws] == ["6.txt:1", "6.txt:4", "6.txt:5"]
