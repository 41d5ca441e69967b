"""What a robot does with the magic items that it has come by."""

from collections.abc import Iterator

from pbem.rulesets.nippon.items import CHAOS, ITEMS, SCRY
from pbem.rulesets.nippon.merchants import bearers
from pbem.rulesets.nippon.orders import Drink, Quaff, Scry
from pbem.rulesets.nippon.robot.mind import Mind


def before_orders(mind: Mind) -> Iterator[Drink | Scry]:
    """It drinks what makes its heroes stronger, of chaos on a whim only, and looks where it is curious."""
    foreign = sorted(key for key, banner in mind.position.banners.items() if banner.realm != mind.seat)
    for name, bearer in sorted(bearers(mind.position, mind.seat).items()):
        for item in sorted(set(bearer.unit.items)):
            if item == SCRY and foreign and mind.roll(f"scry {name}") == 1:
                key = foreign[mind.roll("whom to scry", len(foreign)) - 1]
                yield Scry(key, mind.view.banner(key))
            elif ITEMS[item].kind == "elixir" and (item != CHAOS or mind.roll(f"chaos {name}") == 1):
                yield from filter(mind.may, [Drink(item, name)])


def before_battles(mind: Mind) -> Iterator[Quaff]:
    """It drinks potions of the day where its banners have met somebody."""
    met = {key for meeting in mind.position.meetings.values() for key in meeting.banners if not meeting.settled}
    for name, bearer in sorted(bearers(mind.position, mind.seat).items()):
        for item in sorted(set(bearer.unit.items)) if bearer.banner in met else ():
            if ITEMS[item].kind == "potion" and ITEMS[item].slot == "map":
                yield from filter(mind.may, [Quaff(item, name)])
