"""A YES files the mail that was asked about: all that it says, as if it came now."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbem.core.orders import Fault, Line
from pbem.mail.card import CODEC, Card
from pbem.mail.reading import read
from pbem.service.commands import Words
from pbem.service.filing import Desk
from pbem.service.identify import tokens_of
from pbem.service.tokens import reader_token, receipt_in, same
from pbem.storage.tables import Letter, Stage, Submission

MOST_LINES = 500
LONGEST_LINE = 2000
NOTHING = "It answers no mail of mine that asks for a YES; nothing has changed. Answer the mail that asks you."
DONE = "What that mail asked about is on file already; nothing has changed."
EXCERPT = 100
"""Signs of a line that is too long, to know it by."""


@dataclass(frozen=True)
class Said:
    """What a card says to a game."""

    words: Words
    quoted: bool = False
    """It stands only in the quoted part: it may be last turn's."""


def said(desk: Desk, card: Card) -> Said:
    """What a card says; if that is nothing at all, the orders in its quoted part, and of that nothing but orders: our
    own mails name every word to the server, and nobody says YES or LEAVE by quoting them."""
    lines, too_much = _within_bounds(card.lines)
    words = desk.sort_out(lines)
    words.faults += too_much
    if card.further:
        reason = "A mail holds one card; what stands from here on was not read. Send it in a mail of its own."
        words.faults.append(Fault(card.further[0], "", reason))
    if not (words.asks or words.yes or changes(desk, words)):
        quoted = desk.sort_out(_within_bounds(card.quoted)[0]).lines
        if desk.read(quoted).orders:
            return Said(Words(lines=quoted), quoted=True)
    return Said(words)


def _within_bounds(lines: Sequence[Line]) -> tuple[list[Line], list[Fault]]:
    """The lines that are read, and what is said of those that are not: an answer tells of every line, and must not
    become a hundred times as long as a mail that anybody may send."""
    long = [replace(line, text=f"{line.text[:EXCERPT]} …") for line in lines if len(line.text) > LONGEST_LINE]
    faults = [Fault(line, "", f"A line has at most {LONGEST_LINE} signs; this one was not read.") for line in long[:1]]
    short = [line for line in lines if len(line.text) <= LONGEST_LINE]
    reason = f"A card has at most {MOST_LINES} lines; what stands from here on was not read."
    faults += [Fault(line, "", reason) for line in short[MOST_LINES : MOST_LINES + 1]]
    return short[:MOST_LINES], faults


def changes(desk: Desk, words: Words) -> bool:
    """Whether a card changes, or tries to change, what is on file; prose does not."""
    sheet = desk.read(words.lines)
    return words.commands or bool(sheet.orders or sheet.faults or words.faults)


def confirmed(desk: Desk, yes: Line, words: Words, *, proven: bool) -> tuple[Words, Stage]:
    """What a card with a YES says together with the mail that it confirms, and the stage that mail was for. Who may
    write for a seat changes only if its player is ``proven``."""
    proposal = _meant(desk, desk.letter)
    if proposal is None or proposal.status == "confirmed":
        words.faults.append(Fault(yes, "", DONE if proposal else NOTHING))
        return words, desk.game.stage
    earlier = said_in(desk, _letter_of(desk, proposal))
    stage = desk.unit.campaigns.stage(proposal.stage_id)
    if earlier.risky and not proven:
        reason = "This can be done only by an answer to the mail that asked you: its reply address is its own."
        words.faults.append(Fault(yes, "", reason))
        return words, stage
    if stage.id == desk.game.stage.id:
        proposal.status = "confirmed"
        desk.unit.letters.settle(proposal.letter_id, f"confirmed by letter {desk.letter.id}")
    return words.after(earlier), stage


def _meant(desk: Desk, letter: Letter) -> Submission | None:
    """What the mail asked about that a letter answers. Its reply address tells, or the ``In-Reply-To``; no guess is
    made, for anybody can cause a question, and a YES to something else must not be one to that."""
    unit, key, campaign, seat = desk.unit, desk.host.key, desk.game.campaign, desk.seat
    for token in tokens_of(letter.recipients):
        receipt = receipt_in(token)
        asked = unit.submissions.asked_about(seat, receipt) if receipt else None
        stage = unit.campaigns.stage(asked.stage_id).number if asked else 0
        names = campaign.name, seat.code, seat.tenure, stage, letter.sender
        if asked and same(token, reader_token(key, *names, receipt)):
            return asked
    return unit.submissions.asked(seat, letter.answers)


def said_in(desk: Desk, letter: Letter) -> Words:
    """What a stored letter said; where it was a YES, with what that was for."""
    card = CODEC.decode(letter.card) if letter.card else read(letter.raw).card
    words = said(desk, card).words
    proposal = _meant(desk, letter) if words.yes else None
    return words.after(said_in(desk, _letter_of(desk, proposal))) if proposal else words


def _letter_of(desk: Desk, proposal: Submission) -> Letter:
    row = desk.unit.letters.get(proposal.letter_id) if proposal.letter_id is not None else None
    assert row is not None  # Only letters are asked about.
    return row
