"""Book, code and cases say the same: numbers and titles, in the same order, and every rule is tried."""

import importlib
import inspect
import pkgutil
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from types import ModuleType
from typing import Any, NamedTuple

import pytest

import pbem.rulesets.nippon
import tests.toy
from pbem.core.rulebook import rules
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


def _has_parts(name: str, number: str) -> bool:
    """Whether it is the head of a chapter with numbered rules of its own, and no rule function bears its number."""
    parts = any(other.startswith(f"{number}.") for other in book(name))
    return parts and number not in {each.number for each in coded(name)}


@books
def test_cases_name_rules_of_the_book(name):
    assert {case.number for case in cases(name)} - set(book(name)) == set()
