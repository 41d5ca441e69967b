"""Order cards as people send them: in bits, twice, to the wrong address, for the wrong turn."""

import re

import pytest

from pbem.mail.reading.letter import Envelope
from pbem.service.incoming.intake import accept
from tests.service.conftest import DUEL, PLAIN, Club, text_of

ANA = "ana@example.org"
OLGA = "olga@example.org"


def token_of(address: str) -> str:
    return address.partition("+")[2].partition("@")[0]


# --- receipts -----------------------------------------------------------------------------------------------------


def test_receipts_get_longer_when_the_short_ones_are_given_away(duel: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.service.tokens.LETTERS", "7")  # So there is one of each length.
    for order in ("move 2", "hold", "move 2"):
        assert duel.write(ANA, f"Red Dragons: {order}") == "filed"
    with duel.host.unit() as unit:
        notes = [letter.note for letter in unit.letters.latest()]
    assert notes == ["receipt 777777", "receipt 77777", "receipt 7777"]


# --- what counts as orders ----------------------------------------------------------------------------------------


def test_prose_is_no_order_and_takes_no_final_back(duel: Club) -> None:
    assert duel.write(ANA, "Sorry, I am late this week.") == "answered"
    assert duel.filed("A") == []
    duel.write(ANA, "Red Dragons: move 2\nFINAL")
    assert duel.write(ANA, "Thanks, see you on Friday!") == "answered"
    assert duel.filed("A") == ["Red Dragons: move 2", "FINAL"]


def test_lines_that_are_all_refused_are_told_and_change_nothing(duel: Club) -> None:
    duel.write(ANA, "Red Dragons: move 2\nFINAL")
    duel.mails()
    assert duel.write(ANA, "Red Dragons: move 18") == "answered"
    mail = duel.mail_to(ANA)
    assert "0 of 1 order OK, 1 needs you" in mail.subject
    assert "You wrote  Red Dragons: move 18" in text_of(mail)
    assert duel.filed("A") == ["Red Dragons: move 2", "FINAL"]


def test_a_change_after_final_says_that_final_is_taken_back(duel: Club) -> None:
    duel.write(ANA, "Red Dragons: move 2\nFINAL")
    duel.mails()
    duel.write(ANA, "Iron Wall: move 5")
    assert "taken back" in text_of(duel.mail_to(ANA))
    assert duel.filed("A") == ["Red Dragons: move 2", "Iron Wall: move 5"]


def test_the_hash_of_a_mail_is_told_only_if_it_takes_part_in_the_dice(duel: Club) -> None:
    for body, part in [("Red Dragons: move 2", True), ("Red Dragons: move 2", False), ("Hello!", False)]:
        duel.write(ANA, body)
        with duel.host.unit() as unit:
            (letter,) = unit.letters.latest(1)
            stage = unit.campaigns.current_stage(unit.campaigns.all()[0])
            assert stage is not None
            assert (letter.content_hash in unit.submissions.letters(stage)) == part
        assert (letter.content_hash in text_of(duel.mail_to(ANA))) == part


def test_a_cancel_takes_back_what_stands_above_it(duel: Club) -> None:
    duel.write(ANA, "Red Dragons: move 2\nIron Wall: move 5\ncancel Red Dragons")
    assert duel.filed("A") == ["Iron Wall: move 5"]
    duel.write(ANA, "cancel Iron Wall\nIron Wall: move 6")
    assert duel.filed("A") == ["Iron Wall: move 6"]


def test_a_banner_that_is_called_like_a_word_to_the_server_obeys(duel: Club) -> None:
    duel.write(ANA, "Cancel Crew: move 2")
    assert duel.filed("A") == ["Cancel Crew: move 2"]
    duel.write(ANA, "cancel Cancel Crew\nOK")
    assert duel.filed("A") == []


def test_many_questions_in_one_mail_are_answered_and_its_orders_filed(duel: Club) -> None:
    assert duel.write(ANA, "RULES 6.4\nrules 5\nRULES 6.4\nSTATUS\nRed Dragons: move 2") == "filed"
    assert [mail.cause.split()[1] for mail in duel.mails()] == ["status", "rules", "rules", "acknowledgement"]


def test_a_report_that_is_not_there_cannot_be_sent_again(duel: Club) -> None:
    assert duel.write(ANA, "RESEND 99") == "answered"
    assert "no report of turn 99" in " ".join(text_of(duel.mail_to(ANA)).split())


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("Red Dragons: move 2\n" + "Red Dragns: mvoe 2\n" * 5_000, "A card has at most 500 lines"),
        ("Red Dragons: move 2\nRed Dragons: move " + "5" * 200_000, "A line has at most 2000 signs"),
        ("Red Dragons: move 2\n" + "".join(f"resend {turn}\n" for turn in range(5, 5999)), "at most 500 lines"),
    ],
)
def test_an_endless_card_is_read_in_part_and_its_answer_has_an_end(duel: Club, body: str, reason: str) -> None:
    assert duel.write(ANA, body) == "filed"
    mail = duel.mail_to(ANA)
    assert reason in text_of(mail)
    assert len(mail.raw) < 1_000_000
    assert duel.filed("A") == ["Red Dragons: move 2"]


