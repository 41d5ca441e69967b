"""The printed map (NIP 1): it never changes in play."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from pbem.core.graph import Point, distances

Terrain = Literal["plains", "forest", "mountains", "marsh", "wasteland", "ocean"]
Site = Literal["", "village", "keep", "stronghold", "citadel", "lair", "gold mine", "merchant city"]
Border = Literal["land", "strait", "coast", "sea"]

FORTRESSES: frozenset[str] = frozenset({"village", "keep", "stronghold", "citadel"})
"""Sites with walls and people: they can be garrisoned, and a scattered banner walks to one."""


@dataclass(frozen=True)
class Place:
    """A map section as printed."""

    number: int
    name: str
    terrain: Terrain
    centre: Point
    outline: tuple[Point, ...]
    borders: dict[str, tuple[int, ...]]
    """Neighbours by kind of border."""
    site: Site = ""
    river: bool = False
    snow: bool = False
    port: bool = False
    headquarters: bool = False
    """A candidate for a headquarters."""
    serves: tuple[str, ...] = ()
    """The peoples that a merchant city deals with; nothing: with all (NIP 11.5)."""

    @cached_property
    def neighbours(self) -> tuple[int, ...]:
        """All neighbours, by number."""
        return tuple(sorted(number for numbers in self.borders.values() for number in numbers))

    @property
    def ocean(self) -> bool:
        """Whether it is sea."""
        return self.terrain == "ocean"

    def __str__(self) -> str:
        return f"{self.number} {self.name}"


@dataclass(frozen=True)
class Drawing:
    """A line that is only drawn."""

    kind: Literal["river", "strait"]
    name: str
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Atlas:
    """A map. Part of the state, so that a stored turn stands on its own."""

    name: str
    title: str
    size: tuple[int, int]
    places: tuple[Place, ...]
    """In the order of their numbers, from 1."""
    drawings: tuple[Drawing, ...] = ()
    title_at: Point | None = None
    legend_at: Point | None = None
    realms_at: Point | None = None
    seats: tuple[int, int] = (2, 8)
    about: str = ""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of its sections, in the order of their numbers."""
        return tuple(place.name for place in self.places)

    def distances(self, number: int) -> Mapping[int, int]:
        """Steps to every section from one of them, or back, by land and sea alike; reckoned once for each."""
        if number not in self._distances:
            self._distances[number] = distances(number, lambda here: self[here].neighbours)
        return self._distances[number]

    def distances_on_foot(self, number: int) -> Mapping[int, int]:
        """Steps to every section that can be reached from one of them with dry feet; reckoned once for each."""
        if number not in self._distances_on_foot:
            self._distances_on_foot[number] = distances(number, self._dry_neighbours)
        return self._distances_on_foot[number]

    def _dry_neighbours(self, number: int) -> Iterator[int]:
        return (there for there in self[number].neighbours if not self[there].ocean)

    @cached_property
    def _distances(self) -> dict[int, Mapping[int, int]]:
        return {}

    @cached_property
    def _distances_on_foot(self) -> dict[int, Mapping[int, int]]:
        return {}

    def __getitem__(self, number: int) -> Place:
        if not 1 <= number <= len(self.places):
            raise KeyError(number)
        return self.places[number - 1]

    def __contains__(self, number: int) -> bool:
        return 1 <= number <= len(self.places)

    def __iter__(self) -> Iterator[Place]:
        return iter(self.places)
