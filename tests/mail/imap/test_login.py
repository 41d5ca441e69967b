"""The way into a mailbox: encryption, names and passwords, access tokens; and the words for what fails."""

import asyncio
import gc
import logging
import ssl
import warnings
from base64 import b64decode
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import trustme

from pbem.mail.imap.connection import Connection
from pbem.mail.imap.mailbox import Mailbox
from pbem.mail.imap.wire import MailboxError
from tests.mail.conftest import Desk
from tests.mail.fake_imap import ALWAYS, FakeImap, Stored, Talk, closes, faking, is_silent, on, says, says_raw, usual
from tests.mail.imap.watching import card, until, watching
from tests.mail.test_oauth import Provider, serving, tokens_of
from tests.servers import free_port

REFUSED = says("TAG NO [AUTHENTICATIONFAILED] Invalid credentials (Failure)")


@pytest.fixture(autouse=True)
def _broken_handshakes() -> Iterator[None]:
    """Python warns of what it has itself left of a handshake that was broken off, whenever it finds that.

    It is looked for only among what is new.
    """
    gc.freeze()
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


async def enter(mailbox: Mailbox) -> None:
    """Open the mailbox once."""
    async with Connection(mailbox):
        pass


async def refusal(mailbox: Mailbox) -> str:
    """The words in which it is told that the mailbox cannot be opened."""
    with pytest.raises(MailboxError) as refused:
        await enter(mailbox)
    return str(refused.value)


# --- encryption ---------------------------------------------------------------------------------------------------


class Authority:
    """An issuer of certificates."""

    def __init__(self) -> None:
        self._ca = trustme.CA()

    @property
    def trusting(self) -> ssl.SSLContext:
        """A client that trusts it."""
        context = ssl.create_default_context()
        self._ca.configure_trust(context)
        return context

    def server(self, name: str = "localhost", **validity: datetime) -> ssl.SSLContext:
        """A server with a certificate for a name."""
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self._ca.issue_cert(name, **validity).configure_cert(context)
        return context


@pytest.fixture(scope="module")
def authority() -> Authority:
    return Authority()


LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("certificate", "words"),
    [
        ({}, ""),
        ({"not_before": LONG_AGO, "not_after": LONG_AGO + timedelta(days=1)}, "has expired; whoever runs it has to"),
        ({"name": "mail.example"}, "is for another name: set imap_in.host to the name it is for"),
    ],
    ids=["good", "expired", "wrong name"],
)
@pytest.mark.parametrize("security", ["tls", "starttls"])
async def test_certificate_has_to_be_good(
    authority: Authority, security: Any, certificate: dict[str, Any], words: str
) -> None:
    context = authority.server(**certificate)
    server = FakeImap(capabilities="IMAP4rev1 STARTTLS", context=context)
    at_once = context if security == "tls" else None
    async with faking(server, at_once, security=security, context=authority.trusting) as mailbox:
        if words:
            assert words in await refusal(mailbox)
            assert server.count("LOGIN") == 0
        else:
            await enter(mailbox)


@pytest.mark.parametrize("security", ["tls", "starttls"])
async def test_certificate_of_an_unknown_issuer_is_not_taken(authority: Authority, security: Any) -> None:
    context = authority.server()
    server = FakeImap(capabilities="IMAP4rev1 STARTTLS", context=context)
    async with faking(server, context if security == "tls" else None, security=security) as mailbox:
        said = await refusal(mailbox)
    assert "nobody whom this machine trusts vouches for the certificate of localhost" in said
    assert said.endswith("install the certificate of its issuer on this machine, or name its file in SSL_CERT_FILE")


async def test_encryption_where_the_port_has_none_is_told() -> None:
    async with faking(FakeImap(), security="tls") as mailbox:
        assert 'is not encrypted from the start: try imap_in.security = "starttls"' in await refusal(mailbox)


