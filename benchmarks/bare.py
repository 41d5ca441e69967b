"""What the parts cost that cannot be done without: taking mails, storing them, fetching them."""

import contextlib
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from aioimaplib import aioimaplib

from pbem.storage.engine import PRAGMAS
from tests.servers import Dovecot

ROWS = (
    "SELECT * FROM letter WHERE route = 'lmtp' LIMIT ?",
    "SELECT * FROM submission LIMIT ?",
    "SELECT * FROM outbox WHERE cause LIKE '% acknowledgement %' LIMIT ?",
)
"""What is stored for a letter, in these tables."""

SCHEMA = "SELECT sql FROM sqlite_master WHERE tbl_name IN ('letter', 'submission', 'outbox') AND sql IS NOT NULL"


def transactions(full: Path, count: int) -> float:
    """How many letters of a database SQLite stores in a second, each with its submission and its answer in a
    transaction of its own."""
    with contextlib.closing(sqlite3.connect(full)) as source:
        rows = list(zip(*(source.execute(query, (count,)).fetchall() for query in ROWS), strict=False))
        schema = [sql for (sql,) in source.execute(SCHEMA)]
    with contextlib.closing(sqlite3.connect(full.with_name("bare.sqlite"), isolation_level=None)) as target:
        for statement in (*(f"PRAGMA {pragma}" for pragma in PRAGMAS), "PRAGMA foreign_keys=OFF", *schema):
            target.execute(statement)
        begun = time.perf_counter()
        for letter, submission, answer in rows:
            target.execute("BEGIN IMMEDIATE")
            _insert(target, "letter", letter)
            _insert(target, "submission", submission)
            _insert(target, "outbox", answer)
            target.execute("COMMIT")
        return len(rows) / (time.perf_counter() - begun)


def _insert(database: sqlite3.Connection, table: str, row: Sequence[Any]) -> None:
    database.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)


async def fetching(dovecot: Dovecot) -> float:
    """How many mails of a mailbox aioimaplib fetches in a second, one after the other."""
    client = aioimaplib.IMAP4("127.0.0.1", dovecot.imap_port, timeout=60)
    await client.wait_hello_from_server()
    await client.login(dovecot.user, dovecot.password)
    await client.select("INBOX")
    uids = (await client.uid_search("ALL", charset=None)).lines[0].split()
    begun = time.perf_counter()
    for uid in uids:
        await client.uid("fetch", uid.decode(), "(BODY.PEEK[])")
    seconds = time.perf_counter() - begun
    await client.logout()
    return len(uids) / seconds
