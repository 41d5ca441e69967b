"""Tell everybody what happened in a stage: a report for each seat and one for the public, with the map."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.core.dice import EVERYONE, Audience, Roll, commitment
from pbem.core.orders import Written
from pbem.core.report import Proof, Report
from pbem.core.ruleset import Material, Outcome, Ruleset
from pbem.core.ruleset import Stage as Waiting
from pbem.core.turn import Entry
from pbem.core.views import visible
from pbem.mail.compose import Attachment
from pbem.reports.build import Facts, build
from pbem.reports.letters import Over
from pbem.service.chance import new_secret, secrets_of
from pbem.service.host import Host, Rendition
from pbem.service.post import Envelope, everybody, post, seat_head, tell
from pbem.storage.tables import Campaign, Picture, ReportRow, Seat, Stage, Turn, number_of
from pbem.storage.unit import Unit

PUBLIC = ""
"""Stands for the public where a seat's code is expected."""


@dataclass(frozen=True)
class Happened:
    """A stage that was resolved, with all that came of it."""

    campaign: Campaign
    rules: Ruleset
    stage: Stage
    before: Any
    after: Any
    log: tuple[Entry, ...]
    rolls: tuple[tuple[Audience, Roll], ...]
    orders: Mapping[str, tuple[Written, ...]]
    letters: tuple[str, ...]


@dataclass(frozen=True)
class Drawn:
    """A map picture with its SVG and the hash that names it."""

    digest: str
    svg: str
    rendition: Rendition


@dataclass(frozen=True)
class Told:
    """Everything that a stage has to tell, ready to be stored and mailed."""

    waiting: Waiting | None
    """What the game waits for now; ``None`` when it is over."""
    outcome: Outcome | None
    next_secret: str
    reports: Mapping[str, Report]
    """By code of the seat."""
    pictures: Mapping[str, Drawn]


def prepare(host: Host, happened: Happened, seats: Sequence[Seat]) -> Told:
    """Write all reports and draw all maps of a stage. Takes a while; touches no database."""
    outcome = happened.rules.outcome(happened.after)
    secret = new_secret()
    reports, pictures = {}, {}
    drawn: dict[str, Drawn] = {}
    for code, name in [*((seat.code, seat.name) for seat in seats), (PUBLIC, "")]:
        reports[code] = _report(host, happened, code, name, secret)
        picture = _picture(host, happened.rules, happened.rules.view(happened.after, code or None), drawn)
        if picture:
            pictures[code] = picture
    waiting = None if outcome else happened.rules.stage(happened.after)
    return Told(waiting, outcome, secret, reports, pictures)


def _report(host: Host, happened: Happened, code: str, name: str, next_secret: str) -> Report:
    rules, seat = happened.rules, code or None
    after = rules.view(happened.after, seat)
    material = Material(
        seat=seat,
        before=rules.view(happened.before, seat),
        after=after,
        log=visible(happened.log, seat),
        orders=happened.orders.get(code, ()),
        say=host.templates.say(rules.name, after),
    )
    stage = happened.stage
    facts = Facts(
        campaign=happened.campaign.name,
        title=happened.campaign.title,
        number=stage.number,
        turn=stage.turn,
        stage=stage.title,
        reader=name,
    )
    return build(rules, facts, material, _proof(happened, seat, next_secret))


def _proof(happened: Happened, seat: str | None, next_secret: str) -> Proof:
    own = frozenset({seat}) if seat else None
    sealed = tuple(roll for audience, roll in happened.rolls if audience == own)
    secrets = secrets_of(happened.campaign, happened.stage, happened.letters)
    return Proof(
        commitment=commitment(secrets.stage),
        secret=secrets.stage.hex(),
        letters=happened.letters,
        rolls=tuple(roll for audience, roll in happened.rolls if audience == EVERYONE),
        sealed_seed=secrets.sealed_seed(own).hex() if own and sealed else "",
        sealed=sealed,
        next_commitment=commitment(bytes.fromhex(next_secret)),
    )


def _picture(host: Host, rules: Ruleset, view: Any, drawn: dict[str, Drawn]) -> Drawn | None:
    """The map of a view; the same SVG is made into pixels only once."""
    svg = rules.picture(view)
    if svg is None:
        return None
    digest = hashlib.sha256(svg.encode()).hexdigest()
    if digest not in drawn:
        drawn[digest] = Drawn(digest, svg, host.draw(svg))
    return drawn[digest]


def deliver(host: Host, unit: Unit, campaign: Campaign, turn: Turn, opened: Stage | None, told: Told) -> None:
    """Store the reports and put them into the outbox, in the transaction that stores the turn."""
    for picture in told.pictures.values():
        rendition = picture.rendition
        unit.turns.add_picture(
            Picture(digest=picture.digest, svg=picture.svg, png=rendition.png, small=rendition.small)
        )
    for code, report in told.reports.items():
        _keep(host, unit, turn, code, report, told)
    for seat in unit.campaigns.seats(campaign):
        _mail(host, unit, campaign, turn, opened, seat, told)
    if told.outcome:
        _mail_the_end(host, unit, campaign, told.outcome)


def _keep(host: Host, unit: Unit, turn: Turn, code: str, report: Report, told: Told) -> None:
    picture = told.pictures.get(code)
    unit.turns.add_report(
        ReportRow(
            turn_id=number_of(turn),
            seat=code,
            document=host.templates.json(report),
            picture=picture.digest if picture else None,
        )
    )


def _mail(host: Host, unit: Unit, campaign: Campaign, turn: Turn, opened: Stage | None, seat: Seat, told: Told) -> None:
    report, picture = told.reports[seat.code], told.pictures.get(seat.code)
    cid = f"map-{report.number}@{host.id_domain}"  # Not by the step: its number would tell how much was bargained.
    head = seat_head(host, campaign, seat, opened, f"cid:{cid}" if picture else None)
    rendered = host.templates.report(report, head)
    envelope = Envelope(
        recipient=unit.campaigns.address(seat),
        cause=report_cause(campaign, seat, turn),
        campaign=campaign,
        reply_to=head.reply_to,
        pictures={cid: picture.rendition.png} if picture else {},
        attachments=[Attachment("report.json", "application/json", host.templates.json(report))],
    )
    post(host, unit, rendered, envelope)


def report_cause(campaign: Campaign, seat: Seat, turn: Turn) -> str:
    """The outbox's name for a seat's report of a step."""
    return f"{campaign.name} report {turn.number} {seat.code}"


def _mail_the_end(host: Host, unit: Unit, campaign: Campaign, outcome: Outcome) -> None:
    secret = campaign.sealed_secret if host.rules(campaign.ruleset).sealed else ""
    names = {seat.code: seat.name for seat in unit.campaigns.seats(campaign)}
    ranking = tuple(tuple(names[code] for code in rank) for rank in outcome.ranking)
    for head, address in everybody(host, unit, campaign, None):
        tell(host, unit, campaign, address, Over(head, outcome.reason, ranking, secret), f"over {head.realm}")