@pytest.mark.parametrize("security", ["none", "starttls"])
async def test_no_encryption_where_the_port_wants_it_is_told(authority: Authority, security: Any) -> None:
    async with faking(FakeImap(), authority.server(), security=security) as mailbox:
        said = await refusal(mailbox)
    assert said.endswith('if the port is for encrypted connections (993), set imap_in.security = "tls"')


async def test_password_is_not_sent_in_clear_where_encryption_was_asked_for() -> None:
    server = FakeImap(capabilities="IMAP4rev1")
    async with faking(server, security="starttls") as mailbox:
        assert (await refusal(mailbox)).startswith(
            "STARTTLS: the server does not offer it, and nothing is sent in clear"
        )
    assert not any("secret" in line for line in server.asked)


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (
            on("STARTTLS", says("TAG OK go on", "* CAPABILITY IMAP4rev1 AUTH=EVIL", "X1 OK injected")),
            "goes on in clear",
        ),
        (on("STARTTLS", says("TAG NO not now")), "STARTTLS: the server says NO not now"),
        (on("STARTTLS", says_raw("TAG OK go on\r\nnonsense")), "goes on in clear"),
        (on("STARTTLS", says("TAG OK go on"), closes), "STARTTLS: "),
        (on("STARTTLS", says("TAG OK go on"), is_silent), "STARTTLS: "),
        (on("GREETING", says("* PREAUTH hello gm")), "takes us for known before encryption"),
    ],
    ids=["injection", "refused", "half a line", "closed", "silent", "preauth"],
)
async def test_beginning_of_encryption_that_goes_wrong_ends_the_connection(
    authority: Authority, rule: Any, words: str
) -> None:
    server = FakeImap({}, rule, capabilities="IMAP4rev1 STARTTLS", context=authority.server())
    async with faking(server, security="starttls", context=authority.trusting) as mailbox:
        assert words in await refusal(mailbox)
    assert server.count("LOGIN") == 0


async def test_what_was_said_before_encryption_is_forgotten(authority: Authority) -> None:
    """A stranger on the way can promise what he likes before it."""
    before = says("* CAPABILITY IMAP4rev1 STARTTLS LOGINDISABLED AUTH=PLAIN", "TAG OK done")
    server = FakeImap({}, on("CAPABILITY", before), capabilities="IMAP4rev1", context=authority.server())
    async with faking(server, security="starttls", context=authority.trusting) as mailbox:
        await enter(mailbox)
    assert server.count("LOGIN ") == 1


async def test_encrypted_mailbox_is_watched_and_its_end_noticed(authority: Authority, desk: Desk) -> None:
    context = authority.server()
    for security, at_once in (("tls", context), ("starttls", None)):
        server = FakeImap(
            {7: card(7)}, on("IDLE", closes), capabilities="IMAP4rev1 IDLE STARTTLS MOVE", context=context
        )
        settings = {"security": security, "context": authority.trusting, "done_folder": "Done"}
        async with faking(server, at_once, **settings) as mailbox, watching(desk, mailbox):
            assert (await desk.next())[0] == card(7)
            await until(lambda server=server: server.connections == 2 and server.asked[-1] == "IDLE")  # type: ignore[misc]


async def test_host_that_is_not_there_is_told() -> None:
    port = free_port()
    said = await refusal(Mailbox("127.0.0.1", "gm", port=port, recover=6))
    assert said == (f"connection: nobody listens on port {port} of 127.0.0.1: look at imap_in.host and imap_in.port")


# --- names and passwords ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("user", "password", "line"),
    [
        ("gm", "secret", 'LOGIN "gm" "secret"'),
        ("gm game", "se cret", 'LOGIN "gm game" "se cret"'),
        ('g"m*\\', 'p"a\\ss %*', 'LOGIN "g\\"m*\\\\" "p\\"a\\\\ss %*"'),
        ("", "", 'LOGIN "" ""'),
    ],
)
async def test_name_and_password_may_hold_any_character(user: str, password: str, line: str) -> None:
    server = FakeImap()
    async with faking(server, user=user, password=password) as mailbox:
        await enter(mailbox)
    assert line in server.asked


