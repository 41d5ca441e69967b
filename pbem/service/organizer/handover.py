"""Another person takes over a seat, or its tokens leak: from then on no reply address of before is good."""

from pbem.mail.addresses import Address as Named
from pbem.reports.letters import Announcement, Farewell
from pbem.service.host import Game, Host
from pbem.service.organizer import withdrawal
from pbem.service.outgoing import telling
from pbem.service.outgoing.post import seat_head, tell
from pbem.storage.tables import Address, Seat, number_of
from pbem.storage.unit import Unit


def renew(host: Host, unit: Unit, found: Game, seat: Seat, who: str) -> None:
    """Make all tokens of a seat void; its newest report comes once more, with the new one."""
    _next_tenure(unit, seat)
    unit.campaigns.audit(found.campaign, host.clock(), who, f"renewed the tokens of {seat.name}")
    telling.newest_again(host, unit, found.campaign, seat)


def renew_and_tell(host: Host, unit: Unit, found: Game, seat: Seat, who: str) -> str:
    """The same on the organizer's word; what was done, as a sentence."""
    renew(host, unit, found, seat, who)
    head = seat_head(host, found.campaign, seat, found.stage)
    sentences = (
        "Your organizer has made your old reply addresses void: what is sent to them no longer counts as yours.",
        f"Write to {head.reply_to} from now on. Your last report comes once more, with this address in it.",
    )
    letter = Announcement(head, "Your reply address has changed", sentences)
    tell(host, unit, found.campaign, unit.campaigns.address(seat), letter, f"renewed {seat.code} {seat.tenure}")
    return f"The old reply addresses of {seat.name} are void; the player has got a new one."


def hand_over(host: Host, unit: Unit, found: Game, seat: Seat, person: Named, who: str) -> str:
    """Give a seat to another person, who plays it again if it had withdrawn; what was done, in sentences.

    What is on file stays until he changes it. What waited for the YES of the one before him waits no longer, and what
    was on its way to him stays here.
    """
    campaign, email = found.campaign, person.address.lower()
    before = unit.campaigns.registered(seat)
    unit.outbox.withdraw(campaign, seat.name, [each.email for each in before], "the seat has gone to somebody else")
    _say_goodbye(host, unit, found, seat, before[0].email)
    for address in before:
        unit.campaigns.forget(address)
    unit.campaigns.add(Address(seat_id=number_of(seat), email=email))
    seat.player, seat.zone, seat.robot = person.name, campaign.zone, False
    _next_tenure(unit, seat)
    unit.submissions.drop_questions(seat)
    unit.campaigns.audit(campaign, host.clock(), who, f"handed {seat.name} over to {email}")
    again = withdrawal.readmit(host, unit, found, seat, who)
    head = seat_head(host, campaign, seat, found.stage)
    letter = telling.invitation(host, campaign, seat, head, found.state, takes_over=True)
    tell(host, unit, campaign, email, letter, f"welcome {seat.code} {seat.tenure}")
    telling.newest_again(host, unit, campaign, seat)
    current = unit.submissions.current(found.stage, seat)
    stays = "What is on file stays." if current and current.orders else "Nothing is on file."
    return " ".join((f"{seat.name} is played from {email} now. {stays}", *again))


def _next_tenure(unit: Unit, seat: Seat) -> None:
    seat.tenure += 1
    unit.flush()


def _say_goodbye(host: Host, unit: Unit, found: Game, seat: Seat, email: str) -> None:
    letter = Farewell(seat_head(host, found.campaign, seat, None))
    tell(host, unit, found.campaign, email, letter, f"farewell {seat.code} {seat.tenure}")
