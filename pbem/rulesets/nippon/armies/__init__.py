"""Army lists: what a realm may muster, at what price, and the army it gets if it sends no roster (NIP 1, 2.4)."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from pbem.rulesets.nippon.state import Profile, Unit

Category = Literal["lord", "hero", "core", "special", "rare", "war machine"]
Muster = tuple[tuple[Unit, ...], ...]
"""The units of each banner of an army."""


@dataclass(frozen=True)
class Mount:
    """Something to ride."""

    M: int
    points: int
    tags: frozenset[str]
    house: bool = False


@dataclass(frozen=True)
class UnitType:
    """A line of an army list."""

    category: Category
    points: int
    """Of a model."""
    profile: Profile
    size: tuple[int, ...] = (1,)
    """The least number of models, and the most if there is a limit."""
    tags: frozenset[str] = frozenset()
    champion: int = 0
    """Points for making a model the champion, 0: the unit has none. So too the next two."""
    musician: int = 0
    standard: int = 0
    mounted_on: str = ""
    """What all its models ride, at no further cost."""
    mounts: tuple[str, ...] = ()
    """What a character may ride."""
    house: bool = False
    """The book gives no points for it; these are the program's own."""


@dataclass(frozen=True)
class ArmyList:
    """What a people may muster."""

    name: str
    title: str
    types: Mapping[str, UnitType]
    mounts: Mapping[str, Mount]
    upgrades: Mapping[str, int]
    ready: Muster
    """The ready-made army."""
    ready_points: int
    banner_names: tuple[tuple[str, ...], ...]
    """Names for the banners of the ready-made army, a set for each realm that musters it."""

    @property
    def cheapest_machine(self) -> str:
        """The cheapest type of war machine, which stands in citadels from the start (NIP 2.3)."""
        machines = [(each.points, name) for name, each in self.types.items() if each.category == "war machine"]
        return min(machines)[1]


DEFAULT = "free peoples"
"""Whose list serves those who have none; also the people of whom neutral sites are full."""


@cache
def names() -> tuple[str, ...]:
    """The army lists that come with the program."""
    return tuple(sorted(_lists()))


def army(people: str) -> ArmyList:
    """The army list of a people; one that has none of its own here musters the free peoples' (NIP 1)."""
    return _lists().get(people) or _lists()[DEFAULT]


@cache
def _lists() -> dict[str, ArmyList]:
    texts = [file.read_text(encoding="utf-8") for file in files(__package__).iterdir() if file.name.endswith(".toml")]
    read = [load(text) for text in texts]
    return {each.name: each for each in read}


def load(text: str) -> ArmyList:
    """The army list in a TOML text."""
    data = tomllib.loads(text)
    types = {name: _type(line) for name, line in data["unit"].items()}
    mounts = {name: Mount(**_tagged(line)) for name, line in data["mount"].items()}
    ready = data["ready"]
    return ArmyList(
        data["name"],
        data["title"],
        types,
        mounts,
        data["upgrades"],
        tuple(
            tuple(_unit(line, types, mounts, data["upgrades"]) for line in each["units"]) for each in ready["banner"]
        ),
        ready["points"],
        tuple(map(tuple, ready["names"])),
    )


def _type(line: Mapping[str, Any]) -> UnitType:
    lists = {key: tuple(line[key]) for key in ("size", "mounts") if key in line}
    return UnitType(**_tagged(line) | lists | {"profile": Profile(*line["profile"])})


def _tagged(line: Mapping[str, Any]) -> dict[str, Any]:
    return {**line, "tags": frozenset(line.get("tags", ()))}


def _unit(
    line: Mapping[str, Any], types: Mapping[str, UnitType], mounts: Mapping[str, Mount], upgrades: Mapping[str, int]
) -> Unit:
    """A unit of a muster: its points and profile with what it rides and bears."""
    kind = types[line["type"]]
    mount = mounts.get(line.get("mount", kind.mounted_on))
    paid = mounts[line["mount"]].points if "mount" in line else 0
    standard = line.get("battle_standard", "")
    return Unit(
        name=line["name"],
        type=line["type"],
        category=kind.category,
        models=line.get("models", 1),
        points=kind.points + paid + (upgrades[f"{standard}_battle_standard"] if standard else 0),
        profile=_riding(kind.profile, mount),
        tags=kind.tags | (mount.tags if mount else frozenset()),
        battle_standard=standard,
        **{name: getattr(kind, name) for name in line.get("command", ())},
    )


def _riding(profile: Profile, mount: Mount | None) -> Profile:
    """A rider's M is his mount's (NIP 6.1)."""
    return Profile(**{**vars(profile), "M": mount.M}) if mount else profile
