"""The one place where parts are chosen and joined: settings to a running server."""

import asyncio
import contextlib
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import uvicorn
from sqlalchemy.exc import InterfaceError, OperationalError

from pbem import log
from pbem.config import Settings, SmtpIn
from pbem.core.errors import BadInput, Flaw
from pbem.core.ruleset import Ruleset
from pbem.mail.addresses import ascii_domain, normal
from pbem.mail.authentication import Proof, Trust, prove, txt_record
from pbem.mail.imap.inbox import ImapInbox
from pbem.mail.imap.mailbox import Mailbox
from pbem.mail.inbox import TryLater, UnreadMail
from pbem.mail.listener.certificate import Certificate
from pbem.mail.listener.connection import refusal
from pbem.mail.listener.inbox import Listener, SmtpInbox
from pbem.mail.oauth import AccessTokens, TokenServer
from pbem.mail.outgoing.maildir import MaildirOutbox
from pbem.mail.outgoing.signing import Signer, SigningOutbox
from pbem.mail.outgoing.smtp import Relay, SmtpOutbox
from pbem.mail.outgoing.transport import Transport
from pbem.mail.reading.letter import Envelope
from pbem.mail.reading.safely import Reader
from pbem.packaged import packaged
from pbem.reports.raster import Rasterizer
from pbem.reports.render import Templates
from pbem.rulesets.nippon import NIPPON
from pbem.scheduler.worker import Worker, clockwork
from pbem.service.clerk import ProcessClerk
from pbem.service.host import Host, Limits, Rendition, no_proof
from pbem.service.incoming import intake, unread
from pbem.service.key import own_key
from pbem.service.stages import archiving, remind
from pbem.storage.engine import open_engine
from pbem.storage.migrate import migrate
from pbem.web.pages import Part, pages

RULESETS: Mapping[str, Ruleset] = {rules.name: rules for rules in (NIPPON,)}
"""The rule systems of this server."""

WIDTH, SMALL_WIDTH = 1000, 600
"""Pixels of a map for desks and for phones."""

CANCEL_AGAIN = 0.5
"""Seconds that a part may take to end before it is told again."""

HANDS = 3
"""Letters that are read at the same time. More would only keep the threads from the worker."""
WRITTEN = 2
"""Letters that the clerk has before him: one that he works on and the next. What else is to be written down, such as
what went out, need not wait for more of them."""

STALE = timedelta(minutes=5)
"""A worker that has not ended a look for so long is not well."""


def now() -> datetime:
    """The time."""
    return datetime.now(UTC)


def build_host(
    settings: Settings,
    rasterizer: Rasterizer,
    *,
    clock: Callable[[], datetime] = now,
    rulesets: Mapping[str, Ruleset] = RULESETS,
    templates: Templates | None = None,
) -> Host:
    """What the use cases work with. Makes the data folder and brings the database up to date.

    Raises ``BadInput`` if the folder cannot be made, or nothing be written into it.
    """
    _make_folder(settings.data)
    engine = open_engine(settings.database_url)
    migrate(engine, packaged("db"))
    return Host(
        engine=engine,
        rulesets=rulesets,
        templates=templates or Templates(),
        draw=partial(_draw, rasterizer),
        address=normal(settings.mail.address),
        name=settings.mail.name,
        postmaster=settings.mail.postmaster,
        limits=Limits(**settings.limits.model_dump()),
        largest=settings.mail.largest,
        key=own_key(settings.data / "key"),
        clock=clock,
        pages=_linked_pages(settings),
        catch_up=settings.schedule.catch_up,
        mailbox_grace=settings.schedule.mailbox_grace,
        reminders=settings.schedule.reminders,
        prove=_prover(settings),
        strict=settings.trust.strict,
    )


def _make_folder(data: Path) -> None:
    try:
        data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput([Flaw("data", f"the folder {data} cannot be made: {error.strerror}")]) from error
    if not os.access(data, os.W_OK | os.X_OK):
        raise BadInput([Flaw("data", f"nothing can be written into the folder {data}: it is another user's")])


def _linked_pages(settings: Settings) -> str:
    """The address of the pages in mails. Without a public one, only mail that stays on this machine can name them."""
    stays = settings.web.enabled and settings.smtp_out.mode == "maildir"
    return settings.web.url or (local_pages(settings) if stays else "")


def local_pages(settings: Settings) -> str:
    """The address of the pages on this machine."""
    return f"http://{settings.web.host}:{settings.web.port}"


def _prover(settings: Settings) -> Callable[[bytes, str], Proof]:
    """What proves senders: nothing, if the settings name nobody to believe."""
    given = settings.trust
    if not (given.authserv_id or given.dkim):
        return no_proof
    lookup = txt_record if given.dkim else None
    return partial(prove, trust=Trust(settings.mail.address, given.authserv_id, given.hops, lookup))


