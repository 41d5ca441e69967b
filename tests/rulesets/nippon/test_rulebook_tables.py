"""The rulebook's tables come from the numbers of the rules, and `RULES` finds them."""

from dataclasses import fields
from importlib.resources import files

import pytest

import pbem.rulesets.nippon
from pbem.core.rulebook import look_up, rules
from pbem.reports.prose import sections
from pbem.rulesets.nippon import rulebook, tables

BOOK = rulebook.book()
tabled = pytest.mark.parametrize("name", rulebook.TABLES)


@tabled
def test_every_table_stands_in_the_book_once(name):
    source = (files(pbem.rulesets.nippon) / "rulebook.md").read_text(encoding="utf-8")
    assert source.count(f"{{{{table:{name}}}}}") == 1
    assert rulebook.written(rulebook.TABLES[name]()) in BOOK


def test_no_marker_is_left():
    assert "{{" not in BOOK


@tabled
def test_every_row_fills_its_columns(name):
    table = rulebook.TABLES[name]()
    assert {len(row) for row in table.rows} == {len(table.columns)}
    assert not any("|" in cell or "\n" in cell for row in table.rows for cell in row)


@tabled
def test_letters_and_pages_show_the_table_as_it_is_meant(name):
    """Columns of numbers stay columns of numbers on the way through Markdown."""
    assert sections(rulebook.written(rulebook.TABLES[name]()))[0].blocks == (rulebook.TABLES[name](),)


@tabled
def test_rules_finds_a_table_by_each_word_at_the_head_of_a_row(name):
    table = rulebook.written(rulebook.TABLES[name]())
    heads = [row[0] for row in rulebook.TABLES[name]().rows if row[0][0].isalpha()]
    for head in heads:
        assert any(table in rule.text for rule in look_up(BOOK, head)), head


def test_rules_finds_every_heading_by_number_and_by_name():
    for rule in rules(BOOK):
        assert rule in look_up(BOOK, rule.number)
        assert rule in look_up(BOOK, rule.title)


@pytest.mark.parametrize("trait", [trait.name for trait in fields(tables.People)])
def test_every_trait_of_a_people_has_its_words(trait):
    assert trait in rulebook.TRAITS


@pytest.mark.parametrize(
    ("sums", "outcome"), [(2, "destroyed"), (3, "costly"), (7, "held"), (11, "safe"), (12, "heroic")]
)
def test_sums_of_dangerous_terrain_stand_in_the_row_of_their_outcome(sums, outcome):
    rows = {text: span for span, text in rulebook.danger().rows}
    first, _, last = rows[rulebook.OUTCOMES[outcome]].partition("-")
    assert int(first) <= sums <= int(last or first)
