"""Send what is in the outbox. A mail may go out twice after a crash, but always with the same Message-ID."""

import asyncio
import hashlib
import logging
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from pbem.mail.outgoing.transport import Deferred, OutgoingMail, Refused, Result, Sent, Transport, Unavailable
from pbem.mail.status_codes import of_recipient, read_status, severity
from pbem.service.host import Host
from pbem.service.outgoing import bounces
from pbem.service.outgoing.return_path import return_path
from pbem.storage.outbox import Claim, claim_of
from pbem.storage.tables import number_of

log = logging.getLogger(__name__)

BATCH = 20
LEASE = timedelta(minutes=10)
"""So long a mail belongs to the worker that took it."""
LATEST_BEGIN = LEASE / 3
"""After this part of the lease no mail is begun: a single one may take minutes, and must end before another worker
takes it."""
FIRST_PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(hours=4)
JITTER = 0.25
"""By this part of it a pause may be longer: what was put off together does not come back together."""
GIVE_UP = timedelta(days=3)
LASTING = timedelta(minutes=30)
"""When no mail has gone out for so long, people are told."""


@dataclass(frozen=True)
class Flushed:
    """What came of sending what is due."""

    sent: int
    """Mails that went out."""
    trouble: str = ""
    """Why no mail goes out now, and the others still wait."""


async def flush(host: Host, transport: Transport) -> Flushed:
    """Send everything that is due, unless the relay is away."""
    sent, trouble = 0, ""
    while not trouble and (claims := await host.clerk.do(_claim, host)):
        flushed = await _send(host, transport, claims)
        sent, trouble = sent + flushed.sent, flushed.trouble
    return Flushed(sent, trouble)


async def _send(host: Host, transport: Transport, claims: Sequence[Claim]) -> Flushed:
    """Send these mails, and write down what came of it. Those for which it gets too late, or which the relay is not
    there to take, are given back; so are those that were not begun when the server stops."""
    waiting, begun, sent, trouble = deque(claims), host.clock(), 0, ""
    try:
        while waiting and not trouble and host.clock() - begun <= LATEST_BEGIN:
            claim = waiting.popleft()
            mail = await asyncio.to_thread(_outgoing, host, claim)
            match await _attempt(transport, mail) if mail else None:
                case Sent():
                    sent += await host.clerk.do(_note_sent, host, claim)
                case Unavailable(trouble):
                    waiting.appendleft(claim)
                case (Deferred() | Refused()) as outcome:
                    await host.clerk.do(_settle, host, claim, outcome)
    finally:
        if waiting:
            await asyncio.shield(host.clerk.do(_give_back, host, tuple(waiting), trouble))
    return Flushed(sent, trouble)


async def _attempt(transport: Transport, mail: OutgoingMail) -> Result:
    """Send a mail; one that breaks the transport must not keep the others waiting."""
    try:
        return await transport.send(mail)
    except Exception as error:
        log.exception("mail to %s not sent", mail.recipient)
        return Deferred(f"{type(error).__name__} while sending")


def _claim(host: Host) -> Sequence[Claim]:
    with host.unit() as unit:
        claims = [claim_of(mail) for mail in unit.outbox.claim(host.clock(), LEASE, BATCH)]
        unit.commit()
        return claims


def _outgoing(host: Host, claim: Claim) -> OutgoingMail | None:
    """The mail, unless it has been settled or redirected since it was claimed."""
    with host.reading() as unit:
        mail = unit.outbox.find(claim.number)
        if mail is None or mail.status != "due" or claim_of(mail) != claim:
            return None
        return OutgoingMail(return_path(host, mail), mail.recipient, mail.raw)


def _give_back(host: Host, claims: Sequence[Claim], trouble: str = "") -> None:
    """These were not tried: they are due as if they had not been claimed. Where no mail has gone out for days, what is
    as old as that is given up."""
    now = host.clock()
    with host.unit() as unit:
        for mail in unit.outbox.still(claims):
            if trouble and now - mail.created_at >= GIVE_UP:
                bounces.failed(host, unit, mail, bounces.Failure("hard", trouble, about_address=False))
            else:
                mail.next_at, mail.attempts, mail.note = now, mail.attempts - 1, trouble or mail.note
        unit.commit()


def _note_sent(host: Host, claim: Claim) -> bool:
    """Write down that a mail went out; whether that was news."""
    with host.unit() as unit:
        noted = unit.outbox.note_sent(claim, host.clock())
        unit.commit()
    return noted


def _settle(host: Host, claim: Claim, outcome: Deferred | Refused) -> None:
    """Write down why a mail did not go out, and what follows."""
    now = host.clock()
    with host.unit() as unit:
        mail = next(iter(unit.outbox.still([claim])), None)
        if mail is None:
            return
        match outcome:
            case Deferred(reason) if now - mail.created_at < GIVE_UP:
                mail.next_at, mail.note = now + pause(number_of(mail), mail.attempts), reason
            case Deferred(reason, ours):
                # For days it was put off: by a server, which speaks of the address, or because none could be reached.
                of_address = not ours and bool(read_status(reason))
                bounces.failed(host, unit, mail, bounces.Failure("hard", reason, of_address))
            case Refused(reason, status):
                how = severity(status, reason) if status else "hard"
                bounces.failed(host, unit, mail, bounces.Failure(how, reason, of_recipient(status, reason)))
        unit.commit()


def pause(number: int, attempts: int) -> timedelta:
    """How long mail ``number`` waits after so many attempts: doubling, from a minute to four hours, and a bit more."""
    whole = min(FIRST_PAUSE * (1 << min(attempts - 1, 20)), LONGEST_PAUSE)
    chance = hashlib.sha256(f"{number} {attempts}".encode()).digest()[0] / 256
    return whole * (1 + JITTER * chance)