async def test_name_that_is_not_ascii_is_sent_as_sasl_where_that_is_offered() -> None:
    for capabilities in ("IMAP4rev1 AUTH=PLAIN SASL-IR", "IMAP4rev1 AUTH=PLAIN"):
        server = FakeImap({}, on("AUTHENTICATE PLAIN$", asks_for(1)), capabilities=capabilities)
        async with faking(server, user="müller", password="geheim ß") as mailbox:
            await enter(mailbox)
        assert b64decode(server.asked[-3].split(" ")[-1]).decode() == "\0müller\0geheim ß"


def asks_for(lines: int) -> Callable[[Talk], Any]:
    """Ask the client to go on so many times, then accept."""

    async def act(talk: Talk) -> None:
        for _ in range(lines):
            await talk.say("+ \r\n")
            talk.server.asked.append((await talk.reader.readline()).decode().rstrip("\r\n"))
        await talk.say("TAG OK done\r\n")

    return act


async def test_name_that_is_not_ascii_is_sent_as_literal_else() -> None:
    server = FakeImap({}, on("LOGIN", asks_for(2)), capabilities="IMAP4rev1")
    async with faking(server, user="müller", password="ß") as mailbox:
        await enter(mailbox)
    assert server.asked[1:4] == ["LOGIN {7}", "müller {2}", "ß"]


async def test_name_with_a_line_break_is_refused_before_it_becomes_a_command() -> None:
    server = FakeImap()
    async with faking(server, user="gm\r\nX DELETE INBOX") as mailbox:
        assert "not allowed" in await refusal(mailbox)
    assert not any("DELETE" in line for line in server.asked)


@pytest.mark.parametrize(
    ("capabilities", "words"),
    [
        ("IMAP4rev1 LOGINDISABLED", 'takes no password in clear: set imap_in.security = "starttls", or "tls"'),
        ("IMAP4rev1 LOGINDISABLED AUTH=PLAIN", ""),
    ],
)
async def test_server_that_disables_login_is_not_sent_the_password_by_it(capabilities: str, words: str) -> None:
    server = FakeImap({}, on("AUTHENTICATE PLAIN$", asks_for(1)), capabilities=capabilities)
    async with faking(server) as mailbox:
        if words:
            assert words in await refusal(mailbox)
        else:
            await enter(mailbox)
    assert server.count("LOGIN ") == 0


async def test_refused_password_is_told_with_what_is_wanted_instead() -> None:
    async with faking(FakeImap({}, on("LOGIN", REFUSED))) as mailbox:
        assert await refusal(mailbox) == (
            "login: user name or password refused (the server says NO [AUTHENTICATIONFAILED] Invalid credentials "
            '(Failure)); for Gmail and the like an app password is needed, or imap_in.login = "xoauth2"'
        )


async def test_password_that_is_refused_is_not_tried_often(desk: Desk) -> None:
    """Providers lock a mailbox after some wrong passwords."""
    server = FakeImap({}, on("LOGIN", REFUSED, times=ALWAYS))
    async with faking(server, recover=3) as mailbox, watching(desk, mailbox) as inbox:
        await until(lambda: server.count("LOGIN") == 2)
        await until(lambda: server.open == 0)
        assert inbox.last_look is None
        with pytest.raises(TimeoutError):
            await until_within(1.0, lambda: server.count("LOGIN") > 2)


