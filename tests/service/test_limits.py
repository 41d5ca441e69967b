"""How much one address may cause in an hour: answers, letters that are read; and what is told of the rest."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.config import Settings
from pbem.mail.outgoing.transport import OutgoingMail, Result, Sent
from pbem.mail.reading.letter import Envelope
from pbem.scheduler.worker import Worker
from pbem.service.host import Host, Limits
from pbem.service.incoming.intake import accept
from pbem.service.outgoing import deliver, telling
from pbem.service.outgoing.digest import digest
from pbem.storage.tables import Letter, Mail
from tests.service.conftest import Clock, Club, text_of

ANA, OLGA, EVE, PAT = "ana@example.org", "olga@example.org", "eve@example.net", "pat@campaigns.example"
PLAIN = "orders@campaigns.example"
ROOT = Path(__file__).parents[2]


@pytest.fixture
def host(host: Host) -> Host:
    """Small limits: five answers, two to strangers, eight letters."""
    return replace(host, limits=Limits(answers=5, strangers=2, letters=8), postmaster=PAT)


@pytest.fixture
def club(club: Club) -> Iterator[Club]:
    club.mails()
    return club


def answers(club: Club, recipient: str) -> list[Mail]:
    return [mail for mail in club.mails() if mail.recipient == recipient]


def letters(club: Club) -> list[Letter]:
    with club.host.unit() as unit:
        return list(reversed(unit.letters.latest(1000)))


# --- answers ------------------------------------------------------------------------------------------------------


def test_the_last_answer_says_so_and_then_there_are_none(club: Club, clock: Clock) -> None:
    for _ in range(7):
        club.write(ANA, "STATUS")
        clock.go(minutes=1)
    got = answers(club, ANA)
    assert len(got) == 5
    said = ["This is the last of the 5 answers you get in an hour" in text_of(mail) for mail in got]
    assert said == [False, False, False, False, True]
    assert "What you send until Mon 4 May, 15:00 Europe/Berlin (13:00 UTC) counts all the same; STATUS" in " ".join(
        text_of(got[-1]).split()
    )
    assert [letter.unanswered for letter in letters(club)] == [False] * 5 + [True] * 2


def test_the_hour_slides(club: Club, clock: Clock) -> None:
    for _ in range(5):
        club.write(ANA, "STATUS")
        clock.go(minutes=10)
    club.write(ANA, "STATUS")
    assert len(answers(club, ANA)) == 5
    clock.go(minutes=10)
    club.write(ANA, "STATUS")
    club.write(ANA, "STATUS")
    assert len(answers(club, ANA)) == 1, "only the first of the five is more than an hour old"


def test_what_is_not_answered_counts_all_the_same(club: Club) -> None:
    mover = club.mover()
    for _ in range(5):
        club.write(mover, "STATUS")
    assert club.write(mover, "OK\nFINAL") == "filed"
    assert club.filed("A" if mover == ANA else "B") == ["FINAL"]
    assert len(answers(club, mover)) == 5


def test_all_that_one_letter_asks_for_counts(club: Club) -> None:
    club.write(ANA, "STATUS\nHELP\nRULES 1\nRULES 2\nRULES 3\nRULES 4\nRULES 5")
    assert len(answers(club, ANA)) == 5
    assert letters(club)[0].unanswered


async def test_reports_that_are_sent_again_count(club: Club) -> None:
    class Post:
        sent = 0

        async def send(self, mail: OutgoingMail) -> Result:
            self.sent += mail.recipient == ANA
            return Sent()

        async def close(self) -> None:
            """Nothing is held open."""

    club.clock.go(days=2)
    club.run()
    post = Post()
    await deliver.flush(club.host, post)
    post.sent = 0
    for _ in range(8):
        club.write(ANA, "RESEND")
        await deliver.flush(club.host, post)
    assert post.sent <= 5


def test_reports_have_no_limit(club: Club) -> None:
    for _ in range(7):
        club.write(ANA, "STATUS")
    club.mails()
    club.clock.go(days=2)
    club.run()
    assert len(answers(club, ANA)) == 1


def test_strangers_get_fewer_and_nobody_pays_for_them(club: Club) -> None:
    for _ in range(4):
        club.write(EVE, "hello", to=PLAIN)
    got = answers(club, EVE)
    assert len(got) == 2
    assert "This is the last of the 2 answers you get in an hour" in text_of(got[-1])
    assert "STATUS" not in text_of(got[-1])
    club.write(ANA, "STATUS")
    assert len(answers(club, ANA)) == 1


def test_a_name_in_capitals_is_the_same_name(club: Club) -> None:
    reply_to = club.reply_address(ANA)
    for sender in (ANA, "Ana@example.org", "ANA@example.org", "aNa@example.org") * 2:
        club.write(sender, "STATUS", to=reply_to)
    assert [mail.recipient for mail in club.mails()] == [ANA] * 5


def test_capitals_get_a_stranger_no_more_answers(club: Club) -> None:
    for sender in (EVE, "Eve@example.net", "EVE@Example.NET", "eVe@example.net"):
        club.write(sender, "hello", to=PLAIN)
    assert [mail.recipient for mail in club.mails()] == [EVE] * 2


def test_tags_get_a_stranger_no_more_answers(club: Club) -> None:
    """Else anybody could fill any mailbox, writing in the name of its owner."""
    for number in range(5):
        club.write(f"Eve+{number}@example.net", "hello", to=PLAIN)
    assert [mail.recipient for mail in club.mails()] == ["eve+0@example.net", "eve+1@example.net"]


def test_all_strangers_together_get_only_so_many_answers(club: Club) -> None:
    club.host = replace(club.host, limits=replace(club.host.limits, strangers_together=3))
    for number in range(5):
        club.write(f"eve{number}@example.net", "hello", to=PLAIN)
    assert len(club.mails()) == 3
    assert [letter.unanswered for letter in letters(club)] == [False] * 3 + [True] * 2
    club.write(ANA, "STATUS")
    assert len(answers(club, ANA)) == 1
    club.clock.go(hours=1)
    club.write(EVE, "hello", to=PLAIN)
    assert len(club.mails()) == 1


@pytest.mark.parametrize(("strict", "outcome"), [(False, "filed"), (True, "asked")])
def test_forged_letters_in_his_name_use_up_none_of_a_players_answers(club: Club, strict: bool, outcome: str) -> None:
    mover, reply_to = club.mover(), club.reply_address(club.mover())
    club.host = replace(club.host, strict=strict, limits=replace(club.host.limits, questions=2))
    for number in range(7):
        club.write(mover, f"lay {number}", to=PLAIN)
    assert len(answers(club, mover)) == 2
    assert club.write(mover, "OK\nFINAL", to=reply_to) == outcome
    assert len(answers(club, mover)) == 1


def test_zero_is_any_number(club: Club) -> None:
    club.host = replace(club.host, limits=Limits(0, 0, 0))
    for _ in range(12):
        club.write(ANA, "STATUS")
        club.write(EVE, "hello", to=PLAIN)
    assert len(club.mails()) == 24


def test_the_count_outlives_the_server(club: Club) -> None:
    for _ in range(5):
        club.write(ANA, "STATUS")
    club.mails()
    club.host = replace(club.host, name="Started anew")
    club.write(ANA, "STATUS")
    assert club.mails() == []


# --- letters ------------------------------------------------------------------------------------------------------


def test_too_many_letters_are_kept_unread(club: Club) -> None:
    mover = club.mover()
    became = [club.write(mover, f"STATUS\n# {number}") for number in range(8)]
    assert set(became) == {"answered"}
    assert club.write(mover, "OK\nFINAL") == "held"
    assert club.filed("A" if mover == ANA else "B") == []
    last = letters(club)[-1]
    assert (last.note, last.unanswered) == ("more than 8 letters in an hour from this address", True)
    assert last.campaign_id is not None
    club.clock.go(hours=1)
    assert club.write(mover, "OK\nFINAL") == "filed"


def test_capitals_get_no_more_letters_read(club: Club) -> None:
    mover, reply_to = club.mover(), club.reply_address(club.mover())
    became = [
        club.write(sender, f"STATUS\n# {number}", to=reply_to)
        for number, sender in enumerate((mover, mover.upper(), mover.title()) * 4)
    ]
    assert became == ["answered"] * 8 + ["held"] * 4


def test_letters_in_his_name_use_up_nothing_of_a_players(club: Club) -> None:
    mover, reply_to = club.mover(), club.reply_address(club.mover())
    for number in range(12):
        club.write(mover, f"hello {number}", to=PLAIN)
    assert club.write(mover, "OK\nFINAL", to=reply_to) == "filed"


def test_a_flood_of_good_cards_does_not_put_off_the_closing(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a stage is being resolved, its mover sends one card after the other."""
    mover, prepare, resolved = club.mover(), telling.prepare, []

    def slowly(*args: object) -> object:
        resolved.append(1)
        assert len(resolved) < 20
        club.write(mover, ("OK", "OK\nFINAL")[len(resolved) % 2])
        return prepare(*args)  # type: ignore[arg-type]

    reply_to = club.reply_address(mover)
    club.write(mover, "OK\nFINAL", to=reply_to)
    monkeypatch.setattr(telling, "prepare", slowly)
    assert club.run() == 1


