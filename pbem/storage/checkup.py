"""Is a database well? Looks without changing anything."""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Engine, inspect, make_url, text
from sqlmodel import col, select

from pbem.storage.migrate import configuration
from pbem.storage.tables import Letter

BUSY = 2.0
"""Seconds to wait for other writers."""
TIMES = {"letter": "received_at", "outbox": "created_at", "submission": "created_at", "audit": "at"}
"""Where the server writes down its own time."""


def file_of(url: str) -> Path | None:
    """The file of an SQLite database; ``None`` for one that a server keeps, or that is only in memory."""
    parts = make_url(url)
    if parts.get_backend_name() != "sqlite" or parts.database in (None, "", ":memory:"):
        return None
    return Path(str(parts.database))


def damage(file: Path) -> str:
    """What SQLite finds damaged in a file; nothing if all is well."""
    try:
        with closing(_open(file)) as connection:
            (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            return "" if found == "ok" else str(found)
    except sqlite3.DatabaseError as error:
        return str(error)


def lock(file: Path) -> str:
    """Why nobody can write into it now; nothing if one can."""
    try:
        with closing(_open(file)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
    except sqlite3.OperationalError as error:
        return str(error)
    return ""


def journal(file: Path) -> str:
    """How it keeps readers and a writer apart: ``wal`` if they need not wait for each other."""
    with closing(_open(file)) as connection:
        (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
        return str(mode)


def _open(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=rw", timeout=BUSY, isolation_level=None, uri=True)


def missing(engine: Engine, scripts: Path) -> Sequence[str]:
    """The migrations that a database lacks, the first first, each with its title.

    Raises ``LookupError`` for a database of a newer program.
    """
    from alembic.runtime.migration import MigrationContext  # here: as in ``migrate``
    from alembic.script import ScriptDirectory
    from alembic.script.revision import RevisionError
    from alembic.util import CommandError

    with engine.connect() as connection:
        directory = ScriptDirectory.from_config(configuration(scripts, connection))
        current = MigrationContext.configure(connection).get_current_revision()
    try:
        steps = list(directory.iterate_revisions("head", current or "base"))
    except (CommandError, RevisionError) as error:
        raise LookupError(f"it is of version {current}, which this program does not know") from error
    return [f"{step.revision} {step.doc}" for step in reversed(steps)]


def newest(engine: Engine) -> datetime | None:
    """The latest time that a server wrote into it; ``None`` if nothing is in it."""
    with engine.connect() as connection:
        tables = set(inspect(connection).get_table_names())
        found = [
            connection.scalar(text(f"SELECT max({column}) FROM {table}"))
            for table, column in TIMES.items()
            if table in tables
        ]
    times = [datetime.fromisoformat(each) if isinstance(each, str) else each for each in found if each]
    return max((each.replace(tzinfo=each.tzinfo or UTC) for each in times), default=None)


def zones(engine: Engine) -> Mapping[str, str]:
    """The time zones of campaigns and seats, each with one that uses it."""
    with engine.connect() as connection:
        seats = connection.execute(text("SELECT zone, name FROM seat")).all()
        campaigns = connection.execute(text("SELECT zone, name FROM campaign")).all()
    return {str(zone): str(name) for zone, name in (*seats, *campaigns)}


def taken_in(engine: Engine, message_ids: Sequence[str]) -> Mapping[str, bytes]:
    """Those of these letters that a server has taken in, by Message-ID."""
    query = select(Letter.message_id, Letter.raw).where(col(Letter.message_id).in_(message_ids))
    with engine.connect() as connection:
        return {row.message_id: row.raw for row in connection.execute(query)}
