"""Tables that find their rows by a field as well as by key, so that large campaigns need not be searched through."""

from collections.abc import Mapping
from typing import Any, Self, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Indexed(dict[K, V]):
    """A table with an index for each field it was ever asked by; an index is made at the first question."""

    def __init__(self, rows: Mapping[K, V]) -> None:
        super().__init__(rows)
        self._indexes: dict[str, dict[Any, set[K]]] = {}

    def keys_having(self, field: str, value: Any) -> tuple[K, ...]:
        """The keys of the rows of which a field has this value, in their order."""
        if field not in self._indexes:
            self._indexes[field] = self._made(field)
        keys: Any = self._indexes[field].get(value, ())
        return tuple(sorted(keys))

    def copy(self) -> Self:
        """The same rows; the copy makes its own indexes."""
        return type(self)(self)

    def __setitem__(self, key: K, row: V) -> None:
        self._forget(key)
        super().__setitem__(key, row)
        for field, index in self._indexes.items():
            index.setdefault(getattr(row, field), set()).add(key)

    def __delitem__(self, key: K) -> None:
        self._forget(key)
        super().__delitem__(key)

    def _made(self, field: str) -> dict[Any, set[K]]:
        index: dict[Any, set[K]] = {}
        for key, row in self.items():
            index.setdefault(getattr(row, field), set()).add(key)
        return index

    def _forget(self, key: K) -> None:
        if key in self:
            for field, index in self._indexes.items():
                index[getattr(self[key], field)].discard(key)

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


def keys_having(rows: Mapping[K, V], field: str, value: Any) -> tuple[K, ...]:
    """The keys of the rows of a table, indexed or not, of which a field has this value, in their order."""
    if isinstance(rows, Indexed):
        return rows.keys_having(field, value)
    keys: Any = (key for key, row in rows.items() if getattr(row, field) == value)
    return tuple(sorted(keys))


def having(rows: Mapping[K, V], field: str, value: Any) -> tuple[V, ...]:
    """The rows of a table of which a field has this value, by key."""
    return tuple(rows[key] for key in keys_having(rows, field, value))
