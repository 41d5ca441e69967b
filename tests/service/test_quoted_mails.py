"""Our own mails name every word to the server: only what its writer says himself counts."""

import html
from collections.abc import Callable
from email import message_from_bytes, policy
from email.message import EmailMessage
from itertools import cycle

import pytest

from pbem.core.orders import Line
from pbem.mail.reading import markup
from pbem.mail.reading.letter import read_letter
from pbem.reports.render import Rendered, Templates
from pbem.service.incoming.commands import sort_out
from pbem.service.tokens import organizer_token
from tests.reports.samples import LETTERS
from tests.service.conftest import PLAIN, Club
from tests.service.test_identify import reply_to

ANA, BEN, OLGA, EVE = "ana@example.org", "ben@example.org", "olga@example.org", "eve@evil.example"
NO = "No thanks."
LEAD = "On Mon, 4 May 2026 12:00, Campaigns <orders@campaigns.example> wrote:"
TEMPLATES = Templates()
OURS = {name: TEMPLATES.mail(letter) for name, letter in LETTERS.items()}


def html_of(raw: bytes) -> str:
    part = message_from_bytes(raw, policy=policy.default).get_body(("html",))
    assert part is not None
    return str(part.get_content())


def marked(mail: Rendered) -> str:
    lines = "\n".join(f"> {line}" for line in mail.text.splitlines())
    return f"{NO}\n\n{LEAD}\n{lines}\n"


def unmarked(mail: Rendered) -> str:
    return f"{NO}\n\n-----Original Message-----\nFrom: Campaigns\nSent: Monday\nTo: Ana\nSubject: x\n\n{mail.text}"


def marked_from_html(mail: Rendered) -> str:
    lines = "\n".join(f"> {line}" for line in markup.to_text(mail.html).splitlines())
    return f"{NO}\n\n{LEAD}\n{lines}\n"


def in_a_blockquote(mail: Rendered) -> str:
    body = mail.html[mail.html.find("<body") :]
    lead = f"<div>{html.escape(LEAD)}<br></div>"
    return f'<div>{NO}</div><div class="gmail_quote">{lead}<blockquote>{body}</blockquote></div>'


Quotation = Callable[[Rendered], str]
QUOTATIONS: list[Quotation] = [marked, unmarked, marked_from_html, in_a_blockquote]


def answer(club: Club, sender: str, to: str, body: str, answers: str = "") -> str:
    """Write a mail as a mail program does that sends text or HTML alone."""
    club.written += 1
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Subject"] = sender, to, "Re: orders"
    letter["Message-ID"] = f"<{club.written}@quoting.example>"
    if answers:
        letter["In-Reply-To"] = answers
    letter.set_content(body, subtype="html" if body.startswith("<") else "plain")
    return club.offer(letter.as_bytes())


@pytest.mark.parametrize("quoted", QUOTATIONS)
def test_an_answer_that_quotes_any_of_our_mails_changes_nothing_and_is_answered_once(
    club: Club, quoted: Quotation
) -> None:
    """The player and the organizer take turns; each of them quotes each mail in two of these ways."""
    addresses = {ANA: club.reply_address(ANA), OLGA: club.host.reply_address(organizer_token(club.host.key, "gate"))}
    senders = cycle(addresses if QUOTATIONS.index(quoted) % 2 else reversed(addresses))
    club.mails()
    with club.host.unit() as unit:
        before = [(each.status, each.deadline) for each in unit.campaigns.all() for each in unit.campaigns.stages(each)]
    for (name, mail), sender in zip(OURS.items(), senders, strict=False):
        club.clock.go(hours=4)
        outcome = answer(club, sender, addresses[sender], quoted(mail))
        got = [(each.recipient, each.subject) for each in club.mails()]
        assert outcome in ("answered", "held"), (name, sender)
        assert [recipient for recipient, _ in got] == [sender], (name, got)
    with club.host.unit() as unit:
        stages = [each for each in unit.campaigns.all() for each in unit.campaigns.stages(each)]
        assert [(each.status, each.deadline) for each in stages] == before
        assert all(not unit.submissions.filed(stage) for stage in stages)
        assert [unit.campaigns.addresses(seat) for seat in unit.campaigns.seats(unit.campaigns.all()[0])] == [
            [ANA],
            [BEN, "ben@work.example"],
        ]


@pytest.mark.parametrize("name", OURS)
def test_no_line_of_our_mails_is_a_word_to_the_server(name: str) -> None:
    """Some programs quote without a mark and under a lead that nobody has seen yet. Lines of an order form are meant to
    come back."""
    mail = OURS[name]
    for line in (*mail.text.splitlines(), *markup.to_text(mail.html).splitlines()):
        words = sort_out([Line(1, line)])
        assert not any((words.yes, words.asks, words.final, words.replace_all, words.faults)), line


@pytest.mark.parametrize("quoted", QUOTATIONS)
def test_nobody_confirms_a_forged_mail_by_quoting_the_question(club: Club, quoted: Quotation) -> None:
    club.mails()
    answer(club, ANA, PLAIN, f"taunt Boo\nADDRESS {EVE}\nFINAL")
    question = club.mail_to(ANA)
    read = read_letter(question.raw)
    mail = Rendered(question.subject, read.body, html_of(question.raw))
    outcome = answer(club, ANA, reply_to(question.raw), quoted(mail), question.message_id)
    assert outcome in ("answered", "asked")
    assert [mail.recipient for mail in club.mails()] == [ANA]
    assert club.filed("A") == []


@pytest.mark.parametrize(
    "word", ["YES", "LEAVE", "RESEND", "RULES", "STATUS", "HELP", "OK", "FINAL", "REPLACE ALL", "NEW TOKEN"]
)
@pytest.mark.parametrize("body", ["> {}", "> taunt Boo\n> {}", "Hello.\n-- \nAna\n{}\ntaunt Boo"])
def test_a_word_to_the_server_is_not_taken_from_a_quotation_or_a_signature(club: Club, word: str, body: str) -> None:
    to = club.reply_address(ANA)
    club.mails()
    assert answer(club, ANA, to, body.format(word)) in ("answered", "asked")
    (only,) = club.mails()
    assert only.recipient == ANA
    assert only.cause.split()[1] == "acknowledgement"
    answer(club, ANA, reply_to(only.raw), "YES", only.message_id)
    assert "FINAL" not in club.filed("A")
    assert {mail.cause.split()[1] for mail in club.mails()} <= {"acknowledgement", "notice"}


@pytest.mark.parametrize("word", ["HELP", "STATUS", "taunt Boo"])
def test_a_yes_to_another_mail_of_ours_confirms_no_forged_one(club: Club, word: str) -> None:
    to = club.reply_address(ANA)
    club.mails()
    answer(club, ANA, to, word)
    (other,) = [mail for mail in club.mails() if mail.recipient == ANA]
    answer(club, ANA, PLAIN, "OK\nFINAL")
    assert answer(club, ANA, reply_to(other.raw), "YES", other.message_id) == "answered"
    assert answer(club, ANA, to, "YES") == "answered"
    assert "FINAL" not in club.filed("A")


def test_a_second_yes_to_one_question_does_not_answer_another(club: Club) -> None:
    club.mails()
    answer(club, ANA, PLAIN, "taunt Boo")
    question = reply_to(club.mail_to(ANA).raw)
    assert answer(club, ANA, question, "YES") == "filed"
    answer(club, ANA, PLAIN, "OK\nFINAL")
    assert answer(club, ANA, question, "YES") == "answered"
    assert "FINAL" not in club.filed("A")