def test_a_line_said_twice_is_read_once_and_the_answer_says_so(duel: Club) -> None:
    duel.write(ANA, "Red Dragons: move 2\nIron Wall: move 5\nRed Dragons: move 2\nIron Wall: hold")
    assert duel.filed("A") == ["Red Dragons: move 2", "Iron Wall: hold"]
    answer = " ".join(text_of(duel.mail_to(ANA)).split())
    assert '"Red Dragons: move 2": stands there twice, I read it once.' in answer
    assert '"Iron Wall: move 5": does not count, since further down you say "Iron Wall: hold".' in answer


def test_a_refused_line_takes_no_place_of_a_legal_one(duel: Club) -> None:
    duel.write(ANA, "Red Dragons: move 2\nRed Dragons: move 18")
    assert duel.filed("A") == ["Red Dragons: move 2"]
    assert "SAID TWICE" not in text_of(duel.mail_to(ANA))


def test_two_gifts_alike_are_two_and_the_same_card_again_changes_nothing(duel: Club) -> None:
    duel.clock.go(days=7)
    assert duel.run() == 1  # The headquarters pay.
    duel.mails()
    for stands in ("all 2 orders OK", "nothing changed"):
        duel.write(ANA, "give 10 to Larks\ngive 10 to Larks")
        assert duel.filed("A") == ["give 10 to Larks", "give 10 to Larks"]
        assert stands in duel.mail_to(ANA).subject


def test_a_banner_hears_its_old_name_and_its_new_one(duel: Club) -> None:
    renaming = "rename Red Dragons to Green Dragons"
    for said in ("Red Dragons: move 2", "Green Dragons: hold", "Red Dragons: move 2"):
        duel.write(ANA, f"{renaming}\n{said}")
        assert sorted(duel.filed("A")) == sorted([renaming, said])
    assert duel.write(ANA, "Red Dragons: hold") == "filed"
    assert duel.filed("A") == [renaming, "Red Dragons: hold"]


def test_an_order_on_file_goes_along_when_a_later_mail_renames_its_banner(duel: Club) -> None:
    duel.write(ANA, "Red Dragons: move 2")
    duel.mails()
    assert duel.write(ANA, "rename Red Dragons to Green Dragons") == "filed"
    assert re.search(r"Green Dragons +MOVE 1 -> 2 \(sent before\)", text_of(duel.mail_to(ANA)))
    assert duel.write(ANA, "Green Dragons: hold") == "filed"
    assert duel.filed("A") == ["Green Dragons: hold", "rename Red Dragons to Green Dragons"]


