"""Mails that our own relay does not take: like those that come back."""

from datetime import timedelta

import pytest

from pbem.mail.outgoing.transport import Deferred, OutgoingMail, Refused, Result
from pbem.service.host import Host
from pbem.service.outgoing import deliver
from tests.service.conftest import Clock
from tests.service.test_bounces import ANA, BEN, WORK, Post, Yard, yard

__all__ = ["yard"]


async def test_a_refusal_of_our_own_relay_is_like_a_report(yard: Yard) -> None:
    yard.post.says[BEN] = Refused("550 5.1.1 <ben@example.org>: User unknown", "5.1.1")
    yard.club.clock.go(days=2)
    yard.club.run()
    await yard.send()
    assert yard.address(BEN).failing
    assert yard.mail(WORK).status == "sent"
    assert "[gate] Mail to South comes back" in [mail.subject for mail in yard.club.mails()]


@pytest.mark.parametrize("refusal", ["550 5.1.0 Sender address rejected: User unknown", "552 5.3.4 Too large"])
async def test_a_refusal_of_the_sender_or_the_size_says_nothing_of_the_address(
    yard: Yard, clock: Clock, refusal: str
) -> None:
    yard.post.says[BEN] = Refused(refusal, refusal.split()[1])
    clock.go(days=2)
    yard.club.run()
    for _ in range(5):
        await yard.send()
        clock.go(hours=9)
    assert yard.mail(BEN).status == "failed"
    assert (yard.address(BEN).failing, yard.address(BEN).soft_bounces) == (False, 0)


async def test_a_refusal_that_may_pass_is_tried_again(yard: Yard, clock: Clock) -> None:
    yard.post.says[BEN] = Refused("552 5.2.2 full", "5.2.2")
    clock.go(days=2)
    yard.club.run()
    await yard.send()
    assert (yard.mail(BEN).status, yard.mail(BEN).bounces) == ("due", 1)
    del yard.post.says[BEN]
    clock.go(hours=1)
    await yard.send()
    assert yard.mail(BEN).status == "sent"


@pytest.mark.parametrize(
    ("why", "failing"),
    [
        (Deferred("451 4.2.0 greylisted"), True),
        (Deferred("the connection broke in the middle of the mail: reset"), False),
        (Deferred("smtp.example.org does not let us send as orders@x.example: 553 5.7.1 not owned", ours=True), False),
    ],
)
async def test_what_is_put_off_for_days_is_given_up(yard: Yard, clock: Clock, why: Deferred, failing: bool) -> None:
    yard.club.clock.go(days=2)
    yard.club.run()
    yard.post.says[ANA] = why
    mail = yard.mail(ANA)
    begun, tries = clock.now, 0
    while yard.again(mail).status == "due":
        await yard.send()
        tries += 1
        clock.now = max(yard.again(mail).next_at, clock.now)
    assert timedelta(days=3) <= clock.now - begun <= timedelta(days=3, hours=6)
    assert 20 <= tries <= 30
    assert yard.again(mail).note == why.reason
    assert yard.address(ANA).failing is failing


async def test_a_report_that_is_faster_than_our_own_note_of_the_sending_counts(yard: Yard, host: Host) -> None:
    class Quick(Post):
        async def send(self, mail: OutgoingMail) -> Result:
            if mail.recipient == BEN:
                yard.reported(yard.mail(BEN))
            return await super().send(mail)

    yard.club.clock.go(days=2)
    yard.club.run()
    await deliver.flush(host, Quick())
    assert yard.address(BEN).failing
    assert (yard.mail(WORK).status, yard.mail(WORK).bounces) == ("sent", 0)
