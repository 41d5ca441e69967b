"""JOIN: somebody asks for a free seat of a campaign, whoever he is.

Anybody can put any address into ``From``, so nobody gets a seat by one mail: the address is asked whether it was he who
wrote, and only its YES, with the token of that question, counts. Then the seat is his or, where the organizer wants to
know who plays, the organizer is asked. All answers are those to a stranger: few in an hour, with nothing of the game.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile
from operator import itemgetter

from pbem.core.grammar import bare
from pbem.core.orders import plain
from pbem.mail.reading.card import Card
from pbem.mail.reading.letter import Letter
from pbem.reports.letters import Applied, Applying, Letterhead, WantsIn
from pbem.service.host import Game, Host, game
from pbem.service.incoming.addresses import yes_or_no
from pbem.service.incoming.commands import IN_FRONT
from pbem.service.incoming.identify import tokens_of
from pbem.service.organizer import seating
from pbem.service.organizer.seating import NoSeat
from pbem.service.outgoing import overview
from pbem.service.outgoing.post import organizer_head, plain_head, tell
from pbem.service.stages import free_seats
from pbem.service.tokens import applicant_token, same
from pbem.storage.tables import Applicant, Campaign, number_of
from pbem.storage.tables import Letter as LetterRow
from pbem.storage.unit import Unit

MOST_LINES = 30
"""Lines of a letter in which the word is looked for."""
LONGEST_LINE = 300
JOIN = re.compile(r"(?<!\w)join\s+(?P<told>.+)", re.IGNORECASE)
BEFORE = frozenset({"the", "your", "a", "campaign", "game"})
"""Words that may stand before the name of a campaign."""
AS = re.compile(r"\s+as\s+(?!soon\b|possible\b|well\b)", re.IGNORECASE)
WITH = re.compile(r"\s*[,;]?\s+(?:with|playing|using)\s+", re.IGNORECASE)
SENTENCE_END = re.compile(r"[.!?;](?=\s|$)")
CODE = re.compile(r"[\s,;.(]+(?:the |my )?code\s*(?:is\b|:|=)?\s*[\w-]+[\s).]*$", re.IGNORECASE)
WORD = re.compile(r"[\w-]+")
COURTESY = re.compile(r"[\s,;]*(?:please|pls|thanks|thank you)?[\s.!]*$", re.IGNORECASE)


@dataclass(frozen=True)
class Request:
    """What somebody asks for."""

    campaign: Campaign
    name: str
    wish: str
    words: frozenset[str]
    """All words of the letter, without their dress: one may be the code."""


def requested(unit: Unit, letter: Letter, card: Card) -> Request | None:
    """What a letter to our bare address asks for, if it names a campaign with free seats, in whatever sentence. One
    with a token is a letter of somebody who plays: his orders may begin with the same word."""
    if not letter.sender or card.frame or any(tokens_of(letter.recipients)):
        return None
    lines = [IN_FRONT.sub("", letter.subject), *(line.text for line in card.commands[:MOST_LINES])]
    told = [found["told"] for line in lines if (found := JOIN.search(bare(line)[:LONGEST_LINE]))]
    campaigns = unit.campaigns.inviting() if told else ()
    words = frozenset(word for line in lines for word in WORD.findall(plain(line)))
    requests = [request for each in told if (request := _request(each, campaigns, words))]
    return next((each for each in requests if each.name), requests[0] if requests else None)


def _request(told: str, campaigns: Sequence[Campaign], words: frozenset[str]) -> Request | None:
    """What stands behind the word: ``the duel, please, as Crane Host with dwarfs``."""
    named, *rest = AS.split(CODE.sub("", told), maxsplit=1)
    said = list(dropwhile(BEFORE.__contains__, WORD.findall(plain(named))))
    fitting = [(len(own), campaign) for campaign in campaigns for own in _names(campaign) if said[: len(own)] == own]
    if not fitting:
        return None
    name, *wish = WITH.split(COURTESY.sub("", SENTENCE_END.split(rest[0])[0]), maxsplit=1) if rest else ("",)
    _, campaign = max(fitting, key=itemgetter(0))
    return Request(campaign, " ".join(name.strip(' ".,').split()), wish[0].strip(' ".,') if wish else "", words)


def _names(campaign: Campaign) -> Iterator[list[str]]:
    """The words by which a campaign goes."""
    for name in (campaign.name, campaign.title):
        yield list(dropwhile(BEFORE.__contains__, WORD.findall(plain(name))))


# --- the request ------------------------------------------------------------------------------------------------------


def ask(host: Host, unit: Unit, row: LetterRow, request: Request) -> tuple[str, str]:
    """Ask the address of a letter whether it was he, or say why he cannot have a seat; the letter's status and note."""
    campaign = request.campaign
    found = game(host, unit, campaign)
    before = unit.campaigns.applicant(campaign, row.sender)
    try:
        if found is None:
            raise NoSeat("The campaign is over.")
        _admit(unit, found, request, row.sender, before)
        seating.fitting(unit, found, request.name, request.wish)
    except NoSeat as reason:
        return _refused(host, unit, row, campaign, reason)
    applicant = before or Applicant(campaign_id=number_of(campaign), email=row.sender, name="", created_at=host.clock())
    if (applicant.name, applicant.wish, applicant.status) != (request.name, request.wish, "waiting"):
        applicant.name, applicant.wish, applicant.status = request.name, request.wish, "asked"
        unit.campaigns.add(applicant)
        _tell(host, unit, row, _question(host, campaign, applicant))
        return "asked", f"wants to join {campaign.name} as {request.name}"
    _tell(host, unit, row, _waits(host, campaign, applicant))
    return "answered", f"waits for a seat in {campaign.name}"


