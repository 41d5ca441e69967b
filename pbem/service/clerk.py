"""Paperwork: what the mail that comes and goes wants from the database, while the event loop serves everybody else.

A running server has it done in a process of its own. Taking in a letter is work for the interpreter, which does one
thing at a time: in one process with the listener, the pages and the mail that goes out, a flood of letters would keep
all of them waiting, however many threads there are.
"""

import asyncio
import faulthandler
import gc
import logging
import signal
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from functools import cache, partial
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from pbem.process import Workers, settle_in

log = logging.getLogger(__name__)

H = TypeVar("H")
P = ParamSpec("P")
T = TypeVar("T")

LONGEST = 180.0
"""Seconds for one thing, the wait for the database included. Who takes longer hangs, and his process is ended."""


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

    def __init__(self, open_host: Callable[[], Any], longest: float = LONGEST) -> None:
        self._workers = Workers(1, _begin, open_host)
        self._longest = longest

    async def start(self) -> None:
        """Open the host there; raises what keeps it from being opened."""
        await self.do(_ready, None)

    async def do(self, act: Callable[Concatenate[H, P], T], host: H, *args: P.args, **kwargs: P.kwargs) -> T:
        """What ``act`` gives. A process that died or was ended is replaced, and it is done once more.

        Raises ``BrokenProcessPool`` if that dies, too, and what keeps the host from being opened.
        """
        try:
            return await self._done(act, args, kwargs)
        except BrokenProcessPool:
            return await self._done(act, args, kwargs)

    def close(self) -> None:
        """End the process when it has done what it does. May be called twice."""
        self._workers.close()

    async def _done(self, act: Callable[..., T], args: Any, kwargs: Any) -> T:
        result, process = self._workers.submit(_act, self._longest, act, args, kwargs)
        try:
            return await asyncio.wrap_future(result)
        except BrokenProcessPool:
            log.warning("the process that writes letters down died; another one takes its place")
            self._workers.replace(process)
            raise


def _ready(host: object) -> None:
    """There is a host."""


def _begin(open_host: Callable[[], Any]) -> None:
    global _host
    settle_in()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # Sent to all of a service when it stops: the server says when.
    _host = cache(partial(_opened, open_host))


def _opened(open_host: Callable[[], Any]) -> Any:
    host = open_host()
    gc.collect()
    gc.freeze()  # Rules, maps and queries stay: to look through them again and again takes a tenth of the time.
    return host


_host: Callable[[], Any]
"""In the process of a clerk: what he works with, opened when it is first needed."""


def _act(longest: float, act: Callable[..., T], args: Any, kwargs: Any) -> T:
    host = _host()
    faulthandler.dump_traceback_later(longest, exit=True)
    try:
        return act(host, *args, **kwargs)
    finally:
        faulthandler.cancel_dump_traceback_later()
