"""A letter has come in: store it, find out who wrote it, do what it says and answer, all in one transaction.

What cannot be done is stored all the same and shown to the organizer: no mail is lost.
"""

import logging
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal

from sqlalchemy.exc import IntegrityError, InterfaceError, OperationalError

from pbem.mail.authentication import Proof
from pbem.mail.reading.automatic import WEAK
from pbem.mail.reading.card import CODEC, Card
from pbem.mail.reading.letter import Envelope, Letter
from pbem.mail.reading.screen import House, screen
from pbem.reports.letters import Acknowledgement, Unread
from pbem.service.host import Host, game, no_proof
from pbem.service.incoming import act, addresses, answering, joining, leaving, trying, unproven
from pbem.service.incoming.commands import Words, tries
from pbem.service.incoming.confirming import Doubt, changes, confirmed, said
from pbem.service.incoming.filing import Desk, Filed, file_card
from pbem.service.incoming.identify import (
    Candidate,
    Newcomer,
    Organizer,
    Player,
    Players,
    Sender,
    Stranger,
    Unproven,
    identify,
)
from pbem.service.incoming.receipt_time import after_deadline, later_cards
from pbem.service.limits import too_many_letters
from pbem.service.orders import orders_of
from pbem.service.organizer import organize
from pbem.service.outgoing import bounces
from pbem.service.outgoing.post import asking_head, seat_head, tell
from pbem.storage.tables import Letter as LetterRow
from pbem.storage.tables import Stage
from pbem.storage.unit import Unit

log = logging.getLogger(__name__)

EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
"""No mail came in before this, whatever a mailbox says."""

BY_WEIGHT = ("held", "failed", "asked", "filed", "answered", "ignored")
"""What may have become of a letter, the one to show first."""

MOVING = frozenset({"filed", "answered"})
"""What has become of a letter that may have made a stage due: orders of players and commands of organizers. One that is
also held for something else is not among them; what it did is seen at the next tick."""


@dataclass(frozen=True)
class Arrived:
    """A letter that has just come in, as bytes and as read."""

    raw: bytes
    route: str
    letter: Letter
    card: Card
    received: datetime | None = None
    """When it came in; ``None``: now."""
    proof: Proof = Proof.ABSENT
    """Of its sender."""


def accept(host: Host, raw: bytes, envelope: Envelope, route: str) -> str:
    """Take in a mail; when this returns it is safe. What became of it: its status, or ``known``.

    The same mail again changes nothing, unless it now comes to a further address of ours. A letter that breaks the
    program is stored as ``failed``. Raises only when nothing could be stored: then the mail must be kept and offered
    again.
    """
    return take_in(host, arrive(host, raw, envelope, route))


def arrive(host: Host, raw: bytes, envelope: Envelope, route: str) -> Arrived:
    """Read a mail, and see who vouches for its sender. May take its time: it writes nothing, and nobody waits for it.

    Raises what keeps this machine from reading any mail, or the database from being read.
    """
    letter, card = host.read(raw, envelope)
    return Arrived(raw, route, letter, card, received(envelope.arrived, host.clock()), proof_of(host, raw, letter))


def take_in(host: Host, arrived: Arrived) -> str:
    """Store a mail that has been read, and do what it says; what became of it, as :func:`accept` has it."""
    try:
        return _take_once(host, arrived)
    except (OperationalError, InterfaceError):
        raise  # The database is busy or away: the mail is good, and is to be offered again.
    except Exception:
        log.exception("letter from %s not processed", arrived.letter.sender)
        return _keep_failed(host, arrived)


def proof_of(host: Host, raw: bytes, letter: Letter) -> Proof:
    """What proves the sender of a letter, if he is known. May ask the DNS: not to be called in a unit of work."""
    if host.prove is no_proof or not letter.sender or screen(letter, _house(host)):
        return Proof.ABSENT
    with host.reading() as unit:
        known = unit.campaigns.seats_of(letter.sender) or unit.campaigns.organized_by(letter.sender)
    return host.prove(raw, letter.sender) if known else Proof.ABSENT


def received(arrived: datetime | None, now: datetime) -> datetime:
    """When a mail came in, as its way in says; never later than now, for the clock of a mailbox may be ahead."""
    if arrived is None:
        return now
    return max(min(arrived.replace(tzinfo=arrived.tzinfo or UTC), now), EARLIEST)


def _take_once(host: Host, arrived: Arrived) -> str:
    try:
        return _take(host, arrived)
    except IntegrityError:
        # At the same moment another server has stored the same mail, or another one for the same seat, which took the
        # number of the version. What it wrote is there now. A breach that comes again is an error of ours.
        return _take(host, arrived)


