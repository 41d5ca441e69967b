"""The listener and the SMTP outbox, against each other and against plain clients."""

import asyncio
import smtplib
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP, AuthResult

from pbem.mail.inbox_smtp import Listener, SmtpInbox, serves_domains
from pbem.mail.outbox_smtp import Relay, SmtpOutbox
from pbem.mail.transport import Deferred, OutgoingMail, Refused, Result, Sent
from tests.mail.conftest import NOW, Desk, client_context, clock, server_context

RAW = b"From: a@x.example\r\nSubject: orders\r\n\r\nRed: hold\r\n.\r\n..\r\n"
MAIL = OutgoingMail("a@x.example", "orders@campaigns.example", RAW)


@asynccontextmanager
async def listening(desk: Desk, protocol: str = "smtp", **settings: Any) -> AsyncIterator[SmtpInbox]:
    """A listener that serves one domain."""
    serves = serves_domains(frozenset({"campaigns.example"}))
    async with SmtpInbox(Listener(protocol=protocol, **settings), desk.accept, clock, serves) as inbox:  # type: ignore[arg-type]
        yield inbox


@asynccontextmanager
async def outbox(port: int) -> AsyncIterator[SmtpOutbox]:
    """An outbox to a port here."""
    box = SmtpOutbox(Relay("127.0.0.1", port, "none", timeout=20))
    try:
        yield box
    finally:
        await box.close()


async def send(port: int, mail: OutgoingMail = MAIL) -> Result:
    async with outbox(port) as box:
        return await box.send(mail)


