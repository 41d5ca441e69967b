"""Sending what is due: each mail once, however slow the relay is; the pauses between attempts."""

from dataclasses import dataclass, field
from datetime import timedelta

import pytest

from pbem.mail.transport import OutgoingMail, Result, Sent
from pbem.service import deliver
from pbem.service.deliver import pause
from tests.service.conftest import Clock, Club

MINUTE = timedelta(minutes=1)


@dataclass
class Slow:
    """A relay that takes some minutes for each mail. While it does, another server looks for work."""

    club: Club
    minutes: float
    sent: list[bytes] = field(default_factory=list)
    taken: int = 0
    """Mails that the other server could have taken as well."""

    async def send(self, mail: OutgoingMail) -> Result:
        self.sent.append(mail.raw)
        self.club.clock.go(minutes=self.minutes)
        with self.club.host.unit() as unit:  # Not committed: it only looks.
            self.taken += len(unit.outbox.claim(self.club.clock.now, deliver.LEASE, 100))
        return Sent()

    async def close(self) -> None:
        """Nothing is held open."""


@pytest.mark.parametrize("minutes", [3, 5])
async def test_a_slow_relay_makes_no_mail_go_out_twice(club: Club, minutes: float) -> None:
    with club.host.unit() as unit:
        waiting = unit.outbox.waiting()
    assert waiting >= 5
    slow = Slow(club, minutes)
    await deliver.flush(club.host, slow)
    assert slow.taken == 0
    assert len(slow.sent) == len(set(slow.sent)) == waiting


async def test_mails_that_are_given_back_are_due_as_before(club: Club, clock: Clock) -> None:
    with club.host.unit() as unit:
        numbers = [mail.id for mail in unit.outbox.latest(1000)]
    batch = deliver._claim(club.host)
    deliver._give_back(club.host, batch)
    with club.host.unit() as unit:
        mails = unit.outbox.latest(1000)
    assert [mail.id for mail in mails] == numbers
    assert {(mail.status, mail.attempts, mail.next_at) for mail in mails} == {("due", 0, clock.now)}


def test_pauses_double_up_to_four_hours() -> None:
    for attempt, minutes in ((1, 1), (2, 2), (5, 16), (8, 128), (9, 240), (100, 240)):
        assert minutes * MINUTE <= pause(7, attempt) < 1.25 * minutes * MINUTE


def test_mails_that_were_put_off_together_come_back_one_by_one() -> None:
    assert len({pause(number, 3) for number in range(100)}) > 60


def test_the_pause_of_a_mail_does_not_hang_on_luck() -> None:
    assert pause(7, 3) == pause(7, 3)
