"""Write the archive from the stored reports, and the battles of games that are over from what is stored of the turns.

It can be thrown away and written again at any time.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sqlalchemy.exc import InterfaceError, OperationalError

from pbem.core.report import Report, Story
from pbem.core.ruleset import Material, Ruleset
from pbem.core.turn import Entry
from pbem.reports.archive import Archive, name_of, slug
from pbem.reports.letters import Letterhead
from pbem.service import steps
from pbem.service.host import Host
from pbem.service.outgoing.post import seat_head
from pbem.service.outgoing.telling import CODEC
from pbem.storage.tables import Campaign, ReportRow, Stage, Turn
from pbem.storage.unit import Unit

log = logging.getLogger(__name__)


def folder(data: Path) -> Path:
    """The archive in the data folder."""
    return data / "archive"


def public(data: Path) -> Path:
    """The part of the archive that everybody may read."""
    return folder(data) / "public"


@dataclass(frozen=True)
class _Writer:
    """What it takes to write the pages of a campaign."""

    host: Host
    unit: Unit
    folder: Path
    campaign: Campaign

    @property
    def archive(self) -> Archive:
        return Archive(self.folder, self.host.templates)

    def write(self, row: ReportRow, turn: Turn, stage: Stage) -> bool:
        """Write a report, unless it is there; whether it was written."""
        report: Report = CODEC.load(row.document)
        if self._page(report, row.seat).exists():
            return False
        picture = self.unit.turns.picture(row.picture).png if row.picture else None
        if row.seat:
            self.archive.keep(report, replace(self._head(row.seat, stage), now=turn.resolved_at), picture)
        else:
            self.archive.publish(report, turn.resolved_at, self.campaign.zone, picture)
        return True

    def _page(self, report: Report, seat: str) -> Path:
        campaign = slug(self.campaign.name)
        home = self.folder / "mailed" / campaign / slug(seat) if seat else self.folder / "public" / campaign
        return home / f"{name_of(report)}.html"

    def _head(self, code: str, stage: Stage) -> Letterhead:
        """As it was mailed: with the address for the stage that opened then."""
        seat = next(each for each in self.unit.campaigns.seats(self.campaign) if each.code == code)
        stages = self.unit.campaigns.stages(self.campaign)
        return seat_head(
            self.host, self.campaign, seat, next((each for each in stages if each.number == stage.number + 1), None)
        )


def write(host: Host, data: Path) -> int:
    """Write every stored report that the archive lacks, and the battles of games that are over; how many reports."""
    with host.unit() as unit:
        campaigns = unit.campaigns.all()
        written = sum(
            _Writer(host, unit, folder(data), campaign).write(row, turn, stage)
            for campaign in campaigns
            for row, turn, stage in unit.turns.reports(campaign)
        )
    for campaign in campaigns:
        if campaign.status == "over":
            _try_battles(host, Archive(folder(data), host.templates), campaign)
    return written


# --- battles ------------------------------------------------------------------------------------------------------


def _try_battles(host: Host, archive: Archive, campaign: Campaign) -> None:
    """Write the battles of a game that is over, unless they are there.

    What fails in rules or wording must not keep other games from being archived: it is logged, and tried again the next
    time. Where database or disk fail, the error is raised.
    """
    try:
        if not archive.tells_battles(campaign.name):
            archive.tell_battles(campaign.name, _stories(host, campaign))
    except (OperationalError, InterfaceError, OSError):
        raise
    except Exception:
        log.exception("no battles in the archive of %s", campaign.name)


def _stories(host: Host, campaign: Campaign) -> Mapping[int, Sequence[Story]]:
    """How the battles of a game that is over went, by the number of the stage."""
    with host.reading() as unit:
        stages, last = unit.campaigns.stages(campaign), unit.turns.last(campaign)
    rules = host.rules(campaign.ruleset)
    view = rules.view(host.state(campaign, last), None)
    say = host.templates.say(rules.name, view)
    return {
        stage.number: rules.stories(Material(None, view, view, _log(host, rules, stage), (), say)) for stage in stages
    }


def _log(host: Host, rules: Ruleset, stage: Stage) -> tuple[Entry, ...]:
    """Everything that happened in a stage. Each is read by itself: those of a long game are large."""
    with host.reading() as unit:
        turns = unit.turns.of_stage(stage)
    return tuple(entry for turn in turns for entry in steps.entries(rules, turn.events))
