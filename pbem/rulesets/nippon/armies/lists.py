"""Army lists: what a people may muster and at what price (NIP 1). ``docs/army-lists.md`` says how they are written."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from pbem.core.grammar import Names
from pbem.rulesets.nippon.equipment import GEAR, armour_save, reach
from pbem.rulesets.nippon.state import Profile, Steed, Unit

Category = Literal["lord", "hero", "core", "special", "rare", "war machine"]
Muster = tuple[tuple[Unit, ...], ...]
"""The units of each banner of an army."""


MONSTROUS = "monstrous mount"
"""The tag of mounts that have wounds of their own, and of who rides one."""


@dataclass(frozen=True)
class Mount:
    """Something to ride."""

    profile: Profile
    points: int = 0
    """What a character pays for it."""
    tags: frozenset[str] = frozenset()
    """What it makes of its rider."""
    save: int = 0
    """How much it betters its rider's armour save."""
    wears_barding: bool = False
    house: tuple[str, ...] = ()
    """Which of these the book leaves open, so that the values are the program's own."""


@dataclass(frozen=True, eq=False)
class UnitType:
    """A line of an army list. There is one of each: what is reckoned from it can be kept."""

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
    champion_gains: str = ""
    """Which characteristic of the champion is one higher: ``A`` or ``BS``."""
    gear: tuple[str, ...] = ()
    """What every model carries."""
    choices: tuple[Mapping[str, int], ...] = ()
    """What more it may carry: one of each group, and what that costs a model. ``lance and shield`` go together."""
    mounted_on: str = ""
    """What all its models ride, at no further cost."""
    mounts: tuple[str, ...] = ()
    """What a character may ride."""
    magic: int = 0
    """Points of magic items that a character may carry, or of a magic standard that a unit may."""
    house: tuple[str, ...] = ()
    """Which of these the book leaves open, so that the values are the program's own."""

    @property
    def least(self) -> int:
        """The least number of models in a unit."""
        return self.size[0]

    @property
    def most(self) -> int | None:
        """The greatest number of models in a unit; nothing: there is no limit. What comes in ones comes alone."""
        return self.size[-1] if len(self.size) > 1 or self.least == 1 else None

    @property
    def limits(self) -> str:
        """How many models a unit may have, in words: ``10 to 20``, ``5 or more``, ``1``."""
        if self.most is None:
            return f"{self.least} or more"
        return f"{self.least} to {self.most}" if self.most > self.least else str(self.least)


@dataclass(frozen=True, eq=False)
class ArmyList:
    """What a people may muster. There is one of each, as of its types."""

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
    magic_items: str = ""
    """The file of the magic items that its characters may begin with."""
    file: str = ""
    """Where it stands, for error messages."""

    @property
    def cheapest_machine(self) -> str:
        """The cheapest type of war machine, which stands in citadels from the start (NIP 2.3)."""
        machines = [(each.points, name) for name, each in self.types.items() if each.category == "war machine"]
        return min(machines)[1]

    def bearing(self, battle_standard: Literal["", "army", "banner"]) -> int:
        """What a character pays for bearing this battle standard, in points."""
        return self.upgrades[f"{battle_standard}_battle_standard"] if battle_standard else 0

    @cached_property
    def spellings(self) -> Names[str]:
        """The types by every word for them, singular and plural; what is found is the name in the list."""
        return Names(
            (spelling, name) for name in self.types for spelling in dict.fromkeys((name, *_other_numbers(name)))
        )

    def unit(
        self,
        name: str,
        type_name: str,
        *,
        models: int = 1,
        command: tuple[str, ...] = (),
        gear: tuple[str, ...] = (),
        mount: str = "",
        battle_standard: Literal["", "army", "banner"] = "",
    ) -> Unit:
        """A unit of this list, with what it pays for beyond the ordinary; it does not ask whether that is allowed."""
        kind = self.types[type_name]
        steed = mount or kind.mounted_on
        paid = self.mounts[mount].points if mount else 0
        carried = kind.gear + gear
        return Unit(
            name=name,
            type=type_name,
            category=kind.category,
            models=models,
            points=kind.points + paid + self.bearing(battle_standard) + price(kind, gear),
            profile=_riding(kind.profile, self.mounts.get(steed)),
            tags=_tags(kind, self.mounts.get(steed), carried),
            battle_standard=battle_standard,
            save=armour_save(carried, self.mounts[steed].save if steed else 0),
            reach=reach(carried),
            mount=steed,
            steed=Steed(self.mounts[steed].profile) if steed and MONSTROUS in self.mounts[steed].tags else None,
            gear=carried,
            **{each: getattr(kind, each) for each in command},
        )

    def afoot(self, unit: Unit) -> Unit:
        """A character who has lost what he rode, with what it made of him and what only riders can use (NIP 9.6)."""
        gear = tuple(each for each in unit.gear if not GEAR[each].needs)
        left = replace(unit, mount="", steed=None, gear=gear, tags=unit.tags - {MONSTROUS})
        if unit.mount not in self.mounts or unit.type not in self.types:
            return left
        own = len(self.types[unit.type].gear)
        rode = self.unit(unit.name, unit.type, gear=unit.gear[own:], mount=unit.mount)
        walks = self.unit(unit.name, unit.type, gear=gear[own:])
        return replace(
            left,
            points=unit.points - rode.points + walks.points,
            profile=replace(unit.profile, M=walks.profile.M),
            natural=unit.natural and replace(unit.natural, M=walks.profile.M),
            tags=unit.tags - (rode.tags - walks.tags),
            save=walks.save,
        )


