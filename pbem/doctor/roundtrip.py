"""Does a letter that we send to ourselves arrive, and does one with a token in its address?

The letters carry Message-IDs of ours: whoever takes them in knows them for our own mail and answers nothing.
"""

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from pbem.doctor.finding import Finding, note, ok, warning, wrong
from pbem.mail.addresses import Address
from pbem.mail.authentication import Results, results_of
from pbem.mail.imap.connection import Connection
from pbem.mail.imap.mailbox import Mailbox
from pbem.mail.imap.wire import MailboxError
from pbem.mail.inbox import TryLater
from pbem.mail.listener.connection import refusal
from pbem.mail.listener.inbox import Listener, SmtpInbox
from pbem.mail.mime import read_part
from pbem.mail.outgoing.compose import Draft, compose
from pbem.mail.outgoing.transport import OutgoingMail, Sent, Transport
from pbem.mail.reading.letter import Envelope

TOLERANCE = timedelta(minutes=1)
"""Clocks may differ so much."""
PAUSE = 0.5
"""Seconds between two looks."""

TEXT = """This is a test letter that the server sent to its own address.
It answers nothing, and nothing has to be done about it.
"""
TEXT_TO_PERSON = """Hello. The organizer of campaigns that are played by e-mail sends you this letter, to
see whether mail of the campaign server reaches you.

If you find it among junk, please mark it as none and tell the organizer.
There is nothing else to do: nobody reads what you answer.
"""
JUNK = ("Junk", "Spam", "INBOX.Junk", "INBOX.Spam", "Junk E-mail", "[Gmail]/Spam", "Bulk Mail")
"""Folders into which providers put what they take for junk."""
TAG_CURE = (
    "switch on plus addressing (subaddressing) for the mailbox, or use a catch-all address; until then players must "
    "keep the line === ... === of their cards, which holds the token as well"
)


@dataclass(frozen=True)
class Arrived:
    """A letter that came back."""

    raw: bytes
    stamped: datetime | None = None
    """When, by the clock of the mail server; ``None`` if it did not say."""


Watch = Callable[[], Awaitable[Mapping[str, Arrived]]]
"""Letters that have come in by one way, by Message-ID."""


@dataclass(frozen=True)
class Trip:
    """From where to where test letters travel."""

    address: str
    """Ours."""
    id_domain: str
    """The right side of our Message-IDs."""
    out: Transport
    clock: Callable[[], datetime]
    authserv_id: str = ""
    """As which our mail server's results are believed; empty: none are."""
    hops: int = 1
    """How many servers may have written their ``Received`` above them."""
    patience: float = 60.0
    """Seconds to wait for them."""
    nonce: str = field(default_factory=lambda: secrets.token_hex(4))

    def id_of(self, kind: str) -> str:
        """The Message-ID of a test letter."""
        return f"<doctor.{kind}.{self.nonce}@{self.id_domain}>"

    @property
    def tagged(self) -> str:
        """Our address with a tag behind the plus sign, where a token would be."""
        local, _, domain = self.address.rpartition("@")
        return f"{local}+doctor{self.nonce}@{domain}"

    async def send(self, kind: str, recipient: str, text: str = TEXT) -> str:
        """Send one; what went wrong, or nothing."""
        draft = Draft(
            sender=Address(self.address, "Campaign server"),
            recipient=Address(recipient),
            subject="Test letter of the campaign server",
            text=text,
            message_id=self.id_of(kind),
            date=self.clock(),
            automatic="auto-generated",
        )
        result = await self.out.send(OutgoingMail(self.address, recipient, compose(draft)))
        return "" if isinstance(result, Sent) else result.reason


