"""Letters read at a safe distance.

The readers of this package are linear and bounded, and are tested with whatever anybody could think of. What nobody
has thought of must not stop the clocks of all campaigns either: a regular expression holds the interpreter's lock for
as long as it runs, and a list takes all the memory that there is. So a server reads in other processes, which have a
limit of time and one of memory, and a letter that no process gets through is kept as bytes.
"""

import hashlib
import logging
import resource
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import wait
from concurrent.futures.process import BrokenProcessPool
from types import TracebackType
from typing import NamedTuple, Self

from pebble import ProcessExpired, ProcessPool

from pbem.core.errors import PbemError
from pbem.core.ruleset import FileReader
from pbem.mail.reading.card import Card, read_card
from pbem.mail.reading.contents import NO_FILES
from pbem.mail.reading.letter import Envelope, Letter, read_letter
from pbem.process import SPAWN, settle_in

LONGEST = 5.0
"""Seconds that reading one letter may take. The worst letters known take half of one; a machine may be busy."""
PATIENCE = 60.0
"""Seconds that a process may need to start, on a machine that has much else to do."""
LOOK = 0.5
"""Seconds after which a reading that takes longer is looked after."""
MOST_MEMORY = 400_000_000
"""Bytes that a process may have for its data. The worst letters known take a quarter of it."""

NOTHING_TOLD = Envelope()

log = logging.getLogger(__name__)


class Reading(NamedTuple):
    """A letter, and the card in it."""

    letter: Letter
    card: Card


Read = Callable[[bytes, Envelope], Reading]


def read(raw: bytes, envelope: Envelope = NOTHING_TOLD, files: Mapping[str, FileReader] = NO_FILES) -> Reading:
    """Read a letter in this process; ``files``: who reads which kinds of files that come with it.

    One that breaks a reader comes back :func:`unread`.
    """
    try:
        letter = read_letter(raw, envelope, files)
        return Reading(letter, read_card(letter.body, letter.attached, letter.enclosed))
    except Exception:
        log.exception("letter of %s bytes cannot be read", len(raw))
        return unread(raw, envelope)


def unread(raw: bytes, envelope: Envelope) -> Reading:
    """What is certain of a letter that cannot be read: its bytes, and what its transport told."""
    letter = Letter(
        content_hash=hashlib.sha256(raw).hexdigest(),
        size=len(raw) if envelope.size is None else envelope.size,
        whole=envelope.whole,
        obstacle="unreadable",
    )
    return Reading(letter, read_card(letter.body))


class ReaderClosed(PbemError):
    """A letter came too late to be read: it is to be offered again when the server is back."""


class _Lost(PbemError):
    """What read a letter is gone, and not because of it."""


class Reader:
    """Reads in other processes, started when first needed. A context manager; any number of threads may use it."""

    def __init__(
        self, processes: int = 2, reader: Read = read, *, longest: float = LONGEST, most_memory: int = MOST_MEMORY
    ) -> None:
        self._processes = processes
        self._reader = reader
        self._longest = longest
        self._most_memory = most_memory
        self._free = threading.BoundedSemaphore(processes)
        self._lock = threading.Lock()
        self._pool: ProcessPool | None = None
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> None:
        """Let the processes begin, and wait for it; what reads a letter before that waits, too."""
        self.read(b"", NOTHING_TOLD)

    def close(self) -> None:
        """Let the processes end what they do; nothing is read after that. May be called twice."""
        with self._lock:
            pool, self._pool, self._closed = self._pool, None, True
        if pool:
            pool.close()  # type: ignore[no-untyped-call]  # Pebble gives this method no types.
            pool.join()

    def read(self, raw: bytes, envelope: Envelope) -> Reading:
        """Read a letter; waits for it, so never call it in an event loop.

        One that takes too long, or too much memory, or kills the process, comes back :func:`unread`. Raises
        ``ReaderClosed``, and what keeps this machine from reading any letter.
        """
        with self._free:
            try:
                return self._finished(raw, envelope)
            except (TimeoutError, ProcessExpired, MemoryError) as error:
                log.error("letter of %s bytes cannot be read: %s", len(raw), error or "too slow")
                return unread(raw, envelope)

    def _finished(self, raw: bytes, envelope: Envelope) -> Reading:
        """What comes of a letter; one that was lost by no fault of its own is read once more."""
        pool = self._running()
        try:
            return self._result(pool, raw, envelope)
        except (_Lost, BrokenProcessPool, RuntimeError):
            self._drop(pool)
            return self._result(self._running(), raw, envelope)

    def _result(self, pool: ProcessPool, raw: bytes, envelope: Envelope) -> Reading:
        task = pool.schedule(self._reader, args=(raw, envelope), timeout=self._longest)
        end = time.monotonic() + self._longest + PATIENCE
        while not wait([task], LOOK).done:
            if self._pool is not pool:
                raise _Lost("the processes were replaced because of another letter")
            if time.monotonic() > end:  # It has got lost together with the process that took it.
                self._drop(pool)
                raise TimeoutError
        return task.result()

    def _running(self) -> ProcessPool:
        with self._lock:
            if self._closed:
                raise ReaderClosed("the server stops, and reads no letter any more")
            if self._pool is None:
                self._pool = ProcessPool(
                    self._processes, context=SPAWN, initializer=_settle_in, initargs=(self._most_memory, self._reader)
                )
            return self._pool

    def _drop(self, pool: ProcessPool) -> None:
        """Use these processes no longer; who comes second finds them replaced."""
        with self._lock:
            if self._pool is not pool:
                return
            self._pool = None
        pool.stop()  # type: ignore[no-untyped-call]  # Pebble gives this method no types.
        pool.join()


def _settle_in(most_memory: int, reader: Read) -> None:
    """Begin a process. What a reader needs is imported with it, before the time of the first letter counts."""
    settle_in()
    resource.setrlimit(resource.RLIMIT_DATA, (most_memory, most_memory))
