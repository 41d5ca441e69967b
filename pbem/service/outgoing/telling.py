"""Tell everybody what happened in a stage: a report for each seat and one for the public, with the map."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbem.core.codec import Codec
from pbem.core.dice import EVERYONE, commitment
from pbem.core.orders import Written
from pbem.core.report import Map, Proof, Report
from pbem.core.ruleset import Material, Outcome, Ruleset
from pbem.core.ruleset import Stage as Waiting
from pbem.core.turn import Entry
from pbem.core.views import Die, visible
from pbem.mail.outgoing.compose import Attachment
from pbem.reports.build import Facts, build
from pbem.reports.letters import Letterhead, Over, Welcome
from pbem.reports.render import Rendered
from pbem.service.chance import new_secret, secrets_of
from pbem.service.host import Game, Host, Rendition
from pbem.service.outgoing.post import Envelope, everybody, may_answer, post, seat_head, send_again, sent_before, tell
from pbem.storage.tables import Campaign, Picture, ReportRow, Seat, Stage, Turn, number_of
from pbem.storage.tables import Letter as LetterRow
from pbem.storage.unit import Unit

CODEC = Codec(Report)
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
    dice: tuple[Die, ...]
    orders: Mapping[str, tuple[Written, ...]]
    """Of each seat, those that acted at once first."""
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
    known = tuple(die for die in happened.dice if die.known(seat))
    sealed = tuple(die.roll for die in known if die.seed == own)
    secrets = secrets_of(happened.campaign, happened.stage, happened.letters)
    return Proof(
        commitment=commitment(secrets.stage),
        secret=secrets.stage.hex(),
        letters=happened.letters,
        rolls=tuple(die.roll for die in known if die.seed == EVERYONE),
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


def _mail(
    host: Host,
    unit: Unit,
    campaign: Campaign,
    turn: Turn,
    opened: Stage | None,
    seat: Seat,
    told: Told,
) -> None:
    drawn = told.pictures.get(seat.code)
    picture = drawn.rendition.png if drawn else None
    post(host, unit, *_written(host, unit, _Mailing(campaign, turn, opened, seat, told.reports[seat.code], picture)))


@dataclass(frozen=True)
class _Mailing:
    """A report, and for whom it is."""

    campaign: Campaign
    turn: Turn
    opened: Stage | None
    """The stage that it is to be answered for."""
    seat: Seat
    report: Report
    picture: bytes | None


def _written(host: Host, unit: Unit, mailing: _Mailing) -> tuple[Rendered, Envelope]:
    """The mail with a report, as it reads now: a deadline moves."""
    campaign, seat, report, picture = mailing.campaign, mailing.seat, mailing.report, mailing.picture
    if not any(isinstance(block, Map) for section in report.sections for block in section.blocks):
        picture = None
    cid = f"map-{report.number}@{host.id_domain}"  # Not by the step: its number would tell how much was bargained.
    head = seat_head(host, campaign, seat, mailing.opened, f"cid:{cid}" if picture else None)
    rendered = host.templates.report(report, head)
    envelope = Envelope(
        recipient=unit.campaigns.address(seat),
        cause=report_cause(campaign, seat, mailing.turn),
        campaign=campaign,
        reply_to=head.reply_to,
        realm=head.realm,
        tenure=head.tenure,
        pictures={cid: picture} if picture else {},
        attachments=[Attachment("report.json", "application/json", host.templates.json(report))],
    )
    return rendered, envelope


def report_cause(campaign: Campaign, seat: Seat, turn: Turn) -> str:
    """The outbox's name for a seat's report of a step. Whoever has the seat after somebody else, or gets new tokens, is
    mailed it anew."""
    anew = f" {seat.tenure}" if seat.tenure > 1 else ""
    return f"{campaign.name} report {turn.number} {seat.code}{anew}"


def again(host: Host, unit: Unit, campaign: Campaign, seat: Seat, turn: Turn, answers: LetterRow | None = None) -> bool:
    """Send a seat's report of a step again, with its Message-ID; whether there is one. To an address that has not got
    it, and after new tokens, it is a mail of its own. ``answers`` is the letter that asks for it."""
    row = unit.turns.report(turn, seat.code)
    if row is None:
        return False
    stage = unit.campaigns.stage(turn.stage_id)
    opened = next((each for each in unit.campaigns.stages(campaign) if each.number == stage.number + 1), None)
    picture = unit.turns.picture(row.picture).png if row.picture else None
    mailing = _Mailing(campaign, turn, opened, seat, CODEC.load(row.document), picture)
    rendered, envelope = _written(host, unit, mailing)
    if mail := sent_before(host, unit, campaign, envelope.recipient, envelope.cause):
        send_again(host, unit, mail, rendered, envelope, answers)
    elif may_answer(host, unit, envelope.recipient, answers):
        post(host, unit, rendered, replace(envelope, answers=answers))
    return True


def first_report(host: Host, unit: Unit, found: Game, seat: Seat) -> None:
    """The report with which the open stage began, for somebody who has come since; its map is the public's."""
    step, closed = [(turn, stage) for turn, stage in unit.turns.all(found.campaign) if turn.kind != "act"][-1]
    happened = Happened(found.campaign, found.rules, closed, found.state, found.state, (), (), {}, ())
    report = _report(host, happened, seat.code, seat.name, found.stage.secret)
    public = unit.turns.report(step, PUBLIC)
    picture = public.picture if public else None
    unit.turns.add_report(
        ReportRow(turn_id=number_of(step), seat=seat.code, document=host.templates.json(report), picture=picture)
    )
    again(host, unit, found.campaign, seat, step)


def newest_again(host: Host, unit: Unit, campaign: Campaign, seat: Seat) -> None:
    """Send a seat's newest report again."""
    turns = [turn for turn, _ in unit.turns.all(campaign) if turn.kind != "act"]
    again(host, unit, campaign, seat, turns[-1])


def invitation(
    host: Host, campaign: Campaign, seat: Seat, head: Letterhead, state: Any, *, takes_over: bool = False
) -> Welcome:
    """The welcome of a seat to a campaign as it stands; ``takes_over``: the seat was another's before."""
    rules = host.rules(campaign.ruleset)
    return Welcome(
        head=head,
        about=rules.title,
        part=rules.part(state, seat.code),
        pace="; ".join(f"{kind}: {rule}" for kind, rule in campaign.schedule.items()),
        length=rules.length(state),
        promise=commitment(bytes.fromhex(campaign.sealed_secret)) if rules.sealed else "",
        takes_over=takes_over,
    )


def _mail_the_end(host: Host, unit: Unit, campaign: Campaign, outcome: Outcome) -> None:
    secret = campaign.sealed_secret if host.rules(campaign.ruleset).sealed else ""
    names = {seat.code: seat.name for seat in unit.campaigns.seats(campaign)}
    ranking = tuple(tuple(names[code] for code in rank) for rank in outcome.ranking)
    for head, address in everybody(host, unit, campaign, None):
        tell(host, unit, campaign, address, Over(head, outcome.reason, ranking, secret), f"over {head.realm}")
