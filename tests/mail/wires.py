"""A listener, an outbox and plain clients on the loopback interface."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from aiosmtpd.smtp import SMTP

from pbem.mail.listener.connection import refusal
from pbem.mail.listener.inbox import Listener, SmtpInbox
from pbem.mail.outgoing.smtp import Relay, SmtpOutbox
from pbem.mail.outgoing.transport import OutgoingMail, Result
from tests.mail.conftest import Desk, clock

RAW = b"From: a@x.example\r\nSubject: orders\r\n\r\nRed: hold\r\n.\r\n..\r\n"
MAIL = OutgoingMail("a@x.example", "orders@campaigns.example", RAW)


@asynccontextmanager
async def listening(desk: Desk, protocol: str = "smtp", **settings: Any) -> AsyncIterator[SmtpInbox]:
    """A listener that serves one address."""
    listener = Listener(protocol=protocol, name="campaigns.example", **settings)  # type: ignore[arg-type]
    async with SmtpInbox(listener, desk.accept, clock, refusal(MAIL.recipient, protocol == "lmtp")) as inbox:
        yield inbox


@asynccontextmanager
async def outbox(
    port: int, host: str = "127.0.0.1", security: str = "none", **settings: Any
) -> AsyncIterator[SmtpOutbox]:
    """An outbox to a port here."""
    box = SmtpOutbox(Relay(host, port, security, **{"timeout": 20, **settings}))  # type: ignore[arg-type]
    try:
        yield box
    finally:
        await box.close()


async def send(port: int, mail: OutgoingMail = MAIL, **settings: Any) -> Result:
    """Send a mail through an outbox of its own."""
    async with outbox(port, **settings) as box:
        return await box.send(mail)


@asynccontextmanager
async def serving(make: Callable[[], SMTP], **settings: Any) -> AsyncIterator[int]:
    """A server that makes a protocol for each client, and at the end leaves no connection behind; its port."""
    made: list[SMTP] = []

    def protocol() -> SMTP:
        made.append(make())
        return made[-1]

    server = await asyncio.get_running_loop().create_server(protocol, "127.0.0.1", 0, **settings)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for transport in [each.transport for each in made if each.transport]:
            transport.close()
        await asyncio.sleep(0.01)  # For the connections to end while there is a loop.


async def converse(port: int, *lines: str | bytes) -> list[str]:
    """Say these lines to a server, all at once; all that it answers until it closes the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"".join(line if isinstance(line, bytes) else f"{line}\r\n".encode() for line in lines))
    answers = (await asyncio.wait_for(reader.read(), 20)).decode().splitlines()
    writer.close()
    await asyncio.gather(writer.wait_closed(), return_exceptions=True)  # The server may have closed it first.
    return answers


def codes(answers: list[str]) -> list[str]:
    """The codes of answers, each once however many lines it has."""
    return [line[:3] for line in answers if line[3:4] == " "]
