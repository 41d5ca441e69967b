"""All army lists, those left out that are faulty: one bad file must not keep the other peoples from playing."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pbem.core.errors import BadInput, Flaw
from pbem.core.toml import parse, where
from pbem.rulesets.nippon.armies.lists import ArmyList, build
from pbem.rulesets.nippon.armies.proofreading import misnamed, misspelt

DEFAULT = "free peoples"
"""Whose list serves those who have none; also the people of whom neutral sites are full."""


@dataclass(frozen=True)
class Library:
    """Army lists by people, and what is wrong with the files that are left out."""

    lists: Mapping[str, ArmyList]
    faulty: Mapping[str, tuple[Flaw, ...]]
    """By people; a file whose name cannot be read goes by its own: ``hill-folk.toml`` is that of the hill folk."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The lists that can be used."""
        return tuple(sorted(self.lists))

    @property
    def flaws(self) -> tuple[Flaw, ...]:
        """All that is wrong with files."""
        return tuple(flaw for flaws in self.faulty.values() for flaw in flaws)

    def army(self, people: str) -> ArmyList:
        """The list of a people, or else the free peoples'. Raises ``BadInput`` if it is left out."""
        found = self.lists.get(people) or (None if people in self.faulty else self.lists.get(DEFAULT))
        if found is None:
            raise BadInput(self.left_out(people) or self.left_out(DEFAULT))
        return found

    def left_out(self, people: str) -> tuple[Flaw, ...]:
        """Why the list of a people cannot be used; nothing if it can, or if there is none."""
        return () if people in self.lists else self.faulty.get(people, ())


def shelved(texts: Mapping[str, bytes]) -> Library:
    """The lists in these files, by name of the file."""
    lists, faulty = dict[str, ArmyList](), dict[str, tuple[Flaw, ...]]()
    for file, text in texts.items():
        people = file.removesuffix(".toml").replace("-", " ")
        try:
            data = parsed(file, text)
            people = named if isinstance(named := data.get("name"), str) else people
            army = proofread(file, data, text)
        except BadInput as bad:
            faulty[people] = (*faulty.get(people, ()), *bad.flaws)
            continue
        if other := lists.get(people):
            faulty[people] = (Flaw(file, f"{other.file} is the list of the {people} already; give this one a name"),)
        else:
            lists[people] = army
    return Library(lists, faulty)


def load(file: str, text: bytes) -> ArmyList:
    """The army list in a file; raises ``BadInput`` with every flaw of its keys, or else every flaw of its words."""
    return proofread(file, parsed(file, text), text)


def parsed(file: str, text: bytes) -> dict[str, Any]:
    """The data of a file; raises ``BadInput`` if it is no TOML in UTF-8."""
    try:
        return parse(file, text.decode())
    except UnicodeDecodeError as error:
        raise BadInput([Flaw(file, f"is no text in UTF-8: {error}")]) from error


def proofread(file: str, data: Mapping[str, Any], text: bytes) -> ArmyList:
    """The army list that the data of a file describe; raises ``BadInput`` as :func:`load` does."""
    if complaints := list(misspelt(data)) or list(misnamed(data)):
        raise BadInput([Flaw(where(file, text.decode(), path), reason) for path, reason in complaints])
    return build(data, file)
