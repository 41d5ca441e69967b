"""Put a mail into the outbox, in the same transaction as what it tells."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pbem.core.report import Report
from pbem.mail.addresses import Address, untagged
from pbem.mail.outgoing.compose import Attachment, Draft, compose, readdress
from pbem.mail.reading.card import frame_line
from pbem.reports.archive import name_of
from pbem.reports.letters import Deadline, Letter, Letterhead, Link, Plain
from pbem.reports.render import Rendered
from pbem.service.host import Host
from pbem.service.limits import HOUR, allowance, may_be_forged
from pbem.service.tokens import organizer_token, reader_token, seat_token
from pbem.storage.tables import Campaign, Mail, Seat, Stage
from pbem.storage.tables import Letter as LetterRow
from pbem.storage.unit import Unit

UNSUBSCRIBE = "unsubscribe"
"""The subject of what a mail program sends for the button that our ``List-Unsubscribe`` makes it show."""


@dataclass(frozen=True)
class Envelope:
    """Where a mail goes and what it belongs to."""

    recipient: str
    cause: str
    """One mail to a recipient for one cause: a second one is an error of the database."""
    campaign: Campaign | None = None
    reply_to: str = ""
    realm: str = ""
    """The seat whose player it is for, by name."""
    tenure: int = 0
    """Of the seat, if the mail may go to any address of the player."""
    answers: LetterRow | None = None
    """The letter that it answers."""
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    attachments: Sequence[Attachment] = ()


def post(host: Host, unit: Unit, rendered: Rendered, envelope: Envelope) -> str:
    """Write a mail into the outbox; its Message-ID, which is fixed here, whatever happens to it later."""
    message_id, now, campaign = _message_id(host, envelope), host.clock(), envelope.campaign
    unit.outbox.add(
        Mail(
            campaign_id=campaign.id if campaign else None,
            recipient=envelope.recipient,
            cause=envelope.cause,
            message_id=message_id,
            subject=rendered.subject,
            raw=_composed(host, rendered, envelope, message_id),
            realm=envelope.realm,
            tenure=envelope.tenure,
            is_answer=envelope.answers is not None,
            mailbox=untagged(envelope.recipient),
            unproven=envelope.answers is not None and may_be_forged(envelope.answers),
            next_at=now,
            created_at=now,
        )
    )
    return message_id


def _composed(host: Host, rendered: Rendered, envelope: Envelope, message_id: str) -> bytes:
    campaign = envelope.campaign
    answered = envelope.answers.message_id if envelope.answers else ""
    draft = Draft(
        sender=Address(host.address, campaign.title if campaign else host.name),
        recipient=Address(envelope.recipient),
        reply_to=envelope.reply_to,
        subject=rendered.subject,
        text=rendered.text,
        html=rendered.html or "",
        pictures=dict(envelope.pictures),
        message_id=message_id,
        in_reply_to=answered or (campaign.thread if campaign else ""),
        references=tuple(each for each in (campaign.thread if campaign else "", answered) if each),
        list_id=f"{campaign.title} <{campaign.name}.{host.domain}>" if campaign else "",
        extra={"List-Unsubscribe": f"<mailto:{envelope.reply_to}?subject={UNSUBSCRIBE}>"}
        if envelope.realm and envelope.reply_to
        else {},
        date=host.clock(),
        automatic="auto-replied" if envelope.answers else "auto-generated",
        attachments=tuple(envelope.attachments),
    )
    return compose(draft)


def tell(
    host: Host,
    unit: Unit,
    campaign: Campaign | None,
    recipient: str,
    letter: Letter | Plain,
    cause: str,
    answers: LetterRow | None = None,
) -> str:
    """Word a letter and put it into the outbox; its Message-ID. For ``cause`` and ``answers`` see `Envelope`.

    An answer to somebody who has got as many as one gets in an hour is not written; the letter that it would answer is
    marked, and the last one before says so.
    """
    head = letter.head if isinstance(letter, Letter) else None
    cause = f"{campaign.name} {cause}" if campaign else cause
    allowed = allowance(host, unit, recipient, answers) if answers else None
    envelope = Envelope(recipient, cause, campaign, answers=answers)
    if head:
        envelope = replace(envelope, reply_to=head.reply_to, realm=head.realm, tenure=head.tenure)
    if allowed and answers and allowed.spent:
        answers.unanswered = True
        return _message_id(host, envelope)
    return post(host, unit, host.templates.mail(letter, allowed.last if allowed else None), envelope)


def may_answer(host: Host, unit: Unit, recipient: str, answers: LetterRow | None) -> bool:
    """Whether a mail to somebody may be sent because a letter asks for it; if not, the letter is marked."""
    if answers is None or not allowance(host, unit, recipient, answers).spent:
        return True
    answers.unanswered = True
    return False


def sent_before(host: Host, unit: Unit, campaign: Campaign, recipient: str, cause: str) -> Mail | None:
    """The mail about a campaign that a cause sent to somebody, also if it was redirected since."""
    message_id = _message_id(host, Envelope(recipient, cause, campaign))
    return unit.outbox.caused_by(recipient, cause) or unit.outbox.with_message_id(message_id)


def send_again(
    host: Host, unit: Unit, mail: Mail, rendered: Rendered, envelope: Envelope, answers: LetterRow | None
) -> None:
    """Send a mail once more, as it reads now, to an address of its recipient; because a letter asks for it, that is an
    answer like others."""
    recipient = envelope.recipient
    if not may_answer(host, unit, recipient, answers):
        return
    just_now = mail.is_answer and host.clock() - mail.created_at < HOUR
    mail.repeats = mail.repeats + 1 if just_now else 0
    mail.is_answer = answers is not None
    mail.raw = _composed(host, rendered, replace(envelope, recipient=mail.recipient), mail.message_id)
    if mail.recipient == recipient or not redirect(host, unit, mail, recipient):
        unit.outbox.send_again(mail, host.clock())


def redirect(host: Host, unit: Unit, mail: Mail, recipient: str) -> bool:
    """Send a mail to another address of its recipient; whether that was to be done: one mail for one cause goes there.

    It stays the same mail, with its Message-ID: a YES to it, and a RESEND of it, find what they are about.
    """
    if unit.outbox.caused_by(recipient, mail.cause):
        return False
    mail.recipient, mail.mailbox = recipient, untagged(recipient)
    mail.raw, mail.bounces = readdress(mail.raw, Address(recipient)), 0
    unit.outbox.send_again(mail, host.clock())
    return True


def _message_id(host: Host, envelope: Envelope) -> str:
    """The same cause and recipient always make the same Message-ID."""
    campaign = envelope.campaign.thread if envelope.campaign else ""
    digest = hashlib.sha256(f"{campaign}\n{envelope.recipient}\n{envelope.cause}".encode() + host.key).hexdigest()
    return f"<{digest[:32]}@{host.id_domain}>"


def seat_head(
    host: Host, campaign: Campaign, seat: Seat, stage: Stage | None, picture: str | None = None
) -> Letterhead:
    """The letterhead of a mail to a player. ``stage`` is the open one."""
    token = seat_token(host.key, campaign.name, seat.code, seat.tenure, stage.number) if stage else ""
    return Letterhead(
        campaign=campaign.name,
        title=campaign.title,
        now=host.clock(),
        realm=seat.name,
        tenure=seat.tenure,
        person=seat.player,
        zone=seat.zone,
        reply_to=host.reply_address(token) if token else "",
        deadlines=deadlines(campaign, stage),
        frame=frame_line(campaign.name, stage.turn, token) if stage else "",
        links=links(host, campaign),
        organizer=campaign.organizer,
        picture=picture,
    )


def asking_head(host: Host, campaign: Campaign, seat: Seat, stage: Stage, address: str, receipt: str) -> Letterhead:
    """The letterhead of a mail that asks a player whether something came from him; it must go to this address only.
    What answers it comes from somebody who reads there, and is about what has this receipt."""
    token = reader_token(host.key, campaign.name, seat.code, seat.tenure, stage.number, address.lower(), receipt)
    return replace(seat_head(host, campaign, seat, stage), reply_to=host.reply_address(token), tenure=0)


def organizer_head(host: Host, campaign: Campaign, stage: Stage | None) -> Letterhead:
    """The letterhead of a mail to the organizer."""
    return Letterhead(
        campaign=campaign.name,
        title=campaign.title,
        now=host.clock(),
        zone=campaign.zone,
        reply_to=host.reply_address(organizer_token(host.key, campaign.name)),
        deadlines=deadlines(campaign, stage),
        links=links(host, campaign),
    )


def plain_head(host: Host, campaign: Campaign, token: str) -> Letterhead:
    """The letterhead of a mail to somebody who plays no part: it tells nothing but the campaign's name."""
    return Letterhead(
        campaign=campaign.name,
        title=campaign.title,
        now=host.clock(),
        zone=campaign.zone,
        reply_to=host.reply_address(token),
    )


def everybody(host: Host, unit: Unit, campaign: Campaign, stage: Stage | None) -> Iterator[tuple[Letterhead, str]]:
    """All who are to hear of something, the players and the organizer: letterhead and address."""
    for seat in unit.campaigns.seats(campaign):
        yield seat_head(host, campaign, seat, stage), unit.campaigns.address(seat)
    yield organizer_head(host, campaign, stage), campaign.organizer


def deadlines(campaign: Campaign, stage: Stage | None) -> tuple[Deadline, ...]:
    """What is due next; nothing while the stage is held or the campaign paused, nor for a stage that is closed."""
    if stage is None or stage.deadline is None or stage.status != "open" or campaign.status == "paused":
        return ()
    return (Deadline(stage.title, stage.deadline),)


def links(host: Host, campaign: Campaign) -> tuple[Link, ...]:
    """Pages to look at."""
    return (Link("All turns", f"{host.pages}/{campaign.name}/"),) if host.pages else ()


def page_link(host: Host, campaign: Campaign, report: Report) -> Link | None:
    """The page of a public report; ``None`` if there are no pages."""
    address = f"{host.pages}/{campaign.name}/{name_of(report)}.html"
    return Link(report.stage, address) if host.pages else None
