"""What is wrong with the file of an army list (``docs/army-lists.md``), except for its ready-made army: that is judged
as a roster is."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any, get_args

from pbem.core.grammar import offered
from pbem.core.keys import (
    FLAG,
    TABLE,
    TABLES,
    TEXT,
    WHOLE,
    Complaint,
    Fit,
    complaints,
    is_table,
    is_text,
    is_whole,
    list_of,
    one_of,
    table_of,
)
from pbem.core.orders import nearest, plain
from pbem.core.toml import Path
from pbem.rulesets.nippon.armies.lists import Category
from pbem.rulesets.nippon.equipment import GEAR
from pbem.rulesets.nippon.items import ITEMS
from pbem.rulesets.nippon.state import Profile
from pbem.rulesets.nippon.tables import SPECIAL_RULES

COMMAND = ("champion", "musician", "standard")
CHARACTERISTICS = [field.name for field in fields(Profile)]


def _is_count(value: Any) -> bool:
    return is_whole(value) and value >= 0


def _is_profile(value: Any) -> bool:
    return list_of(_is_count)(value) and len(value) == len(CHARACTERISTICS)


def _is_size(value: Any) -> bool:
    return list_of(_is_count)(value) and len(value) <= 2 and value == sorted(value) and value[0] > 0


COUNT: Fit = (_is_count, "a whole number from 0 on")
TEXTS: Fit = (list_of(is_text, 0), "a list of texts")
TABLE_OF_TABLES: Fit = (table_of(is_table), "tables, each headed with the name of what it describes")
OF_BOTH: dict[str, Fit] = {
    "profile": (_is_profile, f"{len(CHARACTERISTICS)} whole numbers, in the order {' '.join(CHARACTERISTICS)}"),
    "points": COUNT,
    "tags": TEXTS,
    "house": TEXTS,
}

LIST_KEYS: dict[str, Fit] = {
    "name": TEXT,
    "title": TEXT,
    "magic_items": one_of(sorted({item.source for item in ITEMS.values()})),
    "special_rules": TEXTS,
    "upgrades": TABLE,
    "mount": TABLE_OF_TABLES,
    "unit": TABLE_OF_TABLES,
    "ready": TABLE,
}
UPGRADE_KEYS: dict[str, Fit] = {f"{which}_battle_standard": COUNT for which in ("army", "banner")}
MOUNT_KEYS: dict[str, Fit] = OF_BOTH | {"save": COUNT, "wears_barding": FLAG}
UNIT_KEYS: dict[str, Fit] = OF_BOTH | {
    "category": one_of(get_args(Category)),
    "size": (_is_size, "the least number of models, and the most if there is a limit, as [5] or [10, 20]"),
    **dict.fromkeys((*COMMAND, "magic"), COUNT),
    "champion_gains": one_of(CHARACTERISTICS),
    "gear": TEXTS,
    "choices": (list_of(table_of(_is_count), 0), "a list of groups with points, as [{ bow = 2, javelins = 1 }]"),
    "mounted_on": TEXT,
    "mounts": TEXTS,
}
READY_KEYS: dict[str, Fit] = {
    "points": WHOLE,
    "names": (list_of(list_of(is_text)), 'lists of names, as [["Grey Peaks", "Tall Pines"]]'),
    "banner": TABLES,
}
BANNER_KEYS: dict[str, Fit] = {"units": (list_of(is_table), "a list of units, each as { name = …, type = … }")}
MUSTERED_KEYS: dict[str, Fit] = {
    "name": TEXT,
    "type": TEXT,
    "models": WHOLE,
    "command": (list_of(lambda word: word in COMMAND, 0), f"a list of {', '.join(COMMAND)}"),
    "gear": TEXTS,
    "mount": TEXT,
    "battle_standard": one_of(("army", "banner")),
}

MUST = {"name", "title", "upgrades", "unit", "ready", "profile", "category", "points"} | UPGRADE_KEYS.keys()
MUST_IN_READY = READY_KEYS.keys() | BANNER_KEYS.keys() | {"name", "type"}


def misspelt(data: Mapping[str, Any]) -> Iterator[Complaint]:
    """What is wrong with the keys and the kinds of their values."""
    yield from complaints((), data, LIST_KEYS, MUST)
    yield from _keys(("upgrades",), data, UPGRADE_KEYS, MUST)
    for word, known, must in (("mount", MOUNT_KEYS, {"profile"}), ("unit", UNIT_KEYS, MUST)):
        for name in _tables(data.get(word)):
            yield from _keys((word, name), data[word], known, must)
    yield from _keys(("ready",), data, READY_KEYS, MUST_IN_READY)
    banners = _tables(data["ready"].get("banner")) if is_table(data.get("ready")) else {}
    for place, banner in banners.items():
        path: Path = ("ready", "banner", place)
        yield from complaints(path, banner, BANNER_KEYS, MUST_IN_READY)
        for number, line in _tables(banner.get("units")).items():
            yield from complaints((*path, "units", number), line, MUSTERED_KEYS, MUST_IN_READY)


def _keys(
    path: Path, parent: Mapping[str, Any], known: Mapping[str, Fit], must: Collection[str]
) -> Iterator[Complaint]:
    """The complaints about the table at ``path``, which stands in ``parent``; none if it is no table."""
    table = parent.get(str(path[-1]))
    if is_table(table):
        yield from complaints(path, table, known, must)


def _tables(value: Any) -> dict[Any, Any]:
    """The tables in a table or a list of them, by name or place."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return {key: each for key, each in pairs if is_table(each)}


