"""The organizer's hand on single letters and mails: look how one was read, take it in again, set it aside."""

import logging
from dataclasses import dataclass

from sqlalchemy.exc import InterfaceError, OperationalError

from pbem.core.errors import BadInput, Flaw, PbemError
from pbem.core.orders import Fault
from pbem.mail.authentication import Proof
from pbem.mail.reading import safely
from pbem.mail.reading.card import CODEC, Card
from pbem.mail.reading.letter import Envelope
from pbem.mail.reading.letter import Letter as Written
from pbem.service.host import Host, game
from pbem.service.incoming.confirming import said
from pbem.service.incoming.filing import Desk
from pbem.service.incoming.intake import Arrived, process, proof_of
from pbem.service.organizer.organize import set_aside
from pbem.storage.tables import Letter, Mail
from pbem.storage.unit import Unit

log = logging.getLogger(__name__)

DONE = ("filed", "answered")
"""Letters that have had their effect: taken in again they would have it twice."""


@dataclass(frozen=True)
class Reading:
    """How a letter is read, now."""

    letter: Written
    card: Card
    faults: tuple[Fault, ...]
    """What the open stage would find wrong with it; nothing if it is known for no seat."""


def reading(host: Host, unit: Unit, row: Letter) -> Reading:
    """Read a stored letter again, with no effect."""
    letter, card = _read(host, row)
    campaign = unit.campaigns.get(row.campaign_id) if row.campaign_id and row.seat_id else None
    found = game(host, unit, campaign) if campaign else None
    if found is None or row.seat_id is None:
        return Reading(letter, card, ())
    desk = Desk(host, unit, found, unit.campaigns.seat(row.seat_id), row)
    words = said(desk, card).words
    sheet = desk.read(words.lines)
    check = found.rules.check(desk.view, sheet.orders)
    return Reading(letter, card, (*sheet.faults, *words.faults, *check.faults))


def _read(host: Host, row: Letter) -> safely.Reading:
    """Read a letter in this process: whoever asks for it sees whether that ends."""
    size = None if row.whole else row.size
    return safely.read(row.raw, Envelope(row.received_at, recipients=tuple(row.recipients), size=size), host.files)


def requeue(host: Host, number: int, who: str) -> Letter:
    """Take in a letter again as if it came now, but for the time of its receipt; the letter as it is after that.

    Raises ``BadInput`` for one that has been obeyed already or is not there as a whole, ``PbemError`` if the program
    stumbles over it; then nothing has changed.
    """
    proof = _proof(host, number)
    with host.unit() as unit:
        row = _letter(unit, number)
        if row.status in DONE:
            raise BadInput([Flaw(f"letter {number}", f"is {row.status} already: {row.note}; nothing was done")])
        if filed := unit.submissions.filed_by(number):
            said = f"was obeyed in part, receipt {filed[0].receipt}: {row.note}; nothing was done"
            raise BadInput([Flaw(f"letter {number}", said)])
        if not row.whole:
            had = f"only {len(row.raw):,} of its bytes could be had"
            raise BadInput([Flaw(f"letter {number}", f"{had}, which must not pass for all of it; ask for another one")])
        row.attempts += 1
        unit.submissions.withdraw(number)
        letter, card = _read(host, row)
        if not row.sender:  # No process got through it, then.
            row.sender, row.subject, row.message_id = letter.sender, letter.subject, letter.message_id
            row.recipients = list(letter.recipients)
        row.card, row.answers, row.text_hash = CODEC.encode(card), letter.answers, letter.text_hash
        arrived = Arrived(row.raw, row.route, letter, card, proof=proof)
        try:
            row.status, row.note = process(host, unit, row, arrived)
        except (OperationalError, InterfaceError):
            raise
        except Exception as error:
            log.exception("letter %d not processed", number)
            raise PbemError(f"letter {number}: the program stumbles over it; the lines above say where") from error
        if row.campaign_id is not None:  # Without one, its note alone says what was done.
            campaign = unit.campaigns.get(row.campaign_id)
            unit.campaigns.audit(campaign, host.clock(), who, f"requeued letter {number}")
        unit.commit()
        return row


def _proof(host: Host, number: int) -> Proof:
    """Of a letter's sender; it may take time to find out, so no transaction waits for it."""
    with host.unit() as unit:
        row = _letter(unit, number)
    return proof_of(host, row.raw, _read(host, row).letter)


def drop(host: Host, number: int, who: str) -> Letter:
    """Set a letter aside that was not obeyed; raises ``BadInput`` if it was, or is set aside already."""
    with host.unit() as unit:
        row = _letter(unit, number)
        if row.status not in ("asked", "held", "failed"):
            raise BadInput([Flaw(f"letter {number}", f"does not wait for anybody: it is {row.status}, {row.note}")])
        set_aside(host, unit, row, who)
        unit.commit()
        return row


def retry(host: Host, number: int) -> Mail:
    """Send a mail again that was given up, with its Message-ID; raises ``BadInput`` if it was not."""
    with host.unit() as unit:
        mail = unit.outbox.find(number)
        if mail is None:
            raise BadInput([Flaw(f"mail {number}", "there is no such mail")])
        if mail.status == "sent":
            raise BadInput([Flaw(f"mail {number}", "has been sent; a player gets a report again by RESEND")])
        if mail.withdrawn:
            raise BadInput([Flaw(f"mail {number}", f"was for {mail.recipient}, but {mail.note}; nothing was done")])
        unit.outbox.send_again(mail, host.clock())
        unit.commit()
        return mail


def _letter(unit: Unit, number: int) -> Letter:
    row = unit.letters.get(number)
    if row is None:
        raise BadInput([Flaw(f"letter {number}", "there is no such letter")])
    return row
