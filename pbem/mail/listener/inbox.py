"""Mail handed to us: a listener for SMTP, or for LMTP behind a mail server."""

import asyncio
from dataclasses import dataclass, field
from types import TracebackType
from typing import Literal, Self

from aiosmtpd.smtp import Envelope as SmtpEnvelope

from pbem.mail.inbox import Accept, Clock
from pbem.mail.listener.certificate import Certificate
from pbem.mail.listener.connection import LmtpConnection, Policy, Refusal, SmtpConnection, TurnedAway
from pbem.mail.reading.letter import Envelope


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
    connections: int = 100
    """At the same time."""
    timeout: float = 300.0
    """Seconds that a client has for each command, and for all of a mail."""
    certificate: Certificate | None = None
    """With one, STARTTLS is offered."""
    user: str = ""
    """Who hands mail over has to log in under this name; empty: nobody has to."""
    password: str = field(default="", repr=False)


class SmtpInbox:
    """Takes mail over SMTP or LMTP. ``refusal`` says which addresses are not ours."""

    def __init__(self, listener: Listener, accept: Accept, clock: Clock, refusal: Refusal = lambda address: "") -> None:
        self._listener = listener
        self._accept = accept
        self._clock = clock
        self._policy = Policy(
            store=self._store,
            refusal=refusal,
            name=listener.name,
            largest=listener.largest,
            timeout=listener.timeout,
            user=listener.user,
            password=listener.password,
        )
        self._server: asyncio.Server | None = None

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
        self._server = await loop.create_server(self._connection, self._listener.host, self._listener.port)

    async def stop(self) -> None:
        """Stop listening. Mail in transit is offered again by whoever brought it."""
        if self._server:
            self._server.close()
        for connection in tuple(self._policy.connections):
            connection.hang_up()
        self._server = None

    def _connection(self) -> asyncio.Protocol:
        """For a client that has come."""
        if len(self._policy.connections) >= self._listener.connections:
            return TurnedAway()
        certificate = self._listener.certificate
        kind = LmtpConnection if self._listener.protocol == "lmtp" else SmtpConnection
        return kind(self._policy, certificate.context() if certificate else None)

    async def _store(self, raw: bytes, envelope: SmtpEnvelope) -> None:
        sender = "" if envelope.mail_from in (None, "<>") else envelope.mail_from
        await self._accept(raw, Envelope(self._clock(), sender, tuple(map(str, envelope.rcpt_tos))))
