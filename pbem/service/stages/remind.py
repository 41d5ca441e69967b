"""Remind those from whom nothing came, and announce a deadline that passed while the server was down."""

import logging
from datetime import datetime

from pbem.reports.letters import Catchup, Reminder
from pbem.service.host import Game, Host, game
from pbem.service.outgoing.post import everybody, seat_head, tell
from pbem.storage.tables import Campaign, Seat, Stage, number_of
from pbem.storage.unit import Unit

log = logging.getLogger(__name__)


def remind(host: Host) -> int:
    """Send the reminders that are due; how many were written. One reminder for each distance to the deadline."""
    now = host.clock()
    with host.reading() as unit:
        stages = [stage for stage, _ in unit.campaigns.open_stages() if reached(host, stage, now) > stage.reminded]
    return sum(_try(host, number_of(stage), now) for stage in stages)


def _try(host: Host, stage_id: int, now: datetime) -> int:
    """Remind those missing in one stage; a game that fails must not keep the others waiting."""
    with host.unit() as unit:
        stage = unit.campaigns.stage(stage_id)
        distances = reached(host, stage, now)
        if stage.status != "open" or distances <= stage.reminded:
            return 0
        stage.reminded = distances
        try:
            written = _remind_missing(host, unit, unit.campaigns.get(stage.campaign_id), stage)
            unit.commit()
        except Exception:
            log.exception("nobody reminded in stage %s", stage_id)
            return 0
        return written


def reached(host: Host, stage: Stage, now: datetime) -> int:
    """How many of the reminders' distances are behind us; those longer than the whole stage never come."""
    if stage.deadline is None:
        return 0
    whole = stage.deadline - stage.opened_at
    return sum(1 for distance in host.reminders if distance < whole and stage.deadline - now <= distance)


def _remind_missing(host: Host, unit: Unit, campaign: Campaign, stage: Stage) -> int:
    found = game(host, unit, campaign)
    assert found is not None
    missing = found.rules.stage(found.state).awaiting - unit.submissions.filed(stage).keys()
    seats = [seat for seat in unit.campaigns.seats(campaign) if seat.code in missing]
    for seat in seats:
        cause = f"reminder {number_of(stage)} {stage.reminded} {stage.deadline:%Y%m%dT%H%M%S}"
        _write(host, unit, found, seat, cause)
    return len(seats)


def _write(host: Host, unit: Unit, found: Game, seat: Seat, cause: str) -> None:
    view = found.rules.view(found.state, seat.code)
    check = found.rules.check(view, ())
    reminder = Reminder(
        head=seat_head(host, found.campaign, seat, found.stage),
        turn=found.stage.turn,
        stage=found.stage.title,
        defaults=(*check.defaults, *check.matters),
        form=tuple(found.rules.form(view)),
    )
    tell(host, unit, found.campaign, unit.campaigns.address(seat), reminder, f"{cause} {seat.code}")


def catch_up(host: Host) -> int:
    """On start: give every stage whose deadline passed meanwhile a little more time, and say so. How many.

    So letters that waited in a mailbox still count, and nobody is closed out by our own failure. A stage gets this
    once.
    """
    late, now = 0, host.clock()
    with host.unit() as unit:
        for stage, campaign in unit.campaigns.open_stages():
            if stage.deadline is not None and stage.deadline < now and not stage.catch_up:
                missed, stage.deadline, stage.catch_up = stage.deadline, now + host.catch_up, True
                _announce(host, unit, campaign, stage, missed)
                late += 1
        unit.commit()
    return late


def _announce(host: Host, unit: Unit, campaign: Campaign, stage: Stage, missed: datetime) -> None:
    assert stage.deadline is not None
    for head, address in everybody(host, unit, campaign, stage):
        letter = Catchup(head, stage.title, missed, stage.deadline)
        cause = f"catch-up {number_of(stage)} {missed:%Y%m%dT%H%M%S} {head.realm}"
        tell(host, unit, campaign, address, letter, cause)
