"""What realms muster: army lists with their ready-made armies (NIP 1, 2.4). Each TOML file here is a list.

``lists.py`` says what a list is, ``proofreading.py`` what can be wrong with its file, ``library.py`` keeps them all.
"""

from functools import cache
from importlib.resources import files

from pbem.core.errors import Flaw
from pbem.rulesets.nippon.armies.library import DEFAULT, Library, load, shelved
from pbem.rulesets.nippon.armies.lists import ArmyList, Category, Mount, Muster, UnitType

__all__ = [
    "DEFAULT",
    "ArmyList",
    "Category",
    "Library",
    "Mount",
    "Muster",
    "UnitType",
    "army",
    "left_out",
    "library",
    "load",
    "names",
    "shelved",
]


def names() -> tuple[str, ...]:
    """The army lists that come with the program and can be used."""
    return library().names


def army(people: str) -> ArmyList:
    """The army list of a people; one that has none of its own here musters the free peoples' (NIP 1).

    Raises ``BadInput`` if the list is faulty: its people must not play on with another one unawares.
    """
    return library().army(people)


def left_out(people: str) -> tuple[Flaw, ...]:
    """Why the list of a people cannot be used; nothing if it can, or if there is none."""
    return library().left_out(people)


@cache
def library() -> Library:
    """The army lists that come with the program."""
    found = sorted((file for file in files(__package__).iterdir() if file.name.endswith(".toml")), key=str)
    return shelved({file.name: file.read_bytes() for file in found})
