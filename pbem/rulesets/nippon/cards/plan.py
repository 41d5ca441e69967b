"""What the lines of a card do before its orders are carried out (NIP 3.6, 11): the treasury, then the banners.

Orders to banners are read and judged on the position that these lines leave, with the names that they bring.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.core.orders import Written
from pbem.core.wording import counted
from pbem.rulesets.nippon.cards.handling import handled
from pbem.rulesets.nippon.cards.ledger import Ledger
from pbem.rulesets.nippon.cards.prospect import Prospect
from pbem.rulesets.nippon.legality import Refusal
from pbem.rulesets.nippon.orders import (
    THE_RESERVE,
    Appoint,
    Form,
    Handling,
    Join,
    Regrouping,
    Rename,
    Spending,
    Transfer,
)
from pbem.rulesets.nippon.regrouping import drilled
from pbem.rulesets.nippon.spending import in_order
from pbem.rulesets.nippon.state import Banner, State, key_of
from pbem.rulesets.nippon.view import View


class Plan:
    """The position after the lines that prepare a turn, and what comes of each of them."""

    def __init__(self, view: View, orders: Sequence[Any] = ()) -> None:
        self._ledger = Ledger(view)
        self._found: list[Prospect | Refusal | None] = []
        self._renamed = dict(view.renamed)
        self.view = View(view.seat, self._ledger.position, view.origin or view.position, self._renamed)
        """What the player may know of the position after these lines."""
        self.enter(orders)

    def enter(self, orders: Sequence[Any]) -> None:
        """Carry more lines out in the order of a turn."""
        spent = {index: each for index, each in enumerate(orders) if isinstance(each, Spending)}
        found = {index: self._ledger.entered(spent[index]) for index in in_order(spent)}
        found |= self._regrouped({index: each for index, each in enumerate(orders) if isinstance(each, Regrouping)})
        for index, order in enumerate(orders):
            if isinstance(order, Handling):
                found[index] = handled(self.view, self.view.position, order)
        self._found += map(found.get, range(len(orders)))

    def _regrouped(self, orders: Mapping[int, Regrouping]) -> dict[int, Prospect | Refusal]:
        position, seat = self.view.position, self.view.seat or ""
        if not orders or position.stage != "orders":
            return dict.fromkeys(orders, AFTERWARDS)
        found: dict[int, Prospect | Refusal] = {}
        for index, (order, outcome) in zip(orders, drilled(position, seat, list(orders.values())), strict=True):
            if isinstance(outcome, Refusal):
                found[index] = outcome
                continue
            for event in outcome:
                event.apply(position)
            if isinstance(order, Rename):
                self._rename(order)
            found[index] = Prospect(order, *_told(order), _notes(order, position, seat))
        return found

    def _rename(self, order: Rename) -> None:
        now = {name: order.to if name_now == order.banner else name_now for name, name_now in self._renamed.items()}
        self._renamed.update(now | {order.banner: order.to})

    def of(self, index: int) -> Prospect | Refusal | None:
        """What comes of the line at an index; ``None`` for an order that is not carried out before the others."""
        return self._found[index]


AFTERWARDS = Refusal("4.1", "Banners are regrouped with the orders of a turn, not while realms meet.")


def expecting(view: View, written: Sequence[Written]) -> View:
    """What the seat of ``view`` will see when these orders have prepared the turn (see ``Ruleset.expecting``)."""
    return Plan(view, [each.order for each in written]).view


def _told(order: Regrouping) -> tuple[str, str]:
    """Subject and deed."""
    match order:
        case Form():
            return order.name, f"FORMED from {', '.join(order.units)}"
        case Transfer():
            return ", ".join(order.units), f"TRANSFER to {order.to}"
        case Join():
            return order.banner, f"JOIN {order.to}"
        case Rename():
            return order.banner, f"RENAME to {order.to}"
        case Appoint():
            return order.unit, "LEADS the banner he is with"
    raise TypeError(order)


def _notes(order: Regrouping, position: State, seat: str) -> tuple[str, ...]:
    """What is left in the banner concerned."""
    name = {Form: "name", Transfer: "to", Join: "to"}.get(type(order), "")
    banner = position.banners.get(key_of(seat, getattr(order, name))) if name else None
    if banner is None:
        return ("they wait for a banner there",) if name and getattr(order, name) == THE_RESERVE else ()
    return (f"{banner.name} in {position.place(banner.at)}: {_strength(banner)}",)


def _strength(banner: Banner) -> str:
    return f"{banner.points:,} points in {counted(len(banner.units), 'unit')}"
