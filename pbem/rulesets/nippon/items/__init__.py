"""Magic items: what there is, what each does, what it costs (NIP 14; the book's appendices II and III).

``merchants.toml`` is what cities sell, ``free-peoples.toml`` that people's own list, ``map.toml`` what only lairs hold.
What a unit can carry, and what that makes of it, stands in ``bearing.py``.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from importlib.resources import files
from typing import Any, Literal, get_args

from pbem.rulesets.nippon.state import Profile

Kind = Literal["weapon", "armour", "amulet", "standard", "arcane", "enchanted", "elixir", "potion", "scroll"]
"""What sort of item it is, and what it is listed under."""

Slot = Literal[
    "weapon",
    "armour",
    "shield",
    "helmet",
    "amulet",
    "ring",
    "enchanted",
    "arcane",
    "scroll",
    "potion",
    "standard",
    "map",
]
"""What it counts as for the limits of carrying (NIP 14.1); ``map``: for none of them."""

Use = Literal["", "once", "once a battle"]

CHARACTERISTICS = tuple(each.name for each in fields(Profile))
EASIEST, HARDEST = 2, 6
"""Of saves: the least number that can be asked of a die, and the greatest."""


@dataclass(frozen=True)
class Item:
    """A magic item. What it does beyond these fields happens on the table and stands in its text."""

    name: str
    source: str
    """The file it stands in: ``merchants``, or an army list's own."""
    kind: Kind
    slot: Slot
    text: str
    price: int = 0
    """In production points, or points of the list; 0: it is not for sale."""
    stock: int = 0
    """How many each merchant city has when a campaign begins."""
    uses: Use = ""
    gives: Mapping[str, int] = field(default_factory=dict)
    """Points of characteristics more."""
    sets: Mapping[str, int] = field(default_factory=dict)
    """Characteristics that become this."""
    betters: int = 0
    """Points by which the armour save gets better."""
    save: int = 0
    """The armour save it gives, which nothing betters; 0: none. So too the next two."""
    ward: int = 0
    regenerates: int = 0
    resists: int = 0
    """Magic resistance."""
    reach: int = 0
    """Inches it shoots."""
    quick: bool = False
    """Its bearer strikes first."""
    ignores_saves: bool = False
    passes_tests: bool = False
    """Its bearer passes tests of characteristics, but for Leadership."""
    alone: bool = False
    """Its bearer carries nothing else that is magic."""
    lends: tuple[str, ...] = ()
    """Tags of a unit."""
    only_for: tuple[str, ...] = ()
    """Types of unit; nothing: for all."""


def load(source: str, text: str) -> tuple[Item, ...]:
    """The items in a TOML text; raises ``ValueError`` for a row that is not in order."""
    rows = [(kind, name, row) for kind, named in tomllib.loads(text).items() for name, row in named.items()]
    return tuple(_item(source, kind, name, row) for kind, name, row in rows)


def _item(source: str, kind: Any, name: str, row: Mapping[str, Any]) -> Item:
    unknown = row.keys() - {each.name for each in fields(Item)} | row.keys() & {"name", "source", "kind"}
    if unknown or "text" not in row:
        raise ValueError(f"{source}: {name}: what is {unknown or 'its text'}?")
    lists = {key: tuple(value) for key, value in row.items() if isinstance(value, list)}
    item = Item(**{"slot": kind, **row, **lists, "name": name, "source": source, "kind": kind})
    if wrong := [*_misfits(item)] or [*_flaws(item)]:
        raise ValueError(f"{source}: {name}: {', '.join(wrong)}")
    return item


def _misfits(item: Item) -> Iterator[str]:
    """The fields that hold another type of value than they should, or a word that means nothing."""
    for name, allowed in (("kind", Kind), ("slot", Slot), ("uses", Use)):
        if getattr(item, name) not in get_args(allowed):
            yield name
    for each in fields(Item):
        if each.type in (int, bool) and type(getattr(item, each.name)) is not each.type:
            yield each.name
    for name in ("gives", "sets"):
        if not all(key in CHARACTERISTICS and type(pips) is int for key, pips in getattr(item, name).items()):
            yield name


def _flaws(item: Item) -> Iterator[str]:
    """The fields whose value cannot be right."""
    for name in ("save", "ward", "regenerates"):
        if getattr(item, name) not in (0, *range(EASIEST, HARDEST + 1)):
            yield name
    if item.stock < 0 or item.price < 0 or (item.stock and not item.price):
        yield "price"


class Catalogue(dict[str, Item]):
    """Items by name. One that nobody has listed, out of a roster of another system, does nothing here."""

    def __missing__(self, name: str) -> Item:
        return Item(name, "", "enchanted", "map", "What it does, its owner's books say.")


def _all() -> Catalogue:
    files_ = [each for each in files(__package__).iterdir() if each.name.endswith(".toml")]
    read = [
        item
        for file in sorted(files_, key=lambda each: each.name)
        for item in load(file.name.removesuffix(".toml"), file.read_text(encoding="utf-8"))
    ]
    named = Catalogue({item.name: item for item in read})
    if len(named) < len(read):
        raise ValueError("two items have the same name")
    return named


ITEMS: Catalogue = _all()
"""Every item, by name."""

MERCHANDISE: tuple[tuple[str, int], ...] = tuple((each.name, each.stock) for each in ITEMS.values() if each.stock)
"""What a merchant city has when a campaign begins: items and how many."""

SCRY, CHAOS = "Scroll of Scry", "Elixir of Chaos"
SWARM, OLD_ONES = "Banner of the Swarm", "Talisman of the Old Ones"
"""Items with rules of their own."""
