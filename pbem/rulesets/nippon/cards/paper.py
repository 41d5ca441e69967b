"""The paper order card of the rulebook, filled in as text (NIP 4).

The card asks for the name of the banner and for one choice to be circled::

    Banner Name: Red Dragons           Banner: Red Dragons
    will (circle one)                  [ ] hold  [x] move to section 14
    (Move to Map Section) 14
    Recover Map Section ___
    Special Orders: by land

What people do with that by mail: they tick boxes, put the choice in brackets or asterisks, write in the one number that
is wanted, or delete the choices they do not want. A card that can be taken in two ways is a fault.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbem.core import grammar
from pbem.core.grammar import Misread, Names
from pbem.core.orders import Line
from pbem.rulesets.nippon.cards.verbs import FORMS

FOLD = " | "
"""What joins the lines of a card to one line."""

CHOICES = ("move", "recover", "fortify", "hold", "raze", "scatter")
"""Those of the card; all else is a special order."""

DEEDS = {form: verb for form, verb in FORMS.items() if verb in CHOICES}
"""The choices, by every form in which they are typed."""

VERB = rf"(?<![^\W_])(?:{'|'.join(DEEDS)})(?![^\W_])"

HEAD = re.compile(r"(?:order card\W+)?banner(?:(?: name)?\s*[:=]| name\b)[\s._:]*(?P<rest>.*)", re.IGNORECASE)
"""The line with the name of the banner."""

TITLE = re.compile(r"\W*(?:order card|circle one)\W*", re.IGNORECASE)
"""Print that says nothing by itself."""

ROW = re.compile(
    rf"[\W_]*(?:x[)\]_\s]+\W*)?(?:{VERB}|will\W*$|will\W+(?:circle|{VERB})|circle one|orders?\s*:|special orders?\b)",
    re.IGNORECASE,
)
"""How a line of the card below the name begins."""

ALONE = re.compile(r"(?:\s*:|\s+will)?[\s:]*$", re.IGNORECASE)
"""What may follow the name of a banner that has a line for itself."""


def is_title(text: str) -> bool:
    """Whether a line is print of the card that says nothing by itself."""
    return bool(TITLE.fullmatch(text))


def folded(lines: Iterable[Line], names: Names[Any]) -> Iterator[Line]:
    """The lines of a mail, those of each card joined to one; ``names`` are those of the reader's banners."""
    return grammar.folded(lines, lambda text: _is_head(text, names), lambda text: _is_row(text, names), _joined)


LONGEST = 200
"""Characters of the longest line that can belong to a card."""


def _is_head(text: str, names: Names[Any]) -> bool:
    return len(text) <= LONGEST and _names_a_banner(text, names)


def _names_a_banner(text: str, names: Names[Any]) -> bool:
    return bool(HEAD.match(text)) or names.find(ALONE.sub("", text)) is not None


def _is_row(text: str, names: Names[Any]) -> bool:
    row = len(text) <= LONGEST and ROW.match(text) and not HEAD.match(text)
    return bool(row) and names.head(text) is None


def _joined(card: Sequence[Line]) -> Line:
    return replace(card[0], text=FOLD.join(line.text.strip() for line in card if line.text.strip()))


# --- one card -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Choice:
    """One of the choices of a card."""

    deed: str
    goal: str
    """The section written in, or nothing."""
    row: tuple[int, int]
    """The line of the card, and which of the boxes in it."""
    ticked: bool
    circled: bool

    def __str__(self) -> str:
        return f"{self.deed} {self.goal}".strip()


BOX = re.compile(
    r"(?P<on>^[xX][\s)]+|\[\s*[xX*+v\u2713\u2714]\s*\]|\(\s*[xX\u2713\u2714]\s*\)|_+[xX]_+|[\u2611\u2612\u2713\u2714\u2705])"
    r"|\[\s*\]|\(\s*\)|\u2610"
)
"""A box, ticked or not."""

CIRCLE = rf"(?:[(<{{]\s*|\*+|_+)(?={VERB})"
"""What opens a choice that is circled: ``(Hold)``, ``*Hold*``, ``_Hold_``."""

