"""Chapter 11, spending: what a realm does with its production points before its orders are carried out."""

from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.events import GiftFailed, GiftPaid
from pbem.rulesets.nippon.legality import Refusal
from pbem.rulesets.nippon.orders import Gift
from pbem.rulesets.nippon.state import State


@rule("11.6", "Gifts")
def gifts(turn: Turn[State]) -> None:
    """Before anything else, in written order: what one realm gives, another may spend in the same turn."""
    for seat, gift in turn.given(Gift):
        refused = cannot_give(turn.state, seat, gift) or cannot_pay(turn.state.realms[seat].treasury, gift.pp)
        if refused:
            turn.emit(GiftFailed(seat, gift.realm, gift.pp, refused.reason), to=frozenset({seat}))
        else:
            turn.emit(GiftPaid(seat, gift.realm, gift.pp), to=frozenset({seat, gift.realm}))


def cannot_give(position: State, seat: str, gift: Gift) -> Refusal | None:
    """Why a realm cannot give to another, whatever it has (NIP 11.6)."""
    taker = position.realms[gift.realm]
    reason = ""
    if position.stage != "orders":
        reason = "Gifts go with the orders of a turn. While realms meet they pay each other by terms."
    elif position.options.gifts == "meetings":
        reason = "In this campaign realms pay each other only by terms, when they meet."
    elif gift.realm == seat:
        reason = "It is your own treasury."
    elif taker.status == "eliminated":
        reason = f"{taker.name} is eliminated."
    return Refusal("11.6", reason) if reason else None


def cannot_pay(treasury: int, pp: int) -> Refusal | None:
    """Why so much cannot be paid out of what is left (NIP 11.6)."""
    return Refusal("11.6", f"That takes {pp:,} pp; {treasury:,} are left.") if pp > treasury else None
