"""Mails to be sent."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy.orm import defer
from sqlmodel import Session, bindparam, col, func, select, update

from pbem.storage.tables import Campaign, Mail, number_of

ANSWERS = (
    select(Mail.created_at, Mail.repeats)
    .where(Mail.mailbox == bindparam("mailbox"), Mail.created_at > bindparam("since"), col(Mail.is_answer))
    .where(col(Mail.unproven) == bindparam("unproven"))
    .order_by(col(Mail.created_at))
)

WITHOUT_RAW = defer(Mail.raw)  # type: ignore[arg-type]  # To mypy a field of SQLModel is its value.

MAILS = Mail.__table__  # type: ignore[attr-defined]  # Of every table, but SQLModel does not tell.
SENT = (
    update(MAILS)
    .where(col(Mail.id) == bindparam("number"), col(Mail.status) == "due")
    .where(col(Mail.recipient) == bindparam("to"), col(Mail.attempts) == bindparam("tries"))
    .values(status="sent", note="", sent_at=bindparam("now"))
)
"""Straight to the table, for it is done for every mail: a session takes several times as long."""


class Claim(NamedTuple):
    """A mail as a worker has taken it to be sent."""

    number: int
    recipient: str
    attempts: int
    """This one counts."""


def claim_of(mail: Mail) -> Claim:
    """The claim on a mail that has just been claimed."""
    return Claim(number_of(mail), mail.recipient, mail.attempts)


class Outbox:
    """Repository of outgoing mail."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, mail: Mail) -> None:
        """Put a mail into the outbox; it is sent after the commit."""
        self._session.add(mail)

    def claim(self, now: datetime, lease: timedelta, limit: int) -> Sequence[Mail]:
        """Mails that are due, without their bytes, moved ahead by ``lease`` so that no other worker takes them
        meanwhile."""
        due = self._session.exec(
            select(Mail)
            .where(Mail.status == "due", col(Mail.next_at) <= now)
            .order_by(col(Mail.next_at), col(Mail.id))
            .limit(limit)
            .options(WITHOUT_RAW)
            .with_for_update(skip_locked=True)
        ).all()
        for mail in due:
            mail.next_at = now + lease
            mail.attempts += 1
        return due

    def still(self, claims: Sequence[Claim]) -> Sequence[Mail]:
        """Those mails that are as they were claimed, but for their bytes: one may have come back before its claim is
        settled, and that is settled then."""
        now = self._session.exec(
            select(Mail).where(col(Mail.id).in_([claim.number for claim in claims])).options(WITHOUT_RAW)
        ).all()
        return [mail for mail in now if mail.status == "due" and claim_of(mail) in claims]

    def note_sent(self, claim: Claim, now: datetime) -> bool:
        """Write down that a mail is out, unless it came back meanwhile and that is settled; whether that was news."""
        as_claimed = {"number": claim.number, "to": claim.recipient, "tries": claim.attempts}
        return self._session.connection().execute(SENT, as_claimed | {"now": now}).rowcount == 1

    def find(self, mail_id: int) -> Mail | None:
        """The mail of this number."""
        return self._session.get(Mail, mail_id)

    def send_again(self, mail: Mail, now: datetime) -> None:
        """Send a mail once more as it is; from now on it is tried for as long as a new one."""
        mail.status, mail.attempts, mail.next_at, mail.created_at = "due", 0, now, now

    def withdraw(self, campaign: Campaign, realm: str, recipients: Iterable[str], note: str) -> None:
        """Let none of the mails for a seat to these addresses go out that are not sent yet, or were given up."""
        waiting = select(Mail).where(Mail.campaign_id == campaign.id, Mail.realm == realm, Mail.status != "sent")
        for mail in self._session.exec(waiting.where(col(Mail.recipient).in_(recipients))).all():
            mail.status, mail.withdrawn, mail.note = "failed", True, note

    def keep_back(self, message_id: str, note: str) -> None:
        """Let a mail that has just been written not go out."""
        self._session.flush()
        mail = self.with_message_id(message_id)
        assert mail is not None
        mail.status, mail.withdrawn, mail.note = "failed", True, note

    def caused_by(self, recipient: str, cause: str) -> Mail | None:
        """The mail that a cause sent to a recipient."""
        return self._session.exec(select(Mail).where(Mail.recipient == recipient, Mail.cause == cause)).first()

    def newest(self, recipient: str, cause: str) -> Mail | None:
        """The newest mail to somebody for a cause that holds these words."""
        query = select(Mail).where(Mail.recipient == recipient, col(Mail.cause).contains(cause, autoescape=True))
        return self._session.exec(query.order_by(col(Mail.id).desc())).first()

    def with_message_id(self, message_id: str) -> Mail | None:
        """The mail that went out under this Message-ID."""
        return self._session.exec(select(Mail).where(Mail.message_id == message_id)).first()

    def answers(self, mailbox: str, since: datetime, *, unproven: bool) -> Sequence[datetime]:
        """When answers to letters that may be forged, or to others, went to a mailbox after ``since``, the oldest
        first."""
        told = {"mailbox": mailbox, "since": since, "unproven": unproven}
        found = self._session.exec(ANSWERS, params=told).all()
        return [written for written, repeats in found for _ in range(1 + repeats)]

    def unattached_answers(self, since: datetime) -> int:
        """How many answers that belong to no campaign were written after ``since``."""
        query = select(func.count()).select_from(Mail).where(Mail.created_at > since, col(Mail.is_answer))
        return self._session.exec(query.where(col(Mail.campaign_id).is_(None))).one()

    def count(self, since: datetime, cause: str, recipient: str = "") -> int:
        """How many mails were written after ``since`` for causes that begin so, to somebody or to anybody."""
        query = select(func.count()).select_from(Mail).where(Mail.created_at > since)
        query = query.where(col(Mail.cause).startswith(cause, autoescape=True))
        return self._session.exec(query.where(Mail.recipient == recipient) if recipient else query).one()

    def waiting(self) -> int:
        """How many mails are not sent yet."""
        return self._session.exec(select(func.count()).select_from(Mail).where(Mail.status == "due")).one()

    def held_up(self, campaign: Campaign, now: datetime) -> Sequence[Mail]:
        """Mails of a campaign that ought to have gone out, and why not; in the order in which they were looked at."""
        return self._session.exec(
            select(Mail)
            .where(Mail.campaign_id == campaign.id, Mail.status == "due", Mail.next_at <= now, Mail.note != "")
            .order_by(col(Mail.next_at), col(Mail.id))
            .options(WITHOUT_RAW)
        ).all()

    def latest(self, limit: int = 50, status: str | None = None) -> Sequence[Mail]:
        """The newest mails first."""
        query = select(Mail).order_by(col(Mail.id).desc()).limit(limit)
        return self._session.exec(query if status is None else query.where(Mail.status == status)).all()

    def failed(self, campaign: Campaign, since: datetime) -> Sequence[Mail]:
        """Mails of a campaign that did not get through and were given up ``since`` then, the oldest first."""
        return self._session.exec(
            select(Mail)
            .where(Mail.campaign_id == campaign.id, Mail.status == "failed", ~col(Mail.withdrawn))
            .where(col(Mail.next_at) >= since)  # Where the last attempt moved it.
            .order_by(col(Mail.id))
        ).all()
