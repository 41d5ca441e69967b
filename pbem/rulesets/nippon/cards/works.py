"""Lines about the treasury: gifts, buildings, upgrades (NIP 11)."""

import re
from dataclasses import replace

from pbem.core.grammar import Grammar, Misread, Verb, unknown
from pbem.core.orders import nearest, plain
from pbem.rulesets.nippon.cards.names import realm, section
from pbem.rulesets.nippon.cards.recruits import recruit, reinforce, standard
from pbem.rulesets.nippon.cards.talks import THOUSANDS, amount
from pbem.rulesets.nippon.cards.verbs import VERB
from pbem.rulesets.nippon.naming import fit_name
from pbem.rulesets.nippon.orders import Build, Gift, Launch, Upgrade, Works
from pbem.rulesets.nippon.spending import machines
from pbem.rulesets.nippon.tables import BUILDINGS, GROWTHS, HULLS
from pbem.rulesets.nippon.view import View

GIFT = re.compile(
    r"(?P<pp>\d\S*)(?: (?:pp|points?|production points?))?(?: to (?P<to>.+))?|(?P<taker>.+?) (?P<sum>\d\S*)(?: \D+)?",
    re.IGNORECASE,
)


def gift(view: View, told: str = "") -> Gift:
    """``give 200 to Blue``, ``give Blue 200 pp``; raises :class:`Misread` (NIP 11.6)."""
    found = GIFT.fullmatch(THOUSANDS.sub("", told))
    others = [view.realm(seat) for seat in sorted(view.position.realms) if seat != view.seat]
    if found is None:
        raise Misread(f"A gift says how much and to whom: give 200 to {others[0]}.")
    pp, name = amount(view, found["pp"] or found["sum"]), found["to"] or found["taker"]
    if name is None:
        raise Misread(f"To whom? There are: {', '.join(others)}.")
    seat = realm(view, name)
    return Gift(seat, view.realm(seat), pp)


# --- at a section -------------------------------------------------------------------------------------------------

PLACE = re.compile(r"(?P<what>.+?)\s+(?:at|in|on)\s+(?P<at>.+)", re.IGNORECASE)
COUNT = re.compile(r"(?P<count>\d{1,2})\s+(?P<what>.+)")
GROWTH = re.compile(r"(?P<at>.+?)\s+(?:to|into)\s+(?:an? )?(?P<to>\w+)", re.IGNORECASE)
NAMED = re.compile(r"\s+\(?(?:names?|named|called)\s+(?P<name>[^()]+?)\)?$", re.IGNORECASE)
ARTICLE = re.compile(r"^(?:an?|the|one)\s+", re.IGNORECASE)


def build(view: View, told: str = "") -> Works:
    """``build tavern at 12``, ``build 2 great cannons at 12``; raises :class:`Misread`."""
    told, name = _christened(told)
    found = PLACE.fullmatch(told)
    if found is None:
        raise Misread("A building stands somewhere: build tavern at 12.")
    counted = COUNT.fullmatch(found["what"])
    what = _named(view, ARTICLE.sub("", counted["what"] if counted else found["what"]))
    at, count = section(view, found["at"]), int(counted["count"]) if counted else 1
    if what in HULLS:
        return _fleet(view, Launch(at, what, count, name))  # type: ignore[arg-type]  # The table has just these.
    if what in GROWTHS:
        return Upgrade(at, what)  # type: ignore[arg-type]  # The table has just these.
    if not count or (count > 1 and what in BUILDINGS):
        raise Misread(f"A site has one {what} at most.", (found["what"], what))
    return Build(at, what, count)


def _christened(told: str) -> tuple[str, str]:
    """A line without the name that it gives to a ship, and the name."""
    found = NAMED.search(told)
    return (told[: found.start()], found["name"].strip("\"'. ")) if found else (told, "")


def _fleet(view: View, order: Launch) -> Launch:
    """Ships that can be ordered so; raises :class:`Misread`."""
    if not order.count:
        raise Misread("How many ships?", instead=str(replace(order, count=1)))
    if order.name and order.count > 1:
        raise Misread("Name ships one by one, each on a line of its own.", instead=str(replace(order, count=1)))
    if order.name and (not fit_name(order.name) or VERB.search(order.name)):
        reason = f"{order.name!r} is no name for a ship: a few words of letters, and none that is an order."
        raise Misread(reason, (order.name, "Sea Swan"))
    return order


def _named(view: View, text: str) -> str:
    """The building, machine or site that is meant."""
    every = (*BUILDINGS, *GROWTHS, *machines(view.position, view.seat or ""), *HULLS)
    known: dict[str, str] = {plain(name): name for name in every} | {
        plain(kind).replace(" ", ""): kind for kind in HULLS
    }
    name = known.get(plain(text)) or known.get(plain(text).removesuffix("s"))
    if name is None:
        raise unknown("building, machine or ship", text, nearest(text, every, 1), f"There are: {', '.join(every)}.")
    return name


def upgrade(view: View, told: str = "") -> Upgrade:
    """``upgrade 14 to keep``; raises :class:`Misread`."""
    found = GROWTH.fullmatch(told)
    to = plain(found["to"]) if found else ""
    if found is None or to not in GROWTHS:
        raise Misread(f"An upgrade says of what, and to what: upgrade 14 to {', '.join(GROWTHS)}.")
    return Upgrade(section(view, found["at"]), to)  # type: ignore[arg-type]  # The table has just these.


WORKS: Grammar[View] = Grammar(
    [
        Verb("give|gift|send|pay [{told}]", gift),
        Verb("build|construct [{told}]", build),
        Verb("recruit|hire|train|muster [{told}]", recruit),
        Verb("reinforce [{told}]", reinforce),
        Verb("standard for {told}", standard),
        Verb("found|ship|launch {told}", build),
        Verb("upgrade|expand [{told}]", upgrade),
    ],
    {"told": lambda view, text: text},
    "give 200 to Blue, build tavern at 12, recruit 20 archers at 7, upgrade 14 to keep, ship transport at 33.",
)
"""Everything that a treasury can be told."""
