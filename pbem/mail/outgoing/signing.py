"""DKIM signatures on what goes out (RFC 6376, RFC 8463)."""

import asyncio
import base64
import binascii
import logging
import re
from pathlib import Path

import dkim

from pbem.mail.mime import read_part
from pbem.mail.outgoing.transport import Deferred, OutgoingMail, Result, Transport

SEALED = (
    *("From", "Reply-To", "To", "Subject", "Date", "Message-ID", "In-Reply-To", "References"),
    *("List-Id", "List-Unsubscribe", "Auto-Submitted"),
)
"""Headers that are signed once more than they are there: nobody can add one."""
SIGNED = ("MIME-Version", "Content-Type", "Content-Transfer-Encoding")
"""Headers that are signed as they are: a server on the way may have to add one."""

PEM = re.compile(rb"-----BEGIN ([A-Z ]{0,20}PRIVATE KEY)-----([A-Za-z0-9+/=\s]{1,10000})-----END")
ED25519 = bytes.fromhex("302e020100300506032b657004220420")
"""What comes before the 32 bytes of the key itself (RFC 8410)."""
PROBE = b"From: probe@localhost\r\n\r\nprobe\r\n"

log = logging.getLogger(__name__)


class Signer:
    """Signs mails of a domain with a key whose public half stands in the DNS under ``selector._domainkey.domain``."""

    def __init__(self, key: Path, selector: str, domain: str) -> None:
        """Read the key; raises ``ValueError``, in words for the organizer, if it cannot sign."""
        self._selector, self._domain = selector.encode("ascii"), domain.encode("ascii")
        self._key, self._algorithm = _read(key)
        try:
            self.sign(PROBE)
        except Exception as error:  # The library has no one kind of error for keys that it cannot use.
            raise ValueError(f"{key} holds no key that can sign: {error}") from error

    def sign(self, raw: bytes) -> bytes:
        """The mail with a signature on top. It is over the whole body: nothing can be appended."""
        there = [name for name, _ in read_part(raw).headers]
        sealed = [name for name in SEALED for _ in range(there.count(name.lower()) + 1)]
        signed = [name for name in SIGNED for _ in range(there.count(name.lower()))]
        signature: bytes = dkim.sign(
            raw,
            self._selector,
            self._domain,
            self._key,
            canonicalize=(b"relaxed", b"relaxed"),
            signature_algorithm=self._algorithm,
            include_headers=[name.encode() for name in sealed + signed],
        )
        return signature + raw


class SigningOutbox:
    """Signs each mail just before it goes out: a signature has a date, the mail keeps its Message-ID."""

    def __init__(self, outbox: Transport, signer: Signer) -> None:
        self._outbox = outbox
        self._signer = signer

    async def send(self, mail: OutgoingMail) -> Result:
        """Sign and send it. A mail that cannot be signed waits: unsigned it would be taken for a forgery."""
        try:
            raw = await asyncio.to_thread(self._signer.sign, mail.raw)
        except Exception as error:
            log.exception("mail to %s not signed", mail.recipient)
            return Deferred(f"not signed: {type(error).__name__}")
        return await self._outbox.send(OutgoingMail(mail.sender, mail.recipient, raw))

    async def close(self) -> None:
        """Let go of connections."""
        await self._outbox.close()


def _read(path: Path) -> tuple[bytes, bytes]:
    """The key as the library wants it, and the algorithm that it is for."""
    try:
        content = path.read_bytes().replace(b"\r\n", b"\n")
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from error
    found = PEM.search(content)
    if not found or found[1].startswith(b"ENCRYPTED"):
        raise ValueError(f"{path} is no private key in PEM form without a passphrase")
    try:
        inside = base64.b64decode(found[2])
    except binascii.Error as error:
        raise ValueError(f"{path} is no private key in PEM form: it is torn") from error
    if inside.startswith(ED25519):
        return base64.b64encode(inside.removeprefix(ED25519)), b"ed25519-sha256"
    return content, b"rsa-sha256"
