"""A running server: its parts begin, take in letters, tell how they are, and end."""

import asyncio
import contextlib
import logging
import os
import socket
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import uvicorn
from sqlalchemy.exc import InterfaceError, OperationalError

from pbem.config import Settings
from pbem.core.errors import BadInput, Flaw
from pbem.mail.imap.inbox import ImapInbox
from pbem.mail.imap.mailbox import Mailbox
from pbem.mail.inbox import TryLater, UnreadMail
from pbem.mail.listener.connection import refusal
from pbem.mail.listener.inbox import Listener, SmtpInbox
from pbem.mail.outgoing.transport import Transport
from pbem.mail.reading.letter import Envelope
from pbem.mail.reading.safely import Reader
from pbem.scheduler.worker import Worker, clockwork
from pbem.service.host import Host
from pbem.service.incoming import intake, unread
from pbem.service.stages import archiving, remind
from pbem.web.pages import Part, pages

log = logging.getLogger(__name__)

CANCEL_AGAIN = 0.5
"""Seconds that a part may take to end before it is told again."""

HANDS = 3
"""Threads that have letters read: one for each process that reads, and one with the next letter. More would only keep
the worker waiting."""
WRITTEN = 2
"""Letters that the clerk has before him: one that he works on and the next. What else is to be written down, such as
what went out, need not wait for more of them."""

STALE = timedelta(minutes=5)
"""A worker that has not ended a look for so long is not well; nor is it well if no letter could be stored so long."""


@dataclass
class Server:
    """All parts of a server, joined."""

    settings: Settings
    host: Host
    transport: Transport
    """How mail goes out."""
    reader: Reader
    listens: Listener | None = None
    """Where mail is taken."""
    fetches: Mailbox | None = None
    """From where mail is fetched."""
    listener: SmtpInbox | None = field(init=False)
    """Takes mail; its port is known once it runs."""
    mailbox: ImapInbox | None = field(init=False)
    """Fetches mail."""
    worker: Worker = field(init=False)
    """Does what is due."""
    _to_read: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(HANDS))
    _to_write: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(WRITTEN))
    _trouble: tuple[str, datetime] | None = None
    """Why no letter can be stored, and since when."""

    def __post_init__(self) -> None:
        self.listener = self._listener(self.listens) if self.listens else None
        self.mailbox = box = self._mailbox(self.fetches) if self.fetches else None
        archive = partial(archiving.write, self.host, self.settings.data)
        self.worker = Worker(self.host, self.transport, archive, looked=(lambda: box.last_look) if box else None)

    def _listener(self, listener: Listener) -> SmtpInbox:
        not_ours = refusal(self.host.address, any_name=listener.protocol == "lmtp")
        return SmtpInbox(listener, partial(self.take, listener.protocol), self.host.clock, not_ours)

    def _mailbox(self, mailbox: Mailbox) -> ImapInbox:
        return ImapInbox(mailbox, _Fetched(self), self.host.clock, _Unread(self.host, "imap"))

    async def run(self, stop: asyncio.Event, started: Callable[[], object] = lambda: None) -> None:
        """Serve until ``stop`` is set, then stop cleanly: what has been accepted is stored, what is due stays due.

        Raises ``BadInput`` if a port is taken; nothing has been done then. Raises what a part breaks with.
        """
        web, given = self.settings.web, self.settings.smtp_in
        async with contextlib.AsyncExitStack() as parts:
            parts.push_async_callback(self.transport.close)
            parts.push_async_callback(asyncio.to_thread, self.reader.close)
            # Nobody is to wait for the processes to begin once the ports are open.
            await asyncio.gather(self.host.clerk.start(), asyncio.to_thread(self.reader.start))
            if web.enabled:
                with _telling("web", web.host, web.port):
                    door = parts.enter_context(_door(web.host, web.port))
            if self.listener:
                with _telling("smtp_in", given.host, given.port):
                    await self.listener.start()
                parts.push_async_callback(self.listener.stop)
            await asyncio.to_thread(remind.catch_up, self.host)
            await parts.enter_async_context(_running(self.worker.run(), stop))
            if self.mailbox:
                await parts.enter_async_context(_running(self.mailbox.run(), stop))
            if web.enabled:
                await parts.enter_async_context(_running(self._pages().serve([door]), stop))
            clock = clockwork(self.settings.schedule.tick, self.worker.wake)
            clock.start()
            parts.callback(clock.shutdown, wait=False)
            started()
            await stop.wait()

    # --- letters ------------------------------------------------------------------------------------------------------

    async def take(self, route: str, raw: bytes, envelope: Envelope) -> None:
        """Read and store a letter: see :meth:`read` and :meth:`store`."""
        await self.store(await self.read(route, raw, envelope))

    async def read(self, route: str, raw: bytes, envelope: Envelope) -> intake.Arrived:
        """Read a letter. Raises ``TryLater`` if this machine cannot: a letter that is itself to blame is read as one
        that cannot be read."""
        try:
            async with self._to_read:
                return await asyncio.to_thread(intake.arrive, self.host, raw, envelope, route)
        except Exception as error:
            raise TryLater(f"no letter can be read: {_named(error)}") from error

    async def store(self, arrived: intake.Arrived) -> None:
        """Store a letter; when this returns it is safe, and the worker knows.

        Raises ``TryLater`` if the database is busy or away, or nobody can write into it.
        """
        try:
            async with self._to_write:
                outcome = await self.host.clerk.do(intake.take_in, self.host, arrived)
        except (OperationalError, InterfaceError, BrokenProcessPool) as error:
            since = self._trouble[1] if self._trouble else self.host.clock()
            self._trouble = _named(error), since
            raise TryLater(f"no letter can be stored: {_named(error)}") from error
        self._trouble = None
        self.worker.wake_sending()
        if outcome in intake.MOVING:
            self.worker.wake()

    # --- pages --------------------------------------------------------------------------------------------------------

    def _pages(self) -> uvicorn.Server:
        application = pages(archiving.public(self.settings.data), self.health)
        config = uvicorn.Config(application, log_config=None, log_level="warning", access_log=False, lifespan="off")
        config.load()  # It imports much; now, while nobody waits for the event loop.
        return _Pages(config)

    def health(self) -> Mapping[str, Part]:
        """How the parts are that look for work by themselves."""
        parts = {"worker": self._looking(self.worker.last_look, STALE + self.settings.schedule.tick)}
        if self.mailbox:
            bound = self.settings.imap_in.recover + self.settings.imap_in.poll
            parts["mailbox"] = self._looking(self.mailbox.last_success, bound, self.mailbox.trouble)
        parts["letters"] = self._letters()
        parts["mail out"] = self._mail_out()
        return parts

    def _letters(self) -> Part:
        """Who brings letters keeps them while they cannot be stored."""
        if self._trouble is None:
            return Part()
        trouble, since = self._trouble
        ago = self.host.clock() - since
        return Part(f"no letter can be stored{_since(ago.total_seconds())}" if ago > STALE else "", trouble)

    def _mail_out(self) -> Part:
        """Mail is written down and can wait: that it does not go out does harm only after a while."""
        sending = self.worker.sending
        last = sending.last_success
        ago = (self.host.clock() - last).total_seconds() if last else None
        return Part(f"no mail goes out{_since(ago)}" if sending.lasting else "", sending.trouble, ago)

    def _looking(self, last: datetime | None, bound: timedelta, trouble: str = "") -> Part:
        """How a part is that has to look for work within a bound."""
        if last is None:
            return Part("has not looked yet", trouble)
        ago = (self.host.clock() - last).total_seconds()
        return Part(f"no look{_since(ago)}" if ago > bound.total_seconds() else "", trouble, ago)


