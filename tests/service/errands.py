"""What a clerk is told to do. A module of its own that needs little: his process imports it."""

import os
import signal
import time
from pathlib import Path

from sqlalchemy.exc import OperationalError

from pbem.core.errors import BadInput, Flaw

OPENED = "a host"


def open_host() -> str:
    return OPENED


def tell(host: str, word: str, *, loud: bool = False) -> tuple[str, str, int]:
    return host, word.upper() if loud else word, os.getpid()


def die(host: str, *letter: object, lives: Path) -> str:
    """As long as there are lives left, whoever does this dies."""
    if left := int(lives.read_text()):
        lives.write_text(str(left - 1))
        os.kill(os.getpid(), signal.SIGKILL)
    return host


def find_database_away(host: str) -> None:
    raise OperationalError("INSERT", {}, Exception("database is locked"))


def wait(host: str, seconds: float) -> int:
    """In which process it waited."""
    time.sleep(seconds)
    return os.getpid()


def open_when_told(asked: Path, told: Path) -> str:
    """Say that a host is wanted, and wait for the word."""
    asked.touch()
    while not told.exists():
        time.sleep(0.01)
    return OPENED


def cannot_open() -> str:
    raise BadInput([Flaw("data", "no such folder")])
