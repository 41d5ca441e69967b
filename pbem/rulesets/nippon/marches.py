"""Chapter 12.1, forced marches: how they set out, and what they burn on the way. Whom they cross: ``night.py``."""

from collections.abc import Iterable

from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.control import by_section
from pbem.rulesets.nippon.events import MarchBegan, MarchRazeFailed, MarchTired, Mutinied
from pbem.rulesets.nippon.journeys import Journey
from pbem.rulesets.nippon.legality import cannot_raze
from pbem.rulesets.nippon.orders import ForcedMarch
from pbem.rulesets.nippon.paths import first_leg
from pbem.rulesets.nippon.razing import raze
from pbem.rulesets.nippon.state import Banner, State
from pbem.rulesets.nippon.tables import MUTINY_DIE, MUTINY_LOSS, MUTINY_UP_TO, TIRED_UP_TO
from pbem.rulesets.nippon.terrain import lose_models


@rule("12.1", "Forced march")
def forced_march(turn: Turn[State], banner: Banner, order: ForcedMarch) -> Journey | None:
    """A banner is driven on: it mutinies and holds, tires and goes as usual, or marches and burns what it passes."""
    key, at, airborne = banner.key, banner.at, banner.airborne(order.by_land)
    spirit = turn.roll(f"march {key}")
    if spirit <= MUTINY_UP_TO:
        points = turn.roll(f"mutiny {key}", MUTINY_DIE) * MUTINY_LOSS
        turn.emit(Mutinied(key, at, points))
        lose_models(turn, key, at, points)
        return None
    if spirit <= TIRED_UP_TO:
        turn.emit(MarchTired(key, at))
        return Journey(key, (at,), first_leg(turn.state, banner, order.path, order.by_land), airborne)
    turn.emit(MarchBegan(key, at))
    return Journey(key, (at,), order.path, airborne, marching=True, razes=frozenset(order.razes))


@rule("12.1", "Forced march")
def raze_on_the_way(turn: Turn[State], going: Iterable[Journey]) -> None:
    """As they leave a section, marches raze it if they are to, unless something or somebody there forbids it."""
    leaving = [turn.state.banners[each.banner] for each in going if each.path[-1] in each.razes]
    for at, banners in sorted(by_section(leaving).items()):
        refused = {banner.key: cannot_raze(turn.state, banner, at) for banner in banners}
        for key, refusal in refused.items():
            if refusal:
                turn.emit(MarchRazeFailed(key, at, refusal.reason))
        able = [banner for banner in banners if not refused[banner.key]]
        if able:
            raze(turn, at, able)
