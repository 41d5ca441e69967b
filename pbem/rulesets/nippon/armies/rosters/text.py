"""Rosters that are written by hand::

    banner Red Dragons
    general "Marshal Oda" (warhorse, barding, lance, Rune Fang)
    30 swordsmen "Iron Wall" (musician, standard, champion)

What stands before the first banner and is no unit is prose. A line below it that is no unit is told, so that none is
lost without a word.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pbem.core.errors import BadInput, Flaw
from pbem.core.grammar import bare
from pbem.core.orders import Line
from pbem.rulesets.nippon.armies.lists import ArmyList
from pbem.rulesets.nippon.armies.rosters.options import is_option
from pbem.rulesets.nippon.armies.rosters.roster import MOST_MODELS, MOST_UNITS, Entry, Roster
from pbem.rulesets.nippon.armies.rosters.unknown import meant, no_unit, rank

BANNER = re.compile(r"banner\b:?\s*(?P<name>[^:]*):?", re.IGNORECASE)
PEOPLE = re.compile(r"(?:army|people|list)\s*(?::|=|\bof\b)\s*(?P<name>.+)", re.IGNORECASE)
TITLE = re.compile(r"(?:roster|muster|total|points)\b.*", re.IGNORECASE)
"""Lines that say nothing."""
COUNT = re.compile(r"(?P<models>\d{1,6})\s*(?:[x*]\s+)?(?P<rest>\D.*)", re.IGNORECASE)
TIMES = re.compile(r"\bx\s?(?P<models>\d{1,6})\b", re.IGNORECASE)
"""``swordsmen x30``."""
MADE_FOR = re.compile(r"made for\s+(?P<game>.+)", re.IGNORECASE)
"""From here on the units are those of another game."""
FOREIGN_UNIT = re.compile(
    r'(?P<models>\d{1,6}) (?P<type>[^"(\[]{1,80}?)(?: "(?P<name>[^"]*)")?(?: \((?P<options>[^)]*)\))? '
    r"\[(?P<category>[^\],]+), (?P<points>\d{1,6}) points\]",
    re.IGNORECASE,
)
UNREAD = "unread file"
"""Begins the line that stands for a file that is no roster, and says why."""
NO_FILE = re.compile(rf"{UNREAD}\s+(?P<told>.+)", re.IGNORECASE)
QUOTED = re.compile(r'"(?P<name>[^"]*)"')
CALLED = re.compile(r"\b(?:named?|called)\s*:?\s+(?P<name>[^(,;:]+)", re.IGNORECASE)
SEAM = re.compile(r"\s*(?:[(),;:+]|\b(?:with|on|and|riding)\b)\s*(?:an?\s+)?", re.IGNORECASE)
"""What may stand between a unit's options."""
PRICE = re.compile(r"\d[\d.,]*\s*(?:pts?|points)?", re.IGNORECASE)
NOTED = re.compile(r"\s[\[(=-]{0,2}\s?\d[\d.,]{0,7}\s?(?:pts|points)\.?[\])]?$", re.IGNORECASE)
"""Points, which players note at the end of a line: the list knows them."""
LONGEST_LINE = 500


def read(text: str, army: ArmyList) -> Roster:
    """The roster in a text. Raises ``BadInput`` with every line that is none of it."""
    return read_lines([Line(number, line) for number, line in enumerate(text.splitlines(), 1)], army)


def read_lines(lines: Sequence[Line], army: ArmyList) -> Roster:
    """The same, of lines of a mail."""
    roster, flaws, ignored = collect(lines, army)
    if not roster.entries and not flaws:
        flaws = (Flaw("roster", f"no unit is in it. Write lines such as: {_example(army)}"),)
    if flaws:
        raise BadInput(flaws)
    told = (f"line {each.number} is no unit and was left out: {bare(each.text)}" for each in ignored)
    return replace(roster, remarks=tuple(told) if any(entry.banner for entry in roster.entries) else ())


def collect(lines: Sequence[Line], army: ArmyList) -> tuple[Roster, tuple[Flaw, ...], tuple[Line, ...]]:
    """What of the lines is a roster, what is wrong with it, and the lines that are none of it."""
    reader = _Reader(army)
    ignored = tuple(line for line in lines if not reader.takes(line))
    return Roster(tuple(reader.entries), reader.foreign, reader.people), tuple(reader.flaws), ignored


