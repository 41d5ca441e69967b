"""The unit of work: one short transaction, and the repositories that live in it."""

from types import TracebackType
from typing import Self

from sqlalchemy import Engine
from sqlmodel import Session

from pbem.storage.campaigns import Campaigns
from pbem.storage.letters import Letters
from pbem.storage.outbox import Outbox
from pbem.storage.submissions import Submissions
from pbem.storage.turns import Turns


class Unit:
    """``with Unit(engine) as unit: ...; unit.commit()``. Without the commit nothing has happened.

    Never await the network inside: on SQLite every other writer waits.
    """

    def __init__(self, engine: Engine) -> None:
        self._session = Session(engine, expire_on_commit=False)
        self.campaigns = Campaigns(self._session)
        self.letters = Letters(self._session)
        self.submissions = Submissions(self._session)
        self.turns = Turns(self._session)
        self.outbox = Outbox(self._session)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._session.close()

    def commit(self) -> None:
        """Make it true."""
        self._session.commit()

    def flush(self) -> None:
        """Write what is pending, so that new rows have their numbers; not yet true."""
        self._session.flush()
