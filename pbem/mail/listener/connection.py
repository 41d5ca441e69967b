"""A connection of a client to the listener: aiosmtpd's, held to limits.

aiosmtpd reads commands, upgrades to TLS and checks logins. What it leaves open is closed here: how much a client may
send, how long, how often and how wrongly; how an address is read; and that a mail that could not be stored is never
answered as if it could, nor as if it never could.
"""

import asyncio
import hmac
import ipaddress
import logging
import re
import ssl
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword, TLSSetupException
from aiosmtpd.smtp import Envelope as SmtpEnvelope
from aiosmtpd.smtp import Session as SmtpSession

from pbem.mail.addresses import normal, valid

LONGEST_COMMAND = 4096
"""Bytes."""
MOST_RECIPIENTS = 100
"""Of one mail; a mail server sends the others another copy (RFC 5321 4.5.3.1.8)."""
MOST_ERRORS = 20
MOST_COMMANDS = 500
"""Between two mails: a client that only keeps a connection busy has to go in the end."""

MAIL_END = b"\r\n.\r\n"
PATH = re.compile(r"""<(?:@[^\s<>":]{1,1000}:)?((?:"(?:[^"\\]|\\.){0,200}"@)?[^\s<>"]{0,320})>(?:\s+(.*))?""")
"""An address as the envelope has it, after a route, which nobody follows any more; and what may come after it."""

log = logging.getLogger(__name__)

Store = Callable[[bytes, SmtpEnvelope], Awaitable[None]]
"""Keeps a mail; an exception means that it did not."""
Refusal = Callable[[str], str]
"""The answer for an address that we take no mail for; empty for one of ours."""


@dataclass(frozen=True)
class Policy:
    """What all connections to one listener have in common."""

    store: Store
    refusal: Refusal
    name: str
    """What the server calls itself."""
    largest: int
    """Bytes of a mail."""
    timeout: float
    """Seconds that a client has for each command, and for all of a mail."""
    user: str = ""
    """Who hands mail over has to log in under this name; empty: nobody has to."""
    password: str = field(default="", repr=False)
    connections: "set[SmtpConnection]" = field(default_factory=set)


def refusal(own: str, any_name: bool = False) -> Refusal:
    """Which addresses are ours: ``own`` with any tag, and those that every mail domain has (RFC 5321 4.5.1).

    With ``any_name``, the mail server before us has looked already, and everything in our domain is ours.
    """
    name, _, domain = normal(own).lower().rpartition("@")
    names = {name, "postmaster", "abuse"}

    def answer(address: str) -> str:
        local, _, where = normal(address).lower().rpartition("@")
        if where != domain:
            return "550 5.7.1 We take no mail for others"
        return "" if any_name or local.partition("+")[0] in names else "550 5.1.1 No such address here"

    return answer


