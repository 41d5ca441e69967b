"""A report as text, HTML and JSON, whatever the game."""

import json
import re
from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion

from pbem.core.codec import Codec
from pbem.core.proof import read_proof
from pbem.core.report import Report, Section, Text
from pbem.core.ruleset import Entrant
from pbem.packaged import packaged
from pbem.reports.render import MissingTemplate, Templates
from tests.playing import Stage, Table, play
from tests.reports.reporting import report
from tests.reports.samples import HEAD, REPORT
from tests.reports.test_letters import TextFile, words
from tests.toy import TEMPLATES as TOY_TEMPLATES
from tests.toy import TOY

TEMPLATES = Templates()


def test_text_of_a_report_reads_as_it_should(snapshot: SnapshotAssertion) -> None:
    rendered = TEMPLATES.report(REPORT, HEAD)
    assert f"Subject: {rendered.subject}\n\n{rendered.text}" == snapshot(extension_class=TextFile)


def test_html_says_nothing_that_the_text_does_not() -> None:
    rendered = TEMPLATES.report(REPORT, HEAD)
    text = " ".join(rendered.text.split()).casefold()
    assert [word for word in words(rendered.html).casefold().split() if word not in text] == []


def test_alt_of_the_map_stands_in_the_text() -> None:
    rendered = TEMPLATES.report(REPORT, replace(HEAD, picture="cid:map"))
    (alt,) = re.findall(r'alt="([^"]*)"', rendered.html)
    assert alt in " ".join(rendered.text.split())


def test_report_without_a_picture_shows_none() -> None:
    assert "<img" not in TEMPLATES.report(REPORT, HEAD).html


def test_dark_colours_survive_in_the_mail() -> None:
    assert "@media (prefers-color-scheme: dark)" in TEMPLATES.report(REPORT, HEAD).html


def test_folded_section_is_whole_within_its_fold() -> None:
    land = Section("land", "The land", (Text("Hills all over."),), folded=True)
    html = TEMPLATES.report(replace(REPORT, sections=(land,)), HEAD).html
    (fold,) = re.findall(r"<details>.*</details>", html, flags=re.DOTALL)
    assert words(fold) == "1 The land Hills all over."


def test_headings_of_tables_are_marked() -> None:
    html = TEMPLATES.report(REPORT, HEAD).html
    assert (len(re.findall(r'<th[^>]* scope="col"', html)), len(re.findall(r'<th[^>]* scope="row"', html))) == (3, 2)


def test_hostile_names_are_escaped() -> None:
    hostile = '<script>alert("x")</script>'
    named = replace(
        REPORT, title=hostile, headline=hostile, reader=hostile, sections=(Section("", hostile, (Text(hostile),)),)
    )
    html = TEMPLATES.report(named, replace(HEAD, title=hostile, frame=hostile)).html
    assert "<script" not in html


def test_subject_stays_one_line() -> None:
    assert TEMPLATES.report(replace(REPORT, headline="Turn 7\r\nBcc: x"), HEAD).subject == "[dragonis] Turn 7 Bcc: x"


def test_json_holds_the_whole_report() -> None:
    assert Codec(Report).load(TEMPLATES.json(REPORT)) == REPORT


def test_proof_can_be_read_from_the_json() -> None:
    assert read_proof(TEMPLATES.json(REPORT).decode()) == REPORT.proof


# --- any game -----------------------------------------------------------------------------------------------------

GATE = Table(TOY, {}, (Entrant("A", "Ash", {}), Entrant("B", "Birch", {})))
HOUSE = Templates(TOY_TEMPLATES, packaged("templates"))


@pytest.fixture(scope="module")
def stages() -> list[Stage]:
    """A game of cards, by robots."""
    return list(play(GATE, 6))


def test_proof_can_be_read_from_the_mailed_text(stages: list[Stage]) -> None:
    for stage in stages:
        for seat in ("A", "B", None):
            told = report(stage, seat, HOUSE)
            assert read_proof(HOUSE.report(told, HEAD).text) == told.proof


def test_proof_stands_before_the_order_form(stages: list[Stage]) -> None:
    keys = [section.key for seat in ("A", "B") for section in report(stages[0], seat, HOUSE).sections]
    assert keys[keys.index("form") - 1] == "proof"


def test_events_for_programs_are_those_the_seat_may_know(stages: list[Stage]) -> None:
    for stage in stages:
        for seat in ("A", "B", None):
            known = [entry.rule for entry in stage.log if entry.visible(seat)]
            assert [each["rule"] for each in report(stage, seat, HOUSE).events] == known


def test_missing_sentence_is_named(stages: list[Stage]) -> None:
    say = HOUSE.say("toy", None)
    with pytest.raises(MissingTemplate, match=r"reports/toy/sentences.j2 has no macro Section"):
        say(Section("", "", ()))


def test_house_templates_come_before_the_shipped_ones(tmp_path) -> None:
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "words.j2").write_text("{% macro due(head) %}Soon.{% endmacro %}")
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "report.txt.j2").write_text("House style: {{ report.headline }}")
    assert Templates(tmp_path, packaged("templates")).report(REPORT, HEAD).text == f"House style: {REPORT.headline}\n"


def test_json_is_one_line_of_sorted_keys() -> None:
    document = json.loads(TEMPLATES.json(REPORT))
    assert (
        TEMPLATES.json(REPORT)
        == json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    )
