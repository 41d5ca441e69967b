"""The IMAP inbox: against pymap, against Dovecot, and against servers that misbehave by a script."""

import asyncio
import imaplib
import re
import smtplib
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, ClassVar

import pytest

from pbem.mail.imap import BEGINNING, Connection, Mailbox, MailboxError
from pbem.mail.inbox_imap import ImapInbox
from pbem.mail.mailhost import MailHost
from tests.mail.conftest import NOW, Desk, client_context, clock, server_context
from tests.servers import Dovecot

GM = "gm game@campaigns.example".replace(" ", "*")
PASSWORD = 'p"a\\ss %*'


def card(number: int) -> bytes:
    """A mail that can be told from others."""
    return f'From: ana@x.example\r\nSubject: "orders" {number}\r\n\r\nRed: move {number}\r\n'.encode()


@asynccontextmanager
async def running(inbox: ImapInbox) -> AsyncIterator[ImapInbox]:
    """An inbox at work until the block ends."""
    task = asyncio.create_task(inbox.run())
    try:
        yield inbox
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def watching(desk: Desk, mailbox: Mailbox) -> AbstractAsyncContextManager[ImapInbox]:
    """An inbox at work on a mailbox."""
    return running(ImapInbox(mailbox, desk.accept, clock))


async def until(condition: Callable[[], bool]) -> None:
    """Wait for something that will come about."""

    async def poll() -> None:
        while not condition():
            await asyncio.sleep(0.005)

    await asyncio.wait_for(poll(), 20)


# --- pymap --------------------------------------------------------------------------------------------------------


@pytest.fixture
async def host() -> AsyncIterator[MailHost]:
    """A mail provider with one user whose name and password need care."""
    async with MailHost({GM: PASSWORD}, clock) as host:
        yield host


def mailbox_at(host: MailHost, **settings: Any) -> Mailbox:
    given: dict[str, Any] = {"user": GM, "password": PASSWORD, "tls": False, "retry": 0.0, "poll": 600.0}
    return Mailbox("127.0.0.1", port=host.imap_port, **{**given, **settings})


async def test_waiting_mail_is_taken_in_order_and_new_mail_when_the_server_tells_of_it(
    host: MailHost, desk: Desk
) -> None:
    await host.deliver(GM, card(1))
    await host.deliver(GM, card(2))
    async with watching(desk, mailbox_at(host)) as inbox:
        assert [(await desk.next())[0] for _ in range(2)] == [card(1), card(2)]
        await until(lambda: inbox.last_look == NOW)
        await host.deliver(GM, card(3))
        assert (await desk.next())[0] == card(3)
        assert inbox.trouble == ""


async def test_mail_brings_the_time_when_it_came_into_the_mailbox(host: MailHost, desk: Desk) -> None:
    arrived = datetime(2026, 11, 1, 8, 0, tzinfo=UTC)
    await host.deliver(GM, card(1), arrived)
    async with watching(desk, mailbox_at(host)):
        envelope = (await desk.next())[1]
    assert (envelope.arrived, envelope.size, envelope.sender) == (arrived, len(card(1)), None)


async def test_stored_mail_is_moved_if_there_is_a_folder(host: MailHost, desk: Desk) -> None:
    await host.deliver(GM, card(1))
    async with watching(desk, mailbox_at(host, done_folder="Done Mail")) as inbox:
        await desk.next()
        await until(lambda: inbox.last_look is not None)
    assert await host.mails(GM) == []
    assert await host.mails(GM, "Done Mail") == [card(1)]


async def test_mail_that_could_not_be_stored_is_offered_again(host: MailHost, desk: Desk) -> None:
    desk.failures = 1
    await host.deliver(GM, card(1))
    async with watching(desk, mailbox_at(host, done_folder="Done")) as inbox:
        await until(lambda: inbox.trouble != "")
        assert inbox.trouble == "mail that could not be stored and stays in the mailbox: 1"
        assert await host.mails(GM) == [card(1)]
        await host.deliver(GM, card(2))
        assert [(await desk.next())[0] for _ in range(2)] == [card(1), card(2)]


async def test_large_mail_is_fetched_in_part_and_its_size_told(host: MailHost, desk: Desk) -> None:
    raw = card(1) + b"x" * 76 + (b"\r\n" + b"x" * 76) * 2000
    await host.deliver(GM, raw)
    async with watching(desk, mailbox_at(host, largest=100_000)):
        taken, envelope = await desk.next()
    assert (taken, envelope.size) == (raw[:BEGINNING], len(raw))