async def converse(port: int, *lines: str) -> list[str]:
    """Say these lines to a server; all that it answers until it closes the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write("".join(f"{line}\r\n" for line in lines).encode())
    answers = (await asyncio.wait_for(reader.read(), 20)).decode().splitlines()
    writer.close()
    await writer.wait_closed()
    return answers


async def test_mail_arrives_byte_for_byte_with_its_envelope(desk: Desk) -> None:
    async with listening(desk) as inbox:
        assert await send(inbox.port) == Sent()
        raw, envelope = await desk.next()
        assert raw == RAW
        assert (envelope.sender, envelope.recipients) == ("a@x.example", ("orders@campaigns.example",))
        assert envelope.arrived == NOW
        assert inbox.last_look == NOW


async def test_reports_on_delivery_arrive_with_an_empty_sender(desk: Desk) -> None:
    async with listening(desk) as inbox:
        assert await send(inbox.port, OutgoingMail("", MAIL.recipient, RAW)) == Sent()
        assert (await desk.next())[1].sender == ""


async def test_mail_that_cannot_be_stored_is_to_be_offered_again(desk: Desk) -> None:
    desk.failures = 1
    async with listening(desk) as inbox, outbox(inbox.port) as box:
        assert await box.send(MAIL) == Deferred("451 4.3.0 Not stored, please try again later")
        assert await box.send(MAIL) == Sent()
        assert desk.taken.qsize() == 1


async def test_foreign_domains_are_refused(desk: Desk) -> None:
    async with listening(desk) as inbox:
        assert await send(inbox.port, OutgoingMail("a@x.example", "ben@elsewhere.example", RAW)) == Refused(
            "550 5.1.1 No such address here", "5.1.1"
        )


@pytest.mark.parametrize(("domains", "served"), [((), True), (("a.example",), False), (("X.example".lower(),), True)])
def test_domains_are_compared_without_case_and_none_means_all(domains: tuple[str, ...], served: bool) -> None:
    assert serves_domains(frozenset(domains))("a@X.Example") is served


async def test_too_large_a_mail_is_refused(desk: Desk) -> None:
    async with listening(desk, largest=100) as inbox:
        result = await send(inbox.port, OutgoingMail("a@x.example", MAIL.recipient, RAW + b"x" * 70 + b"\r\n"))
        assert isinstance(result, Refused)
        assert result.reason.startswith("552")


async def test_lines_longer_than_the_standard_allows_are_taken(desk: Desk) -> None:
    async with listening(desk) as inbox:
        raw = RAW + b"x" * 5000 + b"\r\n"
        assert await send(inbox.port, OutgoingMail("a@x.example", MAIL.recipient, raw)) == Sent()
        assert (await desk.next())[0] == raw


async def test_lmtp_answers_once_for_each_recipient(desk: Desk) -> None:
    lines = [
        *("LHLO x", "MAIL FROM:<a@x.example>", "RCPT TO:<a@campaigns.example>", "RCPT TO:<b@elsewhere.example>"),
        *("RCPT TO:<c+t@campaigns.example>", "DATA", "Subject: x", "", "Red: hold", ".", "QUIT"),
    ]
    async with listening(desk, "lmtp") as inbox:
        answers = await converse(inbox.port, *lines)
        assert [line[:3] for line in answers if line[3] == " "] == [
            *("220", "250", "250", "250", "550", "250", "354", "250", "250", "221"),
        ]
        raw, envelope = await desk.next()
        assert raw == b"Subject: x\r\n\r\nRed: hold\r\n"
        assert envelope.recipients == ("a@campaigns.example", "c+t@campaigns.example")


@pytest.mark.parametrize(("failures", "body", "code"), [(1, "Red: hold", "451"), (0, "x" * 300, "552")])
async def test_lmtp_answers_each_recipient_when_it_fails_too(desk: Desk, failures: int, body: str, code: str) -> None:
    desk.failures = failures
    head = ["LHLO x", "MAIL FROM:<a@x.example>", "RCPT TO:<a@campaigns.example>", "RCPT TO:<b@campaigns.example>"]
    async with listening(desk, "lmtp", largest=200) as inbox:
        answers = await converse(inbox.port, *head, "DATA", "Subject: x", "", body, ".", "NOOP", "QUIT")
        assert [line[:3] for line in answers][-4:] == [code, code, "250", "221"]


async def test_plain_library_client_can_send(desk: Desk) -> None:
    def by_hand(port: int) -> dict[str, Any]:
        with smtplib.SMTP("127.0.0.1", port) as client:
            return client.sendmail("a@x.example", ["orders@campaigns.example", "ben@elsewhere.example"], RAW)

    async with listening(desk) as inbox:
        refused = await asyncio.to_thread(by_hand, inbox.port)
        assert list(refused) == ["ben@elsewhere.example"]
        assert (await desk.next())[0] == RAW


async def test_listener_runs_until_cancelled_and_lets_go_of_its_port(desk: Desk) -> None:
    inbox = SmtpInbox(Listener(), desk.accept, clock)
    await inbox.start()
    port = inbox.port
    task = asyncio.create_task(inbox.run())
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    assert (await reader.readline()).startswith(b"220")
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert await asyncio.wait_for(reader.read(), 20) == b""
    writer.close()
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection("127.0.0.1", port)


async def test_port_in_use_is_an_error(desk: Desk) -> None:
    async with listening(desk) as inbox:
        with pytest.raises(OSError, match="in use"):
            await SmtpInbox(Listener(port=inbox.port), desk.accept, clock).start()


# --- the outbox ---------------------------------------------------------------------------------------------------


class Script:
    """Hooks for a server that answers as told and counts its connections."""

    def __init__(self, **answers: str | Callable[[], str]) -> None:
        self.answers = answers
        self.connections = 0

    def answer(self, command: str, default: str) -> str:
        given = self.answers.get(command, default)
        return given if isinstance(given, str) else given()

    async def handle_MAIL(self, server: SMTP, session: Any, envelope: Any, address: str, options: list[str]) -> str:
        envelope.mail_from = address
        return self.answer("MAIL", "250 OK")

    async def handle_RCPT(self, server: SMTP, session: Any, envelope: Any, address: str, options: list[str]) -> str:
        answer = self.answer("RCPT", "250 OK")
        if answer.startswith("2"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, server: SMTP, session: Any, envelope: Any) -> str:
        if "close" in self.answers:
            assert server.transport
            server.transport.close()
        return self.answer("DATA", "250 OK")


@asynccontextmanager
async def scripted(script: Script, **settings: Any) -> AsyncIterator[int]:
    """A server that follows a script; its port."""

    def protocol() -> SMTP:
        script.connections += 1
        return SMTP(script, hostname="scripted", enable_SMTPUTF8=script.answers.get("utf8") == "yes", **settings)

    server = await asyncio.get_running_loop().create_server(protocol, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


@pytest.mark.parametrize(
    ("command", "answer", "result"),
    [
        ("MAIL", "451 4.7.1 Greylisted", Deferred("451 4.7.1 Greylisted")),
        ("MAIL", "550 5.7.1 We do not like you", Refused("550 5.7.1 We do not like you", "5.7.1")),
        ("MAIL", "550 We do not like you", Refused("550 We do not like you", "5.0.0")),
        ("MAIL", "530 5.7.0 Authentication required", Deferred("530 5.7.0 Authentication required")),
        ("RCPT", "450 4.2.2 Mailbox full", Deferred("450 4.2.2 Mailbox full")),
        ("RCPT", "550 5.1.1 Unknown", Refused("550 5.1.1 Unknown", "5.1.1")),
        ("RCPT", "550-5.1.1 Unknown\r\n550 5.1.1 user", Refused("550 5.1.1 Unknown 5.1.1 user", "5.1.1")),
        ("RCPT", "550 No such user", Refused("550 No such user", "5.1.1")),
        ("RCPT", "552 Mailbox full", Refused("552 Mailbox full", "5.2.2")),
        ("RCPT", "554 5.1.1000 bytes", Refused("554 5.1.1000 bytes", "5.0.0")),
        ("DATA", "451 4.3.0 Try later", Deferred("451 4.3.0 Try later")),
        ("DATA", "554 5.7.1 Spam", Refused("554 5.7.1 Spam", "5.7.1")),
        ("DATA", "550 Spam", Refused("550 Spam", "5.0.0")),
        ("DATA", "552 Too large", Refused("552 Too large", "5.3.4")),
        ("DATA", "421 4.3.2 Shutting down", Deferred("421 4.3.2 Shutting down")),
    ],
)
async def test_answer_of_the_server_decides_what_became_of_the_mail(command: str, answer: str, result: Result) -> None:
    async with scripted(Script(**{command: answer})) as port:
        assert await send(port) == result


async def test_connection_is_kept_for_the_next_mail_even_after_a_refusal() -> None:
    answers = iter(["250 OK", "550 5.1.1 Unknown", "250 OK"])
    script = Script(RCPT=lambda: next(answers))
    async with scripted(script) as port, outbox(port) as box:
        results = [await box.send(MAIL) for _ in range(3)]
    assert results == [Sent(), Refused("550 5.1.1 Unknown", "5.1.1"), Sent()]
    assert script.connections == 1


async def test_connection_that_the_server_closed_meanwhile_is_replaced() -> None:
    script = Script()
    async with scripted(script) as port, outbox(port) as box:
        assert await box.send(MAIL) == Sent()
        script.answers["close"] = "yes"
        assert isinstance(await box.send(MAIL), Deferred)
        del script.answers["close"]
        assert await box.send(MAIL) == Sent()
    assert script.connections == 2


async def test_server_that_is_not_there_defers() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        result = await send(unused.getsockname()[1])
    assert isinstance(result, Deferred)
    assert result.reason.startswith("no connection to 127.0.0.1: ")


@pytest.mark.parametrize("greeting", [b"554 5.3.2 Go away\r\n", b"", b"220 x\r\n"])
async def test_server_that_breaks_off_defers(greeting: bytes) -> None:
    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(greeting)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(greet, "127.0.0.1", 0)
    async with server:
        assert isinstance(await send(server.sockets[0].getsockname()[1]), Deferred)


async def test_server_that_says_nothing_defers() -> None:
    ended = asyncio.Event()

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()
        ended.set()

    server = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
    async with server:
        box = SmtpOutbox(Relay("127.0.0.1", server.sockets[0].getsockname()[1], "none", timeout=0.05))
        assert isinstance(await box.send(MAIL), Deferred)
        await asyncio.wait_for(ended.wait(), 20)


def authenticate(server: SMTP, session: Any, envelope: Any, mechanism: str, login: Any) -> AuthResult:
    return AuthResult(success=(login.login, login.password) == (b"pbem", b"secret"), handled=False)


@pytest.mark.parametrize(("password", "result"), [("secret", Sent), ("wrong", Deferred)])
async def test_login_goes_over_starttls(password: str, result: type[Result]) -> None:
    settings = {"tls_context": server_context(), "auth_required": True, "authenticator": authenticate}
    async with scripted(Script(), **settings) as port:
        box = SmtpOutbox(Relay("localhost", port, "starttls", "pbem", password, context=client_context()))
        assert isinstance(await box.send(MAIL), result)
        await box.close()


@pytest.mark.parametrize(("trusts", "result"), [(True, Sent), (False, Deferred)])
async def test_encrypted_connection_needs_a_certificate_that_is_trusted(
    desk: Desk, trusts: bool, result: type[Result]
) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(Script()), "127.0.0.1", 0, ssl=server_context())
    async with server:
        port = server.sockets[0].getsockname()[1]
        box = SmtpOutbox(Relay("localhost", port, "tls", context=client_context() if trusts else None))
        assert isinstance(await box.send(MAIL), result)
        await box.close()


async def test_encryption_that_is_wanted_and_not_offered_defers() -> None:
    async with scripted(Script()) as port:
        result = await SmtpOutbox(Relay("127.0.0.1", port, "starttls")).send(MAIL)
    assert isinstance(result, Deferred)


async def test_address_in_another_script_needs_a_server_that_takes_it() -> None:
    mail = OutgoingMail("a@x.example", "józef@x.example", RAW)
    async with scripted(Script(utf8="yes")) as port:
        assert await send(port, mail) == Sent()
    async with scripted(Script()) as port:
        assert isinstance(await send(port, mail), Refused)


async def test_address_that_is_none_is_refused() -> None:
    async with scripted(Script()) as port:
        assert isinstance(await send(port, OutgoingMail("a@x.example", "b@x.example>\r\nDATA", RAW)), Refused)
