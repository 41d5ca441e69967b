"""Seats that nobody has yet: whoever wants one asks for it by mail, until the stage in which that can be done ends.

If it ends with fewer seats than the game needs, its deadline moves once by the length of the stage. After that the
clock of the campaign is stopped, and its organizer decides.
"""

from pbem.core.ruleset import Ruleset
from pbem.reports.letters import Announcement
from pbem.reports.when import moment
from pbem.service.host import Host
from pbem.service.outgoing.overview import overview, send
from pbem.service.outgoing.post import seat_head, tell
from pbem.service.stages.remind import reached
from pbem.storage.tables import Campaign, Stage
from pbem.storage.unit import Unit


def at_stage(rules: Ruleset, kind: str) -> bool:
    """Whether free seats can be taken in a stage of this kind."""
    return rules.admission is not None and rules.admission.stage == kind


def left(unit: Unit, campaign: Campaign) -> int:
    """How many seats nobody has yet."""
    return max(0, campaign.joining.get("seats", 0) - unit.campaigns.joined(campaign)) if campaign.joining else 0


def awaited(host: Host, unit: Unit, campaign: Campaign, stage: Stage) -> bool:
    """Whether a stage waits for somebody who joins: it does not end early then, though all who are there are done."""
    return bool(campaign.joining) and at_stage(host.rules(campaign.ruleset), stage.kind) and left(unit, campaign) > 0


def missing(host: Host, unit: Unit, campaign: Campaign, stage: Stage) -> int:
    """How many players the game needs before a stage can end."""
    rules = host.rules(campaign.ruleset)
    if not campaign.joining or not at_stage(rules, stage.kind):
        return 0
    return max(0, rules.seats(campaign.options)[0] - len(unit.campaigns.seats(campaign)))


def offer(host: Host, campaign: Campaign) -> str:
    """What the organizer may pass on to those who might want a seat."""
    code = ", and the code in the same mail" if campaign.joining["how"] == "code" else ""
    seats = campaign.joining["seats"]
    free = "One seat is free" if seats == 1 else f"{seats} seats are free"
    return f'{free}: write "JOIN {campaign.name} as NAME OF REALM with ARMY" to {host.address}{code}.'


def put_off(host: Host, unit: Unit, stage_id: int) -> bool:
    """Whether a stage that is due cannot end, for there are too few players: then more time is given, or the clock is
    stopped, and it is told."""
    stage = unit.campaigns.claim_stage(stage_id)
    campaign = unit.campaigns.get(stage.campaign_id)
    if (stage.status, campaign.status) != ("open", "running") or not (few := missing(host, unit, campaign, stage)):
        return False
    if not campaign.joining.get("put_off"):
        campaign.joining = {**campaign.joining, "put_off": True}
        _give_time(host, unit, campaign, stage, few)
    else:
        campaign.status, campaign.paused_at = "paused", host.clock()
        stopped = (
            f"Still {_players(few)} too few: the clock is stopped. Seats can be taken; then send extend 3d and resume."
        )
        _tell(host, unit, campaign, stopped)
    unit.campaigns.audit(campaign, host.clock(), "server", f"put off the end of {stage.title}, {few} too few")
    return True


def _give_time(host: Host, unit: Unit, campaign: Campaign, stage: Stage, few: int) -> None:
    now = host.clock()
    was = stage.deadline or now
    stage.deadline = max(was, now) + (was - stage.opened_at)
    stage.reminded = reached(host, stage, now)
    for seat in unit.campaigns.seats(campaign):
        until = f"The deadline is now {moment(stage.deadline, seat.zone)}."
        news = Announcement(
            seat_head(host, campaign, seat, stage), "more time to join", (f"{_players(few)} too few so far.", until)
        )
        tell(host, unit, campaign, unit.campaigns.address(seat), news, f"put off {stage.number} {seat.code}")
    until = moment(stage.deadline, campaign.zone)
    _tell(host, unit, campaign, f"{_players(few)} too few: {stage.title} now ends {until}. That happens only once.")


def _players(few: int) -> str:
    return "One player" if few == 1 else f"{few} players"


def _tell(host: Host, unit: Unit, campaign: Campaign, sentence: str) -> None:
    letter = overview(host, unit, campaign, topic="too few players", besides=None, done=(sentence,))
    number = len(unit.campaigns.audits(campaign))
    send(host, unit, campaign, letter, f"too few {number}")
