"""Paperwork: what the mail that comes and goes wants from the database, while the event loop serves everybody else.

A running server has it done in a process of its own. Taking in a letter is work for the interpreter, which does one
thing at a time: in one process with the listener, the pages and the mail that goes out, a flood of letters would keep
all of them waiting, however many threads there are.
"""

import asyncio
import gc
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from pbem.process import SPAWN, settle_in

H = TypeVar("H")
P = ParamSpec("P")
T = TypeVar("T")


class Clerk(Protocol):
    """Who does the paperwork."""

    async def start(self) -> None:
        """Be ready when this returns."""
        ...

    async def do(self, act: Callable[Concatenate[H, P], T], host: H, *args: P.args, **kwargs: P.kwargs) -> T:
        """What ``act`` gives for the host, or one like it. It may be done twice, if who does it dies meanwhile."""
        ...


class ThreadClerk:
    """Does it in another thread."""

    async def start(self) -> None:
        """Threads need no time to begin."""

    async def do(self, act: Callable[Concatenate[H, P], T], host: H, *args: P.args, **kwargs: P.kwargs) -> T:
        """What ``act`` gives for the host."""
        return await asyncio.to_thread(act, host, *args, **kwargs)


class ProcessClerk:
    """Does it in another process, one thing after the other, for a host that ``open_host`` opens there."""

    def __init__(self, open_host: Callable[[], Any]) -> None:
        self._open_host = open_host
        self._lock = threading.Lock()
        self._pool: ProcessPoolExecutor | None = None

    async def start(self) -> None:
        """Open the host there. Raises what keeps it from being opened."""
        await self.do(_ready, None)

    async def do(self, act: Callable[Concatenate[H, P], T], host: H, *args: P.args, **kwargs: P.kwargs) -> T:
        """What ``act`` gives. A process that died, killed for its memory perhaps, is replaced once."""
        try:
            return await self._done(act, args, kwargs)
        except BrokenProcessPool:
            self.close()
            return await self._done(act, args, kwargs)

    def close(self) -> None:
        """End the process when it has done what it does. May be called twice."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool:
            pool.shutdown(cancel_futures=True)

    def _done(self, act: Callable[..., T], args: Any, kwargs: Any) -> "asyncio.Future[T]":
        with self._lock:
            if self._pool is None:
                opening = (self._open_host,)
                self._pool = ProcessPoolExecutor(1, mp_context=SPAWN, initializer=_open, initargs=opening)
            return asyncio.wrap_future(self._pool.submit(_act, act, args, kwargs))


_host: Any = None
"""In the process of a clerk: what it works with."""


def _open(open_host: Callable[[], Any]) -> None:
    global _host
    settle_in()
    _host = open_host()
    gc.collect()
    gc.freeze()  # Rules, maps and queries stay: to look through them again and again takes a tenth of the time.


def _ready(host: object) -> None:
    """There is a host."""


def _act(act: Callable[..., T], args: Any, kwargs: Any) -> T:
    return act(_host, *args, **kwargs)
