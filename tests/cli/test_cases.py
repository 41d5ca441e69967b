from pathlib import Path

from tests.cli.conftest import Pbem

RIGHT = """
CASE 6.6 who enters an empty section claims it
  map 1-2
  banner A Red at 1
  order A Red: move 2
  at A Red 2
"""


def test_cases_are_played(folder: Path, pbem: Pbem) -> None:
    (folder / "right.txt").write_text(RIGHT)
    ran = pbem("cases", "right.txt")
    assert (ran.code, ran.lines) == (0, ["1 cases, 0 wrong"])


def test_a_case_that_comes_out_otherwise_says_what_differs(folder: Path, pbem: Pbem) -> None:
    (folder / "wrong.txt").write_text(RIGHT.replace("at A Red 2", "at A Red 1"))
    ran = pbem("cases", ".")
    assert (ran.code, ran.lines[-1]) == (1, "1 cases, 1 wrong")
    assert ran.lines[0].startswith("wrong.txt:2: 6.6 who enters an empty section claims it: ")


def test_a_rule_system_that_is_not_there_is_told(pbem: Pbem) -> None:
    ran = pbem("cases", ".", "--rules", "go")
    assert (ran.code, ran.faults) == (2, ["--rules: no rule system is called 'go'; there are: nippon"])
