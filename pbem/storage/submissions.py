"""What players have ordered, in all versions."""

from collections.abc import Callable, Mapping, Sequence, Set
from datetime import datetime
from itertools import count
from typing import Any

from sqlalchemy.orm import aliased
from sqlmodel import Session, bindparam, col, func, select

from pbem.storage.tables import Letter, Seat, Stage, Submission

VERSIONS = (
    select(Submission)
    .where(Submission.stage_id == bindparam("stage"), Submission.seat_id == bindparam("seat"))
    .order_by(col(Submission.version).desc())
)
"""All versions of a seat's orders for a stage, the newest first."""
LAST = VERSIONS.limit(1)
CURRENT = VERSIONS.where(Submission.status == "filed").limit(1)
MADE_BY = VERSIONS.where(Submission.letter_id == bindparam("letter"))
_version = aliased(Submission)
# Seat by seat: a stage may have thousands of versions, and the few that count are found by an index.
_counts = (
    select(_version.id)
    .where(_version.stage_id == Stage.id, _version.seat_id == Seat.id, _version.status == "filed")
    .order_by(col(_version.version).desc())
    .limit(1)
    .correlate(Stage, Seat)
    .scalar_subquery()
)
FILED = (
    select(Seat.code, Submission)
    .join(Stage, col(Stage.campaign_id) == col(Seat.campaign_id))
    .join(Submission, col(Submission.id) == _counts)
    .where(Stage.id == bindparam("stage"))
    .order_by(Seat.code)
)
DONE = (
    select(Stage.id, Seat.code)
    .join(Seat, col(Stage.campaign_id) == col(Seat.campaign_id))
    .join(Submission, col(Submission.id) == _counts)
    .where(Stage.status == "open", Submission.final)
)
ATTEMPTS = 10
"""How often a free receipt number of one length is looked for."""
WITH_RECEIPT = select(Submission.id).where(Submission.receipt == bindparam("receipt"))


class Submissions:
    """Repository of submissions."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._last: dict[tuple[int | None, int | None], Submission | None] = {}

    def add(self, submission: Submission) -> Submission:
        """Store a new version."""
        self._session.add(submission)
        self._session.flush()
        self._last[submission.stage_id, submission.seat_id] = submission
        return submission

    def last(self, stage: Stage, seat: Seat) -> Submission | None:
        """The newest version of a seat's orders for a stage, filed or not."""
        if (stage.id, seat.id) not in self._last:
            with self._session.no_autoflush:  # Versions are written when they are added.
                self._last[stage.id, seat.id] = self._session.exec(LAST, params=_of(stage, seat)).first()
        return self._last[stage.id, seat.id]

    def current(self, stage: Stage, seat: Seat) -> Submission | None:
        """The version that counts: the last one filed."""
        last = self.last(stage, seat)
        if last is None or last.status == "filed":
            return last
        with self._session.no_autoflush:  # What is filed stays filed.
            return self._session.exec(CURRENT, params=_of(stage, seat)).first()

    def made_by(self, letter: Letter, stage: Stage, seat: Seat) -> Submission | None:
        """The version that a letter made."""
        return self._session.exec(MADE_BY, params=_of(stage, seat) | {"letter": letter.id}).first()

    def received(self, submission: Submission) -> datetime:
        """When the mail came in that made a version; of one that no mail made, when it was stored."""
        came = select(Letter.received_at).where(Letter.id == submission.letter_id)
        return self._session.exec(came).first() or submission.created_at

    def asked(self, seat: Seat, question: str) -> Submission | None:
        """What the mail with this Message-ID asked a player about, in whatever stage."""
        of_seat = select(Submission).where(Submission.seat_id == seat.id)
        return self._session.exec(of_seat.where(Submission.question == question)).first() if question else None

    def asked_about(self, seat: Seat, receipt: str) -> Submission | None:
        """What has this receipt, if a player was asked about it."""
        of_seat = select(Submission).where(Submission.seat_id == seat.id, Submission.question != "")
        return self._session.exec(of_seat.where(Submission.receipt == receipt)).first()

    def filed_by(self, letter_id: int) -> Sequence[Submission]:
        """What was filed, or carried out at once, because of a letter."""
        of_letter = select(Submission).where(Submission.letter_id == letter_id)
        return self._session.exec(
            of_letter.where(col(Submission.status) != "proposed").order_by(col(Submission.id))
        ).all()

    def withdraw(self, letter_id: int) -> None:
        """Ask no longer about what this letter proposed."""
        for submission in self._session.exec(select(Submission).where(Submission.letter_id == letter_id)).all():
            submission.question = ""

    def drop_questions(self, seat: Seat) -> None:
        """Nothing waits for the YES of a seat's player any more."""
        waiting = select(Submission).where(Submission.seat_id == seat.id, Submission.status == "proposed")
        for submission in self._session.exec(waiting).all():
            submission.question = ""

    def filed(self, stage: Stage) -> Mapping[str, Submission]:
        """The version that counts, by code of the seat."""
        return dict(self._session.exec(FILED, params={"stage": stage.id}).all())

    def done(self) -> Mapping[int, Set[str]]:
        """The seats whose players said that they are done, by number of the open stage."""
        found: dict[int, set[str]] = {}
        for stage, code in self._session.exec(DONE).all():
            assert stage is not None
            found.setdefault(stage, set()).add(code)
        return found

    def letters(self, stage: Stage) -> Sequence[str]:
        """Content hashes of all letters that were filed for a stage, sorted."""
        rows = self._session.exec(
            select(Letter.content_hash)
            .join(Submission)
            .where(Submission.stage_id == stage.id, Submission.status == "filed")
            .distinct()
        ).all()
        return sorted(rows)

    def free_receipt(self, draw: Callable[[int], str]) -> str:
        """A receipt number that nobody has been given yet, from those that ``draw`` gives: it is told how many more
        signs than usual a number is to have, for some day most of the short ones are given away."""
        for attempt in count():
            receipt = draw(attempt // ATTEMPTS)
            if not self._session.exec(WITH_RECEIPT, params={"receipt": receipt}).first():
                break
        return receipt

    def newest(self, stage: Stage) -> int:
        """The number of the newest submission that counts for a stage; 0 if there is none.

        What waits for a YES does not count: anybody may cause that with a forged address, and must not by it keep a
        stage from being stored.
        """
        filed = (Submission.stage_id == stage.id, Submission.status == "filed")
        return self._session.exec(select(func.max(Submission.id)).where(*filed)).one() or 0


def _of(stage: Stage, seat: Seat) -> dict[str, Any]:
    return {"stage": stage.id, "seat": seat.id}
