"""The errors of the program.

PbemError
├── BadInput        somebody's file or command cannot be used; carries every fault at once
├── NotNow          what the organizer wants done cannot be done as the game stands
├── BadDocument     stored JSON does not fit the types it should hold
└── RuleError       a rule function broke a promise of the core: a bug, never a player's mistake
"""

from collections.abc import Sequence
from dataclasses import dataclass


class PbemError(Exception):
    """Any error this program raises on purpose."""


@dataclass(frozen=True)
class Flaw:
    """One thing wrong with a file: where it stands and what to do about it."""

    where: str
    """File, key and, where known, the line: ``campaign.toml: realm.3.headquarters (line 21)``."""
    reason: str
    instead: str = ""
    """What to write in its place, if something comes near."""

    def __str__(self) -> str:
        return f"{self.where}: {self.reason}"


class BadInput(PbemError):
    """A configuration, campaign, map, army or case file that cannot be used, with all its flaws."""

    def __init__(self, flaws: Sequence[Flaw]) -> None:
        super().__init__(tuple(flaws))  # So that it is the same after a way between processes.
        self.flaws = tuple(flaws)

    def __str__(self) -> str:
        return "\n".join(map(str, self.flaws))


class NotNow(PbemError):
    """What an organizer wants done by hand cannot be done as the game stands; the message says why."""


class BadDocument(PbemError):
    """A stored document that cannot be decoded."""


class RuleError(PbemError):
    """A rule function that broke a promise, such as a die rolled but never told."""
