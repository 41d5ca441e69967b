"""Sending what is due: each mail once, however slow the relay is; the pauses between attempts."""

import asyncio
from dataclasses import dataclass, field
from datetime import timedelta

import pytest

from pbem.mail.outgoing.transport import OutgoingMail, Result, Sent, Unavailable
from pbem.scheduler.sending import Sending
from pbem.server import end
from pbem.service.host import Host
from pbem.service.outgoing import deliver
from pbem.service.outgoing.deliver import pause
from pbem.service.outgoing.overview import held_up
from pbem.storage.tables import Mail
from tests.mail.test_outbox import Script, scripted
from tests.mail.wires import outbox
from tests.service.conftest import CAMPAIGN, Clock, Club, text_of

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
    deliver._give_back(club.host, deliver._claim(club.host))
    with club.host.unit() as unit:
        mails = unit.outbox.latest(1000)
    assert [mail.id for mail in mails] == numbers
    assert {(mail.status, mail.attempts, mail.next_at) for mail in mails} == {("due", 0, clock.now)}


@dataclass
class Stopped:
    """A relay that takes one mail, and is asked to stop while it takes the second."""

    sent: list[bytes] = field(default_factory=list)
    begun: asyncio.Event = field(default_factory=asyncio.Event)

    async def send(self, mail: OutgoingMail) -> Result:
        if self.sent:
            self.begun.set()
            await asyncio.Event().wait()
        self.sent.append(mail.raw)
        return Sent()

    async def close(self) -> None:
        """Nothing is held open."""


async def test_mails_that_were_not_begun_are_due_at_once_after_a_stop(club: Club, clock: Clock) -> None:
    relay = Stopped()
    sending = asyncio.create_task(deliver.flush(club.host, relay))
    await relay.begun.wait()
    await end(sending)
    with club.host.unit() as unit:
        waiting = [mail.next_at - clock.now for mail in unit.outbox.latest(1000, "due")]
    assert sorted(waiting, reverse=True) == [deliver.LEASE, *[timedelta()] * (len(waiting) - 1)]
    assert len(waiting) > 2


# --- a relay that is away -----------------------------------------------------------------------------------------


@dataclass
class Away:
    """A relay that is away until it is back."""

    away: bool = True
    takes: int = 0
    """So many mails before it is away."""
    asked: int = 0
    sent: list[bytes] = field(default_factory=list)

    async def send(self, mail: OutgoingMail) -> Result:
        self.asked += 1
        if self.away and self.takes <= len(self.sent):
            return Unavailable("nobody listens there")
        self.sent.append(mail.raw)
        return Sent()

    async def close(self) -> None:
        """Nothing is held open."""


def due(club: Club) -> list[Mail]:
    with club.host.unit() as unit:
        return list(unit.outbox.latest(1000, "due"))


async def test_a_relay_that_is_away_is_asked_once_and_books_nothing_against_the_mails(club: Club, clock: Clock) -> None:
    relay, waiting = Away(takes=1), len(due(club))
    assert await deliver.flush(club.host, relay) == deliver.Flushed(1, "nobody listens there")
    assert relay.asked == 2
    assert len(due(club)) == waiting - 1
    assert {(mail.attempts, mail.next_at) for mail in due(club)} == {(0, clock.now)}


async def test_after_an_outage_all_mail_goes_out_within_minutes(club: Club, clock: Clock) -> None:
    relay, waiting = Away(), len(due(club))
    sending = Sending(club.host, relay)
    for _ in range(2 * 60 * 4):
        await sending.send()
        clock.go(seconds=15)
    assert 25 <= relay.asked <= 30
    assert (sending.trouble, sending.lasting, sending.last_success) == ("nobody listens there", True, None)
    relay.away, back = False, clock.now
    while due(club):
        await sending.send()
        clock.go(seconds=15)
    assert len(relay.sent) == waiting
    assert clock.now - back <= 6 * MINUTE
    assert (sending.trouble, sending.lasting) == ("", False)


