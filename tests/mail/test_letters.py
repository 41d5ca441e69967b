"""Order cards from many mail programs: what must be read from each stands beside it."""

from pathlib import Path

import pytest

from pbem.mail.reading.card import Card, frame_line
from pbem.mail.reading.letter import read_letter
from pbem.mail.reading.safely import read

LETTERS = Path(__file__).parent.parent / "letters"
NAMES = sorted(path.stem for path in LETTERS.glob("*.eml"))


def lines_of(card: Card) -> list[str]:
    """The card as the files tell it, without the quoted lines; those outside of it begin with a question mark."""
    frame = card.frame and frame_line(card.frame.campaign, card.frame.turn, card.frame.token)
    outside = (f"? {line.text}" for line in card.outside)
    return [*([frame] if frame else []), *(line.text for line in card.lines), *outside]


@pytest.mark.parametrize("name", NAMES)
def test_letter_is_read_as_its_file_says(name: str) -> None:
    expected = (LETTERS / f"{name}.card").read_text("utf-8").splitlines()
    card = read((LETTERS / f"{name}.eml").read_bytes()).card
    assert lines_of(card) == [line for line in expected if not line.startswith("> ")]
    quoted = [line.text for line in card.quoted]
    assert [line for line in expected if line.startswith("> ") and line[2:] not in quoted] == []


@pytest.mark.parametrize("name", NAMES)
def test_letter_names_its_sender_subject_and_thread(name: str) -> None:
    letter = read_letter((LETTERS / f"{name}.eml").read_bytes())
    assert letter.sender.endswith("@example.org")
    assert letter.recipients == ("orders+K7Q2ABCD@campaigns.example",)
    assert letter.in_reply_to == "<t3.ana@campaigns.example>"
    assert letter.automatic == ""
    assert letter.date is not None
    assert letter.date.isoformat() == "2026-11-30T18:04:11+00:00"
