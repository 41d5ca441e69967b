"""A letter comes in: it is stored once, understood or kept, and answered."""

import pytest
from sqlalchemy.exc import OperationalError

from pbem.service.incoming.intake import accept
from pbem.service.incoming.requeue import requeue
from tests.service.conftest import Club, letter_of, text_of


def test_orders_with_the_token_in_the_address_are_filed_and_acknowledged(club: Club) -> None:
    mover = club.mover()
    lowest = text_of(club.mails()[-2 if mover == "ana@example.org" else -1]).partition("lay ")[2].split()[0]
    assert club.write(mover, f"lay {lowest}") == "filed"
    mail = club.mail_to(mover)
    assert mail.subject.startswith("[gate] Turn 1: 1 order OK - receipt ")
    assert f"LAY {lowest}" in text_of(mail)


def test_the_answer_goes_into_the_thread_and_carries_the_marks_of_a_machine(club: Club) -> None:
    club.mails()
    mover = club.mover()
    club.write(mover, "OK", message_id="<mine@example.org>")
    mail = club.mail_to(mover)
    head = mail.raw.partition(b"\r\n\r\n")[0].decode()
    assert letter_of(mail).in_reply_to == "<mine@example.org>"
    assert "Auto-Submitted: auto-replied" in head
    with club.host.unit() as unit:
        thread = unit.campaigns.all()[0].thread
    assert letter_of(mail).references == (thread, "<mine@example.org>")


def test_the_same_mail_again_changes_nothing(club: Club) -> None:
    club.write(club.mover(), "OK")
    club.mails()
    assert club.offer(club.raw[-1]) == "known"
    assert club.mails() == []


def test_the_same_orders_in_a_new_mail_are_acknowledged_as_the_same(club: Club) -> None:
    mover = club.mover()
    club.mails()
    club.write(mover, "OK")
    first = club.mail_to(mover)
    club.write(mover, "OK")
    again = club.mail_to(mover)
    with club.host.unit() as unit:
        campaign = unit.campaigns.all()[0]
        stage = unit.campaigns.current_stage(campaign)
        assert stage is not None
        assert len(unit.submissions.filed(stage)) == 1
    receipt = first.subject.rpartition(" ")[2]
    assert receipt in text_of(again)


def test_a_framed_card_needs_no_token_in_the_address(club: Club) -> None:
    mover = club.mover()
    token = club.reply_address(mover).partition("+")[2].partition("@")[0]
    body = f"Hi, here you are:\n=== gate turn 1 {token} ===\nOK\nEND\nBye\n"
    assert club.write(mover, body, to="orders@campaigns.example") == "filed"


def test_a_stranger_learns_nothing_even_with_a_good_token(club: Club) -> None:
    address = club.reply_address(club.mover())
    club.mails()
    assert club.write("eve@example.net", "lay 1", to=address) == "held"
    mail = club.mail_to("eve@example.net")
    assert "gate" not in text_of(mail).lower()
    with club.host.unit() as unit:
        stage = unit.campaigns.current_stage(unit.campaigns.all()[0])
        assert stage is not None
        assert unit.submissions.filed(stage) == {}


def test_a_token_of_another_seat_is_no_token(club: Club) -> None:
    theirs = club.reply_address(club.other())
    assert club.write(club.mover(), "OK", to=theirs) == "asked"


def test_a_known_address_without_token_is_asked_and_a_yes_files_its_orders(club: Club) -> None:
    mover = club.mover()
    club.mails()
    assert club.write(mover, "OK", to="orders@campaigns.example") == "asked"
    assert "YES" in text_of(club.mail_to(mover))
    assert club.write(mover, "yes") == "filed"
    with club.host.unit() as unit:
        assert [letter.status for letter in unit.letters.latest()] == ["filed", "filed"]


def test_orders_may_come_from_any_registered_address(club: Club) -> None:
    to = club.reply_address("ben@example.org")
    club.mails()
    assert club.write("ben@work.example", "taunt Boo", to=to) == "filed"
    assert {mail.recipient for mail in club.mails()} == {"ben@work.example", "ana@example.org"}


def test_orders_only_in_the_quoted_part_are_not_played_but_asked_about(club: Club) -> None:
    mover = club.mover()
    club.mails()
    assert club.write(mover, "On Monday, Olga wrote:\n> taunt You there!\n") == "asked"
    mails = club.mails()
    assert [mail.recipient for mail in mails] == [mover]
    assert "YES" in text_of(mails[0])
    assert club.write(mover, "YES") == "filed"
    assert "You there!" in "".join(map(text_of, club.mails()))


