"""Receipt time rules: a card counts by when it came into our mailbox or to our listener, not by when it was read.

Mailboxes give no more than seconds: what came in within the same second counts in the order in which it was read.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.service.incoming.commands import Words
from pbem.service.incoming.confirming import said_in
from pbem.service.incoming.filing import Desk

SECOND = timedelta(seconds=1)
CLOSING = timedelta(minutes=5)
"""So long it may take to close a stage that is due. If it is open even later nobody is there to close it, and it will
be given more time."""


@dataclass(frozen=True)
class Later:
    """What came in after the card on the desk, though it was filed before."""

    words: tuple[Words, ...]
    receipt: str
    """Of the newest of those cards."""
    received: datetime


def later_cards(desk: Desk) -> Later | None:
    """The cards of this player that came in later and are filed already; ``None`` if the card on the desk is the last.

    So it is when a mailbox could not be reached while the listener could, or when mail was moved about in a mailbox.
    """
    unit, stage, seat = desk.unit, desk.game.stage, desk.seat
    after = _second(desk.letter.received_at) + SECOND
    if after > desk.host.clock():
        return None  # It came in just now, as nearly all do.
    rows = unit.letters.filed_since(stage, seat, after)
    current = unit.submissions.current(stage, seat) if rows else None
    if current is None:
        return None
    newest = unit.submissions.made_by(rows[-1], stage, seat) or current
    words = [said_in(desk, row) for row in rows]
    if any(each.yes for each in words):  # To no certain mail: it may be for any that was confirmed.
        words += [said_in(desk, row) for row in unit.letters.confirmed(stage, seat)]
    return Later(tuple(words), newest.receipt, rows[-1].received_at)


def after_deadline(desk: Desk) -> bool:
    """Whether a card came in after the deadline of a stage that is open only because it is just being closed."""
    stage, campaign = desk.game.stage, desk.game.campaign
    if stage.deadline is None or (stage.status, campaign.status) != ("open", "running"):
        return False
    closing = desk.host.mailbox_grace + CLOSING
    return stage.deadline < _second(desk.letter.received_at) < stage.deadline + closing


def _second(moment: datetime) -> datetime:
    return moment.replace(microsecond=0)
