"""Put a mail into the outbox, in the same transaction as what it tells."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pbem.core.report import Report
from pbem.mail.addresses import Address
from pbem.mail.card import frame_line
from pbem.mail.compose import Attachment, Draft, compose
from pbem.reports.archive import name_of
from pbem.reports.letters import Deadline, Letter, Letterhead, Link
from pbem.reports.render import Rendered
from pbem.service.host import Host
from pbem.service.tokens import organizer_token, seat_token
from pbem.storage.tables import Campaign, Mail, Seat, Stage
from pbem.storage.unit import Unit


@dataclass(frozen=True)
class Envelope:
    """Where a mail goes and what it belongs to."""

    recipient: str
    cause: str
    """One mail to a recipient for one cause: a second one is an error of the database."""
    campaign: Campaign | None = None
    reply_to: str = ""
    answers: str = ""
    """Message-ID of the letter that it answers."""
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    attachments: Sequence[Attachment] = ()


def post(host: Host, unit: Unit, rendered: Rendered, envelope: Envelope) -> str:
    """Write a mail into the outbox; its Message-ID, which is fixed here, whatever happens to it later."""
    message_id = _message_id(host, envelope)
    campaign = envelope.campaign
    now = host.clock()
    draft = Draft(
        sender=Address(host.address, campaign.title if campaign else host.name),
        recipient=Address(envelope.recipient),
        reply_to=envelope.reply_to,
        subject=rendered.subject,
        text=rendered.text,
        html=rendered.html or "",
        pictures=dict(envelope.pictures),
        message_id=message_id,
        in_reply_to=envelope.answers or (campaign.thread if campaign else ""),
        references=tuple(each for each in (campaign.thread if campaign else "", envelope.answers) if each),
        list_id=f"{campaign.title} <{campaign.name}.{host.domain}>" if campaign else "",
        date=now,
        automatic="auto-replied" if envelope.answers else "auto-generated",
        attachments=tuple(envelope.attachments),
    )
    unit.outbox.add(
        Mail(
            campaign_id=campaign.id if campaign else None,
            recipient=envelope.recipient,
            cause=envelope.cause,
            message_id=message_id,
            subject=rendered.subject,
            raw=compose(draft),
            next_at=now,
            created_at=now,
        )
    )
    return message_id


def tell(
    host: Host, unit: Unit, campaign: Campaign, recipient: str, letter: Letter, cause: str, answers: str = ""
) -> str:
    """Put a letter about a campaign into the outbox; its Message-ID. For ``cause`` and ``answers`` see `Envelope`."""
    envelope = Envelope(recipient, f"{campaign.name} {cause}", campaign, letter.head.reply_to, answers)
    return post(host, unit, host.templates.mail(letter), envelope)


def _message_id(host: Host, envelope: Envelope) -> str:
    """The same cause and recipient always make the same Message-ID."""
    campaign = envelope.campaign.thread if envelope.campaign else ""
    digest = hashlib.sha256(f"{campaign}\n{envelope.recipient}\n{envelope.cause}".encode() + host.key).hexdigest()
    return f"<{digest[:32]}@{host.id_domain}>"


def seat_head(
    host: Host, campaign: Campaign, seat: Seat, stage: Stage | None, picture: str | None = None
) -> Letterhead:
    """The letterhead of a mail to a player. ``stage`` is the open one."""
    token = seat_token(host.key, campaign.name, seat.code, stage.number) if stage else ""
    return Letterhead(
        campaign=campaign.name,
        title=campaign.title,
        now=host.clock(),
        realm=seat.name,
        person=seat.player,
        zone=seat.zone,
        reply_to=host.reply_address(token) if token else "",
        deadlines=deadlines(campaign, stage),
        frame=frame_line(campaign.name, stage.turn, token) if stage else "",
        links=links(host, campaign),
        picture=picture,
    )


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


def everybody(host: Host, unit: Unit, campaign: Campaign, stage: Stage | None) -> Iterator[tuple[Letterhead, str]]:
    """All who are to hear of something, the players and the organizer: letterhead and address."""
    for seat in unit.campaigns.seats(campaign):
        yield seat_head(host, campaign, seat, stage), unit.campaigns.address(seat)
    yield organizer_head(host, campaign, stage), campaign.organizer


def deadlines(campaign: Campaign, stage: Stage | None) -> tuple[Deadline, ...]:
    """What is due next; nothing while the stage is held or the campaign paused."""
    if stage is None or stage.deadline is None or stage.status == "held" or campaign.status == "paused":
        return ()
    return (Deadline(stage.title, stage.deadline),)


def links(host: Host, campaign: Campaign) -> tuple[Link, ...]:
    """Pages to look at."""
    return (Link("All turns", f"{host.pages}/{campaign.name}/"),) if host.pages else ()


def page_link(host: Host, campaign: Campaign, report: Report) -> Link | None:
    """The page of a public report; ``None`` if there are no pages."""
    address = f"{host.pages}/{campaign.name}/{name_of(report)}.html"
    return Link(report.stage, address) if host.pages else None
