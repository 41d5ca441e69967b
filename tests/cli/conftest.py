"""The command line as somebody types it, in a folder of its own."""

import io
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pbem import cli

CAMPAIGN = """
name = "duel"
title = "The Duel"
rules = "nippon"
organizer = "olga@players.example"
schedule = { orders = "after 7d", meetings = "after 3d" }
options = { map = "duel" }

[[seat]]
name = "Thorn"
address = "ana@players.example"
headquarters = "Thornwick"

[[seat]]
name = "Larks"
address = "ben@players.example"
headquarters = "Larkfield"
"""


@dataclass(frozen=True)
class Ran:
    """What became of a command."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def faults(self) -> list[str]:
        return self.err.splitlines()


Pbem = Callable[..., Ran]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the commands run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def pbem(folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Pbem:
    """Runs a command; ``pbem("status", "--addresses")``."""

    def run(*words: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["pbem", *words])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capfd.readouterr()
        return Ran(int(ended.value.code or 0), out, err)

    return run


@pytest.fixture(scope="session")
def begun_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a campaign has begun, to be copied."""
    folder = tmp_path_factory.mktemp("begun")
    (folder / "duel.toml").write_text(CAMPAIGN)
    # The code under test, even where another is installed.
    environment = os.environ | {"PYTHONPATH": str(Path(cli.__file__).resolve().parents[2])}
    command = [sys.executable, "-m", "pbem", "new", "duel.toml"]
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
    return folder


@pytest.fixture
def begun(begun_once: Path, folder: Path) -> Path:
    """The folder, in which a campaign called ``duel`` has begun."""
    return shutil.copytree(begun_once, folder, dirs_exist_ok=True)


class Terminal(io.RawIOBase):
    """Takes what a command prints only while another program can write to the database."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self.shown = b""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.shown += bytes(data)
        with closing(sqlite3.connect(self._database, timeout=0, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
        return len(data)


def token_address(pbem: Pbem) -> str:
    """Where the first player of ``duel`` writes to."""
    return pbem("status", "--addresses").lines[-3].split()[-1]
