"""The page on writing rule cases says everything, and says the truth."""

import re
from pathlib import Path

import pytest

from pbem.core.cases import read_cases
from pbem.core.trials import EXPECTED, SCRIPT, Vocabulary
from pbem.rulesets.nippon import NIPPON
from pbem.rulesets.nippon.cases import EXPECTED as OUTCOMES
from pbem.rulesets.nippon.cases import positions

PAGE = (Path(__file__).parents[1] / "docs" / "writing-rule-cases.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```\n(.*?)```", PAGE, re.DOTALL)
QUOTED = " ".join(re.findall(r"`([^`]+)`", re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL)))

VOCABULARIES = {
    "orders and dice": SCRIPT,
    "what every case may expect": EXPECTED,
    "what a case of Nippon may expect": OUTCOMES,
    "position": positions.POSITION,
    "section": positions.SECTION_MARKS,
    "realm": positions.REALM_MARKS,
    "banner": positions.BANNER_MARKS,
    "unit": positions.UNIT_MARKS,
}


@pytest.mark.parametrize("vocabulary", VOCABULARIES.values(), ids=VOCABULARIES)
def test_every_word_stands_on_the_page(vocabulary: Vocabulary):
    words = {phrase.first for phrase in vocabulary.phrases} - CHARACTERISTICS
    assert {word for word in words if not re.search(rf"(?<!\w){re.escape(word)}(?!\w)", QUOTED)} == set()


CHARACTERISTICS = frozenset({"WS", "BS", "S", "I", "A"})
"""``M``, ``T``, ``W`` and ``Ld`` stand for these on the page."""


def test_the_example_comes_out_as_the_page_says():
    (case,) = read_cases("the page", EXAMPLES[0])
    assert NIPPON.play_case(case) == ()


UNITS = ('unit A Red "Iron Wall"', 'quartered A at 2 "Iron Wall"')
LINES = [line for cell in re.findall(r"^\| (.+?) \|", PAGE, re.MULTILINE) for line in re.findall(r"`([^`]+)`", cell)]


@pytest.mark.parametrize("line", LINES)
def test_every_line_of_the_tables_can_be_read(line):
    """A line alone makes no case, but none is a word that nobody knows or a phrase that does not fit."""
    line = line.replace("MARKS", "").strip()
    marks = {"section 2": " plains", "realm A": " withdrawn"} | dict.fromkeys(UNITS, " core")
    prelude = ["map 1-2-3-4-9-10", "banner A Red at 1"]
    (case,) = read_cases("a line", "\n  ".join(["CASE 1 line", *prelude, line + marks.get(line, "")]))
    assert [said for said in NIPPON.play_case(case) if "no word known" in said or "cannot read" in said] == []
