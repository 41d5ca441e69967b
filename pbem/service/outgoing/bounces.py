"""Mails of ours that do not get through: they are tried again, take another way, or are given up; and it is told.

One path for all: the report of some mail server, the refusal of our own relay, a relay that put us off for days.
Nothing that others send can move it: a report counts only if it came to the mail's own return path. A Message-ID proves
nothing: every answer to a mail carries it to whoever gets a copy.
"""

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from pbem.mail.addresses import normal
from pbem.mail.reading.bounces import Fate, Report
from pbem.mail.reading.letter import Letter
from pbem.mail.status_codes import Severity, of_recipient, severity
from pbem.reports.letters import Complained, Unreachable, UnreachableOrganizer
from pbem.service.host import Host
from pbem.service.outgoing.post import organizer_head, redirect, tell
from pbem.service.outgoing.return_path import returned_to
from pbem.storage.tables import Address, Campaign, Mail, Seat
from pbem.storage.tables import Letter as LetterRow
from pbem.storage.unit import Unit

log = logging.getLogger(__name__)

MOST_RETRIES = 3
FIRST_RETRY = timedelta(hours=1)
"""After this a mail that came back goes out again; each time the wait doubles."""


ADDRESSED = re.compile(r"<?[^\s<>@]{1,64}@[^\s<>]{1,255}?>?:?(?:\s+|$)")


@dataclass(frozen=True)
class Failure:
    """Why a mail did not get through."""

    severity: Severity
    reason: str
    """What the other server said, on one line."""
    about_address: bool = True
    """Whether it says anything about the recipient's address; that our own relay is away does not."""


# --- reports that come in -----------------------------------------------------------------------------------------


def take(host: Host, unit: Unit, row: LetterRow, letter: Letter) -> tuple[str, str] | None:
    """The status and note of a letter that reports on a mail of ours or came to its return path; ``None``: it is none.

    Such a letter is never answered.
    """
    report = letter.report
    mail = came_back(host, unit, letter)
    if mail is None:
        return _unproven(unit, row, report) if report and report.formal else None
    row.campaign_id = mail.campaign_id
    if report is None:
        return _no_report(letter, mail)
    return "ignored", f"report on mail {mail.id}: {_settle(host, unit, mail, report)}"


def came_back(host: Host, unit: Unit, letter: Letter) -> Mail | None:
    """The mail of ours to whose return path a letter came; what comes there is never answered."""
    return returned_to(host, unit, (*letter.recipients, *(letter.report.return_paths if letter.report else ())))


def _no_report(letter: Letter, mail: Mail) -> tuple[str, str]:
    """A note from somebody's holidays; or a person, whose mail program writes where nobody reads."""
    where = f"came to the return path of mail {mail.id}"
    return ("ignored", f"{where}: {letter.automatic}") if letter.automatic else ("held", f"{where}; not answered")


def _unproven(unit: Unit, row: LetterRow, report: Report) -> tuple[str, str] | None:
    """It quotes a mail of ours, as anybody may who has seen an answer to it. So it is shown, and nothing follows."""
    mail = unit.outbox.with_message_id(report.message_id)
    if mail is None:
        return None if report.message_id else _nameless(unit, row, report)
    row.campaign_id = mail.campaign_id
    bad = [f"{fate.kind}: {_said(fate)}" for fate in report.fates if fate.kind != "other" and _is_about(fate, mail)]
    if not bad:
        return "ignored", f"report on mail {mail.id}, but not to its return path"
    if mail.status == "sent":
        mail.note = f"reported, but not to its return path: {bad[0]}"
    note = f"report on mail {mail.id} to {mail.recipient}, but not to its return path, so nothing was done: {bad[0]}"
    return "held" if mail.campaign_id else "ignored", note


def _nameless(unit: Unit, row: LetterRow, report: Report) -> tuple[str, str] | None:
    """It does not show the mail, only to whom it went, as anybody may who knows an address: shown, once at a time."""
    for fate in (each for each in report.fates if each.kind != "other"):
        for address in fate.addresses:
            campaign = next(iter(_campaigns_of(unit, address)), None)
            if campaign:
                row.campaign_id = campaign.id
                about = f"report on a mail to {address}, but not to its return path, so nothing was done"
                told = any(each.note.startswith(about) for each in unit.letters.waiting(campaign, campaign.created_at))
                return "ignored" if told else "held", f"{about}: {fate.kind}: {_said(fate)}"
    return None


