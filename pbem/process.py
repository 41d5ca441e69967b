"""Processes that work for a server: how each of them begins, and that none outlives it."""

import multiprocessing
import os
import signal
import threading

SPAWN = multiprocessing.get_context("spawn")
"""Forking a process that has threads may copy a lock that is held."""


def settle_in() -> None:
    """In a new process: leave Ctrl-C to the server, and end when the server ends, however that comes about."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        os._exit(0)
