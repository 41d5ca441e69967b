"""A YES files the mail that was asked about: all that it says, as if it came now."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pbem.core.orders import Fault, Line, Sheet
from pbem.mail.reading.card import CODEC, Card
from pbem.mail.reading.safely import read
from pbem.service.bounds import within_bounds
from pbem.service.incoming.commands import Words
from pbem.service.incoming.filing import Desk
from pbem.service.incoming.identify import tokens_of
from pbem.service.tokens import reader_token, receipt_in, same
from pbem.storage.tables import Letter, Stage, Submission

NOTHING = "It answers no mail of mine that asks for a YES; nothing has changed. Answer the mail that asks you."
DONE = "What that mail asked about is on file already; nothing has changed."


Doubt = Literal["", "quoted", "outside"]


@dataclass(frozen=True)
class Said:
    """What a card says to a game."""

    words: Words
    doubt: Doubt = ""
    """Why it counts only with a YES. ``quoted``: it stands only in the quoted part, and may be last turn's.
    ``outside``: some of it stands outside the card, or below a quotation that itself stands below orders."""


def said(desk: Desk, card: Card) -> Said:
    """What a card says; if that is nothing at all, the orders in its quoted part, and of that nothing but orders: our
    own mails name every word to the server, and nobody says YES or LEAVE by quoting them."""
    words = _words(desk, card.lines)
    if not _says(desk, words):
        words = _words(desk, sorted((*card.lines, *card.outside), key=lambda line: line.number))
    elif card.outside:
        more = _words(desk, card.outside)
        sheet = desk.read(more.lines)
        if not (sheet.orders or more.commands):
            words.faults += sheet.faults
        elif words.yes:
            reason = "This stands outside what you said YES in, and was not read. Send it in a mail of its own."
            words.faults.append(Fault(_first(sheet, card.outside), "", reason))
        else:
            orders = Words(
                ok=more.ok, final=more.final, replace_all=more.replace_all, cancel=more.cancel, lines=more.lines
            )
            return Said(_told_of_second(orders.after(words), card), "outside")
    words = _told_of_second(words, card)
    if not _says(desk, words):
        quoted = desk.sort_out(within_bounds(card.quoted)[0]).lines
        if desk.read(quoted).orders:
            return Said(Words(lines=quoted), "quoted")
    words.faults += _of_file(desk, _says(desk, words), within_bounds(card.attached)[0])
    return Said(words)


def _of_file(desk: Desk, says: bool, lines: Sequence[Line]) -> Sequence[Fault]:
    """What is to be told of a text file next to a text in which no order was found, or which ``says`` something itself:
    what is wrong with it, or that it was not read."""
    sheet = desk.read(desk.sort_out(lines).lines)
    if not (says and sheet.orders):
        return () if says else sheet.faults
    reason = "This stands in a file beside what your mail says, and was not read. Send it in a mail of its own."
    return (Fault(_first(sheet, lines), "", reason),)


def _words(desk: Desk, lines: Sequence[Line]) -> Words:
    """What lines say, with a fault for what is too much of them."""
    within, too_much = within_bounds(lines)
    words = desk.sort_out(within)
    words.faults += too_much
    return words


def _says(desk: Desk, words: Words) -> bool:
    return bool(words.asks or words.yes or changes(desk, words))


def _first(sheet: Sheet, lines: Sequence[Line]) -> Line:
    """The first order's line, or else the first of all."""
    return next((each.line for each in sheet.orders), lines[0])


def _told_of_second(words: Words, card: Card) -> Words:
    """The words, with a fault where a second card begins."""
    if card.further:
        reason = "A mail holds one card; what stands from here on was not read. Send it in a mail of its own."
        words.faults.append(Fault(card.further[0], "", reason))
    return words


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
    card = CODEC.decode(letter.card) if letter.card else read(letter.raw, files=desk.host.files).card
    words = said(desk, card).words
    proposal = _meant(desk, letter) if words.yes else None
    return words.after(said_in(desk, _letter_of(desk, proposal))) if proposal else words


def _letter_of(desk: Desk, proposal: Submission) -> Letter:
    row = desk.unit.letters.get(proposal.letter_id) if proposal.letter_id is not None else None
    assert row is not None  # Only letters are asked about.
    return row
