"""Death between any two steps: what it is, and a club on a database that outlives it."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from pbem.service.host import Host
from pbem.storage.engine import open_engine
from tests.servers import dovecot, dovecot_server
from tests.service.conftest import Clock, Club, begun, clock, club, database, empty_database, host

__all__ = [
    "Death",
    "Grave",
    "begun",
    "clock",
    "club",
    "database",
    "dovecot",
    "dovecot_server",
    "empty_database",
    "grave",
    "host",
]


class Died(BaseException):
    """The process is gone: nothing of the program hears of it."""


@dataclass
class Death:
    """Comes at a step; at step 0 never, but counts them."""

    at: int = 0
    steps: list[str] = field(default_factory=list)

    def step(self, name: str) -> None:
        self.steps.append(name)
        if len(self.steps) == self.at:
            raise Died(name)

    def around(self, act: Callable[..., Any], name: str) -> Callable[..., Any]:
        """What is done, with a step before it and one after it."""

        def deadly(*arguments: Any) -> Any:
            self.step(f"before {name}")
            result = act(*arguments)
            self.step(f"after {name}")
            return result

        return deadly

    @contextmanager
    def haunts(self, engine: Engine) -> Iterator[None]:
        """Every statement of a database is a step, and so is what lies before and after every commit."""

        def statement(*told: Any) -> None:
            self.step(told[2].split("\n")[0][:60])

        commit = engine.dialect.do_commit
        event.listen(engine, "before_cursor_execute", statement)
        engine.dialect.do_commit = self.around(commit, "commit")  # type: ignore[method-assign]
        try:
            yield
        finally:
            event.remove(engine, "before_cursor_execute", statement)
            engine.dialect.do_commit = commit  # type: ignore[method-assign]


@dataclass
class Grave:
    """A club whose server dies at a step and is started anew on the same database, again and again."""

    club: Club
    folder: Path
    _idle: list[Engine] = field(default_factory=list)
    """Those of servers that have ended. They hold nothing of the database but the SQL that was compiled for it."""

    @contextmanager
    def alive(self, death: Death | None = None) -> Iterator[Host]:
        """A server on the database, as a process of its own would be."""
        engine = self._idle.pop() if self._idle else open_engine(f"sqlite:///{self.folder / 'pbem.sqlite'}")
        try:
            with death.haunts(engine) if death else nullcontext():
                yield replace(self.club.host, engine=engine)
        finally:
            engine.dispose()
            self._idle.append(engine)

    def deaths(self, act: Callable[[Host, Death], object]) -> Iterator[Death]:
        """Let ``act`` die at each of its steps in turn, every time beginning with the same database."""
        self.club.host.engine.dispose()
        kept = self.folder / "before.sqlite"
        shutil.copy(self.folder / "pbem.sqlite", kept)
        death, number = Death(), 0
        while number <= len(death.steps):
            self._restore(kept)
            attempt = Death(number)
            with self.alive(attempt) as host:
                try:
                    act(host, attempt)
                    assert number == 0, f"it does not die at step {number}, {death.steps[number - 1]}"
                    death = attempt
                except Died:
                    yield attempt
            number += 1

    def _restore(self, kept: Path) -> None:
        for path in self.folder.glob("pbem.sqlite*"):
            path.unlink()
        shutil.copy(kept, self.folder / "pbem.sqlite")


@pytest.fixture
def grave(club: Club, tmp_path: Path, clock: Clock) -> Grave:
    club.mails()
    return Grave(club, tmp_path)
