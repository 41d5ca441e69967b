"""Servers in processes of their own, so that who measures does not slow down what is measured."""

import asyncio
import contextlib
import multiprocessing
import os
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from aiosmtpd.lmtp import LMTP

from pbem.app import standing_server
from pbem.config import Settings

Stop = asyncio.Event
Serve = Callable[[Any, Stop, Callable[[int], object]], Awaitable[None]]
"""Serves until told to stop; gives the port once it listens."""


@dataclass(frozen=True)
class Running:
    """A server that runs."""

    port: int
    pid: int

    def megabytes(self) -> float:
        """The memory that it and its children hold; 0 where the system does not tell."""
        return sum(_resident(pid) for pid in (self.pid, *_children(self.pid))) / 1000

    def seconds(self) -> float:
        """The processor time that it and its children have taken."""
        return sum(_taken(pid) for pid in (self.pid, *_children(self.pid)))


@contextlib.contextmanager
def running(serve: Serve, given: Any) -> Iterator[Running]:
    """``serve`` in a new process until the block ends; then it is stopped, and has to end well."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_run, args=(serve, given, theirs))
    process.start()
    theirs.close()
    try:
        assert process.pid is not None
        yield Running(ours.recv(), process.pid)
    finally:
        ours.close()
        process.join(60)
        process.terminate()
    if process.exitcode:
        raise RuntimeError(f"{serve.__name__} ended with {process.exitcode}")


def _run(serve: Serve, given: Any, pipe: Connection) -> None:
    async def until_closed() -> None:
        stop = asyncio.Event()
        asyncio.get_running_loop().add_reader(pipe.fileno(), stop.set)
        await serve(given, stop, pipe.send)

    asyncio.run(until_closed())


async def pbem(settings: Settings, stop: Stop, started: Callable[[int], object]) -> None:
    """The whole server; its port is 0 if it does not listen."""
    with standing_server(settings) as server:
        await server.run(stop, lambda: started(server.listener.port if server.listener else 0))


class _Sink:
    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        return "250 2.0.0 Gone"


async def sink(given: None, stop: Stop, started: Callable[[int], object]) -> None:
    """aiosmtpd, which takes mails and throws them away."""
    loop = asyncio.get_running_loop()
    listening = await loop.create_server(lambda: LMTP(_Sink(), loop=loop), "127.0.0.1", 0)
    started(listening.sockets[0].getsockname()[1])
    await stop.wait()
    listening.close()


def _taken(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _resident(pid: int) -> int:
    """In kB."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
    return 0


def _children(pid: int) -> list[int]:
    """Any of its threads may have begun them."""
    with contextlib.suppress(OSError):
        begun = [path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/children")]
        return [int(each) for children in begun for each in children.split()]
    return []
