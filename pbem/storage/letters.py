"""Letters as they came in."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session, col, select

from pbem.storage.tables import Campaign, Letter


class Letters:
    """Repository of incoming mail."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, letter: Letter) -> Letter:
        """Store a letter; it has its number at once. The same content twice is an error of the database."""
        self._session.add(letter)
        self._session.flush()
        return letter

    def known(self, content_hash: str) -> bool:
        """Whether this very letter has come in before."""
        return self._session.exec(select(Letter.id).where(Letter.content_hash == content_hash)).first() is not None

    def get(self, letter_id: int) -> Letter | None:
        """The letter of this number."""
        return self._session.get(Letter, letter_id)

    def settle(self, letter_id: int | None, note: str) -> None:
        """A letter that was held is filed after all."""
        if letter_id is not None and (letter := self.get(letter_id)):
            letter.status, letter.note = "filed", note

    def latest(
        self,
        limit: int = 50,
        status: str | None = None,
        campaign: Campaign | None = None,
        since: datetime | None = None,
    ) -> Sequence[Letter]:
        """The newest letters first: of a status, about a campaign, received ``since`` then."""
        wanted = [
            *([col(Letter.status) == status] if status else []),
            *([col(Letter.campaign_id) == campaign.id] if campaign else []),
            *([col(Letter.received_at) >= since] if since else []),
        ]
        return self._session.exec(select(Letter).where(*wanted).order_by(col(Letter.id).desc()).limit(limit)).all()

    def waiting(self, campaign: Campaign, since: datetime) -> Sequence[Letter]:
        """Letters to a campaign that came ``since`` then and were held or failed, the oldest first."""
        return self._session.exec(
            select(Letter)
            .where(Letter.campaign_id == campaign.id, col(Letter.status).in_(("held", "failed")))
            .where(Letter.received_at >= since)
            .order_by(col(Letter.id))
        ).all()
