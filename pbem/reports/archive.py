"""The archive: static pages. ``public/`` holds what everybody may know, ``mailed/`` every report as it was mailed.

When a game is over, its battles get pages of their own beside those of the stages in which they were fought.
"""

import hashlib
import os
import re
import tempfile
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from pbem.core.codec import Codec
from pbem.core.report import Report, Story
from pbem.reports.letters import Letterhead
from pbem.reports.render import Templates

TIMELINE = "timeline.json"
"""In each campaign's public folder: what the archive holds of it, the oldest first."""
BATTLES = "battles.json"
"""Beside it when the game is over: its battles. It is the last file of them, so if it is there all pages are."""


@dataclass(frozen=True)
class Chapter:
    """One page of a campaign."""

    number: int
    """Of the stage in the campaign."""
    name: str
    """Of its files: ``07-turn-4-meetings``."""
    stage: str
    headline: str
    closed: str
    """When the stage was closed, ISO 8601."""
    picture: str = ""
    """File name of the map; nothing: there is none."""

    @property
    def at(self) -> datetime:
        """When the stage was closed."""
        return datetime.fromisoformat(self.closed)


@dataclass(frozen=True)
class Timeline:
    """A campaign in the archive."""

    campaign: str
    title: str
    zone: str
    chapters: tuple[Chapter, ...] = ()

    @property
    def folder(self) -> str:
        """The folder of its pages."""
        return slug(self.campaign)

    def including(self, chapter: Chapter) -> "Timeline":
        """With a chapter in its place, instead of an earlier writing of it."""
        others = (each for each in self.chapters if each.number != chapter.number)
        return replace(self, chapters=tuple(sorted((*others, chapter), key=lambda each: each.number)))


@dataclass(frozen=True)
class Battle:
    """A battle that has a page, for the game is over."""

    chapter: str
    """The name of the page of its stage."""
    name: str
    """Of its file: ``07-turn-4-meetings-battle-1``."""
    stage: str
    story: Story


@dataclass(frozen=True)
class Battles:
    """All battles of a campaign that is over, the first first; of one that is not, none."""

    fought: tuple[Battle, ...] = ()

    def of(self, chapter: Chapter) -> tuple[Battle, ...]:
        """Those of a stage."""
        return tuple(battle for battle in self.fought if battle.chapter == chapter.name)


CODEC = Codec(Timeline, Battles, Report)


