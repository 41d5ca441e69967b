"""Packed rosters (``.rosz``): the one file in a ZIP, opened with care, for anybody may send one."""

import zipfile
import zlib

from pbem.core.errors import BadInput, Flaw

MOST_FILES = 10
MOST_UNPACKED = 5_000_000
"""Bytes; real rosters have a tenth of it."""


def only_file(name: str, content: bytes) -> bytes:
    """The roster in an archive. Raises ``BadInput`` for what is no archive with one roster of a sensible size.

    What an archive says of its sizes may be a lie, so that bytes are counted as they come out; nothing is ever written
    anywhere, so that the names in it do no harm.
    """
    try:
        with zipfile.ZipFile(_Memory(content)) as archive:
            return _unpacked(name, archive)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError, ValueError) as error:
        raise BadInput([Flaw(name, f"the archive cannot be opened: {error}")]) from error


def _unpacked(name: str, archive: zipfile.ZipFile) -> bytes:
    files = [each for each in archive.infolist() if not each.is_dir()]
    rosters = [each for each in files if each.filename.lower().endswith(".ros")]
    if len(files) > MOST_FILES or len(rosters) != 1:
        reason = f"one .ros file should be in it, but here are {len(rosters)} among {len(files)} files"
        raise BadInput([Flaw(name, reason)])
    if rosters[0].flag_bits & 1:
        raise BadInput([Flaw(name, "it is locked with a password; send it without")])
    with archive.open(rosters[0]) as file:
        unpacked = file.read(MOST_UNPACKED + 1)
    if len(unpacked) > MOST_UNPACKED:
        raise BadInput([Flaw(name, f"unpacked it has more than {MOST_UNPACKED:,} bytes: that is no roster")])
    return unpacked


class _Memory:
    """Bytes as a file to be read: rules open no others."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._at = 0

    def read(self, size: int = -1) -> bytes:
        """The next bytes; all that are left without a size."""
        end = len(self._content) if size < 0 else self._at + size
        begin, self._at = self._at, min(end, len(self._content))
        return self._content[begin : self._at]

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a place, counted from the beginning (0), from here (1) or from the end (2)."""
        place = (0, self._at, len(self._content))[whence] + offset
        if place < 0:
            raise ValueError("before the beginning")
        self._at = min(place, len(self._content))
        return self._at

    def tell(self) -> int:
        """Where it stands."""
        return self._at

    def seekable(self) -> bool:
        """It is."""
        return True
