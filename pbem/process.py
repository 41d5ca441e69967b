"""Processes that work for a server: how each of them begins, and that none outlives it."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from pbem.log import configure

T = TypeVar("T")

SPAWN = multiprocessing.get_context("spawn")
"""Forking a process that has threads may copy a lock that is held."""


def settle_in() -> None:
    """In a new process: leave Ctrl-C to the server, log as it does, and end when it ends, however that comes about."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    configure()
    threading.Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        os._exit(0)


class Workers:
    """Processes that begin when first needed, and are replaced together when one of them dies. Any number of threads
    may use them."""

    def __init__(self, processes: int, begin: Callable[..., object] = settle_in, *given: Any) -> None:
        self._processes, self._begin, self._given = processes, begin, given
        self._lock = threading.Lock()
        self._pool: ProcessPoolExecutor | None = None

    def submit(self, act: Callable[..., T], *args: Any) -> tuple[Future[T], ProcessPoolExecutor]:
        """What ``act`` will give, and the processes of which one does it, to be named should they be broken."""
        with self._lock:
            pool = self._pool or self._begun()
            try:
                return pool.submit(act, *args), pool
            except BrokenProcessPool:  # Since the last time, with nobody there to see it.
                pool.shutdown(wait=False)
                pool = self._begun()
                return pool.submit(act, *args), pool

    def _begun(self) -> ProcessPoolExecutor:
        self._pool = ProcessPoolExecutor(
            self._processes, mp_context=SPAWN, initializer=self._begin, initargs=self._given
        )
        return self._pool

    def replace(self, broken: ProcessPoolExecutor) -> None:
        """Use these no longer; who comes second finds them replaced."""
        with self._lock:
            if self._pool is broken:
                self._pool = None
        broken.shutdown(wait=False, cancel_futures=True)

    def close(self) -> None:
        """End the processes when they have done what they do. May be called twice; new work starts new ones."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool:
            pool.shutdown(cancel_futures=True)
