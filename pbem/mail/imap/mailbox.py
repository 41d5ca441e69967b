"""Where a mailbox is, and how to deal with it."""

import ssl
from dataclasses import dataclass, field

from pbem.mail.connecting import Security
from pbem.mail.oauth import AccessTokens


@dataclass(frozen=True)
class Mailbox:
    """A mailbox on an IMAP server."""

    host: str
    user: str
    password: str = field(default="", repr=False)
    port: int = 993
    security: Security = "tls"
    tokens: AccessTokens | None = None
    """Where to get an access token; then there is no password."""
    context: ssl.SSLContext | None = None
    """Whom to trust; by default whom the system trusts."""
    folder: str = "INBOX"
    done_folder: str = ""
    """Where stored mail is moved; if empty, it stays. Wanted where a server keeps no keywords: there every mail that
    stays is offered again after a restart."""
    quarantine_folder: str = ""
    """Where mail is moved that cannot be taken; if empty, it stays."""
    poll: float = 60.0
    """Seconds between looks when the server tells nothing."""
    recover: float = 60.0
    """Seconds within which the mailbox is looked into again after any fault, if it can be. The limits below are shares
    of it: a fault while waiting for news is met after ``idle`` seconds, known after ``timeout`` more, and followed by a
    ``longest_pause``; the rest is for the new connection."""
    largest: int = 10_000_000
    """Bytes of the largest mail that is fetched whole."""

    @property
    def idle(self) -> float:
        """Seconds to wait for news before looking all the same."""
        return min(self.poll, self.recover / 2)

    @property
    def timeout(self) -> float:
        """Seconds to wait for an answer."""
        return self.recover / 6

    @property
    def first_pause(self) -> float:
        """Seconds before a new connection; twice as long after each one that came to nothing."""
        return self.recover / 60

    @property
    def longest_pause(self) -> float:
        """Seconds before a new connection at most."""
        return self.recover / 6
