"""Carry out immediate orders, a step of the game for each; whom to tell is for others to say."""

from collections.abc import Sequence
from dataclasses import replace

from pbem.core.turn import Entry
from pbem.service import steps
from pbem.service.host import Game, Host
from pbem.storage.tables import Turn, number_of
from pbem.storage.unit import Unit


def take(
    host: Host, unit: Unit, found: Game, orders: steps.Orders, letters: Sequence[str] = ()
) -> tuple[Game, tuple[Entry, ...]]:
    """Carry out orders and store the step; the game after it, and what happened. ``letters``: hashes of their mails."""
    resolution = steps.act(found.rules, found.state, orders)
    record = steps.record(found.rules, orders, resolution)
    turn = unit.turns.add(
        Turn(
            campaign_id=found.stage.campaign_id,
            stage_id=number_of(found.stage),
            number=found.turn.number + 1,
            kind="act",
            orders=record.orders,
            letters=list(letters),
            events=record.events,
            state=record.state,
            resolved_at=host.clock(),
        )
    )
    return replace(found, turn=turn, state=resolution.state), resolution.log
