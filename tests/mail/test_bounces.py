"""Reports on mails of ours: what is read from them, and what is none."""

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.mail.mime import read_part
from pbem.mail.reading.bounces import Fate, Report
from pbem.mail.reading.bounces import read_report as read_report_in
from pbem.mail.status_codes import read_status, severity

FOLDER = Path(__file__).parent.parent / "bounces"
RETURN_PATH = "orders+b2-k7q2abcdef@campaigns.example"
NONE = ("read-receipt", "vacation")
"""What comes to a return path and is no report."""


def raw(name: str) -> bytes:
    return (FOLDER / f"{name}.eml").read_bytes()


def read_report(mail: bytes) -> Report | None:
    return read_report_in(read_part(mail), mail)


def report(name: str) -> Report:
    found = read_report(raw(name))
    assert found is not None
    return found


REPORTS = {
    "postfix-unknown-user": ("failed", "5.1.1", "hard", "User unknown in virtual mailbox table"),
    "postfix-delayed": ("delayed", "4.4.1", "soft", "connect to mail.example.org[192.0.2.25]:25: Connection timed out"),
    "exim-formal": ("failed", "5.2.2", "soft", "552 5.2.2 Mailbox is over quota"),
    "exim-words": ("failed", "", "hard", "Unrouteable address"),
    "qmail": ("failed", "5.1.1", "hard", "Sorry, no mailbox here by that name. (#5.1.1)"),
    "microsoft-365": ("failed", "5.1.10", "hard", "RESOLVER.ADR.RecipientNotFound"),
    "gmail": ("failed", "5.2.1", "soft", "550-5.2.1 The email account that you tried to reach is inactive."),
    "sendmail-expired": ("failed", "4.4.7", "soft", ""),
    "yahoo-words": ("failed", "5.1.1", "hard", "Recipient address rejected: User unknown"),
    "yahoo-formal": ("failed", "5.0.0", "hard", "This user doesn't have an example.org account"),
    "domino": ("failed", "5.0.0", "hard", "User ana (ana@example.org) not listed in Domino Directory"),
    "relay-policy": ("failed", "5.7.1", "soft", "blocked using a blocklist"),
    "japanese": ("failed", "5.1.1", "hard", "550 5.1.1 宛先のユーザーが見つかりません"),
    "arf-yahoo": ("complaint", "", "soft", "abuse"),
    "arf-redacted": ("complaint", "", "soft", "abuse"),
    "arf-not-spam": ("other", "", "soft", "not-spam"),
    "arf-auth-failure": ("other", "", "soft", "auth-failure"),
}
WORDS_ONLY = ("exim-words", "qmail", "yahoo-words")


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("name", REPORTS)
def test_what_became_of_a_mail_is_read(name: str, line_end: bytes) -> None:
    found = read_report(raw(name).replace(b"\n", line_end))
    assert found is not None
    (fate,) = found.fates
    kind, status, how_bad, said = REPORTS[name]
    assert (fate.kind, fate.status, severity(fate.status, fate.diagnostic)) == (kind, status, how_bad)
    assert said in fate.diagnostic
    assert fate.addresses == (() if name == "arf-redacted" else ("ana@example.org",))


@pytest.mark.parametrize("name", [name for name in REPORTS if name not in WORDS_ONLY])
def test_a_formal_report_tells_which_mail_it_is_about(name: str) -> None:
    found = report(name)
    assert found.formal
    assert found.message_id == "<f00d@pbem.campaigns.example>"


def test_every_file_is_tested() -> None:
    known = {*REPORTS, *NONE, "two-recipients", "player-who-quotes-one"}
    assert {path.stem for path in FOLDER.glob("*.eml")} == known


def test_recipients_are_told_apart_without_empty_lines_between_them() -> None:
    relayed, failed = report("two-recipients").fates
    assert relayed == Fate("other", ("copy@example.net",), "2.0.0")
    assert (failed.kind, failed.status) == ("failed", "5.2.2")
    assert failed.addresses == ("ana+2btag@example.org", "ana+tag@example.org", "forwarded@example.com")


def test_of_several_mails_that_come_back_the_last_is_the_one() -> None:
    assert report("two-recipients").message_id == "<f00d@pbem.campaigns.example>"


def test_a_complaint_tells_the_return_path() -> None:
    assert report("arf-yahoo").return_paths == (RETURN_PATH,)


@pytest.mark.parametrize("name", NONE)
def test_receipts_and_notes_from_holidays_are_none(name: str) -> None:
    assert read_report(raw(name)) is None


@pytest.mark.parametrize("name", [*WORDS_ONLY, "player-who-quotes-one"])
def test_words_alone_make_no_formal_report(name: str) -> None:
    found = read_report(raw(name))
    assert found is not None
    assert not found.formal


