"""Every letter reads as it should, in text and HTML."""

import html
import re
from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from pbem.core.orders import Fault, Line, Sheet
from pbem.reports import letters
from pbem.reports.render import Templates
from tests.reports.samples import HEAD, LETTERS, acknowledgement

TEMPLATES = Templates()


class TextFile(SingleFileSnapshotExtension):
    """Snapshots one can read: a text file each."""

    _write_mode = WriteMode.TEXT
    file_extension = "txt"


def words(page: str) -> str:
    """What a browser shows of a page, on one line."""
    body = re.sub(r"<(style|title)>.*?</\1>", " ", page, flags=re.DOTALL)
    body = body.replace(":</b>", "</b>")  # In the text a column stands for the colon.
    buttons = re.sub(r'<a class="button".*?</a>', " ", body, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", buttons)).split())


@pytest.mark.parametrize("name", LETTERS)
def test_letter_reads_as_it_should(name: str, snapshot: SnapshotAssertion) -> None:
    rendered = TEMPLATES.mail(LETTERS[name])
    assert f"Subject: {rendered.subject}\n\n{rendered.text}" == snapshot(extension_class=TextFile)


@pytest.mark.parametrize("name", LETTERS)
def test_letter_has_every_word_of_its_html_in_its_text(name: str) -> None:
    rendered = TEMPLATES.mail(LETTERS[name])
    text = " ".join(rendered.text.split()).casefold()
    missing = [word for word in words(rendered.html).casefold().split() if word not in text]
    assert missing == []


@pytest.mark.parametrize("name", LETTERS)
def test_letter_fits_a_terminal(name: str) -> None:
    longest = max(TEMPLATES.mail(LETTERS[name]).text.splitlines(), key=len)
    assert longest[80:] == ""


def test_label_and_sentence_on_one_line_are_kept_apart() -> None:
    page = TEMPLATES.mail(LETTERS["status"]).html
    assert "<b>Deadline:</b> Turn 7" in page
    assert "<b>Lost?</b> Reply" in page


def test_letter_escapes_what_others_wrote() -> None:
    hostile = '<img src=x onerror="alert(1)">'
    line = Line(1, hostile)
    ack = acknowledgement(
        head=replace(HEAD, person=hostile, realm=hostile, title=hostile),
        sheet=Sheet(faults=(Fault(line, hostile, hostile, hostile, hostile),), ignored=(line,)),
        examples=(hostile,),
        dropped=(hostile,),
        done=(hostile,),
    )
    assert "<img" not in TEMPLATES.mail(ack).html


@pytest.mark.parametrize("cls", [*letters.Letter.__subclasses__(), letters.Unknown, letters.Unread])
def test_letter_of_every_kind_is_among_the_samples(cls: type) -> None:
    assert any(type(letter) is cls for letter in LETTERS.values())


def test_what_happens_otherwise_is_told_once_for_faults_for_which_it_is_the_same() -> None:
    faults = tuple(
        Fault(Line(number, f"line {number}"), subject, "It is wrong.", otherwise=otherwise)
        for number, (subject, otherwise) in enumerate(
            [("Army", "the ready-made army"), ("Navy", "no ships"), ("Army", "the ready-made army")], 1
        )
    )
    ack = acknowledgement(sheet=Sheet(faults=faults))
    assert [ack.otherwise(fault) for fault in ack.faults] == ["", "no ships", "the ready-made army"]
