"""One SQLite database, many threads."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from pbem.storage import engine as engines
from pbem.storage.engine import PATIENCE, for_reading, open_engine

WRITERS = 20


@pytest.fixture
def database(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path / 'pbem.sqlite'}"
    engine = open_engine(url)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE letter (id INTEGER PRIMARY KEY)"))
    engine.dispose()
    return url


def test_threads_wait_in_line_and_never_find_the_database_busy(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "PRAGMAS", (*engines.PRAGMAS, "busy_timeout=0"))
    engine = open_engine(database)

    def store(number: int) -> None:
        with engine.begin() as connection:
            connection.execute(text(f"INSERT INTO letter VALUES ({number})"))
            time.sleep(0.005)

    with ThreadPoolExecutor(WRITERS) as threads:
        list(threads.map(store, range(2 * WRITERS)))
    with engine.begin() as connection:
        assert connection.execute(text("SELECT count(*) FROM letter")).scalar_one() == 2 * WRITERS
    engine.dispose()


def test_another_program_waits_as_long_as_a_thread(database: str) -> None:
    # Threads hand the connection on at once, and SQLite only asks now and then: a program may need many attempts.
    engine = open_engine(database)
    with engine.begin() as connection:
        assert connection.execute(text("PRAGMA busy_timeout")).scalar_one() == PATIENCE * 1000
    engine.dispose()


def test_one_program_reads_while_another_one_writes(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "PRAGMAS", (*engines.PRAGMAS, "busy_timeout=0"))
    writing, reading = open_engine(database), open_engine(database)
    with writing.begin() as writer, for_reading(reading).begin() as reader:
        writer.execute(text("INSERT INTO letter VALUES (1)"))
        assert reader.execute(text("SELECT count(*) FROM letter")).scalar_one() == 0
    with reading.begin() as connection:
        assert connection.execute(text("SELECT count(*) FROM letter")).scalar_one() == 1
    writing.dispose()
    reading.dispose()


def test_whose_turn_does_not_come_is_told_that_the_database_is_busy(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "PATIENCE", 0.01)
    engine = open_engine(database)
    with engine.begin(), pytest.raises(OperationalError, match="limit"):
        engine.connect()
    engine.dispose()