def _take(host: Host, arrived: Arrived) -> str:
    with host.unit() as unit:
        letter = arrived.letter
        if known := unit.letters.known(letter.content_hash, letter.message_id, letter.sender, letter.text_hash):
            outcome = _again(host, unit, known, arrived)
        else:
            row = unit.letters.add(_row(host, arrived))
            row.status, row.note = process(host, unit, row, arrived)
            outcome = row.status
        unit.commit()
        return outcome


def _again(host: Host, unit: Unit, row: LetterRow, arrived: Arrived) -> str:
    """A mail that is known. Where a mail goes to several of our addresses each may get a copy, and not every copy
    shows all of them (Bcc): one that brings a further address counts for those who got none of the copies before."""
    letter = arrived.letter
    further = tuple(each for each in letter.recipients if each not in row.recipients)
    if not further or screen(letter, _house(host)):
        return "known"
    before = identify(host, unit, replace(letter, recipients=tuple(row.recipients)), arrived.card, arrived.proof)
    sender = _besides(before, identify(host, unit, replace(letter, recipients=further), arrived.card, arrived.proof))
    if sender is None:
        return "known"
    row.recipients = [*row.recipients, *further]
    row.status, row.note = _together([(row.status, row.note), _obey(host, unit, row, arrived, sender)])
    return row.status


def _besides(before: Sender, sender: Sender) -> Sender | None:
    """Who proves by a further address that a mail is for him as well; nobody, if the mail was for him before."""
    match sender:
        case Players(players):
            had = [player.seat for player in before.players] if isinstance(before, Players) else []
            more = tuple(player for player in players if player.seat not in had)
            return Players(more) if more else None
        case Organizer():
            return sender if sender != before else None
        case _:
            return None


def _keep_failed(host: Host, arrived: Arrived) -> str:
    with host.unit() as unit:
        if not unit.letters.known(arrived.letter.content_hash):
            row = unit.letters.add(_row(host, arrived))
            row.status, row.note = "failed", "the program could not process it; the log has the reason"
            if not (screen(arrived.letter, _house(host)) or bounces.came_back(host, unit, arrived.letter)):
                _tell_unread(host, unit, row, "the program stumbled over it")
            unit.commit()
    return "failed"


def _row(host: Host, arrived: Arrived) -> LetterRow:
    now = host.clock()
    return LetterRow(
        content_hash=arrived.letter.content_hash,
        received_at=arrived.received or now,
        stored_at=now,
        route=arrived.route,
        raw=arrived.raw,
        size=arrived.letter.size,
        whole=arrived.letter.whole,
        **as_read(arrived.letter, arrived.card),
    )


def as_read(letter: Letter, card: Card) -> dict[str, Any]:
    """What reading a letter adds to its row."""
    return {
        "recipients": list(letter.recipients),
        "sender": letter.sender,
        "subject": letter.subject,
        "message_id": letter.message_id,
        "answers": letter.answers,
        "text_hash": letter.text_hash,
        "card": CODEC.encode(card),
    }


def _house(host: Host) -> House:
    return House(frozenset({host.id_domain}), host.largest, host.address)


def _tell_unread(host: Host, unit: Unit, row: LetterRow, reason: str, obstacle: str = "") -> None:
    if row.sender:
        letter = Unread(host.address, row.subject, reason, obstacle)
        tell(host, unit, None, row.sender, letter, f"unread {row.cause}", row)


def process(host: Host, unit: Unit, row: LetterRow, arrived: Arrived) -> tuple[str, str]:
    """Do what a letter says; its status and a note for the organizer."""
    odd = arrived.letter.automatic or bounces.came_back(host, unit, arrived.letter)
    sender = _by_token(host, unit, arrived) if odd else None
    is_card = sender and not arrived.letter.automatic
    if not is_card and (outcome := bounces.take(host, unit, row, arrived.letter)):
        return outcome
    finding = screen(arrived.letter, _house(host))
    if finding and finding.reason in WEAK and sender and _orders(host, unit, row, arrived, sender):
        if row.attempts == 1:
            _assign(row, sender)
            return "held", f"{finding.reason}, but has a good token and an order; take it in again to obey it"
        finding = None  # The organizer lets it in.
    if finding:
        if finding.answer:
            _tell_unread(host, unit, row, finding.reason, finding.check)
        return "held" if finding.held else "ignored", finding.reason
    return _obey(host, unit, row, arrived, identify(host, unit, arrived.letter, arrived.card, arrived.proof))


