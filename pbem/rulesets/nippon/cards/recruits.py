"""Lines about new units: ``recruit 20 halberdiers at 7 (musician, standard) name Iron Wall`` (NIP 11.1)."""

import re
from collections.abc import Sequence

from pbem.core.grammar import Misread, named
from pbem.rulesets.nippon.armies import ArmyList
from pbem.rulesets.nippon.armies.rosters.options import sorted_out
from pbem.rulesets.nippon.banners import stationed
from pbem.rulesets.nippon.cards.musters import new_name, own_unit
from pbem.rulesets.nippon.cards.names import section
from pbem.rulesets.nippon.orders import BuyStandard, Recruit, Reinforce
from pbem.rulesets.nippon.recruiting import army_list
from pbem.rulesets.nippon.view import View

NAMED = re.compile(r"[\s,]+(?:names?|named|called|as)\s+(?P<name>[^()]+)$", re.IGNORECASE)
EXTRAS = re.compile(r"\s*\((?P<extras>[^()]*)\)|\s+(?:with|and)\s+(?P<more>[^()]+?)(?=\s+(?:at|in)\s|$)", re.IGNORECASE)
PLACE = re.compile(r"(?P<what>.+?)\s+(?:at|in)\s+(?P<at>.+)", re.IGNORECASE)
COUNT = re.compile(r"(?:(?P<models>\d{1,4})\s*x?\s+|(?:an?|one)\s+)?(?P<type>.+)", re.IGNORECASE)
MORE = re.compile(
    r"(?P<models>\d{1,4})\s+(?:(?:more|new|models?|men)\s+)*(?:for|to|into)\s+(?P<unit>.+)", re.IGNORECASE
)
GROWN = re.compile(r"(?P<unit>.+?)\s+(?:with|by)\s+(?P<models>\d{1,4})(?:\s+\D+)?", re.IGNORECASE)
AT = re.compile(r"\s+(?:at|in)\s+(?P<at>.+)$", re.IGNORECASE)
BETWEEN = re.compile(r"\s*[,;+&]\s*|\s+and\s+", re.IGNORECASE)
ARTICLE = re.compile(r"^(?:(?:an?|the|full|unit of)\s+)+", re.IGNORECASE)


def recruit(view: View, told: str = "") -> Recruit | Reinforce:
    """A new unit, or with ``5 for Iron Wall`` more of one; raises :class:`Misread`."""
    more = MORE.fullmatch(AT.sub("", told))
    if more:
        return reinforce(view, f"{more['unit']} with {more['models']}{_tail(told)}")
    named = NAMED.search(told)
    rest = told[: named.start()] if named else told
    lists = [found["extras"] or found["more"] for found in EXTRAS.finditer(rest)]
    asked = [each for text in lists for each in BETWEEN.split(text) if each]
    found = PLACE.fullmatch(EXTRAS.sub("", rest))
    counted = COUNT.fullmatch(found["what"]) if found else None
    if found is None or counted is None:
        raise Misread("Say what, and where: recruit 20 halberdiers at 12 (musician, standard) name Iron Wall.")
    muster = army_list(view.position, view.seat or "")
    kind = _type(muster, counted["type"])
    name = new_name(named["name"]) if named else ""
    extras = _extras(muster, kind, asked)
    return Recruit(section(view, found["at"]), kind, int(counted["models"] or 1), extras, name)


def _tail(told: str) -> str:
    found = AT.search(told)
    return found[0] if found else ""


def _type(muster: ArmyList, text: str) -> str:
    """The type of unit that is meant, in the singular or the plural."""
    known, bare = f"There are: {', '.join(muster.types)}.", ARTICLE.sub("", text.strip())
    return named(muster.spellings, text, "unit of your army list", known, bare)


def _extras(muster: ArmyList, kind: str, words: Sequence[str]) -> tuple[str, ...]:
    """What a unit is to have besides, in the words of its list."""
    outfit, unknown = sorted_out([ARTICLE.sub("", word) for word in words], muster.types[kind], muster)
    if unknown:
        raise Misread(f"{kind.capitalize()}: {unknown[0]}")
    standard = (f"{outfit.battle_standard} standard",) if outfit.battle_standard else ()
    mount = (outfit.mount,) if outfit.mount else ()
    return (*outfit.command, *outfit.gear, *mount, *standard, *outfit.items)


def reinforce(view: View, told: str = "") -> Reinforce:
    """``reinforce Iron Wall with 5 [at 7]``; raises :class:`Misread`."""
    place = AT.search(told)
    found = GROWN.fullmatch(told[: place.start()] if place else told)
    if found is None:
        raise Misread("Say which unit, and how many: reinforce Iron Wall with 5.")
    name = own_unit(view, found["unit"])
    at = section(view, place["at"]) if place else _stands(view, name)
    return Reinforce(at, name, int(found["models"]))


def standard(view: View, told: str = "") -> BuyStandard:
    """``Iron Wall [at 7]``: another standard for a unit that has lost its own; raises :class:`Misread`."""
    place = AT.search(told)
    name = own_unit(view, told[: place.start()] if place else told)
    return BuyStandard(section(view, place["at"]) if place else _stands(view, name), name)


def _stands(view: View, unit: str) -> int:
    """Where a unit of the reader's stands."""
    found = stationed(view.position, view.seat or "", unit)
    if found is None:
        raise Misread(f"{unit} is underground.")
    return found.at
