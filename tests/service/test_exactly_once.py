"""Every mail counts once, however often and by whichever ways it comes."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError

from pbem.mail.reading import letter as mail_letter
from pbem.mail.reading import safely as reading
from pbem.mail.reading.letter import Envelope
from pbem.service.host import Limits
from pbem.service.incoming.intake import accept
from pbem.service.stages import advance
from pbem.storage.engine import open_engine
from pbem.storage.letters import Letters
from pbem.storage.submissions import Submissions
from pbem.storage.tables import Letter, Seat, Stage, Submission
from pbem.storage.unit import Unit
from tests.service.conftest import CAMPAIGN, PLAIN, START, Club, text_of

ANA = "ana@example.org"
BEN = "ben@example.org"


def mail(to: str, body: str = "taunt Once!", *, message_id: str = "<1@example.org>", more: str = "") -> bytes:
    head = f"From: {ANA}\r\nTo: {to}\r\nDate: Mon, 4 May 2026 12:00:00 +0000\r\nSubject: orders\r\n"
    identity = f"Message-ID: {message_id}\r\n" if message_id else ""
    return f"{head}{identity}{more}\r\n{body}\r\n".encode()


def letters(club: Club) -> list[Letter]:
    """All letters, the newest first."""
    with club.host.unit() as unit:
        return list(unit.letters.latest())


def taunts(club: Club) -> int:
    """How often the other player heard of an order that is carried out at once."""
    return sum(mail.recipient == BEN and "Once!" in text_of(mail) for mail in club.mails())


# --- the same mail ------------------------------------------------------------------------------------------------


WAYS = {
    "by another route": lambda raw: raw,
    "with the headers of other servers": lambda raw: b"Received: from a\r\n by b; Mon, 4 May 2026\r\n" + raw,
    "with other line ends": lambda raw: raw.replace(b"\r\n", b"\n"),
    "with a line at its end": lambda raw: raw + b"\r\n\r\n",
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("message_id", ["<1@example.org>", ""])
def test_the_same_mail_is_known(club: Club, way: str, message_id: str) -> None:
    raw = mail(club.reply_address(ANA), message_id=message_id)
    arrived = Envelope(START, ANA, (club.reply_address(ANA),))
    assert accept(club.host, raw, arrived, "lmtp") == "filed"
    again = Envelope(START + timedelta(seconds=20))
    assert accept(club.host, WAYS[way](raw), again, "imap") == "known"
    assert taunts(club) == 1


ENCODED = "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: {}\r\n"


@pytest.mark.parametrize("tagged", [False, True])
def test_a_mail_that_a_server_on_the_way_encodes_anew_is_known(club: Club, tagged: bool) -> None:
    to = club.reply_address(ANA)
    plain = mail(to, "taunt Once! \xe9\xe8", more=ENCODED.format("8bit"))
    anew = mail(to, "taunt Once! =C3=A9=C3=\r\n=A8", more=ENCODED.format("quoted-printable"))
    assert club.offer(plain) == "filed"
    assert club.offer(anew.replace(b"Subject: ", b"Subject: [external] ") if tagged else anew) == "known"
    assert taunts(club) == 1


def test_the_same_id_and_text_from_another_sender_is_another_letter(club: Club) -> None:
    raw = mail(club.reply_address(ANA))
    assert club.offer(raw) == "filed"
    assert club.offer(raw.replace(b"From: ana@", b"From: eve@")) == "held"


def test_a_mail_without_any_identity_is_known_by_the_server_that_brought_it(club: Club) -> None:
    """Offered again, because the answer to it was lost on the way."""
    raw = f"From: {ANA}\r\nTo: {club.reply_address(ANA)}\r\n\r\ntaunt Once!\r\n".encode()
    for minute, server, outcome in ((0, "id 7A", "filed"), (1, "id 7A", "known"), (2, "id 7B", "filed")):
        trace = f"Received: from a by b {server}; Mon, 4 May 2026 12:00:00 +0000\r\n".encode()
        assert accept(club.host, trace + raw, Envelope(START + timedelta(minutes=minute)), "lmtp") == outcome


@pytest.mark.parametrize("text", [" taunt Once!", "taunt  Once! ", "\n\ntaunt Once!\n\n ", "taunt\u00a0Once!"])
def test_a_text_that_differs_only_in_blanks_is_the_same(club: Club, text: str) -> None:
    to = club.reply_address(ANA)
    assert club.offer(mail(to, "taunt Once!")) == "filed"
    assert club.offer(mail(to, text)) == "known"


def test_another_text_with_the_same_id_is_another_letter(club: Club) -> None:
    to = club.reply_address(ANA)
    assert club.offer(mail(to, "taunt Once!")) == "filed"
    assert club.offer(mail(to, "taunt Twice!")) == "filed"
    assert len(letters(club)) == 2


def test_no_letter_is_read_while_the_database_waits(duel: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the new one, and no stored one: anybody can send many large mails with one Message-ID, or late ones."""
    open_units: list[Unit] = []
    enter, leave = Unit.__enter__, Unit.__exit__
    monkeypatch.setattr(Unit, "__enter__", lambda self: open_units.append(self) or enter(self))
    monkeypatch.setattr(Unit, "__exit__", lambda self, *error: open_units.remove(self) or leave(self, *error))

    def watched(*letter: Any) -> mail_letter.Letter:
        assert not open_units
        return read_letter(*letter)

    read_letter = mail_letter.read_letter
    monkeypatch.setattr(reading, "read_letter", watched)
    to = duel.reply_address(ANA)
    assert duel.offer(mail(to, "Red Dragons: hold")) == "filed"
    assert duel.offer(mail(to, "Red Dragons: hold\nIron Wall: hold")) == "filed"
    early = Envelope(START - timedelta(minutes=5), recipients=(to,))
    duel.clock.go(hours=1)
    assert accept(duel.host, mail(to, "Cancel Crew: hold", message_id="<2@example.org>"), early, "imap") == "filed"
    duel.mails()
    assert duel.write(ANA, "Red Dragons: move 2", to=PLAIN) == "asked"
    assert duel.write(ANA, "YES", answers=duel.mail_to(ANA)) == "filed"


