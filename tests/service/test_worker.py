"""The worker does what is due, and no failure in one part keeps the others waiting."""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from pbem.mail.outgoing.transport import OutgoingMail, Result, Sent
from pbem.scheduler.worker import Worker
from pbem.service.host import Host
from pbem.service.stages import advance
from tests.service.conftest import CAMPAIGN, Clock, Club
from tests.toy import TOY

PATIENCE = 30


@dataclass
class Post:
    """A way out that may break on some mails, or take none until it is told to."""

    breaks: str = ""
    flowing: asyncio.Event = field(default_factory=asyncio.Event)
    sent: list[str] = field(default_factory=list)

    async def send(self, mail: OutgoingMail) -> Result:
        await self.flowing.wait()
        if mail.recipient == self.breaks:
            raise ZeroDivisionError
        self.sent.append(mail.recipient)
        return Sent()

    async def close(self) -> None:
        """Nothing is held open."""


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.01)


def stages(host: Host) -> int:
    with host.unit() as unit:
        return len(unit.campaigns.stages(unit.campaigns.all()[0]))


def test_a_mail_server_that_does_not_answer_puts_off_no_deadline(club: Club) -> None:
    async def run() -> None:
        post = Post()
        worker = Worker(club.host, post, lambda: None)
        task = asyncio.create_task(worker.run())
        worker.wake()
        await until(lambda: worker.last_look is not None)
        club.clock.go(days=2)
        worker.wake()
        await until(lambda: stages(club.host) == 3)
        post.flowing.set()
        await until(lambda: len(post.sent) == 8)
        task.cancel()

    asyncio.run(run())


def test_the_worker_ends_though_the_way_out_lost_its_cancellation(club: Club) -> None:
    class Lossy(Post):
        async def send(self, mail: OutgoingMail) -> Result:
            with contextlib.suppress(asyncio.CancelledError):
                await super().send(mail)
            self.flowing.set()
            return Sent()

    async def run() -> None:
        worker = Worker(club.host, Lossy(), lambda: None)
        task = asyncio.create_task(worker.run())
        worker.wake()
        await until(lambda: worker.last_look is not None)
        task.cancel()
        await asyncio.wait({task}, timeout=PATIENCE)
        assert task.cancelled()

    asyncio.run(run())


def test_a_mail_that_breaks_the_way_out_is_tried_again_later_and_the_others_go(club: Club) -> None:
    async def run() -> None:
        post = Post(breaks="ana@example.org")
        post.flowing.set()
        await Worker(club.host, post, lambda: None).sending.send()
        assert sorted(set(post.sent)) == ["ben@example.org", "olga@example.org"]

    asyncio.run(run())
    with club.host.unit() as unit:
        waiting = {mail.recipient for mail in unit.outbox.latest(20, "due")}
    assert waiting == {"ana@example.org"}


def test_a_robot_and_an_archive_that_fail_keep_nothing_waiting(host: Host, clock: Clock) -> None:
    robots = replace(TOY, robot=lambda *arguments: 1 / 0)
    broken = Club(replace(host, rulesets={"toy": robots}), clock)
    broken.begin(CAMPAIGN.replace('player = "Ana"', "robot = true").replace("ben@work.example", "ben@w.example"))
    clock.go(days=2)

    async def run() -> None:
        post = Post()
        post.flowing.set()
        worker = Worker(broken.host, post, lambda: 1 / 0)
        await worker.look()
        assert stages(host) == 3
        assert worker.last_look is None

    asyncio.run(run())


def test_turns_that_others_resolved_are_archived_too(club: Club) -> None:
    archived: list[int] = []

    async def run() -> None:
        worker = Worker(club.host, Post(), lambda: archived.append(stages(club.host)))
        await worker.look()
        await worker.look()
        club.clock.go(days=2)
        assert advance.run_due(club.host) == 1
        await worker.look()

    asyncio.run(run())
    assert archived == [2, 3]
