"""A reader that does to some letters what none should. A module of its own: the processes that read import it."""

import os
import re
import signal

from pbem.mail.reading.letter import Envelope
from pbem.mail.reading.safely import Reading, read

HANGING, DEVOURING, DEADLY = b"hang", b"devour", b"die"
"""Letters that it has its moods with."""


def moody(raw: bytes, envelope: Envelope) -> Reading:
    """Read a letter, unless it is one of those."""
    if raw.startswith(HANGING):
        re.match(r"(a|a)*b", "a" * 60)  # It takes for ever, and lets nothing else in the process run.
    if raw.startswith(DEVOURING):
        assert [bytearray(10_000_000) for _ in range(1000)]
    if raw.startswith(DEADLY):
        os.kill(os.getpid(), signal.SIGKILL)
    return read(raw, envelope)
