"""Begin a campaign: set up the game, open its first stage, invite the players."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from pbem.core.dice import Dice
from pbem.core.errors import BadInput, Flaw
from pbem.core.ruleset import Ruleset
from pbem.core.turn import Resolution
from pbem.core.views import Die
from pbem.service import steps
from pbem.service.chance import new_secret, secrets_of
from pbem.service.host import Host
from pbem.service.outgoing import telling
from pbem.service.outgoing.overview import overview, send
from pbem.service.outgoing.post import seat_head, tell
from pbem.service.stages import free_seats
from pbem.service.stages.advance import open_stage
from pbem.service.stages.campaign_file import CampaignFile, SeatSpec
from pbem.storage.tables import Address, Campaign, Seat, Stage, Turn, number_of
from pbem.storage.unit import Unit


@dataclass(frozen=True)
class Founding:
    """A campaign about to begin: its rows, not stored yet, and the game it starts with."""

    file: CampaignFile
    rules: Ruleset
    campaign: Campaign
    stage: Stage
    seats: tuple[Seat, ...]


def begin(host: Host, file: CampaignFile) -> str:
    """Begin the campaign of a file; its name. Raises ``BadInput`` with every flaw."""
    founding = _found(host, file)
    dice = secrets_of(founding.campaign, founding.stage, ()).dice()
    state = _set_up(host, founding, dice)
    told = telling.prepare(host, _happened(founding, state, dice), founding.seats)
    with host.unit() as unit:
        _store_rows(unit, founding)
        turn = unit.turns.add(_turn(host, founding, state))
        assert told.waiting is not None
        opened = open_stage(host, unit, founding.campaign, told.waiting, told.next_secret)
        _invite(host, unit, founding, opened, state)
        telling.deliver(host, unit, founding.campaign, turn, opened, told)
        unit.commit()
    return founding.campaign.name


def _found(host: Host, file: CampaignFile) -> Founding:
    rules = _rules(host, file)
    seats = tuple(
        _seat(file, entrant.seat, seat) for entrant, seat in zip(file.entrants(), file.spec.seat, strict=True)
    )
    return Founding(file, rules, _campaign(host, file), _stage(host), seats)


def _happened(founding: Founding, state: Any, dice: Dice) -> telling.Happened:
    return telling.Happened(
        campaign=founding.campaign,
        rules=founding.rules,
        stage=founding.stage,
        before=state,
        after=state,
        log=(),
        dice=tuple(Die(roll, audience, audience) for (_, audience), roll in dice.rolled.items()),
        orders={},
        letters=(),
    )


def _rules(host: Host, file: CampaignFile) -> Ruleset:
    rules = host.rulesets.get(file.spec.rules)
    if rules is None:
        known = ", ".join(sorted(host.rulesets))
        reason = f"no rule system is called {file.spec.rules!r}; there are: {known}"
        raise BadInput([*file.flaws, Flaw(file.where("rules"), reason)])
    return rules


def _set_up(host: Host, founding: Founding, dice: Dice) -> Any:
    """The first state; what the host and what the rule system find wrong with the file is told together."""
    file, rules = founding.file, founding.rules
    flaws, state = [*file.flaws, *_flaws(host, file, rules)], None
    try:
        state = steps.set_up(rules, file.spec.options, file.entrants(), dice)
    except BadInput as bad:
        flaws += [replace(flaw, where=_place(file, flaw.where)) for flaw in bad.flaws]
    if file.spec.join and not flaws and not free_seats.at_stage(rules, rules.stage(state).kind):
        reason = "seats can be free only while players set up their realms by mail; a rule system's option says so"
        flaws.append(Flaw(file.where("join"), reason))
    if flaws:
        raise BadInput(flaws)
    return state


def _flaws(host: Host, file: CampaignFile, rules: Ruleset) -> Iterator[Flaw]:
    with host.unit() as unit:
        if unit.campaigns.named(file.spec.name):
            yield Flaw(file.where("name"), f"there is a campaign called {file.spec.name!r} already")
    fewest, most = rules.seats(file.spec.options)
    if not fewest <= len(file.spec.seat) + (file.spec.join.seats if file.spec.join else 0) <= most:
        yield Flaw(file.where("seat"), f"{rules.title} needs {fewest} to {most} seats")
    for kind in file.spec.schedule:
        if rules.kinds and kind not in rules.kinds:
            reason = f"{rules.title} has no stages of this kind; there are: {', '.join(rules.kinds)}"
            yield Flaw(file.where("schedule", kind), reason)


def _place(file: CampaignFile, where: str) -> str:
    """Where in the file something stands that a rule system knows as ``options: map`` or ``seats``."""
    table, _, key = where.partition(": ")
    if table == "options" and key:
        return file.where(table, key)
    return file.where("seat") if where == "seats" else where


def _campaign(host: Host, file: CampaignFile) -> Campaign:
    spec = file.spec
    return Campaign(
        name=spec.name,
        title=spec.title,
        ruleset=spec.rules,
        organizer=spec.organizer,
        zone=spec.zone,
        schedule=dict(spec.schedule),
        options=dict(spec.options),
        joining=spec.join.model_dump() if spec.join else {},
        sealed_secret=new_secret(),
        thread=f"<{spec.name}.{new_secret()[:16]}@{host.id_domain}>",
        created_at=host.clock(),
    )


def _stage(host: Host) -> Stage:
    """The set-up, over as soon as it begins."""
    now = host.clock()
    return Stage(
        campaign_id=0,
        number=0,
        kind="set-up",
        turn=0,
        title="Set-up",
        status="closed",
        opened_at=now,
        closed_at=now,
        secret=new_secret(),
    )


def _seat(file: CampaignFile, code: str, seat: SeatSpec) -> Seat:
    return Seat(
        campaign_id=0,
        code=code,
        name=seat.name,
        player=seat.player,
        robot=seat.robot,
        zone=seat.zone or file.spec.zone,
        options=seat.model_extra or {},
    )


def _store_rows(unit: Unit, founding: Founding) -> None:
    unit.campaigns.add(founding.campaign)
    founding.stage.campaign_id = number_of(founding.campaign)
    unit.campaigns.add(founding.stage)
    for seat, spec in zip(founding.seats, founding.file.spec.seat, strict=True):
        seat.campaign_id = number_of(founding.campaign)
        unit.campaigns.add(seat)
        for email in dict.fromkeys((spec.address, *spec.addresses)):
            unit.campaigns.add(Address(seat_id=number_of(seat), email=email))


def _turn(host: Host, founding: Founding, state: Any) -> Turn:
    record = steps.record(founding.rules, {}, Resolution(state, ()))
    return Turn(
        campaign_id=number_of(founding.campaign),
        stage_id=number_of(founding.stage),
        number=0,
        kind="setup",
        orders=record.orders,
        letters=[],
        events=record.events,
        state=record.state,
        resolved_at=host.clock(),
    )


def _invite(host: Host, unit: Unit, founding: Founding, opened: Stage, state: Any) -> None:
    campaign = founding.campaign
    for seat in unit.campaigns.seats(campaign):
        letter = telling.invitation(host, campaign, seat, seat_head(host, campaign, seat, opened), state)
        tell(host, unit, campaign, unit.campaigns.address(seat), letter, f"welcome {seat.code}")
    begun = f"{campaign.title} has begun with {len(founding.seats)} seats."
    free = [free_seats.offer(host, campaign)] if campaign.joining else []
    news = overview(host, unit, campaign, topic="has begun", besides=None, done=(begun, *free), teaching=True)
    send(host, unit, campaign, news, "welcome")
