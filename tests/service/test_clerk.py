"""The clerk's process: what it is told to do is done there, and its death loses nothing."""

import os
import signal
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from pbem.app import build_server
from pbem.config import Settings, SmtpIn, Web
from pbem.mail.inbox import TryLater
from pbem.mail.reading.letter import Envelope
from pbem.service.clerk import ProcessClerk
from pbem.service.incoming import intake
from tests.service.conftest import Club

OPENED = "a host"


def open_host() -> str:
    return OPENED


def tell(host: str, word: str, *, loud: bool = False) -> tuple[str, str, int]:
    return host, word.upper() if loud else word, os.getpid()


def die(host: str, *letter: object, lives: Path) -> str:
    """As long as there are lives left, whoever does this dies."""
    if left := int(lives.read_text()):
        lives.write_text(str(left - 1))
        os.kill(os.getpid(), signal.SIGKILL)
    return host


def find_database_away(host: str) -> None:
    raise OperationalError("INSERT", {}, Exception("database is locked"))


@pytest.fixture
def clerk() -> Iterator[ProcessClerk]:
    with closing(ProcessClerk(open_host)) as clerk:
        yield clerk


async def test_it_is_done_in_one_other_process_for_the_host_there(clerk: ProcessClerk) -> None:
    await clerk.start()
    host, word, process = await clerk.do(tell, "another host", "please", loud=True)
    assert (host, word) == (OPENED, "PLEASE")
    assert process != os.getpid()
    assert (await clerk.do(tell, "another host", "again"))[2] == process


async def test_what_went_wrong_there_is_told_here(clerk: ProcessClerk) -> None:
    with pytest.raises(OperationalError, match="database is locked"):
        await clerk.do(find_database_away, "")


async def test_a_process_that_dies_is_replaced_once(clerk: ProcessClerk, tmp_path: Path) -> None:
    lives = tmp_path / "lives"
    lives.write_text("1")
    assert await clerk.do(die, "", lives=lives) == OPENED


async def test_a_letter_by_which_it_dies_again_and_again_is_to_be_offered_later(
    club: Club, clerk: ProcessClerk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lives = tmp_path / "lives"
    lives.write_text("2")
    monkeypatch.setattr(intake, "take_in", partial(die, lives=lives))
    settings = Settings(data=tmp_path, smtp_in=SmtpIn(enabled=False), web=Web(enabled=False))
    server = build_server(settings, replace(club.host, clerk=clerk))
    try:
        with pytest.raises(TryLater):
            await server.take("smtp", b"From: ana@example.org\r\n\r\nOK\r\n", Envelope())
        await server.take("smtp", b"From: ana@example.org\r\n\r\nOK\r\n", Envelope())
    finally:
        server.reader.close()