def _draw(rasterizer: Rasterizer, svg: str) -> Rendition:
    return Rendition(*rasterizer.draw(svg, WIDTH, SMALL_WIDTH))


def transport(settings: Settings, access: AccessTokens) -> Transport:
    """How mail goes out."""
    if settings.smtp_out.mode == "maildir":
        return MaildirOutbox(settings.data / "mail")
    outbox, signs = relay(settings, access), signer(settings)
    return SigningOutbox(outbox, signs) if signs else outbox


def relay(settings: Settings, access: AccessTokens) -> SmtpOutbox:
    """The mail server that takes our mail."""
    out = settings.smtp_out
    server = Relay(
        host=out.host,
        port=out.port,
        security=out.security,
        user=out.user,
        password=out.password.get_secret_value(),
        tokens=access if out.login == "xoauth2" else None,
        name=normal(settings.mail.address).rpartition("@")[2],
        per_minute=out.per_minute,
    )
    return SmtpOutbox(server)


def signer(settings: Settings) -> Signer | None:
    """What signs our mail; raises ``BadInput`` if it cannot."""
    given, own = settings.dkim, normal(settings.mail.address).rpartition("@")[2]
    if given.key is None:
        return None
    domain = ascii_domain(given.domain) or own
    if own != domain and not own.endswith(f".{domain}"):
        # Receivers count a signature only if it is by the domain in From.
        raise BadInput([Flaw("dkim.domain", f"{domain} does not sign for {settings.mail.address}; leave it empty")])
    try:
        return Signer(given.key, given.selector, domain)
    except ValueError as error:
        raise BadInput([Flaw("dkim.key", str(error))]) from error


def tokens(settings: Settings, clock: Callable[[], datetime] = now) -> AccessTokens:
    """Access tokens for mail servers that take no passwords; asks for none before one is needed."""
    given = settings.oauth
    secret, refresh = given.client_secret.get_secret_value(), given.refresh_token.get_secret_value()
    server = TokenServer(given.token_url, given.client_id, secret, refresh, given.scope)
    return AccessTokens(server, settings.data / "oauth.json", clock)


def mailbox(settings: Settings, access: AccessTokens) -> Mailbox:
    """The mailbox that orders are fetched from."""
    given = settings.imap_in
    return Mailbox(
        host=given.host,
        user=given.user,
        password=given.password.get_secret_value(),
        port=given.port,
        security=given.security,
        tokens=access if given.login == "xoauth2" else None,
        folder=given.folder,
        done_folder=given.done_folder,
        quarantine_folder=given.quarantine_folder,
        poll=given.poll.total_seconds(),
        recover=given.recover.total_seconds(),
        largest=settings.mail.largest,
    )


@contextlib.contextmanager
def _trying_later() -> Iterator[None]:
    """Tell the ways in when the database, or who writes into it, is not to be had."""
    try:
        yield
    except (OperationalError, InterfaceError) as error:
        raise TryLater(f"the database is busy or away: {error.orig}") from error
    except BrokenProcessPool as error:
        raise TryLater("the process that writes letters down died twice") from error


@dataclass(frozen=True)
class _Fetched:
    """Takes in what is fetched from a mailbox."""

    server: "Server"

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
        await self.host.clerk.do(unread.keep, self.host, mail, self.route)

    async def knows(self, name: str) -> bool:
        return await self.host.clerk.do(unread.knows, self.host, name)


