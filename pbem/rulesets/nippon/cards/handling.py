"""What comes of lines about magic items, for the acknowledgement (NIP 14)."""

from pbem.core.odds import in_words
from pbem.rulesets.nippon.cards.prospect import Prospect
from pbem.rulesets.nippon.handling import Line, doom, drunk, handed_over, quaffed, refusal
from pbem.rulesets.nippon.items import CHAOS
from pbem.rulesets.nippon.legality import Refusal
from pbem.rulesets.nippon.merchants import bearers
from pbem.rulesets.nippon.orders import Drink, HandOver, Quaff, Scry
from pbem.rulesets.nippon.state import Profile, State, seat_of
from pbem.rulesets.nippon.view import View


def handled(view: View, position: State, order: Line) -> Prospect | Refusal:
    """What comes of a line on a position, which is changed accordingly unless the line acts at once."""
    seat = view.seat or ""
    if refused := refusal(position, seat, order):
        return refused
    match order:
        case HandOver():
            handed_over(position, seat, order).apply(position)
            return Prospect(order, order.bearer, f"HANDS {order.item} to {order.to}", ())
        case Drink() | Quaff():
            return _drinking(position, seat, order)
        case Scry():
            owner = view.realm(seat_of(order.banner))
            note = f"the scroll is used up; {owner} learns of it when the turn ends"
            return Prospect(order, order.name, "LOOKED INTO at once", (note,))
    raise TypeError(order)


def _drinking(position: State, seat: str, order: Drink | Quaff) -> Prospect:
    before = bearers(position, seat)[order.bearer].unit.profile
    event = drunk(position, seat, order) if isinstance(order, Drink) else quaffed(position, seat, order)
    after = event.bearer.profile
    notes = [_risen(before, after)]
    if isinstance(order, Quaff):
        notes.append("until the turn's resources")
    else:
        event.apply(position)
    if order.item == CHAOS:
        notes.append(f"he becomes a Great Spawn, which his banner must fight: {in_words(doom(before, after))}")
    return Prospect(order, order.bearer, f"DRINKS {order.item}", tuple(notes))


def _risen(before: Profile, after: Profile) -> str:
    """``S 4 becomes 5``."""
    old, new = vars(before), vars(after)
    return ", ".join(f"{name} {old[name]} becomes {new[name]}" for name in old if old[name] != new[name])
