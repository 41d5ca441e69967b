"""Each CASE of tests/cases/<ruleset>/*.txt is a test, named by the number of its rule and its title."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.core.cases import Case, read_cases
from pbem.rulesets.nippon.cases import play_case
from tests.toy import TOY

CASES = Path(__file__).parent / "cases"
PLAYERS = {"nippon": play_case, TOY.name: TOY.play_case}


def cases(ruleset: str) -> Iterator[Case]:
    """All cases of a rule system, file by file."""
    for path in sorted((CASES / ruleset).glob("*.txt")):
        yield from read_cases(f"{ruleset}/{path.name}", path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("ruleset", "case"),
    [pytest.param(name, case, id=f"{name} {case.number} {case.title}") for name in PLAYERS for case in cases(name)],
)
def test_case_comes_out_as_it_says(ruleset, case):
    """What differs is told by line; nothing may differ."""
    differences = PLAYERS[ruleset](case)
    assert not differences, "\n".join([case.where, *differences])
