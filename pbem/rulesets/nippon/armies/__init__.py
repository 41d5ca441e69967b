"""What realms muster: army lists with their ready-made armies (NIP 1, 2.4). Each TOML file here is a list."""

from functools import cache
from importlib.resources import files

from pbem.rulesets.nippon.armies.lists import ArmyList, Category, Mount, Muster, UnitType, load

__all__ = ["DEFAULT", "ArmyList", "Category", "Mount", "Muster", "UnitType", "army", "load", "names"]

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
