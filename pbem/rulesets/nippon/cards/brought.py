"""What the lines of a card bring that others of it may speak of: banners, ships, units and their names (NIP 3.6)."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from pbem.core.grammar import Misread, bare
from pbem.core.orders import Line
from pbem.rulesets.nippon.cards.deeds import COURTESY, LEAD
from pbem.rulesets.nippon.cards.musters import MUSTERS, of_banner
from pbem.rulesets.nippon.cards.names import banner_names, own_banner, own_banners
from pbem.rulesets.nippon.cards.plan import Plan
from pbem.rulesets.nippon.cards.works import WORKS
from pbem.rulesets.nippon.orders import Order
from pbem.rulesets.nippon.view import View

LONGEST = 2000
"""Characters of the longest line that is read."""


def brought(view: View, lines: Sequence[Line]) -> tuple[View, Mapping[str, Order]]:
    """The view with the banners, ships and units that the lines of a card bring, of which other lines may speak
    already; and what was read on the way, by the text of the line.

    A line is read with the names that those before it in the turn may bring; what they do bring is known when all are
    read, for one may stand in the way of another.
    """
    plan, read, orders = Plan(view), dict[str, Order](), list[Order]()
    texts = [COURTESY.sub("", bare(line.text)) for line in lines if len(line.text) <= LONGEST]
    for prepared in (_spending, _regrouping):
        for text in texts:
            with suppress(Misread):
                if order := prepared(plan.view, text):
                    plan.enter([order])
                    orders.append(order)
                    read[text] = order
    return Plan(view, orders).view, read


def _spending(view: View, text: str) -> Order | None:
    return WORKS.read(view, text) if WORKS.knows(text) else None


def _regrouping(view: View, text: str) -> Order | None:
    """``rename Red Dragons to Green Host``, ``Red Dragons: rename to Green Host``."""
    if MUSTERS.knows(text):
        return MUSTERS.read(view, text)  # type: ignore[no-any-return]
    begun = banner_names(own_banners(view)).head(text)
    said = LEAD.sub("", begun[1]) if begun else ""
    return of_banner(view, own_banner(view, begun[0]), said) if begun and MUSTERS.knows(said) else None
