"""Mail out of an IMAP mailbox: the server tells of new mail (IDLE), and is asked now and then all the same.

Flags are a convenience here, not the truth. Mail that was stored is marked, so that it need not be fetched again, but
whether a mail counts is for the intake to decide; somebody who reads the mailbox with another program does no harm.
"""

import asyncio
import logging
from asyncio import Task
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any

from pbem.mail.imap.connection import Connection
from pbem.mail.imap.ledger import Ledger, Listed, groups
from pbem.mail.imap.login import LoginRefused
from pbem.mail.imap.mailbox import Mailbox
from pbem.mail.imap.syntax import CHUNK
from pbem.mail.imap.wire import MailboxError, RefusedByServer
from pbem.mail.inbox import Clock, Intake, Quarantine, TryLater, UnreadMail
from pbem.mail.reading.letter import Envelope

log = logging.getLogger(__name__)

ATTEMPTS = 3
"""How often a mail is tried whole; then its headers alone, then nothing more, and it goes into quarantine."""
ENOUGH = 3
"""Mails in a row that cannot be stored now, after which no more are tried."""
NOT_GIVEN = "the server lists the mail, but does not give it out"


class ImapInbox:
    """Looks into a mailbox until cancelled, over one connection at a time.

    Mails are handed over in the order in which they came into the mailbox. Those that may have been the reason why
    something failed are taken alone; those that were, after all others. One that fails again and again goes into
    quarantine.
    """

    def __init__(self, mailbox: Mailbox, intake: Intake, clock: Clock, quarantine: Quarantine | None = None) -> None:
        self._mailbox = mailbox
        self._intake = intake
        self._clock = clock
        self._quarantine = quarantine
        self._ledger = Ledger()
        self._login_refusals = 0
        self._stored_in_this_look = False
        self._pause = mailbox.first_pause
        self._away = 0
        self._put_off: list[int] = []
        self._reasons: dict[int, str] = {}
        self.last_look: datetime | None = None
        """When the last look began that left nothing waiting."""
        self.last_success: datetime | None = None
        """When it last got through, and could store what it got; a look at thousands of mails takes a while."""
        self.trouble = ""
        self._lost: tuple[str, datetime] | None = None
        """Why there is no look into the mailbox, as the log tells it, and since when."""

    async def run(self) -> None:
        """Look for mail; whatever goes wrong ends the connection, and after a pause there is a new one."""
        while True:
            try:
                await self._watch()
            except MailboxError as error:
                self._login_refusals += isinstance(error, LoginRefused)
                self._lose(str(error))
            except Exception as error:  # A server may answer what nobody expects; mail must go on.
                self._lose(f"{type(error).__name__}: {error}", error)
            # A token may have run out, which the next login mends; a wrong password is better not tried too often.
            await asyncio.sleep(self._mailbox.recover if self._login_refusals > 1 else self._pause)
            self._pause = min(2 * self._pause, self._mailbox.longest_pause)

    async def _watch(self) -> None:
        async with Connection(self._mailbox) as connection:
            self._login_refusals = 0
            self._ledger.under(connection.uid_validity)
            while True:
                await self._look(connection)
                await connection.wait_for_news(self._until_next_look())

    def _until_next_look(self) -> float:
        """Seconds, if the server tells nothing."""
        failures = self._ledger.failures.values()
        if not self._away and 0 in failures:
            return 0  # These were never tried alone.
        return min(self._mailbox.longest_pause, self._mailbox.idle) if self._away or failures else self._mailbox.idle

    async def _look(self, connection: Connection) -> None:
        """Take every mail that is new."""
        began = self._clock()
        self._stored_in_this_look, self._away, self._put_off = False, 0, []
        waiting = self._ledger.waiting(await connection.search())
        alone, together, last = self._ledger.sorted(waiting)
        try:
            for uid in alone:
                await self._take_alone(connection, uid)
            for group in groups(await self._list(connection, together)):
                await self._take(connection, group)
            for uid in last:
                await self._take_alone(connection, uid)
        except TryLater as error:
            log.warning("letters cannot be stored, and stay in the mailbox: %s", error)
        await self._tidy(connection)
        if self._stored_in_this_look:  # So it is these mails that are the reason.
            for uid in self._put_off:
                await self._fail(uid, "it could not be stored when others could")
        if self._away:
            self.trouble = "letters cannot be stored now, and stay in the mailbox"
            return
        self._succeed()
        failing = len(self._ledger.failures)
        if not failing and not self._put_off:
            self.last_look = began
        self.trouble = f"mail that could not be taken so far, and stays in the mailbox: {failing}" if failing else ""

    def _lose(self, trouble: str, error: Exception | None = None) -> None:
        """There was no look: told once, until it is for another reason."""
        if self._lost is None or trouble != self._lost[0]:
            log.warning("no look into the mailbox at %s: %s", self._mailbox.host, trouble, exc_info=error)
        self.trouble, self._lost = trouble, (trouble, self._lost[1] if self._lost else self._clock())

    def _succeed(self) -> None:
        if self._lost:
            log.warning(
                "the mailbox at %s is looked into again, after %s", self._mailbox.host, self._clock() - self._lost[1]
            )
            self._lost = None
        self.last_success, self._pause = self._clock(), self._mailbox.first_pause

    async def _list(self, connection: Connection, uids: Sequence[int]) -> list[Listed]:
        """Sizes and times of mails; those of which the server does not tell are taken alone later."""
        listed: list[Listed] = []
        for start in range(0, len(uids), CHUNK):
            chunk = uids[start : start + CHUNK]
            self._ledger.suspect(chunk)
            try:
                found = await connection.about(chunk)
            except RefusedByServer as error:
                log.warning("mails of which the server tells nothing: %s", error)
                continue
            self._ledger.clear(mail.uid for mail in found)
            listed += found
        return listed

    async def _take(self, connection: Connection, group: Sequence[Listed]) -> None:
        """Fetch mails together, and have them stored."""
        self._ledger.suspect(mail.uid for mail in group)
        try:
            texts = await connection.fetch(group)
        except MailboxError as error:
            if len(group) == 1:
                await self._fail(group[0].uid, str(error))
            if not isinstance(error, RefusedByServer):
                raise
            return
        self._ledger.clear(texts)
        fetched = [(mail.uid, texts[mail.uid], self._envelope(mail)) for mail in group if mail.uid in texts]
        async with self._read_ahead(fetched) as mails:
            for (uid, raw, envelope), read in zip(fetched, mails, strict=True):
                await self._hand_over(connection, uid, raw, envelope, read)
        await self._tidy(connection)
        if not self._away:
            self._succeed()

    async def _take_alone(self, connection: Connection, uid: int) -> None:
        """Fetch a mail that may be the reason why something failed, and have it stored or put into quarantine."""
        failures = self._ledger.failures[uid]
        if failures > ATTEMPTS:
            await self._set_aside(connection, uid, b"", Envelope(arrived=self._clock(), size=0))
            return
        try:
            mail, raw = await connection.fetch_alone(uid, headers_only=failures == ATTEMPTS)
        except MailboxError as error:
            await self._fail(uid, str(error))
            if not isinstance(error, RefusedByServer):
                raise
            return
        if failures == ATTEMPTS:
            await self._set_aside(connection, uid, raw, replace(self._envelope(mail), size=mail.size))
        else:
            envelope = self._envelope(mail)
            await self._hand_over(connection, uid, raw, envelope, self._intake.read(raw, envelope))
        await self._tidy(connection)

    def _envelope(self, mail: Listed) -> Envelope:
        """Of a mail that was fetched as far as its size allows."""
        size = mail.size if mail.size > self._mailbox.largest else None
        return Envelope(arrived=mail.arrived or self._clock(), size=size)

    @asynccontextmanager
    async def _read_ahead(self, fetched: Sequence[tuple[int, bytes, Envelope]]) -> AsyncIterator[list[Task[Any]]]:
        """Mails that are being read until the block ends."""
        reading = [asyncio.create_task(self._intake.read(raw, envelope)) for _, raw, envelope in fetched]
        try:
            yield reading
        finally:
            for task in reading:
                task.cancel()
            await asyncio.gather(*reading, return_exceptions=True)

    async def _hand_over(
        self, connection: Connection, uid: int, raw: bytes, envelope: Envelope, mail: Awaitable[Any]
    ) -> None:
        """Have a mail stored that is being read. Raises ``TryLater`` if there is no sense in trying further ones."""
        try:
            await self._intake.store(await mail)
        except TryLater as error:
            log.warning("mail %d not stored: %s", uid, error)
            if self._stored_in_this_look and self._is_last_try(uid):  # So it is this mail that is the reason.
                await self._set_aside(connection, uid, raw, envelope)
            else:
                self._put_off_for_now(uid, error)
        except Exception as error:
            log.warning("mail %d not stored: %s", uid, error, exc_info=True)
            await self._refuse(connection, uid, raw, envelope, f"it could not be stored: {error}")
        else:
            self._ledger.store(uid)
            self._stored_in_this_look, self._away = True, 0

    def _put_off_for_now(self, uid: int, error: TryLater) -> None:
        """The storage is away. Whether the mail is to blame is known when the look is over."""
        self._away += 1
        self._put_off.append(uid)
        if self._away == ENOUGH:
            raise error

    async def _refuse(self, connection: Connection, uid: int, raw: bytes, envelope: Envelope, reason: str) -> None:
        """This mail cannot be stored. The last try does not count as a failure: should it not be written down, the mail
        is fetched whole again, not its headers."""
        if self._is_last_try(uid):
            self._reasons[uid] = reason
            await self._set_aside(connection, uid, raw, envelope)
        else:
            await self._fail(uid, reason)

    def _is_last_try(self, uid: int) -> bool:
        return self._ledger.failures.get(uid, 0) >= ATTEMPTS - 1

    async def _fail(self, uid: int, reason: str) -> None:
        """Count a failure. What was in quarantine before a restart goes back at once."""
        log.warning("mail %d not taken: %s", uid, reason)
        self._reasons[uid] = reason
        if self._ledger.fail(uid) == 1 and self._quarantine:
            try:
                known = await self._quarantine.knows(self._name(uid))
            except Exception:  # Then it is tried some more times.
                log.exception("cannot look up mail %d", uid)
            else:
                if known:
                    self._ledger.set_aside(uid)

    async def _set_aside(self, connection: Connection, uid: int, raw: bytes, envelope: Envelope) -> None:
        """Put a mail into quarantine, once that is written down."""
        reason = self._reasons.get(uid, NOT_GIVEN)
        if self._quarantine:
            try:
                await self._quarantine.keep(UnreadMail(self._name(uid), raw, envelope, reason))
            except Exception:  # Whatever kept it from being written down: nothing is left to itself in silence.
                log.exception("mail %d not put into quarantine", uid)
                return
        log.error("mail %d is put into quarantine: %s", uid, reason)
        self._ledger.set_aside(uid)
        await connection.set_aside(uid)

    def _name(self, uid: int) -> str:
        box = self._mailbox
        return f"{box.user} on {box.host}, {box.folder} {self._ledger.uid_validity}, mail {uid}"

    async def _tidy(self, connection: Connection) -> None:
        if uids := self._ledger.to_tidy():
            await connection.put_away(uids)
            self._ledger.tidied(uids)
