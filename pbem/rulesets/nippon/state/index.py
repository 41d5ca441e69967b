"""Tables that find their rows by a field as well as by key, so that large campaigns need not be searched through."""

from collections.abc import Mapping
from typing import Any, Self, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Indexed(dict[K, V]):
    """A table with an index for each field it was ever asked by; an index is made at the first question.

    The keys under a value are a set while rows change, and a tuple in order, which copies may share, once asked for.
    """

    def __init__(self, rows: Mapping[K, V]) -> None:
        super().__init__(rows)
        self._indexes: dict[str, dict[Any, set[K] | tuple[K, ...]]] = {}

    def keys_having(self, field: str, value: Any) -> tuple[K, ...]:
        """The keys of the rows of which a field has this value, in their order."""
        index = self._indexes.get(field)
        if index is None:
            index = self._indexes[field] = self._made(field)
        keys = index.get(value, ())
        if isinstance(keys, set):
            keys = index[value] = _in_order(keys)
        return keys

    def copy(self) -> Self:
        """The same rows, found as fast."""
        twin = type(self)(self)
        for field, index in self._indexes.items():
            twin._indexes[field] = {value: _in_order(keys) for value, keys in index.items()}
        return twin

    def __setitem__(self, key: K, row: V) -> None:
        before = self.get(key)
        super().__setitem__(key, row)
        for field, index in self._indexes.items():
            value = getattr(row, field)
            if before is not None:
                if getattr(before, field) == value:
                    continue
                _loose(index, getattr(before, field)).discard(key)
            _loose(index, value).add(key)

    def __delitem__(self, key: K) -> None:
        row = self[key]
        super().__delitem__(key)
        for field, index in self._indexes.items():
            _loose(index, getattr(row, field)).discard(key)

    def _made(self, field: str) -> dict[Any, set[K] | tuple[K, ...]]:
        index: dict[Any, Any] = {}
        for key, row in self.items():
            index.setdefault(getattr(row, field), set()).add(key)
        return index

    def pop(self, key: K) -> V:  # type: ignore[override]  # No default: what is taken out is there.
        """Take a row out; raises ``KeyError``."""
        row = self[key]
        del self[key]
        return row

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self),)

    def _unsupported(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError("an indexed table changes row by row: table[key] = row, del table[key]")

    popitem = update = setdefault = clear = __ior__ = _unsupported


def _in_order(keys: set[K] | tuple[K, ...]) -> tuple[K, ...]:
    return keys if isinstance(keys, tuple) else tuple(sorted(keys))  # type: ignore[type-var]  # Names, or numbers.


def _loose(index: dict[Any, set[K] | tuple[K, ...]], value: Any) -> set[K]:
    """The keys under a value, for a table to change."""
    keys = index.get(value, ())
    if isinstance(keys, tuple):
        keys = index[value] = set(keys)
    return keys


def keys_having(rows: Mapping[K, V], field: str, value: Any) -> tuple[K, ...]:
    """The keys of the rows of a table, indexed or not, of which a field has this value, in their order."""
    if isinstance(rows, Indexed):
        return rows.keys_having(field, value)
    keys: Any = (key for key, row in rows.items() if getattr(row, field) == value)
    return tuple(sorted(keys))


def having(rows: Mapping[K, V], field: str, value: Any) -> tuple[V, ...]:
    """The rows of a table of which a field has this value, by key."""
    return tuple(rows[key] for key in keys_having(rows, field, value))
