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
    for key, row in changes:
        if row is not None:
            table[key] = plain[key] = row
        elif key in plain:
            assert table.pop(key) == plain.pop(key)
    for field, value in [("at", at) for at in range(4)] + [("realm", realm) for realm in "AB"]:
        assert having(table, field, value) == having(plain, field, value)
    assert table == plain
    assert pickle.loads(pickle.dumps(table)) == table


def test_copies_go_their_own_ways():
    table = Indexed({1: Row(1, "A"), 2: Row(1, "B")})
    having(table, "at", 1)
    twin = table.copy()
    del twin[1]
    assert having(table, "at", 1) == (Row(1, "A"), Row(1, "B"))
    assert having(twin, "at", 1) == (Row(1, "B"),)


def test_what_an_index_would_not_see_is_refused():
    table = Indexed({1: Row(1, "A")})
    with pytest.raises(TypeError, match="row by row"):
        table.update({2: Row(1, "B")})
