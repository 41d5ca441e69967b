"""How much one address may cause in an hour, counted from the mails and letters that are there: a restart forgets
nothing, and two servers on one database share the count.

A machine that hides that it is one gets a few answers and then none; what a person writes beyond them is obeyed all the
same. Reports, reminders and news are no answers and have no limit.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

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
    given: tuple[datetime, ...]
    """The oldest first."""
    now: datetime

    @property
    def spent(self) -> bool:
        """Whether there are no more answers for now."""
        return 0 < self.most <= len(self.given)

    @property
    def last(self) -> LastAnswer | None:
        """What to say with the next answer, if it is the last one for now."""
        if not self.most or len(self.given) != self.most - 1:
            return None
        return LastAnswer(self.most, min((*self.given, self.now)) + HOUR)


def allowance(host: Host, unit: Unit, address: str) -> Allowance:
    """How many answers an address has got, and may get."""
    known = unit.campaigns.seats_of(address) or unit.campaigns.organized_by(address)
    most, now = host.limits.answers if known else host.limits.strangers, host.clock()
    return Allowance(most, tuple(unit.outbox.answers(address, now - HOUR)) if most else (), now)


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