def test_the_status_lists_what_holds_until_it_is_changed(duel: Club) -> None:
    duel.write(ANA, "loss order: Knights\ntake: as usual")
    duel.clock.go(days=7)
    duel.run()
    duel.mails()
    duel.write(ANA, "STATUS")
    told = text_of(duel.mail_to(ANA)).partition("HOLDS UNTIL YOU CHANGE IT")[2]
    assert told.split("GOOD")[0].split()[:4] == ["Loss", "order", "Knights;", "then"]
    assert "Take" not in told


# --- YES ----------------------------------------------------------------------------------------------------------


def test_a_yes_without_a_question_is_told_so(duel: Club) -> None:
    assert duel.write(ANA, "YES") == "answered"
    assert "It answers no mail of mine that asks" in text_of(duel.mail_to(ANA))


def test_a_yes_files_all_that_the_mail_said(duel: Club) -> None:
    duel.write(ANA, "Red Dragons: move 2\nIron Wall: move 5")
    duel.write(ANA, "cancel Red Dragons\nFINAL", to=PLAIN)
    assert duel.filed("A") == ["Red Dragons: move 2", "Iron Wall: move 5"]
    assert duel.write(ANA, "YES") == "filed"
    assert duel.filed("A") == ["Iron Wall: move 5", "FINAL"]


def test_a_yes_answers_questions_too(duel: Club) -> None:
    duel.write(ANA, "STATUS", to=PLAIN)
    duel.mails()
    duel.write(ANA, "YES")
    assert "status" in duel.mail_to(ANA).cause


def test_a_yes_confirms_the_mail_that_was_asked_about_and_no_other(duel: Club) -> None:
    duel.write(ANA, "Red Dragons: move 2", to=PLAIN)
    question = duel.mail_to(ANA)
    duel.write(ANA, "Red Dragons: raze", to=PLAIN)
    assert duel.write(ANA, "YES") == "answered"
    assert duel.filed("A") == []
    assert duel.write(ANA, "YES", answers=question) == "filed"
    assert duel.filed("A") == ["Red Dragons: move 2"]
    duel.mails()
    assert duel.write(ANA, "YES", answers=question) == "answered"
    assert "on file already" in text_of(duel.mail_to(ANA))


def test_a_yes_counts_although_another_card_came_meanwhile(duel: Club) -> None:
    duel.write(ANA, "Red Dragons: move 2", to=PLAIN)
    question = duel.mail_to(ANA)
    duel.write(ANA, "Iron Wall: move 5")
    duel.write(ANA, "YES", answers=question)
    assert sorted(duel.filed("A")) == ["Iron Wall: move 5", "Red Dragons: move 2"]


def test_a_yes_after_the_stage_is_closed_asks_about_the_open_one(duel: Club) -> None:
    duel.write(ANA, "Red Dragons: move 2", to=PLAIN)
    question, to = duel.mail_to(ANA), duel.reply_address(ANA)
    duel.clock.go(days=7)
    duel.run()
    duel.mails()
    assert duel.write(ANA, "YES", to=to, answers=question) == "held"
    again = duel.mail_to(ANA)
    assert "came after Turn 1" in again.subject
    assert duel.filed("A") == []
    assert duel.write(ANA, "YES", answers=again) == "filed"
    assert duel.filed("A") == ["Red Dragons: move 2"]


# --- frames -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("frame", ["=== duel turn 7 {} ===", "=== other turn 1 {} ===", "=== duel turn 1 ABCDEFGH ==="])
def test_a_frame_that_does_not_fit_is_asked_about_whatever_the_address_says(duel: Club, frame: str) -> None:
    to = duel.reply_address(ANA)
    assert duel.write(ANA, f"{frame.format(token_of(to))}\nIron Wall: move 5\nEND", to=to) == "asked"
    assert duel.filed("A") == []
    assert "YES" in duel.mail_to(ANA).subject


