"""From an address to a mailbox that is open to us: connection, encryption, login."""

import asyncio
import re
import ssl
from base64 import b64encode

from aioimaplib import aioimaplib  # type: ignore[import-untyped]  # It has no types.

from pbem.mail.connecting import trouble
from pbem.mail.imap.mailbox import Mailbox
from pbem.mail.imap.syntax import quoted
from pbem.mail.imap.wire import NO_ANSWER, Answer, MailboxError, Wire
from pbem.mail.oauth import NoToken

NOT_NOW = re.compile(r"\[(UNAVAILABLE|INUSE|LIMIT|SERVERBUG|CONTACTADMIN)\]|too many|try again|temporar", re.IGNORECASE)
"""A login that is refused for another reason than who we say we are."""


class LoginRefused(MailboxError):
    """The server does not take our name and password; asking again soon would only make it suspicious."""


async def log_in(mailbox: Mailbox) -> Wire:
    """A connection on which we are known; raises :class:`MailboxError`."""
    wire = Wire(mailbox.timeout)
    try:
        await _connect(mailbox, wire)
        await _greet(mailbox, wire)
        if wire.state == aioimaplib.NONAUTH:
            await _capabilities(wire)
            await (_by_token if mailbox.tokens else _by_password)(mailbox, wire)
        await _capabilities(wire)
    except BaseException:
        await wire.close()
        raise
    return wire


async def _connect(mailbox: Mailbox, wire: Wire) -> None:
    context = _context(mailbox) if mailbox.security == "tls" else None
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(mailbox.timeout):
            await loop.create_connection(lambda: wire, mailbox.host, mailbox.port, ssl=context)
    except (OSError, TimeoutError, ValueError) as error:
        raise MailboxError(f"connection: {_why(mailbox, error)}") from error


async def _greet(mailbox: Mailbox, wire: Wire) -> None:
    """Wait for the server's first words, and encrypt if that is done now."""
    try:
        kind = await wire.within("connection", wire.greeting)
    except MailboxError as error:
        hint = _NO_GREETING if mailbox.security != "tls" and NO_ANSWER in str(error) else ""
        raise MailboxError(f"{error}{hint}") from error
    if mailbox.security != "starttls":
        return
    if kind == "PREAUTH":
        raise MailboxError("STARTTLS: the server takes us for known before encryption, which nobody can trust")
    await _capabilities(wire)
    if not wire.has("STARTTLS"):
        raise MailboxError(
            "STARTTLS: the server does not offer it, and nothing is sent in clear: "
            'try imap_in.security = "tls" with port 993'
        )
    try:
        await wire.start_tls(_context(mailbox), mailbox.host)
    except OSError as error:
        raise MailboxError(f"STARTTLS: {_why(mailbox, error)}") from error


_NO_GREETING = '; if the port is for encrypted connections (993), set imap_in.security = "tls"'


async def _by_password(mailbox: Mailbox, wire: Wire) -> None:
    user, password = mailbox.user, mailbox.password
    if wire.has("LOGINDISABLED") and not wire.has("AUTH=PLAIN"):
        raise MailboxError(
            "login: the server takes no password "
            + ('in clear: set imap_in.security = "starttls", or "tls"' if mailbox.security == "none" else "this way")
        )
    if (user + password).isascii() and not wire.has("LOGINDISABLED"):
        answer = await wire.ask("LOGIN", quoted(user), quoted(password), secret=quoted(password))
    elif wire.has("AUTH=PLAIN"):
        answer = await _authenticate(wire, "PLAIN", f"\0{user}\0{password}")
    else:
        answers = (f"{user} {{{len(password.encode())}}}", password)
        answer = await wire.ask("LOGIN", f"{{{len(user.encode())}}}", answers=answers)
    if answer.result == "OK":
        wire.state = aioimaplib.AUTH
        return
    said = f"the server says {answer.result} {answer.text}"
    if NOT_NOW.search(answer.text):
        raise MailboxError(f"login: {said}")
    raise LoginRefused(
        f"login: user name or password refused ({said}); for Gmail and the like an app password is needed, or "
        'imap_in.login = "xoauth2"'
    )


async def _by_token(mailbox: Mailbox, wire: Wire) -> None:
    assert mailbox.tokens
    if not wire.has("AUTH=XOAUTH2"):
        raise LoginRefused('login: the server does not know XOAUTH2: set imap_in.login = "password"')
    try:
        token = await mailbox.tokens()
    except NoToken as error:
        raise MailboxError(f"login: {error}") from error
    answer = await _authenticate(wire, "XOAUTH2", f"user={mailbox.user}\1auth=Bearer {token}\1\1")
    if answer.result == "OK":
        wire.state = aioimaplib.AUTH
        return
    mailbox.tokens.refused(token)
    raise MailboxError(
        f"login: access token refused (the server says {answer.result} {answer.text}); check that imap_in.user is the "
        "address of the mailbox, and that oauth.scope allows IMAP"
    )


async def _authenticate(wire: Wire, mechanism: str, credentials: str) -> Answer:
    """SASL with one message of ours; a server that is not content may want an empty line before it says no."""
    message = b64encode(credentials.encode()).decode()
    if wire.has("SASL-IR"):
        return await wire.ask("AUTHENTICATE", mechanism, message, secret=message)
    return await wire.ask("AUTHENTICATE", mechanism, answers=(message,))


async def _capabilities(wire: Wire) -> None:
    answer = await wire.ask("CAPABILITY")
    told = b" ".join(line for line in answer.lines if line.upper().startswith(b"CAPABILITY "))
    wire.capabilities = set(told.decode("ascii", "replace").upper().split())
    if not wire.capabilities & {"IMAP4REV1", "IMAP4REV2"}:
        raise MailboxError("CAPABILITY: the server does not speak IMAP4rev1")


def _context(mailbox: Mailbox) -> ssl.SSLContext:
    return mailbox.context or ssl.create_default_context()


def _why(mailbox: Mailbox, error: Exception) -> str:
    return trouble(error, "imap_in", mailbox.host, mailbox.port)
