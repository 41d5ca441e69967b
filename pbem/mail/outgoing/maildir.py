"""Mail into folders: one Maildir for each recipient, to be read with any mail program or an editor."""

import asyncio
import hashlib
import os
import re
from pathlib import Path

from pbem.mail.mime import read_part
from pbem.mail.outgoing.transport import Deferred, OutgoingMail, Result, Sent
from pbem.mail.reading.letter import read_date

SAFE = re.compile(r"[a-z0-9][a-z0-9@+._-]{0,99}")
UNSAFE = re.compile(r"[^a-z0-9@+._-]")


class MaildirOutbox:
    """Puts every mail into the Maildir of its recipient below ``root``."""

    def __init__(self, root: Path) -> None:
        self._root = root

    async def send(self, mail: OutgoingMail) -> Result:
        """Write it; the same mail again is the same file."""
        try:
            await asyncio.to_thread(self._write, mail)
        except OSError as error:
            return Deferred(f"cannot write to the folder: {error}")
        return Sent()

    async def close(self) -> None:
        """Nothing is held open."""

    def folder(self, address: str) -> Path:
        """The Maildir of an address."""
        return self._root / folder_name(address)

    def _write(self, mail: OutgoingMail) -> None:
        folder = self.folder(mail.recipient)
        for name in ("tmp", "new", "cur"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        name = _file_name(mail.raw)
        if any((folder / "cur").glob(f"{name}*")):
            return  # Delivered before, and read.
        with (folder / "tmp" / name).open("wb") as file:
            file.write(mail.raw.replace(b"\r\n", b"\n"))
            file.flush()
            os.fsync(file.fileno())
        (folder / "tmp" / name).replace(folder / "new" / name)


def folder_name(address: str) -> str:
    """A folder name for an address, never the same for two addresses that differ in more than case."""
    plain = address.lower()
    if SAFE.fullmatch(plain):
        return plain
    digest = hashlib.sha256(plain.encode("utf-8", "replace")).hexdigest()[:12]
    return f"{UNSAFE.sub('_', plain)[:80].lstrip('._-') or 'nobody'}-{digest}"


def _file_name(raw: bytes) -> str:
    """By date, so that a listing shows them in order; the same for the same mail."""
    date = read_date(read_part(raw).first("date"))
    seconds = int(date.timestamp()) if date else 0
    return f"{seconds}.{hashlib.sha256(raw).hexdigest()[:20]}.pbem"