def _campaigns_of(unit: Unit, address: str) -> Sequence[Campaign]:
    """The campaigns that go on in which an address plays, or that are led from it."""
    seats = [unit.campaigns.seat(each.seat_id) for each in unit.campaigns.registrations(address)]
    played = [unit.campaigns.get(seat.campaign_id) for seat in seats]
    return [each for each in (*played, *unit.campaigns.organized_by(address)) if each.status != "over"]


def _settle(host: Host, unit: Unit, mail: Mail, report: Report) -> str:
    return "; ".join(
        _act(host, unit, mail, fate)
        if _is_about(fate, mail)
        else f"{fate.kind} for {fate.addresses[0]}, to whom it was not sent: {_said(fate)}"
        for fate in report.fates
    )


def _is_about(fate: Fate, mail: Mail) -> bool:
    """A report that does not say for whom is about the only recipient there was."""
    return not fate.addresses or normal(mail.recipient).lower() in fate.addresses


def _said(fate: Fate) -> str:
    """What the other server said; the address at its beginning, or what is left of ``<address>``, is known."""
    found = ADDRESSED.match(fate.diagnostic)
    words = fate.diagnostic[found.end() :] if found else fate.diagnostic
    return words if fate.status in words else f"{fate.status} {words}".strip()


def _act(host: Host, unit: Unit, mail: Mail, fate: Fate) -> str:
    said = _said(fate)
    match fate.kind:
        case "failed":
            how, of_address = severity(fate.status, fate.diagnostic), of_recipient(fate.status, fate.diagnostic)
            return failed(host, unit, mail, Failure(how, said or "no reason given", of_address))
        case "delayed":
            mail.note = f"delayed: {said}"
            return mail.note
        case "complaint":
            return _complained(host, unit, mail)
        case _:
            return f"it is no failure: {said}"


# --- what follows -------------------------------------------------------------------------------------------------


def failed(host: Host, unit: Unit, mail: Mail, failure: Failure) -> str:
    """A mail did not get through: try again later, or give it up. What was done, for a note."""
    if mail.status == "failed" or (mail.status == "due" and not mail.attempts):
        return f"this had come back before: {failure.reason}"
    if _is_void(unit, mail):
        mail.status, mail.withdrawn, mail.note = "failed", True, f"no longer for its recipient; {failure.reason}"
        return mail.note
    rows = unit.campaigns.registrations(mail.recipient)
    ours = rows or unit.campaigns.organized_by(mail.recipient)
    if failure.severity == "soft" and ours and mail.bounces < MOST_RETRIES:
        return _retry(host, unit, mail, rows, failure)
    return _give_up(host, unit, mail, rows, failure)


def _retry(host: Host, unit: Unit, mail: Mail, rows: Sequence[Address], failure: Failure) -> str:
    for address in rows if failure.about_address else ():
        address.soft_bounces += 1
    unit.outbox.send_again(mail, host.clock())
    wait = FIRST_RETRY * (1 << mail.bounces)
    mail.next_at += wait
    mail.bounces += 1
    mail.note = f"came back, to be tried again in {wait // timedelta(hours=1)} h: {failure.reason}"
    return mail.note


def _give_up(host: Host, unit: Unit, mail: Mail, rows: Sequence[Address], failure: Failure) -> str:
    mail.status, mail.note = "failed", failure.reason
    log.warning("mail %s to %s given up: %s", mail.id, mail.recipient, failure.reason)
    if not failure.about_address:
        return f"given up: {failure.reason}"
    address, new = mail.recipient, [row for row in rows if not row.failing]
    for row in rows:
        row.failing, row.hard_bounces = True, row.hard_bounces + 1
    other = _other_address(unit, mail)
    if other and redirect(host, unit, mail, other):
        mail.note = f"sent to {other}, for it came back from {address}: {failure.reason}"
    _tell(host, unit, address, new, failure.reason)
    return mail.note if other else f"given up: {failure.reason}"


