"""What a roster says, whatever it was written in."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from pbem.core.orders import plain

MOST_UNITS = 200
MOST_MODELS = 999


@dataclass(frozen=True)
class Entry:
    """A unit as a player wants it. ``str()`` is the line of text that says the same."""

    banner: str
    """Whose unit it is to be; blank: of the only one."""
    type: str
    """As the army list calls it; of a unit of another game, as its own list does."""
    models: int = 1
    name: str = ""
    options: tuple[str, ...] = ()
    """In the player's words."""
    points: int = 0
    """What it costs, of a unit of another game; the list knows it of the others."""
    category: str = ""
    """What its own list takes it for, of a unit of another game; never blank there."""
    where: str = ""
    """Where it stands in the roster, for error messages."""
    said: str = ""
    """The line or row itself, for them too."""

    def __str__(self) -> str:
        count = f"{self.models} " if self.models != 1 or self.category else ""
        name = f' "{self.name}"' if self.name else ""
        options = f" ({', '.join(self.options)})" if self.options else ""
        told = f" [{self.category}, {self.points} points]" if self.category else ""
        return f"{count}{self.type}{name}{options}{told}"


@dataclass(frozen=True)
class Roster:
    """The army that a player wants."""

    entries: tuple[Entry, ...]
    foreign: str = ""
    """The game for which it was made, if that is another."""
    people: str = ""
    """Whose list it says that it is."""
    remarks: tuple[str, ...] = ()
    """What the player should know of how it was read."""

    def banners(self) -> Iterator[tuple[str, tuple[Entry, ...]]]:
        """The banners with their units, in the order in which they first appear."""
        names = list(dict.fromkeys(entry.banner for entry in self.entries))
        ordered = sorted(self.entries, key=lambda entry: names.index(entry.banner))
        for name, entries in groupby(ordered, key=lambda entry: entry.banner):
            yield name, tuple(entries)


def same(one: str, other: str) -> bool:
    """Whether two names are the same but for their dress."""
    return plain(one) == plain(other)
