"""A unit's options in a player's words: arms and armour, mounts, command, battle standards, magic items."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from pbem.core.grammar import offered
from pbem.core.orders import nearest, plain
from pbem.core.wording import listed
from pbem.rulesets.nippon.armies.lists import ArmyList, UnitType, chosen
from pbem.rulesets.nippon.equipment import GEAR
from pbem.rulesets.nippon.items import ITEMS

COMMAND = ("musician", "standard", "champion")
SAME_WORDS = {
    "standard bearer": "standard",
    "banner bearer": "standard",
    "marksman": "champion",
    "army battle standard": "army standard",
    "battle standard": "army standard",
    "battle standard bearer": "army standard",
    "bsb": "army standard",
    "banner battle standard": "banner standard",
    "barded warhorse": "warhorse and barding",
    "full plate": "full plate armour",
    "plate armour": "full plate armour",
}
"""What players say, and the words of this program for it."""
ALL_COMMAND = frozenset({"full command", "command", "full command group", "command group"})
STANDARDS: Mapping[str, Literal["army", "banner"]] = {"army standard": "army", "banner standard": "banner"}
NEEDLESS = frozenset({"hand weapon", "sword", "army general", "general"})
"""What everybody has, and words that change nothing: the Army General is found by his rank."""


@dataclass(frozen=True)
class Outfit:
    """What a unit takes beyond the ordinary, in the words of its list."""

    command: tuple[str, ...] = ()
    gear: tuple[str, ...] = ()
    mount: str = ""
    battle_standard: Literal["", "army", "banner"] = ""
    items: tuple[str, ...] = ()


def sorted_out(words: Iterable[str], kind: UnitType, army: ArmyList) -> tuple[Outfit, tuple[str, ...]]:
    """The outfit that these words mean, and what is wrong with them: words that mean nothing, and two mounts."""
    return _sorted_out(tuple(words), kind, army)


@lru_cache(256)
def _sorted_out(words: tuple[str, ...], kind: UnitType, army: ArmyList) -> tuple[Outfit, tuple[str, ...]]:
    known = [each for word in words for each in _meanings(word, kind)]
    mounts = [each for each in known if each in army.mounts]
    standards = [STANDARDS[each] for each in known if each in STANDARDS]
    outfit = Outfit(
        command=tuple(each for each in COMMAND if each in known),
        gear=tuple(dict.fromkeys(each for each in known if each in GEAR and each not in kind.gear)),
        mount=next((each for each in mounts if each != kind.mounted_on), ""),
        battle_standard=standards[0] if standards else "",
        items=tuple(each for each in known if each in ITEMS),
    )
    return outfit, (*_unknown(known, kind, army), *_twice("ride one thing", mounts), *_twice("bear one", standards))


def is_option(word: str, army: ArmyList) -> bool:
    """Whether a word means an option of some unit, so that it is no name."""
    known = (*SAME_WORDS, *ALL_COMMAND, *NEEDLESS, *COMMAND, *STANDARDS, *GEAR, *army.mounts, *_ITEMS_BY_WORD)
    return plain(word) in known


def _meanings(word: str, kind: UnitType) -> Iterator[str]:
    """The words of this program for a player's."""
    said = plain(word)
    if said in ALL_COMMAND:
        yield from (each for each in COMMAND if getattr(kind, each))
    elif said not in NEEDLESS:
        for each in SAME_WORDS.get(said, said).split(" and "):
            yield _ITEMS_BY_WORD.get(each, each)


_ITEMS_BY_WORD = {plain(name): name for name in ITEMS}


def _unknown(known: Sequence[str], kind: UnitType, army: ArmyList) -> Iterator[str]:
    every = (COMMAND, STANDARDS, GEAR, army.mounts, ITEMS)
    for word in known:
        if not any(word in words for words in every):
            words = [each for words in every for each in words]
            yield f"no option is called {word!r}.{offered(nearest(word, words))}"


def _twice(what: str, found: Sequence[str]) -> Iterator[str]:
    if len({*found}) > 1:
        yield f"it can only {what}, not {listed(found)}"


# --- what is allowed ----------------------------------------------------------------------------------------------


def misfits(outfit: Outfit, kind: UnitType, army: ArmyList) -> Iterator[str]:
    """Why a unit of this type cannot have this outfit; magic items aside."""
    for each in outfit.command:
        if not getattr(kind, each):
            yield f"it can have no {each}"
    if outfit.mount and outfit.mount not in kind.mounts:
        yield f"it cannot ride a {outfit.mount}{_offers(kind.mounts)}"
    if outfit.battle_standard and kind.category != "hero":
        yield "only a hero can bear a battle standard"
    yield from _gear_misfits(outfit, kind, army)


def _gear_misfits(outfit: Outfit, kind: UnitType, army: ArmyList) -> Iterator[str]:
    steed = army.mounts.get(outfit.mount or kind.mounted_on)
    taken = [chosen(group, outfit.gear)[0] for group in kind.choices]
    for each in outfit.gear:
        if any(each in parts for parts in taken):
            if GEAR[each].needs and not steed:
                yield f"{each} is for riders"
            elif GEAR[each].needs == "barded mount" and steed and not steed.wears_barding:
                yield f"no {outfit.mount} wears {each}"
        elif rivals := _rivals(each, kind, outfit.gear):
            yield f"it can have {rivals}, but not together"
        else:
            yield f"it cannot have {each}{_offers([choice for group in kind.choices for choice in group])}"


def _rivals(gear: str, kind: UnitType, carried: Sequence[str]) -> str:
    """The choices of the group in which a piece of gear stands, if another one of them is taken."""
    group = next((group for group in kind.choices if gear in group), {})
    return " or ".join(group) if chosen(group, tuple(carried))[0] else ""


def _offers(offers: Sequence[str]) -> str:
    return f"; it can have {', '.join(offers)}" if offers else ""
