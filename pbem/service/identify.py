"""Who wrote a letter: a known address together with a token. Neither is enough by itself."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pbem.mail.card import Card, Frame
from pbem.mail.letter import Letter
from pbem.service.host import Host
from pbem.service.tokens import organizer_token, same, seat_token
from pbem.storage.tables import Campaign, Seat, Stage
from pbem.storage.unit import Unit


@dataclass(frozen=True)
class Player:
    """A player, writing for one of his seats and a stage that may be closed by now."""

    seat: Seat
    stage: Stage


@dataclass(frozen=True)
class Players:
    """One player or, where one mail went to the addresses of several seats, each of them; never nobody."""

    players: tuple[Player, ...]


@dataclass(frozen=True)
class Organizer:
    """The organizer of a campaign."""

    campaign: Campaign


@dataclass(frozen=True)
class Unsure:
    """An address we know, without a token that proves it is he."""

    seats: tuple[Seat, ...]
    campaigns: tuple[Campaign, ...]
    """Those that he organizes."""


@dataclass(frozen=True)
class Stranger:
    """An address we do not know."""


Sender = Players | Organizer | Unsure | Stranger


def identify(host: Host, unit: Unit, letter: Letter, card: Card) -> Sender:
    """Who wrote a letter, by its sender's address and the tokens in its recipients and its card.

    The first line of a framed card is exact: it alone says which seat and stage the card is for.
    """
    if not letter.sender:
        return Stranger()
    seats, campaigns = unit.campaigns.seats_of(letter.sender), unit.campaigns.organized_by(letter.sender)
    tokens = tuple(tokens_of(letter))
    for campaign in campaigns:
        if any(same(token, organizer_token(host.key, campaign.name)) for token in tokens):
            return Organizer(campaign)
    players = [Player(seat, stage) for seat in seats if (stage := _stage_of(host, unit, seat, tokens))]
    addressed = [player.seat for player in players]
    if frame := card.frame:
        players = [found for seat in seats if (found := _framed(host, unit, seat, frame))]
    if players:
        return Players(tuple(players))
    if not seats and not campaigns:
        return Stranger()
    return Unsure(tuple(addressed), ()) if addressed else Unsure(*_hinted(unit, letter, seats, campaigns))


def tokens_of(letter: Letter) -> Iterable[str]:
    """The tokens in the addresses that a letter was sent to."""
    for recipient in letter.recipients:
        local = recipient.rpartition("@")[0]
        if "+" in local:
            yield local.partition("+")[2]


def _framed(host: Host, unit: Unit, seat: Seat, frame: Frame) -> Player | None:
    """The seat and stage that a card's first line names, if all of it fits."""
    stage = _stage_of(host, unit, seat, (frame.token,))
    campaign = unit.campaigns.get(seat.campaign_id)
    fits = stage is not None and (campaign.name, stage.turn) == (frame.campaign, frame.turn)
    return Player(seat, stage) if stage is not None and fits else None


def _stage_of(host: Host, unit: Unit, seat: Seat, tokens: Sequence[str]) -> Stage | None:
    campaign = unit.campaigns.get(seat.campaign_id)
    for stage in unit.campaigns.stages(campaign) if tokens else ():
        right = seat_token(host.key, campaign.name, seat.code, stage.number)
        if any(same(token, right) for token in tokens):
            return stage
    return None


def _hinted(
    unit: Unit, letter: Letter, seats: Sequence[Seat], campaigns: Sequence[Campaign]
) -> tuple[tuple[Seat, ...], tuple[Campaign, ...]]:
    """Narrowed down by a subject tag ``[campaign]``, if it names one of them; it is a hint and proves nothing."""
    tagged = tuple(each for each in seats if _tag(unit.campaigns.get(each.campaign_id)) in letter.subject.lower())
    named = tuple(each for each in campaigns if _tag(each) in letter.subject.lower())
    return (tagged, named) if tagged or named else (tuple(seats), tuple(campaigns))


def _tag(campaign: Campaign) -> str:
    return f"[{campaign.name}]"
