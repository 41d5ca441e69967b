"""Plain text that keeps its shape in any mail program: wrapped lines, label columns, tables."""

import re
import textwrap
from collections.abc import Iterable, Sequence

from pbem.core.report import Bar, Bars

WIDTH = 72
"""Columns of running text: what mail programs leave alone even when they quote it."""

TABLE_WIDTH = 78
LABEL_WIDTH = 20
"""Labels longer than this get a line of their own."""

BAR_WIDTH = 20
BAR_SIGNS = "#>."
"""How the parts of a bar are drawn, in their order."""
LABEL_MOST = 26

GAP = "  "
"""Between columns."""

NBSP = "\N{NO-BREAK SPACE}"
"""Keeps two words on one line; comes out as an ordinary blank."""

BLANKS = re.compile(r"[ \t\r\n]+")


def wrap(text: str, indent: int = 0, width: int = WIDTH) -> str:
    """A paragraph with its own line breaks forgotten, wrapped and moved in by ``indent`` columns."""
    margin = " " * indent
    return "\n".join(margin + line for line in _lines(text, width - indent))


def labelled(pairs: Iterable[tuple[str, str]], indent: int = 2, width: int = WIDTH) -> str:
    """Labels in a column, beside each its text: ``Red Dragons  MOVE 12 -> 13``. Line breaks in a text are kept."""
    rows = list(pairs)
    column = max((len(label) for label, _ in rows if len(label) <= LABEL_WIDTH), default=0)
    return "\n".join(_labelled(label, text, column, indent, width) for label, text in rows)


def _labelled(label: str, text: str, column: int, indent: int, width: int) -> str:
    margin = " " * indent + " " * (column + len(GAP) if column else len(GAP))
    body = [line for part in text.splitlines() for line in _lines(part, width - len(margin))]
    if label and len(label) <= column:
        first, *rest = body or [""]
        return "\n".join([f"{' ' * indent}{label:<{column}}{GAP}{first}".rstrip(), *(margin + line for line in rest)])
    head = [wrap(label, indent, TABLE_WIDTH)] if label else []
    return "\n".join([*head, *(margin + line for line in body)])


def itemized(items: Iterable[tuple[str, str]]) -> str:
    """A list: labels in a column where all have one, else a dash before each item."""
    rows = list(items)
    if all(label for label, _ in rows):
        return labelled(rows)
    return labelled([("-", f"{label}: {text}" if label else text) for label, text in rows], indent=0)


def folded(line: str, width: int = WIDTH) -> str:
    """A line of an order form; a comment too long for it goes on in comment lines below."""
    order, mark, comment = line.partition("#")
    if len(line) <= width or not order.strip():
        return line
    first, *rest = _lines(comment, width - len(order) - 2)
    return "\n".join([f"{order}{mark} {first}", *(f"{' ' * len(order)}# {each}" for each in rest)])


def explained(line: str, width: int = WIDTH) -> str:
    """A line that can be sent, and its comment below it, moved in: together they are too long for a phone."""
    order, mark, comment = line.partition("#")
    rows = [f"      # {each}" for each in _lines(comment, width - len("      # "))] if mark else []
    return "\n".join([f"  {order.rstrip()}", *rows])


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], width: int = TABLE_WIDTH) -> str:
    """A table at most ``width`` columns wide; cells that do not fit are wrapped. ``#`` sets a column flush right."""
    titles = [title.lstrip("#") for title in columns]
    right = [title.startswith("#") for title in columns]
    widths = _fit([titles, *rows], width)
    rule = GAP.join("-" * each for each in widths)
    body = [line for row in rows for line in _row(row, widths, right)]
    return "\n".join([*_row(titles, widths, right), rule, *body])


def bars(picture: Bars) -> str:
    """A picture of bars: the key, then groups with their title, each bar with what its parts count."""
    column = max((len(bar.label) for _, group in picture.groups for bar in group), default=0)
    key = ", ".join(f"{sign} {word}" for sign, word in zip(BAR_SIGNS, picture.legend, strict=False))
    return f"  {key}\n" + "\n".join(
        line
        for title, group in picture.groups
        for line in (f"  {title}", *(_bar(bar, picture.legend, min(column, LABEL_MOST)) for bar in group))
    )


def _bar(bar: Bar, legend: Sequence[str], column: int) -> str:
    """A bar beside its label, or below one that is too long; a sign for each thing, as long as they are few."""
    width = min(BAR_WIDTH, sum(bar.parts))
    drawn = "".join(sign * length for sign, length in zip(BAR_SIGNS, portions(bar.parts, width), strict=False))
    above, label = ([], bar.label) if len(bar.label) <= column else ([f"    {bar.label}"], "")
    start = f"    {label:<{column}}{GAP}{drawn}{GAP}"
    first, *rest = _lines(counts(bar, legend), TABLE_WIDTH - len(start)) or [""]
    return "\n".join([*above, f"{start}{first}".rstrip(), *(" " * len(start) + line for line in rest)])


LEAST = 4
"""Hundredths of the longest bar that can be seen at all."""


def share_of_longest(bar: Bar, picture: Bars) -> int:
    """How long a bar is in hundredths of the longest of its picture."""
    most = max(sum(each.parts) for _, group in picture.groups for each in group)
    return max(LEAST, 100 * sum(bar.parts) // max(most, 1))


def counts(bar: Bar, legend: Sequence[str]) -> str:
    """What a bar's parts count, in words, with its note: ``14 stood, 3 fled; standard lost``."""
    parts = ", ".join(f"{number} {word}" for number, word in zip(bar.parts, legend, strict=True) if number)
    return "; ".join(filter(None, (parts, bar.note)))


def portions(parts: Sequence[int], width: int) -> list[int]:
    """A width shared out by the size of parts; what is left over goes to the largest remainders."""
    whole = sum(parts) or 1
    shares = [part * width // whole for part in parts]
    left = width - sum(shares) if sum(parts) else 0
    neediest = sorted(range(len(parts)), key=lambda each: -(parts[each] * width % whole))
    for each in neediest[:left]:
        shares[each] += 1
    return shares


def _fit(rows: Sequence[Sequence[str]], width: int) -> list[int]:
    """Column widths: as wide as the longest cell, the widest cut down until all fit."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    while sum(widths) + len(GAP) * (len(widths) - 1) > width and max(widths) > 1:
        widths[widths.index(max(widths))] -= 1
    return widths


def _row(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> list[str]:
    columns = [_lines(cell, width, cut=True) or [""] for cell, width in zip(cells, widths, strict=True)]
    height = max(map(len, columns))
    lines = zip(*(column + [""] * (height - len(column)) for column in columns), strict=True)
    return [_set(line, widths, right) for line in lines]


def _set(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    aligned = (f"{c:>{w}}" if flush else f"{c:<{w}}" for c, w, flush in zip(cells, widths, right, strict=True))
    return GAP.join(aligned).rstrip()


def _lines(text: str, width: int, cut: bool = False) -> list[str]:
    """A paragraph as lines of at most ``width``; a longer word stands out, or is cut."""
    flowing = BLANKS.sub(" ", text).strip(" ")
    lines = textwrap.wrap(flowing, width, break_long_words=cut, break_on_hyphens=False)
    return [line.replace(NBSP, " ") for line in lines]
