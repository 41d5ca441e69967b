"""Lines about battle plans (NIP 8.3): ``plan Red Dragons: left Spears attack, Bows hold; flank right Knights``.

Whose plan it is, and which lines are part of it. What it says of units is read by ``plan_reader.py``, in the words of
``plan_words.py``.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pbem.battles import Plan
from pbem.core import grammar
from pbem.core.grammar import Misread, Names, bare, offered
from pbem.core.orders import Line
from pbem.core.wording import listed
from pbem.rulesets.nippon.cards import unsaid
from pbem.rulesets.nippon.cards.names import banner_names, own_banners, section
from pbem.rulesets.nippon.cards.plan_reader import Reader
from pbem.rulesets.nippon.cards.plan_words import ARTICLE
from pbem.rulesets.nippon.orders import SetPlan
from pbem.rulesets.nippon.state import Banner, name_of
from pbem.rulesets.nippon.view import View

# --- the line -----------------------------------------------------------------------------------------------------

LINE = re.compile(
    r"(?:(?:battle|secret|my|the)\s+)*plans?(?!\w)\s*(?:for\s+|of\s+)?(?P<whose>[^:=]*?)\s*[:=]\s*(?P<told>.*)",
    re.IGNORECASE,
)
HEAD = re.compile(r"(?:(?:battle|secret|my|the)\s+)*plans?(?!\w)\s*(?:for\s+|of\s+)?", re.IGNORECASE)
NUMBER = re.compile(r"(?:battle\s+)?(?:in\s+|at\s+)?b?\s*#?(\d{1,5})", re.IGNORECASE)
"""``14``, ``B14``: all own banners there."""

NONE = re.compile(r"(?:none|no(?: plan)?|nothing|default|as usual|usual|cancel|-+)[\s.!]*", re.IGNORECASE)


def is_plan(text: str, own: Names[str]) -> bool:
    """Whether a line is about a battle plan; ``own`` are the banners of its writer."""
    return bool(HEAD.match(_banner_last(bare(text), own)))


def _banner_last(text: str, own: Names[str]) -> str:
    """``Red Dragons: plan left Spears`` as ``plan Red Dragons: left Spears``; any other line as it is."""
    found = own.head(text) or own.head(ARTICLE.sub("", text))
    begun = HEAD.match(found[1]) if found else None
    return f"plan {name_of(found[0])}: {found[1][begun.end() :].lstrip(' :')}" if found and begun else text


def plans(view: View, text: str) -> tuple[SetPlan, ...] | None:
    """The plans that a line sets, one for each banner; ``None`` if it is about nothing of the kind.

    Raises :class:`Misread`.
    """
    own = banner_names(own_banners(view))
    text = _banner_last(text, own)
    begun = HEAD.match(text)
    found = LINE.fullmatch(text)
    if not begun:
        return None
    if found:
        whose, told = found["whose"], found["told"]
    else:
        rest = text[begun.end() :]
        named, number = own.head(rest), NUMBER.match(rest)
        if not named and not number:
            return None  # "Plan to meet on Saturday."
        told = rest[number.end() :] if number else named[1] if named else ""
        whose = rest.removesuffix(told)
    return tuple(_shared_out(_whose(view, whose.strip(" ,;-"), told), told.strip()))


def _whose(view: View, name: str, told: str) -> Sequence[Banner]:
    """The banners that are meant: one by its name, or all in a section; without a name the only one there is."""
    own = own_banners(view)
    if not name:
        if len(own) == 1:
            return own
        known = listed(banner.name for banner in own)
        if met := unsaid.own_there(view, lambda at: f"plan B{at}: {told}"):
            return met
        raise Misread(f"Whose plan? You have {known}.", instead=f"plan {own[0].name}: {told}" if own else "")
    key = banner_names(own).find(name) or banner_names(own).find(ARTICLE.sub("", name))
    if key:
        return [banner for banner in own if banner.key == key]
    number = NUMBER.fullmatch(name)
    if number:
        at = section(view, number[1])
        there = [banner for banner in own if banner.at == at]
        if there:
            return there
        raise Misread(f"You have no banner in {view.place(at)}.")
    near = banner_names(own).near(name)
    told = offered(near) or f" You have {listed((banner.name for banner in own), 'no banner')}."
    raise Misread(f"No banner of yours is called {name!r}.{told}", (name, near[0]) if near else None)


def _shared_out(banners: Sequence[Banner], told: str) -> Iterator[SetPlan]:
    """One plan for each banner, of what is said about its units; what a side does as one is said to each."""
    if NONE.fullmatch(told):
        yield from (SetPlan(banner.name) for banner in banners)
        return
    whole = Reader([unit for banner in banners for unit in banner.units]).read(told)
    for banner in banners:
        names = {unit.name for unit in banner.units}
        stations = tuple(each for each in whole.stations if each.unit in names)
        heroes = tuple(pair for pair in whole.heroes if names.issuperset(pair))
        yield SetPlan(banner.name, Plan(stations, heroes, whole.target, whole.pursue, whole.sally, whole.retreat))


# --- a plan over several lines ------------------------------------------------------------------------------------


def folded(view: View, lines: Sequence[Line]) -> Iterator[Line]:
    """The lines of a card, those that go on with a plan joined to the line that begins it."""
    own = banner_names(own_banners(view))
    if not any(is_plan(line.text, own) for line in lines):
        yield from lines
        return
    reader = Reader([unit for banner in own_banners(view) for unit in banner.units])
    yield from grammar.folded(
        lines,
        begins=lambda text: is_plan(text, own),
        goes_on=lambda text: own.head(text) is None and bool(reader.continues(text)),
        join=lambda parts: _joined(own, reader, parts),
    )


def _joined(own: Names[str], reader: Reader, parts: Sequence[Line]) -> Line:
    """A plan on one line; alone as it was typed."""
    told = parts[0].text
    for part in parts[1:]:
        after = bare(part.text)
        told = _seamed(own, bare(told), reader.continues(after), after)
    return replace(parts[0], text=told)


def _seamed(own: Names[str], before: str, seam: str, after: str) -> str:
    """Two lines as one; a clause that a mail program broke up goes on."""
    if not after:
        return before
    if own.find(ARTICLE.sub("", HEAD.sub("", before))):
        return f"{before}: {after}"
    ended = before.endswith((";", ":"))
    return f"{before} {after}" if ended else f"{before.rstrip(' ,')}{seam}{after}"