# --- loops --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", [ANA, EVE])
def test_a_machine_that_hides_what_it_is_talks_to_itself_in_the_end(club: Club, who: str) -> None:
    """Another server answers each of our answers, its subject growing, with none of the marks of a machine."""
    to = club.reply_address(who) if who == ANA else PLAIN
    club.write(who, "hello", to=to)
    rounds = 0
    while got := answers(club, who):
        rounds += 1
        assert rounds < 10
        for mail in got:
            quoted = "\n".join(f"> {line}" for line in text_of(mail).splitlines())
            club.write(who, f"We have got your mail.\n\n{quoted}", to=to, subject=f"Re: {mail.subject}", answers=mail)
    assert rounds == (5 if who == ANA else 2)


def test_our_own_mail_turned_around_is_not_answered(club: Club) -> None:
    club.write(ANA, "STATUS")
    (mail,) = answers(club, ANA)
    raw = mail.raw.replace(b"From: ", b"X-From: ").replace(b"To: ", b"From: ", 1)
    assert accept(club.host, raw, Envelope(), "pipe") == "ignored"
    assert club.mails() == []


# --- digests ------------------------------------------------------------------------------------------------------


def test_the_organizer_hears_once_an_hour_of_what_got_no_answer(club: Club, clock: Clock) -> None:
    for _ in range(10):
        club.write(ANA, "STATUS")
        clock.go(minutes=1)
    club.mails()
    assert digest(club.host) == 0, "the hour is not over"
    clock.go(hours=1)
    assert digest(club.host) == 1
    assert digest(club.host) == 0
    mail = club.mail_to(OLGA)
    assert mail.subject == "[gate] Letters without an answer"
    assert "ana@example.org  5 letters, 2 of them held, Mon 4 May, 14:05 to Mon 4 May, 14:09" in " ".join(
        text_of(mail).split()
    ).replace("org 5", "org  5")


