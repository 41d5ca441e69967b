"""What the keys of a TOML file may hold, and in words what is wrong with those that hold something else."""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, TypeGuard

from pbem.core.toml import Path

Complaint = tuple[Path, str]
"""The key that is wrong, and what is wrong with it."""

Fit = tuple[Callable[[Any], bool], str]
"""Whether a value will do, and what would do in words."""


def is_number(value: Any) -> bool:
    """Whether it is a number, whole or not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_whole(value: Any) -> bool:
    """Whether it is a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_text(value: Any) -> bool:
    """Whether it is a text in which something stands."""
    return isinstance(value, str) and bool(value.strip())


def is_table(value: Any) -> TypeGuard[dict[str, Any]]:
    """Whether it is a table."""
    return isinstance(value, dict)


def list_of(fits: Callable[[Any], bool], least: int = 1) -> Callable[[Any], bool]:
    """What finds out whether a value is a list of what ``fits``, of so many at least."""
    return lambda value: isinstance(value, list) and len(value) >= least and all(map(fits, value))


def table_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """What finds out whether a value is a table whose keys all hold what ``fits``."""
    return lambda value: isinstance(value, dict) and all(map(fits, value.values()))


def one_of(words: Collection[str]) -> Fit:
    """One of these words."""
    return (lambda value: isinstance(value, str) and value in words), f"one of {', '.join(words)}"


TEXT: Fit = (is_text, "a text")
WHOLE: Fit = (is_whole, "a whole number")
FLAG: Fit = (lambda value: isinstance(value, bool), "true or false")
TABLE: Fit = (is_table, "a table")
TABLES: Fit = (list_of(is_table, 0), "tables, each headed [[...]]")


def complaints(
    path: Path, table: Mapping[str, Any], known: Mapping[str, Fit], must: Collection[str]
) -> Iterator[Complaint]:
    """What is wrong with the keys of a table that stands at ``path``; ``must``: those that may not be missing."""
    for key in known:
        if key in must and key not in table:
            yield (*path, key), "this key is missing"
    for key, value in table.items():
        if key not in known:
            yield (*path, key), f"there is no such key; there are {', '.join(known)}"
        elif not known[key][0](value):
            yield (*path, key), f"{value!r} should be {known[key][1]}"
