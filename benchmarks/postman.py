"""Hand mails over as a mail server does: LMTP over several connections, one mail after the other on each."""

import asyncio
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from benchmarks.crowd import Post

DOT = re.compile(rb"^\.", re.MULTILINE)


@dataclass
class Delivery:
    """What came of handing mails over."""

    seconds: float = 0.0
    answers: list[float] = field(default_factory=list)
    """Seconds from the end of each mail to its answer."""
    refused: list[str] = field(default_factory=list)
    """Answers that were no yes."""


async def deliver(port: int, posts: Sequence[Post], connections: int) -> Delivery:
    """Hand mails over. Where the number of connections divides that of the writers, the mails of each go over one, in
    order."""
    delivery, begun = Delivery(), time.perf_counter()
    async with asyncio.TaskGroup() as tasks:
        for number in range(connections):
            tasks.create_task(_hand_over(port, posts[number::connections], delivery))
    delivery.seconds = time.perf_counter() - begun
    return delivery


async def _hand_over(port: int, posts: Iterable[Post], delivery: Delivery) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    await _answer(reader)
    writer.write(b"LHLO mx.example\r\n")
    await _answer(reader)
    for post in posts:
        for command in (f"MAIL FROM:<{post.sender}>", f"RCPT TO:<{post.recipient}>", "DATA"):
            writer.write(f"{command}\r\n".encode())
            answer = await _answer(reader)
        writer.write(DOT.sub(b"..", post.raw) + (b"" if post.raw.endswith(b"\r\n") else b"\r\n") + b".\r\n")
        sent = time.perf_counter()
        answer = await _answer(reader)
        delivery.answers.append(time.perf_counter() - sent)
        if not answer.startswith("250"):
            delivery.refused.append(f"{post.kind}: {answer}")
    writer.write(b"QUIT\r\n")
    writer.close()


async def _answer(reader: asyncio.StreamReader) -> str:
    """The last line of an answer."""
    line = await reader.readline()
    while line[3:4] == b"-":
        line = await reader.readline()
    return line.decode()
