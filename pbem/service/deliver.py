"""Send what is in the outbox. A mail may go out twice after a crash, but always with the same Message-ID."""

import asyncio
import hashlib
import logging
from collections.abc import Sequence
from datetime import timedelta

from pbem.mail.status_codes import read_status, severity
from pbem.mail.transport import Deferred, OutgoingMail, Refused, Result, Sent, Transport
from pbem.service import bounces
from pbem.service.host import Host
from pbem.service.return_path import return_path
from pbem.storage.tables import Mail, number_of

log = logging.getLogger(__name__)

BATCH = 20
LEASE = timedelta(minutes=10)
"""So long a mail belongs to the worker that took it."""
FIRST_PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(hours=4)
JITTER = 0.25
"""By this part of it a pause may be longer: what was put off together does not come back together."""
GIVE_UP = timedelta(days=3)


async def flush(host: Host, transport: Transport) -> int:
    """Send everything that is due; how many mails went out."""
    sent = 0
    while batch := await asyncio.to_thread(_claim, host):
        for mail in batch:
            outcome = await _attempt(transport, OutgoingMail(return_path(host, mail), mail.recipient, mail.raw))
            sent += await asyncio.to_thread(_settle, host, mail, outcome)
    return sent


async def _attempt(transport: Transport, mail: OutgoingMail) -> Result:
    """Send a mail; one that breaks the transport must not keep the others waiting."""
    try:
        return await transport.send(mail)
    except Exception as error:
        log.exception("mail to %s not sent", mail.recipient)
        return Deferred(f"{type(error).__name__} while sending")


def _claim(host: Host) -> Sequence[Mail]:
    with host.unit() as unit:
        batch = unit.outbox.claim(host.clock(), LEASE, BATCH)
        unit.commit()
        return batch


def _settle(host: Host, claimed: Mail, outcome: Result) -> bool:
    """Write down what came of an attempt; whether the mail is sent."""
    now = host.clock()
    with host.unit() as unit:
        mail = unit.outbox.get(number_of(claimed))
        if (mail.status, mail.recipient, mail.attempts) != ("due", claimed.recipient, claimed.attempts):
            return False  # It came back before we were here: that is settled.
        match outcome:
            case Sent():
                mail.status, mail.sent_at, mail.note = "sent", now, ""
            case Deferred(reason) if now - mail.created_at < GIVE_UP:
                mail.next_at, mail.note = now + pause(number_of(mail), mail.attempts), reason
            case Deferred(reason):
                # For days it was put off: by a server, which speaks of the address, or because none could be reached.
                bounces.failed(host, unit, mail, bounces.Failure("hard", reason, bool(read_status(reason))))
            case Refused(reason, status):
                how = severity(status, reason) if status else "hard"
                bounces.failed(host, unit, mail, bounces.Failure(how, reason))
        unit.commit()
        return mail.status == "sent"


def pause(number: int, attempts: int) -> timedelta:
    """How long mail ``number`` waits after so many attempts: doubling, from a minute to four hours, and a bit more."""
    whole = min(FIRST_PAUSE * (1 << min(attempts - 1, 20)), LONGEST_PAUSE)
    chance = hashlib.sha256(f"{number} {attempts}".encode()).digest()[0] / 256
    return whole * (1 + JITTER * chance)
