"""Carry out immediate orders (an offer, a battle's result) as soon as they are filed, and tell those concerned."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbem.core.orders import Fault, Written
from pbem.core.turn import Entry
from pbem.core.views import visible
from pbem.reports.letters import Notice
from pbem.service import steps
from pbem.service.host import Game
from pbem.service.incoming.filing import Desk
from pbem.service.outgoing.post import seat_head, tell
from pbem.storage.tables import Seat, Turn, number_of


@dataclass(frozen=True)
class Done:
    """What came of a card's immediate orders."""

    game: Game
    """The game as it stands after them."""
    count: int = 0
    """How many were carried out."""
    sentences: tuple[str, ...] = ()
    """What they did, for their player."""
    faults: tuple[Fault, ...] = ()
    """Those that the ones before them made impossible."""


def carry_out(desk: Desk, acts: Sequence[Written]) -> Done:
    """Carry out orders at once, one after the other as written, in the transaction that files them."""
    game, seat, rules = desk.game, desk.seat, desk.game.rules
    log: list[Entry] = []
    faults: list[Fault] = []
    count = 0
    for written in acts:
        refused = rules.check(rules.view(game.state, seat.code), [written]).faults
        faults += refused
        if not refused:
            game, entries = _step(desk, game, written)
            log += entries
            count += 1
    after = replace(desk, game=game)
    for other in desk.unit.campaigns.seats(game.campaign):
        if other.code != seat.code:
            _notify(after, other, visible(log, other.code))
    return Done(game, count, _sentences(desk, game, seat, visible(log, seat.code)), tuple(faults))


def _step(desk: Desk, game: Game, written: Written) -> tuple[Game, tuple[Entry, ...]]:
    """Carry out one order and store the step; the game after it, and what happened."""
    orders = {desk.seat.code: (written.order,)}
    resolution = steps.act(game.rules, game.state, orders)
    record = steps.record(game.rules, orders, resolution)
    turn = desk.unit.turns.add(
        Turn(
            campaign_id=game.stage.campaign_id,
            stage_id=number_of(game.stage),
            number=game.turn.number + 1,
            kind="act",
            orders=record.orders,
            letters=[desk.letter.content_hash],
            events=record.events,
            state=record.state,
            resolved_at=desk.host.clock(),
        )
    )
    return replace(game, turn=turn, state=resolution.state), resolution.log


def _sentences(desk: Desk, game: Game, seat: Seat, entries: Sequence[Entry]) -> tuple[str, ...]:
    say = desk.host.templates.say(game.rules.name, game.rules.view(game.state, seat.code))
    return tuple(sentence for entry in entries if (sentence := say(entry.event)))


def _notify(desk: Desk, other: Seat, entries: Sequence[Entry]) -> None:
    sentences = _sentences(desk, desk.game, other, entries)
    if not sentences:
        return
    head = seat_head(desk.host, desk.game.campaign, other, desk.game.stage)
    notice = Notice(
        head=head,
        turn=desk.game.stage.turn,
        topic=f"news from {desk.seat.name}",
        sentences=sentences,
        answers=_answers(desk.game.rules.form(desk.game.rules.view(desk.game.state, other.code))),
    )
    cause = f"notice {desk.game.turn.number} {other.code}"
    tell(desk.host, desk.unit, desk.game.campaign, desk.unit.campaigns.address(other), notice, cause)


def _answers(form: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The lines of the order form, each with the comment that explains it."""
    split: list[Any] = [line.partition("#") for line in form]
    return tuple((line.strip(), comment.strip()) for line, _, comment in split if line.strip())
