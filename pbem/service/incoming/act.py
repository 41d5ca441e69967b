"""Carry out immediate orders (an offer, a battle's result) as soon as they are filed, and tell those concerned."""

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.core.orders import Fault, Written
from pbem.core.turn import Entry
from pbem.service.host import Game
from pbem.service.incoming.filing import Desk
from pbem.service.organizer import arbitration
from pbem.service.outgoing import news
from pbem.service.stages.acts import take


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
            orders = {seat.code: (written.order,)}
            game, entries = take(desk.host, desk.unit, game, orders, [desk.letter.content_hash])
            log += entries
            count += 1
    arbitration.tell_of_new(desk.host, desk.unit, desk.game, game, desk.letter)
    news.spread(desk.host, desk.unit, game, log, f"news from {seat.name}", besides=seat.code, answer=True)
    return Done(game, count, news.sentences(desk.host, game, seat.code, log), tuple(faults))
