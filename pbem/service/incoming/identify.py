"""Who wrote a letter.

A player is known by a registered address, which anybody can put into ``From``, together with something that only he
can have: the token of his seat and stage, or a proof that the letter comes from his domain
(:mod:`pbem.mail.authentication`).

=============  ================  ==========  ======================================================================
address        token             proof       the letter is
=============  ================  ==========  ======================================================================
known          good              aligned     obeyed
known          good              absent      obeyed; if the server is strict, put up for a YES
known          good              failed      put up for a YES
known          none              aligned     obeyed for the open stage, if it is clear which seat is meant; else put up
known          none              otherwise   put up for a YES
of nobody      good              any         held; whose token it is hears of it at his own address
of nobody      none              any         held
not readable   any               any         held; the organizer sees it if a token tells whose campaign it is
=============  ================  ==========  ======================================================================

A token is good if it is that of one of the sender's seats, for any stage, and of this tenure. To put up means to write
to the known address; the reply address of that mail has a token of its own (:func:`pbem.service.tokens.reader_token`),
and who has that needs no other proof: he reads what is sent there. An organizer is known in the same way. An address
that answers the question whether it wants to play a seat (:mod:`pbem.service.incoming.addresses`) is added to it. One
that answers the question whether it asked for a free seat (:mod:`pbem.service.incoming.joining`) gets it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import Literal

from pbem.mail.authentication import Proof
from pbem.mail.reading.card import Card, Frame
from pbem.mail.reading.letter import Letter
from pbem.service.host import Host
from pbem.service.incoming.addresses import invitation
from pbem.service.tokens import ORGANIZER, applicant_token, organizer_token, reader_token, receipt_in, same, seat_token
from pbem.storage.tables import Applicant, Campaign, Seat, Stage
from pbem.storage.unit import Unit

SLOW_CLOCK = timedelta(hours=1)
"""So much may a player's clock be behind."""


RECENT = 10
"""So many stages back a token in a stranger's hands is looked for."""
MOST_QUESTIONS = 5
"""So many of our questions one letter can answer."""
ASKED = 2
"""So many stages back a new address may have been asked whether it wants to play."""


@dataclass(frozen=True)
class Player:
    """A player, writing for one of his seats and a stage that may be closed by now."""

    seat: Seat
    stage: Stage
    proven: bool = False
    """It can be nobody else: his domain vouches for him, or he answers what went to this very address."""


@dataclass(frozen=True)
class Players:
    """One player or, where one mail went to the addresses of several seats, each of them; never nobody."""

    players: tuple[Player, ...]


@dataclass(frozen=True)
class Organizer:
    """The organizer of a campaign."""

    campaign: Campaign


@dataclass(frozen=True)
class Unproven:
    """An address we know, but it may have been forged."""

    seats: tuple[Seat, ...]
    campaigns: tuple[Campaign, ...]
    """Those that he organizes."""
    why: Literal["token", "proof"] = "token"
    """What is missing."""


@dataclass(frozen=True)
class Newcomer:
    """An address that answers our question whether it wants to play this seat as well."""

    seat: Seat


@dataclass(frozen=True)
class Candidate:
    """An address that answers our question whether it wants a free seat."""

    applicant: Applicant


@dataclass(frozen=True)
class Stranger:
    """An address we do not know, or none."""

    seats: tuple[Seat, ...] = ()
    """Those whose tokens he has."""
    campaigns: tuple[Campaign, ...] = ()
    """Those whose organizer's token he has."""


Sender = Players | Organizer | Unproven | Newcomer | Candidate | Stranger


