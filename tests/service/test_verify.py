"""What players are mailed proves every die, by the program and by their own script; a changed mail proves nothing."""

import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from pbem.core.proof import read_proof, verify
from pbem.mail.reading.letter import read_letter
from tests.service.conftest import Club

SCRIPT = Path(__file__).parents[2] / "docs" / "verify.py"


@pytest.fixture
def reports(club: Club) -> list[bytes]:
    """The reports to Ana of a round and a half, in which everybody lays his lowest card boldly."""
    for _ in range(3):
        club.write(club.mover(), f"lay {min(hand(club))} boldly\nFINAL")
        club.run()
    return [mail.raw for mail in club.mails() if mail.recipient == "ana@example.org" and b"BEGIN PROOF" in mail.raw]


def hand(club: Club) -> tuple[int, ...]:
    """The cards of the player who is awaited."""
    with club.host.unit() as unit:
        campaign = unit.campaigns.all()[0]
        state = club.host.state(campaign, unit.turns.last(campaign))
    cards: tuple[int, ...] = state.hands[state.mover]
    return cards


def text(report: bytes) -> str:
    """The report as text."""
    return read_letter(report).body


def test_every_die_is_proved_to_those_who_may_know_it(reports: list[bytes]) -> None:
    proofs = [read_proof(text(report)) for report in reports]
    assert len(proofs) == 4
    assert [said for before, proof in pairwise(proofs) for said in verify(proof, before)] == []
    assert verify(proofs[0]) == ()
    assert {roll.label for roll in proofs[0].rolls} == {"lead"}
    assert {roll.label[:7] for proof in proofs for roll in proof.sealed} == {"bold A "}
    assert [report for report in map(text, reports) if "bold B" in report or "shuffle" in report] == []


def saved(path: Path, report: bytes) -> Path:
    """A mail saved as a file."""
    path.write_bytes(report)
    return path


def test_the_script_for_players_proves_the_mails_as_they_were_sent(reports: list[bytes], tmp_path: Path) -> None:
    for number, (before, report) in enumerate(pairwise(reports)):
        files = saved(tmp_path / f"{number}.eml", report), saved(tmp_path / f"{number} before.eml", before)
        done = subprocess.run([sys.executable, "-I", SCRIPT, *files], capture_output=True, text=True, check=False)
        assert (done.stdout, done.returncode) == ("all dice are right\n", 0)


def test_a_changed_die_in_a_mail_is_found(reports: list[bytes]) -> None:
    mails = [text(report) for report in reports if "sealed bold" in text(report)]
    assert mails
    for mail in mails:
        forged = re.sub(r"(sealed bold .* = )(\d)", lambda die: f"{die[1]}{int(die[2]) % 6 + 1}", mail)
        assert len(verify(read_proof(forged))) == 1
