"""What players have ordered, in all versions."""

from collections.abc import Callable, Mapping, Sequence

from sqlmodel import Session, col, select

from pbem.storage.tables import Letter, Seat, Stage, Submission


class Submissions:
    """Repository of submissions."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, submission: Submission) -> Submission:
        """Store a new version."""
        self._session.add(submission)
        self._session.flush()
        return submission

    def of(self, stage: Stage, seat: Seat) -> Sequence[Submission]:
        """All versions of a seat's orders for a stage, the newest first."""
        return self._session.exec(
            select(Submission)
            .where(Submission.stage_id == stage.id, Submission.seat_id == seat.id)
            .order_by(col(Submission.version).desc())
        ).all()

    def current(self, stage: Stage, seat: Seat) -> Submission | None:
        """The version that counts: the last one filed."""
        return next((each for each in self.of(stage, seat) if each.status == "filed"), None)

    def proposed(self, stage: Stage, seat: Seat) -> Sequence[Submission]:
        """What waits for the player's YES, the newest first."""
        return [each for each in self.of(stage, seat) if each.status == "proposed" and each.question]

    def asked(self, seat: Seat, question: str) -> Sequence[Submission]:
        """What the mail with this Message-ID asked a player about, in whatever stage: one, or none."""
        return self._session.exec(
            select(Submission).where(Submission.seat_id == seat.id, Submission.question == question)
        ).all()

    def filed(self, stage: Stage) -> Mapping[str, Submission]:
        """The version that counts, by code of the seat."""
        rows = self._session.exec(
            select(Seat.code, Submission)
            .join(Seat)
            .where(Submission.stage_id == stage.id, Submission.status == "filed")
            .order_by(col(Submission.version))
        ).all()
        return dict(rows)

    def letters(self, stage: Stage) -> Sequence[str]:
        """Content hashes of all letters that were filed for a stage, sorted."""
        rows = self._session.exec(
            select(Letter.content_hash)
            .join(Submission)
            .where(Submission.stage_id == stage.id, Submission.status == "filed")
            .distinct()
        ).all()
        return sorted(rows)

    def free_receipt(self, draw: Callable[[], str]) -> str:
        """A receipt number that nobody has been given yet, from those that ``draw`` gives."""
        while self._session.exec(select(Submission.id).where(Submission.receipt == (receipt := draw()))).first():
            continue
        return receipt

    def newest(self, stage: Stage) -> int:
        """The number of the newest submission that counts for a stage; 0 if there is none.

        What waits for a YES does not count: anybody may cause that with a forged address, and must not by it keep a
        stage from being stored.
        """
        found = self._session.exec(
            select(Submission.id)
            .where(Submission.stage_id == stage.id, Submission.status == "filed")
            .order_by(col(Submission.id).desc())
        ).first()
        return found or 0
