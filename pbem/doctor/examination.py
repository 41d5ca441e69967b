"""The table of checks: what is looked at, in which order, and what is no use without what."""

from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path

from sqlalchemy import Engine

from pbem import app, hosting
from pbem.config import Settings
from pbem.doctor import accounts, configuration, database, dns, machine, roundtrip, server
from pbem.doctor.finding import Area, Check, Finding, Findings, blocking, note, ok, wrong
from pbem.mail.addresses import ascii_domain, normal
from pbem.mail.imap.mailbox import Mailbox
from pbem.mail.listener.inbox import Listener
from pbem.mail.oauth import AccessTokens
from pbem.mail.outgoing.maildir import MaildirOutbox
from pbem.mail.outgoing.signing import Signer
from pbem.mail.outgoing.smtp import SmtpOutbox
from pbem.mail.outgoing.transport import Transport
from pbem.packaged import packaged
from pbem.reports.raster import Rasterizer
from pbem.storage import checkup
from pbem.storage.engine import open_engine

SLACK = 30.0
"""Seconds that a round trip may take besides waiting for letters."""


@dataclass
class Patient:
    """What is examined, and by which means. Raises ``BadInput`` for a configuration with which no server starts."""

    settings: Settings
    config: Path | None = None
    """The configuration file that was named."""
    recipient: str = ""
    """A person to whom a test letter goes; empty: nobody."""
    patience: float = 60.0
    """Seconds to wait for test letters."""
    clock: Callable[[], datetime] = hosting.now
    lookup: dns.Lookup = dns.system_lookup
    draw: machine.Draw | None = None
    """``None``: as the server draws."""
    access: AccessTokens | None = field(init=False, default=None)
    box: Mailbox | None = field(init=False, default=None)
    out: Transport = field(init=False)
    relay: SmtpOutbox | None = field(init=False, default=None)
    signer: Signer | None = field(init=False, default=None)
    engine: Engine = field(init=False)

    def __post_init__(self) -> None:
        settings, access = self.settings, app.tokens(self.settings, self.clock)
        logins = [settings.imap_in.login] if settings.imap_in.enabled else []
        logins += [settings.smtp_out.login] if settings.smtp_out.mode == "smtp" else []
        self.access = access if "xoauth2" in logins else None
        self.box = app.mailbox(settings, access) if settings.imap_in.enabled else None
        self.out = app.transport(settings, access)
        self.relay = app.relay(settings, access) if settings.smtp_out.mode == "smtp" else None
        self.signer = app.signer(settings)
        self.engine = open_engine(settings.database_url)

    @property
    def address(self) -> str:
        """Where players write to."""
        return normal(self.settings.mail.address)

    @property
    def domain(self) -> str:
        """Its right side."""
        return self.address.rpartition("@")[2]

    @property
    def database(self) -> Path | None:
        """The file of the database, if it is one and there."""
        file = checkup.file_of(self.settings.database_url)
        return file if file and file.exists() else None

    @property
    def has_database(self) -> bool:
        """Whether there is a database to look into."""
        return checkup.file_of(self.settings.database_url) is None or self.database is not None


def areas(patient: Patient, mail: bool = True) -> Iterator[Area]:
    """Everything to look at; without ``mail``, nothing that goes over the network."""
    settings, data = patient.settings, patient.settings.data
    yield Area(
        "Configuration",
        (
            Check("passwords", blocking(lambda: configuration.secrecy(patient.config))),
            Check("settings", blocking(lambda: configuration.sense(settings))),
            Check("rules", blocking(lambda: configuration.rules(hosting.RULESETS.values()))),
        ),
    )
    yield Area(
        "This machine",
        (
            Check("data folder", blocking(lambda: machine.folders(data))),
            Check("disk", blocking(lambda: machine.disk(data))),
            Check("key", blocking(lambda: machine.key(data))),
            Check("fonts", blocking(lambda: _fonts(patient)), limit=60),
            Check("certificate of [smtp_in]", blocking(lambda: server.certificate(settings.smtp_in, patient.clock()))),
        ),
    )
    yield Area("Database", _of_database(patient))
    yield Area(
        "Server",
        (
            Check("server", partial(server.running, settings.web)),
            Check("port of [web]", partial(server.page_port, settings.web)),
            Check("port of [smtp_in]", partial(server.listener_port, settings.smtp_in, settings.web)),
        ),
    )
    if mail:
        yield from _of_mail(patient)


