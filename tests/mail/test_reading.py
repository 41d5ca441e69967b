"""Letters read in other processes, with limits that no letter gets over."""

import multiprocessing
import os
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial

import pytest

from pbem.mail.reading.letter import Envelope
from pbem.mail.reading.safely import Reader, ReaderClosed, Reading, read, unread
from pbem.rulesets.nippon import NIPPON
from tests.mail.moody import DEADLY, DEVOURING, HANGING, moody

RAW = b"From: ana@example.org\r\nMessage-ID: <1@example.org>\r\n\r\nRed Dragons: move 14\r\n"
ARRIVED = Envelope(datetime(2026, 11, 30, tzinfo=UTC), recipients=("orders@campaigns.example",))
SHORT = 0.5


def stumble(raw: bytes, envelope: Envelope) -> Reading:
    """A reader with a fault."""
    raise ValueError("no such sign")


def test_letter_and_card_are_those_read_here() -> None:
    with Reader(1) as reader:
        assert reader.read(RAW, ARRIVED) == read(RAW, ARRIVED)
    assert [line.text for line in read(RAW, ARRIVED).card.lines] == ["Red Dragons: move 14"]


ROSTER = (
    b"From: ana@example.org\r\nContent-Type: application/octet-stream; name=Mine.ros\r\n\r\n"
    b"banner Sea Wolves\r\n20 swordsmen"
)


def test_files_of_rule_systems_are_read_there_too() -> None:
    with Reader(1, partial(read, files=NIPPON.files)) as reader:
        there = reader.read(ROSTER, ARRIVED)
    assert [line.text for line in there.card.lines] == ["banner Sea Wolves", "20 swordsmen"]


def test_letter_that_goes_over_a_limit_does_not_keep_others_from_being_read() -> None:
    with Reader(1, moody, longest=SHORT) as reader:
        for bad in (HANGING, DEADLY):
            assert reader.read(bad, ARRIVED) == unread(bad, ARRIVED)
            assert reader.read(RAW, ARRIVED) == read(RAW, ARRIVED)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not hold a process to this limit")
def test_memory_is_limited() -> None:
    with Reader(1, moody, most_memory=300_000_000) as reader:
        assert reader.read(DEVOURING, ARRIVED) == unread(DEVOURING, ARRIVED)
        assert reader.read(RAW, ARRIVED) == read(RAW, ARRIVED)


def test_letters_are_read_while_another_one_hangs() -> None:
    with Reader(2, moody, longest=3.0) as reader, ThreadPoolExecutor(1) as thread:
        hanging = thread.submit(reader.read, HANGING, ARRIVED)
        for _ in range(20):
            assert reader.read(RAW, ARRIVED).letter.sender == "ana@example.org"
        assert not hanging.done()
        assert hanging.result() == unread(HANGING, ARRIVED)


def test_processes_that_died_are_replaced() -> None:
    others = set(multiprocessing.active_children())
    with Reader(1) as reader:
        assert reader.read(RAW, ARRIVED).letter.sender
        (born,) = set(multiprocessing.active_children()) - others
        assert born.pid is not None
        os.kill(born.pid, signal.SIGKILL)
        born.join()
        assert reader.read(RAW, ARRIVED).letter.sender


def test_reader_closes_twice_and_leaves_nothing_running() -> None:
    children, threads = set(multiprocessing.active_children()), threading.active_count()
    with Reader(1) as reader:
        reader.read(RAW, ARRIVED)
        reader.close()
    assert set(multiprocessing.active_children()) <= children
    assert threading.active_count() == threads


def test_nothing_is_read_by_a_reader_that_is_closed() -> None:
    children = set(multiprocessing.active_children())
    with Reader(1) as reader:
        pass
    with pytest.raises(ReaderClosed, match="reads no letter any more"):
        reader.read(RAW, ARRIVED)
    assert set(multiprocessing.active_children()) <= children


def test_letter_that_breaks_a_reader_comes_back_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.mail.reading.safely.read_letter", stumble)
    reading = read(RAW, ARRIVED)
    assert reading == unread(RAW, ARRIVED)
    assert (reading.letter.sender, reading.letter.body, reading.card.lines) == ("", "", ())
    assert (reading.letter.obstacle, reading.letter.size) == ("unreadable", len(RAW))
    assert reading.letter.content_hash == unread(RAW, Envelope()).letter.content_hash
    assert reading.letter.content_hash != unread(RAW + b"x", Envelope()).letter.content_hash
