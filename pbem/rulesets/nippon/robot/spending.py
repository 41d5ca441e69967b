"""What a robot does with its treasury."""

from collections.abc import Iterator

from pbem.rulesets.nippon.cards.ledger import Ledger
from pbem.rulesets.nippon.cards.prospect import Prospect
from pbem.rulesets.nippon.items import ITEMS
from pbem.rulesets.nippon.items.bearing import no_room_for
from pbem.rulesets.nippon.merchants import bearers
from pbem.rulesets.nippon.orders import Build, Buy, Launch, Sell, Spending, Upgrade
from pbem.rulesets.nippon.robot.mind import Mind
from pbem.rulesets.nippon.robot.mustering import recruits
from pbem.rulesets.nippon.spending import machines
from pbem.rulesets.nippon.tables import BUILDINGS, GROWTHS

EAGER = 3
"""A die that shows no more, and a realm without ships that has a port builds one before anything else."""

SAVING = 3
"""Up to this on a D6 it saves its money for sites and buildings, else it recruits."""


def spending(mind: Mind) -> Iterator[Spending]:
    """What it can pay of its wishes, in their order."""
    ledger = Ledger(mind.view)
    return (wish for wish in _wishes(mind) if isinstance(ledger.entered(wish), Prospect))


def _wishes(mind: Mind) -> Iterator[Spending]:
    """What pays first: ports and sites that grow, taverns, the other buildings; on a whim, guns for its headquarters.

    Merchant cities come before all that: who knows when a banner stands in one again.
    """
    yield from _trade(mind)
    held = mind.position.held_by(mind.seat)
    if not mind.position.ships_of(mind.seat) and mind.roll("shipyard") <= EAGER:
        yield from (Launch(at, "transport") for at in held if mind.position.port(at))
    if mind.roll("recruits") > SAVING:
        yield from recruits(mind)
    yield from (Upgrade(at, to) for to in reversed(GROWTHS) for at in held)
    yield from (Build(at, what) for what in BUILDINGS for at in held)
    home = mind.position.realms[mind.seat].headquarters
    if home in held and mind.roll("guns") == 1:
        yield from (Build(home, machine) for machine in machines(mind.position, mind.seat))


def _trade(mind: Mind) -> Iterator[Buy | Sell]:
    """For each hero in a merchant city, something that he can carry; now and then he parts with what he has."""
    position, treasury = mind.position, mind.position.realms[mind.seat].treasury
    for bearer in bearers(position, mind.seat).values():
        unit, at = bearer.unit, bearer.at
        if not unit.character or position.sections[at].site != "merchant city":
            continue
        if unit.items and mind.roll(f"sell {unit.name}") == 1:
            yield Sell(at, unit.items[0], unit.name)
        goods = [name for name, _ in position.sections[at].stock if ITEMS[name].price <= treasury]
        fitting = [name for name in goods if not no_room_for(unit, name)]
        if fitting:
            name = fitting[mind.roll(f"buy {unit.name}", len(fitting)) - 1]
            yield Buy(at, name, unit.name, treasury if mind.roll(f"bid {unit.name}") == 1 else 0)
