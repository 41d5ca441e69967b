"""What an organizer is shown: who has sent orders, what waits for him, what he can do. Never what the orders say."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Literal

from pbem.core.orders import Fault
from pbem.core.ruleset import Dispute
from pbem.reports.letters import Link, Organizer, Seating
from pbem.reports.when import clock
from pbem.service.host import Game, Host, game
from pbem.service.outgoing.deliver import LASTING
from pbem.service.outgoing.post import organizer_head, sent_before, tell
from pbem.storage.tables import Campaign, Letter, Seat
from pbem.storage.unit import Unit

COMMANDS = (
    ("close", "resolve the open stage now"),
    ("extend 2d", "move its deadline"),
    ("pause", "stop the clock; orders still come in"),
    ("resume", "start it again; the deadline moves by the length of the pause"),
    ("status", "who has sent orders, and what waits for you"),
    ("dismiss 12", "letter 12 is settled: it no longer waits for you"),
    ("hand over A to ben@x.example", "another person plays seat A from now on, and gets its last report"),
    (
        'withdraw A "has no time any more"',
        "nobody plays seat A any more, and all are told why; hand over brings it back",
    ),
    ("renew tokens of A", "the reply addresses of seat A change; the old ones are void"),
)
"""What he may send, and what it does; ``organize`` does it."""
ADMITTING = (
    ("seat ben@x.example", "he gets the free seat that he has asked for"),
    ("refuse ben@x.example", "he gets none, and is told"),
)
"""What he may send besides, where he decides who gets a free seat."""
RULING = (('rule B14 draw "both were late"', "settle a dispute, for this reason; or by a result, or auto: by dice"),)
"""What he may send while there is a dispute that he may settle."""
MOST_LISTED = 20
"""Letters, and mails, that wait for him and are named one by one."""


def overview(
    host: Host,
    unit: Unit,
    campaign: Campaign,
    *,
    topic: str,
    besides: Letter | None,
    done: tuple[str, ...] = (),
    faults: tuple[Fault, ...] = (),
    teaching: bool = False,
) -> Organizer:
    """A letter to the organizer with his campaign as it stands; ``besides``: the letter that is being obeyed, if one
    is: it waits for nobody, though it has no other status yet; ``teaching``: with all that he can send."""
    stage = unit.campaigns.current_stage(campaign)
    disputes = tuple(each for each in open_disputes(host, unit, campaign) if not own(unit, campaign, each))
    special = (*(ADMITTING if campaign.joining.get("how") == "approved" else ()), *(RULING if disputes else ()))
    return Organizer(
        head=organizer_head(host, campaign, stage),
        topic=topic,
        stage=stage.title if stage else "over",
        done=done,
        faults=faults,
        seats=seatings(host, unit, campaign),
        trouble=(*held_up(host, unit, campaign), *trouble(unit, campaign, besides)),
        disputes=disputes,
        commands=(*COMMANDS, *special) if stage else (),
        brief=not teaching,
    )


def open_disputes(host: Host, unit: Unit, campaign: Campaign) -> tuple[Dispute, ...]:
    """What the players of a campaign do not agree on, where its organizer has the last word."""
    found = game(host, unit, campaign)
    return tuple(found.rules.disputes(found.state)) if found else ()


def own(unit: Unit, campaign: Campaign, dispute: Dispute) -> bool:
    """Whether the organizer plays a seat that has a part in a dispute: nobody rules on his own matter."""
    played = unit.campaigns.seats_of(campaign.organizer)
    return any(seat.campaign_id == campaign.id and seat.code in dispute.between for seat in played)


def closed(host: Host, unit: Unit, found: Game, page: Link | None) -> Organizer:
    """The letter on a stage that has just been closed: ``found`` is the game as it was, ``page`` the public report."""
    stage = found.stage
    done = f"{stage.title} is closed and resolved; the reports are on their way."
    letter = overview(host, unit, found.campaign, topic=f"{stage.title} closed", besides=None, done=(done,))
    return replace(
        letter,
        head=replace(letter.head, links=(*([page] if page else []), *letter.head.links)),
        stage=stage.title,
        seats=tuple(replace(each, note=_joined(_played_as(each), each.note)) for each in _seatings(host, unit, found)),
        trouble=(*held_up(host, unit, found.campaign), *_undone(unit, found.campaign, stage.opened_at)),
    )


def _played_as(seating: Seating) -> str:
    return "played by default orders" if seating.state == "missing" else ""


def send(
    host: Host, unit: Unit, campaign: Campaign, letter: Organizer, cause: str, answers: Letter | None = None
) -> None:
    """Put a letter to the organizer into the outbox; ``answers`` is the letter that it answers."""
    tell(host, unit, campaign, campaign.organizer, letter, cause, answers)


def seatings(host: Host, unit: Unit, campaign: Campaign) -> tuple[Seating, ...]:
    """Who has sent orders for the open stage; nobody when the campaign is over."""
    found = game(host, unit, campaign)
    return _seatings(host, unit, found) if found else ()


def _seatings(host: Host, unit: Unit, found: Game) -> tuple[Seating, ...]:
    awaiting = found.rules.stage(found.state).awaiting
    # What no letter made says only that what was on file is void.
    filed = {code: each for code, each in unit.submissions.filed(found.stage).items() if each.letter_id}
    return tuple(
        Seating(
            realm=seat.name,
            state=_state(seat.code in awaiting, filed[seat.code].final if seat.code in filed else None),
            receipt=filed[seat.code].receipt if seat.code in filed else "",
            received=unit.submissions.received(filed[seat.code]) if seat.code in filed else None,
            note=_note(host, unit, found.campaign, seat),
        )
        for seat in unit.campaigns.seats(found.campaign)
    )


def _note(host: Host, unit: Unit, campaign: Campaign, seat: Seat) -> str:
    """What an organizer ought to know of a seat, whatever it has sent."""
    failing = "mail to it comes back" if unit.campaigns.registered(seat)[0].failing else ""
    return _joined("wants to leave" if wants_to_leave(host, unit, campaign, seat) else "", failing)


def _joined(*notes: str) -> str:
    return "; ".join(filter(None, notes))


def leaving_cause(seat: Seat) -> str:
    """The cause of the mail that tells that the person who has a seat wants to leave."""
    return f"leaves {seat.code} {seat.tenure}"


def wants_to_leave(host: Host, unit: Unit, campaign: Campaign, seat: Seat) -> bool:
    """Whether the person who has a seat has said so."""
    return bool(sent_before(host, unit, campaign, campaign.organizer, f"{campaign.name} {leaving_cause(seat)}"))


def _state(awaited: bool, final: bool | None) -> Literal["final", "sent", "missing", "not awaited"]:
    if final is None:
        return "missing" if awaited else "not awaited"
    return "final" if final else "sent"


def trouble(unit: Unit, campaign: Campaign, besides: Letter | None = None) -> tuple[str, ...]:
    """What waits for the organizer: a held stage, letters that could not be obeyed, mails that were refused.

    Letters and mails of earlier stages wait for nobody any more: they could only change what is closed.
    """
    stage = unit.campaigns.stages(campaign)[0]
    held = [f"{stage.title} could not be resolved and is held."] if stage.status == "held" else []
    asking = [
        f"{each.email} wants to join as {each.name}: seat or refuse him." for each in unit.campaigns.waiting(campaign)
    ]
    return (*held, *_listed(asking, "requests"), *_undone(unit, campaign, stage.closed_at or stage.opened_at, besides))


def held_up(host: Host, unit: Unit, campaign: Campaign) -> tuple[str, ...]:
    """That no mail of his campaign goes out, for the server's own relay has been away for a while."""
    now = host.clock()
    mails = unit.outbox.held_up(campaign, now)
    since = min((mail.created_at for mail in mails), default=now)
    if now - since <= LASTING:
        return ()
    return (f"No mail has gone out since {clock(since, campaign.zone)} ({len(mails)} waiting): {mails[-1].note}.",)


def _undone(unit: Unit, campaign: Campaign, since: datetime, besides: Letter | None = None) -> tuple[str, ...]:
    letters = [
        f"Letter {letter.id} from {letter.sender or 'nobody'}: {letter.note}."
        for letter in unit.letters.waiting(campaign, since)
        if besides is None or letter.id != besides.id
    ]
    mails = [f"Mail to {mail.recipient} failed: {mail.note}." for mail in unit.outbox.failed(campaign, since)]
    return (*_listed(letters, "letters"), *_listed(mails, "mails"))


def _listed(lines: Sequence[str], what: str) -> Sequence[str]:
    """So many that one still reads them: whoever floods the server must not flood the organizer."""
    more = len(lines) - MOST_LISTED
    return [*lines[:MOST_LISTED], f"{more} more {what} like these."] if more > 0 else lines
