"""Bring a database to the schema of this version, or say that it is not there."""

import sys
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, inspect, text


def migrate(engine: Engine, scripts: Path) -> None:
    """Run the migrations in ``scripts`` that a database lacks."""
    with engine.begin() as connection:
        if _reached(connection) == _newest(scripts):
            return
        from alembic import command  # here: half a second that most commands need not spend

        command.upgrade(configuration(scripts, connection), "head")


def _reached(connection: Connection) -> str | None:
    """The number of the last migration that a database has had; ``None``: it has had none."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    reached: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return reached


def _newest(scripts: Path) -> str:
    """The number of the last migration in ``scripts``: their files begin with it."""
    return max(file.name for file in scripts.glob("versions/*.py")).partition("_")[0]


def configuration(scripts: Path, connection: Any) -> Any:
    """Alembic's configuration for the migrations in ``scripts``, on an open connection."""
    from alembic.config import Config  # here: as above

    config = Config(stdout=sys.stdout)  # Else it keeps what that was when alembic was first imported.
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
