"""Play a stored campaign again, step by step, and compare byte for byte."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pbem.core.ruleset import Entrant, Ruleset
from pbem.core.turn import Resolution
from pbem.service import steps
from pbem.service.chance import secrets_of
from pbem.service.host import Host
from pbem.storage.tables import Campaign, Seat, Stage, Turn


@dataclass(frozen=True)
class Replayed:
    """A step that was played again."""

    number: int
    title: str
    differs: tuple[str, ...]
    """What came out otherwise: ``events``, ``state``; nothing: all bytes are the same."""


def replay(host: Host, name: str) -> Iterator[Replayed]:
    """Play every stored step of a campaign again. Raises ``KeyError`` for a campaign that is not there."""
    with host.unit() as unit:
        campaign = unit.campaigns.named(name)
        if campaign is None:
            raise KeyError(name)
        seats, turns = unit.campaigns.seats(campaign), unit.turns.all(campaign)
    rules, before = host.rules(campaign.ruleset), None
    for turn, stage in turns:
        record = _again(rules, campaign, list(seats), turn, stage, before)
        parts = {"orders": turn.orders, "events": turn.events, "state": turn.state}
        differs = tuple(part for part, stored in parts.items() if getattr(record, part) != stored)
        yield Replayed(turn.number, f"{stage.title}, {turn.kind}", differs)
        before = rules.codec.load(turn.state)


def _again(
    rules: Ruleset, campaign: Campaign, seats: list[Seat], turn: Turn, stage: Stage, before: Any
) -> steps.Record:
    orders = steps.orders(rules, turn.orders)
    secrets = secrets_of(campaign, stage, turn.letters)
    match turn.kind:
        case "setup":
            entrants = [Entrant(seat.code, seat.name, seat.options) for seat in seats if seat.joined_at is None]
            resolution = Resolution(steps.set_up(rules, campaign.options, entrants, secrets.dice()), ())
        case "act":
            resolution = steps.act(rules, before, orders)
        case _:
            resolution = steps.close(rules, before, orders, secrets.dice())
    return steps.record(rules, orders, resolution)