def _by_token(host: Host, unit: Unit, arrived: Arrived) -> Sender | None:
    """Who wrote a letter, if he has a good token, whatever else is known of him."""
    match identify(host, unit, arrived.letter, arrived.card):
        case (Players() | Organizer() | Unproven(_, _, "proof")) as sender:
            return sender
        case _:
            return None


def _orders(host: Host, unit: Unit, row: LetterRow, arrived: Arrived, sender: Sender) -> bool:
    """Whether a player has written an order himself: an answer in his absence only quotes some."""
    seats = [player.seat for player in sender.players] if isinstance(sender, Players) else []
    for seat in [*seats, *(sender.seats if isinstance(sender, Unproven) else ())]:
        found = game(host, unit, unit.campaigns.get(seat.campaign_id))
        card = said(Desk(host, unit, found, seat, row), arrived.card) if found else None
        if found and card and not card.doubt and Desk(host, unit, found, seat, row).read(card.words.lines).orders:
            return True
    return False


def _obey(host: Host, unit: Unit, row: LetterRow, arrived: Arrived, sender: Sender) -> tuple[str, str]:
    request = joining.requested(unit, arrived.letter, arrived.card)
    if request is None:
        _assign(row, sender)
    if reason := too_many_letters(host, unit, row):
        return "held", reason
    if request:
        return joining.ask(host, unit, row, request)
    match sender:
        case Organizer(campaign):
            return "answered", organize.obey(host, unit, campaign, row, arrived.card.commands)
        case Players(players):
            bounces.arrived(unit, arrived.letter)
            return _together([_player(host, unit, row, arrived, player) for player in players])
        case Unproven():
            return unproven.unsure(host, unit, row, arrived.card, sender)
        case Newcomer():
            return unproven.newcomer(host, unit, row, arrived.card, sender)
        case Candidate(applicant):
            return joining.answered(host, unit, row, arrived.card, applicant)
        case Stranger():
            return unproven.stranger(host, unit, row, sender)


def _assign(row: LetterRow, sender: Sender) -> None:
    """Note to which campaign and seat a letter belongs, the first time that its sender has a good token or a proof."""
    if row.campaign_id is not None:
        return
    match sender:
        case Organizer(campaign) | Unproven((), (campaign, *_), "proof"):
            row.campaign_id = campaign.id
        case Players((Player(seat), *_)) | Unproven((seat, *_), _, "proof"):
            row.campaign_id, row.seat_id = seat.campaign_id, seat.id


# --- a player -----------------------------------------------------------------------------------------------------


def _together(outcomes: list[tuple[str, str]]) -> tuple[str, str]:
    """The status and note of a letter to several seats: what waits for somebody comes before what is done."""
    status = next(each for each in BY_WEIGHT if each in [status for status, _ in outcomes])
    return status, "; ".join(note for _, note in outcomes)


def _player(host: Host, unit: Unit, row: LetterRow, arrived: Arrived, player: Player) -> tuple[str, str]:
    found = game(host, unit, unit.campaigns.get(player.seat.campaign_id))
    if found is None:
        return answering.over(host, unit, row, player.seat)
    desk = Desk(host, unit, found, player.seat, row)
    if leaving.unsubscribes(arrived.letter):
        return leaving.leave(desk)
    card, stage = said(desk, arrived.card), player.stage
    words = card.words
    words.trying |= tries(arrived.letter.subject)
    if words.trying:
        return _try(desk, words, doubt=card.doubt)
    trying.without(desk, words)
    if not player.proven and addresses.risks(desk, words):
        unproven.put_up(desk, arrived.card, "account")
        return "asked", "would change who may write for the seat"
    if after_deadline(desk) and (words.yes or changes(desk, words)):
        return _overdue(desk, words)
    if words.yes:
        words, stage = confirmed(desk, words.yes, words, proven=player.proven)
        if words.trying:
            return _try(desk, words)
    note = addresses.obey(desk, words) if words.account else ""
    outcome = _say(desk, words, stage, doubt=card.doubt)
    return _together([outcome, ("held", note)]) if note else outcome


def _say(desk: Desk, words: Words, stage: Stage, *, doubt: Doubt) -> tuple[str, str]:
    """What a card says to the game."""
    answering.answer(desk, words)
    if not changes(desk, words):
        return ("answered", "asked for something") if words.asks else _nothing(desk, words)
    if stage.id != desk.game.stage.id:
        return _late(desk, words, stage)
    return _doubtful(desk, words, doubt) if doubt else _file(desk, words)


def _try(desk: Desk, words: Words, *, doubt: Doubt = "") -> tuple[str, str]:
    """A card that wants to know what may come of it: answered, and nothing of it is done."""
    answering.answer(desk, words)
    answering.reply(desk, trying.tried(desk, Words(trying=True) if doubt == "quoted" else words))
    return "answered", "asked for the odds"


