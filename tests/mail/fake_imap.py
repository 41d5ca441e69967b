"""An IMAP server that behaves, except where a script says otherwise.

    server = FakeImap({7: card(1)}, on("IDLE", says("* BYE timeout"), closes))

The first time that a command begins with ``IDLE`` this server says good-bye and closes the connection; after that it
idles as it should. What it says may name the command's ``TAG``.
"""

import asyncio
import contextlib
import re
import socket
import ssl
import struct
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pbem.mail.imap.mailbox import Mailbox
from tests.mail.conftest import NOW

ALWAYS = 1_000_000


@dataclass
class Stored:
    """A mail in the mailbox."""

    raw: bytes
    arrived: datetime = NOW
    flags: set[str] = field(default_factory=set)


# --- what a server may do -----------------------------------------------------------------------------------------


@dataclass
class Talk:
    """A command, and the connection that it came by."""

    server: "FakeImap"
    line: str
    tag: str
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def say(self, text: str | bytes) -> None:
        raw = text if isinstance(text, bytes) else text.replace("TAG", self.tag).encode()
        self.writer.write(raw)
        with contextlib.suppress(ConnectionError):
            await self.writer.drain()


Act = Callable[[Talk], Awaitable[None]]


def says(*lines: str) -> Act:
    """Say these lines."""

    async def act(talk: Talk) -> None:
        await talk.say("".join(f"{line}\r\n" for line in lines))

    return act


def says_raw(text: str | bytes) -> Act:
    """Say just this, without the end of a line."""

    async def act(talk: Talk) -> None:
        await talk.say(text)

    return act


async def usual(talk: Talk) -> None:
    """Answer as a server should."""
    await talk.server.answer(talk)


async def closes(talk: Talk) -> None:
    """Close the connection."""
    talk.writer.close()
    raise ConnectionError


async def resets(talk: Talk) -> None:
    """Break the connection: the client gets an RST."""
    talk.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    talk.writer.transport.abort()
    raise ConnectionError


async def is_silent(talk: Talk) -> None:
    """Do not answer, but go on listening."""


async def stops_reading(talk: Talk) -> None:
    """Do nothing any more on this connection, as if the cable were cut."""
    await asyncio.Event().wait()


def in_pieces_of(size: int, pause: float = 0.0) -> Act:
    """Answer as a server should, but a few bytes at a time."""

    async def act(talk: Talk) -> None:
        answer = _Recorder()
        await talk.server.answer(Talk(talk.server, talk.line, talk.tag, talk.reader, answer))  # type: ignore[arg-type]
        for start in range(0, len(answer.said), size):
            await talk.say(bytes(answer.said[start : start + size]))
            await asyncio.sleep(pause)

    return act


