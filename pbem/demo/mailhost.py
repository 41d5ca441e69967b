"""A mail provider inside the program: mailboxes to read over IMAP, and SMTP to write to them. All in memory.

For the demo, where it is everybody's provider, and for tests. The IMAP server is pymap; its inner parts are used, for
it has no outer ones that let mail be put into a mailbox, hence the exact version in ``pyproject.toml``.
"""

import asyncio
import contextvars
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from datetime import datetime
from types import TracebackType
from typing import Any, Self, TypeVar

from pbem.core.errors import PbemError
from pbem.mail.addresses import normal
from pbem.mail.inbox import Clock
from pbem.mail.listener.inbox import Listener, SmtpInbox
from pbem.mail.reading.letter import Envelope

T = TypeVar("T")


class NoMailHost(PbemError):
    """pymap is not installed."""


class MailHost:
    """The provider of some mail users, by address and password; ``ann+anything@x`` belongs to ``ann@x``."""

    def __init__(self, users: Mapping[str, str], clock: Clock, host: str = "127.0.0.1", smtp_port: int = 0) -> None:
        self._users = {normal(address): password for address, password in users.items()}
        self._clock = clock
        self._host = host
        listener = Listener(host, smtp_port, name="mailhost")
        self._smtp = SmtpInbox(listener, self._accept, clock, refusal=self._refusal)
        self._imap = _ImapServer()

    async def __aenter__(self) -> Self:
        await self._imap.start(self._host, self._users)
        try:
            await self._smtp.start()
        except OSError:
            await self._imap.stop()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._smtp.stop()
        await self._imap.stop()

    @property
    def smtp_port(self) -> int:
        """Where mail for its users is taken."""
        return self._smtp.port

    @property
    def imap_port(self) -> int:
        """Where its users read their mail; no encryption."""
        return self._imap.port

    async def deliver(self, address: str, raw: bytes, arrived: datetime | None = None) -> None:
        """Put a mail into a user's mailbox."""
        await self._imap.append(self._user(address), re.sub(rb"\r?\n", b"\r\n", raw), arrived or self._clock())

    async def mails(self, address: str, folder: str = "INBOX") -> list[bytes]:
        """The mails in one of a user's folders, oldest first."""
        return await self._imap.contents(self._user(address), folder)

    async def _accept(self, raw: bytes, envelope: Envelope) -> None:
        for recipient in envelope.recipients:
            await self.deliver(recipient, raw, envelope.arrived)

    def _refusal(self, address: str) -> str:
        return "" if self._user(address) in self._users else "550 5.1.1 No such user here"

    def _user(self, address: str) -> str:
        local, _, domain = normal(address).partition("@")
        return f"{local.partition('+')[0]}@{domain}"


class _ImapServer:
    """pymap's server on its backend in memory."""

    def __init__(self) -> None:
        self._context = contextvars.Context()
        self._connections: set[asyncio.Task[Any]] = set()
        self._server: asyncio.Server | None = None
        self._identity: Callable[[str], Any]

    @property
    def port(self) -> int:
        if not self._server:
            raise RuntimeError("not started")
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def start(self, host: str, users: Mapping[str, str]) -> None:
        try:
            from pymap.imap import IMAPServer
        except ImportError as error:
            raise NoMailHost("the mail provider of the demo is not installed: pip install 'pbem[demo]'") from error
        login, config = await self._backend(users)
        # pymap keeps its settings in context variables, which tasks inherit from whoever starts them.
        self._context = contextvars.copy_context()
        self._context.run(config.apply_context)
        serve = self._tracked(IMAPServer(login, config))
        self._server = await self._inside(asyncio.start_server(serve, host, 0))

    async def _backend(self, users: Mapping[str, str]) -> tuple[Any, Any]:
        """The mailboxes in memory, one for each user."""
        from pymap.backend.dict import DictBackend
        from pymap.concurrent import Subsystem
        from pymap.imap import IMAPService
        from pymap.user import UserMetadata
        from pysasl.hashing import Cleartext

        arguments = ArgumentParser()
        IMAPService.add_arguments(arguments)
        unused = Namespace(debug=False, passlib_cfg=None, demo_data=False, demo_user="nobody", demo_password="")
        settings = arguments.parse_args(["--no-tls"], unused)
        backend, config = await DictBackend.init(
            settings, hash_context=Cleartext(), cpu_subsystem=Subsystem.for_asyncio()
        )
        identity = type(backend.login.demo_user_identity)
        self._identity = lambda user: identity(user, backend.login, None, frozenset())
        for user, password in users.items():
            await self._identity(user).set(UserMetadata(config, user, password=password))
        return backend.login, config

    async def stop(self) -> None:
        if self._server:
            self._server.close()
        for connection in self._connections:
            connection.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def append(self, user: str, raw: bytes, arrived: datetime) -> None:
        from pymap.parsing.message import AppendMessage

        async def append() -> None:
            async with self._identity(user).new_session() as session:
                await session.append_messages("INBOX", [AppendMessage(raw, arrived, frozenset())])

        await self._inside(append())

    async def contents(self, user: str, folder: str) -> list[bytes]:
        async def contents() -> list[bytes]:
            async with self._identity(user).new_session() as session:
                mailbox = await session.mailbox_set.get_mailbox(folder)
                return [bytes(message._content) async for message in mailbox.messages()]

        return await self._inside(contents())

    def _tracked(self, serve: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
        """Remember each connection, to end it when the server stops."""
        from proxyprotocol.result import ProxyResultUnknown
        from proxyprotocol.sock import SocketInfo

        async def connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task
            self._connections.add(task)
            try:
                await serve(reader, writer, SocketInfo.get(writer, ProxyResultUnknown(), unique_id=b""))
            finally:
                self._connections.discard(task)
                writer.close()

        return connection

    async def _inside(self, work: Coroutine[Any, Any, T]) -> T:
        return await asyncio.create_task(work, context=self._context)
