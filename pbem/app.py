"""The one place where the parts of a running server are chosen and joined: settings and a host to what serves."""

import asyncio
import contextlib
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from functools import partial

from pbem.config import Settings, SmtpIn
from pbem.core.errors import BadInput, Flaw
from pbem.hosting import build_host, clerks_host, now
from pbem.mail.addresses import ascii_domain, normal
from pbem.mail.imap.mailbox import Mailbox
from pbem.mail.listener.certificate import Certificate
from pbem.mail.listener.inbox import Listener
from pbem.mail.oauth import AccessTokens, TokenServer
from pbem.mail.outgoing.maildir import MaildirOutbox
from pbem.mail.outgoing.signing import Signer, SigningOutbox
from pbem.mail.outgoing.smtp import Relay, SmtpOutbox
from pbem.mail.outgoing.transport import Transport
from pbem.mail.reading.safely import Reader, read
from pbem.reports.raster import Rasterizer
from pbem.server import Server
from pbem.service.clerk import ProcessClerk
from pbem.service.host import Host


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


def listener(settings: Settings) -> Listener:
    """Where mail is taken, and under which terms; raises ``BadInput`` if its certificate cannot be used."""
    given = settings.smtp_in
    return Listener(
        host=given.host,
        port=given.port,
        protocol=given.protocol,
        name=normal(settings.mail.address).rpartition("@")[2],
        largest=settings.mail.largest,
        connections=given.connections,
        certificate=_certificate(given),
        user=given.user,
        password=given.password.get_secret_value(),
    )


def _certificate(given: SmtpIn) -> Certificate | None:
    """What the listener shows for TLS; raises ``BadInput`` if it cannot be used."""
    if not (given.tls_cert and given.tls_key):
        return None
    try:
        return Certificate(given.tls_cert, given.tls_key)
    except ValueError as error:
        raise BadInput([Flaw("smtp_in.tls_cert", str(error))]) from error


def build_server(settings: Settings, host: Host, out: Transport | None = None, reader: Reader | None = None) -> Server:
    """A server on a host."""
    reader = reader or Reader(reader=partial(read, files=host.files))
    host = replace(host, read=reader.read)
    access = tokens(settings, host.clock)  # There is one refresh token, and a new one makes the one before void.
    return Server(
        settings,
        host,
        out or transport(settings, access),
        reader,
        listener(settings) if settings.smtp_in.enabled else None,
        mailbox(settings, access) if settings.imap_in.enabled else None,
    )


@contextlib.contextmanager
def standing_server(settings: Settings) -> Iterator[Server]:
    """A server as an organizer runs it: what takes long is done by processes that end with the block."""
    with Rasterizer() as rasterizer, contextlib.closing(ProcessClerk(partial(clerks_host, settings))) as clerk:
        yield build_server(settings, replace(build_host(settings, rasterizer), clerk=clerk))


async def serve(server: Server, started: Callable[[], object]) -> None:
    """Serve until Ctrl-C or SIGTERM."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, stop.set)
    await server.run(stop, started)
