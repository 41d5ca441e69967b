"""The wire to an IMAP server: bytes to answers, one question at a time. Whatever is wrong ends it, at once.

The library's protocol keeps the commands, their tags and the state. How it reads answers is not used: it recurses line
by line, keeps a line without an end for ever, and does not notice when the server says good-bye.
"""

import asyncio
import re
import ssl
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from aioimaplib import aioimaplib  # type: ignore[import-untyped]  # It has no types.

from pbem.core.errors import PbemError
from pbem.mail.imap.syntax import LITERAL

STATUS = re.compile(rb"\* (?:OK|NO|BAD|BYE|PREAUTH)\b", re.IGNORECASE)
"""An answer that ends with its line, whatever it looks like."""
ALLOWANCE = 4_000_000
"""Bytes that may come in answer to a question that asks for no mail."""
SLOWEST = 1_000
"""Bytes in a second that the answer to a question has to bring at the least, if it takes longer than the time limit."""
LAST_WORDS = 0.1
"""Seconds for an answer that came just before the end of the connection."""
NO_ANSWER = "no answer in time"


class MailboxError(PbemError):
    """The mailbox cannot be used now; says why."""


class RefusedByServer(MailboxError):
    """The server said no to one question; the connection is still of use."""


@dataclass(frozen=True)
class Answer:
    """What came between a question and its end."""

    result: str
    """``OK``, ``NO`` or ``BAD``."""
    text: str
    told: Sequence[Sequence[bytes]]
    """Each thing told meanwhile, as its line and, alternating, literals and the rest of the line."""

    @property
    def lines(self) -> Iterator[bytes]:
        """The first line of each thing told."""
        return (parts[0] for parts in self.told)


