"""Letters as they came in."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy.orm import defer
from sqlmodel import Session, and_, bindparam, col, func, or_, select
from sqlmodel.sql.expression import SelectOfScalar

from pbem.storage.tables import Campaign, Letter, Seat, Stage, Submission

WITHOUT_RAW = defer(Letter.raw)  # type: ignore[arg-type]  # To mypy a field of SQLModel is its value.
ENCODED_ANEW = and_(
    col(Letter.message_id) == bindparam("message_id"),
    col(Letter.sender) == bindparam("sender"),
    col(Letter.text_hash) == bindparam("text_hash"),
)
KNOWN = (
    select(Letter)
    .where(or_(col(Letter.content_hash) == bindparam("content_hash"), ENCODED_ANEW))
    .order_by(col(Letter.id))
    .limit(1)
    .options(WITHOUT_RAW)
)
COUNT_FROM = (
    select(func.count())
    .select_from(Letter)
    .where(col(Letter.sender) == bindparam("sender"), col(Letter.id) != bindparam("number"))
    .where(col(Letter.received_at) > bindparam("since"), col(Letter.received_at) <= bindparam("until"))
)
PROVEN_FROM = COUNT_FROM.where(col(Letter.campaign_id).is_not(None))
UNPROVEN_FROM = COUNT_FROM.where(col(Letter.campaign_id).is_(None))


class Letters:
    """Repository of incoming mail."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, letter: Letter) -> Letter:
        """Store a letter; it has its number at once. The same content twice is an error of the database."""
        self._session.add(letter)
        self._session.flush()
        return letter

    def known(self, content_hash: str, message_id: str = "", sender: str = "", text_hash: str = "") -> Letter | None:
        """This very letter, if it has come in before: with the same content, or with the same Message-ID, sender and
        text."""
        same_text = {"message_id": message_id or None, "sender": sender, "text_hash": text_hash or None}
        return self._session.exec(KNOWN, params={"content_hash": content_hash, **same_text}).first()

    def get(self, letter_id: int) -> Letter | None:
        """The letter of this number."""
        return self._session.get(Letter, letter_id)

    def count_from(self, letter: Letter, since: datetime) -> int:
        """How many letters came from the sender of this one after ``since`` and before it, with a campaign if it has
        one, and without if it has none."""
        told = {"sender": letter.sender, "since": since, "until": letter.received_at, "number": letter.id}
        with self._session.no_autoflush:  # The letter itself does not count, so it need not be written for this.
            return self._session.exec(PROVEN_FROM if letter.campaign_id else UNPROVEN_FROM, params=told).one()

    def unanswered(self, since: datetime, until: datetime) -> Sequence[Letter]:
        """Letters about campaigns that were taken in between these times and got no answer because of a limit, the
        oldest first."""
        return self._session.exec(
            self._taken_in(since, until).where(col(Letter.unanswered), col(Letter.campaign_id).is_not(None))
        ).all()

    def strays(self, since: datetime, until: datetime) -> Sequence[Letter]:
        """Letters that were taken in between these times, belong to no campaign and were held, the oldest first."""
        return self._session.exec(
            self._taken_in(since, until).where(
                col(Letter.status).in_(("held", "failed")), col(Letter.campaign_id).is_(None)
            )
        ).all()

    def _taken_in(self, since: datetime, until: datetime) -> SelectOfScalar[Letter]:
        wanted = select(Letter).where(Letter.stored_at >= since, Letter.stored_at < until)
        return wanted.order_by(col(Letter.stored_at), col(Letter.id)).options(WITHOUT_RAW)

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
            select(Letter)
            .where(Letter.received_at >= moment, said)
            .order_by(col(Letter.received_at), col(Letter.id))
            .options(WITHOUT_RAW)
        ).all()

    def confirmed(self, stage: Stage, seat: Seat) -> Sequence[Letter]:
        """Letters for a seat that waited for a YES until it came."""
        confirmed = (Submission.stage_id == stage.id, Submission.seat_id == seat.id, Submission.status == "confirmed")
        letters = select(Letter).join(Submission).where(*confirmed).order_by(col(Letter.id)).options(WITHOUT_RAW)
        return self._session.exec(letters).all()

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
        newest = select(Letter).where(*wanted).order_by(col(Letter.id).desc()).limit(limit).options(WITHOUT_RAW)
        return self._session.exec(newest).all()

    def waiting(self, campaign: Campaign, since: datetime) -> Sequence[Letter]:
        """Letters to a campaign that were taken in ``since`` then and held, or failed, the oldest first."""
        return self._session.exec(
            select(Letter)
            .where(Letter.campaign_id == campaign.id, col(Letter.status).in_(("held", "failed")))
            .where(Letter.stored_at >= since)
            .order_by(col(Letter.id))
            .options(WITHOUT_RAW)
        ).all()
