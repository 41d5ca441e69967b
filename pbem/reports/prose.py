"""The little Markdown that rulebooks use, as blocks of a report."""

import re
from collections.abc import Iterator

from pbem.core.report import Block, Items, Section, Table, Text

MARKS = re.compile(r"\*\*|(?<!\w)\*|\*(?!\w)")
"""Signs for bold and italics: dropped, the words stay."""

CODE = re.compile(r"`([^`]*)`")
"""What is written as it stands; quotation marks tell where it ends."""

BULLET = re.compile(r"\s*([-*]|\d+\.)\s+")


def sections(markdown: str) -> tuple[Section, ...]:
    """A text under its headings; what comes before the first one stands under none."""
    parts = re.split(r"^#+\s*(.+)$", f"\n{markdown}", flags=re.MULTILINE)
    titles, bodies = ["", *parts[1::2]], parts[::2]
    pairs = ((title.strip(), tuple(_blocks(body))) for title, body in zip(titles, bodies, strict=True))
    return tuple(Section("", title, blocks) for title, blocks in pairs if title or blocks)


def _blocks(body: str) -> Iterator[Block]:
    for paragraph in re.split(r"\n\s*\n", body):
        lines = paragraph.strip("\n").splitlines()
        if not any(map(str.strip, lines)):
            continue
        if lines[0].lstrip().startswith("|"):
            yield _table(lines)
        elif BULLET.match(lines[0]):
            yield _items(lines)
        else:
            yield Text(_bare(" ".join(map(str.strip, lines))))


def _table(lines: list[str]) -> Table:
    """A table; a column whose rule ends in a colon, as in ``---:``, holds numbers."""
    titles, rules, *rows = ([_bare(cell.strip()) for cell in line.strip().strip("|").split("|")] for line in lines)
    columns = (f"#{title}" if rule.endswith(":") else title for title, rule in zip(titles, rules, strict=True))
    return Table(tuple(columns), tuple(map(tuple, rows)))


def _items(lines: list[str]) -> Items:
    """List items; a line without a bullet goes on with the item before it."""
    items: list[tuple[str, str]] = []
    for line in lines:
        bullet = BULLET.match(line)
        if bullet:
            label = bullet[1] if bullet[1][0].isdigit() else ""
            items.append((label, _bare(line[bullet.end() :].strip())))
        else:
            label, text = items.pop()
            items.append((label, f"{text} {_bare(line.strip())}"))
    return Items(tuple(items))


def _bare(text: str) -> str:
    return MARKS.sub("", CODE.sub(_quoted, text))


def _quoted(code: re.Match[str]) -> str:
    return f"'{code[1]}'" if '"' in code[1] else f'"{code[1]}"'
