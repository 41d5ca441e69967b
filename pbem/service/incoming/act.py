"""Carry out immediate orders (an offer, a battle's result) as soon as they are filed, and tell those concerned."""

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.core.orders import Fault, Verdict, Written
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
    told: tuple[str, ...] = ()
    """What each of them did, for its player: the sentences, then what else he has to know of it, one a line."""
    faults: tuple[Fault, ...] = ()
    """Those that the ones before them made impossible."""


def carry_out(desk: Desk, acts: Sequence[Written]) -> Done:
    """Carry out orders at once, one after the other as written, in the transaction that files them."""
    game, seat, rules = desk.game, desk.seat, desk.game.rules
    log: list[Entry] = []
    faults: list[Fault] = []
    told: list[str] = []
    for written in acts:
        check = rules.check(rules.view(game.state, seat.code), [written])
        faults += check.faults
        if not check.faults:
            orders = {seat.code: (written.order,)}
            game, entries = take(desk.host, desk.unit, game, orders, [desk.letter.content_hash])
            log += entries
            told += [_told(news.sentences(desk.host, game, seat.code, entries), each) for each in check.verdicts]
    arbitration.tell_of_new(desk.host, desk.unit, desk.game, game, desk.letter)
    news.spread(desk.host, desk.unit, game, log, f"news from {seat.name}", besides=seat.code, answer=True)
    return Done(game, len(told), tuple(told), tuple(faults))


def _told(sentences: Sequence[str], verdict: Verdict) -> str:
    """What an order did; one that changes nothing has no sentence."""
    return "\n".join((*(sentences or (f"{verdict.subject}: {verdict.does}, as before",)), *verdict.notes))
