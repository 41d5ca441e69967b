"""The archive beside the database it is written from: what it holds while a campaign runs, and what when it is over."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from html import unescape
from pathlib import Path

import pytest

from pbem.core.report import Items, Report, Section, Story
from pbem.core.ruleset import Material
from pbem.reports.archive import BATTLES, CODEC, Battles
from pbem.rulesets.nippon import NIPPON
from pbem.service.host import Host
from pbem.service.stages import archiving
from tests.service.conftest import DUEL, Clock, Club, host_on, text_of
from tests.service.test_disputes import MEETING, met

STORMING = {"A Iron Wall": 6}
"""Before a neutral village."""

Account = tuple[int, Section]
"""What fighters are told of a battle, with the number of the stage."""


@dataclass
class War:
    """A campaign of two turns, in the first of which a site is stormed and two realms meet; nobody sends a word."""

    host: Host
    shown: list[tuple[dict[str, str], list[Account]]] = field(default_factory=list)
    """After each stage but the last: the public pages, and what fighters had been told by then."""


@pytest.fixture(scope="module")
def war(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Iterator[War]:
    """Over. Played once for all tests, of which none writes to the database."""
    folder = tmp_path_factory.mktemp("war")
    shutil.copy(empty_database, folder / "pbem.sqlite")
    clock = Clock()
    war = War(host_on(folder / "pbem.sqlite", clock))
    club = met(
        war.host, clock, DUEL.replace('"duel" }', '"duel", battles = "auto", end_turn = 2 }'), MEETING | STORMING
    )
    while goes_on(club):
        archiving.write(war.host, folder)
        war.shown.append((pages(folder), list(accounts(war.host))))
        clock.go(days=7)
        club.run()
    yield war
    war.host.engine.dispose()


def goes_on(club: Club) -> bool:
    """Whether the campaign goes on."""
    with club.host.unit() as unit:
        return unit.campaigns.all()[0].status != "over"


def pages(folder: Path) -> dict[str, str]:
    """All files that everybody may read, by name."""
    public = archiving.public(folder)
    return {str(file.relative_to(public)): file.read_text() for file in public.rglob("*") if file.is_file()}


def published(folder: Path) -> Battles:
    """The battles in the archive."""
    battles: Battles = CODEC.load(pages(folder)[f"duel/{BATTLES}"].encode())
    return battles


def accounts(host: Host) -> Iterator[Account]:
    """What fighters have been told of their battles so far."""
    with host.unit() as unit:
        rows = unit.turns.reports(unit.campaigns.all()[0])
    reports: Iterator[Report] = (CODEC.load(row.document) for row, _, _ in rows if row.seat)
    return ((told.number, each) for told in reports for each in told.sections if each.key.startswith("battle "))


def sentences(section: Section) -> set[str]:
    """How each round of an account begins."""
    items = (block for block in section.blocks if isinstance(block, Items))
    return {text.partition(". ")[0] for each in items for _, text in each.items}


def test_a_report_is_archived_as_it_was_mailed_however_late(club: Club, tmp_path: Path) -> None:
    mailed = next(mail for mail in club.mails() if mail.recipient == "ana@example.org" and "report" in mail.cause)
    club.clock.go(days=9)
    archiving.write(club.host, tmp_path)
    (kept,) = (tmp_path / "archive" / "mailed" / "gate" / "a").glob("*.txt")
    assert kept.read_text().partition("\n\n")[2].strip() == text_of(mailed).strip()


def test_while_a_campaign_runs_nobody_else_reads_how_its_battles_went(war: War) -> None:
    for shown, told in war.shown:
        everything = unescape("".join(shown.values()))
        assert not [begun for _, section in told for begun in sentences(section) if begun in everything]
        assert not [name for name in shown if "battle" in name]
    assert war.shown[-1][1], "there were battles by then"


def test_when_it_is_over_everybody_reads_what_the_fighters_were_told(war: War, tmp_path: Path) -> None:
    archiving.write(war.host, tmp_path)
    shown, told = pages(tmp_path), list(accounts(war.host))
    here = [
        (int(each.name[:2]), each.story.section.title, each.story.section.blocks) for each in published(tmp_path).fought
    ]
    assert {*here} == {(number, section.title, section.blocks) for number, section in told}
    assert len({*here}) == len(here) < len(told), "both sides were told of the battle of the two realms"
    for each in published(tmp_path).fought:
        page = unescape(shown[f"duel/{each.name}.html"])
        assert [begun for begun in sentences(each.story.section) if begun not in page] == []
    assert [name for name, page in shown.items() if "@example.org" in page] == []


def test_every_battle_is_reached_from_its_stage_and_from_the_campaign(war: War, tmp_path: Path) -> None:
    archiving.write(war.host, tmp_path)
    shown = pages(tmp_path)
    assert 'href="battles.html"' in shown["duel/index.html"]
    for each in published(tmp_path).fought:
        link = f'href="{each.name}.html"'
        assert link in shown[f"duel/{each.chapter}.html"]
        assert link in shown["duel/battles.html"]
        assert f'href="{each.chapter}.html"' in shown[f"duel/{each.name}.html"]


def test_the_archive_can_be_thrown_away_with_its_battles(war: War, tmp_path: Path) -> None:
    """It comes back the same, also where one page is lost; and to write it again changes nothing."""
    archiving.write(war.host, tmp_path)
    whole = pages(tmp_path)
    assert archiving.write(war.host, tmp_path) == 0
    archiving.write(war.host, tmp_path / "anew")
    assert pages(tmp_path) == pages(tmp_path / "anew") == whole
    battle = published(tmp_path).fought[0]
    for name in (battle.name, battle.chapter):
        (archiving.public(tmp_path) / "duel" / f"{name}.html").unlink()
        archiving.write(war.host, tmp_path)
        assert pages(tmp_path) == whole


def test_battles_that_could_not_be_written_are_written_the_next_time(war: War, tmp_path: Path) -> None:
    in_the_way = archiving.public(tmp_path) / "duel" / "battles.html"
    in_the_way.mkdir(parents=True)
    with pytest.raises(IsADirectoryError):
        archiving.write(war.host, tmp_path)
    assert f"duel/{BATTLES}" not in pages(tmp_path)
    in_the_way.rmdir()
    archiving.write(war.host, tmp_path)
    archiving.write(war.host, tmp_path / "anew")
    assert pages(tmp_path) == pages(tmp_path / "anew"), "no draft is left over"


def test_battles_that_cannot_be_told_keep_no_report_from_the_archive(
    war: War, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def stories(material: Material) -> tuple[Story, ...]:
        raise ZeroDivisionError

    host = replace(war.host, rulesets={"nippon": replace(NIPPON, stories=stories)})
    assert archiving.write(host, tmp_path) > 0
    assert "no battles in the archive of duel" in caplog.text
    assert [name for name in pages(tmp_path) if "battle" in name] == []
    assert war.shown[-1][0].keys() < pages(tmp_path).keys()
