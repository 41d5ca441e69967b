"""Somebody gets a free seat, by his own word or the organizer's: he is in the game at once."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pbem.core.errors import BadInput, Flaw
from pbem.core.ruleset import Admission, Entrant
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
EXAMPLE = "Crane Host"
"""What a realm could be called."""
APART = ("New", "North", "South", "East", "West", "High", "Far", "Old")
"""Words that make another name of one that is taken."""


class NoSeat(Exception):
    """He cannot have the seat; the message says why, in a sentence for him."""

    def __init__(self, reason: str, instead: tuple[str, str] | None = None) -> None:
        super().__init__(reason)
        self.instead = instead
        """A name and a wish that may do, where it is about what he asked for."""


def fitting(unit: Unit, found: Game, name: str, wish: str) -> tuple[Entrant, Any]:
    """Who sits down, and the order by which he does. Raises :class:`NoSeat` with all that is amiss."""
    admission, campaign = found.rules.admission, found.campaign
    if admission is None or not free_seats.at_stage(found.rules, found.stage.kind) or found.stage.status != "open":
        raise NoSeat("The campaign has begun; nobody joins it any more.")
    if not free_seats.left(unit, campaign):
        raise NoSeat("All its seats are taken.")
    flaws, sound, readable = sounded(admission, name, wish)
    code = chr(ord("A") + len(unit.campaigns.seats(campaign)))
    entrant = Entrant(code, sound, admission.wish(readable))
    if sound == name:
        flaws = [*flaws, *_against(admission, found.state, entrant)]
    if flaws:
        instead = _free_name(admission, found.state, entrant), readable
        raise NoSeat(" ".join(flaw.reason for flaw in flaws), instead)
    return entrant, admission.enter(found.state, entrant)


def sounded(admission: Admission, name: str, wish: str) -> tuple[Sequence[Flaw], str, str]:
    """What is wrong with a name and a wish in any game, and a sound name and wish that come near them. Those may be
    mailed to anybody, whoever has written the others."""
    flaws: list[Flaw] = []
    if not NAME.fullmatch(name):
        flaws.append(Flaw("name", f"A realm needs a name: words of letters, at most {LONGEST_NAME} signs.", EXAMPLE))
        name = EXAMPLE
    try:
        admission.wish(wish)
    except BadInput as bad:
        flaws += bad.flaws
        wish = bad.flaws[0].instead
    return flaws, name, wish


def _against(admission: Admission, state: Any, entrant: Entrant) -> Sequence[Flaw]:
    """What the game as it stands has against somebody."""
    try:
        admission.enter(state, entrant)
    except BadInput as bad:
        return bad.flaws
    return ()


def _free_name(admission: Admission, state: Any, entrant: Entrant) -> str:
    """His name, or one like it that the game has nothing against."""
    names = [name for own in (entrant.name, EXAMPLE) for name in (own, *(f"{word} {own}" for word in APART))]
    sound = (name for name in names if NAME.fullmatch(name))
    return next((name for name in sound if not _against(admission, state, replace(entrant, name=name))), entrant.name)


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
    welcome = telling.invitation(host, campaign, seat, seat_head(host, campaign, seat, found.stage), after.state)
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
