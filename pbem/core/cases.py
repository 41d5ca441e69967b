"""Rule cases as text: positions, orders, dice and what must come of them, titled by rule number.

A file holds any number of cases. A case begins with ``CASE``, the number of the rule and a title; its lines are
indented and start with a word that the rule system knows. ``#`` starts a comment.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pbem.core.errors import BadInput, Flaw
from pbem.core.orders import Line

TITLE = re.compile(r"CASE\s+(?P<number>[\d.]+)\s+(?P<title>\S.*)")


@dataclass(frozen=True)
class Case:
    """One rule case."""

    number: str
    title: str
    where: str
    """File and line of its title."""
    lines: tuple[Line, ...]


def read_cases(name: str, text: str) -> tuple[Case, ...]:
    """The cases of a file called ``name``; raises ``BadInput`` for a line outside any case."""
    flaws: list[Flaw] = []
    cases = tuple(_cases(name, _lines(text), flaws))
    if flaws:
        raise BadInput(flaws)
    return cases


def _lines(text: str) -> Iterator[Line]:
    for number, raw in enumerate(text.splitlines(), 1):
        bare = re.sub(r"(^|\s)#.*", "", raw).rstrip()
        if bare:
            yield Line(number, bare)


def _cases(name: str, lines: Iterable[Line], flaws: list[Flaw]) -> Iterator[Case]:
    head: re.Match[str] | None = None
    begun, body = 0, list[Line]()
    for line in lines:
        title = TITLE.fullmatch(line.text)
        if title:
            if head:
                yield Case(head["number"], head["title"], f"{name}:{begun}", tuple(body))
            head, begun, body = title, line.number, []
        elif head is None or not line.text[0].isspace():
            flaws.append(Flaw(f"{name}:{line.number}", f"neither a CASE title nor a line of a case: {line.text!r}"))
        else:
            body.append(Line(line.number, line.text.strip()))
    if head:
        yield Case(head["number"], head["title"], f"{name}:{begun}", tuple(body))
