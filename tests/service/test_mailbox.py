"""A server that fetches its letters from a mailbox: its health, and letters that cannot be taken in."""

import asyncio
import json
import re
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

from sqlalchemy.exc import OperationalError

from pbem.app import build_server
from pbem.config import ImapIn, Settings, SmtpIn, Web
from pbem.hosting import now
from pbem.mail.inbox import UnreadMail
from pbem.mail.reading.letter import Envelope
from pbem.server import Server
from pbem.service.incoming import intake, unread
from tests.mail.conftest import NOW
from tests.mail.fake_imap import ALWAYS, FakeImap, Stored, closes, faking, on, says, stops_reading
from tests.mail.imap.watching import card, until
from tests.servers import free_port
from tests.service.conftest import Club


@asynccontextmanager
async def fetching(club: Club, folder: Path, server: FakeImap, **settings: Any) -> AsyncIterator[Server]:
    """A server, by the clock on the wall, that fetches its letters from a fake mailbox."""
    async with faking(server) as mailbox:
        box = ImapIn(enabled=True, host="localhost", port=mailbox.port, security="none", user="gm", **settings)
        web = Web(port=free_port())
        given = Settings(data=folder, smtp_in=SmtpIn(enabled=False), imap_in=box, web=web)
        whole = build_server(given, replace(club.host, clock=now))
        stop, started = asyncio.Event(), asyncio.Event()
        running = asyncio.create_task(whole.run(stop, started.set))
        await asyncio.wait_for(started.wait(), 30)
        try:
            yield whole
        finally:
            stop.set()
            await running


async def health(server: Server) -> tuple[int, Any]:
    """What ``/healthz`` answers."""

    def ask() -> tuple[int, Any]:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{server.settings.web.port}/healthz", timeout=5) as answer:
                return answer.status, json.load(answer)
        except HTTPError as error:
            with error:
                return error.code, json.load(error)

    return await asyncio.to_thread(ask)


async def test_health_tells_how_long_the_last_look_is_ago_and_is_bad_when_that_is_too_long(
    club: Club, tmp_path: Path
) -> None:
    silent = FakeImap(
        {}, on("UID SEARCH", says("* SEARCH", "TAG OK done")), on("NOOP|LOGIN", stops_reading, times=ALWAYS)
    )
    silent.script.insert(0, on("NOOP|LOGIN", says("TAG OK done"), times=2))  # The first look succeeds.
    bound = {"recover": timedelta(seconds=1.5), "poll": timedelta(seconds=1)}
    async with fetching(club, tmp_path, silent, **bound) as server:
        await until(lambda: not any(part.wrong for part in server.health().values()))
        status, told = await health(server)
        assert (status, told["ok"], told["wrong"]) == (200, True, {})
        assert 0 <= told["parts"]["mailbox"]["last_look"] < 2.5
        await until(lambda: bool(server.health()["mailbox"].wrong))
        status, told = await health(server)
        assert (status, told["ok"]) == (503, False)
        assert re.fullmatch(r"no look for \d s", told["wrong"]["mailbox"])
        assert told["parts"]["mailbox"]["trouble"] is True
        assert server.health()["mailbox"].trouble.endswith("no answer in time")


async def test_health_tells_nobody_what_the_mailbox_says(club: Club, tmp_path: Path) -> None:
    refusing = FakeImap({}, on("LOGIN", says("TAG NO no user gm on host imap7"), times=ALWAYS))
    async with fetching(club, tmp_path, refusing, recover=timedelta(seconds=0.6)) as server:
        await until(lambda: bool(server.health()["mailbox"].trouble))
        status, told = await health(server)
    assert "imap7" in server.health()["mailbox"].trouble
    assert (status, told["wrong"]["mailbox"]) == (503, "has not looked yet")
    assert "imap7" not in json.dumps(told)


async def test_mail_that_cannot_be_taken_in_is_shown_as_failed_and_the_others_are_taken(
    club: Club, tmp_path: Path
) -> None:
    poison = on(r"UID FETCH .*BODY\.PEEK\[\]", closes, times=ALWAYS, about=7)
    server = FakeImap({6: card(6), 7: card(7), 8: card(8)}, poison)
    async with fetching(club, tmp_path, server, recover=timedelta(seconds=0.6), quarantine_folder="Odd"):
        await until(lambda: "Odd" in server.folders)
        server.mails[9] = Stored(card(9))
        await until(lambda: not [mail for mail in server.mails.values() if "$PbemStored" not in mail.flags])
    with club.host.unit() as unit:
        letters = {letter.subject: letter for letter in unit.letters.latest()}
    assert set(letters) == {f'"orders" {number}' for number in (6, 7, 8, 9)}
    failed = letters['"orders" 7']
    assert (failed.status, failed.sender, failed.route, failed.whole) == ("failed", "ana@x.example", "imap", False)
    assert letters['"orders" 6'].whole
    assert failed.note == (
        "could not be taken out of the mailbox (gm on localhost, INBOX 1, mail 7): UID FETCH: the server closed the "
        "connection"
    )


def test_mail_that_could_not_be_taken_in_is_written_down_once(club: Club) -> None:
    mail = UnreadMail("gm on localhost, INBOX 1, mail 7", b"", Envelope(arrived=NOW, size=0), "no answer in time")
    assert not unread.knows(club.host, mail.name)
    for _ in range(2):
        unread.keep(club.host, mail, club.host.read(mail.raw, mail.envelope), "imap")
    assert unread.knows(club.host, mail.name)
    with club.host.unit() as unit:
        assert [letter.status for letter in unit.letters.latest()] == ["failed"]


async def test_mail_stays_in_the_mailbox_while_the_database_is_away(
    club: Club, tmp_path: Path, monkeypatch: Any
) -> None:
    def away(*unused: object) -> str:
        raise OperationalError("INSERT", {}, Exception("database is locked"))

    server = FakeImap({7: card(7)})
    with monkeypatch.context() as patched:
        patched.setattr(intake, "take_in", away)
        async with fetching(club, tmp_path, server, recover=timedelta(seconds=0.6)) as whole:
            await until(lambda: server.count("UID FETCH .*BODY") > 5)
            assert whole.health()["mailbox"].trouble == "letters cannot be stored now, and stay in the mailbox"
            patched.undo()
            await until(lambda: "$PbemStored" in server.mails[7].flags)
    with club.host.unit() as unit:
        assert [letter.subject for letter in unit.letters.latest()] == ['"orders" 7']