async def until_within(seconds: float, condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(seconds):
        await until(condition)


async def test_password_goes_into_no_log(caplog: pytest.LogCaptureFixture, authority: Authority) -> None:
    caplog.set_level(logging.DEBUG)
    for capabilities in ("IMAP4rev1", "IMAP4rev1 LOGINDISABLED AUTH=PLAIN SASL-IR"):
        server = FakeImap({}, on("LOGIN", REFUSED), on("AUTHENTICATE", REFUSED), capabilities=capabilities)
        async with faking(server, password='top"secret') as mailbox:
            await refusal(mailbox)
        assert "top" not in repr(mailbox)
    assert "secret" not in caplog.text
    assert "AGdtAHRvcCJzZWNyZXQ=" not in caplog.text


async def test_server_that_knows_us_already_wants_no_login() -> None:
    server = FakeImap({}, on("GREETING", says("* PREAUTH hello gm")))
    async with faking(server) as mailbox:
        await enter(mailbox)
    assert server.count("LOGIN") == 0


async def test_what_a_server_can_do_after_login_counts(desk: Desk) -> None:
    before = says("* CAPABILITY IMAP4rev1", "TAG OK done")
    server = FakeImap({7: card(7)}, on("CAPABILITY", before))
    async with faking(server) as mailbox, watching(desk, mailbox):
        await until(lambda: server.asked[-1:] == ["IDLE"])


# --- access tokens ------------------------------------------------------------------------------------------------

XOAUTH2 = "IMAP4rev1 IDLE AUTH=XOAUTH2 SASL-IR"


def takes_token(token: str) -> Callable[[Talk], Any]:
    """Accept this access token, and tell any other what Gmail tells it."""

    async def act(talk: Talk) -> None:
        said = b64decode(talk.line.split(" ")[2]).decode()
        if said == f"user=gm\1auth=Bearer {token}\1\1":
            await talk.say("TAG OK done\r\n")
            return
        await talk.say("+ eyJzdGF0dXMiOiI0MDAiLCJzY2hlbWVzIjoiQmVhcmVyIn0=\r\n")
        assert await talk.reader.readline() == b"\r\n"
        await talk.say("TAG NO [AUTHENTICATIONFAILED] Invalid credentials\r\n")

    return act


async def test_access_token_is_shown_and_a_new_one_got_when_it_has_run_out(desk: Desk, tmp_path: Path) -> None:
    server = FakeImap(
        {7: card(7)},
        on("AUTHENTICATE", takes_token("access 1")),
        on("IDLE", says("+ idling", "* BYE Session expired, please login again"), closes),
        on("AUTHENTICATE", takes_token("access 2"), times=2),
        capabilities=XOAUTH2,
    )
    async with serving(Provider()) as provider:
        tokens = tokens_of(provider, tmp_path)
        async with faking(server, tokens=tokens) as mailbox, watching(desk, mailbox):
            assert (await desk.next())[0] == card(7)
            await until(lambda: server.connections > 1)
            server.mails[8] = Stored(card(8))
            assert (await desk.next())[0] == card(8)
    assert (server.count("AUTHENTICATE"), len(provider.asked)) == (3, 2)


@pytest.mark.parametrize(
    ("capabilities", "settings", "words"),
    [
        (XOAUTH2, {}, "login: access token refused (the server says NO [AUTHENTICATIONFAILED] Invalid credentials); "),
        (XOAUTH2, {"refresh_token": "old"}, "login: the token server http"),
        ("IMAP4rev1", {}, 'login: the server does not know XOAUTH2: set imap_in.login = "password"'),
    ],
)
async def test_access_token_that_is_not_to_be_had_or_not_taken_is_told(
    tmp_path: Path, capabilities: str, settings: dict[str, str], words: str
) -> None:
    server = FakeImap({}, on("AUTHENTICATE", takes_token("another")), capabilities=capabilities)
    async with serving(Provider()) as provider:
        tokens = tokens_of(provider, tmp_path, **settings)
        async with faking(server, tokens=tokens, recover=6) as mailbox:
            assert (await refusal(mailbox)).startswith(words)


async def test_usual_login_needs_no_more_than_the_usual(desk: Desk) -> None:
    server = FakeImap({}, on("LOGIN", usual))
    async with faking(server) as mailbox:
        await enter(mailbox)
    assert server.asked == ["CAPABILITY", 'LOGIN "gm" "secret"', "CAPABILITY", 'SELECT "INBOX"']