class Wire(aioimaplib.IMAP4ClientProtocol):  # type: ignore[misc]  # It has no types.
    """One connection."""

    def __init__(self, timeout: float) -> None:
        loop = asyncio.get_running_loop()
        super().__init__(loop)
        self.transport: asyncio.Transport
        self.capabilities: set[str] = set()
        """In capital letters."""
        self._timeout = timeout
        self.news = asyncio.Event()
        """The server tells of new mail."""
        self.greeting: asyncio.Future[str] = loop.create_future()
        self.ended: asyncio.Future[str] = loop.create_future()
        """Why the connection is of no more use."""
        self._lost: asyncio.Future[None] = loop.create_future()
        self._told: list[list[bytes]] = []
        self._answers: deque[str] = deque()
        """What we say when the server asks us to go on."""
        self._received = 0
        self._allowed = ALLOWANCE
        self._buffer = bytearray()
        self._looked_at = 0
        self._parts: list[bytes] = []
        self._literal: int | None = None
        self._deaf = self._deaf_after_answer = False

    # --- questions ------------------------------------------------------------------------------------------------

    async def ask(
        self,
        command: str,
        *arguments: str,
        prefix: str = "",
        answers: Sequence[str] = (),
        allowance: int = ALLOWANCE,
        secret: str | None = None,
    ) -> Answer:
        """Ask and wait for the end of the answer; ``answers`` are what to say when the server wants to hear more.

        ``secret`` is kept out of logs. Raises :class:`MailboxError`; the wire is of no more use then.
        """
        name = f"{prefix} {command}".strip()
        self._begin(answers, allowance)
        try:
            question = aioimaplib.Command(command, self.new_tag(), *arguments, prefix=prefix)
            response = await self.within(name, self.execute(question, scrub=secret))
        except (aioimaplib.AioImapException, OSError, ValueError) as error:
            raise MailboxError(f"{name}: {error}") from error
        told, self._told = self._told, []
        text = bytes(response.lines[-1]).decode("utf-8", "replace")[:400]
        return Answer(str(response.result).upper(), text, told)

    async def idle(self, seconds: float) -> None:
        """Let the server tell of new mail, until it does or so many seconds have passed. Raises ``MailboxError``."""
        self._begin((), ALLOWANCE)
        question = aioimaplib.IdleCommand(self.new_tag(), self.idle_queue)
        idle = asyncio.ensure_future(self.execute(question))
        begun = asyncio.ensure_future(self._idle_event.wait())
        try:
            await self.within("IDLE", _first(idle, begun))
            await self.wait_for_news(seconds)  # Also where the server does not want us to idle.
            if not idle.done():
                self.send("DONE")
                await self.within("DONE", idle)
        except aioimaplib.AioImapException as error:
            raise MailboxError(f"IDLE: {error}") from error
        finally:
            idle.cancel()
            begun.cancel()

    async def wait_for_news(self, seconds: float) -> None:
        """Return when the server tells of new mail, the connection ends, or so many seconds have passed."""
        news = asyncio.ensure_future(self.news.wait())
        try:
            either: set[asyncio.Future[Any]] = {news, self.ended}
            await asyncio.wait(either, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            news.cancel()

    async def within(self, what: str, answer: Any) -> Any:
        """The answer, if it comes while the connection lasts, and bytes come fast enough until it is complete."""
        task = asyncio.ensure_future(answer)
        try:
            while not task.done() and not self.ended.done():
                before = self._received
                either: set[asyncio.Future[Any]] = {task, self.ended}
                await asyncio.wait(either, timeout=self._timeout, return_when=asyncio.FIRST_COMPLETED)
                if not task.done() and self._received - before < SLOWEST * self._timeout:
                    self._end(NO_ANSWER)
                    break
            if not task.done():
                await asyncio.wait({task}, timeout=min(LAST_WORDS, self._timeout))
            if task.done():
                return task.result()
        finally:
            task.cancel()
        raise MailboxError(f"{what}: {self.ended.result()}")

    async def start_tls(self, context: ssl.SSLContext, name: str) -> None:
        """Encrypt from now on. What came before that is forgotten; ``OSError`` if the server cannot do it."""
        self._deaf_after_answer = True
        answer = await self.ask("STARTTLS")
        if answer.result != "OK":
            raise MailboxError(f"STARTTLS: the server says {answer.result} {answer.text}")
        if self._buffer:
            raise MailboxError("STARTTLS: the server goes on in clear; somebody in between may have put that there")
        self._deaf, self._deaf_after_answer, self.capabilities = False, False, set()
        # It has no end of its own if the connection is lost just now.
        starting = asyncio.get_running_loop().start_tls(self.transport, self, context, server_hostname=name)
        self.transport = await self.within("STARTTLS", starting)

    async def close(self) -> None:
        """Give the connection up."""
        for task in self.tasks:
            task.cancel()
        if self.transport:
            self.transport.abort()
            await asyncio.wait({self._lost}, timeout=1)

    def has(self, capability: str) -> bool:
        """Whether the server can do something, as far as it has told."""
        return capability in self.capabilities

    def _begin(self, answers: Sequence[str], allowance: int) -> None:
        if self.ended.done():
            raise MailboxError(self.ended.result())
        self._told, self._answers = [], deque(answers)
        self._received, self._allowed = 0, allowance

    # --- what comes in --------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Take in what came; raises nothing."""
        self._received += len(data)
        if self.ended.done():
            return
        if self._received > self._allowed:
            self._end("the server sends more than it was asked for")
            return
        self._buffer += data
        try:
            while not (self.ended.done() or self._deaf) and (parts := self._next()):
                self._handle(parts)
        except (aioimaplib.AioImapException, ValueError) as error:
            self._end(f"the server says something out of place: {error}")

    def connection_lost(self, error: Exception | None) -> None:
        """Remember why."""
        self._end(f"the connection was lost: {error}" if error else "the server closed the connection")
        if not self._lost.done():
            self._lost.set_result(None)

    def _next(self) -> list[bytes] | None:
        """The next thing said: a line, or a line in which literals stand."""
        while True:
            if self._literal is not None:
                if len(self._buffer) < self._literal:
                    return None
                self._parts.append(self._cut(self._literal))
                self._literal = None
            end = self._buffer.find(b"\r\n", self._looked_at)
            if end < 0:
                self._looked_at = max(0, len(self._buffer) - 1)
                return None
            line = self._cut(end)
            self._cut(2)
            self._parts.append(line)
            self._literal = self._announced(line)
            if self._literal is None:
                parts, self._parts = self._parts, []
                return parts

    def _cut(self, size: int) -> bytes:
        piece = bytes(self._buffer[:size])
        del self._buffer[:size]
        self._looked_at = 0
        return piece

    def _announced(self, line: bytes) -> int | None:
        """The size of the literal that follows a line, if one does."""
        found = LITERAL.search(line)
        if not found or not self._parts[0].startswith(b"*") or STATUS.match(self._parts[0]):
            return None
        size = int(found[1])
        if size > self._allowed:
            raise ValueError(f"it announces {size} bytes")
        return size

    def _handle(self, parts: list[bytes]) -> None:
        line = parts[0]
        if self.state == aioimaplib.CONNECTED:
            self._greet(line)
        elif line.startswith(b"* "):
            self._tell([line[2:], *parts[1:]])
        elif line.startswith(b"+"):
            self._go_on()
        elif line:
            self._response_done(line)
            self._deaf = self._deaf_after_answer

    def _greet(self, line: bytes) -> None:
        kind = line[2:].split(b" ")[0].upper() if line.startswith(b"* ") else b""
        states = {b"OK": aioimaplib.NONAUTH, b"PREAUTH": aioimaplib.AUTH}
        if kind in states:
            self.state = states[kind]
            self.greeting.set_result(kind.decode())
        else:
            self._end(f"the server says {line[:200].removeprefix(b'* ').decode('utf-8', 'replace')}")

    def _tell(self, parts: list[bytes]) -> None:
        line = parts[0]
        if line.upper().endswith(b" EXISTS"):
            self.news.set()
        if line[:3].upper() == b"BYE":
            self._end(f"the server says {line[:200].decode('utf-8', 'replace')}")
        self._told.append(parts)

    def _go_on(self) -> None:
        if self.has_pending_idle_command():
            self._idle_event.set()
        elif self.pending_sync_command is not None:
            self.transport.write(f"{self._answers.popleft() if self._answers else ''}\r\n".encode())

    def _end(self, reason: str) -> None:
        if not self.ended.done():
            self.ended.set_result(reason)


async def _first(*tasks: "asyncio.Future[Any]") -> None:
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