def floods(size: int) -> Act:
    """Send a line without an end."""

    async def act(talk: Talk) -> None:
        for _ in range(size // 65_536):
            await talk.say(b"x" * 65_536)

    return act


def delivers(uid: int, raw: bytes) -> Act:
    """A mail comes into the mailbox, and nobody is told."""

    async def act(talk: Talk) -> None:
        talk.server.mails[uid] = Stored(raw)

    return act


class _Recorder:
    """A writer that keeps what is written."""

    def __init__(self) -> None:
        self.said = bytearray()

    def write(self, text: bytes) -> None:
        self.said += text

    async def drain(self) -> None: ...


@dataclass
class Rule:
    """What the script says of a command."""

    command: str
    acts: Sequence[Act]
    times: int
    about: int | None

    def meets(self, talk: Talk) -> bool:
        """Whether it is about this command."""
        if not self.times or not re.match(self.command, talk.line):
            return False
        return self.about is None or self.about in talk.server.uids(talk.line.split(" ")[2])


def on(command: str, *acts: Act, times: int = 1, about: int | None = None) -> Rule:
    """What to do the first ``times`` that a command begins so (a regular expression), and is about a certain mail;
    ``GREETING`` is for a new connection."""
    return Rule(command, acts, times, about)


# --- the server ---------------------------------------------------------------------------------------------------

CAPABILITIES = "IMAP4rev1 IDLE MOVE UIDPLUS NAMESPACE"


class FakeImap:
    """A server with one mailbox, and a script of what to do otherwise than usual."""

    def __init__(
        self,
        mails: Mapping[int, bytes | Stored] | None = None,
        *script: Rule,
        capabilities: str = CAPABILITIES,
        keywords: bool = True,
        uid_validity: int = 1,
        context: ssl.SSLContext | None = None,
    ) -> None:
        self.mails = {uid: mail if isinstance(mail, Stored) else Stored(mail) for uid, mail in (mails or {}).items()}
        self.script = list(script)
        self.capabilities = capabilities
        self.keywords = keywords
        self.uid_validity = uid_validity
        self.context = context
        """For STARTTLS."""
        self.folders: dict[str, list[bytes]] = {}
        self.asked: list[str] = []
        """Commands, without their tags."""
        self.connections = 0
        self.open = 0
        self.last_fault = 0.0
        """When the script last said otherwise; seconds on a clock of its own."""
        self.last_search = 0.0
        """When the mailbox was last looked into."""
        self.talks: set[asyncio.Task[Any]] = set()

    def count(self, command: str) -> int:
        """How often a command that begins so was asked."""
        return sum(bool(re.match(command, line)) for line in self.asked)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.open += 1
        task = asyncio.current_task()
        assert task
        self.talks.add(task)
        talk = Talk(self, "GREETING", "*", reader, writer)
        try:
            await self._react(talk)
            while line := (await reader.readline()).decode().rstrip("\r\n"):
                talk.tag, _, talk.line = line.partition(" ")
                self.asked.append(talk.line)
                await self._react(talk)
        except (ConnectionError, ssl.SSLError, asyncio.CancelledError):
            pass  # The connection is over, or the test.
        finally:
            self.open -= 1
            self.talks.discard(task)
            writer.close()

    async def _react(self, talk: Talk) -> None:
        for rule in self.script:
            if rule.meets(talk):
                rule.times -= 1
                self.last_fault = time.monotonic()
                for act in rule.acts:
                    await act(talk)
                return
        await usual(talk)

    async def answer(self, talk: Talk) -> None:
        """As RFC 3501 has it."""
        words = talk.line.split(" ")
        name = words[1] if words[0] == "UID" else words[0]
        await getattr(self, f"_{name.lower()}", self._done)(talk, words[2:])

    async def _done(self, talk: Talk, words: list[str]) -> None:
        await talk.say("TAG OK done\r\n")

    async def _greeting(self, talk: Talk, words: list[str]) -> None:
        await talk.say("* OK hello\r\n")

    async def _capability(self, talk: Talk, words: list[str]) -> None:
        await talk.say(f"* CAPABILITY {self.capabilities}\r\nTAG OK done\r\n")

    async def _starttls(self, talk: Talk, words: list[str]) -> None:
        await talk.say("TAG OK go on\r\n")
        assert self.context
        await talk.writer.start_tls(self.context)

    async def _namespace(self, talk: Talk, words: list[str]) -> None:
        await talk.say('* NAMESPACE (("" "/")) NIL NIL\r\nTAG OK done\r\n')

    async def _select(self, talk: Talk, words: list[str]) -> None:
        any_keyword = r" \*" if self.keywords else ""
        await talk.say(
            f"* {len(self.mails)} EXISTS\r\n* OK [UIDVALIDITY {self.uid_validity}] ok\r\n"
            f"* OK [PERMANENTFLAGS (\\Seen \\Deleted{any_keyword})] ok\r\nTAG OK [READ-WRITE] done\r\n"
        )

    async def _search(self, talk: Talk, words: list[str]) -> None:
        match words:
            case ["UNKEYWORD", flag]:
                found = [uid for uid, mail in self.mails.items() if flag not in mail.flags]
            case ["KEYWORD", flag]:
                found = [uid for uid, mail in self.mails.items() if flag in mail.flags]
            case _:
                found = list(self.mails)
        self.last_search = time.monotonic()
        await talk.say(f"* SEARCH {' '.join(map(str, found))}\r\nTAG OK done\r\n")

    async def _fetch(self, talk: Talk, words: list[str]) -> None:
        for uid in self.uids(words[0]):
            await talk.say(self.fetched(uid, " ".join(words[1:])))
        await talk.say("TAG OK done\r\n")

    def fetched(self, uid: int, items: str) -> bytes:
        """What is said of a mail that was asked for."""
        mail = self.mails[uid]
        told = [f"UID {uid}".encode()]
        if "RFC822.SIZE" in items:
            date = mail.arrived.strftime("%d-%b-%Y %H:%M:%S %z")
            told.append(f'RFC822.SIZE {len(mail.raw)} INTERNALDATE "{date}"'.encode())
        if wanted := re.search(r"BODY\.PEEK\[(HEADER)?\](?:<0\.(\d+)>)?", items):
            text = mail.raw.partition(b"\r\n\r\n")[0] + b"\r\n\r\n" if wanted[1] else mail.raw
            text = text[: int(wanted[2])] if wanted[2] else text
            part = f"BODY[{wanted[1] or ''}]" + ("<0>" if wanted[2] else "")
            told.append(f"{part} {{{len(text)}}}\r\n".encode() + text)
        return f"* {list(self.mails).index(uid) + 1} FETCH (".encode() + b" ".join(told) + b")\r\n"

    async def _store(self, talk: Talk, words: list[str]) -> None:
        for uid in self.uids(words[0]):
            self.mails[uid].flags |= set(" ".join(words[2:]).strip("()").split())
        await talk.say("TAG OK done\r\n")

    async def _move(self, talk: Talk, words: list[str]) -> None:
        self._copied(words)
        for uid in self.uids(words[0]):
            del self.mails[uid]
        await talk.say("TAG OK done\r\n")

    async def _copy(self, talk: Talk, words: list[str]) -> None:
        self._copied(words)
        await talk.say("TAG OK done\r\n")

    async def _expunge(self, talk: Talk, words: list[str]) -> None:
        for uid in self.uids(words[0]) if words else self.uids("1:*"):
            if r"\Deleted" in self.mails[uid].flags:
                del self.mails[uid]
        await talk.say("TAG OK done\r\n")

    async def _idle(self, talk: Talk, words: list[str]) -> None:
        await talk.say("+ idling\r\n")
        if (await talk.reader.readline()).strip() == b"DONE":
            await talk.say("TAG OK done\r\n")

    def _copied(self, words: list[str]) -> None:
        folder = " ".join(words[1:]).strip('"')
        self.folders.setdefault(folder, []).extend(self.mails[uid].raw for uid in self.uids(words[0]))

    def uids(self, words: str) -> list[int]:
        """Those of a set that are there."""
        wanted: list[int] = []
        for part in words.split(","):
            first, _, last = part.partition(":")
            wanted += [
                uid for uid in self.mails if int(first) <= uid <= (ALWAYS if last == "*" else int(last or first))
            ]
        return wanted


@asynccontextmanager
async def faking(server: FakeImap, tls: ssl.SSLContext | None = None, **settings: Any) -> AsyncIterator[Mailbox]:
    """The mailbox of a fake server, with ``tls`` from the start, which recovers quickly unless told otherwise."""
    listener = await asyncio.start_server(server.serve, "127.0.0.1", 0, ssl=tls)
    try:
        port = listener.sockets[0].getsockname()[1]
        usually = {"host": "localhost", "user": "gm", "password": "secret", "security": "none", "recover": 0.6}
        yield Mailbox(**{**usually, "port": port, **settings})
    finally:
        listener.close()
        for talk in server.talks:
            talk.cancel()
        await asyncio.gather(*server.talks, return_exceptions=True)
