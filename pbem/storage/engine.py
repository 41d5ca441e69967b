"""The database engine, with SQLite made safe for several writers."""

from typing import Any

from sqlalchemy import Engine, create_engine, event

PRAGMAS = ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", "busy_timeout=10000")


def open_engine(url: str) -> Engine:
    """An engine for a database address such as ``sqlite:///data/pbem.sqlite`` or ``postgresql+psycopg://…``."""
    engine = create_engine(url)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _on_connect)
        event.listen(engine, "begin", _on_begin)
    return engine


def _on_connect(connection: Any, record: object) -> None:
    # The driver's own transaction handling starts too late and loses updates.
    connection.isolation_level = None
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")


def _on_begin(connection: Any) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
