"""The SMTP outbox, against servers that follow a script."""

import asyncio
import socket
import ssl
from base64 import b64decode
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

import pytest
import trustme
from aiosmtpd.smtp import SMTP, AuthResult

from pbem.mail.oauth import NoToken
from pbem.mail.outgoing.pace import Pace
from pbem.mail.outgoing.smtp import Relay, SmtpOutbox
from pbem.mail.outgoing.transport import Deferred, OutgoingMail, Refused, Result, Sent, Unavailable
from tests.mail.conftest import client_context, server_context
from tests.mail.wires import MAIL, RAW, outbox, send, serving


class Script:
    """Hooks for a server that answers as told and counts its connections."""

    def __init__(self, **answers: str | Callable[[], str]) -> None:
        self.answers = answers
        self.connections = 0
        self.transports: list[Any] = []
        """Of the mails."""
        self.envelopes: list[tuple[str, list[str], list[str]]] = []
        """Sender, options and recipients of the mails."""

    def answer(self, command: str, default: str) -> str:
        given = self.answers.get(command, default)
        return given if isinstance(given, str) else given()

    async def handle_EHLO(
        self, server: SMTP, session: Any, envelope: Any, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        return [self.answers["EHLO"]] if "EHLO" in self.answers else responses  # type: ignore[list-item]

    async def handle_MAIL(self, server: SMTP, session: Any, envelope: Any, address: str, options: list[str]) -> str:
        self.transports.append(server.transport)
        answer = self.answer("MAIL", "250 OK")
        if answer.startswith("2"):
            envelope.mail_from = address
            envelope.mail_options = options
        return answer

    async def handle_RCPT(self, server: SMTP, session: Any, envelope: Any, address: str, options: list[str]) -> str:
        answer = self.answer("RCPT", "250 OK")
        if answer.startswith("2"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, server: SMTP, session: Any, envelope: Any) -> str:
        self.envelopes.append((envelope.mail_from, envelope.mail_options, envelope.rcpt_tos))
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

    async with serving(protocol) as port:
        yield port


@pytest.mark.parametrize(
    ("command", "answer", "result"),
    [
        ("MAIL", "451 4.7.1 Greylisted", Deferred("451 4.7.1 Greylisted")),
        ("MAIL", "552 5.3.4 Too large", Refused("552 5.3.4 Too large", "5.3.4")),
        ("MAIL", "530 5.7.0 Authentication required", Deferred("530 5.7.0 Authentication required", ours=True)),
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


# --- relays that are particular about the sender ------------------------------------------------------------------

TAGGED = OutgoingMail("orders+b2-k7q2abcdef@x.example", "ana@example.org", RAW)
NOT_OURS = (
    ("MAIL", "553 5.7.1 <{}>: Sender address rejected: not owned by user orders"),
    ("MAIL", "550 We do not like you"),
    ("MAIL", "550 5.1.1 <{}>: User unknown"),
    ("RCPT", "550 5.1.0 <{}>: Sender address rejected: User unknown in virtual mailbox table"),
    ("RCPT", "550 5.1.1 <{}>: sender does not exist"),
    ("RCPT", "553 5.7.1 <{}>: Sender address rejected: not owned by user orders"),
    ("RCPT", "550 5.1.8 <{}>: Bad sender"),
    ("DATA", "554 5.2.252 SendAsDenied; orders not allowed to send as {}"),
    ("DATA", "550 5.7.60 Client does not have permissions to send as this sender"),
)


class Particular(Script):
    """Takes mail from some senders and from no others, and says so at one command."""

    def __init__(self, command: str, refusal: str, *takes: str) -> None:
        super().__init__()
        self.takes = takes
        self.command, self.refusal = command, refusal
        self.asked: list[str] = []

    async def handle_MAIL(self, server: SMTP, session: Any, envelope: Any, address: str, options: list[str]) -> str:
        self.asked.append(address)
        self.answers = {} if address in self.takes else {self.command: self.refusal.format(address)}
        return await super().handle_MAIL(server, session, envelope, address, options)


@pytest.mark.parametrize(("command", "refusal"), NOT_OURS)
async def test_relay_that_takes_no_tags_gets_the_plain_address_and_is_not_asked_again(
    command: str, refusal: str, caplog: pytest.LogCaptureFixture
) -> None:
    script = Particular(command, refusal, "orders@x.example")
    async with scripted(script) as port, outbox(port) as box:
        assert [await box.send(TAGGED) for _ in range(3)] == [Sent()] * 3
    assert script.asked == [TAGGED.sender, *["orders@x.example"] * 3]
    assert caplog.text.count("From now on mail goes out from orders@x.example") == 1


@pytest.mark.parametrize(("command", "refusal"), NOT_OURS)
async def test_relay_that_takes_no_address_of_ours_is_a_matter_for_the_organizer(command: str, refusal: str) -> None:
    async with scripted(Particular(command, refusal)) as port:
        result = await send(port, TAGGED)
    assert isinstance(result, Deferred)
    assert result.ours
    assert result.reason.startswith("127.0.0.1 does not let us send as orders@x.example: 55")
    assert result.reason.endswith("Look at [mail] address and at [smtp_out] user")


async def test_what_is_said_of_the_recipient_is_his_whatever_the_sender() -> None:
    script = Script(RCPT="550 5.1.1 Unknown")
    async with scripted(script) as port, outbox(port) as box:
        assert [await box.send(TAGGED) for _ in range(2)] == [Refused("550 5.1.1 Unknown", "5.1.1")] * 2
    assert len(script.transports) == 2


# --- the connection -----------------------------------------------------------------------------------------------


async def test_connection_is_kept_for_the_next_mail_even_after_a_refusal() -> None:
    answers = iter(["250 OK", "550 5.1.1 Unknown", "250 OK"])
    script = Script(RCPT=lambda: next(answers))
    async with scripted(script) as port, outbox(port) as box:
        results = [await box.send(MAIL) for _ in range(3)]
    assert results == [Sent(), Refused("550 5.1.1 Unknown", "5.1.1"), Sent()]
    assert script.connections == 1


async def test_connection_that_breaks_in_a_mail_defers_it_and_is_replaced() -> None:
    script = Script()
    async with scripted(script) as port, outbox(port) as box:
        assert await box.send(MAIL) == Sent()
        script.answers["close"] = "yes"
        broken = await box.send(MAIL)
        assert isinstance(broken, Deferred)
        assert broken.reason.startswith("the connection broke in the middle of the mail: ")
        del script.answers["close"]
        assert await box.send(MAIL) == Sent()
    assert script.connections == 2


@pytest.mark.parametrize("farewell", [b"", b"421 4.4.2 Idle too long\r\n"])
async def test_connection_that_the_server_closed_while_idle_is_replaced_at_once(farewell: bytes) -> None:
    script = Script()
    async with scripted(script) as port, outbox(port) as box:
        assert await box.send(MAIL) == Sent()
        transport = script.transports.pop()
        transport.write(farewell)
        transport.close()
        assert await box.send(MAIL) == Sent()
        assert await box.send(MAIL) == Sent()
    assert script.connections == 2


@pytest.mark.parametrize("command", ["MAIL", "RCPT"])
async def test_server_that_has_had_enough_is_asked_anew_once(command: str) -> None:
    script = Script()
    async with scripted(script) as port, outbox(port) as box:
        assert await box.send(MAIL) == Sent()
        script.answers[command] = "421 4.7.0 Too many mails"
        assert await box.send(MAIL) == Deferred("421 4.7.0 Too many mails")
        del script.answers[command]
        assert await box.send(MAIL) == Sent()
    assert script.connections == 3


@pytest.mark.parametrize("greeting", [b"421 4.3.2 Not now\r\n", b"554 5.3.2 Go away\r\n", b"", b"220 x\r\n"])
async def test_server_that_breaks_off_is_away_for_all_mails(greeting: bytes) -> None:
    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(greeting)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(greet, "127.0.0.1", 0)
    async with server:
        assert isinstance(await send(server.sockets[0].getsockname()[1]), Unavailable)


async def test_server_that_says_nothing_is_away() -> None:
    ended = asyncio.Event()

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()
        ended.set()

    server = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
    async with server:
        box = SmtpOutbox(Relay("127.0.0.1", server.sockets[0].getsockname()[1], "none", timeout=0.05))
        assert isinstance(await box.send(MAIL), Unavailable)
        await asyncio.wait_for(ended.wait(), 20)


def authenticate(server: SMTP, session: Any, envelope: Any, mechanism: str, login: Any) -> AuthResult:
    return AuthResult(success=(login.login, login.password) == (b"pbem", b"secret"), handled=False)


@pytest.mark.parametrize(("password", "result"), [("secret", Sent), ("wrong", Unavailable)])
async def test_login_goes_over_starttls(password: str, result: type[Result]) -> None:
    settings = {"tls_context": server_context(), "auth_required": True, "authenticator": authenticate}
    async with scripted(Script(), **settings) as port:
        box = SmtpOutbox(Relay("localhost", port, "starttls", "pbem", password, context=client_context()))
        assert isinstance(await box.send(MAIL), result)
        await box.close()


# --- why there is no connection -----------------------------------------------------------------------------------


async def why(port: int, security: str = "none", **settings: Any) -> str:
    """The reason why no mail goes out, and with which a check fails."""
    async with outbox(port, "localhost", security, **settings) as box:
        result = await box.send(MAIL)
        assert isinstance(result, Unavailable)
        assert await box.check() == result.reason
        return result.reason.replace(str(port), "PORT")


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@asynccontextmanager
async def encrypted(issued: trustme.LeafCert) -> AsyncIterator[int]:
    """A server that speaks TLS from the start; its port."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    issued.configure_cert(context)
    async with serving(lambda: SMTP(Script()), ssl=context) as port:
        yield port


def trusting(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return context


async def test_encrypted_connection_to_a_server_that_is_trusted(authority: trustme.CA) -> None:
    async with encrypted(authority.issue_cert("localhost")) as port:
        assert await send(port, host="localhost", security="tls", context=trusting(authority)) == Sent()


@pytest.mark.parametrize(
    ("name", "last_day", "trusted", "reason"),
    [
        ("localhost", 2020, True, "the certificate of localhost has expired; whoever runs it has to renew it"),
        (
            "mx.example",
            2100,
            True,
            "the certificate shown by localhost is for another name: set smtp_out.host to the name it is for",
        ),
        ("localhost", 2100, False, "nobody whom this machine trusts vouches for the certificate of localhost"),
    ],
)
async def test_certificate_that_is_not_good_is_told_in_words(
    authority: trustme.CA, name: str, last_day: int, trusted: bool, reason: str
) -> None:
    issued = authority.issue_cert(name, not_before=datetime(2000, 1, 1), not_after=datetime(last_day, 1, 1))
    async with encrypted(issued) as port:
        assert (await why(port, "tls", context=trusting(authority) if trusted else None)).startswith(reason)


async def test_wrong_kind_of_encryption_is_told_in_words(authority: trustme.CA) -> None:
    async with scripted(Script()) as port:
        assert await why(port, "tls") == (
            'port PORT of localhost is not encrypted from the start: try smtp_out.security = "starttls"'
        )
        assert await why(port, "starttls") == (
            'localhost offers no encryption on port PORT: try smtp_out.security = "tls"'
        )
    async with encrypted(authority.issue_cert("localhost")) as port:
        assert await why(port, "starttls", timeout=0.2) == (
            "localhost did not answer in time: look at smtp_out.host and smtp_out.port"
        )


async def test_nothing_is_sent_in_the_clear_where_encryption_is_wanted() -> None:
    """Also if somebody on the wire takes the offer out of the server's answer."""
    heard, ended = bytearray(), asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 x\r\n")
        while line := await reader.readline():
            heard.extend(line)
            writer.write(b"221 x\r\n" if line.startswith(b"QUIT") else b"250-x\r\n250-AUTH PLAIN\r\n250 8BITMIME\r\n")
        writer.close()
        ended.set()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        box = SmtpOutbox(Relay("127.0.0.1", server.sockets[0].getsockname()[1], "starttls", "pbem", "secret"))
        assert isinstance(await box.send(MAIL), Unavailable)
        await box.close()
        await asyncio.wait_for(ended.wait(), 20)
    assert not any(word in heard.upper() for word in (b"AUTH", b"MAIL", b"DATA"))


async def test_server_that_is_not_there_is_told_in_words() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        reason = await why(unused.getsockname()[1])
    assert reason == "nobody listens on port PORT of localhost: look at smtp_out.host and smtp_out.port"


async def test_wrong_password_is_told_in_words() -> None:
    tries: list[Any] = []

    def refuse(server: SMTP, session: Any, envelope: Any, mechanism: str, login: Any) -> AuthResult:
        tries.append(login)
        return AuthResult(success=False, handled=False)

    settings = {"tls_context": server_context(), "auth_required": True, "authenticator": refuse}
    async with (
        scripted(Script(), **settings) as port,
        outbox(port, "localhost", "starttls", user="pbem", password="wrong", context=client_context()) as box,
    ):
        result = await box.send(MAIL)
    reason = (
        "localhost does not let us log in: 535 5.7.8 Authentication credentials invalid. "
        "Look at [smtp_out] user and how it logs in"
    )
    assert result == Unavailable(reason)
    assert len(tries) <= 2  # By each of the server's ways to log in.


async def test_after_a_failed_connection_the_next_is_tried_anew() -> None:
    script = Script(EHLO="554 5.3.2 Go away")
    async with scripted(script) as port, outbox(port) as box:
        assert await box.send(MAIL) == Unavailable("127.0.0.1 does not take mail from us: 554 5.3.2 Go away")
        del script.answers["EHLO"]
        assert await box.send(MAIL) == Sent()
        assert await box.check() == ""
        assert await box.send(MAIL) == Sent()


# --- access tokens ------------------------------------------------------------------------------------------------


class Keys:
    """Gives out tokens in turn."""

    def __init__(self, *tokens: str) -> None:
        self.tokens = list(tokens)

    async def __call__(self) -> str:
        if not self.tokens:
            raise NoToken("sign in again")
        return self.tokens[0]

    def refused(self, token: str) -> None:
        self.tokens.remove(token)


class OAuthScript(Script):
    """A server that takes one token."""

    async def auth_XOAUTH2(self, server: SMTP, args: list[str]) -> AuthResult:
        good = b64decode(args[1]) == b"user=pbem\x01auth=Bearer good\x01\x01"
        if not good:
            await server.challenge_auth(b'{"status":"401"}')
        return AuthResult(success=good, handled=False)


async def test_login_by_access_token() -> None:
    async with scripted(OAuthScript(), tls_context=server_context(), auth_required=True) as port:
        settings = {"user": "pbem", "tokens": Keys("stale", "good"), "context": client_context()}
        async with outbox(port, "localhost", "starttls", **settings) as box:
            refused = await box.send(MAIL)
            assert isinstance(refused, Unavailable)
            assert "does not let us log in: 535" in refused.reason
            assert await box.send(MAIL) == Sent()
        assert await why(port, "starttls", **settings | {"tokens": Keys()}) == "sign in again"


# --- how fast -----------------------------------------------------------------------------------------------------


async def test_no_more_mails_go_out_in_a_minute_than_the_server_takes() -> None:
    now = asyncio.get_running_loop().time
    pace, began, passed = Pace(3, window=0.2), now(), []
    for _ in range(7):
        await pace.turn()
        passed.append(now() - began)
    assert passed[2] < 0.2 <= passed[3]
    assert all(later - earlier >= 0.199 for earlier, later in zip(passed, passed[3:], strict=False))


async def test_who_waits_for_his_turn_does_not_keep_the_outbox_from_closing() -> None:
    async with scripted(Script()) as port, outbox(port, per_minute=1) as box:
        assert await box.send(MAIL) == Sent()
        waiting = asyncio.create_task(box.send(MAIL))
        await asyncio.sleep(0.01)
        await asyncio.wait_for(box.close(), 5)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting


# --- addresses in other scripts -----------------------------------------------------------------------------------


async def test_local_part_in_another_script_needs_a_server_that_takes_it() -> None:
    mail = OutgoingMail("a@x.example", "józef@bücher.example", RAW)
    script = Script(utf8="yes")
    async with scripted(script) as port:
        assert await send(port, mail) == Sent()
    assert script.envelopes == [
        ("a@x.example", [f"SIZE={len(RAW)}", "BODY=8BITMIME", "SMTPUTF8"], ["józef@xn--bcher-kva.example"])
    ]
    async with scripted(Script()) as port, outbox(port) as box:
        assert await box.send(mail) == Refused(
            "cannot be addressed: our mail server takes only addresses in plain Latin letters (no SMTPUTF8)", "5.6.7"
        )
        assert await box.send(MAIL) == Sent()


async def test_domain_in_another_script_needs_nothing() -> None:
    script = Script()
    async with scripted(script) as port:
        assert await send(port, OutgoingMail("a@bücher.example", "ana@пример.example", RAW)) == Sent()
    assert script.envelopes == [("a@xn--bcher-kva.example", [f"SIZE={len(RAW)}"], ["ana@xn--e1afmkfd.example"])]


async def test_address_that_is_none_is_refused() -> None:
    async with scripted(Script()) as port:
        assert isinstance(await send(port, OutgoingMail("a@x.example", "b@x.example>\r\nDATA", RAW)), Refused)
