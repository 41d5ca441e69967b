"""How much one address may cause in an hour, counted from the mails and letters that are there: a restart forgets
nothing, and two servers on one database share the count.

A machine that hides that it is one gets a few answers and then none; what a person writes beyond them is obeyed all the
same. Reports, reminders and news are no answers and have no limit.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.mail.addresses import untagged
from pbem.reports.letters import LastAnswer
from pbem.service.host import Host
from pbem.storage.tables import Letter
from pbem.storage.unit import Unit

HOUR = timedelta(hours=1)


@dataclass(frozen=True)
class Allowance:
    """The answers that an address got in the last hour, of those that it may get."""

    most: int
    """0: any number."""
    none_left: bool
    """All strangers together have got as many as they may."""
    given: tuple[datetime, ...]
    """The oldest first."""
    now: datetime

    @property
    def spent(self) -> bool:
        """Whether there are no more answers for now."""
        return self.none_left or 0 < self.most <= len(self.given)

    @property
    def last(self) -> LastAnswer | None:
        """What to say with the next answer, if it is the last one for now."""
        if not self.most or len(self.given) != self.most - 1:
            return None
        return LastAnswer(self.most, min((*self.given, self.now)) + HOUR)


def allowance(host: Host, unit: Unit, address: str, letter: Letter) -> Allowance:
    """How many answers to letters like this one an address has got, and may get.

    What goes to a mailbox is counted, for anybody may write in the name of ``ana+1@``, ``ana+2@`` and so on. Answers
    to letters that may be forged are counted apart: nobody can use up what is a player's.
    """
    limits, now, unproven = host.limits, host.clock(), may_be_forged(letter)
    known = _proved(letter, address) or bool(unit.campaigns.seats_of(address) or unit.campaigns.organized_by(address))
    most = limits.strangers if not known else limits.questions if unproven else limits.answers
    given = unit.outbox.answers(untagged(address), now - HOUR, unproven=unproven) if most else ()
    together = 0 if known else limits.strangers_together
    none_left = bool(together) and unit.outbox.unattached_answers(now - HOUR) >= together
    return Allowance(most, none_left, tuple(given), now)


def _proved(letter: Letter, address: str) -> bool:
    """Whether its sender, who has this address, has proved to be one of ours: nothing need be looked up for that."""
    return not may_be_forged(letter) and letter.sender == address


def may_be_forged(letter: Letter) -> bool:
    """Whether nobody has proved to be its sender: else it has a campaign."""
    return letter.campaign_id is None


def too_many_letters(host: Host, unit: Unit, row: Letter) -> str:
    """Why a letter is kept without being read, or nothing.

    Letters from somebody who proved who he is, which have a campaign, and letters that only bear his name are counted
    apart: nobody can use up what is another's.
    """
    most, since = host.limits.letters, row.received_at - HOUR
    wanted = row.attempts > 1  # The organizer lets it in.
    if not most or not row.sender or wanted or unit.letters.count_from(row, since) < most:
        return ""
    row.unanswered = True
    return f"more than {most} letters in an hour from this address"
