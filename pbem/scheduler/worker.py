"""The worker: closes what is due, reminds, sends, writes the archive. Woken by the clock and by every letter.

Deadlines live in the database and are only looked at here: nothing is lost when the server stops, and a clock
change cannot skip or double one.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from apscheduler.schedulers.asyncio import AsyncIOScheduler

from pbem.mail.transport import Transport
from pbem.service import advance, deliver, remind, robots
from pbem.service.host import Host

log = logging.getLogger(__name__)


@dataclass
class Worker:
    """Does what is due, one look after the other."""

    host: Host
    transport: Transport
    after_turns: Callable[[], object]
    """Called, in a thread, when stages have been resolved: writes the archive."""
    last_look: datetime | None = None
    """When the last look ended well."""
    _awake: asyncio.Event = field(default_factory=asyncio.Event)

    def wake(self) -> None:
        """Look again as soon as possible; a call during a look makes for another one."""
        self._awake.set()

    async def run(self) -> None:
        """Look whenever woken, until cancelled. A look that fails is logged, and the next one tries again."""
        while True:
            await self._awake.wait()
            self._awake.clear()
            try:
                await self.look()
            except Exception:
                log.exception("a look at what is due failed")

    async def look(self) -> None:
        """One look at everything that may be due."""
        await asyncio.to_thread(robots.play_robots, self.host)
        while await asyncio.to_thread(advance.run_due, self.host):
            await asyncio.to_thread(self.after_turns)
            await asyncio.to_thread(robots.play_robots, self.host)
        await asyncio.to_thread(remind.remind, self.host)
        await deliver.flush(self.host, self.transport)
        self.last_look = self.host.clock()


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
