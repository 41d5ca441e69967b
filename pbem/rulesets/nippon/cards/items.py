"""Lines about magic items: bought and sold (NIP 11.5), handed over, drunk, read (NIP 14)."""

import re

from pbem.core.grammar import Grammar, Misread, Verb, named, unknown
from pbem.core.wording import listed
from pbem.rulesets.nippon.banners import Station
from pbem.rulesets.nippon.cards.goods import ARTICLE, begun, item
from pbem.rulesets.nippon.cards.musters import unit_names
from pbem.rulesets.nippon.cards.names import banner_names, section
from pbem.rulesets.nippon.cards.recruits import standard
from pbem.rulesets.nippon.cards.talks import THOUSANDS, amount
from pbem.rulesets.nippon.items import ITEMS
from pbem.rulesets.nippon.merchants import bearers
from pbem.rulesets.nippon.orders import Buy, BuyStandard, Drink, HandOver, Quaff, Scry, Sell
from pbem.rulesets.nippon.view import View

PLACE = r"(?:at|in|to|from)\s+(?P<at>.+?)"
BEARER = r"(?:for|of|by|from|with|on)\s+(?P<bearer>.+?)"
BID = re.compile(r"[\s,(]*\bbid(?:ding)?\s+(?P<pp>\d[^\s)]*)[^\d]*$", re.IGNORECASE)
AFTER = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (rf"{BEARER}\s+{PLACE}", rf"{PLACE}\s+{BEARER}", BEARER, PLACE, r"(?P<bearer>.+)")
)
"""What may follow the name of an item, in the order in which it is tried."""


STANDARD = re.compile(
    r"(?:(?:back|again|an?|the|its|his|new|another|lost|army|banner|battle)\s+){0,5}"
    r"standards?(?:\s+bearer)?(?:\s+(?:back|again))?\s+(?:for|of)\s+(?P<unit>.+)",
    re.IGNORECASE,
)
"""An ordinary standard: it has no name of its own."""


def buy(view: View, told: str = "") -> Buy | BuyStandard:
    """``buy Sword of Might at 17 for Captain Oda bid 80``, ``buy standard for Iron Wall``; raises :class:`Misread`."""
    ordinary = STANDARD.fullmatch(told)
    if ordinary and not begun(told):
        return standard(view, ordinary["unit"])
    told, bid = _without_bid(view, told)
    name, rest = item(told)
    bearer, at = _where(view, rest)
    if bearer is None:
        raise _for_whom(view, f"buy {name}", at)
    return Buy(at or bearer.at, name, bearer.unit.name, bid)


def sell(view: View, told: str = "") -> Sell:
    """``sell Sword of Might of Captain Oda at 17``; raises :class:`Misread`."""
    name, rest = item(told)
    bearer, at = _where(view, rest)
    bearer = bearer or only_carrier(view, name)
    return Sell(at or bearer.at, name, bearer.unit.name)


def only_carrier(view: View, name: str) -> Station:
    """The one unit of the reader that carries an item; raises :class:`Misread`."""
    now, first = (
        bearers(position, view.seat or "").values() for position in (view.position, view.origin or view.position)
    )
    carrying = [each for each in now if name in each.unit.items] or [each for each in first if name in each.unit.items]
    if len(carrying) != 1:
        known = listed(each.unit.name for each in carrying)
        told = f"It is carried by {known}: say whose." if known else "Nobody of yours carries one."
        raise Misread(f"Whose {name}? {told}")
    return carrying[0]


def _without_bid(view: View, told: str) -> tuple[str, int]:
    told = THOUSANDS.sub("", told)
    found = BID.search(told)
    return (told[: found.start()], amount(view, found["pp"])) if found else (told, 0)


def _where(view: View, rest: str) -> tuple[Station | None, int]:
    """Who carries an item, and where, as far as a line says: ``for Captain Oda at 17``; raises :class:`Misread`."""
    rest = rest.strip(" ,.!")
    found = next(filter(None, (shape.fullmatch(rest) for shape in AFTER)), None)
    said = found.groupdict() if found else {}
    bearer = carrier(view, said["bearer"]) if said.get("bearer") else None
    return bearer, section(view, said["at"]) if said.get("at") else 0


