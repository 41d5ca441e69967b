"""Book, code and cases say the same: numbers and titles, in the same order, and every rule and row is tried."""

import importlib
import inspect
import pkgutil
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from types import ModuleType
from typing import Any, NamedTuple

import pytest

import pbem.rulesets.nippon
import tests.toy
from pbem.core.rulebook import rules
from pbem.rulesets.nippon import armies, items, lairs
from tests.rulesets.nippon import test_armies, test_garrisons, test_items, test_lairs
from tests.test_cases import cases
from tests.toy import TOY


class Coded(NamedTuple):
    """A rule function."""

    number: str
    title: str
    module: str


def rule_functions(package: ModuleType) -> Iterator[Coded]:
    """Every function of a package that carries a number, in the order of its file."""
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if ".test_" in found.name:
            continue
        module = importlib.import_module(found.name)
        for thing in vars(module).values():
            if inspect.isfunction(thing) and hasattr(thing, "number") and thing.__module__ == module.__name__:
                yield Coded(thing.number, thing.title, module.__name__)


def in_book_order(number: str) -> tuple[int, ...]:
    """``6.10`` comes after ``6.9``."""
    return tuple(map(int, number.split(".")))


BOOKS: dict[str, tuple[str, Any]] = {
    "toy": (TOY.rulebook, tests.toy),
    "nippon": (pbem.rulesets.nippon.NIPPON.rulebook, pbem.rulesets.nippon),
}
books = pytest.mark.parametrize("name", BOOKS)


def book(name: str) -> dict[str, str]:
    """Title by number."""
    return {rule.number: rule.title for rule in rules(BOOKS[name][0])}


def coded(name: str) -> tuple[Coded, ...]:
    """All rule functions."""
    return tuple(rule_functions(BOOKS[name][1]))


@books
def test_every_rule_function_has_its_heading(name):
    titles = book(name)
    assert [each for each in coded(name) if titles.get(each.number) != each.title] == []


@books
def test_rule_functions_stand_in_the_order_of_the_book(name):
    by_file: dict[str, list[str]] = {}
    for each in coded(name):
        by_file.setdefault(each.module, []).append(each.number)
    assert {file: numbers for file, numbers in by_file.items() if numbers != sorted(numbers, key=in_book_order)} == {}


@books
def test_headings_stand_by_themselves(name):
    """A heading that follows a text at once is one that was put into the middle of another chapter."""
    lines = BOOKS[name][0].splitlines()
    assert [line for before, line in pairwise(lines) if line.startswith("#") and before] == []


@books
def test_headings_stand_in_the_order_of_their_numbers(name):
    numbers = list(book(name))
    assert numbers == sorted(numbers, key=in_book_order)


ELSEWHERE: dict[str, frozenset[str]] = {
    "toy": frozenset(),
    "nippon": frozenset(
        {
            *("2.4.1", "2.4.2"),  # tests/rulesets/nippon/test_armies.py
            "2.1",  # the host's: tests/service/test_begin.py, test_joining.py
            "4.5",  # the host's: tests/service
            *(f"14.9.{part}" for part in range(1, 8)),  # tests/rulesets/nippon/test_items.py
            *("17", "17.2"),  # tests/rulesets/nippon/test_view.py, test_secrecy.py
            *("16", "20"),  # by cases of other rules, which name them: see below
        }
    ),
}
"""Rules that no case can try."""


@books
def test_every_rule_is_tried_by_two_cases(name):
    tried = Counter(case.number for case in cases(name))
    tried_elsewhere = ELSEWHERE[name] | {number for number in book(name) if _has_parts(name, number)}
    rules_to_try = {*book(name), *(each.number for each in coded(name))} - tried_elsewhere
    assert {number: tried[number] for number in rules_to_try if tried[number] < 2} == {}


def test_every_example_and_every_fine_point_is_a_case():
    """Their numbers stand behind the titles of cases: ``CASE 7.2 with a 2 it razes and holds (16.16)``."""
    numbers = re.compile(r"\b(?:16|20)\.\d+\b")
    rows = {each for rule in rules(BOOKS["nippon"][0]) for each in re.findall(r"(?m)^\| ([\d.]+) \|", rule.text)}
    written = {each for each in rows if numbers.fullmatch(each)}
    tried = {number for case in cases("nippon") for number in numbers.findall(case.title)}
    assert written
    assert tried == written


def _has_parts(name: str, number: str) -> bool:
    """Whether it is the head of a chapter with numbered rules of its own, and no rule function bears its number."""
    parts = any(other.startswith(f"{number}.") for other in book(name))
    return parts and number not in {each.number for each in coded(name)}


@books
def test_cases_name_rules_of_the_book(name):
    assert {case.number for case in cases(name)} - set(book(name)) == set()


# --- the appendices -----------------------------------------------------------------------------------------------

FREE_PEOPLES = armies.army(armies.DEFAULT)


class Appendix(NamedTuple):
    """Rows of one kind: those that the program has, and those that a data test compares with the book."""

    data: set[Any]
    compared: set[Any]


def sold(source: str) -> set[str]:
    """The magic items of one list."""
    return {item.name for item in items.ITEMS.values() if item.source == source}


def named(table: str) -> set[str]:
    """What a table of items has rows for."""
    return {name for _, name, *_ in test_items.rows(table)}


def options() -> set[tuple[str, str]]:
    """Type and arms, for all that may be had besides what a type carries."""
    return {(name, " or ".join(group)) for name, kind in FREE_PEOPLES.types.items() for group in kind.choices}


APPENDICES = {
    "merchant cities": Appendix(sold("merchants"), named(test_items.MERCHANTS)),
    "units": Appendix({*FREE_PEOPLES.types}, {row[0] for row in test_armies.rows(test_armies.APPENDIX)[1:]}),
    "equipment": Appendix({*FREE_PEOPLES.types}, {row[0] for row in test_armies.rows(test_armies.EQUIPMENT)}),
    "options": Appendix(options(), {(name, each) for name, row in test_armies.CHOICES.items() for each in row}),
    "mounts": Appendix({*FREE_PEOPLES.mounts}, {row[0] for row in test_armies.rows(test_armies.MOUNTS)}),
    "items of the list": Appendix(sold(FREE_PEOPLES.magic_items), named(test_items.FREE_PEOPLES)),
    "lairs": Appendix(
        {(kind, number) for kind, row in lairs.INHABITANTS.items() for number, _ in enumerate(row, 1)},
        {(kind, number) for kind, number, _ in test_lairs.lines()},
    ),
    "treasure": Appendix({*lairs.TREASURE_ITEMS.items()}, {*test_lairs.ITEMS.items()}),
    "hoard": Appendix({*lairs.HOARD_ITEMS}, {*test_lairs.HOARD}),
    "garrisons": Appendix({*test_garrisons.from_data()}, {*test_garrisons.rows(test_garrisons.BOOK)}),
}


@pytest.mark.parametrize("appendix", APPENDICES)
def test_every_row_of_an_appendix_is_compared_with_the_book(appendix):
    rows = APPENDICES[appendix]
    assert rows.data
    assert rows.data == rows.compared
