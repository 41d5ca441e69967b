"""Send what is in the outbox. A mail may go out twice after a crash, but always with the same Message-ID."""

import logging
from collections.abc import Sequence
from datetime import timedelta

from pbem.mail.transport import Deferred, OutgoingMail, Refused, Result, Sent, Transport
from pbem.service.host import Host
from pbem.storage.tables import Mail, number_of

log = logging.getLogger(__name__)

BATCH = 20
LEASE = timedelta(minutes=10)
"""So long a mail belongs to the worker that took it."""
FIRST_PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(hours=4)
GIVE_UP = timedelta(days=3)


async def flush(host: Host, transport: Transport) -> int:
    """Send everything that is due; how many mails went out."""
    sent = 0
    while batch := _claim(host):
        for mail in batch:
            outcome = await _attempt(transport, OutgoingMail(host.address, mail.recipient, mail.raw))
            sent += _settle(host, number_of(mail), outcome)
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


def _settle(host: Host, mail_id: int, outcome: Result) -> bool:
    """Write down what came of an attempt; whether the mail is sent."""
    now = host.clock()
    with host.unit() as unit:
        mail = unit.outbox.get(mail_id)
        match outcome:
            case Sent():
                mail.status, mail.sent_at, mail.note = "sent", now, ""
            case Deferred(reason) if now - mail.created_at < GIVE_UP:
                mail.next_at, mail.note = now + pause(mail.attempts), reason
            case Deferred(reason) | Refused(reason):
                mail.status, mail.note = "failed", reason
                log.warning("mail %s to %s given up: %s", mail_id, mail.recipient, reason)
        unit.commit()
        return mail.status == "sent"


def pause(attempts: int) -> timedelta:
    """How long to wait after so many attempts: doubling, from a minute to four hours."""
    return min(FIRST_PAUSE * (1 << min(attempts - 1, 20)), LONGEST_PAUSE)
