"""The certificate of a listener, from files that somebody else renews."""

import logging
import ssl
from pathlib import Path

log = logging.getLogger(__name__)


class Certificate:
    """A certificate and its key in PEM files, read again when these change: they are renewed every few weeks."""

    def __init__(self, certificate: Path, key: Path) -> None:
        """Read both; raises ``ValueError``, in words for the organizer, if they cannot be used."""
        self._certificate, self._key = certificate, key
        self._context = _load(certificate, key)
        self._read = self._stamp()

    def context(self) -> ssl.SSLContext:
        """For a connection that begins now. Files that have become unusable are reported to the log, and the last good
        ones stay in use."""
        if (stamp := self._stamp()) != self._read:
            self._read = stamp
            try:
                self._context = _load(self._certificate, self._key)
            except ValueError as error:
                log.error("the renewed certificate is not used: %s", error)
        return self._context

    def _stamp(self) -> tuple[float, ...]:
        """Changes when a file does."""
        try:
            return tuple(path.stat().st_mtime for path in (self._certificate, self._key))
        except OSError:
            return ()


def _load(certificate: Path, key: Path) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    for path in (certificate, key):
        try:
            path.read_bytes()
        except OSError as error:
            raise ValueError(f"{path} cannot be read: {error.strerror}") from error
    try:
        # Without an answer at hand, a key with a passphrase would make the server ask for it on the terminal.
        context.load_cert_chain(certificate, key, password=_no_passphrase)
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise ValueError(f"the key in {key} does not belong to the certificate in {certificate}") from error
        raise ValueError(f"no certificate and key in PEM form in {certificate} and {key}") from error
    return context


def _no_passphrase() -> str:
    raise ValueError("the key has a passphrase; the server needs one without")
