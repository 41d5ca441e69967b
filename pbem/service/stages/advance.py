"""Close stages: resolve what is due, store the turn with all that it tells, open the next stage."""

import logging
import traceback
from collections import defaultdict
from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy.exc import InterfaceError, OperationalError

from pbem.core.orders import Line, Written
from pbem.core.ruleset import Stage as Waiting
from pbem.core.turn import Resolution
from pbem.core.views import rolls
from pbem.reports.letters import Held
from pbem.service import steps
from pbem.service.chance import secrets_of
from pbem.service.host import Game, Host, game
from pbem.service.orders import orders_of
from pbem.service.outgoing import overview, telling
from pbem.service.outgoing.post import organizer_head, page_link, tell
from pbem.service.stages import free_seats
from pbem.service.stages.deadlines import next_deadline
from pbem.storage.tables import Campaign, Seat, Stage, Turn, number_of
from pbem.storage.unit import Unit

log = logging.getLogger(__name__)

FALLBACK_RULE = "after 7d"
"""The deadline of a kind of stage that neither the campaign's schedule nor its rule system names."""

UNREAD = (
    "The mailbox could not be looked into after the deadline. Cards that were in it by then have not "
    "counted; their senders are told as soon as it can be."
)


@dataclass(frozen=True)
class Work:
    """A stage to be resolved: what goes in, read in one transaction."""

    game: Game
    seats: tuple[Seat, ...]
    orders: Mapping[str, tuple[Written, ...]]
    """What each seat has on file, by code."""
    letters: tuple[str, ...]
    opening: Any
    """The state when the stage opened."""
    earlier: tuple[Turn, ...]
    """What immediate orders have done since the stage opened."""
    newest: int
    """The newest submission; if it is another one when the turn is stored, everything is done again."""

    @property
    def given(self) -> dict[str, tuple[Any, ...]]:
        """The orders alone, by seat."""
        return {seat: tuple(each.order for each in written) for seat, written in sorted(self.orders.items())}


def due(host: Host, mail_read: datetime | None = None) -> list[int]:
    """The stages to be resolved now: past their deadline, or with all awaited seats done.

    ``mail_read`` is the moment up to which mail has been read, by default now. A stage waits for the mail that was
    received by its deadline, but not for ever (``Host.mailbox_grace``). A game that cannot even be looked at is held:
    the others must not wait for it.
    """
    now, found, broken = host.clock(), [], []
    with host.reading() as unit:
        done, states = unit.submissions.done(), unit.turns.states()
        for stage, campaign in unit.campaigns.open_stages():
            try:
                ready = done.get(number_of(stage), frozenset())
                turn = states[number_of(campaign)]
                early = _all_done(host, campaign, turn, ready) and not free_seats.awaited(host, unit, campaign, stage)
                if early or _expired(host, stage, now, mail_read or now):
                    found.append(number_of(stage))
            except Exception as error:
                broken.append((number_of(stage), error))
    for stage_id, reason in broken:
        _hold(host, stage_id, reason)
    return found


def _expired(host: Host, stage: Stage, now: datetime, mail_read: datetime) -> bool:
    return stage.deadline is not None and stage.deadline <= max(min(mail_read, now), now - host.mailbox_grace)


def _all_done(host: Host, campaign: Campaign, turn: Turn, done: Set[str]) -> bool:
    return host.rules(campaign.ruleset).stage(host.state(campaign, turn)).awaiting <= done


def next_due(host: Host) -> datetime | None:
    """The nearest deadline."""
    with host.reading() as unit:
        return next((stage.deadline for stage, _ in unit.campaigns.open_stages() if stage.deadline), None)


def run_due(host: Host, mail_read: datetime | None = None) -> int:
    """Resolve every stage that is due; how many were. For ``mail_read`` see `due`."""
    return sum(run_stage(host, stage_id, mail_read) for stage_id in due(host, mail_read))


def run_stage(host: Host, stage_id: int, mail_read: datetime | None = None) -> bool:
    """Resolve one stage, however often this is called or from how many servers: once. Whether this call did it.

    If mail has not been read up to its deadline, by ``mail_read``, the organizer is told so.
    Whatever fails on the way, in rules, drawing or wording, leaves the stage unresolved and held, and the organizer
    is told. Where the database fails, the error is raised, and the stage is due as before.
    """
    try:
        while True:
            if (done := _try_once(host, stage_id, mail_read or host.clock())) is not None:
                return done
    except (OperationalError, InterfaceError):
        raise
    except Exception as error:
        _hold(host, stage_id, error)
        return False


def _try_once(host: Host, stage_id: int, mail_read: datetime) -> bool | None:
    """Resolve a stage; whether this did it, or ``None`` if orders came in meanwhile: then it is to be done again.

    Resolving and drawing happen outside any transaction.
    """
    with host.unit() as unit:
        if free_seats.put_off(host, unit, stage_id):
            unit.commit()
            return False
        work = _load(host, unit, stage_id)
    if work is None:
        return False
    resolution = _resolve(work)
    told = telling.prepare(host, _happened(work, resolution), work.seats)
    with host.unit() as unit:
        if not _store(host, unit, work, resolution, told, mail_read):
            return None
        unit.commit()
        return True


