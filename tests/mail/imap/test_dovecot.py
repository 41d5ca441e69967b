"""The IMAP inbox and Dovecot."""

import asyncio
import imaplib
import logging
import smtplib
from typing import Any

import pytest

from pbem.mail.imap.inbox import ImapInbox
from pbem.mail.imap.mailbox import Mailbox
from pbem.mail.inbox import AtOnce
from tests.mail.conftest import Desk, clock
from tests.mail.imap.watching import card, running, until, watching
from tests.servers import Dovecot


def dovecot_mailbox(server: Dovecot, **settings: Any) -> Mailbox:
    given: dict[str, Any] = {"security": "none", "poll": 600.0, "recover": 6.0, **settings}
    return Mailbox("127.0.0.1", server.user, server.password, server.imap_port, **given)


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
    inbox = ImapInbox(dovecot_mailbox(dovecot), AtOnce(desk.accept), clock)
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


@pytest.mark.server
async def test_two_servers_on_one_mailbox_of_dovecot_lose_nothing_and_complain_of_nothing(
    dovecot: Dovecot, desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(40):
        await hand_over(dovecot, card(number))
    mailbox = dovecot_mailbox(dovecot, done_folder="Done")
    first, second = (ImapInbox(mailbox, AtOnce(desk.accept), clock) for _ in range(2))
    async with running(first), running(second):
        await until(lambda: first.last_look is not None and second.last_look is not None and not dovecot.mails())
    assert {text(desk.taken.get_nowait()[0]) for _ in range(desk.taken.qsize())} == {card(n) for n in range(40)}
    # Two moves at the same moment leave two copies of a mail, which is Dovecot's way; none is lost.
    assert {text(raw.replace(b"\n", b"\r\n")) for raw in dovecot.mails("Done")} == {card(n) for n in range(40)}
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


@pytest.mark.server
async def test_folders_with_any_name_are_made_by_dovecot(dovecot: Dovecot, desk: Desk) -> None:
    await hand_over(dovecot, card(1))
    async with watching(desk, dovecot_mailbox(dovecot, done_folder="Züge & Briefe/2026")) as inbox:
        await desk.next()
        await until(lambda: inbox.last_look is not None)
    assert len(dovecot.mails("Z&APw-ge &- Briefe.2026")) == 1
