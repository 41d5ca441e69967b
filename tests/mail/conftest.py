"""Post offices for the tests: real servers on the loopback interface, on free ports."""

import asyncio
import ssl
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.mail.reading.letter import Envelope
from tests.servers import dovecot, dovecot_server

__all__ = ["dovecot", "dovecot_server"]

NOW = datetime(2026, 11, 30, 18, 4, 11, tzinfo=UTC)


def clock() -> datetime:
    """A clock that stands still."""
    return NOW


@dataclass
class Desk:
    """Takes mails as the host does; can be told to fail."""

    taken: "asyncio.Queue[tuple[bytes, Envelope]]" = field(default_factory=asyncio.Queue)
    failures: int = 0
    """How many more mails it cannot store."""
    refused: asyncio.Event = field(default_factory=asyncio.Event)

    async def accept(self, raw: bytes, envelope: Envelope) -> None:
        if self.failures:
            self.failures -= 1
            self.refused.set()
            raise OSError("disk full")
        self.taken.put_nowait((raw, envelope))

    async def next(self) -> tuple[bytes, Envelope]:
        """The next mail; fails if none comes."""
        return await asyncio.wait_for(self.taken.get(), 20)


@pytest.fixture
async def desk() -> Desk:
    return Desk()


CERTIFICATE = Path(__file__).parent / "localhost.pem"
"""A key and a certificate for ``localhost`` that nobody else trusts."""


def server_context() -> ssl.SSLContext:
    """For a server with that certificate."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(CERTIFICATE)
    return context


def client_context() -> ssl.SSLContext:
    """For a client that trusts it."""
    return ssl.create_default_context(cafile=CERTIFICATE)
