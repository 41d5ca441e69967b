"""Rosters as tables (CSV): a row for each unit, with its banner, type, models, name and options in columns."""

import csv
from collections.abc import Iterator, Mapping

from pbem.core.errors import BadInput, Flaw
from pbem.core.grammar import Names
from pbem.core.orders import plain
from pbem.rulesets.nippon.armies.lists import ArmyList
from pbem.rulesets.nippon.armies.rosters.roster import MOST_MODELS, MOST_UNITS, Entry, Roster
from pbem.rulesets.nippon.armies.rosters.unknown import no_unit

COLUMNS = {
    "banner": ("banner", "army", "division"),
    "type": ("type", "unit", "unit type", "troops"),
    "models": ("models", "number", "count", "size", "no", "#"),
    "name": ("name", "called", "unit name"),
    "options": ("options", "upgrades", "equipment", "gear", "items", "mount", "command"),
}
"""What a column may be called. Several may hold options."""
WANTS_COLUMNS = f"the first row must name the columns: {', '.join(names[0] for names in COLUMNS.values())}"
DELIMITERS = (",", ";", "\t")
SEPARATORS = str.maketrans(dict.fromkeys(";+/|", ","))
"""What may stand between the options of a cell."""


def read(text: str, army: ArmyList, file: str) -> Roster:
    """The roster in a table. Raises ``BadInput`` with every reason."""
    rows = [row for row in _rows(text, file) if any(cell.strip() for cell in row)]
    columns = _columns(rows[0]) if rows else {}
    if "type" not in columns.values():
        raise BadInput([Flaw(file, WANTS_COLUMNS)])
    if len(rows) > MOST_UNITS + 1:
        raise BadInput([Flaw(file, f"an army has {MOST_UNITS} units at most, here are {len(rows) - 1}")])
    types = army.spellings
    read = [_entry(f"row {number}", row, columns, types, army) for number, row in enumerate(rows[1:], 2)]
    flaws = [each for each in read if isinstance(each, Flaw)]
    if flaws or not read:
        raise BadInput(flaws or [Flaw(file, "no unit is in it")])
    return Roster(tuple(each for each in read if isinstance(each, Entry)))


def is_header(line: str) -> bool:
    """Whether a line names the columns of a roster."""
    delimiter = max(DELIMITERS, key=line.count)
    return len({*_columns(line.split(delimiter)).values()} & {"type", "models", "banner"}) > 1


def _rows(text: str, file: str) -> Iterator[list[str]]:
    first = text.lstrip().partition("\n")[0]
    delimiter = max(DELIMITERS, key=first.count)
    try:
        yield from csv.reader(text.splitlines(), delimiter=delimiter)
    except csv.Error as error:
        raise BadInput([Flaw(file, f"this is no table: {error}")]) from error


def _columns(header: list[str]) -> Mapping[int, str]:
    """What stands in each column that means something."""
    known = {plain(name): meaning for meaning, names in COLUMNS.items() for name in names}
    return {place: known[plain(title)] for place, title in enumerate(header) if plain(title) in known}


def _entry(where: str, row: list[str], columns: Mapping[int, str], types: Names[str], army: ArmyList) -> Entry | Flaw:
    cells = [(meaning, row[place].strip()) for place, meaning in columns.items() if place < len(row)]
    said = {meaning: cell for meaning, cell in cells if cell}
    kind, models = types.find(said.get("type", "")), said.get("models", "1")
    if kind is None:
        return Flaw(where, no_unit(said.get("type", ""), army))
    if not (models.isdecimal() and int(models[:9]) <= MOST_MODELS):
        return Flaw(where, f"{models!r} should be a number of models, {MOST_MODELS} at most")
    options = [option for meaning, cell in cells if meaning == "options" for option in _options(cell)]
    return Entry(
        said.get("banner", ""), kind, int(models), said.get("name", ""), tuple(options), where=where, said=",".join(row)
    )


def _options(cell: str) -> Iterator[str]:
    yield from filter(None, (each.strip() for each in cell.translate(SEPARATORS).split(",")))
