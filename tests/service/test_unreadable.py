"""Letters without readable text: what becomes of them, and what their senders are told."""

from dataclasses import replace
from email.message import EmailMessage

import pytest

from pbem.mail.reading.letter import Envelope
from pbem.mail.reading.safely import Reading, unread
from pbem.service.incoming.requeue import requeue
from pbem.storage.tables import Letter
from tests.service.conftest import Club, text_of

ANA = "ana@example.org"
ORDER = "Red Dragons: move 2"


def letter_to(duel: Club) -> EmailMessage:
    """A letter of Ana's in answer to what she got last, still without a text."""
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Subject"] = ANA, duel.reply_address(ANA), "Orders"
    letter["Message-ID"] = "<1@example.org>"
    return letter


def newest(duel: Club) -> Letter:
    with duel.host.unit() as unit:
        letter = unit.letters.latest(1)[0]
        assert letter.raw
        return letter


def broken(raw: bytes, envelope: Envelope) -> Reading:
    """What comes of a letter that no process gets through."""
    return unread(raw, envelope)


def test_letter_that_no_reader_gets_through_is_held_and_never_answered(duel: Club) -> None:
    letter = letter_to(duel)
    letter.set_content("Red Dragons: hold\n")
    duel.mails()
    hardened = Club(replace(duel.host, read=broken), duel.clock, duel.taken)
    assert hardened.offer(letter.as_bytes()) == "held"
    assert hardened.offer(letter.as_bytes()) == "known"
    assert (newest(duel).raw, newest(duel).sender) == (letter.as_bytes(), "")
    assert "reading it took too long" in newest(duel).note
    assert hardened.mails() == []
    assert duel.write(ANA, "status\n") == "answered"


def test_letter_that_no_reader_got_through_can_be_taken_in_again(duel: Club) -> None:
    letter = letter_to(duel)
    letter.set_content(ORDER)
    Club(replace(duel.host, read=broken), duel.clock).offer(letter.as_bytes())
    duel.mails()
    number = newest(duel).id
    assert number is not None
    assert requeue(duel.host, number, "Olga").status == "filed"
    assert duel.filed("A") == [ORDER]
    assert "receipt" in duel.mail_to(ANA).subject


@pytest.mark.parametrize(
    ("subtype", "name", "advice"),
    [
        ("ms-tnef", "winmail.dat", "In Outlook, under Format Text, choose Plain Text."),
        ("pkcs7-mime", "smime.p7m", "turn off Encrypt"),
        ("pgp-encrypted", "encrypted.asc", "without encryption"),
        ("pdf", "orders.pdf", "Please write it again as plain text"),
    ],
)
def test_hidden_text_is_held_and_asked_for_as_plain_text(duel: Club, subtype: str, name: str, advice: str) -> None:
    letter = letter_to(duel)
    letter.set_content("\n")
    letter.add_attachment(b"\x00", "application", subtype, filename=name)
    duel.mails()
    assert duel.offer(letter.as_bytes()) == "held"
    text = " ".join(text_of(duel.mail_to(ANA)).split())
    assert newest(duel).note in text
    assert advice in text


def with_file(duel: Club, text: str, orders: str) -> bytes:
    letter = letter_to(duel)
    letter.set_content(text)
    letter.add_attachment(orders, filename="orders.txt")
    return letter.as_bytes()


def test_text_file_is_the_card_where_the_mail_says_nothing_itself(duel: Club) -> None:
    assert duel.offer(with_file(duel, "\n> Iron Wall: move 5\n\n-- \nAna\n", ORDER)) == "filed"
    assert duel.filed("A") == [ORDER]


def test_text_file_next_to_a_text_is_asked_about(duel: Club) -> None:
    raw = with_file(duel, "Hi, see attached!\n", ORDER)
    duel.mails()
    assert duel.offer(raw) == "asked"
    mail = duel.mail_to(ANA)
    assert "stand in an attached file next to your text" in " ".join(text_of(mail).split())
    assert duel.filed("A") == []
    assert duel.write(ANA, "YES\n", answers=mail) == "filed"
    assert duel.filed("A") == [ORDER]


def test_text_file_next_to_orders_is_not_read_and_that_is_told(duel: Club) -> None:
    duel.mails()
    assert duel.offer(with_file(duel, ORDER, "Iron Wall: move 5")) == "filed"
    assert duel.filed("A") == [ORDER]
    assert "This stands in a file beside what your mail says" in " ".join(text_of(duel.mail_to(ANA)).split())


def test_file_with_an_old_form_next_to_orders_is_passed_over(duel: Club) -> None:
    form = f"=== duel turn 1 {'A' * 8} ===\nIron Wall: hold\nEND\n"
    duel.mails()
    assert duel.offer(with_file(duel, ORDER, form)) == "filed"
    assert "in a file beside" not in text_of(duel.mail_to(ANA))
