"""The clerk's process: what it is told to do is done there, and its death loses nothing."""

import asyncio
import os
import signal
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from pbem.app import build_server
from pbem.config import Settings, SmtpIn, Web
from pbem.core.errors import BadInput
from pbem.hosting import build_host
from pbem.mail.inbox import TryLater
from pbem.mail.reading.letter import Envelope
from pbem.reports.raster import Rasterizer
from pbem.service.clerk import ProcessClerk
from pbem.service.host import Host
from pbem.service.incoming import intake
from pbem.service.outgoing import deliver
from pbem.service.stages.begin import begin
from pbem.service.stages.campaign_file import read_campaign
from pbem.storage.outbox import Claim
from tests.service.conftest import CAMPAIGN, WORDINGS, Club
from tests.service.errands import OPENED, cannot_open, die, find_database_away, open_host, open_when_told, tell, wait
from tests.toy import TOY


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


@pytest.fixture
def lives(tmp_path: Path) -> Path:
    """A file that says how many more times to die."""
    path = tmp_path / "lives"
    path.write_text("1")
    return path


async def test_a_process_that_dies_is_replaced_once(clerk: ProcessClerk, lives: Path) -> None:
    assert await clerk.do(die, "", lives=lives) == OPENED


async def test_what_is_lost_together_goes_to_one_new_process_and_keeps_nobody_else_waiting(tmp_path: Path) -> None:
    asked, told = tmp_path / "asked", tmp_path / "told"
    told.touch()
    with closing(ProcessClerk(partial(open_when_told, asked, told))) as clerk:
        old = await clerk.do(wait, "", 0)
        asked.unlink()
        told.unlink()
        jobs = [asyncio.create_task(clerk.do(wait, "", 0.2)) for _ in range(4)]
        await asyncio.sleep(0.05)
        os.kill(old, signal.SIGKILL)
        while not asked.exists():
            await asyncio.sleep(0.01)
        told.touch()  # Nobody comes to this if all have to wait until the new process is ready.
        assert len(set(await asyncio.gather(*jobs)) - {old}) == 1


async def test_who_takes_too_long_is_ended(capfd: pytest.CaptureFixture[str]) -> None:
    with closing(ProcessClerk(open_host, longest=0.2)) as clerk, pytest.raises(BrokenProcessPool):
        await clerk.do(wait, "", 60)
    assert "Timeout (0:00:00.200000)!" in capfd.readouterr().err


async def test_what_keeps_its_host_from_being_opened_is_told_each_time() -> None:
    with closing(ProcessClerk(cannot_open)) as clerk:
        for _ in range(2):
            with pytest.raises(BadInput, match="no such folder"):
                await clerk.start()


# --- with a database ----------------------------------------------------------------------------------------------


def take_in_and_die(host: Host, arrived: intake.Arrived, *, lives: Path) -> str:
    """It dies after it has written everything down, and before it can say so."""
    outcome = intake.take_in(host, arrived)
    die("", lives=lives)
    return outcome


def note_and_die(host: Host, claim: Claim, *, lives: Path) -> bool:
    noted = deliver._note_sent(host, claim)
    die("", lives=lives)
    return noted


def toy_host(data: Path) -> Host:
    return build_host(Settings(data=data), Rasterizer(), rulesets={"toy": TOY}, templates=WORDINGS)


@pytest.fixture
def office(tmp_path: Path, lives: Path) -> Iterator[tuple[Host, ProcessClerk]]:
    """A host with a campaign, and a clerk who works on the same database."""
    host = toy_host(tmp_path)
    begin(host, read_campaign("gate.toml", CAMPAIGN))
    with closing(ProcessClerk(partial(toy_host, tmp_path))) as clerk:
        yield host, clerk


async def test_a_letter_that_was_written_down_before_its_death_is_known(
    office: tuple[Host, ProcessClerk], lives: Path
) -> None:
    host, clerk = office
    raw = b"From: eve@elsewhere.example\r\nMessage-ID: <1@x>\r\n\r\nHello\r\n"
    arrived = intake.arrive(host, raw, Envelope(), "smtp")
    assert await clerk.do(take_in_and_die, host, arrived, lives=lives) == "known"
    with host.unit() as unit:
        assert [letter.status for letter in unit.letters.latest()] == ["held"]
        assert len([mail for mail in unit.outbox.latest() if mail.recipient == "eve@elsewhere.example"]) == 1


async def test_a_mail_that_was_noted_before_its_death_stays_noted(
    office: tuple[Host, ProcessClerk], lives: Path
) -> None:
    host, clerk = office
    claim = deliver._claim(host)[0]
    assert await clerk.do(note_and_die, host, claim, lives=lives) is False
    with host.unit() as unit:
        mail = unit.outbox.find(claim.number)
        assert mail
        assert (mail.status, mail.attempts) == ("sent", 1)


async def test_a_letter_by_which_it_dies_again_and_again_is_to_be_offered_later(
    club: Club, clerk: ProcessClerk, lives: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