@dataclass(frozen=True)
class _Case:
    """A letter and what speaks for its sender."""

    host: Host
    unit: Unit
    letter: Letter
    card: Card
    proof: Proof
    tokens: tuple[str, ...]

    @cached_property
    def played(self) -> Sequence[tuple[Seat, Campaign, Stage]]:
        """All seats that somebody may write for. Any stranger can make us look, so we look once."""
        return self.unit.campaigns.played()

    @cached_property
    def questions(self) -> Sequence[str]:
        """The tokens that may be those of our questions: each takes time to be made out."""
        return [token for token in self.tokens if receipt_in(token)][:MOST_QUESTIONS]

    def enough(self, proven: bool) -> bool:
        """Whether a good token will do."""
        return proven or (self.proof is Proof.ABSENT and not self.host.strict)


def identify(host: Host, unit: Unit, letter: Letter, card: Card, proof: Proof = Proof.ABSENT) -> Sender:
    """Who wrote a letter, by its sender's address, the tokens in its recipients and its card, and the proof of both.

    The first line of a framed card is exact: it alone says which seat and stage the card is for.
    """
    case = _Case(host, unit, letter, card, proof, tuple(tokens_of(letter.recipients)))
    seats = unit.campaigns.seats_of(letter.sender) if letter.sender else ()
    campaigns = unit.campaigns.organized_by(letter.sender) if letter.sender else ()
    found = _organizer(case, campaigns) or _players(case, seats)
    if found:
        return found
    if letter.sender and (seat := _joining(case)):
        return Newcomer(seat)
    if letter.sender and (applicant := _applying(case)):
        return Candidate(applicant)
    return _without_token(case, seats, campaigns) if seats or campaigns else _stranger(case)


def tokens_of(recipients: Iterable[str]) -> Iterable[str]:
    """The tokens in the addresses that a letter was sent to."""
    for recipient in recipients:
        local = recipient.rpartition("@")[0]
        if "+" in local:
            yield local.partition("+")[2]


# --- with a token -------------------------------------------------------------------------------------------------


def _organizer(case: _Case, campaigns: Sequence[Campaign]) -> Sender | None:
    for campaign in campaigns:
        stage = case.unit.campaigns.stages(campaign)[0]
        key = case.host.key
        answer = reader_token(key, campaign.name, ORGANIZER, 0, stage.number, case.letter.sender)
        reads = _has(case.tokens, answer)
        if reads or _has(case.tokens, organizer_token(key, campaign.name)):
            sure = case.enough(reads or case.proof is Proof.ALIGNED)
            return Organizer(campaign) if sure else Unproven((), (campaign,), "proof")
    return None


def _players(case: _Case, seats: Sequence[Seat]) -> Sender | None:
    """Those of the sender's seats that the letter has a token of."""
    addressed = [player for seat in seats if (player := _player(case, seat, case.tokens))]
    frame = case.card.frame
    players = [player for seat in seats if (player := _framed(case, seat, frame))] if frame else addressed
    if players and all(case.enough(player.proven) for player in players):
        return Players(tuple(players))
    if players:
        return Unproven(tuple(player.seat for player in players), (), "proof")
    return _without_token(case, [player.seat for player in addressed], ()) if addressed else None


def _player(case: _Case, seat: Seat, tokens: Sequence[str]) -> Player | None:
    """The seat, and the stage that one of the tokens is for."""
    campaign = case.unit.campaigns.get(seat.campaign_id)
    for stage in case.unit.campaigns.stages(campaign) if tokens else ():
        names = case.host.key, campaign.name, seat.code, seat.tenure, stage.number
        reads = any(same(each, reader_token(*names, case.letter.sender, receipt_in(each))) for each in case.questions)
        if _has(tokens, seat_token(*names)) or (reads and tokens is case.tokens):
            return Player(seat, stage, reads or case.proof is Proof.ALIGNED)
    return None


def _framed(case: _Case, seat: Seat, frame: Frame) -> Player | None:
    """The seat and stage that a card's first line names, if all of it fits."""
    player = _player(case, seat, (frame.token,))
    campaign = case.unit.campaigns.get(seat.campaign_id)
    if player is None or (campaign.name, player.stage.turn) != (frame.campaign, frame.turn):
        return None
    return player


