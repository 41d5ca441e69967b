"""One connection to an IMAP mailbox. It never hangs: whatever goes wrong ends it, and it is not used again.

The library below waits for ever for some answers and does not notice when the server says good-bye; therefore every
question here has a time limit and is given up at once when the connection ends.
"""

import asyncio
import re
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime
from types import TracebackType
from typing import Any, Self, TypeVar

from aioimaplib import aioimaplib  # type: ignore[import-untyped]  # It has no types.

from pbem.core.errors import PbemError

T = TypeVar("T")

STORED = "$PbemStored"
"""The keyword of mail that was stored."""
BEGINNING = 64_000
"""Bytes that are fetched of a mail too large to be fetched whole."""
PATIENCE = 10
"""How many times longer the text of a mail may take than another answer."""

LAST_WORDS = 0.1
"""Seconds for an answer that came just before the end of the connection."""

NO_ANSWER = "no answer in time"

UID_VALIDITY = re.compile(rb"\[UIDVALIDITY (\d+)\]", re.IGNORECASE)
ANY_KEYWORD = re.compile(rb"\[PERMANENTFLAGS \([^)]*\\\*", re.IGNORECASE)
SIZE = re.compile(rb"RFC822\.SIZE (\d+)", re.IGNORECASE)
ARRIVED = re.compile(rb'INTERNALDATE "([^"]+)"', re.IGNORECASE)
FETCHED = re.compile(rb"\d+ FETCH \(", re.IGNORECASE)


class MailboxError(PbemError):
    """The mailbox cannot be used now; says why."""


class RefusedByServer(MailboxError):
    """The server said no to one question; the connection is still of use."""


@dataclass(frozen=True)
class Mailbox:
    """Where the mailbox is, and how to deal with it."""

    host: str
    user: str
    password: str
    port: int = 993
    tls: bool = True
    context: ssl.SSLContext | None = None
    """Whom to trust; by default whom the system trusts."""
    folder: str = "INBOX"
    done_folder: str = ""
    """Where stored mail is moved; if empty, it stays. Wanted where a server keeps no keywords: there every mail that
    stays is offered again after a restart."""
    poll: float = 60.0
    """Seconds between looks when the server tells nothing."""
    timeout: float = 30.0
    """Seconds to wait for an answer."""
    retry: float = 5.0
    """Seconds before a new connection; twice as long after each failure, up to :attr:`longest_retry`."""
    longest_retry: float = 300.0
    largest: int = 10_000_000
    """Bytes of the largest mail that is fetched whole."""


@dataclass(frozen=True)
class FetchedMail:
    """A mail, or the beginning of a large one."""

    raw: bytes
    size: int
    arrived: datetime | None


