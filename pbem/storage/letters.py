"""Letters as they came in."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session, and_, col, or_, select

from pbem.storage.tables import Campaign, Letter, Seat, Stage, Submission


class Letters:
    """Repository of incoming mail."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, letter: Letter) -> Letter:
        """Store a letter; it has its number at once. The same content twice is an error of the database."""
        self._session.add(letter)
        self._session.flush()
        return letter

    def with_content(self, content_hash: str) -> Letter | None:
        """This very letter, if it has come in before."""
        return self._session.exec(select(Letter).where(Letter.content_hash == content_hash)).first()

    def get(self, letter_id: int) -> Letter | None:
        """The letter of this number."""
        return self._session.get(Letter, letter_id)

    def settle(self, letter_id: int | None, note: str) -> None:
        """A letter that was held is filed after all."""
        if letter_id is not None and (letter := self.get(letter_id)):
            letter.status, letter.note = "filed", note

    def filed_since(self, stage: Stage, seat: Seat, moment: datetime) -> Sequence[Letter]:
        """Filed letters for a seat that were received at a moment of this stage or later, the earliest first."""
        made = select(Submission.letter_id).where(Submission.stage_id == stage.id, Submission.seat_id == seat.id)
        said_again = and_(col(Letter.seat_id) == seat.id, col(Letter.status) == "filed")
        said = or_(said_again, col(Letter.id).in_(made.where(Submission.status == "filed")))
        return self._session.exec(
            select(Letter).where(Letter.received_at >= moment, said).order_by(col(Letter.received_at), col(Letter.id))
        ).all()

    def confirmed(self, stage: Stage, seat: Seat) -> Sequence[Letter]:
        """Letters for a seat that waited for a YES until it came."""
        confirmed = (Submission.stage_id == stage.id, Submission.seat_id == seat.id, Submission.status == "confirmed")
        return self._session.exec(select(Letter).join(Submission).where(*confirmed).order_by(col(Letter.id))).all()

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
        """Letters to a campaign that were taken in ``since`` then and held, or failed, the oldest first."""
        return self._session.exec(
            select(Letter)
            .where(Letter.campaign_id == campaign.id, col(Letter.status).in_(("held", "failed")))
            .where(Letter.stored_at >= since)
            .order_by(col(Letter.id))
        ).all()
