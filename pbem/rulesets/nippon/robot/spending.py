"""What a robot does with its treasury."""

from collections.abc import Iterator

from pbem.rulesets.nippon.cards.ledger import Ledger, Prospect
from pbem.rulesets.nippon.orders import (
    Build,
    Launch,
    Spending,
    Upgrade,
)
from pbem.rulesets.nippon.robot.mind import Mind
from pbem.rulesets.nippon.robot.mustering import recruits
from pbem.rulesets.nippon.spending import machines
from pbem.rulesets.nippon.tables import BUILDINGS, UPGRADES

EAGER = 3
"""A die that shows no more, and a realm without ships that has a port builds one before anything else."""

SAVING = 3
"""Up to this on a D6 it saves its money for sites and buildings, else it recruits."""


def spending(mind: Mind) -> Iterator[Spending]:
    """What it can pay of its wishes, in their order."""
    ledger = Ledger(mind.view)
    return (wish for wish in _wishes(mind) if isinstance(ledger.entered(wish), Prospect))


def _wishes(mind: Mind) -> Iterator[Spending]:
    """What pays first: sites that grow, taverns, the buildings after them; on a whim, guns for its headquarters."""
    held = mind.position.held_by(mind.seat)
    if not mind.position.ships_of(mind.seat) and mind.roll("shipyard") <= EAGER:
        yield from (Launch(at, "transport") for at in held if mind.position.port(at))
    if mind.roll("recruits") > SAVING:
        yield from recruits(mind)
    yield from (Upgrade(at, to) for to in reversed(UPGRADES) for at in held)
    yield from (Build(at, what) for what in BUILDINGS for at in held)
    home = mind.position.realms[mind.seat].headquarters
    if home in held and mind.roll("guns") == 1:
        yield from (Build(home, machine) for machine in machines(mind.position, mind.seat))