class _Reader:
    """Reads line by line."""

    def __init__(self, army: ArmyList) -> None:
        self.entries: list[Entry] = []
        self.flaws: list[Flaw] = []
        self.people = ""
        self.foreign = ""
        self._army = army
        self._types = army.spellings
        self._banner = ""

    def takes(self, line: Line) -> bool:
        """Read a line; false, if it is words that have nothing to do with a roster."""
        whole = bare(line.text)[:LONGEST_LINE].rstrip(".")
        text = NOTED.sub("", whole)
        if not text or TITLE.fullmatch(text):
            return True
        if found := NO_FILE.fullmatch(whole):
            self.flaws.append(Flaw(f"line {line.number}", found["told"]))
        elif found := MADE_FOR.fullmatch(text):
            self.foreign = found["game"].strip()
        elif found := PEOPLE.fullmatch(text):
            self.people = found["name"].strip()
        elif found := BANNER.fullmatch(text):
            self._banner = found["name"].partition("(")[0].strip(' "') or "?"
        elif self.foreign and (found := FOREIGN_UNIT.fullmatch(whole)):
            self._add(f"line {line.number}", _foreign(self._banner, found, f"line {line.number}"))
        else:
            return self._takes_unit(line.number, text)
        return True

    def _add(self, where: str, entry: Entry) -> None:
        if entry.models > MOST_MODELS or len(self.entries) == MOST_UNITS:
            self.flaws.append(Flaw(where, f"a unit has {MOST_MODELS} models at most, an army {MOST_UNITS} units"))
        else:
            self.entries.append(entry)

    def _takes_unit(self, number: int, text: str) -> bool:
        counted = COUNT.fullmatch(text)
        models, rest = (int(counted["models"]), counted["rest"]) if counted else (1, text)
        if times := TIMES.search(rest):
            models, rest = int(times["models"]), f"{rest[: times.start()]} {rest[times.end() :]}"
        found = self._types.head(rest)
        where = f"line {number}"
        if found is None:
            return self._refuses(where, rest, counted is not None)
        name, options = self._described(found[1])
        self._add(where, Entry(self._banner, found[0], models, name, options, where=where, said=text))
        return True

    def _described(self, text: str) -> tuple[str, tuple[str, ...]]:
        """The name of a unit and its options, out of what stands behind its type."""
        found = QUOTED.search(text) or CALLED.search(text)
        rest = f"{text[: found.start()]} , {text[found.end() :]}" if found else text
        first, *others = [each.strip(" .-") for each in SEAM.split(rest)]
        is_name = not found and not is_option(first, self._army) and not PRICE.fullmatch(first)
        options = others if is_name else [first, *others]
        name = found["name"].strip() if found else first if is_name else ""
        return name, tuple(each for each in options if each and not PRICE.fullmatch(each))

    def _refuses(self, where: str, text: str, counted: bool) -> bool:
        """What is no unit: a mistake if it comes near one, else words to be left alone."""
        told = SEAM.split(QUOTED.split(text, maxsplit=1)[0].strip() or text, maxsplit=1)[0]
        meant_one = self._banner and (rank(told) or meant(told, self._army))
        if not (counted or "(" in text or QUOTED.search(text) or meant_one):
            return False
        self.flaws.append(Flaw(where, no_unit(told, self._army)))
        return True


def _foreign(banner: str, found: re.Match[str], where: str) -> Entry:
    """The unit of another game in a line."""
    options = tuple(each.strip() for each in (found["options"] or "").split(",") if each.strip())
    return Entry(
        banner,
        found["type"].strip(),
        int(found["models"]),
        (found["name"] or "").strip(),
        options,
        int(found["points"]),
        found["category"].strip(),
        where,
    )


def _example(army: ArmyList) -> str:
    """Lines of a roster of this list."""
    return "; ".join(_examples(army))


def _examples(army: ArmyList) -> Iterator[str]:
    yield f"banner {army.banner_names[0][0]}"
    for unit in army.ready[0][:2]:
        yield str(Entry("", unit.type, unit.models, unit.name))
