"""The table of checks on a letter."""

from dataclasses import replace
from typing import get_args

import pytest

from pbem.mail.reading.contents import Obstacle
from pbem.mail.reading.letter import Envelope, read_letter
from pbem.mail.reading.screen import House, screen

HOUSE = House(frozenset({"campaigns.example"}), largest=1000, address="orders@bücher.example")
ORDINARY = b"From: a@x.example\r\nMessage-ID: <1@x.example>\r\n\r\nRed: hold\r\n"


def test_ordinary_letter_passes() -> None:
    assert screen(read_letter(ORDINARY), HOUSE) is None


@pytest.mark.parametrize(
    ("raw", "size", "check", "answer"),
    [
        (b"Message-ID: <t3.ana@Campaigns.example>\r\n\r\nx", 10, "own", False),
        (b"From: Orders <Orders@xn--bcher-kva.example>\r\n\r\nx", 10, "own", False),
        (b"From: orders+K7Q2ABCD@xn--bcher-kva.example\r\n\r\nx", 10, "own", False),
        (b"Auto-Submitted: auto-replied\r\n\r\nx", 10, "automatic", False),
        (ORDINARY, 1001, "oversize", True),
        (b"Auto-Submitted: auto-replied\r\n\r\nx", 1001, "automatic", False),
    ],
)
def test_first_check_that_speaks_decides(raw: bytes, size: int, check: str, answer: bool) -> None:
    finding = screen(read_letter(raw, Envelope(size=size)), HOUSE)
    assert finding is not None
    assert (finding.check, finding.answer, finding.held) == (check, answer, answer)


@pytest.mark.parametrize(
    ("recipients", "held"),
    [
        (("Postmaster@campaigns.example",), True),
        (("abuse@campaigns.example", "postmaster@x.example"), True),
        (("postmaster@campaigns.example", "orders+K7Q2ABCD@campaigns.example"), False),
        ((), False),
    ],
)
def test_mail_to_the_postmaster_waits_without_an_answer(recipients: tuple[str, ...], held: bool) -> None:
    finding = screen(read_letter(ORDINARY, Envelope(recipients=recipients)), HOUSE)
    assert (finding is not None and finding.check == "postmaster") is held
    assert not (finding and (finding.answer or not finding.held))


def test_oversize_tells_both_sizes() -> None:
    finding = screen(read_letter(ORDINARY, Envelope(size=12345)), HOUSE)
    assert finding is not None
    assert finding.reason == "it has 12,345 bytes, and the most that is read is 1,000"


@pytest.mark.parametrize("obstacle", [each for each in get_args(Obstacle) if each])
def test_letter_without_readable_text_is_held(obstacle: Obstacle) -> None:
    letter = replace(read_letter(ORDINARY), obstacle=obstacle)
    finding = screen(letter, HOUSE)
    assert finding is not None
    assert (finding.check, finding.held) == (obstacle, True)
    assert finding.answer == (obstacle != "unreadable")


def test_machine_s_letter_without_readable_text_is_not_answered() -> None:
    letter = replace(read_letter(b"Auto-Submitted: auto-replied\r\n\r\nx"), obstacle="smime")
    finding = screen(letter, HOUSE)
    assert finding is not None
    assert (finding.check, finding.answer) == ("automatic", False)
