"""News of what immediate orders did, for those who may know of it."""

from collections.abc import Sequence

from pbem.core.turn import Entry
from pbem.core.views import visible
from pbem.reports.letters import Notice
from pbem.service.host import Game, Host
from pbem.service.outgoing.post import seat_head, tell
from pbem.storage.tables import Seat
from pbem.storage.unit import Unit

Facts = tuple[tuple[str, str], ...]
"""What one has to know, by subject."""


def spread(
    host: Host, unit: Unit, found: Game, log: Sequence[Entry], topic: str, *, besides: str = "", answer: bool = False
) -> None:
    """Tell every seat but one (``besides``) what it may know; ``answer``: with the lines that it can answer with. Who
    has to know more of it than the sentences is told anyway, with a new form."""
    for seat in unit.campaigns.seats(found.campaign):
        told = sentences(host, found, seat.code, log)
        events = [entry.event for entry in visible(log, seat.code)]
        facts = tuple(found.rules.facts(found.rules.view(found.state, seat.code), events)) if told else ()
        if facts or (told and seat.code != besides):
            _notify(host, unit, found, seat, told, topic, facts, answer=answer)


def sentences(host: Host, found: Game, seat: str | None, log: Sequence[Entry]) -> tuple[str, ...]:
    """What a seat (``None``: the public) may know of what happened."""
    say = host.templates.say(found.rules.name, found.rules.view(found.state, seat))
    return tuple(sentence for entry in visible(log, seat) if (sentence := say(entry.event)))


def _notify(
    host: Host, unit: Unit, found: Game, seat: Seat, told: tuple[str, ...], topic: str, facts: Facts, *, answer: bool
) -> None:
    view = found.rules.view(found.state, seat.code)
    notice = Notice(
        head=seat_head(host, found.campaign, seat, found.stage),
        turn=found.stage.turn,
        topic=topic,
        sentences=told,
        facts=facts,
        answers=tuple(found.rules.answers(view)) if answer else (),
        form=tuple(found.rules.form(view)) if facts else (),
    )
    cause = f"notice {found.turn.number} {seat.code}"
    tell(host, unit, found.campaign, unit.campaigns.address(seat), notice, cause)
