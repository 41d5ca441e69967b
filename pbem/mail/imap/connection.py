"""An open IMAP mailbox. It never hangs: whatever goes wrong ends it, and it is not used again."""

import logging
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Any, Self

from aioimaplib import aioimaplib  # type: ignore[import-untyped]  # It has no types.

from pbem.mail.imap.ledger import Listed
from pbem.mail.imap.login import log_in
from pbem.mail.imap.mailbox import Mailbox
from pbem.mail.imap.syntax import (
    folder_name,
    in_namespace,
    quoted,
    read_date,
    read_fetch,
    read_search,
    uid_set,
    uid_sets,
)
from pbem.mail.imap.wire import ALLOWANCE, Answer, MailboxError, RefusedByServer, Wire

log = logging.getLogger(__name__)

STORED = "$PbemStored"
"""The keyword of mail that was stored."""
LEAST = 3 / 4
"""This part of the size that a server tells may be all of a mail: Exchange estimates, and some count a line's end as
two bytes and send one."""
BEGINNING = 64_000
"""Bytes that are fetched of a mail too large to be fetched whole, or of the headers of one."""
ABOUT = "RFC822.SIZE INTERNALDATE"

UID_VALIDITY = re.compile(rb"\[UIDVALIDITY (\d{1,10})\]", re.IGNORECASE)
ANY_KEYWORD = re.compile(rb"\[PERMANENTFLAGS \([^)]*\\\*", re.IGNORECASE)
NO_FOLDER = re.compile(r"\[(TRYCREATE|NONEXISTENT)\]", re.IGNORECASE)
GONE = re.compile(r"\[(EXPUNGEISSUED|NONEXISTENT)\]", re.IGNORECASE)


