"""Mail handed to us: a listener for SMTP, or for LMTP behind a mail server."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType
from typing import Any, Literal, Self

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP
from aiosmtpd.smtp import Envelope as SmtpEnvelope
from aiosmtpd.smtp import Session as SmtpSession

from pbem.mail.inbox import Accept, Clock
from pbem.mail.letter import Envelope

LONGEST_LINE = 100_000
"""Bytes; the standard says 1,000, and not all who send mail know it."""

log = logging.getLogger(__name__)


def serves_domains(domains: frozenset[str]) -> Callable[[str], bool]:
    """Whether an address is in one of our domains; no domains at all means that every address is ours."""
    return lambda address: not domains or address.rpartition("@")[2].lower() in domains


@dataclass(frozen=True)
class Listener:
    """Where and how to listen."""

    host: str = "127.0.0.1"
    port: int = 0
    """0: any free one."""
    protocol: Literal["smtp", "lmtp"] = "smtp"
    name: str = "localhost"
    """What the server calls itself."""
    largest: int = 10_000_000
    """Bytes of the largest mail taken. Too large for a card is said in an answer; too large for this, by the server
    that wanted to hand it over."""


class SmtpInbox:
    """Takes mail over SMTP or LMTP. ``serves`` says which addresses are ours."""

    def __init__(
        self, listener: Listener, accept: Accept, clock: Clock, serves: Callable[[str], bool] = lambda address: True
    ) -> None:
        self._listener = listener
        self._handler = _Handler(accept, clock, serves)
        self._protocols: set[_Smtp | _Lmtp] = set()
        self._server: asyncio.Server | None = None
        self.trouble = ""

    @property
    def last_look(self) -> datetime | None:
        """When it last took a mail or began to listen: mail never waits for a listener."""
        return self._handler.last_look

    @property
    def port(self) -> int:
        """Where it listens, once started."""
        if not self._server:
            raise RuntimeError("not listening")
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def start(self) -> None:
        """Begin to listen; raises ``OSError`` if the port is taken."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._protocol, self._listener.host, self._listener.port)
        self._handler.look()

    async def stop(self) -> None:
        """Stop listening. Mail in transit is offered again by whoever brought it."""
        if self._server:
            self._server.close()
        for protocol in tuple(self._protocols):
            protocol.hang_up()
        self._server = None

    async def run(self) -> None:
        """Listen until cancelled."""
        if not self._server:
            await self.start()
        try:
            await asyncio.Event().wait()
        finally:
            await self.stop()

    def _protocol(self) -> SMTP:
        kind = _Lmtp if self._listener.protocol == "lmtp" else _Smtp
        protocol = kind(
            self._handler,
            data_size_limit=self._listener.largest,
            enable_SMTPUTF8=True,
            hostname=self._listener.name,
            ident="pbem",
            loop=asyncio.get_running_loop(),
        )
        protocol.connections = self._protocols
        return protocol


class _Handler:
    """The hooks that aiosmtpd calls."""

    def __init__(self, accept: Accept, clock: Clock, serves: Callable[[str], bool]) -> None:
        self._accept = accept
        self._clock = clock
        self._serves = serves
        self.last_look: datetime | None = None

    def look(self) -> None:
        self.last_look = self._clock()

    async def handle_RCPT(
        self, server: SMTP, session: SmtpSession, envelope: SmtpEnvelope, address: str, options: list[str]
    ) -> str:
        if not self._serves(address):
            return "550 5.1.1 No such address here"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: SmtpSession, envelope: SmtpEnvelope) -> str:
        raw = envelope.original_content or b""
        await self._accept(raw, _envelope(envelope, self._clock()))
        self.look()
        return "250 2.0.0 Stored"

    async def handle_exception(self, error: Exception) -> str:
        log.error("mail not stored", exc_info=error)
        return "451 4.3.0 Not stored, please try again later"


def _envelope(envelope: SmtpEnvelope, arrived: datetime) -> Envelope:
    sender = "" if envelope.mail_from in (None, "<>") else envelope.mail_from
    return Envelope(arrived, sender, tuple(str(address) for address in envelope.rcpt_tos))


class _Connection(SMTP):
    """A connection that can be ended from our side."""

    line_length_limit = LONGEST_LINE
    connections: "set[Any]"

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.connections.add(self)
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        self.connections.discard(self)
        super().connection_lost(error)

    def hang_up(self) -> None:
        if self.transport:
            self.transport.close()


class _Smtp(_Connection):
    pass


class _Lmtp(_Connection, LMTP):
    """LMTP answers a mail once for each recipient."""

    _answers = 1

    async def push(self, status: str | bytes) -> None:
        text = status if isinstance(status, str) else status.decode()
        if text.startswith("354") and self.envelope:
            self._answers = len(self.envelope.rcpt_tos)
            await super().push(text)
        else:
            count, self._answers = self._answers, 1
            await super().push("\r\n".join([text] * count))
