"""The tests that `docs/security.md` names as its proofs are there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROOF = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
PROOFS = sorted(set(PROOF.findall((ROOT / "docs/security.md").read_text())))


@pytest.mark.parametrize(("file", "name"), PROOFS)
def test_what_shows_it_is_there(file: str, name: str) -> None:
    assert re.search(rf"^(async )?def {name}\(", (ROOT / file).read_text(), re.MULTILINE)


def test_every_row_that_something_stops_names_what_shows_it() -> None:
    rows = [line for line in (ROOT / "docs/security.md").read_text().splitlines() if line.startswith("| ")]
    unproven = [row for row in rows if not PROOF.search(row) and "shown by" not in row and "**it works**" not in row]
    assert not unproven
