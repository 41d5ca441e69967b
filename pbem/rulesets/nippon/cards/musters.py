"""Lines about who marches under which banner: form, split, join, transfer, rename, general (NIP 3.4, 3.6)."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from pbem.core.grammar import Grammar, Misread, Names, Verb, first_word, named, unknown
from pbem.core.orders import UNDRESSED, plain
from pbem.rulesets.nippon.banners import army
from pbem.rulesets.nippon.cards.names import banner_names, own_banner, own_banners
from pbem.rulesets.nippon.naming import LONGEST_NAME, fit_name
from pbem.rulesets.nippon.orders import THE_RESERVE, Appoint, Form, Join, Order, Rename, Transfer
from pbem.rulesets.nippon.state import Banner, Unit
from pbem.rulesets.nippon.view import View

FORM = re.compile(r"(?P<name>.+?)(?:\s*:\s*|,?\s+(?:from|with|out of)\s+)(?P<units>.+)", re.IGNORECASE)
FORM_OF = re.compile(r"(?P<name>.+?)\s+of\s+(?P<units>.+)", re.IGNORECASE)
SPLIT = re.compile(
    r"(?P<units>.+?)\s+(?:off\s+)?(?:from\s+(?P<banner>.+?)\s+)?(?:as|into)\s+(?P<name>.+)", re.IGNORECASE
)
GOAL = re.compile(r"(?P<what>.+),?\s+(?:to|into|with|under)\s+(?P<to>.+)", re.IGNORECASE)
FROM = re.compile(r"\s+(?:from|of|out of)\s+(?P<banner>.+)$", re.IGNORECASE)
LEADING = re.compile(r"\s+(?:of|leads?|in|for)\s+.+$", re.IGNORECASE)
ARTICLE = re.compile(r"^(?:(?:the|my|a|an|new|banner|unit|units|called|named)\s+)+", re.IGNORECASE)
AND = re.compile(r"^(?:[,;&+]\s*|and\s+)+", re.IGNORECASE)
RESERVES = re.compile(r"(?:the\s+)?(?:reserves?|garrison|site)(?:\s+(?:of|at|in)\s+.+)?", re.IGNORECASE)


# --- names ------------------------------------------------------------------------------------------------------------


def unit_names(view: View) -> Names[str]:
    """The reader's units by name, and by kind where he has only one of it; what is found is the name."""
    return kinds_and_names(army(view.position, view.seat or ""))


def kinds_and_names(units: Sequence[Unit]) -> Names[str]:
    """Units by name, and by kind where there is only one of it; what is found is the name."""
    kinds = Counter(unit.type for unit in units)
    taken = {plain(unit.name) for unit in units}
    named = {unit.type: unit.name for unit in units if kinds[unit.type] == 1 and plain(unit.type) not in taken}
    return Names((named | {unit.name: unit.name for unit in units}).items())


def units(view: View, text: str) -> tuple[str, ...]:
    """The units that ``text`` names, ``Iron Wall, Captain Oda and the reserve``; raises :class:`Misread`."""
    named = tuple(dict.fromkeys(_each_unit(view, text)))
    if not named:
        raise Misread(
            f"Which units? You have: {', '.join(unit.name for unit in army(view.position, view.seat or ''))}."
        )
    return named


def _without(view: View, tail: re.Pattern[str], text: str) -> tuple[str, ...]:
    """The units that ``text`` names, with or without a tail that says where they are: names may look like one."""
    try:
        return units(view, text)
    except Misread:
        if not tail.search(text):
            raise
    return units(view, tail.sub("", text))


def own_unit(view: View, text: str) -> str:
    """The one unit that ``text`` names; raises :class:`Misread`."""
    named = units(view, text)
    if len(named) != 1:
        raise Misread(f"{text!r} is more than one unit: {', '.join(named)}.")
    return named[0]


def _each_unit(view: View, text: str) -> Iterator[str]:
    names, banners = unit_names(view), banner_names(own_banners(view))
    left = ARTICLE.sub("", text.rstrip(" .!"))
    while left:
        found = names.head(left)
        whole = banners.head(left) if found is None else None
        reserve = RESERVES.match(left) if found is None and whole is None else None
        if found:
            yield found[0]
        elif whole:
            yield from (unit.name for unit in own_banner(view, whole[0]).units)
        elif reserve:
            yield from (unit.name for unit in _reserves(view))
        else:
            raise _unknown_unit(view, names, left)
        rest = found[1] if found else whole[1] if whole else left[reserve.end() :] if reserve else ""
        left = ARTICLE.sub("", AND.sub("", rest.lstrip(" ,;")))


def _reserves(view: View) -> Iterator[Unit]:
    """The units of the only reserve that the reader has; raises :class:`Misread`."""
    quarters = view.position.quarters_of(view.seat or "")
    held = [section for at in quarters if (section := view.position.sections[at]).reserve]
    if len(held) != 1:
        raise Misread("You have no reserve." if not held else "You have several reserves: name the units.")
    yield from held[0].reserve


