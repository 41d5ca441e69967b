"""The mail provider of the demo."""

import asyncio
import imaplib
import sys

import pytest

from pbem.demo.mailhost import MailHost, NoMailHost
from pbem.mail.outgoing.smtp import Relay, SmtpOutbox
from pbem.mail.outgoing.transport import OutgoingMail, Refused, Sent
from tests.mail.conftest import clock

RAW = b"Subject: orders\r\n\r\nRed: hold\r\n"
USERS = {"ana@X.example": "a", "ben@x.example": "b"}


async def test_mail_goes_into_the_mailbox_of_its_recipient() -> None:
    async with MailHost(USERS, clock) as host:
        outbox = SmtpOutbox(Relay("127.0.0.1", host.smtp_port, "none"))
        assert await outbox.send(OutgoingMail("o@x.example", "ana+K7Q2@x.example", RAW)) == Sent()
        assert await outbox.send(OutgoingMail("o@x.example", "eve@x.example", RAW)) == Refused(
            "550 5.1.1 No such user here", "5.1.1"
        )
        assert (await host.mails("ana@x.example"), await host.mails("ben@x.example")) == ([RAW], [])
        await outbox.close()


async def test_mailbox_can_be_read_with_any_imap_program() -> None:
    def read(port: int) -> object:
        with imaplib.IMAP4("127.0.0.1", port) as program:
            program.login("ben@x.example", "b")
            program.select()
            return program.fetch("1", "(BODY.PEEK[])")[1][0][1]  # type: ignore[index]

    async with MailHost(USERS, clock) as host:
        await host.deliver("ben@x.example", RAW.replace(b"\r\n", b"\n"))
        assert await asyncio.to_thread(read, host.imap_port) == RAW


async def test_missing_library_is_named_with_the_way_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pymap.imap", None)
    with pytest.raises(NoMailHost, match=r"pip install 'pbem\[demo\]'"):
        async with MailHost(USERS, clock):
            pass
