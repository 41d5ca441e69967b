"""Write the archive from the stored reports. It can be thrown away and written again at any time."""

from dataclasses import dataclass, replace
from pathlib import Path

from pbem.core.report import Report
from pbem.reports.archive import Archive, name_of, slug
from pbem.reports.letters import Letterhead
from pbem.service.host import Host
from pbem.service.outgoing.post import seat_head
from pbem.service.outgoing.telling import CODEC
from pbem.storage.tables import Campaign, ReportRow, Stage, Turn
from pbem.storage.unit import Unit


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
    """Write every stored report that the archive lacks; how many."""
    with host.unit() as unit:
        return sum(
            _Writer(host, unit, folder(data), campaign).write(row, turn, stage)
            for campaign in unit.campaigns.all()
            for row, turn, stage in unit.turns.reports(campaign)
        )