def test_a_mail_that_another_server_has_just_stored_is_known(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """On PostgreSQL both look before either has stored it; the constraint of the database decides."""
    raw = mail(club.reply_address(ANA))
    looks: list[str] = []
    look = Letters.known

    def too_early(self: Letters, *mail: str) -> Letter | None:
        looks.append(mail[0])
        return None if len(looks) == 1 else look(self, *mail)

    assert club.offer(raw) == "filed"
    monkeypatch.setattr(Letters, "known", too_early)
    assert club.offer(raw) == "known"
    assert [letter.status for letter in letters(club)] == ["filed"]
    assert taunts(club) == 1


def test_a_card_that_comes_together_with_another_for_its_seat_counts(
    duel: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On PostgreSQL both look for the newest version before either has stored its own."""
    looks: list[Seat] = []
    look = Submissions.last

    def too_early(self: Submissions, stage: Stage, seat: Seat) -> Submission | None:
        looks.append(seat)
        return None if len(looks) <= 2 else look(self, stage, seat)

    assert duel.write(ANA, "Red Dragons: move 2") == "filed"
    duel.mails()
    monkeypatch.setattr(Submissions, "last", too_early)
    assert duel.write(ANA, "Iron Wall: move 5") == "filed"
    assert len(looks) == 4
    assert duel.filed("A") == ["Red Dragons: move 2", "Iron Wall: move 5"]
    assert len(duel.mails()) == 1


def test_a_breach_of_another_constraint_is_no_duplicate(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    def breach(*arguments: object) -> None:
        raise IntegrityError("INSERT", {}, Exception("UNIQUE constraint failed: outbox.message_id"))

    with monkeypatch.context() as patch:
        patch.setattr("pbem.service.incoming.intake.identify", breach)
        assert club.offer(mail(club.reply_address(ANA))) == "failed"
    assert len(letters(club)) == 1


# --- one mail to several of our addresses -------------------------------------------------------------------------

ANOTHER = CAMPAIGN.replace('name = "gate"', 'name = "arch"').replace("The Gate", "The Arch")


@pytest.fixture
def both(club: Club) -> tuple[Club, str, str]:
    """Two campaigns that Ana plays in, and her addresses there."""
    gate = club.reply_address(ANA)
    club.begin(ANOTHER)
    arch = club.reply_address(ANA)
    club.mails()
    return club, gate, arch


def heard(club: Club) -> list[str]:
    """The campaigns in which Ana's taunt was heard."""
    return sorted(mail.subject[1:5] for mail in club.mails() if mail.recipient == BEN)


@pytest.mark.parametrize("more", ["", "Cc: {arch}\r\n", "Delivered-To: {arch}\r\n"])
def test_a_mail_to_two_campaigns_counts_in_both(both: tuple[Club, str, str], more: str) -> None:
    club, gate, arch = both
    to = gate if more else f"{gate}, {arch}"
    assert club.offer(mail(to, more=more.format(arch=arch))) == "filed"
    assert heard(club) == ["arch", "gate"]


def test_one_transaction_for_two_addresses_counts_in_both_and_no_copy_counts_again(both: tuple[Club, str, str]) -> None:
    club, gate, arch = both
    raw = mail("undisclosed:;")
    assert accept(club.host, raw, Envelope(START, ANA, (gate, arch)), "lmtp") == "filed"
    for to in ((gate,), (arch,), (gate, arch), ()):
        assert accept(club.host, raw, Envelope(START, ANA, to), "lmtp") == "known"
    assert heard(club) == ["arch", "gate"]


@pytest.mark.parametrize("shown", [True, False])
def test_a_copy_for_an_address_that_the_mail_does_not_show_counts_there(
    both: tuple[Club, str, str], shown: bool
) -> None:
    club, gate, arch = both
    raw = mail(gate if shown else "undisclosed:;")
    assert [accept(club.host, raw, Envelope(START, ANA, (to,)), "lmtp") for to in (gate, arch)] == ["filed", "filed"]
    assert accept(club.host, raw, Envelope(START, ANA, (arch,)), "lmtp") == "known"
    assert heard(club) == ["arch", "gate"]
    (letter,) = letters(club)
    assert set(letter.recipients) >= {gate, arch}
    assert letter.note.count("receipt") == 2


def test_a_copy_for_an_address_without_token_of_his_counts_for_nobody(club: Club) -> None:
    raw = mail(club.reply_address(ANA))
    assert club.offer(raw) == "filed"
    for to in (PLAIN, club.reply_address(BEN), "list@example.net"):
        assert accept(club.host, raw, Envelope(START, ANA, (to,)), "lmtp") == "known"
    assert taunts(club) == 1


def test_a_framed_card_counts_once_though_a_copy_comes_to_the_address_with_its_token(club: Club) -> None:
    to = club.reply_address(ANA)
    token = to.partition("+")[2].partition("@")[0]
    raw = mail(PLAIN, f"=== gate turn 1 {token} ===\r\ntaunt Once!\r\nEND")
    assert club.offer(raw) == "filed"
    assert accept(club.host, raw, Envelope(START, ANA, (to,)), "lmtp") == "known"
    assert taunts(club) == 1


def test_a_copy_with_a_token_counts_though_the_first_had_none(club: Club) -> None:
    to = club.reply_address(ANA)
    raw = mail(PLAIN)
    assert club.offer(raw) == "asked"
    assert accept(club.host, raw, Envelope(START, ANA, (to,)), "lmtp") == "asked"
    assert taunts(club) == 1
    assert accept(club.host, raw, Envelope(START, ANA, (to,)), "lmtp") == "known"


# --- when a mail was received -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "taken_for"),
    [
        (None, START),
        (START - timedelta(hours=3), START - timedelta(hours=3)),
        (START + timedelta(hours=3), START),
        (datetime(2026, 5, 4, 11), datetime(2026, 5, 4, 11, tzinfo=UTC)),
        (datetime(1, 1, 1, tzinfo=UTC), datetime(1970, 1, 1, tzinfo=UTC)),
    ],
)
def test_a_mail_was_received_when_its_way_in_says_but_not_later_than_now(
    club: Club, said: datetime | None, taken_for: datetime
) -> None:
    accept(club.host, mail(club.reply_address(ANA)), Envelope(said), "imap")
    (letter,) = letters(club)
    assert (letter.received_at, letter.stored_at) == (taken_for, START)


# --- many at once -------------------------------------------------------------------------------------------------


def test_letters_that_come_in_while_a_deadline_passes_are_all_stored_and_the_stage_is_closed_once(
    duel: Club, tmp_path: Path
) -> None:
    """Two servers on one database, each with many threads."""
    to, letters = duel.reply_address(ANA), 50
    duel.clock.go(days=7)
    other = open_engine(f"sqlite:///{tmp_path / 'pbem.sqlite'}")
    host = replace(duel.host, limits=Limits(answers=0, letters=0))
    hosts = (host, replace(host, engine=other))
    orders = ("Red Dragons: hold", "Red Dragons: move 2")
    raws = [mail(to, orders[number % 2], message_id=f"<{number}@x>") for number in range(letters)]

    def offer(number: int) -> str:
        return accept(hosts[number % 2], raws[number], Envelope(START + timedelta(days=6)), "lmtp")

    with ThreadPoolExecutor(12) as pool:
        outcomes = [pool.submit(offer, number) for number in range(letters // 2)]
        closed = [pool.submit(advance.run_due, host) for host in hosts]
        outcomes += [pool.submit(offer, number) for number in range(letters // 2, letters)]
    other.dispose()
    assert sum(each.result() for each in closed) == 1
    assert {each.result() for each in outcomes} <= {"filed", "held"}
    with duel.host.unit() as unit:
        assert len(unit.letters.latest(1000)) == letters
        assert [turn.kind for turn, _ in unit.turns.all(unit.campaigns.all()[0])] == ["setup", "close"]
        answers = [each for each in unit.outbox.latest(1000) if each.cause.startswith("duel acknowledgement")]
    assert len(answers) == letters
