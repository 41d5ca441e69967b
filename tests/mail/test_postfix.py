"""A real mail server before us and behind us."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email import message_from_bytes, policy

import pytest

from pbem.mail.listener.connection import refusal
from pbem.mail.listener.inbox import Listener, SmtpInbox
from pbem.mail.outgoing.transport import OutgoingMail, Refused, Sent
from tests.mail.conftest import Desk, clock
from tests.mail.wires import converse, outbox
from tests.servers import Postfix, postfix

__all__ = ["postfix"]

RAW = (
    b"From: ana@players.test\r\nSubject: orders\r\nDate: Mon, 30 Nov 2026 18:04:11 +0000\r\n"
    b"Message-ID: <%s@players.test>\r\n\r\nRed: hold\r\n.\r\n..\r\n"
)
US = "orders+b7.qk2@pbem.test"
pytestmark = pytest.mark.server


def mail(name: str, sender: str = "ana@players.test", recipient: str = US, body: bytes = b"") -> OutgoingMail:
    """A mail of its own."""
    return OutgoingMail(sender, recipient, RAW % name.encode() + body)


@asynccontextmanager
async def we(postfix: Postfix, desk: Desk, **settings: int) -> AsyncIterator[SmtpInbox]:
    """The campaign server's listener, where Postfix brings its mail."""
    listener = Listener(port=postfix.lmtp_port, protocol="lmtp", name="pbem.test", **settings)  # type: ignore[arg-type]
    async with SmtpInbox(listener, desk.accept, clock, refusal("orders@pbem.test", any_name=True)) as inbox:
        yield inbox


@asynccontextmanager
async def players(postfix: Postfix, desk: Desk, refused: str = "") -> AsyncIterator[SmtpInbox]:
    """The players' mail server, where Postfix brings theirs."""
    listener = Listener(port=postfix.players_port, name="players.test")
    async with SmtpInbox(listener, desk.accept, clock, lambda address: refused) as inbox:
        yield inbox


async def test_mail_comes_through_as_it_was_written(postfix: Postfix, desk: Desk) -> None:
    async with we(postfix, desk), outbox(postfix.port) as box:
        assert await box.send(mail("through")) == Sent()
        raw, envelope = await desk.next()
    assert raw.endswith(RAW % b"through")
    assert (envelope.sender, envelope.recipients) == ("ana@players.test", (US,))


async def test_mail_that_we_cannot_store_is_kept_and_brought_again(postfix: Postfix, desk: Desk) -> None:
    desk.failures = 1
    async with we(postfix, desk), outbox(postfix.port) as box:
        for name in ("first", "second"):
            assert await box.send(mail(name, sender="")) == Sent()
        await asyncio.wait_for(desk.refused.wait(), 20)
        brought = [(await desk.next())[0] for _ in range(2)]
        await asyncio.sleep(0.3)
    assert sorted(re.findall(rb"Message-ID: <(\w+)@", raw)[0] for raw in brought) == [b"first", b"second"]
    assert desk.taken.empty()


async def test_mail_goes_out_from_the_plain_address_where_the_login_owns_no_tags(postfix: Postfix, desk: Desk) -> None:
    async with players(postfix, desk), outbox(postfix.port) as box:
        for name in ("tag", "none"):
            tagged = mail(name, "orders+b2-k7q2abcdef@login.test", "ana@players.test")
            assert await box.send(tagged) == Sent()
            _, envelope = await desk.next()
            assert envelope.sender == "orders@login.test"
    assert postfix.log.count("Sender address rejected: not owned by user orders") == 1


async def test_mail_waits_while_we_are_away(postfix: Postfix, desk: Desk) -> None:
    async with outbox(postfix.port) as box:
        assert await box.send(mail("waits", sender="")) == Sent()
    while "Connection refused" not in postfix.log:
        await asyncio.sleep(0.05)
    async with we(postfix, desk):
        raw, _ = await desk.next()
    assert b"<waits@" in raw


