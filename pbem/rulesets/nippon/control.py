"""Chapter 6.6, control: who takes a section in the end, and who comes first of several who might."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Literal

from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.banners import outside
from pbem.rulesets.nippon.events import Claimed, PointsTied
from pbem.rulesets.nippon.garrisons import guarded
from pbem.rulesets.nippon.legality import claimable, orders_of
from pbem.rulesets.nippon.orders import Claiming
from pbem.rulesets.nippon.state import Banner, State
from pbem.rulesets.nippon.ties import repeated


@rule("6.6", "Control")
def claims(turn: Turn[State]) -> None:
    """Who stands in a section without enemies takes it, unless he flew in or his order says not to."""
    orders = orders_of(turn).items()
    unwilling = {key for key, order in orders if isinstance(order, Claiming) and order.no_claim}
    unwilling.update(turn.state.pending.unclaiming)
    standing = by_section(banner for _, banner in sorted(turn.state.banners.items()))
    for at, banners in sorted(standing.items()):
        claimants = [banner for banner in banners if able_to_claim(turn.state, banner, banners)]
        willing = [banner for banner in claimants if banner.key not in unwilling]
        if willing:
            claim(turn, at, willing)


def able_to_claim(position: State, banner: Banner, there: Iterable[Banner]) -> bool:
    """Whether a banner can take the section where it stands among others (NIP 6.2, 6.6, 9.3)."""
    if banner.scattered or banner.key in position.pending.flown:
        return False
    enemies = (other for other in there if position.hostile(other.realm, banner.realm))
    free = claimable(position, banner.realm, banner.at) and not guarded(position, banner.realm, banner.at)
    return free and all(outside(position, enemy) for enemy in enemies)


def claim(turn: Turn[State], at: int, claimants: Sequence[Banner]) -> None:
    """Of friends who claim the same section, the one with more points there has it (NIP 20.16)."""
    realm = foremost(turn, "claim", at, claimants)
    banners = tuple(banner.key for banner in claimants if banner.realm == realm)
    turn.emit(Claimed(realm, at, banners, turn.state.sections[at].controller))


def foremost(turn: Turn[State], about: Literal["claim", "raze", "assault"], at: int, banners: Iterable[Banner]) -> str:
    """The realm with the most points among these banners; equals roll, and roll again while they are equal."""
    points: dict[str, int] = defaultdict(int)
    for banner in banners:
        points[banner.realm] += banner.points
    tied = sorted(realm for realm in points if points[realm] == max(points.values()))
    again = 0
    while len(tied) > 1:
        values = {realm: turn.roll(f"{about} {realm} {at}{repeated(again)}") for realm in tied}
        turn.emit(PointsTied(about, at, tuple(values.items())))
        tied = [realm for realm in tied if values[realm] == max(values.values())]
        again += 1
    return tied[0]


def by_section(banners: Iterable[Banner]) -> dict[int, list[Banner]]:
    """Banners by the section they stand in, in the order given."""
    found: dict[int, list[Banner]] = defaultdict(list)
    for banner in banners:
        found[banner.at].append(banner)
    return found
