"""The organizer takes letters in again, or sets them aside."""

import pytest

from pbem.core.errors import BadInput, PbemError
from pbem.mail.inbox import UnreadMail
from pbem.mail.reading.letter import Envelope
from pbem.service.incoming import intake, unread
from pbem.service.incoming.requeue import drop, requeue, retry
from pbem.storage.tables import Address, Letter
from tests.service.conftest import PLAIN, Club

OLGA = "command line"


def newest(club: Club) -> Letter:
    with club.host.unit() as unit:
        return unit.letters.latest(1)[0]


def audits(club: Club) -> list[str]:
    with club.host.unit() as unit:
        return [f"{audit.who}: {audit.what}" for audit in unit.campaigns.audits(unit.campaigns.all()[0])]


@pytest.fixture
def stumbled(club: Club, monkeypatch: pytest.MonkeyPatch) -> int:
    """The number of a letter with orders, over which the program stumbled; it has been mended meanwhile."""
    with monkeypatch.context() as broken:
        broken.setattr(intake, "identify", lambda *arguments: 1 / 0)
        assert club.write(club.mover(), "OK") == "failed"
    club.mails()
    return newest(club).id or 0


def test_a_failed_letter_is_obeyed_when_the_program_is_mended(club: Club, stumbled: int) -> None:
    received = newest(club).received_at
    club.clock.go(hours=3)
    again = requeue(club.host, stumbled, OLGA)
    assert (again.status, again.attempts, again.received_at) == ("filed", 2, received)
    assert "OK" in club.mail_to(club.mover()).subject
    assert audits(club)[-1] == f"command line: requeued letter {stumbled}"


def test_a_letter_that_fails_again_stays_as_it_was_and_nobody_is_told_twice(
    club: Club, stumbled: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "identify", lambda *arguments: 1 / 0)
    with pytest.raises(PbemError, match=f"letter {stumbled}: the program stumbles over it"):
        requeue(club.host, stumbled, OLGA)
    assert (newest(club).status, newest(club).attempts) == ("failed", 1)
    assert club.mails() == []


def test_a_letter_from_a_new_address_counts_once_that_is_registered(club: Club) -> None:
    mover = club.mover()
    assert club.write("ana@new.example", "OK", to=club.reply_address(mover)) == "held"
    number = newest(club).id or 0
    with club.host.unit() as unit:
        (seat,) = unit.campaigns.seats_of(mover)
        unit.campaigns.add(Address(seat_id=seat.id or 0, email="ana@new.example"))
        unit.commit()
    assert requeue(club.host, number, OLGA).status == "filed"


def test_what_is_asked_again_is_asked_in_a_new_mail_and_one_yes_files_it(club: Club) -> None:
    mover = club.mover()
    club.mails()
    assert club.write(mover, "OK", to=PLAIN) == "asked"
    club.mails()
    assert requeue(club.host, newest(club).id or 0, OLGA).status == "asked"
    again = club.mail_to(mover)
    assert club.write(mover, "YES", answers=again) == "filed"


def test_the_question_asked_first_may_be_answered_too(club: Club) -> None:
    mover = club.mover()
    club.mails()
    club.write(mover, "OK", to=PLAIN)
    first = club.mail_to(mover)
    requeue(club.host, newest(club).id or 0, OLGA)
    assert club.write(mover, "YES", answers=first) == "filed"


def test_what_was_obeyed_is_not_obeyed_twice(club: Club) -> None:
    club.write(club.mover(), "OK")
    letter = newest(club)
    club.mails()
    with pytest.raises(BadInput, match=f"letter {letter.id}: is filed already: receipt .*; nothing was done"):
        requeue(club.host, letter.id or 0, OLGA)
    assert club.mails() == []


def keep(club: Club, mail: UnreadMail) -> None:
    """Write down that a mail could not be taken out of the mailbox."""
    unread.keep(club.host, mail, club.host.read(mail.raw, mail.envelope), "imap")