async def travel(trip: Trip, watches: Mapping[str, Watch], box: Mailbox | None = None) -> list[Finding]:
    """Send a plain and a tagged letter, and wait for them.

    ``watches``: places where they may come in, by name; ``box``: a mailbox whose junk is looked through in the end.
    """
    subject, began = "round trip", trip.clock()
    if not watches:
        return [note(subject, "there is no mailbox and no listener where a test letter could come in")]
    if refused := await trip.send("plain", trip.address):
        return [wrong(subject, f"the test letter was not taken: {refused}", "mend the way out first: see above")]
    refused = await trip.send("tagged", trip.tagged)
    wanted = [trip.id_of("plain"), *([] if refused else [trip.id_of("tagged")])]
    arrived = await _wait(watches, wanted, trip.patience)
    if box and not arrived and (folder := await _junk_folder(box, wanted[0])):
        said = f"the test letter was taken for junk: it lies in the folder {folder} of {box.user}"
        cure = (
            f"tell the provider, by a filter or an address book, that mail to {trip.address} is no junk; then see DNS"
        )
        return [wrong(subject, said, cure)]
    found = _judge(trip, ", ".join(watches), arrived, refused)
    newest = next(iter(arrived.values()), None)
    return [*found, *(_clock(began, trip.clock(), newest) + _results(trip, newest) if newest else [])]


async def _wait(watches: Mapping[str, Watch], wanted: list[str], seconds: float) -> dict[str, Arrived]:
    """What has come in of what is wanted, once it is all there or so many seconds have passed."""
    arrived: dict[str, Arrived] = {}
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while True:
        for watch in watches.values():
            arrived |= {key: letter for key, letter in (await watch()).items() if key in wanted}
        if len(arrived) == len(wanted) or loop.time() >= end:
            return arrived
        await asyncio.sleep(PAUSE)


def _judge(trip: Trip, where: str, arrived: Mapping[str, Arrived], refused: str) -> list[Finding]:
    subject, tags = "round trip", "tagged addresses"
    if not arrived:
        said = f"the test letter was taken, but did not come in within {trip.patience:g} seconds ({where})"
        cure = f"look into the junk folder, and whether mail to {trip.address} goes to this server at all"
        return [wrong(subject, said, cure)]
    if trip.id_of("plain") not in arrived:
        return [warning(subject, f"only the letter to {trip.tagged} came in", f"see where mail to {trip.address} goes")]
    found = [ok(subject, f"a letter to {trip.address} came in ({where})")]
    if refused:
        return [*found, wrong(tags, f"a letter to {trip.tagged} was refused: {refused}", TAG_CURE)]
    if trip.id_of("tagged") not in arrived:
        return [*found, wrong(tags, f"a letter to {trip.tagged} did not come in, one without a tag did", TAG_CURE)]
    return [*found, ok(tags, f"a letter to {trip.tagged} came in, too")]


def _clock(began: datetime, now: datetime, letter: Arrived) -> list[Finding]:
    """Whether our clock goes with that of the mail server."""
    stamped = letter.stamped or _received(letter.raw)
    if stamped is None:
        return []
    ahead = max(stamped - now, began - stamped, timedelta())
    if ahead > TOLERANCE:
        said = f"it is {ahead.total_seconds():.0f} seconds apart from that of the mail server"
        return [wrong("clock", said, "set the clock and keep it right with NTP (timedatectl set-ntp true)")]
    return [ok("clock", "it goes with that of the mail server")]


def _received(raw: bytes) -> datetime | None:
    """When the last server on the way says that it got a mail."""
    try:
        date = parsedate_to_datetime(read_part(raw).first("received").rpartition(";")[2].strip()[:100])
        return date.replace(tzinfo=date.tzinfo or UTC)
    except Exception:  # Which exceptions a malformed date raises changes from one Python version to the next.
        return None


