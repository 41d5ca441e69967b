"""Tables with an index find what a search through all rows finds, whatever was done to them before."""

import pickle
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.rulesets.nippon.state.index import Indexed, having


@dataclass(frozen=True)
class Row:
    """A row of a table."""

    at: int
    realm: str


KEYS, ROWS = st.integers(0, 5), st.builds(Row, st.integers(0, 3), st.sampled_from("AB"))
CHANGES = st.lists(st.tuples(KEYS, st.none() | ROWS))
"""A key, and its new row or nothing: it is taken out."""


@given(st.dictionaries(KEYS, ROWS), CHANGES, st.booleans())
def test_an_index_knows_all_changes(rows, changes, asked_before):
    """So too if the index is made only after them."""
    table, plain = Indexed(rows), dict(rows)
    if asked_before:
        having(table, "at", 0), having(table, "realm", "A")
    change(table, changes), change(plain, changes)
    assert found(table) == found(plain)
    assert table == plain
    assert pickle.loads(pickle.dumps(table)) == table


@given(st.dictionaries(KEYS, ROWS), CHANGES, CHANGES, CHANGES)
def test_copies_go_their_own_ways(rows, before, here, there):
    """What one of two does to its rows the other does not find, whatever they had in common."""
    table, plain = Indexed(rows), dict(rows)
    found(table), change(table, before), change(plain, before)
    twin, other = table.copy(), plain.copy()
    change(table, here), change(plain, here), change(twin, there), change(other, there)
    assert found(table) == found(plain)
    assert found(twin) == found(other)


def change(table, changes):
    for key, row in changes:
        if row is not None:
            table[key] = row
        elif key in table:
            table.pop(key)


def found(table):
    asked = [("at", at) for at in range(4)] + [("realm", realm) for realm in "AB"]
    return [having(table, field, value) for field, value in asked]


def test_what_an_index_would_not_see_is_refused():
    table = Indexed({1: Row(1, "A")})
    with pytest.raises(TypeError, match="row by row"):
        table.update({2: Row(1, "B")})
