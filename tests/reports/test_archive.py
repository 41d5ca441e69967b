"""The archive on disk."""

import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.core.report import Section, Story, Text
from pbem.reports.archive import Archive, name_of, slug
from pbem.reports.render import Templates
from tests.reports.samples import HEAD, NOW, REPORT

PICTURE = b"\x89PNG picture"
PUBLIC = replace(REPORT, seat=None, reader="")


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(tmp_path, Templates())


def files(folder: Path) -> list[str]:
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())


def test_public_page_lies_with_its_picture_and_document(archive: Archive, tmp_path: Path) -> None:
    page = archive.publish(PUBLIC, NOW, "Europe/Berlin", PICTURE)
    assert page == tmp_path / "public/dragonis/13-turn-7-full-report.html"
    assert files(tmp_path) == [
        "public/dragonis/13-turn-7-full-report.html",
        "public/dragonis/13-turn-7-full-report.json",
        "public/dragonis/13-turn-7-full-report.png",
        "public/dragonis/index.html",
        "public/dragonis/timeline.json",
        "public/index.html",
    ]


def test_public_page_needs_nothing_but_its_folder(archive: Archive) -> None:
    page = archive.publish(PUBLIC, NOW, "UTC", PICTURE).read_text()
    assert re.findall(r'(?:src|href)="([^"]*)"', page) == [
        "./",
        "13-turn-7-full-report.png",  # To open it.
        "13-turn-7-full-report.png",
        "13-turn-7-full-report.json",
        "./",
    ]
    assert "<script" not in page


def test_seats_report_is_refused_as_a_public_page(archive: Archive, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not for everybody"):
        archive.publish(REPORT, NOW)
    assert files(tmp_path) == []


def test_pages_of_a_campaign_are_linked_in_order(archive: Archive, tmp_path: Path) -> None:
    for number, turn in ((14, 8), (12, 6), (13, 7)):
        told = replace(PUBLIC, number=number, stage=f"Turn {turn}", headline=f"Turn {turn} it was")
        archive.publish(told, NOW + timedelta(days=turn))
    middle = (tmp_path / "public/dragonis/13-turn-7.html").read_text()
    assert re.findall(r'href="([^"]*)" rel="(prev|next)"', middle)[:2] == [
        ("12-turn-6.html", "prev"),
        ("14-turn-8.html", "next"),
    ]
    index = (tmp_path / "public/dragonis/index.html").read_text()
    assert re.findall(r"Turn \d it was(?=</a>)", index) == ["Turn 8 it was", "Turn 7 it was", "Turn 6 it was"]


def test_front_page_lists_every_campaign(archive: Archive, tmp_path: Path) -> None:
    archive.publish(PUBLIC, NOW)
    archive.publish(replace(PUBLIC, campaign="north", title="North & South"), NOW)
    front = (tmp_path / "public/index.html").read_text()
    assert re.findall(r'<a href="([^"]*)">([^<]*)</a>', front) == [
        ("dragonis/", "The Dragonis War"),
        ("north/", "North &amp; South"),
    ]


def test_battles_of_a_game_that_is_over_are_linked_in_order_across_its_stages(archive: Archive, tmp_path: Path) -> None:
    for number in (9, 10, 100):
        archive.publish(replace(PUBLIC, number=number, stage=f"Turn {number}"), NOW)
    assert not archive.tells_battles("dragonis")
    fought = {100: [story("19 Ford")], 9: [story("14 <Gate>"), story("14 <Gate>")]}
    archive.tell_battles("dragonis", fought)
    assert archive.tells_battles("dragonis")
    first, second, last = "09-turn-9-battle-1", "09-turn-9-battle-2", "100-turn-100-battle-1"
    page = {name: (tmp_path / f"public/dragonis/{name}.html").read_text() for name in (first, second, last, "battles")}
    ways = {name: re.findall(r'href="([^"]*)\.html" rel="(prev|next)"', page[name])[:2] for name in page}
    assert ways[second] == [(first, "prev"), (last, "next")]
    assert ways[first][0] == (second, "next")
    assert re.findall(r'href="([^"]*-battle-\d)\.html"', page["battles"]) == [first, second, last]
    assert "The battle in 14 &lt;Gate&gt;" in page["battles"]


def story(place: str) -> Story:
    return Story("Thorn against Larks.", Section("battle", f"The battle in {place}", (Text("It went on."),)))


def test_a_game_without_battles_has_no_pages_for_them(archive: Archive, tmp_path: Path) -> None:
    archive.publish(PUBLIC, NOW)
    archive.tell_battles("dragonis", {})
    assert archive.tells_battles("dragonis")
    assert not (tmp_path / "public/dragonis/battles.html").exists()
    assert 'href="battle' not in (tmp_path / "public/dragonis/index.html").read_text()


def test_publishing_again_changes_nothing(archive: Archive, tmp_path: Path) -> None:
    archive.publish(PUBLIC, NOW, "UTC", PICTURE)
    before = {name: (tmp_path / name).read_bytes() for name in files(tmp_path)}
    archive.publish(PUBLIC, NOW, "UTC", PICTURE)
    assert {name: (tmp_path / name).read_bytes() for name in files(tmp_path)} == before


def test_mailed_report_is_kept_apart_and_closed_to_others(archive: Archive, tmp_path: Path) -> None:
    archive.keep(REPORT, HEAD, PICTURE)
    assert files(tmp_path) == [
        f"mailed/dragonis/a/13-turn-7-full-report.{end}" for end in ("html", "json", "png", "txt")
    ]
    assert (tmp_path / "mailed").stat().st_mode & 0o077 == 0
    assert 'src="13-turn-7-full-report.png"' in (tmp_path / "mailed/dragonis/a/13-turn-7-full-report.html").read_text()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Turn 4, meetings", "turn-4-meetings"),
        ("../../etc/passwd", "etc-passwd"),
        ("Größe", "grosse"),
        ("日本", "cf2abf0c"),
    ],
)
def test_slug_is_safe_as_a_name(text: str, name: str) -> None:
    assert slug(text) == name


def test_name_of_a_report_tells_only_the_stage() -> None:
    assert name_of(REPORT) == "13-turn-7-full-report"