def _load(host: Host, unit: Unit, stage_id: int) -> Work | None:
    stage = unit.campaigns.stage(stage_id)
    found = game(host, unit, unit.campaigns.get(stage.campaign_id))
    if found is None or found.stage.id != stage_id or (stage.status, found.campaign.status) != ("open", "running"):
        return None
    filed = unit.submissions.filed(stage)
    orders = {code: orders_of(found.rules, submission) for code, submission in filed.items()}
    seats = tuple(unit.campaigns.seats(found.campaign))
    # Who has come since the stage opened has no view of the state that it opened with.
    grew = any(seat.joined_at and seat.joined_at >= stage.opened_at for seat in seats)
    opening = found.turn if grew else unit.turns.before_stage(stage)
    return Work(
        game=found,
        seats=seats,
        orders=orders,
        letters=tuple(unit.submissions.letters(stage)),
        earlier=tuple(unit.turns.of_stage(stage)),
        opening=host.state(found.campaign, opening),
        newest=unit.submissions.newest(stage),
    )


def _resolve(work: Work) -> Resolution[Any]:
    secrets = secrets_of(work.game.campaign, work.game.stage, work.letters)
    return steps.close(work.game.rules, work.game.state, work.given, secrets.dice())


def _happened(work: Work, resolution: Resolution[Any]) -> telling.Happened:
    rules = work.game.rules
    earlier = tuple(entry for turn in work.earlier for entry in steps.entries(rules, turn.events))
    return telling.Happened(
        campaign=work.game.campaign,
        rules=rules,
        stage=work.game.stage,
        before=work.opening,
        after=resolution.state,
        log=earlier + resolution.log,
        dice=rolls(resolution.log),
        orders=_all_orders(work),
        letters=work.letters,
    )


def _all_orders(work: Work) -> dict[str, tuple[Written, ...]]:
    """What each seat ordered in the stage: what was carried out at once, in its order, and then what was on file."""
    found: dict[str, tuple[Written, ...]] = defaultdict(tuple)
    for turn in work.earlier:
        for seat, given in steps.orders(work.game.rules, turn.orders).items():
            found[seat] += tuple(Written(order, Line(0, str(order))) for order in given)
    for seat, filed in work.orders.items():
        found[seat] += filed
    return dict(found)


def _store(
    host: Host, unit: Unit, work: Work, resolution: Resolution[Any], told: telling.Told, mail_read: datetime
) -> bool:
    """Everything in one transaction, or nothing if the stage is no longer as it was read."""
    stage = unit.campaigns.claim_stage(number_of(work.game.stage))
    campaign = unit.campaigns.get(stage.campaign_id)
    open_still = (stage.status, campaign.status) == ("open", "running")
    unchanged = open_still and unit.turns.last(campaign).number == work.game.turn.number
    if not unchanged or unit.submissions.newest(stage) != work.newest:
        return False
    record = steps.record(work.game.rules, work.given, resolution)
    turn = unit.turns.add(
        Turn(
            campaign_id=number_of(campaign),
            stage_id=number_of(stage),
            number=work.game.turn.number + 1,
            kind="close",
            orders=record.orders,
            letters=list(work.letters),
            events=record.events,
            state=record.state,
            resolved_at=host.clock(),
        )
    )
    stage.status, stage.closed_at = "closed", host.clock()
    following = open_stage(host, unit, campaign, told.waiting, told.next_secret) if told.waiting else None
    if following is None:
        campaign.status = "over"
    telling.deliver(host, unit, campaign, turn, following, told)
    page = page_link(host, campaign, told.reports[telling.PUBLIC])
    news = overview.closed(host, unit, replace(work.game, campaign=campaign, stage=stage), page)
    if stage.deadline and mail_read < stage.deadline <= host.clock():
        news = replace(news, trouble=(*news.trouble, UNREAD))
    overview.send(host, unit, campaign, news, f"closed {stage.number}")
    return True


def open_stage(host: Host, unit: Unit, campaign: Campaign, waiting: Waiting, secret: str) -> Stage:
    """Open the stage that a game waits for, with its deadline by the campaign's schedule."""
    now = host.clock()
    defaults = host.rules(campaign.ruleset).kinds
    rule = campaign.schedule.get(waiting.kind) or defaults.get(waiting.kind, FALLBACK_RULE)
    stage = Stage(
        campaign_id=number_of(campaign),
        number=next((each.number + 1 for each in unit.campaigns.stages(campaign)), 0),
        kind=waiting.kind,
        turn=waiting.turn,
        title=waiting.title,
        opened_at=now,
        deadline=next_deadline(rule, now, campaign.zone),
        secret=secret,
    )
    unit.campaigns.add(stage)
    return stage


def _hold(host: Host, stage_id: int, error: Exception) -> None:
    """Leave the stage unresolved, and tell the organizer; the log has the rest."""
    now = host.clock()
    reference = f"stage {stage_id}, {now:%Y-%m-%d %H:%M:%S.%f}"
    log.error("not resolved: %s", reference, exc_info=error)
    with host.unit() as unit:
        stage = unit.campaigns.claim_stage(stage_id)
        campaign = unit.campaigns.get(stage.campaign_id)
        if stage.status != "open":
            return  # Another server has closed or held it meanwhile.
        stage.status = "held"
        unit.campaigns.audit(campaign, now, "server", f"held {reference}: {type(error).__name__}")
        head = organizer_head(host, campaign, stage)
        place = traceback.extract_tb(error.__traceback__)[-1].name
        held = Held(head, stage.title, reference, f"{type(error).__name__} in {place}")
        tell(host, unit, campaign, campaign.organizer, held, f"held {reference}")
        unit.commit()