class Archive:
    """Writes pages under ``folder``. Each file appears whole or not at all; writing a page again changes nothing."""

    def __init__(self, folder: Path, templates: Templates) -> None:
        self._public = folder / "public"
        self._mailed = folder / "mailed"
        self._templates = templates

    def publish(self, report: Report, closed: datetime, zone: str = "UTC", picture: bytes | None = None) -> Path:
        """Put the public report of a stage into the archive; where its page lies. ``picture`` is the map as PNG.

        Raises ``ValueError`` for the report of a seat.
        """
        if report.seat is not None:
            raise ValueError("a seat's report is not for everybody")
        folder, name = self._public / slug(report.campaign), name_of(report)
        write_all(folder, {f"{name}.json": self._templates.json(report), f"{name}.png": picture})
        chapter = Chapter(
            report.number, name, report.stage, report.headline, closed.isoformat(), f"{name}.png" if picture else ""
        )
        timeline = _timeline(folder, Timeline(report.campaign, report.title, zone)).including(chapter)
        write_all(folder, {TIMELINE: CODEC.dump(timeline), **self._pages(folder, timeline, chapter)})
        write_all(self._public, {"index.html": self._front_page()})
        return folder / f"{name}.html"

    def tells_battles(self, campaign: str) -> bool:
        """Whether the archive holds the battles of a campaign."""
        folder = self._public / slug(campaign)
        pages = (folder / f"{battle.name}.html" for battle in _battles(folder).fought)
        return (folder / BATTLES).is_file() and all(page.is_file() for page in pages)

    def tell_battles(self, campaign: str, stories: Mapping[int, Sequence[Story]]) -> None:
        """Give each battle of a campaign that is over a page, and link it from that of its stage.

        ``stories`` has them by the number of the stage; the pages of the stages must be there.
        """
        folder = self._public / slug(campaign)
        timeline: Timeline = CODEC.load((folder / TIMELINE).read_bytes())
        battles = Battles(
            tuple(
                Battle(chapter.name, f"{chapter.name}-battle-{place}", chapter.stage, story)
                for chapter in timeline.chapters
                for place, story in enumerate(stories.get(chapter.number, ()), 1)
            )
        )
        write_all(folder, self._battle_pages(timeline, battles))
        write_all(folder, self._chapters(folder, timeline, battles, range(len(timeline.chapters))))
        write_all(folder, {BATTLES: CODEC.dump(battles)})

    def keep(self, report: Report, head: Letterhead, picture: bytes | None = None) -> None:
        """Keep a report as it was mailed, in a folder that only the server's own user may enter."""
        name = name_of(report)
        rendered = self._templates.report(report, replace(head, picture=f"{name}.png" if picture else None))
        self._mailed.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_all(
            self._mailed / slug(report.campaign) / slug(report.seat or "public"),
            {
                f"{name}.html": rendered.html.encode(),
                f"{name}.txt": f"Subject: {rendered.subject}\n\n{rendered.text}".encode(),
                f"{name}.json": self._templates.json(report),
                f"{name}.png": picture,
            },
        )

    def _pages(self, folder: Path, timeline: Timeline, new: Chapter) -> dict[str, bytes]:
        """The page of a new chapter, those beside it, which now have it for a neighbour, and the campaign's index."""
        place = timeline.chapters.index(new)
        near = range(max(place - 1, 0), min(place + 2, len(timeline.chapters)))
        return self._chapters(folder, timeline, _battles(folder), near)

    def _chapters(self, folder: Path, timeline: Timeline, battles: Battles, places: Sequence[int]) -> dict[str, bytes]:
        """The pages of the chapters in some places, and the campaign's index."""
        pages = {
            f"{timeline.chapters[each].name}.html": self._chapter(folder, timeline, battles, each) for each in places
        }
        index = self._templates.page("web/campaign", timeline=timeline, battles=battles)
        return {**pages, "index.html": index.encode()}

    def _chapter(self, folder: Path, timeline: Timeline, battles: Battles, place: int) -> bytes:
        chapter = timeline.chapters[place]
        page = self._templates.page(
            "web/turn",
            report=CODEC.load((folder / f"{chapter.name}.json").read_bytes()),
            head=Letterhead(timeline.campaign, timeline.title, chapter.at, picture=chapter.picture or None),
            chapter=chapter,
            zone=timeline.zone,
            battles=battles.of(chapter),
            earlier=timeline.chapters[place - 1] if place else None,
            later=timeline.chapters[place + 1] if place + 1 < len(timeline.chapters) else None,
        )
        return page.encode()

    def _battle_pages(self, timeline: Timeline, battles: Battles) -> dict[str, bytes]:
        """The page of each battle, and their index."""
        head = Letterhead(timeline.campaign, timeline.title, timeline.chapters[-1].at)
        facts = {"timeline": timeline, "battles": battles, "head": head}
        pages = {
            f"{battle.name}.html": self._templates.page(
                "web/battle",
                **facts,
                battle=battle,
                earlier=battles.fought[place - 1] if place else None,
                later=battles.fought[place + 1] if place + 1 < len(battles.fought) else None,
            ).encode()
            for place, battle in enumerate(battles.fought)
        }
        return {**pages, "battles.html": self._templates.page("web/battles", **facts).encode()} if pages else {}

    def _front_page(self) -> bytes:
        files = sorted(self._public.glob(f"*/{TIMELINE}"))
        timelines = [CODEC.load(file.read_bytes()) for file in files]
        return self._templates.page("web/index", timelines=timelines).encode()


def _timeline(folder: Path, fresh: Timeline) -> Timeline:
    file = folder / TIMELINE
    if not file.is_file():
        return fresh
    held: Timeline = CODEC.load(file.read_bytes())
    return replace(fresh, chapters=held.chapters)


def _battles(folder: Path) -> Battles:
    file = folder / BATTLES
    battles: Battles = CODEC.load(file.read_bytes()) if file.is_file() else Battles()
    return battles


# --- files --------------------------------------------------------------------------------------------------------


def name_of(report: Report) -> str:
    """The name of a report's files. It tells nothing but which stage: ``07-turn-4-meetings``."""
    return f"{report.number:02}-{slug(report.stage)}"


def slug(text: str) -> str:
    """Letters, digits and hyphens of a text: a file's name that is safe everywhere. A hash if none are left."""
    plain = unicodedata.normalize("NFKD", text.casefold()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or hashlib.sha256(text.encode()).hexdigest()[:8]


def write_all(folder: Path, files: Mapping[str, bytes | None]) -> None:
    """Write files into a folder, each at one stroke; ``None`` is left out."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        if content is not None:
            _write(folder / name, content)


def _write(file: Path, content: bytes) -> None:
    with tempfile.NamedTemporaryFile(dir=file.parent, prefix=".", delete=False) as draft:
        try:
            draft.write(content)
            draft.flush()
            os.chmod(draft.name, 0o644)
            os.replace(draft.name, file)
        except BaseException:
            os.unlink(draft.name)
            raise
