"""A seat that plays itself: it sees what its player would see, and writes a card like any other.

It takes what is free and worth having, attacks who seems weaker, razes what it cannot keep, digs in where enemies stand
next door, and in meetings would rather have a truce with the stronger. All its chances are dice labelled ``robot …``.
"""

from collections.abc import Iterator

from pbem.core.dice import Dice
from pbem.rulesets.nippon.cards.plan import Plan
from pbem.rulesets.nippon.orders import BannerOrder, Order, Regrouping
from pbem.rulesets.nippon.robot.ballots import ballots
from pbem.rulesets.nippon.robot.beginning import preferences
from pbem.rulesets.nippon.robot.items import before_battles, before_orders
from pbem.rulesets.nippon.robot.mind import Mind
from pbem.rulesets.nippon.robot.mustering import regrouping
from pbem.rulesets.nippon.robot.orders import orders
from pbem.rulesets.nippon.robot.spending import spending
from pbem.rulesets.nippon.robot.talks import settlements, talks
from pbem.rulesets.nippon.robot.wishes import champions, plans, retreats, spoils, wishes
from pbem.rulesets.nippon.view import View


def robot(view: View, dice: Dice) -> str:
    """A card for the seat of ``view``."""
    return "\n".join(map(str, _card(Mind(view, dice))))


def _card(mind: Mind) -> Iterator[BannerOrder | Regrouping | Order]:
    stage = mind.position.stage
    if stage == "set-up":
        yield from preferences(mind)
    elif stage == "orders":
        yield from wishes(mind)
        yield from before_orders(mind)
        yield from ballots(mind)
        prepared = [*spending(mind), *regrouping(mind)]
        mind.view = Plan(mind.view, prepared).view
        yield from prepared
        given = list(orders(mind))
        yield from given
        yield from champions(mind, given)
    elif stage == "meetings":
        yield from before_battles(mind)
        yield from talks(mind)
        yield from retreats(mind)
        yield from plans(mind)
        yield from spoils(mind)
    elif stage == "disputes":
        yield from settlements(mind)
