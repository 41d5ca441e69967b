"""How Alembic reaches the database: by the connection that the program hands over."""

from alembic import context
from sqlmodel import SQLModel

from pbem.storage import tables  # noqa: F401  its classes fill the metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    render_as_batch=True,  # SQLite cannot alter tables in place
)
with context.begin_transaction():
    context.run_migrations()
