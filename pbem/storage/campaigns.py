"""Campaigns, their seats, addresses and stages."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session, bindparam, col, or_, select

from pbem.storage.tables import Address, Applicant, Audit, Campaign, Seat, Stage

# What every letter asks for is built once: building a query takes longer than answering it.
SEATS_OF = (
    select(Seat, Campaign)
    .join(Address)
    .join(Campaign, col(Seat.campaign_id) == col(Campaign.id))
    .where(Address.email == bindparam("email"))
    .order_by(col(Seat.id))
)
ORGANIZED_BY = select(Campaign).where(Campaign.organizer == bindparam("email")).order_by(Campaign.name)
IN_TROUBLE = (
    select(Address)
    .where(Address.email == bindparam("email"), or_(col(Address.failing), col(Address.soft_bounces) > 0))
    .order_by(col(Address.id))
)
STAGES = select(Stage).where(Stage.campaign_id == bindparam("campaign")).order_by(col(Stage.number).desc())
CURRENT_STAGE = STAGES.where(Stage.status != "closed").limit(1)
PLAYED = (
    select(Seat, Campaign, Stage)
    .join(Campaign, col(Seat.campaign_id) == col(Campaign.id))
    .join(Stage, col(Stage.campaign_id) == col(Campaign.id))
    .where(Stage.status != "closed")
    .order_by(Campaign.name, col(Seat.code))
)


class Campaigns:
    """Repository of campaigns and what hangs on them."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._loaded: dict[int, Campaign] = {}
        """The session itself forgets what nobody holds."""
        self._stages: dict[int | None, Sequence[Stage]] = {}
        """All stages of a campaign, the newest first."""

    def add(self, *rows: Campaign | Seat | Address | Stage | Audit | Applicant) -> None:
        """Add rows; they have their numbers at once."""
        self._session.add_all(rows)
        self._session.flush()
        self._stages.clear()

    def named(self, name: str) -> Campaign | None:
        """The campaign of this name."""
        return self._session.exec(select(Campaign).where(Campaign.name == name)).first()

    def get(self, campaign_id: int) -> Campaign:
        """The campaign of this number, which must exist."""
        if campaign_id not in self._loaded:
            self._loaded[campaign_id] = self._session.get_one(Campaign, campaign_id)
        return self._loaded[campaign_id]

    def all(self) -> Sequence[Campaign]:
        """All campaigns by name."""
        return self._session.exec(select(Campaign).order_by(Campaign.name)).all()

    def seats(self, campaign: Campaign) -> Sequence[Seat]:
        """The seats of a campaign in their order."""
        return self._session.exec(select(Seat).where(Seat.campaign_id == campaign.id).order_by(col(Seat.code))).all()

    def played(self) -> Sequence[tuple[Seat, Campaign, Stage]]:
        """All seats of campaigns that are not over, each with its campaign and what that waits for."""
        return self._session.exec(PLAYED).all()

    def robots(self) -> Sequence[Seat]:
        """The seats that the server plays, of running campaigns with an open stage."""
        return self._session.exec(
            select(Seat)
            .join(Campaign, col(Seat.campaign_id) == col(Campaign.id))
            .join(Stage, col(Stage.campaign_id) == col(Campaign.id))
            .where(Seat.robot, Stage.status == "open", Campaign.status == "running")
            .order_by(col(Stage.deadline), col(Stage.id), col(Seat.code))
        ).all()

    def seat(self, seat_id: int) -> Seat:
        """The seat of this number, which must exist."""
        return self._session.get_one(Seat, seat_id)

    def seats_of(self, email: str) -> Sequence[Seat]:
        """All seats that may be played from an address."""
        rows = self._session.exec(SEATS_OF, params={"email": email.lower()}).all()
        self._loaded.update((seat.campaign_id, campaign) for seat, campaign in rows)
        return [seat for seat, _ in rows]

    def organized_by(self, email: str) -> Sequence[Campaign]:
        """The campaigns that a person organizes."""
        return self._session.exec(ORGANIZED_BY, params={"email": email.lower()}).all()

    def registered(self, seat: Seat) -> Sequence[Address]:
        """The addresses of a seat: those that do not fail first, and of these the one that gets the reports."""
        return self._session.exec(
            select(Address)
            .where(Address.seat_id == seat.id)
            .order_by(col(Address.failing), col(Address.rank), col(Address.id))
        ).all()

    def addresses(self, seat: Seat) -> Sequence[str]:
        """The addresses of a seat in that order, as they are written."""
        return [address.email for address in self.registered(seat)]

    def address(self, seat: Seat) -> str:
        """The address that gets the reports; every seat has one."""
        return self.addresses(seat)[0]

    def registrations(self, email: str) -> Sequence[Address]:
        """An address as it is registered, for each seat that may be played from it."""
        return self._session.exec(select(Address).where(Address.email == email.lower()).order_by(col(Address.id))).all()

    def in_trouble(self, email: str) -> Sequence[Address]:
        """An address as it is registered, where mail to it came back."""
        return self._session.exec(IN_TROUBLE, params={"email": email.lower()}).all()

    def forget(self, address: Address) -> None:
        """Take an address from its seat."""
        self._session.delete(address)
        self._session.flush()

    def current_stage(self, campaign: Campaign) -> Stage | None:
        """The stage that is open or held; ``None`` when the campaign is over."""
        if campaign.id in self._stages:
            return next((stage for stage in self._stages[campaign.id] if stage.status != "closed"), None)
        return self._session.exec(CURRENT_STAGE, params={"campaign": campaign.id}).first()

    def stages(self, campaign: Campaign) -> Sequence[Stage]:
        """All stages, the newest first."""
        if campaign.id not in self._stages:
            self._stages[campaign.id] = self._session.exec(STAGES, params={"campaign": campaign.id}).all()
        return self._stages[campaign.id]

    def stage(self, stage_id: int) -> Stage:
        """The stage of this number, which must exist."""
        return self._session.get_one(Stage, stage_id)

    def claim_stage(self, stage_id: int) -> Stage:
        """The stage, locked against other servers until the transaction ends."""
        return self._session.exec(select(Stage).where(Stage.id == stage_id).with_for_update()).one()

    def open_stages(self) -> Sequence[tuple[Stage, Campaign]]:
        """The open stages of running campaigns, the earliest deadline first."""
        return self._session.exec(
            select(Stage, Campaign)
            .join(Campaign)
            .where(Stage.status == "open", Campaign.status == "running")
            .order_by(col(Stage.deadline), col(Stage.id))
        ).all()

    def inviting(self) -> Sequence[Campaign]:
        """The campaigns whose file has free seats and that are not over."""
        return [each for each in self.all() if each.joining and each.status != "over"]

    def joined(self, campaign: Campaign) -> int:
        """How many of its free seats are taken."""
        return sum(seat.joined_at is not None for seat in self.seats(campaign))

    def applicant(self, campaign: Campaign, email: str) -> Applicant | None:
        """Who wants a seat of a campaign, by his address."""
        wanted = select(Applicant).where(Applicant.campaign_id == campaign.id, Applicant.email == email)
        return self._session.exec(wanted).first()

    def applicants_at(self, email: str) -> Sequence[Applicant]:
        """What somebody has asked for, in any campaign."""
        wanted = select(Applicant).where(Applicant.email == email).order_by(col(Applicant.id))
        return self._session.exec(wanted).all()

    def waiting(self, campaign: Campaign) -> Sequence[Applicant]:
        """Who waits for the organizer's word, the first first."""
        wanted = select(Applicant).where(Applicant.campaign_id == campaign.id, Applicant.status == "waiting")
        return self._session.exec(wanted.order_by(col(Applicant.id))).all()

    def withdraw(self, applicant: Applicant) -> None:
        """Forget that somebody wanted a seat."""
        self._session.delete(applicant)
        self._session.flush()

    def audit(self, campaign: Campaign, at: datetime, who: str, what: str) -> None:
        """Write down what was done by hand."""
        assert campaign.id is not None
        self.add(Audit(campaign_id=campaign.id, at=at, who=who, what=what))

    def audits(self, campaign: Campaign) -> Sequence[Audit]:
        """What was done by hand, the first first."""
        return self._session.exec(select(Audit).where(Audit.campaign_id == campaign.id).order_by(col(Audit.id))).all()
