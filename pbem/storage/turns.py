"""Turns, reports and pictures: written once, never changed."""

from collections.abc import Mapping, Sequence

from sqlalchemy.orm import aliased, load_only
from sqlmodel import Session, bindparam, col, func, select

from pbem.storage.tables import Campaign, Picture, ReportRow, Stage, Turn

LAST = select(Turn).where(Turn.campaign_id == bindparam("campaign")).order_by(col(Turn.number).desc()).limit(1)
_step = aliased(Turn)
NEWEST_STATES = (
    select(Turn)
    .join(
        Stage,
        col(Turn.id)
        == select(_step.id)
        .where(_step.campaign_id == Stage.campaign_id)
        .order_by(col(_step.number).desc())
        .limit(1)
        .correlate(Stage)
        .scalar_subquery(),
    )
    .where(Stage.status == "open")
    .options(load_only(Turn.campaign_id, Turn.state))  # type: ignore[arg-type]  # SQLModel's columns look like values.
)


class Turns:
    """Repository of what was resolved and told."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, turn: Turn) -> Turn:
        """Store a step. The same number twice is an error of the database: a turn is resolved once."""
        self._session.add(turn)
        self._session.flush()
        return turn

    def last(self, campaign: Campaign) -> Turn:
        """The newest step of a campaign; there is always the set-up."""
        with self._session.no_autoflush:  # Steps are written when they are added.
            return self._session.exec(LAST, params={"campaign": campaign.id}).one()

    def states(self) -> Mapping[int, Turn]:
        """The newest step of each campaign with an open stage, by the campaign's number: its state, not what led there,
        which is large and is fetched if it is asked for."""
        rows = self._session.exec(NEWEST_STATES).all()
        return {turn.campaign_id: turn for turn in rows}

    def newest(self) -> int:
        """The number of the newest step of all campaigns; 0 if there is none."""
        return self._session.exec(select(func.max(Turn.id))).one() or 0

    def all(self, campaign: Campaign) -> Sequence[tuple[Turn, Stage]]:
        """All steps with their stages, the first first."""
        return self._session.exec(
            select(Turn, Stage).join(Stage).where(Turn.campaign_id == campaign.id).order_by(col(Turn.number))
        ).all()

    def of_stage(self, stage: Stage) -> Sequence[Turn]:
        """The steps of a stage, the first first."""
        return self._session.exec(select(Turn).where(Turn.stage_id == stage.id).order_by(col(Turn.number))).all()

    def before(self, turn: Turn) -> Turn:
        """The step before one that is not the first."""
        return self._session.exec(
            select(Turn).where(Turn.campaign_id == turn.campaign_id, Turn.number == turn.number - 1)
        ).one()

    def before_stage(self, stage: Stage) -> Turn:
        """The last step of the stages before."""
        return self._session.exec(
            select(Turn)
            .join(Stage)
            .where(Turn.campaign_id == stage.campaign_id, Stage.number < stage.number)
            .order_by(col(Turn.number).desc())
            .limit(1)
        ).one()

    def add_report(self, report: ReportRow) -> None:
        """Store a report."""
        self._session.add(report)

    def add_picture(self, picture: Picture) -> None:
        """Store a picture, unless it is there."""
        if self._session.get(Picture, picture.digest) is None:
            self._session.add(picture)
            self._session.flush()

    def reports(self, campaign: Campaign) -> Sequence[tuple[ReportRow, Turn, Stage]]:
        """All reports of a campaign with their turns, in order."""
        return self._session.exec(
            select(ReportRow, Turn, Stage)
            .join(Turn, col(ReportRow.turn_id) == col(Turn.id))
            .join(Stage, col(Turn.stage_id) == col(Stage.id))
            .where(Turn.campaign_id == campaign.id)
            .order_by(col(Turn.number), col(ReportRow.seat))
        ).all()

    def report(self, turn: Turn, seat: str) -> ReportRow | None:
        """The report of a step to a seat."""
        return self._session.exec(select(ReportRow).where(ReportRow.turn_id == turn.id, ReportRow.seat == seat)).first()

    def picture(self, digest: str) -> Picture:
        """A stored picture."""
        return self._session.get_one(Picture, digest)
