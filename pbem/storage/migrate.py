"""Bring a database to the schema of this version, or say that it is not there."""

import sys
from pathlib import Path
from typing import Any

from sqlalchemy import Engine


def migrate(engine: Engine, scripts: Path) -> None:
    """Run the migrations in ``scripts`` that a database lacks."""
    from alembic import command  # here: half a second that most commands need not spend

    with engine.begin() as connection:
        command.upgrade(configuration(scripts, connection), "head")


def configuration(scripts: Path, connection: Any) -> Any:
    """Alembic's configuration for the migrations in ``scripts``, on an open connection."""
    from alembic.config import Config  # here: as above

    config = Config(stdout=sys.stdout)  # Else it keeps what that was when alembic was first imported.
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