async def test_login_that_fails_is_reported_and_tried_again(host: MailHost, desk: Desk) -> None:
    async with watching(desk, mailbox_at(host, password="wrong")) as inbox:
        await until(lambda: inbox.trouble != "")
        assert inbox.trouble.startswith("login: the server says NO ")
        assert inbox.last_look is None


# --- Dovecot ------------------------------------------------------------------------------------------------------


def dovecot_mailbox(server: Dovecot, **settings: Any) -> Mailbox:
    return Mailbox(
        "127.0.0.1", server.user, server.password, server.imap_port, tls=False, retry=0.0, poll=600.0, **settings
    )


async def hand_over(server: Dovecot, raw: bytes) -> None:
    """Bring a mail to Dovecot over LMTP."""

    def bring() -> None:
        with smtplib.LMTP("127.0.0.1", server.lmtp_port) as client:
            client.sendmail("ana@x.example", [server.address.replace("@", "+K7Q2ABCD@")], raw)

    await asyncio.to_thread(bring)


def text(raw: bytes) -> bytes:
    """A mail without the headers that were added on its way."""
    return raw[raw.index(b"From: ana") :]


@pytest.mark.server
async def test_dovecot_tells_of_mail_that_came_over_lmtp(dovecot: Dovecot, desk: Desk) -> None:
    await hand_over(dovecot, card(1))
    async with watching(desk, dovecot_mailbox(dovecot)) as inbox:
        assert text((await desk.next())[0]) == card(1)
        await until(lambda: inbox.last_look is not None)
        await hand_over(dovecot, card(2))
        assert text((await desk.next())[0]) == card(2)


@pytest.mark.server
async def test_mail_read_by_somebody_else_is_taken_all_the_same(dovecot: Dovecot, desk: Desk) -> None:
    await hand_over(dovecot, card(1))

    def read_it() -> None:
        with imaplib.IMAP4("127.0.0.1", dovecot.imap_port) as other:
            other.login(dovecot.user, dovecot.password)
            other.select()
            other.fetch("1", "(BODY[])")

    await asyncio.to_thread(read_it)
    async with watching(desk, dovecot_mailbox(dovecot)):
        assert text((await desk.next())[0]) == card(1)


@pytest.mark.server
async def test_mail_that_was_stored_is_not_fetched_again_after_a_restart(dovecot: Dovecot, desk: Desk) -> None:
    await hand_over(dovecot, card(1))
    async with watching(desk, dovecot_mailbox(dovecot)) as inbox:
        await desk.next()
        await until(lambda: inbox.last_look is not None)
    await hand_over(dovecot, card(2))
    async with watching(desk, dovecot_mailbox(dovecot)):
        assert text((await desk.next())[0]) == card(2)


@pytest.mark.server
async def test_stored_mail_is_moved_into_a_new_folder_of_dovecot(dovecot: Dovecot, desk: Desk) -> None:
    await hand_over(dovecot, card(1))
    async with watching(desk, dovecot_mailbox(dovecot, done_folder="Done")) as inbox:
        await desk.next()
        await until(lambda: inbox.last_look is not None)
    assert dovecot.mails() == []
    assert [text(raw.replace(b"\n", b"\r\n")) for raw in dovecot.mails("Done")] == [card(1)]


