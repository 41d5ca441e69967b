"""Chapter 12.2, underground: Skaven banners that leave the map and come up elsewhere two turns later."""

from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.events import CameUp, LostUnderground, TunnelAimed, WentUnderground
from pbem.rulesets.nippon.legality import orders_in_force
from pbem.rulesets.nippon.orders import Underground
from pbem.rulesets.nippon.state import State
from pbem.rulesets.nippon.tables import LOST_BELOW_UP_TO, TUNNEL_TURNS


@rule("12.2", "Underground")
def come_up(turn: Turn[State]) -> None:
    """Before anybody else acts, those whose time has come are lost or stand in their goal, whatever it is by now."""
    for key, tunnel in sorted(turn.state.tunnels.items()):
        if tunnel.up <= turn.state.turn:
            lost = turn.roll(f"underground {key}") <= LOST_BELOW_UP_TO
            turn.emit(LostUnderground(key, tunnel.banner.at) if lost else CameUp(key, tunnel.goal))


@rule("12.2", "Underground")
def go_underground(turn: Turn[State]) -> None:
    """Banners vanish before anything is razed; those below take another goal. Only their realm learns of goals."""
    for key, order in orders_in_force(turn).items():
        if isinstance(order, Underground):
            if key in turn.state.banners:
                turn.emit(WentUnderground(key, turn.state.banners[key].at, turn.state.turn + TUNNEL_TURNS))
            realm = turn.state.tunnels[key].banner.realm
            turn.emit(TunnelAimed(key, order.goal, order.no_claim), to=frozenset({realm}))