# --- words --------------------------------------------------------------------------------------------------------


def misnamed(data: Mapping[str, Any]) -> Iterator[Complaint]:
    """What is wrong with the words of a list whose keys are all in order: what they mean must stand somewhere."""
    mounts: Mapping[str, Any] = data.get("mount", {})
    rules = (*SPECIAL_RULES, *data.get("special_rules", ()))
    for word, keys in (("mount", MOUNT_KEYS), ("unit", UNIT_KEYS)):
        for name, table in data.get(word, {}).items():
            yield from _unknown((word, name, "tags"), "special rule", table.get("tags", ()), rules)
            yield from _unknown((word, name, "house"), "key", table.get("house", ()), [*keys])
    for name, kind in data["unit"].items():
        yield from _of_unit(("unit", name), kind, mounts)
    yield from _needed({kind["category"] for kind in data["unit"].values()})
    yield from _of_ready(data, mounts)


def _unknown(path: Path, kind: str, words: Iterable[str], known: Collection[str]) -> Iterator[Complaint]:
    for word in words:
        if word not in known:
            yield path, f"no {kind} is called {word!r}.{offered(nearest(word, [*known]))}".rstrip(".")


def _of_unit(path: Path, kind: Mapping[str, Any], mounts: Mapping[str, Any]) -> Iterator[Complaint]:
    offers = dict.fromkeys(part for group in kind.get("choices", ()) for each in group for part in each.split(" and "))
    yield from _unknown((*path, "gear"), "gear", kind.get("gear", ()), GEAR)
    yield from _unknown((*path, "choices"), "gear", offers, GEAR)
    yield from _unknown((*path, "mounts"), "mount", kind.get("mounts", ()), mounts)
    yield from _unknown((*path, "mounted_on"), "mount", filter(None, [kind.get("mounted_on")]), mounts)
    if bool(kind.get("champion")) != bool(kind.get("champion_gains")):
        yield (*path, "champion"), "champion and champion_gains go together: what he costs, and what is one higher"


def _needed(categories: Collection[str]) -> Iterator[Complaint]:
    if not {"lord", "hero"} & {*categories}:
        yield ("unit",), "none is a lord or hero, so that nobody could lead a banner"
    if "war machine" not in categories:
        yield ("unit",), "none is a war machine, and each citadel has some from the start"


def _of_ready(data: Mapping[str, Any], mounts: Mapping[str, Any]) -> Iterator[Complaint]:
    ready = data["ready"]
    for place, banner in enumerate(ready["banner"]):
        for number, line in enumerate(banner["units"]):
            yield from _of_mustered(("ready", "banner", place, "units", number), line, data["unit"], mounts)
    for names in ready["names"]:
        if len(names) != len(ready["banner"]):
            yield ("ready", "names"), f"{len(ready['banner'])} banners need as many names, not {', '.join(names)}"
    for name, times in Counter(plain(name) for names in ready["names"] for name in names).items():
        if times > 1:
            yield ("ready", "names"), f"{times} banners are called {name!r}"


def _of_mustered(
    path: Path, line: Mapping[str, Any], units: Mapping[str, Any], mounts: Mapping[str, Any]
) -> Iterator[Complaint]:
    yield from _unknown((*path, "type"), "unit", [line["type"]], units)
    yield from _unknown((*path, "gear"), "gear", line.get("gear", ()), GEAR)
    yield from _unknown((*path, "mount"), "mount", filter(None, [line.get("mount")]), mounts)
    for each in line.get("command", ()):
        if not units.get(line["type"], {}).get(each):
            yield (*path, "command"), f"{line['type']} can have no {each}"