def test_headers_of_a_letter_that_could_not_be_fetched_are_not_taken_for_the_whole(club: Club) -> None:
    headers = f"From: {club.mover()}\nTo: {club.reply_address(club.mover())}\nX-Long: {'x' * 4000}\n\n".encode()
    envelope = Envelope(club.clock(), size=len(headers) + 1500)
    keep(club, UnreadMail("mail 7", headers, envelope, "no answer in time"))
    letter = newest(club)
    with pytest.raises(BadInput, match=f"letter {letter.id}: only 4,.* of its bytes could be had"):
        requeue(club.host, letter.id or 0, OLGA)
    assert newest(club).status == "failed"


def test_a_letter_that_could_not_be_stored_is_taken_in_later(club: Club) -> None:
    raw = f"From: {club.mover()}\nTo: {club.reply_address(club.mover())}\n\nOK\n".encode()
    keep(club, UnreadMail("mail 7", raw, Envelope(club.clock()), "it could not be stored"))
    assert requeue(club.host, newest(club).id or 0, OLGA).status == "filed"


def test_a_letter_that_could_not_be_stored_counts_when_it_is_offered_again(club: Club) -> None:
    mover = club.mover()
    raw = f"From: {mover}\nTo: {club.reply_address(mover)}\nMessage-ID: <1@example.org>\n\nOK\n".encode()
    keep(club, UnreadMail("mail 7", raw, Envelope(club.clock()), "it could not be stored"))
    assert [club.offer(raw), club.offer(raw)] == ["filed", "known"]


def test_what_was_obeyed_in_part_is_not_obeyed_twice(club: Club) -> None:
    """An order that is carried out at once, and an address that has to wait."""
    mover, other = club.mover(), club.other()
    club.write(mover, "OK", to=PLAIN)
    proven = club.reply_address(mover)
    assert club.write(mover, f"taunt boo\nADDRESS {other}", to=proven) == "held"
    letter = newest(club)
    club.mails()
    with pytest.raises(BadInput, match=f"letter {letter.id}: was obeyed in part, receipt .*; nothing was done"):
        requeue(club.host, letter.id or 0, OLGA)
    assert club.mails() == []


def test_the_beginning_of_a_large_letter_is_not_taken_for_the_whole(club: Club) -> None:
    raw = b"From: ana@example.org\nSubject: large\n\nOK\n"
    intake.accept(club.host, raw, Envelope(size=20_000_000), "imap")
    letter = newest(club)
    with pytest.raises(BadInput, match=f"letter {letter.id}: only 41 of its bytes could be had"):
        requeue(club.host, letter.id or 0, OLGA)
    assert newest(club).status == letter.status


def test_a_letter_without_a_campaign_is_set_aside_too(club: Club) -> None:
    assert club.write("stranger@elsewhere.example", "hello", to=PLAIN) == "held"
    number = newest(club).id or 0
    assert drop(club.host, number, OLGA).note.endswith("; set aside by command line")
    with pytest.raises(BadInput, match=f"letter {number}: does not wait for anybody: it is ignored"):
        drop(club.host, number, OLGA)


def test_what_was_set_aside_can_be_taken_in_after_all(club: Club, stumbled: int) -> None:
    drop(club.host, stumbled, OLGA)
    assert audits(club) == []  # It was not known whose it is.
    assert requeue(club.host, stumbled, OLGA).status == "filed"


def test_a_mail_that_was_given_up_is_sent_again(club: Club) -> None:
    mail = club.mails()[-1]
    with club.host.unit() as unit:
        given_up = unit.outbox.find(mail.id or 0)
        given_up.status, given_up.attempts, given_up.note = "failed", 40, "550 no such user"
        unit.commit()
    again = retry(club.host, mail.id or 0)
    assert (again.status, again.attempts, again.message_id) == ("due", 0, mail.message_id)


def test_a_mail_that_went_out_is_not_sent_again(club: Club) -> None:
    mail = club.mails()[-1]
    with club.host.unit() as unit:
        unit.outbox.find(mail.id or 0).status = "sent"
        unit.commit()
    with pytest.raises(BadInput, match=f"mail {mail.id}: has been sent"):
        retry(club.host, mail.id or 0)


@pytest.mark.parametrize("action", [lambda host: requeue(host, 7, OLGA), lambda host: drop(host, 7, OLGA)])
def test_a_letter_that_is_not_there_is_told(club: Club, action) -> None:
    with pytest.raises(BadInput, match="letter 7: there is no such letter"):
        action(club.host)
