"""Nobody plays a seat any more; or somebody does again. The rules say what becomes of it, and everybody is told."""

from typing import Any

from pbem.core.ruleset import ORGANIZER
from pbem.service.host import Game, Host
from pbem.service.outgoing import news
from pbem.service.stages.acts import take
from pbem.service.tokens import new_receipt
from pbem.storage.tables import Seat, Submission, number_of
from pbem.storage.unit import Unit

FOUND = "another player has been found"
"""Why a seat is played again, for all to see."""


def withdraw(host: Host, unit: Unit, found: Game, seat: Seat, reason: str, who: str) -> str:
    """Take a seat out of the game, for a reason that all see; what was done, in sentences.

    What is on file is void, and what waited for the player's YES waits no longer. Raises ``NotNow`` if the rules do not
    let it go.
    """
    order = found.rules.withdraw(found.state, seat.code, reason)
    void(host, unit, found, seat)
    unit.campaigns.audit(found.campaign, host.clock(), who, f"withdrew {seat.name}: {reason}")
    told = _carry_out(host, unit, found, order, f"{seat.name} has withdrawn")
    return " ".join((*told, "Until then, hand over brings it back."))


def readmit(host: Host, unit: Unit, found: Game, seat: Seat, who: str) -> tuple[str, ...]:
    """Put a seat that has withdrawn back into the game, if that is still possible; what was done, in sentences."""
    order = found.rules.readmit(found.state, seat.code, FOUND)
    if order is None:
        return ()
    unit.campaigns.audit(found.campaign, host.clock(), who, f"readmitted {seat.name}")
    return _carry_out(host, unit, found, order, f"{seat.name} is played again")


def _carry_out(host: Host, unit: Unit, found: Game, order: Any, topic: str) -> tuple[str, ...]:
    after, log = take(host, unit, found, {ORGANIZER: (order,)})
    news.spread(host, unit, after, log, topic)
    return news.sentences(host, after, None, log)


def void(host: Host, unit: Unit, found: Game, seat: Seat) -> None:
    """What a seat has on file is void: a version without orders, which no letter made, takes its place."""
    unit.submissions.drop_questions(seat)
    last = unit.submissions.last(found.stage, seat)
    if last is None:
        return
    unit.submissions.add(
        Submission(
            stage_id=number_of(found.stage),
            seat_id=number_of(seat),
            version=last.version + 1,
            receipt=unit.submissions.free_receipt(new_receipt),
            orders=[],
            acts=[],
            created_at=host.clock(),
        )
    )