def _nothing(desk: Desk, words: Words) -> tuple[str, str]:
    """A card that says nothing to the game: what is on file stays, and who has sent nothing still has not."""
    answering.reply(desk, _acknowledgement(desk, words, _unfiled(desk, words)))
    return "answered", "nothing in it can be read as an order"


def _overdue(desk: Desk, words: Words) -> tuple[str, str]:
    """A card that came after the deadline while its stage is being closed: it counts neither there nor, unasked, in
    the next one."""
    answering.answer(desk, words)
    stage = desk.game.stage
    ack = _acknowledgement(desk, words, _unfiled(desk, words))
    answering.reply(desk, replace(ack, kind="overdue", missed=stage.title, closed=stage.deadline))
    return "held", f"came after the deadline of {stage.title}"


def _unfiled(desk: Desk, words: Words) -> Filed:
    """What a card says, and what stands on file without it."""
    current = desk.unit.submissions.current(desk.game.stage, desk.seat)
    standing = orders_of(desk.game.rules, current)
    return Filed(None, desk.read(words.lines), desk.game.rules.check(desk.view, standing))


def _file(desk: Desk, words: Words) -> tuple[str, str]:
    later = later_cards(desk)
    filed = file_card(desk, words, later=later.words if later else ())
    ack = _acknowledgement(desk, words, filed)
    if filed.acts:
        done = act.carry_out(desk, filed.acts)
        desk = replace(desk, game=done.game)
        standing = orders_of(desk.game.rules, filed.submission)
        check = desk.game.rules.check(desk.view, standing)
        check = replace(check, faults=(*filed.check.faults, *done.faults))
        ack = replace(_acknowledgement(desk, words, filed), check=check, done=done.told, acted=done.count)
    if later:
        ack = replace(ack, receipt="" if filed.same else filed.receipt, final=False)
        ack = replace(ack, later=later.receipt, later_at=later.received, overtaken=filed.overtaken)
    elif filed.same and not ack.faults:
        ack = replace(ack, kind="unchanged", same_as=filed.receipt)
    if filed.submission is None:
        answering.reply(desk, ack)
        return "answered", "no line of it can be carried out"
    answering.reply(desk, replace(ack, reopened=filed.reopened))
    return "filed", f"receipt {filed.receipt}"


def _late(desk: Desk, words: Words, stage: Stage) -> tuple[str, str]:
    """Orders for a stage that is closed: put up for the open one, and nothing happens without a YES."""
    filed = file_card(desk, words, propose=True)
    ack = _acknowledgement(desk, words, filed)
    _ask(desk, filed, replace(ack, kind="late", missed=stage.title, closed=stage.closed_at))
    return "held", f"came for {stage.title}, which is closed; receipt {filed.receipt}"


def _doubtful(desk: Desk, words: Words, doubt: Literal["quoted", "outside"]) -> tuple[str, str]:
    """Orders stand only behind quotation marks, or some stand outside the card: they may be last turn's."""
    filed = file_card(desk, words, propose=True)
    status = _ask(desk, filed, replace(_acknowledgement(desk, words, filed), kind=doubt))
    where = "only in the quoted part" if doubt == "quoted" else "outside the card"
    return status, f"orders {where}; receipt {filed.receipt}"


def _ask(desk: Desk, filed: Filed, ack: Acknowledgement) -> str:
    """Send the question whose YES files a card, if there is anything to file; the letter's status."""
    if filed.submission and ack.understood:
        campaign, stage = desk.game.campaign, desk.game.stage
        head = asking_head(desk.host, campaign, desk.seat, stage, desk.letter.sender, filed.receipt)
        filed.submission.question = answering.reply(desk, replace(ack, head=head))
        return "asked"
    answering.reply(desk, ack)
    return "answered"


def _acknowledgement(desk: Desk, words: Words, filed: Filed) -> Acknowledgement:
    ack = Acknowledgement(
        head=seat_head(desk.host, desk.game.campaign, desk.seat, desk.game.stage),
        turn=desk.game.stage.turn,
        receipt=filed.receipt,
        content=desk.letter.content_hash if filed.submission and not filed.same else "",
        received=desk.letter.received_at,
        sheet=filed.sheet,
        check=filed.check,
        all_hold=words.ok,
        final=words.final,
        replaced=words.replace_all,
        dropped=filed.dropped,
        outdone=filed.outdone,
    )
    return ack if ack.understood else replace(ack, examples=answering.examples(desk))