@pytest.mark.server
async def test_connection_ended_by_the_server_is_replaced_at_once(
    dovecot: Dovecot, desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    async with watching(desk, dovecot_mailbox(dovecot)) as inbox:
        await until(lambda: inbox.last_look is not None)
        await asyncio.to_thread(dovecot.kick)
        await until(lambda: "the server says BYE" in caplog.text)
        await hand_over(dovecot, card(1))
        assert text((await desk.next())[0]) == card(1)
    assert desk.taken.empty()


@pytest.mark.server
async def test_uids_of_another_validity_are_not_taken_for_known_ones(dovecot: Dovecot, desk: Desk) -> None:
    inbox = ImapInbox(dovecot_mailbox(dovecot), desk.accept, clock)
    await hand_over(dovecot, card(1))
    async with running(inbox):
        await desk.next()
        await until(lambda: inbox.last_look is not None)
    # The same UID, not marked: only the other UIDVALIDITY tells that it is to be looked at again.
    for file in dovecot.maildir.glob("cur/*"):
        file.rename(dovecot.maildir / "new" / file.name.partition(":")[0])
    dovecot.renumber(1_000_000_000)
    async with running(inbox):
        assert text((await desk.next())[0]) == card(1)


# --- servers that misbehave ---------------------------------------------------------------------------------------


class FakeServer:
    """An IMAP server with one mail (UID 7) that answers as it should, unless the script has an answer of its own.

    An answer is text, with ``TAG`` for the command's tag; ``None`` means never to answer, and ``CLOSE`` in it to close
    the connection after the text.
    """

    def __init__(self, **script: list[str | None]) -> None:
        self.script = script
        """For each command (``UID FETCH`` is ``FETCH``) what to answer first, second and so on; then as usual."""
        self.asked: list[str] = []
        self.connections = 0
        self.open = 0

    USUAL: ClassVar = {
        "CAPABILITY": "* CAPABILITY IMAP4rev1 IDLE MOVE\r\nTAG OK done\r\n",
        "SELECT": "* 1 EXISTS\r\n* OK [UIDVALIDITY 1] ok\r\n* OK [PERMANENTFLAGS (\\Seen)] ok\r\nTAG OK done\r\n",
        "SEARCH": "* SEARCH 7\r\nTAG OK done\r\n",
        "IDLE": "+ idling\r\n",
        "SIZE": '* 1 FETCH (UID 7 RFC822.SIZE 69 INTERNALDATE "30-Nov-2026 18:04:11 +0000")\r\nTAG OK done\r\n',
        "FETCH": f"* 1 FETCH (UID 7 BODY[] {{{len(card(1))}}}\r\n{card(1).decode()})\r\nTAG OK done\r\n",
    }

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.open += 1
        writer.write(self.script.get("HELLO", ["* OK hello\r\n"])[0].encode())  # type: ignore[union-attr]
        tag = "?"
        while line := (await reader.readline()).decode().strip():
            if line != "DONE":
                tag, _, line = line.partition(" ")
            command = "SIZE" if "RFC822.SIZE" in line else re.sub(r"^UID ", "", line).split()[0].upper()
            self.asked.append(line)
            answer = self.answer(command)
            if answer is not None:
                writer.write(answer.replace("CLOSE", "").replace("TAG", tag).encode())
            if answer is not None and "CLOSE" in answer:
                break
        writer.close()
        self.open -= 1

    def answer(self, command: str) -> str | None:
        scripted = self.script.get(command)
        return scripted.pop(0) if scripted else self.USUAL.get(command, "TAG OK done\r\n")


@asynccontextmanager
async def faking(server: FakeServer, context: ssl.SSLContext | None = None, **settings: Any) -> AsyncIterator[Mailbox]:
    """The mailbox of a fake server."""
    listener = await asyncio.start_server(server.serve, "127.0.0.1", 0, ssl=context)
    async with listener:
        port = listener.sockets[0].getsockname()[1]
        given: dict[str, Any] = {"tls": False, "retry": 0.0, "poll": 600.0, "timeout": 600.0}
        yield Mailbox("localhost", "gm", "secret", port, **{**given, **settings})


BYE = "* BYE Session invalidated\r\n"


@pytest.mark.parametrize(
    "script",
    [
        {"IDLE": [BYE + "CLOSE"]},
        {"IDLE": [BYE]},
        {"IDLE": ["+ idling\r\n" + BYE]},
        {"IDLE": ["+ idling\r\nCLOSE"]},
        {"IDLE": ["TAG NO not now\r\n"]},
        {"SIZE": [BYE]},
        {"FETCH": [BYE + "CLOSE"]},
        {"FETCH": ["* 1 FETCH (UID 7 BODY[] {69}\r\nFrom: anCLOSE"]},
        {"STORE": [BYE]},
        {"STORE": ["CLOSE"]},
        {"SEARCH": ["TAG NO [BADCHARSET] no\r\n"]},
        {"SELECT": ["TAG NO no such mailbox\r\n"]},
        {"LOGIN": ["TAG NO [UNAVAILABLE] later\r\n" + BYE + "CLOSE"]},
        {"CAPABILITY": ["* CAPABILITY nothing\r\nTAG OK done\r\n"]},
    ],
    ids=str,
)
async def test_whatever_breaks_the_mail_is_taken_once_and_the_inbox_goes_on(desk: Desk, script: dict[str, Any]) -> None:
    server = FakeServer(**script)
    async with faking(server) as mailbox, watching(desk, mailbox) as inbox:
        assert (await desk.next())[0] == card(1)
        await until(lambda: server.connections > 1 and inbox.last_look is not None and inbox.trouble == "")
        await until(lambda: server.asked[-1] == "IDLE")
        assert desk.taken.empty()


@pytest.mark.parametrize("command", ["CAPABILITY", "LOGIN", "SELECT", "SEARCH", "SIZE", "FETCH", "STORE", "IDLE"])
async def test_question_that_is_never_answered_is_given_up(
    desk: Desk, command: str, caplog: pytest.LogCaptureFixture
) -> None:
    server = FakeServer(**{command: [None]})
    async with faking(server, timeout=0.05) as mailbox, watching(desk, mailbox):
        await until(lambda: ": no answer in time" in caplog.text)
        assert (await desk.next())[0] == card(1)


async def test_mail_is_found_though_the_server_does_not_tell(desk: Desk) -> None:
    server = FakeServer(SEARCH=["* SEARCH\r\nTAG OK done\r\n", "TAG OK none\r\n"])
    async with faking(server, poll=0.005) as mailbox, watching(desk, mailbox):
        assert (await desk.next())[0] == card(1)


async def test_same_uid_under_another_validity_is_another_mail(desk: Desk) -> None:
    renumbered = FakeServer.USUAL["SELECT"].replace("UIDVALIDITY 1", "UIDVALIDITY 2")
    server = FakeServer(SELECT=[FakeServer.USUAL["SELECT"], renumbered], IDLE=["CLOSE"])
    async with faking(server) as mailbox, watching(desk, mailbox):
        assert [(await desk.next())[0] for _ in range(2)] == [card(1), card(1)]


async def test_server_that_turns_us_away_says_why(desk: Desk) -> None:
    server = FakeServer(HELLO=["* BYE Too many connections\r\n"])
    async with faking(server) as mailbox:
        with pytest.raises(MailboxError, match="Too many connections"):
            async with Connection(mailbox):
                pass


async def test_old_connections_are_not_left_open(desk: Desk) -> None:
    server = FakeServer(IDLE=["TAG NO not now\r\n"] * 20)
    async with faking(server) as mailbox, watching(desk, mailbox):
        await until(lambda: server.connections == 21 and server.asked[-1] == "IDLE")
        await until(lambda: server.open == 1)


async def test_search_names_no_charset_and_login_quotes_everything(desk: Desk) -> None:
    server = FakeServer()
    async with faking(server) as mailbox, watching(desk, replace(mailbox, user='g"m *', password='s"')):
        await desk.next()
    assert 'LOGIN "g\\"m *" "s\\""' in server.asked
    assert "UID SEARCH ALL" in server.asked


async def test_mail_without_text_and_mail_that_is_gone_disturb_nobody(desk: Desk) -> None:
    server = FakeServer(
        SEARCH=["* SEARCH 9 7 8\r\nTAG OK done\r\n"],
        SIZE=["TAG OK done\r\n", "* 1 FETCH (UID 8 RFC822.SIZE 0)\r\nTAG OK done\r\n"],
        FETCH=['* 1 FETCH (UID 8 BODY[] "")\r\nTAG OK done\r\n'],
    )
    async with faking(server) as mailbox, watching(desk, mailbox) as inbox:
        assert (await desk.next())[0] == b""
        assert (await desk.next())[0] == card(1)
        await until(lambda: inbox.last_look is not None)
        assert inbox.trouble == ""


async def test_damaged_mail_does_not_keep_others_waiting(desk: Desk) -> None:
    server = FakeServer(SEARCH=["* SEARCH 6 7\r\nTAG OK done\r\n"], FETCH=["TAG NO damaged\r\n"])
    async with faking(server) as mailbox, watching(desk, mailbox) as inbox:
        assert (await desk.next())[0] == card(1)
        await until(lambda: inbox.trouble == "mail that could not be stored and stays in the mailbox: 1")
    assert server.connections == 1


async def test_server_without_idle_is_asked_now_and_then(desk: Desk) -> None:
    server = FakeServer(CAPABILITY=["* CAPABILITY IMAP4rev1\r\nTAG OK done\r\n"] * 2)
    async with faking(server, poll=0.005) as mailbox, watching(desk, mailbox):
        await until(lambda: server.asked.count("UID SEARCH ALL") > 2)
    assert "IDLE" not in server.asked


async def test_encrypted_mailbox_needs_a_certificate_that_is_trusted(desk: Desk) -> None:
    async with faking(FakeServer(), server_context(), tls=True) as mailbox:
        async with watching(desk, replace(mailbox, context=client_context())):
            assert (await desk.next())[0] == card(1)
        async with watching(desk, mailbox) as inbox:
            await until(lambda: "certificate" in inbox.trouble)


async def test_server_that_is_not_there_is_reported(desk: Desk) -> None:
    async with faking(FakeServer()) as mailbox:
        pass
    async with watching(desk, mailbox) as inbox:
        await until(lambda: inbox.trouble.startswith("connection: "))