def test_an_address_in_another_script_is_the_one_we_know() -> None:
    field = b"Final-Recipient: utf-8; \\x{5DEF}@b\\x{FC}cher.example"
    mail = raw("japanese").replace(b"Final-Recipient: utf-8; ana@example.org", field)
    found = read_report(mail)
    assert found is not None
    assert "巯@xn--bcher-kva.example" in found.fates[0].addresses


@pytest.mark.parametrize(
    ("said", "status", "how_bad"),
    [
        ("550 5.1.1 no such user", "5.1.1", "hard"),
        ("550-5.4.1 Recipient address rejected: Access denied", "5.4.1", "hard"),
        ("550 5.4.6 mail loop", "5.4.6", "hard"),
        ("556 domain does not accept mail", "5.1.10", "hard"),
        ("550 5.6.7 non-ASCII addresses not permitted", "5.6.7", "hard"),
        ("550 mailbox unavailable: user unknown", "5.0.0", "hard"),
        ("550 mailbox unavailable", "5.0.0", "soft"),
        ("550 5.1.8 sender's domain is not liked", "5.1.8", "soft"),
        ("550 5.1.0 Sender address rejected: User unknown", "5.1.0", "soft"),
        ("550 5.1.1 Sender does not exist", "5.1.1", "soft"),
        ("550 5.1.0 User unknown", "5.1.0", "hard"),
        ("550 5.1.0 Address rejected", "5.1.0", "soft"),
        ("552 over quota", "5.2.2", "soft"),
        ("554 5.4.7 expired", "5.4.7", "soft"),
        ("550 5.7.26 unauthenticated", "5.7.26", "soft"),
        ("452 4.2.2 full", "4.2.2", "soft"),
        ("host 5.1.1.2 did not answer", "", "soft"),
    ],
)
def test_what_a_server_says_is_final_only_where_another_try_is_of_no_use(said: str, status: str, how_bad: str) -> None:
    assert read_status(said) == status
    assert severity(status, said) == how_bad


@pytest.mark.parametrize(
    "sender", [b"", b"From:\n", b"From: \xff\xfe <a@b.c>\nX-Mailer: \xe9\n", b"From: Postmaster\n"]
)
def test_a_report_in_words_is_read_whoever_it_says_it_is_from(sender: bytes, caplog: pytest.LogCaptureFixture) -> None:
    head = sender + b"Subject: failure\nAuto-Submitted: auto-replied\n\n"
    words = b"The following addresses had permanent fatal errors\n\n<ana@example.org>\n"
    for mail in (head + words, (head + words).replace(b"\n", b"\r\n")):
        found = read_report(mail)
        assert found is not None
        assert [fate.addresses for fate in found.fates] == [("ana@example.org",)]
    assert caplog.text == ""


HOSTILE = {
    "nested": b"Content-Type: multipart/report; boundary=a\n\n"
    + b"--a\nContent-Type: multipart/mixed; boundary=a\n\n" * 5000,
    "blank lines": b"Content-Type: multipart/report; boundary=a\n\n--a\nContent-Type: message/delivery-status\n\n"
    + b"\n" * 200_000,
    "fields": b"Content-Type: multipart/report; boundary=a\n\n--a\nContent-Type: message/delivery-status\n\n"
    + b"Final-Recipient: rfc822; a@b.c\nAction: failed\n\n" * 20_000,
    "long address": b"Content-Type: multipart/report; boundary=a\n\n--a\nContent-Type: message/delivery-status\n\n"
    + b"Final-Recipient: rfc822; "
    + b"a" * 200_000,
    "words": b"Subject: failure notice\n\n" + b"<a@b.c " * 20_000,
    "blanks": b"Subject: failure notice\n\n" + b" " * 200_000 + b"x",
    "lines": b"Subject: failure notice\n\nHi. This is the qmail\n\n" + b"<a@b.c>: \n" * 20_000,
    "brackets": b"From: " + b"(" * 100_000 + b"\n\n",
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_reports_take_no_time(name: str) -> None:
    read_report(HOSTILE[name])


@st.composite
def spoilt(draw: st.DrawFn) -> bytes:
    """A report with pieces cut out, doubled or overwritten."""
    text = raw(draw(st.sampled_from(sorted([*REPORTS, *NONE, "two-recipients"]))))
    for _ in range(draw(st.integers(1, 4))):
        begin = draw(st.integers(0, len(text)))
        end = draw(st.integers(begin, min(len(text), begin + 300)))
        piece = draw(st.one_of(st.binary(max_size=40), st.just(text[begin:end] * 2), st.just(b"")))
        text = text[:begin] + piece + text[end:]
    return text


@given(st.one_of(st.binary(max_size=2000), spoilt()))
@example(b"")
@example(b"\x00")
def test_no_bytes_break_the_reader(mail: bytes) -> None:
    found = read_report(mail)
    assert found is None or found.fates
