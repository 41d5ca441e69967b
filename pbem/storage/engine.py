"""The database engine, with SQLite made safe for several writers."""

from typing import Any

from sqlalchemy import Engine, create_engine, event, make_url
from sqlalchemy.exc import OperationalError, TimeoutError
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

PRAGMAS = ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", "busy_timeout=10000")
PATIENCE = 60.0
"""Seconds that a thread waits for its turn. Other programs on the database wait as long as ``busy_timeout`` says."""


def open_engine(url: str) -> Engine:
    """An engine for a database address such as ``sqlite:///data/pbem.sqlite`` or ``postgresql+psycopg://…``."""
    if make_url(url).get_backend_name() != "sqlite":
        return create_engine(url)
    engine = create_engine(url, poolclass=_InLine, pool_size=1, max_overflow=0, pool_timeout=PATIENCE)
    event.listen(engine, "connect", _on_connect)
    event.listen(engine, "begin", _on_begin)
    return engine


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


def _on_begin(connection: Any) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