def _results(trip: Trip, letter: Arrived) -> list[Finding]:
    """What the mail server has found out about the sender, and under which name."""
    subject, mail = "sender's proof", read_part(letter.raw)
    results = (results_of(mail, trip.authserv_id) if trip.authserv_id else None) or results_of(mail)
    if results is None:
        if trip.authserv_id:
            said = f"the mail server wrote no results, though [trust] expects those of {trip.authserv_id}"
            return [warning(subject, said, "see that your mail server checks SPF, DKIM and DMARC for this mailbox")]
        return [note(subject, "the mail server writes no Authentication-Results: tokens alone prove a sender")]
    name, hops = results.authserv_id, results.hops
    if not trip.authserv_id:
        said = f"the mail server signs its results as {name}"
        cure = f'if it takes such headers off mail from outside, set authserv_id = "{name}", hops = {hops} in [trust]'
        return [note(subject, said, cure)]
    if name.lower() != trip.authserv_id.lower():
        said = f"the mail server signs its results as {name}, but [trust] expects {trip.authserv_id}"
        return [warning(subject, said, f'set authserv_id = "{name}" in [trust]')]
    if hops > trip.hops:
        said = f"{hops} servers write above the results of {name}, but [trust] allows {trip.hops}: none is believed"
        return [warning(subject, said, f"set hops = {hops} in [trust]")]
    return [_judge_results(subject, results)]


def _judge_results(subject: str, results: Results) -> Finding:
    """What is said of our own letter in the results that are believed."""
    if not results.entries:
        said = f"the results of {results.authserv_id} name no check, or cannot be read: nothing is believed"
        return warning(subject, said, "see that your mail server checks SPF, DKIM and DMARC for this mailbox")
    checks = [(each.method, each.result) for each in results.entries if each.method in ("spf", "dkim", "dmarc")]
    bad = [f"{method}={result}" for method, result in checks if result not in ("pass", "none")]
    if bad:
        said = f"to the mail server our own letter is not proven: {', '.join(bad)}"
        return warning(subject, said, "mend SPF and DKIM of the domain: see DNS")
    return ok(subject, f"the mail server signs its results as {results.authserv_id}, as [trust] expects")


# --- where they come in ---------------------------------------------------------------------------------------------


async def mailbox_watch(parts: AsyncExitStack, box: Mailbox, ids: tuple[str, ...]) -> Watch:
    """Watch a mailbox; what is found there is put away, as by the server."""
    connection = await parts.enter_async_context(Connection(box))

    async def watch() -> Mapping[str, Arrived]:
        found = {}
        for message_id in ids:
            if not (uids := await connection.find(message_id)):
                continue
            listed = await connection.about(uids)
            texts = await connection.fetch(listed)
            for mail in listed:
                if mail.uid in texts:
                    found[message_id] = Arrived(texts[mail.uid], mail.arrived)
            await connection.put_away(texts)
        return found

    return watch


async def _junk_folder(box: Mailbox, message_id: str) -> str:
    """The folder for junk in which a letter lies; nothing if it lies in none."""
    for folder in JUNK:
        with contextlib.suppress(MailboxError):
            async with Connection(replace(box, folder=folder, done_folder="")) as connection:
                if await connection.find(message_id):
                    return folder
    return ""


def listener_watch(listener: Listener, address: str, clock: Callable[[], datetime]) -> tuple[SmtpInbox, Watch]:
    """A listener of our own, and what it gets. Whatever is no test letter is to be offered again: to the server."""
    got: dict[str, Arrived] = {}

    async def accept(raw: bytes, envelope: Envelope) -> None:
        message_id = read_part(raw).first("message-id").strip()
        if not message_id.startswith("<doctor."):
            raise TryLater("the server does not run; only a test letter is awaited")
        got[message_id] = Arrived(raw)

    async def watch() -> Mapping[str, Arrived]:
        return got

    return SmtpInbox(listener, accept, clock, refusal(address)), watch


def database_watch(taken_in: Callable[[], Mapping[str, bytes]]) -> Watch:
    """Watch what a running server takes in."""

    async def watch() -> Mapping[str, Arrived]:
        return {message_id: Arrived(raw) for message_id, raw in (await asyncio.to_thread(taken_in)).items()}

    return watch
