"""The migrations in db/ and the tables in code are the same schema."""

from pathlib import Path

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, inspect

from pbem.packaged import packaged
from pbem.storage import tables
from pbem.storage.engine import open_engine
from pbem.storage.migrate import configuration, migrate


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    engine = open_engine(f"sqlite:///{tmp_path / 'pbem.sqlite'}")
    migrate(engine, packaged("db"))
    return engine


def test_migrations_make_the_tables_of_the_code(engine: Engine) -> None:
    with engine.begin() as connection:
        command.check(configuration(packaged("db"), connection))
    engine.dispose()


def test_migrating_twice_changes_nothing(engine: Engine) -> None:
    before = inspect(engine).get_table_names()
    migrate(engine, packaged("db"))
    assert inspect(engine).get_table_names() == before
    assert set(tables.SQLModel.metadata.tables) | {"alembic_version"} == set(before)
    engine.dispose()


def test_files_of_migrations_begin_with_their_numbers() -> None:
    """By them it is seen without Alembic that a database lacks none."""
    for migration in ScriptDirectory(str(packaged("db"))).walk_revisions():
        assert Path(migration.path).name.partition("_")[0] == migration.revision
