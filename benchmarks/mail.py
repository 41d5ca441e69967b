"""Many letters: through the listener, and out of a mailbox, next to what the bare parts cost in the same run."""

import asyncio
import contextlib
import os
import shutil
import sqlite3
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median, quantiles

from benchmarks import bare, processes
from benchmarks.crowd import Post, gather, letters
from benchmarks.postman import deliver
from pbem.config import ImapIn, Limits, Settings, SmtpIn, Web
from pbem.hosting import build_host
from pbem.reports.raster import Rasterizer
from tests.servers import PATH, Dovecot, accounts, free_port, running_dovecot

CONNECTIONS = 20
"""As many as Postfix opens to one server."""
PATIENCE = 600.0
"""Seconds until the last letter must be stored, and the last answer have gone out."""
BARE = 2000
"""So many letters tell how fast a bare part is."""
ASKED = 0.2
"""Seconds between questions for the server's health."""


@dataclass(frozen=True)
class Row:
    """A figure of the table."""

    what: str
    measured: str
    bound: str = ""
    like: str = ""


def through_listener(count: int) -> Iterator[Row]:
    """Letters that a mail server hands over; each is on file, and its answer in the outbox, when it is told so."""
    with _folder() as folder:
        settings = _settings(folder, SmtpIn(protocol="lmtp", port=0))
        posts = _begin(settings, count)
        with processes.running(processes.pbem, settings) as server:
            before = server.megabytes()
            with _Health(settings.web.port) as health:
                delivery = asyncio.run(deliver(server.port, posts, CONNECTIONS))
            used = server.seconds()
            sent = _wait_until(lambda: not _count(folder, "outbox WHERE status = 'due'")) - health.begun
            after = server.megabytes()
        _check(folder, posts, delivery.refused)
        sqlite = bare.transactions(folder / "pbem.sqlite", BARE)
    with processes.running(processes.sink, None) as nothing:
        sunk = asyncio.run(deliver(nothing.port, posts[:BARE], CONNECTIONS))
        least = nothing.seconds() / len(posts[:BARE])
    rate, sink = count / delivery.seconds, len(posts[:BARE]) / sunk.seconds
    ratio = f"{rate / sink:.2f} of the sink, {rate / sqlite:.2f} of SQLite"
    yield Row(f"{count:,} letters over LMTP into acknowledged cards, a second", f"{rate:.0f}", "60", ratio)
    yield Row("the same, until the last answer has gone out", f"{count / sent:.0f}")
    yield Row("processor time a letter, ms", f"{used / count * 1000:.1f}", "", f"the sink: {least * 1000:.1f}")
    yield Row("a letter's answer, ms: half, 99 in 100 within", _within(delivery.answers, median(delivery.answers)))
    yield Row("/healthz meanwhile, ms: 99 in 100, all within", _within(health.answers, max(health.answers)), "100")
    yield Row("memory of all processes, MB: before, after", f"{before:.0f}, {after:.0f}")
    yield Row("bare aiosmtpd, mails taken in a second", f"{sink:.0f}")
    yield Row("bare SQLite, letters in a second, each a transaction", f"{sqlite:.0f}")


def out_of_mailbox(count: int) -> Iterator[Row]:
    """Letters that wait in Dovecot when the server starts."""
    if not shutil.which("dovecot", path=PATH):
        yield Row("Dovecot is not installed", "")
        return
    with _folder() as folder, running_dovecot() as dovecot:
        box = replace(dovecot, user="orders")
        user, password = box.user, box.password
        given = ImapIn(
            enabled=True, host="127.0.0.1", port=box.imap_port, security="none", user=user, password=password
        )
        settings = _settings(folder, SmtpIn(enabled=False), given)
        posts = [post for post in _begin(settings, count) if post.kind != "again"]
        _put(box, posts)
        fetched = asyncio.run(bare.fetching(box))
        with processes.running(processes.pbem, settings):
            _wait_until(lambda: _count(folder, "letter") == len(posts))
            _wait_until(lambda: not _count(folder, "outbox WHERE status = 'due'"))
        _check(folder, posts)
        rate = (len(posts) - 1) / _ask(folder, SPAN)
    what = f"{len(posts):,} letters waiting in Dovecot into acknowledged cards, a second"
    yield Row(what, f"{rate:.0f}", "40", f"{rate / fetched:.2f} of fetching")
    yield Row("bare aioimaplib, mails fetched in a second", f"{fetched:.0f}")


