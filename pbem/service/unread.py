"""Mails that lie in a mailbox and cannot be taken in: written down for the organizer to see in ``pbem letters``."""

import hashlib

from pbem.mail.inbox import UnreadMail
from pbem.service.host import Host
from pbem.storage.tables import Letter


def keep(host: Host, mail: UnreadMail, route: str) -> None:
    """Write a mail down as ``failed``, once, with what could be had of it. Raises if nothing can be stored."""
    letter, now = host.read(mail.raw, mail.envelope).letter, host.clock()
    with host.unit() as unit:
        if unit.letters.known(_hash(mail.name)):
            return
        unit.letters.add(
            Letter(
                content_hash=_hash(mail.name),
                received_at=min(mail.envelope.arrived or now, now),
                stored_at=now,
                route=route,
                recipients=list(letter.recipients),
                sender=letter.sender,
                subject=letter.subject,
                message_id=letter.message_id,
                raw=mail.raw,
                size=mail.envelope.size or 0,
                status="failed",
                note=f"could not be taken out of the mailbox ({mail.name}): {mail.reason}",
            )
        )
        unit.commit()


def knows(host: Host, name: str) -> bool:
    """Whether a mail of that name was written down."""
    with host.unit() as unit:
        return unit.letters.known(_hash(name)) is not None


def _hash(name: str) -> str:
    """In place of that of its content, which nobody has seen."""
    return hashlib.sha256(f"unread: {name}".encode()).hexdigest()
