"""A player wants to leave. The server lets nobody go by itself: his side needs somebody, whom the organizer finds."""

from pbem.mail.reading.letter import Letter
from pbem.reports.letters import Leaving, WantsOut
from pbem.service.incoming.filing import Desk
from pbem.service.outgoing.overview import leaving_cause, wants_to_leave
from pbem.service.outgoing.post import UNSUBSCRIBE, organizer_head, seat_head, tell


def unsubscribes(letter: Letter) -> bool:
    """Whether a mail program has written it for its "unsubscribe" button; what stands in it is the program's."""
    return letter.subject.strip().lower() == UNSUBSCRIBE


def leave(desk: Desk) -> tuple[str, str]:
    """Tell the organizer, once, and the player that nothing has changed yet."""
    host, unit, campaign, seat = desk.host, desk.unit, desk.game.campaign, desk.seat
    head = seat_head(host, campaign, seat, desk.game.stage)
    tell(
        host, unit, campaign, desk.letter.sender, Leaving(head), f"leaving {desk.letter.cause} {seat.code}", desk.letter
    )
    if not wants_to_leave(host, unit, campaign, seat):
        wants_out = WantsOut(
            organizer_head(host, campaign, desk.game.stage), seat.name, seat.player, desk.letter.sender
        )
        tell(host, unit, campaign, campaign.organizer, wants_out, leaving_cause(seat))
        unit.campaigns.audit(campaign, host.clock(), desk.letter.sender, f"{seat.name} wants to leave")
    return "answered", "wants to leave; the organizer has been told"
