"""TOML files that people write: parsed, and with the line of every key for error messages."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from pbem.core.errors import BadInput, Flaw

Path = tuple[str | int, ...]
"""The way to a key: ``("seat", 2, "name")``, counting from 0."""

HEADER = re.compile(r"\s*\[(?P<many>\[)?\s*(?P<name>[^\[\]]+?)\s*\]")
PART = re.compile(r'"[^"]*"|[^."]+')
"""Of a dotted name; a dot between quotation marks parts nothing."""
KEY = re.compile(r"\s*(?P<name>[A-Za-z0-9_.\-\"]+)\s*=")


def parse(name: str, text: str) -> dict[str, Any]:
    """The data of a file called ``name``; raises ``BadInput`` naming the line that is no TOML."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        hint = next((f"; {hint}" for words, hint in HINTS.items() if words in str(error)), "")
        raise BadInput([Flaw(name, f"this is not TOML: {error}{hint}")]) from error


HINTS = {
    "Invalid value": "write true or false, a number, or a text in straight quotation marks",
    "Expected newline": "write one key a line, and texts in straight quotation marks",
    "Expected '='": "a line is a key, =, and its value",
    "Unterminated": "a text ends on its line with the quotation mark that it began with",
    'Expected "\'"': "a text ends on its line with the quotation mark that it began with",
    "Unclosed": "what opens with [ or { has commas between its parts and ends with ] or }, the latter on its line",
    "overwrite": "a key stands there twice",
    "twice": "a table stands there twice; [[seat]] for each seat has two brackets",
}
"""What to write instead, by words in what the parser says."""
REASONS = {
    "extra_forbidden": "there is no such key",
    "missing": "this key is missing",
    "string_too_short": "this must not be empty",
    "bool_parsing": "write true or false",
    "int_parsing": "write a whole number",
}


def flaws(name: str, text: str, errors: Sequence[Any]) -> list[Flaw]:
    """What a pydantic model found wrong with the data of a file, from ``ValidationError.errors()``."""
    places = [tuple(each["loc"]) for each in errors]
    return [Flaw(where(name, text, each["loc"]), _reason(each)) for each in errors if not _follows(each, places)]


def _follows(error: Any, places: Sequence[Path]) -> bool:
    """Whether a list is only called too short because something in it is wrong."""
    path = tuple(error["loc"])
    return error["type"] == "too_short" and any(place[: len(path)] == path for place in places if place != path)


def _reason(error: Any) -> str:
    message: str = error["msg"].removeprefix("Value error, ").replace("Input should be", "this should be")
    return REASONS.get(error["type"], message)


def where(name: str, text: str, path: Sequence[str | int]) -> str:
    """Where a key stands, for an error message: ``campaign.toml: seat 3, name (line 21)``.

    A key that is missing is placed at its table.
    """
    lines = dict(_lines(text))
    line = next((lines[way] for way in _ways_up(tuple(path)) if way in lines), None)
    words = ".".join(str(step + 1) if isinstance(step, int) else step for step in path)
    return f"{name}: {words}" + (f" (line {line})" if line else "")


def _ways_up(path: Path) -> Iterator[Path]:
    while path:
        yield path
        path = path[:-1]


def _lines(text: str) -> Iterator[tuple[Path, int]]:
    table: Path = ()
    seen: Counter[str] = Counter()
    for number, line in enumerate(text.splitlines(), 1):
        if header := HEADER.match(line):
            table = tuple(part.strip(' "') for part in PART.findall(header["name"]))
            if header["many"]:
                table = (*table, seen[header["name"]])
                seen[header["name"]] += 1
            yield table, number
        elif key := KEY.match(line):
            yield (*table, *(part.strip(' "') for part in PART.findall(key["name"]))), number