class Connection:
    """An open mailbox; raises :class:`MailboxError` for everything that goes wrong."""

    def __init__(self, mailbox: Mailbox) -> None:
        self._mailbox = mailbox
        self._wire: Wire
        self._keywords = False
        self._read_only = False
        self._folders: dict[str, str] = {}
        self.uid_validity = 0

    async def __aenter__(self) -> Self:
        self._wire = await log_in(self._mailbox)
        try:
            await self._select()
            await self._find_folders()
            await self._move_what_was_marked()
        except BaseException:
            await self._wire.close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._wire.close()

    @property
    def offers(self) -> frozenset[str]:
        """What the server says it can do, in capitals: ``IDLE``, ``MOVE``."""
        return frozenset(self._wire.capabilities)

    @property
    def keeps_marks(self) -> bool:
        """Whether what is stored can be marked as such, for every program to see."""
        return self._keywords and not self._read_only

    @property
    def read_only(self) -> bool:
        """Whether nothing can be marked or moved."""
        return self._read_only

    @property
    def certificate(self) -> dict[str, Any]:
        """What the server's certificate says; nothing without encryption."""
        encryption = self._wire.transport.get_extra_info("ssl_object")
        return (encryption.getpeercert() or {}) if encryption else {}

    async def missing_folders(self) -> list[str]:
        """Those of the folders to move mail into that are not there yet; they are made when mail is to be moved."""
        told = {name: await self._wire.ask("STATUS", folder, "(MESSAGES)") for name, folder in self._folders.items()}
        return [name for name, answer in told.items() if answer.result != "OK"]

    async def find(self, message_id: str) -> list[int]:
        """The UIDs of the mails with this Message-ID, whether they were stored or not."""
        await self._ask("NOOP")
        return await self._search("HEADER", "Message-ID", quoted(message_id))

    async def search(self) -> list[int]:
        """The UIDs of the mails that were not yet stored as far as their marks say."""
        self._wire.news.clear()
        await self._ask("NOOP")  # Without it some servers search only what they have told us of.
        return await self._search(*(("UNKEYWORD", STORED) if self._keywords else ("ALL",)))

    async def about(self, uids: Sequence[int]) -> list[Listed]:
        """Those of these mails that the server tells of."""
        found = await self._fetch(uids, ABOUT, ALLOWANCE)
        return [_listed(uid, items) for uid, items in found.items() if "RFC822.SIZE" in items]

    async def fetch(self, mails: Sequence[Listed]) -> dict[int, bytes]:
        """These mails by UID, without marking them as read; of one that is too large only the beginning.

        What is no longer there is left out, and what came without its end.
        """
        whole = [mail for mail in mails if mail.size <= self._mailbox.largest]
        texts = await self._texts([mail.uid for mail in whole], "BODY.PEEK[]", sum(mail.size for mail in whole))
        sizes = {mail.uid: mail.size for mail in whole}
        found = {uid: raw for uid, raw in texts.items() if _is_whole(raw, sizes.get(uid, 0))}
        for mail in mails:
            if mail.size > self._mailbox.largest:
                found |= await self._texts([mail.uid], f"BODY.PEEK[]<0.{BEGINNING}>", BEGINNING)
        return found

    async def fetch_alone(self, uid: int, headers_only: bool = False) -> tuple[Listed, bytes]:
        """A mail, or its headers as far as they are of a reasonable length, by one question about nothing else.

        Raises ``RefusedByServer`` also if the server gives no text.
        """
        part, most = ("HEADER", BEGINNING) if headers_only else ("", self._mailbox.largest)
        # One byte more than that tells of a mail that is larger than the server says.
        found = await self._fetch([uid], f"{ABOUT} BODY.PEEK[{part}]<0.{most + 1}>", 2 * most + ALLOWANCE)
        items = found.get(uid, {})
        raw = _text(items)
        if raw is None:
            raise RefusedByServer("UID FETCH: the server lists the mail, but does not give it out")
        listed = _listed(uid, items)
        listed = replace(listed, size=max(listed.size, len(raw)))
        if not headers_only and listed.size <= most and not _is_whole(raw, listed.size):
            raise RefusedByServer(f"UID FETCH: the server gives out {len(raw)} bytes of a mail of {listed.size}")
        return listed, raw[:BEGINNING] if listed.size > most else raw

    async def put_away(self, uids: Iterable[int]) -> None:
        """Mark mails as stored, and move them if there is a folder for that; a server that cannot do it may refuse."""
        flags = rf"(\Seen {STORED})" if self._keywords else r"(\Seen)"
        for which in uid_sets(() if self._read_only else uids):
            await self._try("STORE", which, "+FLAGS.SILENT", flags)
            if folder := self._folders.get(self._mailbox.done_folder):
                await self._move(which, folder)

    async def set_aside(self, uid: int) -> None:
        """Move a mail that cannot be taken out of the way, if there is a folder for that."""
        if not self._read_only and (folder := self._folders.get(self._mailbox.quarantine_folder)):
            await self._move(str(uid), folder)

    async def wait_for_news(self, seconds: float) -> None:
        """Return when the server tells of new mail, or so many seconds have passed."""
        if self._wire.has("IDLE"):
            await self._wire.idle(seconds)
        else:
            await self._wire.wait_for_news(seconds)

    async def _select(self) -> None:
        answer = await self._ask("SELECT", folder_name(self._mailbox.folder))
        self._wire.state = aioimaplib.SELECTED
        told = b"\n".join(answer.lines)
        validity = UID_VALIDITY.search(told)
        self.uid_validity = int(validity[1]) if validity else 0
        self._keywords = bool(ANY_KEYWORD.search(told))
        self._read_only = "[READ-ONLY]" in answer.text.upper()
        if self._read_only:
            log.warning("the mailbox at %s is read-only: mail stays in it unmarked", self._mailbox.host)

    async def _find_folders(self) -> None:
        """Where our folders are: some servers keep all folders inside the inbox."""
        wanted = [name for name in (self._mailbox.done_folder, self._mailbox.quarantine_folder) if name]
        answer = b""
        if wanted and self._wire.has("NAMESPACE"):
            answer = b"\n".join((await self._wire.ask("NAMESPACE")).lines)
        self._folders = {name: folder_name(in_namespace(answer, name)) for name in wanted}

    async def _move_what_was_marked(self) -> None:
        """What was stored just before a connection ended was perhaps not yet moved."""
        if self._mailbox.done_folder and self._keywords and not self._read_only:
            for which in uid_sets(await self._search("KEYWORD", STORED)):
                await self._move(which, self._folders[self._mailbox.done_folder])

    async def _search(self, *criteria: str) -> list[int]:
        return read_search((await self._ask("SEARCH", *criteria, prefix="UID")).lines)

    async def _texts(self, uids: Sequence[int], part: str, expected: int) -> dict[int, bytes]:
        """``expected``: bytes; servers that do not know their mails' sizes well may send twice as much."""
        found = await self._fetch(uids, part, 2 * expected + ALLOWANCE) if uids else {}
        return {uid: text for uid, items in found.items() if (text := _text(items)) is not None}

    async def _fetch(self, uids: Sequence[int], items: str, allowance: int) -> dict[int, dict[str, bytes]]:
        """What is told of these mails, by UID; what else the server tells meanwhile is left out."""
        answer = await self._wire.ask("FETCH", uid_set(uids), f"(UID {items})", prefix="UID", allowance=allowance)
        try:
            told = [mail for parts in answer.told if (mail := read_fetch(parts))]
        except ValueError as error:
            raise MailboxError(f"UID FETCH: {error}") from error
        wanted, found = set(uids), dict[int, dict[str, bytes]]()
        for mail in told:
            if mail.get("UID", b"").isdigit() and (uid := int(mail["UID"])) in wanted:
                found.setdefault(uid, {}).update(mail)
        if answer.result != "OK" and not found and not GONE.search(answer.text):
            raise RefusedByServer(f"UID FETCH: the server says {answer.result} {answer.text}")
        return found

    async def _move(self, which: str, folder: str) -> None:
        """Move mails by one command; where there is none, in steps of which none can lose a mail."""
        if self._wire.has("MOVE"):
            await self._into_folder("MOVE", which, folder)
        elif self._wire.has("UIDPLUS") and await self._into_folder("COPY", which, folder):
            await self._try("STORE", which, "+FLAGS.SILENT", r"(\Deleted)")
            await self._try("EXPUNGE", which)

    async def _into_folder(self, command: str, which: str, folder: str) -> bool:
        """Whether the server did it; a folder that is missing is made."""
        answer = await self._wire.ask(command, which, folder, prefix="UID")
        if NO_FOLDER.search(answer.text):
            await self._wire.ask("CREATE", folder)
            answer = await self._wire.ask(command, which, folder, prefix="UID")
        return _done(command, answer)

    async def _try(self, command: str, *arguments: str) -> None:
        _done(command, await self._wire.ask(command, *arguments, prefix="UID"))

    async def _ask(self, command: str, *arguments: str, prefix: str = "") -> Answer:
        answer = await self._wire.ask(command, *arguments, prefix=prefix)
        if answer.result != "OK":
            raise RefusedByServer(f"{command}: the server says {answer.result} {answer.text}")
        return answer


def _done(command: str, answer: Answer) -> bool:
    """Whether the server did what mail does not depend on."""
    if answer.result != "OK" and not GONE.search(answer.text):
        log.warning("UID %s: the server says %s %s", command, answer.result, answer.text)
    return answer.result == "OK"


def _is_whole(raw: bytes, size: int) -> bool:
    """Whether that can be all of a mail of which the server told the size."""
    return len(raw) > 0 and len(raw) >= size * LEAST


def _listed(uid: int, items: dict[str, bytes]) -> Listed:
    size = items.get("RFC822.SIZE", b"0")
    return Listed(uid, int(size) if size.isdigit() else 0, read_date(items.get("INTERNALDATE")))


def _text(items: dict[str, bytes]) -> bytes | None:
    return next((text for item, text in items.items() if item.startswith("BODY[")), None)