class Connection:
    """An open mailbox; raises :class:`MailboxError` for everything that goes wrong."""

    def __init__(self, mailbox: Mailbox) -> None:
        self._mailbox = mailbox
        context = (mailbox.context or ssl.create_default_context()) if mailbox.tls else None
        self._client = _Client(mailbox.host, mailbox.port, timeout=mailbox.timeout, ssl_context=context)
        self._wire: _Wire = self._client.protocol
        self._keywords = False
        self.uid_validity = 0

    async def __aenter__(self) -> Self:
        try:
            await self._log_in()
            await self._select()
        except BaseException:
            await self._close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._close()

    async def search(self) -> list[int]:
        """The UIDs of the mails that were not yet stored as far as their marks say, in order of arrival."""
        self._wire.news.clear()
        unmarked = ("UNKEYWORD", STORED) if self._keywords else ("ALL",)
        answer = await self._ask("SEARCH", lambda: self._client.uid_search(*unmarked, charset=None))
        return sorted({int(word) for line in answer.lines[:-1] for word in bytes(line).split() if word.isdigit()})

    async def fetch(self, uid: int) -> FetchedMail | None:
        """A mail, without marking it as read; ``None`` if it is no longer there."""
        about = await self._fetch(uid, "(RFC822.SIZE INTERNALDATE)")
        size = SIZE.search(about)
        if not size:
            return None
        part = "BODY.PEEK[]" if int(size[1]) <= self._mailbox.largest else f"BODY.PEEK[]<0.{BEGINNING}>"
        lines = (await self._ask("FETCH", lambda: self._client.uid("fetch", str(uid), f"({part})"), PATIENCE)).lines
        # The text is the one literal among the lines; a mail without any text comes without one.
        raw = next((bytes(line) for line in lines if isinstance(line, bytearray)), b"")
        return FetchedMail(raw, int(size[1]), _date(about)) if any(map(FETCHED.match, lines)) else None

    async def put_away(self, uid: int) -> None:
        """Mark a mail as stored, and move it if there is a folder for that. A server that cannot do it may refuse."""
        flags = rf"(\Seen {STORED})" if self._keywords else r"(\Seen)"
        await self._ask("STORE", lambda: self._client.uid("store", str(uid), "+FLAGS.SILENT", flags), refusable=True)
        if self._mailbox.done_folder and self._client.has_capability("MOVE"):
            folder = aioimaplib.quoted(self._mailbox.done_folder)
            await self._ask("MOVE", lambda: self._client.uid("move", str(uid), folder), refusable=True)

    async def wait_for_news(self) -> None:
        """Return when the server tells of new mail, or it is time to look again anyway."""
        if not self._client.has_capability("IDLE"):
            await self._news()
            return
        idle = await self._ask("IDLE", lambda: self._client.idle_start(timeout=self._mailbox.poll * 2))
        await self._news()
        self._client.idle_done()
        await self._ask("DONE", lambda: idle)
        while not self._wire.idle_queue.empty():
            self._wire.idle_queue.get_nowait()

    async def _log_in(self) -> None:
        await self._ask("connection", self._client.wait_hello_from_server)
        if self._client.get_state() == aioimaplib.NONAUTH:
            user = aioimaplib.quoted(self._mailbox.user)
            await self._ask("login", lambda: self._client.login(user, self._mailbox.password))
        await self._ask("CAPABILITY", self._wire.capability)

    async def _select(self) -> None:
        if self._mailbox.done_folder:
            done = aioimaplib.quoted(self._mailbox.done_folder)
            await self._ask("CREATE", lambda: self._client.create(done), refusable=True)  # It may exist.
        folder = aioimaplib.quoted(self._mailbox.folder)
        answer = await self._ask("SELECT", lambda: self._client.select(folder))
        lines = b"\n".join(map(bytes, answer.lines))
        validity = UID_VALIDITY.search(lines)
        self.uid_validity = int(validity[1]) if validity else 0
        self._keywords = bool(ANY_KEYWORD.search(lines))

    async def _fetch(self, uid: int, items: str) -> bytes:
        answer = await self._ask("FETCH", lambda: self._client.uid("fetch", str(uid), items))
        return b"\n".join(bytes(line) for line in answer.lines if FETCHED.match(line))

    async def _news(self) -> None:
        news = asyncio.ensure_future(self._wire.news.wait())
        try:
            await self._first(news, self._mailbox.poll)
        finally:
            news.cancel()

    async def _ask(
        self, what: str, question: Callable[[], Awaitable[Any]], patience: float = 1, refusable: bool = False
    ) -> Any:
        """The answer to a question; ``refusable`` if the server may say no."""
        if self._wire.ended.done():
            raise MailboxError(self._wire.ended.result())
        try:
            answer = await self._within(what, question(), self._mailbox.timeout * patience)
        except (aioimaplib.AioImapException, OSError, TimeoutError, ValueError) as error:
            raise MailboxError(f"{what}: {_reason(error)}") from error
        if isinstance(answer, aioimaplib.Response) and answer.result != "OK" and not refusable:
            raise RefusedByServer(f"{what}: the server says {answer.result} {_words(answer)}")
        return answer

    async def _within(self, what: str, answer: Awaitable[T], seconds: float) -> T:
        task = asyncio.ensure_future(answer)
        try:
            await self._first(task, seconds)
            if self._wire.ended.done():
                await asyncio.wait({task}, timeout=LAST_WORDS)
            if task.done():
                return task.result()
        finally:
            task.cancel()
        ended = self._wire.ended
        raise MailboxError(f"{what}: {ended.result() if ended.done() else NO_ANSWER}")

    async def _first(self, task: asyncio.Future[Any], seconds: float) -> None:
        """Wait for a task, the end of the connection, or so many seconds."""
        either: set[asyncio.Future[Any]] = {task, self._wire.ended}
        await asyncio.wait(either, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)

    async def _close(self) -> None:
        for task in [*self._client.tasks, *self._wire.tasks]:
            task.cancel()
        if self._wire.transport:
            self._wire.transport.abort()
            await asyncio.wait({self._wire.lost}, timeout=1)


class _Wire(aioimaplib.IMAP4ClientProtocol):  # type: ignore[misc]  # It has no types.
    """The library's protocol, made to notice the end of a connection and the arrival of mail at once."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop)
        self.news = asyncio.Event()
        self.ended: asyncio.Future[str] = loop.create_future()
        """Why the connection is of no more use."""
        self.lost: asyncio.Future[None] = loop.create_future()

    async def welcome(self, command: bytes) -> None:
        try:
            await super().welcome(command)
        except aioimaplib.AioImapException as error:
            self._end(f"the server says {error}")

    def connection_lost(self, exc: Exception | None) -> None:
        self._end(f"the connection was lost: {exc}" if exc else "the server closed the connection")
        if not self.lost.done():
            self.lost.set_result(None)
        super().connection_lost(exc)

    def _untagged_response(self, line: bytes) -> Any:
        if line.endswith(b" EXISTS"):
            self.news.set()
        if line[:5].upper() == b"* BYE":
            self._end(f"the server says {line[2:200].decode('utf-8', 'replace')}")
        return super()._untagged_response(line)

    def _end(self, reason: str) -> None:
        if not self.ended.done():
            self.ended.set_result(reason)


class _Client(aioimaplib.IMAP4):  # type: ignore[misc]  # It has no types.
    def create_client(
        self, host: str, port: int, loop: Any, conn_lost_cb: Any = None, ssl_context: ssl.SSLContext | None = None
    ) -> None:
        running = asyncio.get_running_loop()
        self.protocol = _Wire(running)
        connecting = running.create_connection(lambda: self.protocol, host, port, ssl=ssl_context)
        self._client_task = running.create_task(connecting)


def _date(about: bytes) -> datetime | None:
    found = ARRIVED.search(about)
    try:
        return parsedate_to_datetime(found[1].decode("ascii").strip()) if found else None
    except ValueError:
        return None


def _reason(error: Exception) -> str:
    if isinstance(error, TimeoutError | aioimaplib.CommandTimeout):
        return NO_ANSWER
    return str(error) or type(error).__name__


def _words(answer: Any) -> str:
    return b" ".join(map(bytes, answer.lines)).decode("utf-8", "replace")[:200]
