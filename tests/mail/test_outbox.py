"""The SMTP outbox, against servers that follow a script."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP, AuthResult

from pbem.mail.outbox_smtp import Relay, SmtpOutbox
from pbem.mail.transport import Deferred, OutgoingMail, Refused, Result, Sent
from tests.mail.conftest import Desk, client_context, server_context
from tests.mail.wires import MAIL, RAW, outbox, send


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