def carrier(view: View, text: str) -> Station:
    """The unit that is meant; raises :class:`Misread`."""
    text = ARTICLE.sub("", text)
    names, known = unit_names(view), bearers(view.position, view.seat or "")
    name = names.find(text)
    if name is None or name not in known:
        near = [each for each in names.near(text) if each in known]
        heroes = ", ".join(each.unit.name for each in known.values() if each.unit.character)
        raise unknown("unit of yours", text, near, f"You have: {heroes}.")
    return known[name]


def _for_whom(view: View, begun: str, at: int) -> Misread:
    able = [each for each in bearers(view.position, view.seat or "").values() if each.unit.character]
    here = [each.unit.name for each in able if not at or each.at == at]
    told = f"There are: {', '.join(here)}." if here else "None of yours stands there."
    instead = f"{begun}{f' at {at}' if at else ''} for {here[0]}" if here else ""
    return Misread(f"Who is to carry it? {told}", instead=instead)


# --- what is done with them ---------------------------------------------------------------------------------------

HANDED = re.compile(r"(?:(?:from|of|by)\s+(?P<bearer>.+?)\s+)?to\s+(?P<to>.+)", re.IGNORECASE)
SCRIED = re.compile(
    r"(?:(?:a|the)\s+)?(?:scroll of\s+)?scry\b(?:\s+(?:on|at|against|to see))?\s*(?P<banner>.*)", re.IGNORECASE
)


def use(view: View, told: str = "") -> Drink | Quaff | Scry:
    """``use Elixir of Might by Captain Oda``, ``use Scroll of Scry on Blue's Red Fist``; raises :class:`Misread`."""
    if found := SCRIED.fullmatch(told):
        return scry(view, found["banner"])
    name, rest = item(told)
    if ITEMS[name].slot != "map" or ITEMS[name].kind not in ("elixir", "potion"):
        raise Misread(f"The {name} is not drunk, nor used by a line of its own: RULES {name} says what it does.")
    bearer = _where(view, rest)[0] or only_carrier(view, name)
    return (Drink if ITEMS[name].kind == "elixir" else Quaff)(name, bearer.unit.name)


def scry(view: View, told: str = "") -> Scry:
    """``scry Blue's Red Fist``; raises :class:`Misread`."""
    others = [banner for banner in view.position.banners.values() if banner.realm != view.seat]
    names = banner_names(others, view)
    example = f"Write it like this: scry {view.banner(others[0].key)}." if others else ""
    key = named(names, told, "banner of others", example, bare=ARTICLE.sub("", told))
    return Scry(key, view.banner(key))


def hand_over(view: View, told: str = "") -> HandOver:
    """``transfer Sword of Might from Captain Oda to Captain Hana``; raises :class:`Misread`."""
    name, rest = item(told)
    found = HANDED.fullmatch(rest.strip(" ,.!"))
    if found is None:
        raise Misread(f"Say who gets it: transfer {name} from Captain Oda to Captain Hana.")
    giver = carrier(view, found["bearer"]) if found["bearer"] else only_carrier(view, name)
    return HandOver(name, giver.unit.name, carrier(view, found["to"]).unit.name)


SHARED = re.compile(r"(?:transfer|give|hand|pass)\s+(?:over\s+)?(?P<what>.+)", re.IGNORECASE)
"""What is said of other things, too."""


def is_about_item(text: str) -> bool:
    """Whether a line means to do something with a magic item, as far as its first words show."""
    shared = SHARED.fullmatch(text)
    if shared:
        return begun(shared["what"]) is not None
    return ITEM_LINES.knows(text)


ITEM_LINES: Grammar[View] = Grammar(
    [
        Verb("buy|purchase [{told}]", buy),
        Verb("sell [{told}]", sell),
        Verb("use|drink|quaff [{told}]", use),
        Verb("scry [{told}]", scry),
        Verb("transfer|give|hand|pass [over] {told}", hand_over),
    ],
    {"told": lambda view, text: text},
    "buy Sword of Might at 17 for Captain Oda, use Elixir of Might by Captain Oda, scry Blue's Red Fist.",
)
"""Everything that can be done with magic items."""