def fields(club: Club, mover: str) -> tuple[str, list[str]]:
    """The first line of a player's card, and the numbers he may lay."""
    text = text_of(next(mail for mail in reversed(club.mails()) if mail.recipient == mover))
    frame = next(line for line in text.splitlines() if line.startswith("==="))
    return frame, text.partition("you hold ")[2].split()


@pytest.mark.parametrize(
    "body",
    [
        "lay {new}\n\nHvað sem Demo sagði\n\nOrders are due.\n\n{frame}\ntaunt Old\nEND\n",
        "{frame}\ntaunt Old\nend.\nlay {new}\nEND\n",
        "taunt Old\n\nOn 4 May 2026 at 10:00, Ana wrote:\n> your report\n\nlay {new}\n",
    ],
)
def test_orders_outside_the_card_are_neither_lost_nor_played_unasked(club: Club, body: str) -> None:
    mover = club.mover()
    frame, hand = fields(club, mover)
    assert club.write(mover, body.format(frame=frame, new=hand[1])) == "asked"
    assert f"LAY {hand[1]}" in text_of(club.mail_to(mover))
    assert club.filed("North") == club.filed("South") == []
    assert club.write(mover, "YES") == "filed"


def test_greetings_outside_the_card_do_no_harm(club: Club) -> None:
    mover = club.mover()
    frame, _ = fields(club, mover)
    assert club.write(mover, f"Hello all!\n\n{frame}\ntaunt Boo\nEND\nBest wishes, Ana\n") == "filed"


def test_answer_below_a_quotation_below_a_greeting_counts(club: Club) -> None:
    mover = club.mover()
    _, hand = fields(club, mover)
    body = f"Hi!\n\nOn 4 May 2026 at 10:00, Olga wrote:\n> your report\n\nlay {hand[1]}\n"
    assert club.write(mover, body) == "filed"
    assert f"LAY {hand[1]}" in text_of(club.mail_to(mover))


def test_yes_with_orders_below_the_quotation_tells_that_they_were_not_read(club: Club) -> None:
    mover = club.mover()
    club.write(mover, "On Monday, Olga wrote:\n> taunt You there!\n")
    club.mails()
    club.write(mover, "YES\n\nOn 4 May 2026 at 10:00, Olga wrote:\n> your question\n\ntaunt Again\n")
    assert "taunt Again" in text_of(club.mail_to(mover))


def test_an_unreadable_card_is_answered_with_examples_of_its_own(club: Club) -> None:
    mover = club.mover()
    club.mails()
    assert club.write(mover, "Sorry, I am late this week. Cheers") == "answered"
    assert "lay " in text_of(club.mail_to(mover))


def test_a_fault_leaves_the_order_on_file_in_its_place(club: Club) -> None:
    mover = club.mover()
    hand = text_of(next(m for m in reversed(club.mails()) if m.recipient == mover)).partition("you hold ")[2].split()
    club.write(mover, f"lay {hand[1]}")
    club.mails()
    club.write(mover, "lay 99")
    assert f"LAY {hand[1]}" in text_of(club.mail_to(mover))


def test_an_immediate_order_is_told_to_the_other_side_at_once(club: Club) -> None:
    club.mails()
    club.write("ana@example.org", "taunt Is anybody there?")
    notice = club.mail_to("ben@example.org")
    assert "Is anybody there?" in text_of(notice)
    club.mails()


def test_cards_for_a_closed_stage_are_put_up_for_the_open_one(club: Club) -> None:
    mover = club.mover()
    to = club.reply_address(mover)
    club.clock.go(days=3)
    assert club.run() == 1
    club.mails()
    assert club.write(mover, "taunt Too late?", to=to) == "held"
    mails = club.mails()
    assert [mail.recipient for mail in mails] == [mover]
    assert "Round 1" in mails[0].subject
    assert club.write(mover, "YES") == "filed"
    assert "Too late?" in text_of(next(mail for mail in club.mails() if mail.recipient != mover))


@pytest.mark.parametrize("header", ["Auto-Submitted: auto-replied", "Precedence: bulk", "List-Id: <x.example>"])
def test_automatic_mail_is_kept_and_never_answered(club: Club, header: str) -> None:
    to = club.reply_address(club.mover())
    club.mails()
    raw = f"From: {club.mover()}\r\nTo: {to}\r\nSubject: away\r\n{header}\r\nMessage-ID: <a@x>\r\n\r\nOK\r\n".encode()
    assert club.offer(raw) == "ignored"
    assert club.mails() == []


