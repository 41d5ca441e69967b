"""Letters whose sender is not proven: what they say does not count, and the answer goes where it can do no harm.

An answer to a known address asks for a YES. An answer to any other says the same to everybody, whatever tokens he has;
only where a question of ours has gone before it speaks of that.
"""

from datetime import datetime
from textwrap import shorten
from typing import Literal

from pbem.mail.reading.card import Card
from pbem.reports.letters import Misused, Unknown, Unsure
from pbem.service.host import Host, game
from pbem.service.incoming import addresses, answering
from pbem.service.incoming.commands import Words
from pbem.service.incoming.confirming import said
from pbem.service.incoming.filing import Desk, Filed, file_card
from pbem.service.incoming.identify import ASKED, Newcomer, Stranger, Unproven
from pbem.service.limits import HOUR
from pbem.service.organizer import organize
from pbem.service.outgoing.post import asking_head, organizer_head, seat_head, tell
from pbem.storage.tables import Letter as LetterRow
from pbem.storage.tables import Mail, number_of
from pbem.storage.unit import Unit

LONGEST_WORD = 340
"""Signs of a word to the server that are shown: enough for the longest address."""
MOST_WARNINGS = 3
"""So often somebody hears in an hour that his token was misused, by however many strangers."""


def unsure(host: Host, unit: Unit, row: LetterRow, card: Card, sender: Unproven) -> tuple[str, str]:
    """What a known address sent may be forged: it is put up for a YES, and only who reads what goes to that address
    can give it. An organizer gets an address to write to."""
    for seat in sender.seats:
        found = game(host, unit, unit.campaigns.get(seat.campaign_id))
        if found is None:
            answering.over(host, unit, row, seat)
        else:
            put_up(Desk(host, unit, found, seat, row), card, sender.why)
    for campaign in sender.campaigns:
        organize.ask_back(host, unit, campaign, row, card.commands)
    missing = "no valid token" if sender.why == "token" else "its sender is not proven"
    return "asked", f"known address, but {missing}"


def put_up(desk: Desk, card: Card, why: Literal["token", "proof", "account"]) -> None:
    """Ask for the YES that does what a card says."""
    words = said(desk, card).words
    filed = file_card(desk, words, propose=True)
    assert filed.submission is not None  # What is proposed is stored.
    letter = Unsure(
        head=asking_head(desk.host, desk.game.campaign, desk.seat, desk.game.stage, desk.letter.sender, filed.receipt),
        why=why,
        receipt=filed.receipt,
        received=desk.letter.received_at,
        lines=_told(words, filed),
    )
    filed.submission.question = answering.reply(desk, letter)


def _told(words: Words, filed: Filed) -> tuple[str, ...]:
    """What a card says that a YES would do. Of what a stranger may have written there is no more than is needed to know
    it by."""
    spoken = [(line.number, shorten(line.text, LONGEST_WORD, placeholder=" ...")) for line in words.spoken]
    orders = [(each.line.number, str(each.order)) for each in filed.sheet.orders]
    return tuple(text for _, text in sorted((*spoken, *orders)))


def newcomer(host: Host, unit: Unit, row: LetterRow, card: Card, sender: Newcomer) -> tuple[str, str]:
    """An address answers the question whether it wants to play."""
    found = game(host, unit, unit.campaigns.get(sender.seat.campaign_id))
    assert found is not None  # Only seats of open campaigns are asked about.
    return addresses.join(host, unit, row, card, sender.seat, found)


def stranger(host: Host, unit: Unit, row: LetterRow, sender: Stranger) -> tuple[str, str]:
    """An address that nobody plays from, or none: the letter is kept. Whose token it has is warned."""
    for seat in sender.seats:
        campaign = unit.campaigns.get(seat.campaign_id)
        stage = unit.campaigns.current_stage(campaign)
        row.campaign_id = row.campaign_id or number_of(campaign)
        if stage:
            question = unit.outbox.newest(row.sender, f"{campaign.name} joining {seat.code} ")
            asked = question.created_at if question and _is_open(host, unit, question, row.sender) else None
            warning = Misused(seat_head(host, campaign, seat, stage), row.sender, asked)
            _warn(host, unit, row, warning, unit.campaigns.address(seat), f"misused {seat.code}")
    for campaign in sender.campaigns:
        row.campaign_id = row.campaign_id or number_of(campaign)
        head = organizer_head(host, campaign, unit.campaigns.current_stage(campaign))
        _warn(host, unit, row, Misused(head, row.sender), campaign.organizer, "misused organizer")
    if row.sender:
        letter = Unknown(host.address, _asked(host, unit, row.sender))
        tell(host, unit, None, row.sender, letter, f"unknown {row.cause}", row)
    whose = ", ".join([*(seat.name for seat in sender.seats), *("the organizer" for _ in sender.campaigns)])
    note = "unknown sender" if row.sender else "no usable sender address"
    return "held", f"{note}, with a token of {whose}" if whose else note


def _asked(host: Host, unit: Unit, email: str) -> datetime | None:
    """When a question went to an address that has not answered it, in whatever campaign."""
    question = unit.outbox.newest(email, " joining ") if email else None
    waits = question and not question.withdrawn and _is_open(host, unit, question, email)
    return question.created_at if question and waits else None


def _is_open(host: Host, unit: Unit, question: Mail, email: str) -> bool:
    """Whether the mail that asked an address whether it wants to play a seat can still be answered."""
    campaign = unit.campaigns.get(question.campaign_id or 0)
    stage = unit.campaigns.current_stage(campaign)
    if stage is None:
        return False
    tokens = (
        addresses.invitation(host, campaign, seat, number, email)
        for seat in unit.campaigns.seats(campaign)
        for number in range(stage.number, max(stage.number - ASKED, -1), -1)
    )
    return any(host.reply_address(token).encode() in question.raw for token in tokens)


def _warn(host: Host, unit: Unit, row: LetterRow, warning: Misused, recipient: str, cause: str) -> None:
    campaign = warning.head.campaign
    if unit.outbox.count(host.clock() - HOUR, f"{campaign} {cause} ") < MOST_WARNINGS:
        tell(host, unit, unit.campaigns.named(campaign), recipient, warning, f"{cause} {row.cause}")