CHOICE = re.compile(
    rf"(?P<circle>{CIRCLE})?(?P<deed>{VERB})(?P<goal>.*?)(?=(?:{CIRCLE})?{VERB}|/|$)",
    re.IGNORECASE,
)

EDGE = r"(?:(?<![^\W_])(?:to|in|at|map|section|and|then|or|will|the|number)(?![^\W_])|[\W_])+"
PRINT = re.compile(rf"^{EDGE}|{EDGE}$", re.IGNORECASE)
"""What is printed around the number of a section."""

SPECIAL = re.compile(r"special orders?[\s:]*", re.IGNORECASE)
NOTHING = re.compile(r"(?:[\W_]|none|n/a)*", re.IGNORECASE)


def deed(rows: str) -> tuple[str, str]:
    """The choice of a card in the short form, and its special orders; raises :class:`Misread`."""
    body, *special = SPECIAL.split(rows)
    extra = " ".join(part for part in special if not NOTHING.fullmatch(part))
    choices = tuple(_choices(body))
    return "" if not choices and extra else _spelled(_chosen(choices)), extra


def _choices(body: str) -> Iterator[Choice]:
    for number, row in enumerate(body.split("|")):
        for box, (piece, ticked) in enumerate(_boxes(row.strip())):
            for found in CHOICE.finditer(piece):
                goal = PRINT.sub("", found["goal"])
                yield Choice(DEEDS[found["deed"].lower()], goal, (number, box), ticked, bool(found["circle"]))


def _boxes(row: str) -> Iterator[tuple[str, bool]]:
    """The pieces of a row, each with whether its box is ticked. Boxes stand before the choices, or all behind."""
    boxes = list(BOX.finditer(row))
    if not boxes:
        yield row, False
        return
    leading = boxes[0].start() == 0
    edges = [box.start() if leading else box.end() for box in boxes]
    bounds = [*edges, len(row)] if leading else [0, *edges]
    for box, start, end in zip(boxes, bounds, bounds[1:], strict=False):
        yield BOX.sub(" ", row[start:end]), bool(box["on"])


def _chosen(choices: Sequence[Choice]) -> Sequence[Choice]:
    """The choices that are marked; where none is, those with a section written in; else the only one there is."""
    marked = [each for each in choices if each.circled] or [each for each in choices if each.ticked]
    chosen = marked or [each for each in choices if each.goal] or (choices if len(choices) < 2 else [])
    if not marked and [each.deed for each in choices] in (["raze", "hold"], ["raze", "move"]):
        chosen = choices
    if not chosen:
        raise Misread("The card has no choice marked.")
    return _after_razing(choices, chosen)


def _after_razing(choices: Sequence[Choice], chosen: Sequence[Choice]) -> Sequence[Choice]:
    """``raze section 12 and then hold / move to section 14``: which of the two, if the card leaves no doubt."""
    before = choices[: choices.index(chosen[0])]
    if chosen[0].deed in ("hold", "move") and before and before[-1].row == chosen[0].row:
        razing = [each for each in before if each.row == chosen[0].row and each.deed == "raze"]
        chosen = [*razing, *chosen]
    elif any(each.deed == chosen[0].deed for each in before):
        raise Misread(f"It is not clear whether to raze before: {chosen[0]}.", instead=f"raze and {chosen[0]}")
    if [each.deed for each in chosen] == ["raze", "hold", "move"]:
        chosen = [each for each in chosen if each.deed != ("hold" if chosen[2].goal else "move")]
        if chosen[-1].deed == "hold":
            raise Misread("It is not clear whether to hold or to move after razing.", instead="raze and hold")
    after = choices[choices.index(chosen[-1]) + 1 :]
    if chosen[-1].deed == "raze" and any(each.goal for each in after):
        raise Misread(f"It is not clear whether to {after[-1]} after razing.", instead=f"raze and {after[-1]}")
    return chosen


def _spelled(chosen: Sequence[Choice]) -> str:
    if len(chosen) == 2 and chosen[0].deed == "raze" and chosen[1].deed in ("hold", "move"):
        return f"{chosen[0]} and {chosen[1]}"
    if len(chosen) > 1:
        marked = ", ".join(map(str, chosen))
        raise Misread(f"More than one choice is marked: {marked}. A banner has one order.", instead=str(chosen[0]))
    return str(chosen[0])
