"""Mails to be sent."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from pbem.storage.tables import Campaign, Mail


class Outbox:
    """Repository of outgoing mail."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, mail: Mail) -> None:
        """Put a mail into the outbox; it is sent after the commit."""
        self._session.add(mail)

    def claim(self, now: datetime, lease: timedelta, limit: int) -> Sequence[Mail]:
        """Mails that are due, moved ahead by ``lease`` so that no other worker takes them meanwhile."""
        due = self._session.exec(
            select(Mail)
            .where(Mail.status == "due", col(Mail.next_at) <= now)
            .order_by(col(Mail.next_at), col(Mail.id))
            .limit(limit)
            .with_for_update(skip_locked=True)
        ).all()
        for mail in due:
            mail.next_at = now + lease
            mail.attempts += 1
        return due

    def get(self, mail_id: int) -> Mail:
        """The mail of this number, which must exist."""
        return self._session.get_one(Mail, mail_id)

    def find(self, mail_id: int) -> Mail | None:
        """The mail of this number."""
        return self._session.get(Mail, mail_id)

    def send_again(self, mail: Mail, now: datetime) -> None:
        """Send a mail once more as it is; from now on it is tried for as long as a new one."""
        mail.status, mail.attempts, mail.next_at, mail.created_at = "due", 0, now, now

    def caused_by(self, recipient: str, cause: str) -> Mail | None:
        """The mail that a cause sent to a recipient."""
        return self._session.exec(select(Mail).where(Mail.recipient == recipient, Mail.cause == cause)).first()

    def with_message_id(self, message_id: str) -> Mail | None:
        """The mail that went out under this Message-ID."""
        return self._session.exec(select(Mail).where(Mail.message_id == message_id)).first()

    def answers(self, recipient: str, since: datetime) -> Sequence[datetime]:
        """When answers to somebody were written after ``since``, the oldest first."""
        found = self._session.exec(
            select(Mail.created_at, Mail.repeats)
            .where(Mail.recipient == recipient, Mail.created_at > since, col(Mail.is_answer))
            .order_by(col(Mail.created_at))
        ).all()
        return [written for written, repeats in found for _ in range(1 + repeats)]

    def count(self, since: datetime, cause: str, recipient: str = "") -> int:
        """How many mails were written after ``since`` for causes that begin so, to somebody or to anybody."""
        query = select(func.count()).select_from(Mail).where(Mail.created_at > since)
        query = query.where(col(Mail.cause).startswith(cause, autoescape=True))
        return self._session.exec(query.where(Mail.recipient == recipient) if recipient else query).one()

    def waiting(self) -> int:
        """How many mails are not sent yet."""
        return len(self._session.exec(select(Mail.id).where(Mail.status == "due")).all())

    def latest(self, limit: int = 50, status: str | None = None) -> Sequence[Mail]:
        """The newest mails first."""
        query = select(Mail).order_by(col(Mail.id).desc()).limit(limit)
        return self._session.exec(query if status is None else query.where(Mail.status == status)).all()

    def failed(self, campaign: Campaign, since: datetime) -> Sequence[Mail]:
        """Mails of a campaign that were given up ``since`` then, the oldest first."""
        return self._session.exec(
            select(Mail)
            .where(Mail.campaign_id == campaign.id, Mail.status == "failed")
            .where(col(Mail.next_at) >= since)  # Where the last attempt moved it.
            .order_by(col(Mail.id))
        ).all()
