"""What the lines of a card spend, one after the other, and what is left after each (NIP 11)."""

from pbem.core.wording import listed
from pbem.rulesets.nippon.cards.prospect import Prospect
from pbem.rulesets.nippon.events import Launched
from pbem.rulesets.nippon.items import ITEMS
from pbem.rulesets.nippon.legality import Refusal
from pbem.rulesets.nippon.orders import (
    Build,
    Buy,
    BuyStandard,
    Gift,
    Launch,
    Recruit,
    Reinforce,
    Sell,
    Spending,
    Upgrade,
)
from pbem.rulesets.nippon.spending import booked
from pbem.rulesets.nippon.view import View


class Ledger:
    """A treasury and what it buys: each line is judged on the position that the lines above it leave."""

    def __init__(self, view: View) -> None:
        self._view, self._seat = view, view.seat or ""
        self.position = view.position.copy()
        """What the lines so far leave."""

    def entered(self, order: Spending) -> Prospect | Refusal:
        """What a line buys, or why it cannot be carried out; then it has no effect on the lines below."""
        before = self._left
        event = booked(self.position, self._seat, order)
        if isinstance(event, Refusal):
            return event
        named = (f"called {listed(event.names)}",) if isinstance(event, Launched) else ()
        notes = (self._sum(before), *named, *_notes(order))
        return Prospect(order, *self._told(order, event.pp), notes)

    @property
    def _left(self) -> int:
        return self.position.realms[self._seat].treasury

    def _sum(self, before: int) -> str:
        left = self._left
        return f"treasury {before:,} {'-' if left < before else '+'} {abs(left - before):,} = {left:,} pp"

    def _told(self, order: Spending, price: int) -> tuple[str, str]:
        """Subject and deed."""
        match order:
            case Gift():
                return order.name, f"GIVE {price:,} pp"
            case Recruit():
                what = f"{order.models} {order.type}" if order.models > 1 else order.type
                return self._view.place(order.at), f"RECRUIT {what} for {price:,} pp"
            case Reinforce():
                return order.unit, f"REINFORCED by {order.models} for {price:,} pp"
            case BuyStandard():
                return order.unit, f"BUY a standard for {price:,} pp"
            case Build():
                what = f"{order.count} {order.what}s" if order.count > 1 else order.what
                return self._view.place(order.at), f"BUILD {what} for {price:,} pp"
            case Upgrade():
                return self._view.place(order.at), f"UPGRADE to {order.to} for {price:,} pp"
            case Launch():
                ships = f"{order.count} {order.kind}s" if order.count > 1 else order.kind
                return self._view.place(order.at), f"BUILD {ships} for {price:,} pp"
            case Buy():
                return order.bearer, f"BUY {order.item} for {price:,} pp{' at most' if order.bid else ''}"
            case Sell():
                return order.bearer, f"SELL {order.item} for {price:,} pp"


def _notes(order: Spending) -> tuple[str, ...]:
    match order:
        case Gift():
            return ("paid before all else", "only you two will know")
        case Upgrade():
            return ("what it may have besides can be built from the next turn on",)
        case Recruit():
            return ("in the reserve there, until it joins a banner or forms one",)
        case Buy() if order.bid:
            return (f"its price is {ITEMS[order.item].price:,}; your bid counts if others want the last, too",)
        case Build() | Launch() | Reinforce() | BuyStandard() | Buy() | Sell():
            return ()