def test_an_hour_that_passed_while_the_server_was_down_is_told_later(club: Club, clock: Clock) -> None:
    for _ in range(6):
        club.write(ANA, "STATUS")
    clock.go(hours=5)
    for _ in range(6):
        club.write(ANA, "STATUS")
    clock.go(hours=5)
    assert digest(club.host) == 2


def test_where_all_is_answered_nothing_is_told(club: Club, clock: Clock) -> None:
    club.write(ANA, "STATUS")
    clock.go(hours=1)
    assert digest(club.host) == 0


def test_the_postmaster_hears_once_a_day_of_letters_without_a_campaign(club: Club, clock: Clock) -> None:
    for number in range(60):
        club.write(EVE, "hello", to=PLAIN, subject=f"letter {number}")
    club.mails()
    clock.go(days=1)
    assert digest(club.host) == 1
    assert digest(club.host) == 0
    mail = club.mail_to(PAT)
    assert mail.subject == "60 letters that belong to no campaign"
    text = text_of(mail)
    assert "eve@example.net: letter 0 (unknown sender)" in text
    assert "letter 49" in text
    assert "letter 50" not in text
    assert "And 10 more." in text


def test_without_a_postmaster_nobody_is_told(club: Club, clock: Clock) -> None:
    club.host = replace(club.host, postmaster="")
    club.write(EVE, "hello", to=PLAIN)
    clock.go(days=1)
    assert digest(club.host) == 0


def test_the_worker_tells_when_an_hour_is_over(club: Club, clock: Clock) -> None:
    class Post:
        async def send(self, mail: OutgoingMail) -> Result:
            return Sent()

        async def close(self) -> None:
            """Nothing is held open."""

    for _ in range(6):
        club.write(ANA, "STATUS")
    club.mails()
    worker = Worker(club.host, Post(), lambda: None)
    for _ in range(3):
        asyncio.run(worker.look())
        clock.now += timedelta(minutes=30)
    asyncio.run(worker.look())
    assert [mail.subject for mail in answers(club, OLGA)] == ["[gate] Letters without an answer"]


def test_the_last_answer_to_a_stranger_promises_nothing(club: Club) -> None:
    club.mails()
    for number in range(club.host.limits.strangers):
        club.write("eve@evil.example", f"hold {number}", to="orders@campaigns.example")
    last = " ".join(text_of(club.mails()[-1]).split())
    assert "the last of the" in last
    assert "counts all the same" not in last


@pytest.mark.parametrize("text", ["README.md", "docs/playing.md", "docs/organizing.md"])
def test_the_documents_name_the_limit(text: str) -> None:
    told = " ".join((ROOT / text).read_text().split())
    assert f"{Settings().limits.answers} answers" in told
