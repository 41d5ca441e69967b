"""The database engine, with SQLite made safe for several writers."""

import logging
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import OperationalError, TimeoutError
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

PATIENCE = 60.0
"""Seconds that a thread waits for its turn, and a program for that of another one."""
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={PATIENCE * 1000:.0f}")
READING = "pbem_reading"
"""The execution option of an engine whose transactions only read."""


def open_engine(url: str) -> Engine:
    """An engine for a database address such as ``sqlite:///data/pbem.sqlite`` or ``postgresql+psycopg://…``."""
    if make_url(url).get_backend_name() != "sqlite":
        return create_engine(url)
    engine = create_engine(url, poolclass=_InLine, pool_size=1, max_overflow=0, pool_timeout=PATIENCE)
    event.listen(engine, "connect", _on_connect)
    event.listen(engine, "begin", _on_begin)
    return engine


def for_reading(engine: Engine) -> Engine:
    """The same database for transactions that only read: no other program waits for them, nor they for it."""
    return engine.execution_options(**{READING: True})


# SQLAlchemy names a pool's log after its class; that of ours need not tell of every connection.
logging.getLogger(f"{__name__}._InLine").setLevel(logging.WARNING)


class _InLine(QueuePool):
    """One connection, for which threads wait in line.

    SQLite has one writer, and whoever finds it busy asks again after a while: with twenty letters at once some would
    come too late every time, until they gave up.
    """

    def _do_get(self) -> ConnectionPoolEntry:
        try:
            return super()._do_get()
        except TimeoutError as error:
            raise OperationalError("BEGIN IMMEDIATE", {}, error) from error


def _on_connect(connection: Any, record: object) -> None:
    # The driver's own transaction handling starts too late and loses updates.
    connection.isolation_level = None
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")


def _on_begin(connection: Connection) -> None:
    only_reads = connection.get_execution_options().get(READING, False)
    connection.exec_driver_sql("BEGIN" if only_reads else "BEGIN IMMEDIATE")
