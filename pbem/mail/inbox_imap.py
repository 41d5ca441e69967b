"""Mail out of an IMAP mailbox: the server tells of new mail (IDLE), and is asked now and then all the same.

Flags are a convenience here, not the truth. Mail that was stored is marked, so that it need not be fetched again, but
whether a mail counts is for ``accept`` to decide; somebody who reads the mailbox with another program does no harm.
"""

import asyncio
import logging
from dataclasses import dataclass, field
from datetime import datetime

from pbem.mail.imap import Connection, Mailbox, MailboxError, RefusedByServer
from pbem.mail.inbox import Accept, Clock
from pbem.mail.letter import Envelope

log = logging.getLogger(__name__)


class ImapInbox:
    """Looks into a mailbox until cancelled, over one connection at a time."""

    def __init__(self, mailbox: Mailbox, accept: Accept, clock: Clock) -> None:
        self._mailbox = mailbox
        self._accept = accept
        self._clock = clock
        self._seen = _Seen()
        self.last_look: datetime | None = None
        self.trouble = ""

    async def run(self) -> None:
        """Look for mail; whatever goes wrong ends the connection, and after a pause there is a new one."""
        pause = self._mailbox.retry
        while True:
            looked_before = self.last_look
            try:
                await self._watch()
            except MailboxError as error:
                self.trouble = str(error)
                log.warning("no look into the mailbox at %s: %s", self._mailbox.host, error)
            except Exception as error:  # A server may answer what the library does not expect; mail must go on.
                self.trouble = f"{type(error).__name__}: {error}"
                log.exception("no look into the mailbox at %s", self._mailbox.host)
            pause = (
                self._mailbox.retry if self.last_look != looked_before else min(2 * pause, self._mailbox.longest_retry)
            )
            await asyncio.sleep(pause)

    async def _watch(self) -> None:
        async with Connection(self._mailbox) as connection:
            self._seen.under(connection.uid_validity)
            while True:
                failed = await self._look(connection)
                self.last_look = self._clock()
                self.trouble = f"mail that could not be stored and stays in the mailbox: {failed}" if failed else ""
                await connection.wait_for_news()

    async def _look(self, connection: Connection) -> int:
        """Take every mail that is new, oldest first; returns how many could not be stored."""
        failed = 0
        for uid in await connection.search():
            if uid not in self._seen.stored and not await self._take(connection, uid):
                failed += 1
            elif uid not in self._seen.put_away:
                await connection.put_away(uid)
                self._seen.put_away.add(uid)
        return failed

    async def _take(self, connection: Connection, uid: int) -> bool:
        """Fetch a mail and have it stored; whether that is so now."""
        try:
            mail = await connection.fetch(uid)
        except RefusedByServer as error:  # One damaged mail must not keep the others waiting.
            log.warning("mail %d not fetched: %s", uid, error)
            return False
        if mail:
            try:
                await self._accept(mail.raw, Envelope(arrived=mail.arrived or self._clock(), size=mail.size))
            except Exception:  # Whatever kept it from being stored, it stays in the mailbox.
                log.exception("mail %d not stored", uid)
                return False
        self._seen.stored.add(uid)
        return True


@dataclass
class _Seen:
    """The mails dealt with since the start, by UID; the numbers mean nothing under another UIDVALIDITY."""

    stored: set[int] = field(default_factory=set)
    put_away: set[int] = field(default_factory=set)
    _uid_validity: int = 0

    def under(self, uid_validity: int) -> None:
        if uid_validity != self._uid_validity:
            self.stored.clear()
            self.put_away.clear()
        self._uid_validity = uid_validity