@pytest.mark.parametrize(
    "header", ["List-Unsubscribe: <mailto:off@x.example>", "Precedence: list", "List-Id: <x.example>"]
)
def test_an_order_with_a_weak_sign_waits_for_the_organizer(duel: Club, header: str) -> None:
    to = duel.reply_address("ana@example.org")
    duel.mails()
    raw = f"From: ana@example.org\r\nTo: {to}\r\n{header}\r\nMessage-ID: <a@x>\r\n\r\nRed Dragons: hold\r\n".encode()
    assert duel.offer(raw) == "held"
    assert (duel.mails(), duel.filed("A")) == ([], [])
    with duel.host.unit() as unit:
        (letter,) = unit.letters.waiting(unit.campaigns.all()[0], duel.clock())
    assert requeue(duel.host, letter.id or 0, "command line").status == "filed"
    assert duel.filed("A") == ["Red Dragons: hold"]


@pytest.mark.parametrize("raw", [b"", b"\x00\xff\xfe", b"From: \r\n\r\nlay 1", b"From: a@b, c@d\r\n\r\nlay 1"])
def test_bytes_that_name_no_sender_are_kept_and_answered_to_nobody(club: Club, raw: bytes) -> None:
    club.mails()
    assert club.offer(raw) == "held"
    assert club.mails() == []


def test_a_letter_that_breaks_the_program_is_kept_and_the_next_one_is_served(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.service.incoming import intake

    mover = club.mover()
    to = club.reply_address(mover)
    with monkeypatch.context() as patch:
        patch.setattr(intake, "identify", lambda *arguments: 1 / 0)
        club.mails()
        assert club.write(mover, "OK") == "failed"
    assert "could not be read" in club.mail_to(mover).subject
    assert club.write(mover, "OK", to=to) == "filed"
    with club.host.unit() as unit:
        assert [letter.status for letter in unit.letters.latest()] == ["filed", "failed"]


@pytest.mark.parametrize("word", ["STATUS", "HELP", "RULES 1.1", "RULES boldness", "RULES", "RESEND"])
def test_questions_are_answered(club: Club, word: str) -> None:
    mover = club.mover()
    club.mails()
    assert club.write(mover, word) == "answered"
    if word == "RESEND":
        with club.host.unit() as unit:
            assert [mail.status for mail in unit.outbox.latest(20) if "report" in mail.cause] == ["due", "due"]
    else:
        assert club.mail_to(mover)


def test_accept_is_idempotent_under_two_servers(club: Club) -> None:
    from concurrent.futures import ThreadPoolExecutor

    from pbem.mail.reading.letter import Envelope

    raw = b"From: ana@example.org\r\nTo: %b\r\nSubject: x\r\nMessage-ID: <t@x>\r\n\r\ntaunt Once!\r\n"
    raw = raw % club.reply_address("ana@example.org").encode()
    club.mails()
    with ThreadPoolExecutor(4) as pool:
        outcomes = list(pool.map(lambda _: accept(club.host, raw, Envelope(), "pipe"), range(4)))
    assert sorted(outcomes) == ["filed", "known", "known", "known"]
    assert len([mail for mail in club.mails() if mail.recipient == "ben@example.org"]) == 1


def test_a_mail_too_large_to_be_a_card_is_kept_and_its_sender_told(club: Club) -> None:
    mover = club.mover()
    to = club.reply_address(mover)
    club.mails()
    assert club.write(mover, "lay 1\n" + "x" * 70 + "\n" * 300_000, to=to) == "held"
    told = " ".join(text_of(club.mail_to(mover)).split())
    bounds = "6,000 lines, 256,000 characters and 100 parts"
    assert f"it has {len(club.raw[-1]):,} bytes, and that is more than I read: {bounds}" in told
    assert "write it again as plain text, with the lines of orders alone" in told


def test_a_letter_that_meets_a_busy_database_is_refused_and_good_when_it_comes_again(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    mover = club.mover()
    club.mails()

    def busy(*arguments: object) -> None:
        raise OperationalError("BEGIN IMMEDIATE", {}, Exception("database is locked"))

    with monkeypatch.context() as patch:
        patch.setattr("pbem.service.incoming.intake.identify", busy)
        with pytest.raises(OperationalError):
            club.write(mover, "OK")
    assert club.offer(club.raw[-1]) == "filed"
