"""The server's own key, from which all tokens are made: whoever reads it can act for every player."""

import os
import re
import tempfile
from contextlib import suppress
from pathlib import Path

from pbem.core.errors import BadInput, Flaw
from pbem.service.chance import BYTES, new_secret

WHOLE = re.compile(rf"[0-9a-f]{{{2 * BYTES}}}")


def own_key(path: Path) -> bytes:
    """The key in a file; drawn, if there is no such file. Raises ``BadInput`` for a file that is no whole key."""
    if not path.exists():
        _draw(path)
    return read_key(path)


def read_key(path: Path) -> bytes:
    """The key in a file. Raises ``BadInput`` for one that is not whole: from part of a key, tokens could be guessed."""
    try:
        text = path.read_text(encoding="ascii", errors="replace").strip()
    except OSError as error:
        raise BadInput([Flaw(str(path), f"cannot be read: {error.strerror}")]) from error
    if not WHOLE.fullmatch(text):
        raise BadInput([Flaw(str(path), "is empty or damaged, and no key any more; put it back from a backup")])
    return bytes.fromhex(text)


def _draw(path: Path) -> None:
    """Another program may do the same at the same moment: the file is there with all that is in it, or not at all, and
    the first one counts."""
    handle, name = tempfile.mkstemp(prefix="key.", dir=path.parent)  # Nobody else may read it.
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(new_secret())
            file.flush()
            os.fsync(handle)
        with suppress(FileExistsError):
            os.link(name, path)
    finally:
        os.unlink(name)
