"""A seat that plays itself: it sees what its player would see, and writes a card like any other.

It takes what is free and worth having, attacks who seems weaker, razes what it cannot keep, digs in where enemies stand
next door, and in meetings would rather have a truce with the stronger. All its chances are dice labelled ``robot …``.
"""

from collections.abc import Iterator

from pbem.core.dice import Dice
from pbem.rulesets.nippon.orders import BannerOrder, Order
from pbem.rulesets.nippon.robot.mind import Mind
from pbem.rulesets.nippon.robot.orders import orders
from pbem.rulesets.nippon.robot.spending import spending
from pbem.rulesets.nippon.robot.talks import talks
from pbem.rulesets.nippon.view import View


def robot(view: View, dice: Dice) -> str:
    """A card for the seat of ``view``."""
    return "\n".join(map(str, _card(Mind(view, dice))))


def _card(mind: Mind) -> Iterator[BannerOrder | Order]:
    stage = mind.position.stage
    if stage == "orders":
        yield from spending(mind)
        yield from orders(mind)
    elif stage == "meetings":
        yield from talks(mind)