def test_the_card_of_an_earlier_turn_is_late_even_in_an_answer_to_the_newest_report(duel: Club) -> None:
    card = f"=== duel turn 1 {token_of(duel.reply_address(ANA))} ===\nIron Wall: move 5\nEND"
    duel.clock.go(days=7)
    duel.run()
    duel.mails()
    assert duel.write(ANA, card) == "held"
    assert "came after Turn 1" in duel.mail_to(ANA).subject


def test_a_second_card_in_a_mail_is_not_read_and_told(duel: Club) -> None:
    frame = f"=== duel turn 1 {token_of(duel.reply_address(ANA))} ==="
    duel.write(ANA, f"{frame}\nIron Wall: move 5\nEND\n\n{frame}\nRed Dragons: move 2\nEND")
    assert duel.filed("A") == ["Iron Wall: move 5"]
    assert "A mail holds one card" in text_of(duel.mail_to(ANA))


# --- several seats, several campaigns -----------------------------------------------------------------------------

SECOND = DUEL.replace('"duel"\ntitle = "The Duel"', '"rematch"\ntitle = "The Rematch"')
BOTH = SECOND.replace("ben@example.org", ANA)
SAME = SECOND.replace("olga@example.org", ANA)


def test_a_mail_to_two_campaigns_is_for_both(duel: Club) -> None:
    first = duel.reply_address(ANA)
    duel.begin(SECOND)
    second = duel.reply_address(ANA)
    duel.mails()
    assert duel.write(ANA, "Red Dragons: move 2", to=f"{first}, {second}") == "filed"
    assert (duel.filed("A", "duel"), duel.filed("A", "rematch")) == (["Red Dragons: move 2"],) * 2
    assert [mail.subject[:10] for mail in duel.mails()] == ["[duel] Tur", "[rematch] "]


def test_a_mail_to_two_campaigns_may_come_as_two_copies(duel: Club) -> None:
    first = duel.reply_address(ANA)
    duel.begin(SECOND)
    second = duel.reply_address(ANA)
    raw = f"From: {ANA}\r\nTo: {first}, {second}\r\nMessage-ID: <1@x>\r\n\r\nRed Dragons: move 2\r\n".encode()
    outcomes = [accept(duel.host, raw, Envelope(recipients=(each,)), "lmtp") for each in (first, second)]
    assert outcomes == ["filed", "known"]
    assert (duel.filed("A", "duel"), duel.filed("A", "rematch")) == (["Red Dragons: move 2"],) * 2


def test_one_person_with_two_seats_is_asked_for_each(duel: Club) -> None:
    duel.begin(BOTH)
    duel.mails()
    assert duel.write(ANA, "Blue Herons: move 14", to=PLAIN, subject="[rematch] orders") == "asked"
    assert [mail.cause for mail in duel.mails()] == ["rematch unsure 1 A", "rematch unsure 1 B"]


def test_an_organizer_may_play_and_each_address_says_as_what_he_writes(duel: Club) -> None:
    duel.begin(SAME)
    mails = {mail.cause: mail for mail in duel.mails()}
    to = text_of(mails["rematch welcome A"]).partition("orders+")[2].split()[0]
    assert duel.write(ANA, "Red Dragons: move 2", to=f"orders+{to}") == "filed"
    duel.mails()
    assert duel.write(ANA, "close", to=PLAIN, subject="[rematch] close") == "asked"
    assert sorted(mail.cause for mail in duel.mails()) == ["rematch organizer 2", "rematch unsure 2 A"]


def test_mail_without_a_token_to_a_campaign_that_is_over_is_answered(duel: Club) -> None:
    with duel.host.unit() as unit:
        stage = unit.campaigns.current_stage(unit.campaigns.all()[0])
        assert stage is not None
        stage.status = "closed"
        unit.commit()
    duel.write(ANA, "Red Dragons: move 2", to=PLAIN)
    assert "over" in duel.mail_to(ANA).subject