def _unknown_unit(view: View, names: Names[str], text: str) -> Misread:
    word = re.split(r"\s*[,;&+]\s*|\s+and\s+", text)[0]
    known = ", ".join(unit.name for unit in army(view.position, view.seat or ""))
    return unknown("unit of yours", word, names.near(word), f"You have: {known}.")


def _banner(view: View, text: str) -> Banner:
    """The own banner that is meant; raises :class:`Misread`."""
    known = ", ".join(banner.name for banner in own_banners(view)) or "no banner"
    names, bare = banner_names(own_banners(view)), ARTICLE.sub("", text)
    return own_banner(view, named(names, text, "banner of yours", f"You have {known}.", bare))


def _goal(view: View, text: str) -> str:
    return THE_RESERVE if RESERVES.fullmatch(text) else _banner(view, text).name


def new_name(text: str) -> str:
    """A name that a banner or a unit can have, as it was written; raises :class:`Misread`."""
    name = ARTICLE.sub("", text.translate(DRESSED).strip(" .!:,"))
    if not fit_name(name):
        raise Misread(f"{text!r} is no name: that is words of letters, at most {LONGEST_NAME} signs.")
    return name


DRESSED = {sign: None for sign, put in UNDRESSED.items() if put == "" and chr(sign) != "'"}
"""Quotation marks around a name; an apostrophe may be part of it."""


# --- lines ------------------------------------------------------------------------------------------------------------


def _form(view: View, told: str = "") -> Form:
    found = FORM.fullmatch(told) or FORM_OF.fullmatch(told)
    if found is None:
        raise Misread("A new banner has a name and units: form Sea Wolves from Iron Wall, Captain Oda.")
    return Form(new_name(found["name"]), units(view, found["units"]))


def _split(view: View, told: str = "") -> Form:
    names = banner_names(own_banners(view))
    found, parted = names.head(told), SPLIT.fullmatch(told)
    if found and not parted:
        return _form(view, AND.sub("", found[1]))
    if parted is None:
        raise Misread("Say who goes, and under what name: split Iron Wall, Captain Oda into Sea Wolves.")
    return Form(new_name(parted["name"]), units(view, parted["units"]))


def _transfer(view: View, told: str = "") -> Transfer:
    found = GOAL.fullmatch(told)
    if found is None:
        raise Misread("Say who goes where: transfer Iron Wall to Red Dragons, or to the reserve.")
    return Transfer(_without(view, FROM, found["what"]), _goal(view, found["to"]))


def _join(view: View, told: str = "") -> Join | Transfer:
    found = GOAL.fullmatch(told)
    if found is None:
        raise Misread("Say who joins whom: join Red Dragons to Blue Foxes.")
    banner = banner_names(own_banners(view)).find(ARTICLE.sub("", found["what"]))
    if banner is None:
        return Transfer(units(view, found["what"]), _goal(view, found["to"]))
    return Join(own_banner(view, banner).name, _goal(view, found["to"]))


def _rename(view: View, told: str = "") -> Rename:
    found = re.fullmatch(r"(?P<what>.+?)\s+(?:to|as|into)\s+(?P<to>.+)", told, re.IGNORECASE)
    if found is None:
        raise Misread("Say which, and how: rename Red Dragons to Green Dragons.")
    return Rename(_banner(view, found["what"]).name, new_name(found["to"]))


def _general(view: View, told: str = "") -> Appoint:
    named = _without(view, LEADING, told) if told else ()
    if len(named) != 1:
        raise Misread("Say who leads the banner he is with: general Captain Oda.")
    return Appoint(named[0])


MUSTERS: Grammar[View] = Grammar(
    [
        Verb("form|raise|create [{told}]", _form),
        Verb("split|detach [{told}]", _split),
        Verb("transfer|reassign [{told}]", _transfer),
        Verb("join|merge [{told}]", _join),
        Verb("rename|call [{told}]", _rename),
        Verb("general|appoint [{told}]", _general),
    ],
    {"told": lambda view, text: text},
    "form Sea Wolves from Iron Wall, Captain Oda; join Sea Wolves to Red Dragons; general Captain Oda.",
)
"""Everything that banners and units can be told about each other."""


def of_banner(view: View, banner: Banner, said: str) -> Order:
    """A line that begins with the banner it is about: ``Red Dragons: join Blue Foxes``; raises :class:`Misread`."""
    verb = first_word(said)
    rest = said[len(verb) :].lstrip(" :,")
    match verb.casefold():
        case "join" | "merge" | "rename" | "call":
            rest = f"{banner.name} to {TO.sub('', rest)}"
        case "split" if not SPLIT.fullmatch(rest):
            rest = f"{banner.name}: {rest}"
    return MUSTERS.read(view, f"{verb} {rest}".strip())  # type: ignore[no-any-return]


TO = re.compile(r"^(?:to|with|into|as)\s+", re.IGNORECASE)