class NoCode(NoSeat):
    """He has not given the code of the campaign."""


def _admit(unit: Unit, found: Game, request: Request, email: str, before: Applicant | None) -> None:
    """Raises :class:`NoSeat` for somebody who must not have a seat here, or not another one."""
    campaign = request.campaign
    played = [seat for seat in unit.campaigns.seats_of(email) if seat.campaign_id == campaign.id]
    if played:
        raise NoSeat(f"You lead {played[0].name} already.")
    if before and before.status == "refused":
        raise NoSeat("The organizer has decided about your request already.")
    code = campaign.joining.get("code", "")
    if code and not any(same(plain(code), word) for word in request.words):
        # Of who plays he hears nothing without it, so not that his name is taken either.
        admission = found.rules.admission
        instead = seating.sounded(admission, request.name, request.wish)[1:] if admission else None
        raise NoCode("It needs the code of the campaign in the place of CODE; the organizer has it.", instead)


def _question(host: Host, campaign: Campaign, applicant: Applicant, *, unclear: bool = False) -> Applying:
    token = applicant_token(host.key, campaign.name, applicant.email, applicant.name, applicant.wish)
    admission = host.rules(campaign.ruleset).admission
    options = admission.wish(applicant.wish) if admission else {}
    wish = ", ".join(f"{key}: {value}" for key, value in options.items())
    by_organizer = campaign.joining["how"] == "approved"
    return Applying(plain_head(host, campaign, token), applicant.name, wish, by_organizer, unclear)


# --- the answer -------------------------------------------------------------------------------------------------------


def answered(host: Host, unit: Unit, row: LetterRow, card: Card, applicant: Applicant) -> tuple[str, str]:
    """Somebody has answered whether he wants the seat that was asked for in his name; the letter's status and note."""
    campaign = unit.campaigns.get(applicant.campaign_id)
    row.campaign_id = campaign.id
    said = {word for line in card.lines if (word := yes_or_no(line.text))}
    if applicant.status != "asked":
        return "answered", f"has asked for a seat already: {applicant.status}"
    if said == {"no"}:
        unit.campaigns.withdraw(applicant)
        return "answered", f"does not want to join {campaign.name}"
    if said != {"yes"}:
        _tell(host, unit, row, _question(host, campaign, applicant, unclear=True))
        return "held", "was asked whether to join, and said neither yes nor no"
    found = game(host, unit, campaign)
    try:
        if found is None:
            raise NoSeat("The campaign is over.")
        if campaign.joining["how"] == "approved":
            seating.fitting(unit, found, applicant.name, applicant.wish)
            return _put_up(host, unit, row, found, applicant)
        seat = seating.sit_down(host, unit, found, applicant, row.sender)
    except NoSeat as reason:
        return _refused(host, unit, row, campaign, reason)
    joined = f"{applicant.email} has joined and leads {seat.name}; seats still free: {free_seats.left(unit, campaign)}."
    news = overview.overview(host, unit, campaign, topic=f"{seat.name} has joined", done=(joined,), besides=row)
    overview.send(host, unit, campaign, news, f"joined {seat.code}")
    return "answered", f"has joined as {seat.name}"


def _put_up(host: Host, unit: Unit, row: LetterRow, found: Game, applicant: Applicant) -> tuple[str, str]:
    """Let the organizer decide."""
    campaign = found.campaign
    applicant.status = "waiting"
    unit.flush()
    head = organizer_head(host, campaign, found.stage)
    letter = WantsIn(head, applicant.email, applicant.name, applicant.wish, free_seats.left(unit, campaign))
    tell(host, unit, campaign, campaign.organizer, letter, f"wants in {row.cause}")
    _tell(host, unit, row, _waits(host, campaign, applicant))
    return "answered", f"wants to join as {applicant.name}; the organizer has been told"


def _waits(host: Host, campaign: Campaign, applicant: Applicant) -> Applied:
    sentence = (
        f"You have asked to lead {applicant.name} in {campaign.title}. The organizer decides; you will hear of it."
    )
    return Applied(_head(host, campaign), "Your request waits for the organizer", sentence)


def _refused(host: Host, unit: Unit, row: LetterRow, campaign: Campaign, reason: NoSeat) -> tuple[str, str]:
    _tell(host, unit, row, Applied(_head(host, campaign), "You have no seat", str(reason), _instead(campaign, reason)))
    return "answered", f"cannot join {campaign.name}: {reason}"


def _instead(campaign: Campaign, reason: NoSeat) -> str:
    """What to send after a refusal; nothing if no line would help. The code goes only to who has given it."""
    if reason.instead is None:
        return ""
    name, wish = reason.instead
    code = "CODE" if isinstance(reason, NoCode) else campaign.joining.get("code", "")
    return f"JOIN {campaign.name} as {name}" + (f" with {wish}" if wish else "") + (f", code {code}" if code else "")


def _head(host: Host, campaign: Campaign) -> Letterhead:
    return replace(plain_head(host, campaign, ""), reply_to=host.address)


def _tell(host: Host, unit: Unit, row: LetterRow, letter: Applying | Applied) -> None:
    """Answer a letter as one of a stranger: what goes to strangers belongs to no campaign, and has one limit."""
    kind = type(letter).__name__.lower()
    tell(host, unit, None, row.sender, letter, f"{kind} {row.cause}", row)