@dataclass
class Server:
    """All parts of a server, joined."""

    settings: Settings
    host: Host
    transport: Transport
    """How mail goes out."""
    reader: Reader
    access: AccessTokens
    """Shared by the ways in and out: there is one refresh token, and a new one makes the one before void."""
    listener: SmtpInbox | None = field(init=False)
    """Takes mail; its port is known once it runs."""
    mailbox: ImapInbox | None = field(init=False)
    """Fetches mail."""
    worker: Worker = field(init=False)
    """Does what is due."""
    _hands: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(HANDS))
    _desk: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(WRITTEN))

    def __post_init__(self) -> None:
        self.listener = self._listener()
        self.mailbox = box = self._mailbox()
        archive = partial(archiving.write, self.host, self.settings.data)
        self.worker = Worker(self.host, self.transport, archive, looked=(lambda: box.last_look) if box else None)

    async def run(self, stop: asyncio.Event, started: Callable[[], object] = lambda: None) -> None:
        """Serve until ``stop`` is set, then stop cleanly: what has been accepted is stored, what is due stays due.

        Raises ``BadInput`` if a port is taken; nothing has been done then.
        """
        web = self.settings.web
        async with contextlib.AsyncExitStack() as parts:
            parts.push_async_callback(asyncio.to_thread, self.reader.close)
            # Nobody is to wait for the processes to begin once the ports are open.
            await asyncio.gather(self.host.clerk.start(), asyncio.to_thread(self.reader.start))
            if web.enabled:
                with _telling("web", web.host, web.port):
                    door = parts.enter_context(_door(web.host, web.port))
            if self.listener:
                with _telling("smtp_in", self.settings.smtp_in.host, self.settings.smtp_in.port):
                    await self.listener.start()
                parts.push_async_callback(self.listener.stop)
            await asyncio.to_thread(remind.catch_up, self.host)
            await parts.enter_async_context(_running(self.worker.run()))
            if self.mailbox:
                await parts.enter_async_context(_running(self.mailbox.run()))
            if web.enabled:
                await parts.enter_async_context(_running(self._pages().serve([door])))
            clock = clockwork(self.settings.schedule.tick, self.worker.wake)
            clock.start()
            parts.callback(clock.shutdown, wait=False)
            started()
            await stop.wait()
        await self.transport.close()

    async def take(self, route: str, raw: bytes, envelope: Envelope) -> None:
        """Read and store a letter: see :meth:`read` and :meth:`store`."""
        await self.store(await self.read(route, raw, envelope))

    async def read(self, route: str, raw: bytes, envelope: Envelope) -> intake.Arrived:
        """Read a letter. Raises ``TryLater`` if it cannot be seen now who vouches for its sender."""
        with _trying_later():
            async with self._hands:
                return await asyncio.to_thread(intake.arrive, self.host, raw, envelope, route)

    async def store(self, arrived: intake.Arrived) -> None:
        """Store a letter; when this returns it is safe, and the worker knows.

        Raises ``TryLater`` if the database is busy or away.
        """
        with _trying_later():
            async with self._desk:
                outcome = await self.host.clerk.do(intake.take_in, self.host, arrived)
        self.worker.wake_sending()
        if outcome in intake.MOVING:
            self.worker.wake()

    def _listener(self) -> SmtpInbox | None:
        given = self.settings.smtp_in
        if not given.enabled:
            return None
        listener = Listener(
            host=given.host,
            port=given.port,
            protocol=given.protocol,
            name=self.host.domain,
            largest=self.settings.mail.largest,
            connections=given.connections,
            certificate=_certificate(given),
            user=given.user,
            password=given.password.get_secret_value(),
        )
        not_ours = refusal(self.host.address, any_name=given.protocol == "lmtp")
        return SmtpInbox(listener, partial(self.take, given.protocol), self.host.clock, not_ours)

    def _mailbox(self) -> ImapInbox | None:
        if not self.settings.imap_in.enabled:
            return None
        box = mailbox(self.settings, self.access)
        return ImapInbox(box, _Fetched(self), self.host.clock, _Unread(self.host, "imap"))

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
        parts["mail out"] = self._mail_out()
        return parts

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


def _since(ago: float | None) -> str:
    """For how long something has not happened, if it ever did."""
    return " since the start" if ago is None else f" for {ago:.0f} s"


def _certificate(given: SmtpIn) -> Certificate | None:
    """What the listener shows for TLS; raises ``BadInput`` if it cannot be used."""
    if not (given.tls_cert and given.tls_key):
        return None
    try:
        return Certificate(given.tls_cert, given.tls_key)
    except ValueError as error:
        raise BadInput([Flaw("smtp_in.tls_cert", str(error))]) from error


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
async def _running(part: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """A part that runs until the block ends."""
    task = asyncio.create_task(part)
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


def build_server(settings: Settings, host: Host, out: Transport | None = None, reader: Reader | None = None) -> Server:
    """A server on a host."""
    reader = reader or Reader()
    host = replace(host, read=reader.read)
    access = tokens(settings, host.clock)
    return Server(settings, host, out or transport(settings, access), reader, access)


@contextlib.contextmanager
def standing_server(settings: Settings) -> Iterator[Server]:
    """A server as an organizer runs it: what takes long is done by processes that end with the block."""
    with Rasterizer() as rasterizer, contextlib.closing(ProcessClerk(partial(_clerks_host, settings))) as clerk:
        yield build_server(settings, replace(build_host(settings, rasterizer), clerk=clerk))


def _clerks_host(settings: Settings) -> Host:
    """In the process of a clerk, who draws nothing."""
    log.configure()
    return build_host(settings, Rasterizer())


async def serve(server: Server, started: Callable[[], object]) -> None:
    """Serve until Ctrl-C or SIGTERM."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, stop.set)
    await server.run(stop, started)