class _Hooks:
    """What aiosmtpd asks us."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    async def handle_EHLO(
        self, server: SMTP, session: SmtpSession, envelope: SmtpEnvelope, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        offered = [each for each in responses if self._policy.user or not each.startswith("250-AUTH")]
        return [*offered[:-1], "250-PIPELINING", offered[-1]]

    async def handle_MAIL(
        self, server: SMTP, session: SmtpSession, envelope: SmtpEnvelope, address: str, options: list[str]
    ) -> str:
        if address != "<>" and not address.isprintable():
            return "553 5.1.7 Not an address"
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 OK"

    async def handle_RCPT(
        self, server: SMTP, session: SmtpSession, envelope: SmtpEnvelope, address: str, options: list[str]
    ) -> str:
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return "452 4.5.3 Too many recipients"
        whole = address if "@" in address else f"{address}@{self._policy.name}"
        if not valid(whole):
            return "553 5.1.3 Not an address"
        if refused := self._policy.refusal(whole):
            return refused
        envelope.rcpt_tos.append(whole)
        return "250 2.1.5 OK"

    async def handle_exception(self, error: Exception) -> str:
        """The answer if anything breaks: never that the mail is not wanted."""
        if isinstance(error, TLSSetupException):
            log.info("a client gave up on TLS: %s", error.__cause__)
        else:
            log.error("a command broke the listener", exc_info=error)
        return "451 4.3.0 Not done, please try again later"


class SmtpConnection(SMTP):
    """A client over SMTP."""

    line_length_limit = LONGEST_COMMAND

    def __init__(self, policy: Policy, tls: ssl.SSLContext | None) -> None:
        self.command_size_limits = defaultdict(lambda: LONGEST_COMMAND)
        super().__init__(
            _Hooks(policy),
            data_size_limit=policy.largest,
            enable_SMTPUTF8=True,
            hostname=policy.name,
            ident="pbem",
            tls_context=tls,
            timeout=policy.timeout,
            auth_required=bool(policy.user),
            authenticator=self._is_known,
            loop=asyncio.get_running_loop(),
        )
        self._policy = policy
        self._errors = 0
        self._commands = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin, or go on after STARTTLS."""
        self._policy.connections.add(self)
        self._auth_require_tls = not _is_this_machine(transport.get_extra_info("peername"))
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        """End; there is room for another client."""
        self._policy.connections.discard(self)
        super().connection_lost(error)

    def hang_up(self, reason: str = "421 4.3.2 Shutting down") -> None:
        """End the connection from our side."""
        if self.transport and not self.transport.is_closing():
            self._writer.write(reason.encode() + b"\r\n")
            self.transport.close()

    def _timeout_cb(self) -> None:
        self.hang_up("421 4.4.2 Too slow")

    async def push(self, status: str | bytes) -> None:
        """Give an answer; to who errs without end, or does nothing without end, it is the last."""
        answer = status.encode() if isinstance(status, str) else status
        await super().push(answer)
        self._commands += 1
        self._errors += answer[:1] in b"45"
        if self._errors >= MOST_ERRORS:
            self.hang_up("421 4.7.0 Too many errors")
        elif self._commands >= MOST_COMMANDS:
            self.hang_up("421 4.7.0 Too many commands without a mail")

    # --- commands ---------------------------------------------------------------------------------------------

    async def smtp_STARTTLS(self, arg: str) -> None:
        """Go on encrypted; what the client sent ahead is dropped, and it has to begin anew."""
        if self._tls_protocol:
            await self.push("503 5.5.1 This is TLS already")
        else:
            await super().smtp_STARTTLS(arg)

    async def smtp_VRFY(self, arg: str) -> None:
        """Tell nothing about addresses."""
        await self.push("252 2.5.2 Send the mail and see")

    async def smtp_DATA(self, arg: str | None) -> None:
        """Take a mail. It is stored when this is answered with 250."""
        if await self.check_helo_needed() or await self.check_auth_needed("DATA"):
            return
        envelope = self.envelope
        if arg or envelope is None or not envelope.rcpt_tos:
            await self.push("501 5.5.4 Syntax: DATA" if arg else "503 5.5.1 Name a recipient first")
            return
        await self.push("354 End the mail with a line of one dot")
        raw = await self._read_mail()
        answer = await self._store(raw, envelope) if raw is not None else "552 5.3.4 The mail is too large"
        self.envelope = self._create_envelope()
        await self._answer_mail(answer, envelope)

    async def _read_mail(self) -> bytes | None:
        """What comes up to the lone dot, between whole line ends and nothing less; ``None`` if it is too large.

        It is read to its end even then, as the answer would not be heard before, but not kept.
        """
        reader = self._reader
        # So that a dot on the first line is alone as well. The buffer is private; aiosmtpd itself clears it that way.
        reader._buffer[:0] = MAIL_END[:2]  # type: ignore[attr-defined]
        mail, size, ended = bytearray(), 0, False
        while not ended:
            try:
                piece, ended = await reader.readuntil(MAIL_END), True
            except asyncio.LimitOverrunError as more:
                piece = await reader.read(more.consumed)
            size += len(piece)
            if size <= self._policy.largest + len(MAIL_END):
                mail += piece
            else:
                mail.clear()
        return bytes(mail[:-3]).replace(b"\r\n.", b"\r\n")[2:] if mail else None

    async def _store(self, raw: bytes, envelope: SmtpEnvelope) -> str:
        try:
            await self._policy.store(raw, envelope)
        except Exception:
            log.exception("mail not stored")
            return "451 4.3.0 Not stored, please try again later"
        self._errors = self._commands = 0
        return "250 2.0.0 Stored"

    async def _answer_mail(self, answer: str, envelope: SmtpEnvelope) -> None:
        await self.push(answer)

    # --- what aiosmtpd asks -----------------------------------------------------------------------------------

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        """An address and what follows it; ``<>`` for nobody, ``None`` for what is no address."""
        found = PATH.fullmatch(arg if arg.startswith("<") else "<{}>{}{}".format(*arg.partition(" ")))
        return (found[1] or "<>", found[2] or "") if found else (None, None)

    def _is_known(
        self, server: SMTP, session: SmtpSession, envelope: SmtpEnvelope, mechanism: str, login: LoginPassword
    ) -> AuthResult:
        policy = self._policy
        pairs = ((policy.user, login.login), (policy.password, login.password))
        same = [hmac.compare_digest(wanted.encode(), given) for wanted, given in pairs]
        return AuthResult(success=all(same) and bool(policy.user), handled=False)


class LmtpConnection(SmtpConnection, LMTP):
    """A mail server over LMTP: it wants an answer for each recipient."""

    async def _answer_mail(self, answer: str, envelope: SmtpEnvelope) -> None:
        await self.push("\r\n".join([answer] * len(envelope.rcpt_tos)))


class TurnedAway(asyncio.Protocol):
    """A client that is one too many."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Say so, and when to come again."""
        assert isinstance(transport, asyncio.WriteTransport)
        transport.write(b"421 4.7.0 Too many connections, please try again later\r\n")
        transport.close()


def _is_this_machine(peer: Any) -> bool:
    """Whether a client sits where nobody listens on the wire."""
    try:
        return ipaddress.ip_address(peer[0]).is_loopback
    except (TypeError, ValueError, IndexError):
        return False