def _named(error: Exception) -> str:
    """An error for the log and the organizer, without the letter that a statement may hold."""
    match error:
        case OperationalError() | InterfaceError():
            return f"the database is busy or away: {error.orig}"
        case BrokenProcessPool():
            return "the process that writes letters down died twice"
        case _:
            return f"{type(error).__name__}: {error}"


def _since(ago: float | None) -> str:
    """For how long something has not happened, if it ever did."""
    return " since the start" if ago is None else f" for {ago:.0f} s"


@dataclass(frozen=True)
class _Fetched:
    """Takes in what is fetched from a mailbox."""

    server: Server

    async def read(self, raw: bytes, envelope: Envelope) -> intake.Arrived:
        return await self.server.read("imap", raw, envelope)

    async def store(self, mail: intake.Arrived) -> None:
        await self.server.store(mail)


@dataclass(frozen=True)
class _Unread:
    """Where it is written down that mails of a route could not be taken in."""

    host: Host
    route: str

    async def keep(self, mail: UnreadMail) -> None:
        read = await asyncio.to_thread(self.host.read, mail.raw, mail.envelope)
        await self.host.clerk.do(unread.keep, self.host, mail, read, self.route)

    async def knows(self, name: str) -> bool:
        return await self.host.clerk.do(unread.knows, self.host, name)


class _Pages(uvicorn.Server):
    """Leaves the signals alone: the server as a whole stops on them."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _door(host: str, port: int) -> socket.socket:
    """A socket that listens there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family)


@contextlib.contextmanager
def _telling(table: str, host: str, port: int) -> Iterator[None]:
    """Say which setting it is about when a port cannot be had."""
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
        advice = "stop the server that runs there, or name another port"
        raise BadInput([Flaw(f"{table}.port", f"cannot listen on {host}:{port}: {reason}; {advice}")]) from error


@contextlib.asynccontextmanager
async def _running(part: Coroutine[Any, Any, None], stop: asyncio.Event) -> AsyncIterator[None]:
    """A part that runs until the block ends. If it ends before that, the server stops: whoever watches over it starts
    it anew, and half a server would only look like one."""
    task = asyncio.create_task(part)
    task.add_done_callback(lambda _: stop.set())
    try:
        yield
    finally:
        await end(task)


async def end(task: asyncio.Task[Any]) -> None:
    """Cancel a task until it has ended; raises what it ended with, if that was an error.

    Once is not enough: Python 3.11's ``asyncio.wait_for`` loses a cancellation that comes together with the answer it
    waits for, and the mail libraries wait by it.
    """
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=CANCEL_AGAIN)
    with contextlib.suppress(asyncio.CancelledError):
        task.result()
