"""Mails that lie in a mailbox and cannot be taken in: written down for the organizer to see in ``pbem letters``."""

import hashlib

from pbem.mail.inbox import UnreadMail
from pbem.mail.reading.safely import Reading
from pbem.service.host import Host
from pbem.service.incoming.intake import as_read, received
from pbem.storage.tables import Letter


def keep(host: Host, mail: UnreadMail, read: Reading, route: str) -> None:
    """Write a mail down as ``failed``, once, with what could be had and read of it. Raises if nothing can be stored."""
    letter, card = read
    now = host.clock()
    with host.unit() as unit:
        if unit.letters.known(_hash(mail.name)):
            return
        unit.letters.add(
            Letter(
                content_hash=_hash(mail.name),
                received_at=received(mail.envelope.arrived, now),
                stored_at=now,
                route=route,
                raw=mail.raw,
                size=letter.size,
                whole=letter.whole,
                status="failed",
                note=f"could not be taken out of the mailbox ({mail.name}): {mail.reason}",
                # It may be taken in after all, and must not be known then.
                **{**as_read(letter, card), "text_hash": ""},
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
