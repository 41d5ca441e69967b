"""The IMAP inbox and a provider that behaves: pymap, in this process."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest

from pbem.demo.mailhost import MailHost
from pbem.mail.imap.connection import BEGINNING
from pbem.mail.imap.mailbox import Mailbox
from tests.mail.conftest import NOW, Desk, clock
from tests.mail.imap.watching import card, until, watching

GM = "gm*game@campaigns.example"
PASSWORD = 'p"a\\ss %*'


@pytest.fixture
async def host() -> AsyncIterator[MailHost]:
    """A mail provider with one user whose name and password need care."""
    async with MailHost({GM: PASSWORD}, clock) as host:
        yield host


def mailbox_at(host: MailHost, **settings: Any) -> Mailbox:
    given: dict[str, Any] = {"user": GM, "password": PASSWORD, "security": "none", "poll": 600.0, "recover": 600.0}
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
    assert (envelope.arrived, envelope.size, envelope.sender) == (arrived, None, None)


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
        assert inbox.trouble == "mail that could not be taken so far, and stays in the mailbox: 1"
        assert await host.mails(GM) == [card(1)]
        await host.deliver(GM, card(2))
        assert [(await desk.next())[0] for _ in range(2)] == [card(2), card(1)]


async def test_large_mail_is_fetched_in_part_and_its_size_told(host: MailHost, desk: Desk) -> None:
    raw = card(1) + b"x" * 76 + (b"\r\n" + b"x" * 76) * 2000
    await host.deliver(GM, raw)
    async with watching(desk, mailbox_at(host, largest=100_000)):
        taken, envelope = await desk.next()
    assert (taken, envelope.size) == (raw[:BEGINNING], len(raw))


async def test_login_that_fails_is_reported_and_tried_again(host: MailHost, desk: Desk) -> None:
    async with watching(desk, mailbox_at(host, password="wrong")) as inbox:
        await until(lambda: inbox.trouble != "")
        assert inbox.trouble.startswith("login: user name or password refused (the server says NO ")
        assert inbox.last_look is None
