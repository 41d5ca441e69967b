"""Somebody gets a free seat, by his own word or the organizer's: he is in the game at once."""

import re
from dataclasses import replace
from typing import Any

from pbem.core.errors import BadInput
from pbem.core.ruleset import Entrant
from pbem.reports.letters import Applied
from pbem.service.host import Game, Host
from pbem.service.outgoing import telling
from pbem.service.outgoing.post import plain_head, seat_head, tell
from pbem.service.stages import acts, free_seats
from pbem.storage.tables import Address, Applicant, Campaign, Seat, number_of
from pbem.storage.unit import Unit

LONGEST_NAME = 40
NAME = re.compile(rf"(?=[^\W\d_])[\w' -]{{1,{LONGEST_NAME}}}")
"""Of a realm: what a stranger calls it stands in mails to others."""


class NoSeat(Exception):
    """He cannot have the seat; the message says why, in a sentence for him."""

    def __init__(self, reason: str, *, amiss: bool = False) -> None:
        super().__init__(reason)
        self.amiss = amiss
        """It is about what he asked for: another name or army may do."""


def fitting(unit: Unit, found: Game, name: str, wish: str) -> tuple[Entrant, Any]:
    """Who sits down, and the order by which he does. Raises :class:`NoSeat`."""
    admission, campaign = found.rules.admission, found.campaign
    if admission is None or not free_seats.at_stage(found.rules, found.stage.kind) or found.stage.status != "open":
        raise NoSeat("The campaign has begun; nobody joins it any more.")
    if not free_seats.left(unit, campaign):
        raise NoSeat("All its seats are taken.")
    if not NAME.fullmatch(name):
        raise NoSeat(f"A realm needs a name: words of letters, at most {LONGEST_NAME} signs.", amiss=True)
    code = chr(ord("A") + len(unit.campaigns.seats(campaign)))
    try:
        entrant = Entrant(code, name, admission.wish(wish))
        return entrant, admission.enter(found.state, entrant)
    except BadInput as bad:
        raise NoSeat(" ".join(flaw.reason for flaw in bad.flaws), amiss=True) from bad


def sit_down(host: Host, unit: Unit, found: Game, applicant: Applicant, who: str) -> Seat:
    """Give somebody the seat that he asked for, on the word of ``who``. Raises :class:`NoSeat`."""
    unit.campaigns.claim_stage(number_of(found.stage))
    entrant, order = fitting(unit, found, applicant.name, applicant.wish)
    campaign = found.campaign
    after, _ = acts.take(host, unit, found, {entrant.seat: (order,)})
    seat = Seat(
        campaign_id=number_of(campaign),
        code=entrant.seat,
        name=entrant.name,
        zone=campaign.zone,
        options=dict(entrant.options),
        joined_at=host.clock(),
    )
    unit.campaigns.add(seat)
    unit.campaigns.add(Address(seat_id=number_of(seat), email=applicant.email))
    applicant.status = "seated"
    unit.campaigns.audit(campaign, host.clock(), who, f"gave {seat.name} to {applicant.email}, who joined")
    welcome = telling.invitation(host, campaign, seat_head(host, campaign, seat, found.stage), after.state)
    tell(host, unit, campaign, applicant.email, welcome, f"welcome {seat.code}")
    telling.first_report(host, unit, after, seat)
    return seat


def refuse(host: Host, unit: Unit, campaign: Campaign, applicant: Applicant, who: str) -> None:
    """Tell somebody that he gets no seat, and ask no more about him."""
    applicant.status = "refused"
    unit.campaigns.audit(campaign, host.clock(), who, f"refused {applicant.email}, who wanted to join")
    head = replace(plain_head(host, campaign, ""), reply_to=host.address)
    sentence = f"The organizer of {campaign.title} cannot give you a seat."
    tell(host, unit, campaign, applicant.email, Applied(head, "You have no seat", sentence), "refused")