def _within(seconds: Sequence[float], other: float) -> str:
    """Milliseconds: the smaller first, of a figure and the longest but for one in a hundred."""
    figures = sorted((other, quantiles(seconds, n=100)[98]))
    return ", ".join(f"{figure * 1000:.0f}" for figure in figures)


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="pbem-bench-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def _settings(folder: Path, smtp_in: SmtpIn, imap_in: ImapIn | None = None) -> Settings:
    return Settings(
        data=folder,
        limits=Limits(answers=0, strangers=0, letters=0),
        smtp_in=smtp_in,
        imap_in=imap_in or ImapIn(),
        web=Web(port=free_port()),
    )


def _begin(settings: Settings, count: int) -> list[Post]:
    """Begin the campaigns; the letters that their players write."""
    with Rasterizer() as rasterizer:
        host = build_host(settings, rasterizer)
        posts = letters(gather(host), count)
        host.engine.dispose()
    return posts


@dataclass
class _Health:
    """Asks for the server's health while a block runs."""

    port: int
    answers: list[float] = field(default_factory=list)
    begun: float = 0.0
    _over: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> "_Health":
        self.begun = time.perf_counter()
        self._thread = threading.Thread(target=self._ask)
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._thread.join()

    def _ask(self) -> None:
        while not self._over.wait(ASKED):
            begun = time.perf_counter()
            with contextlib.suppress(urllib.error.HTTPError):  # Not well is an answer, too.
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=60).close()
            self.answers.append(time.perf_counter() - begun)


def _put(box: Dovecot, posts: Sequence[Post]) -> None:
    """Put mails into a mailbox that nobody has opened yet."""
    for name in ("", "tmp", "cur", "new"):
        (box.maildir / name).mkdir()
    for number, post in enumerate(posts):
        (box.maildir / "new" / f"1793991601.M{number:06}P1.mx").write_bytes(post.raw)
    if os.getuid() == 0:
        users = accounts()
        for path in (box.maildir, *box.maildir.rglob("*")):
            shutil.chown(path, users["mail_user"], users["mail_group"])


def _wait_until(done: Callable[[], bool]) -> float:
    """When something was done."""
    end = time.perf_counter() + PATIENCE
    while time.perf_counter() < end:
        if done():
            return time.perf_counter()
        time.sleep(0.2)
    raise RuntimeError("it takes too long")


def _count(folder: Path, rows: str) -> int:
    return int(_ask(folder, f"SELECT count(*) FROM {rows}"))


def _ask(folder: Path, question: str) -> float:
    with contextlib.closing(sqlite3.connect(folder / "pbem.sqlite", timeout=30)) as database:
        answer: float = database.execute(question).fetchone()[0]
        return answer


SPAN = "SELECT 86400 * (julianday(max(stored_at)) - julianday(min(stored_at))) FROM letter"
"""Seconds from the first letter that was stored to the last: how long the server takes to begin is another matter."""


ACKNOWLEDGED = """
    letter JOIN submission ON submission.receipt = substr(letter.note, length('receipt ') + 1, 4)
    JOIN outbox ON outbox.recipient = letter.sender AND outbox.cause LIKE '% acknowledgement ' || letter.id || ' %'
    WHERE letter.status = 'filed' AND outbox.status = 'sent'
"""
"""Letters whose card is on file, and was acknowledged."""


def _check(folder: Path, posts: Sequence[Post], refused: Sequence[str] = ()) -> None:
    """Every letter is there once, every card is on file and was answered, every answer went out; else: no figures."""
    cards = sum(post.kind == "card" for post in posts)
    letters = sum(post.kind != "again" for post in posts)
    stored, acknowledged, mails = _count(folder, "letter"), _count(folder, ACKNOWLEDGED), _count(folder, "outbox")
    out = len(list((folder / "mail").glob("*/new/*")))
    faults = [
        *refused[:3],
        f"{stored} of {letters} letters stored" if stored != letters else "",
        f"{acknowledged} of {cards} cards acknowledged" if acknowledged < cards else "",
        f"{out} of {mails} mails went out" if out != mails else "",
    ]
    if any(faults):
        raise RuntimeError("; ".join(filter(None, faults)))