async def test_a_relay_that_takes_some_mails_at_a_time_is_not_away_for_long(club: Club, clock: Clock) -> None:
    relay = Away()
    sending = Sending(club.host, relay)
    for relay.takes in range(5):
        await sending.send()
        clock.go(minutes=20)
    assert relay.sent
    assert sending.trouble
    assert not sending.lasting


async def test_a_clock_that_is_set_back_makes_no_rest_longer(club: Club, clock: Clock) -> None:
    relay = Away()
    sending = Sending(club.host, relay)
    await sending.send()
    clock.go(hours=-1)
    relay.away = False
    for _ in range(2):
        await sending.send()
        clock.go(hours=1)
    assert due(club) == []


async def test_the_organizer_sees_that_no_mail_goes_out_when_it_lasts(club: Club, clock: Clock) -> None:
    def shown() -> tuple[str, ...]:
        with club.host.unit() as unit:
            return held_up(club.host, unit, unit.campaigns.all()[0])

    relay = Away()
    await deliver.flush(club.host, relay)
    clock.go(minutes=30)
    assert shown() == ()
    clock.go(minutes=1)
    number = len([mail for mail in due(club) if mail.campaign_id])
    told = f"No mail has gone out since Mon 4 May, 14:00 ({number} waiting): nobody listens there."
    assert shown() == (told,)
    club.mails()
    club.write("olga@example.org", "status")
    assert told in " ".join(text_of(club.mail_to("olga@example.org")).split())
    relay.away = False
    await deliver.flush(club.host, relay)
    assert shown() == ()


async def test_what_waits_for_its_turn_is_no_outage(club: Club, clock: Clock) -> None:
    clock.go(days=1)
    with club.host.unit() as unit:
        assert held_up(club.host, unit, unit.campaigns.all()[0]) == ()


async def test_after_three_days_without_a_relay_mail_is_given_up_and_no_address_fails(club: Club, clock: Clock) -> None:
    relay = Away()
    await deliver.flush(club.host, relay)
    clock.go(days=2, hours=23)
    await deliver.flush(club.host, relay)
    assert due(club)
    clock.go(hours=1)
    await deliver.flush(club.host, relay)
    assert due(club) == []
    with club.host.unit() as unit:
        assert {(mail.status, mail.note) for mail in unit.outbox.latest(1000)} == {("failed", "nobody listens there")}
        assert not any(row.failing for row in unit.campaigns.registrations("ana@example.org"))


# --- addresses in other scripts -----------------------------------------------------------------------------------


async def test_the_organizer_hears_in_words_that_the_relay_takes_no_address_in_such_letters(
    host: Host, clock: Clock
) -> None:
    club = Club(host, clock)
    club.begin(CAMPAIGN.replace("ana@example.org", "józef@example.org"))
    club.mails()
    async with scripted(Script()) as port, outbox(port) as box:
        await deliver.flush(host, box)
    told = next(mail for mail in club.mails() if mail.recipient == "olga@example.org")
    assert told.subject == "[gate] Mail to North comes back"
    text = " ".join(text_of(told).split())
    assert "józef@example.org" in text
    assert "our mail server takes only addresses in plain Latin letters (no SMTPUTF8)" in text
    with host.unit() as unit:
        assert [row.failing for row in unit.campaigns.registrations("józef@example.org")] == [True]


# --- pauses -------------------------------------------------------------------------------------------------------


def test_pauses_double_up_to_four_hours() -> None:
    for attempt, minutes in ((1, 1), (2, 2), (5, 16), (8, 128), (9, 240), (100, 240)):
        assert minutes * MINUTE <= pause(7, attempt) < 1.25 * minutes * MINUTE


def test_mails_that_were_put_off_together_come_back_one_by_one() -> None:
    assert len({pause(number, 3) for number in range(100)}) > 60


def test_the_pause_of_a_mail_does_not_hang_on_luck() -> None:
    assert pause(7, 3) == pause(7, 3)
