"""Sending what is due, and patience with a mail server that is away."""

import logging
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pbem.mail.outgoing.transport import Transport
from pbem.service.host import Host
from pbem.service.outgoing import deliver

log = logging.getLogger(__name__)

FIRST_PAUSE = timedelta(seconds=30)
LONGEST_PAUSE = timedelta(minutes=5)


@dataclass
class Sending:
    """Sends. While the relay is away it is asked again after pauses that grow, whatever is written meanwhile: a wrong
    password is not to be sent with every mail. Who starts the server anew need not wait."""

    host: Host
    transport: Transport
    trouble: str = ""
    """Why no mail goes out now; empty: it does, as far as is known."""
    since: datetime | None = None
    """When that began."""
    last_success: datetime | None = None
    """When a mail went out, or none had to wait for the relay."""
    _asked: datetime | None = None
    _pause: timedelta = field(default=FIRST_PAUSE)

    async def send(self) -> None:
        """Send everything that is due, unless the relay was away a moment ago."""
        if self._asked and timedelta() <= self.host.clock() - self._asked < self._pause:
            return  # A clock that was set back makes no pause longer.
        try:
            flushed = await deliver.flush(self.host, self.transport)
        except Exception as error:
            log.exception("mail could not be sent")
            self._rest(f"the outbox cannot be read or written: {type(error).__name__}")
            return
        if flushed.sent or not flushed.trouble:
            self._recover()
        if flushed.trouble:
            self._rest(flushed.trouble)

    @property
    def lasting(self) -> bool:
        """Whether no mail has gone out for so long that people ought to know."""
        return self.since is not None and self.host.clock() - self.since > deliver.LASTING

    def _rest(self, trouble: str) -> None:
        now = self.host.clock()
        self._pause = FIRST_PAUSE if self._asked is None else min(2 * self._pause, LONGEST_PAUSE)
        if trouble != self.trouble:
            log.warning("no mail goes out: %s", trouble)
        self.trouble, self.since, self._asked = trouble, self.since or now, now

    def _recover(self) -> None:
        if self.since:
            log.warning("mail goes out again, after %s", self.host.clock() - self.since)
        self.trouble, self.since, self._asked, self.last_success = "", None, None, self.host.clock()