def parts(raw: bytes) -> list[str]:
    return [part.get_content_type() for part in message_from_bytes(raw, policy=policy.default).walk()]


@pytest.mark.parametrize(
    ("recipient", "answer", "status"),
    [
        ("gone@players.test", "550 5.1.1 No such user", "5.1.1"),
        ("full@players.test", "552 5.2.2 Mailbox full", "5.2.2"),
    ],
)
async def test_mail_that_a_player_does_not_get_is_reported_to_its_own_address(
    postfix: Postfix, desk: Desk, recipient: str, answer: str, status: str
) -> None:
    async with we(postfix, desk), players(postfix, Desk(), answer), outbox(postfix.port) as box:
        assert await box.send(mail("report", sender=US, recipient=recipient)) == Sent()
        raw, envelope = await desk.next()
    assert (envelope.sender, envelope.recipients) == ("", (US,))
    assert parts(raw)[:4] == ["multipart/report", "text/plain", "message/delivery-status", "text/plain"]
    assert f"Status: {status}".encode() in raw
    assert b"<report@players.test>" in raw


async def test_mail_that_is_late_is_reported_and_then_delivered(postfix: Postfix, desk: Desk) -> None:
    theirs = Desk(failures=2)
    async with we(postfix, desk), players(postfix, theirs), outbox(postfix.port) as box:
        assert await box.send(mail("late", sender=US, recipient="ana@players.test")) == Sent()
        raw, envelope = await desk.next()
        assert (await theirs.next())[0].endswith(b"..\r\n")
    assert envelope.recipients == (US,)
    assert b"Action: delayed" in raw


async def test_mail_that_we_refuse_is_reported_to_its_sender(postfix: Postfix, desk: Desk) -> None:
    theirs = Desk()
    async with we(postfix, desk, largest=20_000), players(postfix, theirs), outbox(postfix.port) as box:
        assert await box.send(mail("large", body=b"x" * 70 + b"\r\n" * 20_000)) == Sent()
        raw, envelope = await theirs.next()
    assert (envelope.sender, envelope.recipients) == ("", ("ana@players.test",))
    assert b"Status: 5.3.4" in raw
    assert desk.taken.empty()


async def test_postfix_refuses_what_it_cannot_deliver(postfix: Postfix) -> None:
    async with outbox(postfix.port) as box:
        result = await box.send(mail("outside", recipient="ben@elsewhere.test"))
        assert isinstance(result, Refused)
        assert result.status == "5.1.2"
        result = await box.send(mail("huge", body=b"x\r\n" * 700_000))
        assert isinstance(result, Refused)
        assert result.status == "5.3.4"


async def test_addresses_in_other_scripts_come_through(postfix: Postfix, desk: Desk) -> None:
    async with we(postfix, desk), outbox(postfix.port) as box:
        assert await box.send(mail("script", sender="józef@bücher.example")) == Sent()
        _, envelope = await desk.next()
    assert envelope.sender == "józef@xn--bcher-kva.example"


async def test_half_a_line_end_makes_no_second_mail_on_the_way(postfix: Postfix, desk: Desk) -> None:
    inner = b"MAIL FROM:<ceo@players.test>\r\nRCPT TO:<orders@pbem.test>\r\nDATA\r\nforged\r\n"
    lines = ("EHLO x", "MAIL FROM:<>", f"RCPT TO:<{US}>", "DATA", b"Subject: x\r\n\r\nhold\n.\r\n" + inner, ".", "QUIT")
    async with we(postfix, desk), outbox(postfix.port) as box:
        await converse(postfix.port, *lines)
        assert await box.send(mail("after", sender="")) == Sent()
        arrived = [(await desk.next())[0]]
        while b"<after@" not in arrived[-1]:
            arrived.append((await desk.next())[0])
    assert [raw for raw in arrived if b"forged" in raw and b"hold" not in raw] == []