def _other_address(unit: Unit, mail: Mail) -> str:
    """Another address of the seat that a mail was written for, or nothing. An organizer's mail, and a question to one
    address, must be read by nobody else."""
    seat = _seat_of(unit, mail)
    return next(iter(_sound_addresses(unit, seat)), "") if seat and mail.tenure == seat.tenure else ""


def _is_void(unit: Unit, mail: Mail) -> bool:
    """Whether a mail was written for somebody who had the seat before, or for an address that has left it."""
    seat = _seat_of(unit, mail)
    if seat is None:
        return False
    return mail.tenure not in (0, seat.tenure) or mail.recipient not in unit.campaigns.addresses(seat)


def _seat_of(unit: Unit, mail: Mail) -> Seat | None:
    """The seat that a mail was written for."""
    if mail.campaign_id is None or not mail.realm:
        return None
    seats = unit.campaigns.seats(unit.campaigns.get(mail.campaign_id))
    return next((seat for seat in seats if seat.name == mail.realm), None)


def _sound_addresses(unit: Unit, seat: Seat) -> Sequence[str]:
    return [address.email for address in unit.campaigns.registered(seat) if not address.failing]


def _tell(host: Host, unit: Unit, address: str, new: Sequence[Address], reason: str) -> None:
    """Tell the organizer of each campaign in which an address begins to fail; and the postmaster of an organizer's."""
    for row in new:
        seat = unit.campaigns.seat(row.seat_id)
        campaign = unit.campaigns.get(seat.campaign_id)
        if campaign.organizer != address:
            _tell_organizer(host, unit, campaign, seat, row, reason)
    for campaign in unit.campaigns.organized_by(address):
        if campaign.status != "over":
            _tell_postmaster(host, unit, campaign, reason)


def _tell_organizer(host: Host, unit: Unit, campaign: Campaign, seat: Seat, row: Address, reason: str) -> None:
    other = next(iter(_sound_addresses(unit, seat)), "")
    head = organizer_head(host, campaign, unit.campaigns.current_stage(campaign))
    letter = Unreachable(head, seat.name, row.email, reason, other)
    tell(host, unit, campaign, campaign.organizer, letter, f"unreachable {row.id} {row.hard_bounces}")
    way = f"mail of {seat.name} now goes to {other}" if other else f"{seat.name} has no other address"
    unit.campaigns.audit(campaign, host.clock(), "server", f"mail to {row.email} comes back ({reason}); {way}")


def _tell_postmaster(host: Host, unit: Unit, campaign: Campaign, reason: str) -> None:
    """Once a day at most. A postmaster whose own mail comes back is told no more of it."""
    organizer, now = campaign.organizer, host.clock()
    unit.campaigns.audit(campaign, now, "server", f"mail to the organizer comes back: {reason}")
    cause = f"organizer {campaign.name} unreachable {now:%Y-%m-%d}"
    if host.postmaster and host.postmaster != organizer and not unit.outbox.caused_by(host.postmaster, cause):
        letter = UnreachableOrganizer(host.address, campaign.title, organizer, reason)
        tell(host, unit, None, host.postmaster, letter, cause)


def _complained(host: Host, unit: Unit, mail: Mail) -> str:
    """Somebody marked a mail as unwanted. That is told once and changes nothing: it may be a slip of the finger."""
    mail.note = "marked as unwanted"
    for row in unit.campaigns.registrations(mail.recipient):
        seat = unit.campaigns.seat(row.seat_id)
        if seat.campaign_id != mail.campaign_id:
            continue
        row.complaints += 1
        campaign = unit.campaigns.get(seat.campaign_id)
        if row.complaints == 1 and campaign.organizer != row.email:
            head = organizer_head(host, campaign, unit.campaigns.current_stage(campaign))
            letter = Complained(head, seat.name, row.email)
            tell(host, unit, campaign, campaign.organizer, letter, f"complaint {row.id}")
    return mail.note


# --- proof that mail gets through ---------------------------------------------------------------------------------


def arrived(unit: Unit, letter: Letter) -> None:
    """A letter answers a mail of ours: so mail to its sender gets through, and his address is as good as new."""
    rows = unit.campaigns.in_trouble(letter.sender) if letter.in_reply_to else ()
    mail = unit.outbox.with_message_id(letter.in_reply_to) if rows else None
    if mail and mail.recipient.lower() == letter.sender:
        for row in rows:
            row.failing, row.soft_bounces = False, 0