def _of_database(patient: Patient) -> tuple[Check, ...]:
    engine, file = patient.engine, patient.database
    reach = Check("database", blocking(lambda: database.reach(engine)), limit=20)
    if not patient.has_database:
        return (reach, Check("time zones", blocking(lambda: machine.time_zones({}))))
    needs = ("database", "integrity")
    return (
        *([Check("integrity", blocking(lambda: database.soundness(file)), limit=300)] if file else []),
        Check("database", reach.look, reach.limit, ("integrity", "lock")),
        Check("migrations", blocking(lambda: database.migrations(engine, packaged("db"))), needs=needs),
        Check("clock", blocking(lambda: database.clock(engine, patient.clock())), needs=needs),
        Check("time zones", blocking(lambda: machine.time_zones(checkup.zones(engine))), needs=needs),
    )


def _of_mail(patient: Patient) -> Iterator[Area]:
    settings = patient.settings
    yield Area(
        "Mail",
        (
            Check("access token", partial(accounts.token, patient.access)),
            Check("mailbox", lambda: accounts.mailbox(patient.box, patient.clock()), 60, ("access token",)),
            Check("mail server", partial(_relay, patient), 60, ("access token",)),
            Check("round trip", partial(_travel, patient), patient.patience + SLACK, ("mailbox", "mail server")),
            *([Check("test letter", partial(_to_person, patient), 60, ("mail server",))] if patient.recipient else []),
        ),
    )
    yield Area(
        "Seen from outside",
        (
            Check("public pages", partial(server.public_pages, settings.web)),
            Check("DNS", lambda: dns.records(_domain(patient)), limit=60),
        ),
    )


def _domain(patient: Patient) -> dns.Domain:
    if patient.signer is None:
        return dns.Domain(patient.domain, patient.lookup)
    given = patient.settings.dkim
    signed = ascii_domain(given.domain) or patient.domain
    return dns.Domain(patient.domain, patient.lookup, given.selector, signed, patient.signer.sign)


def _fonts(patient: Patient) -> Findings:
    if patient.draw:
        return machine.fonts(patient.draw)
    with Rasterizer(processes=1) as rasterizer:
        return machine.fonts(lambda svg, width: rasterizer.draw(svg, width)[0])


def _trip(patient: Patient) -> roundtrip.Trip:
    return roundtrip.Trip(
        address=patient.address,
        id_domain=f"pbem.{patient.domain}",
        out=patient.out,
        clock=patient.clock,
        authserv_id=patient.settings.trust.authserv_id,
        hops=patient.settings.trust.hops,
        patience=patient.patience,
    )


async def _relay(patient: Patient) -> Findings:
    return await accounts.relay(patient.relay, patient.address, patient.clock())


async def _travel(patient: Patient) -> Findings:
    if patient.settings.smtp_out.mode == "maildir":
        return [note("round trip", "no test letter is sent, for mail goes into folders")]
    trip, watches = _trip(patient), dict[str, roundtrip.Watch]()
    ids = (trip.id_of("plain"), trip.id_of("tagged"))
    async with AsyncExitStack() as parts:
        parts.push_async_callback(patient.out.close)
        if patient.has_database:
            watches["letters of the server"] = roundtrip.database_watch(lambda: checkup.taken_in(patient.engine, ids))
        if patient.box:
            watches[f"folder {patient.box.folder}"] = await roundtrip.mailbox_watch(parts, patient.box, ids)
        given = patient.settings.smtp_in
        if given.enabled and given.port and await server.health(patient.settings.web) is None:
            listener = Listener(given.host, given.port, given.protocol, patient.domain, patient.settings.mail.largest)
            inbox, watches["listener"] = roundtrip.listener_watch(listener, patient.address, patient.clock)
            await parts.enter_async_context(inbox)
        return await roundtrip.travel(trip, watches, patient.box)


async def _to_person(patient: Patient) -> list[Finding]:
    subject, recipient = "test letter", patient.recipient
    if refused := await _trip(patient).send("person", recipient, roundtrip.TEXT_TO_PERSON):
        return [wrong(subject, f"the one to {recipient} was not taken: {refused}", "see the mail server's answer")]
    await patient.out.close()
    if isinstance(patient.out, MaildirOutbox):
        return [note(subject, f"the one to {recipient} lies in {patient.out.folder(recipient)}; no mail leaves it")]
    return [ok(subject, f"one is on its way to {recipient}: look whether it comes, and not as junk")]