def _other_numbers(name: str) -> Iterator[str]:
    """``knights`` for one knight, ``swordsman``, ``great cannons``."""
    yield name.removesuffix("s")
    yield name.replace("men", "man")
    yield f"{name.removesuffix('s')}s"


def price(kind: UnitType, gear: tuple[str, ...]) -> int:
    """What a model of a unit type pays for gear that its choices offer."""
    return sum(chosen(group, gear)[1] for group in kind.choices)


def chosen(group: Mapping[str, int], gear: tuple[str, ...]) -> tuple[frozenset[str], int]:
    """What of ``gear`` is taken from a group of choices, and what it costs."""
    fitting = [(len(parts), points, parts) for choice, points in group.items() if (parts := _parts(choice)) <= {*gear}]
    _, points, parts = max(fitting, key=lambda each: each[:2], default=(0, 0, frozenset[str]()))
    return parts, points


def _parts(choice: str) -> frozenset[str]:
    return frozenset(choice.split(" and "))


def _riding(profile: Profile, mount: Mount | None) -> Profile:
    """A rider's M is his mount's (NIP 6.1)."""
    return replace(profile, M=mount.profile.M) if mount else profile


def _tags(kind: UnitType, mount: Mount | None, carried: tuple[str, ...]) -> frozenset[str]:
    gained = kind.tags | (mount.tags if mount else frozenset())
    return gained.difference(*(GEAR[name].ends for name in carried))


# --- reading ------------------------------------------------------------------------------------------------------


def build(data: Mapping[str, Any], file: str = "") -> ArmyList:
    """The army list from the data of a file that has been found in order."""
    ready = data["ready"]
    empty = ArmyList(
        name=data["name"],
        title=data["title"],
        types={name: UnitType(**_fields(line)) for name, line in data["unit"].items()},
        mounts={name: Mount(**_fields(line)) for name, line in data.get("mount", {}).items()},
        upgrades=data["upgrades"],
        ready=(),
        ready_points=ready["points"],
        banner_names=tuple(map(tuple, ready["names"])),
        magic_items=data.get("magic_items", ""),
        file=file,
    )
    banners = (tuple(_ready_unit(empty, line) for line in banner["units"]) for banner in ready["banner"])
    return replace(empty, ready=tuple(banners))


def _fields(line: Mapping[str, Any]) -> dict[str, Any]:
    lists = {key: tuple(value) for key, value in line.items() if isinstance(value, list)}
    return {**line, **lists, "profile": Profile(*line["profile"]), "tags": frozenset(line.get("tags", ()))}


def _ready_unit(army: ArmyList, line: Mapping[str, Any]) -> Unit:
    said: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in line.items()}
    return army.unit(said.pop("name"), said.pop("type"), **said)
