"""The worker: closes what is due, reminds, writes the archive, and sends. Woken by the clock and by every letter.

It sends beside everything else: a mail server that does not answer must not put off a deadline.

Deadlines live in the database and are only looked at here: nothing is lost when the server stops, and a clock
change cannot skip or double one.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial

from apscheduler.schedulers.asyncio import AsyncIOScheduler

from pbem.mail.outgoing.transport import Transport
from pbem.scheduler.sending import Sending
from pbem.service.host import Host
from pbem.service.incoming import robots
from pbem.service.outgoing import digest
from pbem.service.stages import advance, remind

log = logging.getLogger(__name__)

NEVER = datetime(1970, 1, 1, tzinfo=UTC)

REST = 4
"""So many times as long as it has worked the worker rests: where letters come without end, it leaves them the time."""
LONGEST_REST = 2.0
"""Seconds."""

NEAR = timedelta(minutes=1)
"""Deadlines nearer than this are awaited to the second."""


@dataclass
class Worker:
    """Does what is due, one look after the other; one failure in it stops nothing else."""

    host: Host
    transport: Transport
    after_turns: Callable[[], object]
    """Called, in a thread, when there are new turns, whoever resolved them: writes the archive."""
    last_look: datetime | None = None
    """When the last look ended well."""
    looked: Callable[[], datetime | None] | None = None
    """When the last look into the mailbox began; ``None``: mail is not fetched, it comes by itself."""
    sending: Sending = field(init=False)
    _awake: asyncio.Event = field(default_factory=asyncio.Event)
    _mail: asyncio.Event = field(default_factory=asyncio.Event)
    _told: int = 0
    """The newest turn that ``after_turns`` was called for."""
    _digested: datetime | None = None
    """The hour until which it was told what got no answer."""
    _failures: int = 0
    _alarm: asyncio.TimerHandle | None = None
    """Wakes at a deadline that comes before the next tick."""

    def __post_init__(self) -> None:
        self.sending = Sending(self.host, self.transport)

    def wake(self) -> None:
        """Look again as soon as possible; a call during a look makes for another one."""
        self._awake.set()

    def wake_sending(self) -> None:
        """Send as soon as possible, and look for nothing else."""
        self._mail.set()

    async def run(self) -> None:
        """Look and send whenever woken, until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._whenever(self._awake, self.look))
            tasks.create_task(self._whenever(self._mail, self.sending.send))

    async def _whenever(self, woken: asyncio.Event, act: Callable[[], Awaitable[None]]) -> None:
        task = asyncio.current_task()
        # Asked for again: in Python 3.11 asyncio.wait_for, by which mail goes out, may lose a cancellation.
        while task and not task.cancelling():
            await woken.wait()
            woken.clear()
            begun = time.monotonic()
            try:
                await act()
            except Exception:
                log.exception("not done; the next look tries again")
            await asyncio.sleep(min(REST * (time.monotonic() - begun), LONGEST_REST))

    async def look(self) -> None:
        """One look at everything that may be due."""
        failures = self._failures
        await self._try(partial(robots.play_robots, self.host))
        while await self._try(partial(advance.run_due, self.host, self._mail_read())):
            await self._try(partial(robots.play_robots, self.host))
        await self._try(self._tell_of_turns)
        await self._try(partial(remind.remind, self.host))
        await self._digest()
        self._mail.set()
        if self._failures == failures:
            self.last_look = self.host.clock()
        await self._set_alarm()

    async def _digest(self) -> None:
        """When an hour is over, tell of the letters in it that got no answer."""
        hour = self.host.clock().replace(minute=0, second=0, microsecond=0)
        if hour != self._digested:
            await self._try(partial(digest.digest, self.host))
            self._digested = hour

    def _mail_read(self) -> datetime:
        """The moment up to which mail has been read."""
        return self.host.clock() if self.looked is None else self.looked() or NEVER

    async def _set_alarm(self) -> None:
        """Be awake at a deadline that is near, to the second: cards count until then, and no longer."""
        if self._alarm:
            self._alarm.cancel()
        deadline = await asyncio.to_thread(advance.next_due, self.host)
        wait = deadline - self.host.clock() if deadline else NEAR
        if timedelta() < wait < NEAR:
            self._alarm = asyncio.get_running_loop().call_later(wait.total_seconds(), self.wake)

    async def _try(self, act: Callable[[], int]) -> int:
        """Do something in a thread; what fails is logged, and the next look tries again."""
        try:
            return await asyncio.to_thread(act)
        except Exception:
            log.exception("a look at what is due failed")
            self._failures += 1
            return 0

    def _tell_of_turns(self) -> int:
        with self.host.unit() as unit:
            newest = unit.turns.newest()
        if newest != self._told:
            self.after_turns()
            self._told = newest
        return newest


def clockwork(tick: timedelta, wake: Callable[[], object]) -> AsyncIOScheduler:
    """A scheduler whose only job wakes the worker every ``tick``; it is to be started and shut down by the caller."""

    async def look() -> None:
        wake()  # In the event loop: a plain function would be called in a thread.

    scheduler = AsyncIOScheduler(timezone="UTC")
    scheduler.add_job(
        look,
        "interval",
        seconds=tick.total_seconds(),
        misfire_grace_time=None,
        coalesce=True,
        max_instances=1,
        next_run_time=datetime.now(scheduler.timezone),
    )
    return scheduler