def _has(tokens: Sequence[str], right: str) -> bool:
    return any(same(token, right) for token in tokens)


# --- without one --------------------------------------------------------------------------------------------------


def _without_token(case: _Case, seats: Sequence[Seat], campaigns: Sequence[Campaign]) -> Sender:
    hinted = _hinted(case, seats, campaigns)
    if case.proof is Proof.ALIGNED:
        named = tuple(_meant(case, hinted.seats))
        if len(named) == 1 and not hinted.campaigns:
            return Players(named)
        if len(hinted.campaigns) == 1 and not hinted.seats and _fresh(case, hinted.campaigns[0]):
            return Organizer(hinted.campaigns[0])
    return hinted


def _meant(case: _Case, seats: Sequence[Seat]) -> Iterator[Player]:
    """The seats that a letter without token may be for: of the campaign and turn that the card's first line names, if
    there is one."""
    frame = case.card.frame
    for seat in seats:
        campaign = case.unit.campaigns.get(seat.campaign_id)
        stage = _fresh(case, campaign)
        if stage and (frame is None or (frame.campaign, frame.turn) == (campaign.name, stage.turn)):
            yield Player(seat, stage, proven=True)


def _fresh(case: _Case, campaign: Campaign) -> Stage | None:
    """The open stage, if the letter was written while it was open: nothing else tells that it is not an old one, come
    late or sent once more by whoever got hold of it."""
    stage = case.unit.campaigns.current_stage(campaign)
    written = case.letter.date
    return stage if stage and written and written + SLOW_CLOCK >= stage.opened_at else None


def _hinted(case: _Case, seats: Sequence[Seat], campaigns: Sequence[Campaign]) -> Unproven:
    """Narrowed down by a subject tag ``[campaign]``, if it names one of them; it is a hint and proves nothing."""
    subject = case.letter.subject.lower()
    tagged = tuple(each for each in seats if _tag(case.unit.campaigns.get(each.campaign_id)) in subject)
    named = tuple(each for each in campaigns if _tag(each) in subject)
    return Unproven(tagged, named) if tagged or named else Unproven(tuple(seats), tuple(campaigns))


def _tag(campaign: Campaign) -> str:
    return f"[{campaign.name}]"


# --- from an address that we do not know --------------------------------------------------------------------------


def _joining(case: _Case) -> Seat | None:
    """The seat that an address was asked about, if this is the answer."""
    for seat, campaign, current in case.played if case.tokens else ():
        for stage in _back(current, ASKED):
            if _has(case.tokens, invitation(case.host, campaign, seat, stage, case.letter.sender)):
                return seat
    return None


def _applying(case: _Case) -> Applicant | None:
    """What somebody has asked for, if this answers our question whether it was he."""
    for applicant in case.unit.campaigns.applicants_at(case.letter.sender) if case.tokens else ():
        campaign = case.unit.campaigns.get(applicant.campaign_id)
        names = campaign.name, applicant.email, applicant.name, applicant.wish
        if _has(case.tokens, applicant_token(case.host.key, *names)):
            return applicant
    return None


def _stranger(case: _Case) -> Stranger:
    """Somebody, and whose tokens he has. That takes the same time for good and for bad ones."""
    tokens = {token.upper() for token in (*case.tokens, *([case.card.frame.token] if case.card.frame else []))}
    seats, campaigns, key = [], {}, case.host.key
    for seat, campaign, current in case.played if tokens else ():
        names = key, campaign.name, seat.code, seat.tenure
        if organizer_token(key, campaign.name) in tokens:
            campaigns[campaign.name] = campaign
        if tokens & {seat_token(*names, stage) for stage in _back(current, RECENT)}:
            seats.append(seat)
    return Stranger(tuple(seats), tuple(campaigns.values()))


def _back(stage: Stage, number: int) -> range:
    """The numbers of so many stages up to this one: they have no gaps."""
    return range(stage.number, max(stage.number - number, -1), -1)
