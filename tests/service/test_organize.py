"""The organizer steers by mail; the command line does the same."""

from datetime import timedelta

import pytest

from pbem.service.organizer import organize
from pbem.service.outgoing.overview import trouble
from pbem.service.stages import remind
from pbem.storage.tables import Stage, number_of
from tests.service.conftest import PLAIN, START, Club, text_of

OLGA = "olga@example.org"


def stage(club: Club) -> Stage:
    with club.host.unit() as unit:
        found = unit.campaigns.current_stage(unit.campaigns.all()[0])
    assert found is not None
    return found


def test_close_resolves_the_stage_at_the_next_look(club: Club) -> None:
    club.mails()
    assert club.write(OLGA, "close") == "answered"
    assert "being closed" in text_of(club.mail_to(OLGA))
    assert club.run() == 1


def test_a_second_close_does_not_close_the_next_stage(club: Club) -> None:
    club.write(OLGA, "close")
    club.run()
    club.mails()
    club.write(OLGA, "close")
    told = text_of(club.mail_to(OLGA))
    assert "has only just opened, and nobody has sent orders for it" in " ".join(told.split())
    assert "close anyway" in told
    assert club.run() == 0
    club.write(OLGA, "close anyway")
    assert club.run() == 1


def test_a_stage_is_closed_by_hand_when_somebody_has_sent_orders_or_time_has_passed(club: Club) -> None:
    club.write(OLGA, "close")
    club.run()
    club.write(club.mover(), "OK")
    club.write(OLGA, "close")
    assert club.run() == 1
    club.clock.go(hours=1, seconds=1)
    club.write(OLGA, "close")
    assert club.run() == 1


def test_a_command_does_not_wait_for_him_who_sent_it(club: Club) -> None:
    club.mails()
    club.write(OLGA, "status")
    assert "Letter" not in text_of(club.mail_to(OLGA))


def test_extend_moves_the_deadline_and_tells_all(club: Club) -> None:
    club.mails()
    before = stage(club).deadline
    club.write(OLGA, "extend 2d")
    after = stage(club).deadline
    assert before is not None
    assert after is not None
    assert after - before == timedelta(days=2)
    assert sorted(mail.recipient for mail in club.mails()) == ["ana@example.org", "ben@example.org", OLGA]


def test_a_report_that_is_sent_again_has_the_deadline_as_it_is_now(club: Club) -> None:
    report = next(mail for mail in club.mails() if mail.recipient == "ana@example.org" and "END" in text_of(mail))
    assert "Wed 6 May, 14:00" in text_of(report)
    club.write(OLGA, "extend 2d")
    assert club.write("ana@example.org", "RESEND") == "answered"
    with club.host.unit() as unit:
        again = unit.outbox.with_message_id(report.message_id)
    assert again is not None
    assert (again.status, again.subject) == ("due", report.subject)
    assert "Fri 8 May, 14:00" in text_of(again)
    assert "Wed 6 May" not in text_of(again)


def test_a_paused_campaign_takes_orders_and_closes_nothing(club: Club) -> None:
    club.write(OLGA, "pause")
    club.clock.go(days=10)
    assert club.write(club.mover(), "OK") == "filed"
    assert club.run() == 0
    club.write(OLGA, "resume")
    deadline = stage(club).deadline
    assert deadline == START + timedelta(days=12)
    assert club.run() == 0
    club.clock.go(days=2)
    assert club.run() == 1


@pytest.mark.parametrize(
    "text",
    [
        "clsoe",
        "extend -1d",
        "extend by \N{MINUS SIGN} 2d",
        "extend soon",
        "extend 99999999999d",
        "resume",
        "fire everyone",
    ],
)
def test_a_command_that_cannot_be_obeyed_is_answered_with_the_reason(club: Club, text: str) -> None:
    club.mails()
    club.write(OLGA, text)
    mail = club.mail_to(OLGA)
    assert text in text_of(mail) or "not paused" in text_of(mail)
    assert stage(club).deadline == START + timedelta(days=2)


def test_status_says_who_has_sent_and_not_what(club: Club) -> None:
    club.write(club.mover(), "taunt Hush!\nOK")
    club.mails()
    club.write(OLGA, "status")
    text = text_of(club.mail_to(OLGA))
    assert "sent" in text
    assert "Hush" not in text


def test_a_player_cannot_steer(club: Club) -> None:
    club.write(club.mover(), "close")
    assert club.run() == 0


def test_the_organizers_address_without_token_is_asked_back(club: Club) -> None:
    club.mails()
    assert club.write(OLGA, "close", to="orders@campaigns.example") == "asked"
    assert club.run() == 0
    assert [mail.recipient for mail in club.mails()] == [OLGA]
    assert club.write(OLGA, "close") == "answered"
    assert club.run() == 1


def test_what_was_done_by_hand_is_written_down(club: Club) -> None:
    club.write(OLGA, "extend 1d\npause")
    with club.host.unit() as unit:
        done = [(entry.who, entry.what) for entry in unit.campaigns.audits(unit.campaigns.all()[0])]
    assert done == [(OLGA, "extended Round 1, North to lay by 1d"), (OLGA, "paused")] or done == [
        (OLGA, "extended Round 1, South to lay by 1d"),
        (OLGA, "paused"),
    ]


def test_the_command_line_does_the_same(club: Club) -> None:
    with club.host.unit() as unit:
        control = organize.Control(club.host, unit, unit.campaigns.all()[0], "command line")
        assert "closed" in organize.command(control, "close")
        unit.commit()
    assert club.run() == 1


def test_an_extension_counts_from_now_where_the_deadline_has_passed(club: Club) -> None:
    with club.host.unit() as unit:
        unit.campaigns.stage(stage(club).id or 0).status = "held"
        unit.commit()
    club.clock.go(days=9)
    club.write(OLGA, "extend 1d")
    assert stage(club).deadline == START + timedelta(days=10)


def test_an_extension_of_a_paused_campaign_is_added_to_what_was_left(club: Club) -> None:
    club.clock.go(days=1)
    club.write(OLGA, "pause")
    club.clock.go(days=10)
    club.mails()
    club.write(OLGA, "extend 1d")
    assert {text_of(mail).count("Deadline  None") for mail in club.mails()} == {1}
    club.write(OLGA, "resume")
    assert stage(club).deadline == START + timedelta(days=13)


def test_one_mail_may_hold_the_same_command_twice(club: Club) -> None:
    club.write(OLGA, "extend 1d\nextend 1d")
    assert stage(club).deadline == START + timedelta(days=4)


# --- what waits for him -------------------------------------------------------------------------------------------


def late_letter(club: Club) -> int:
    """Close the open stage and send a card for it; the letter's number."""
    mover = club.mover()
    to = club.reply_address(mover)
    club.clock.go(days=2)
    assert club.run() == 1
    assert club.write(mover, "taunt Too late?", to=to) == "held"
    with club.host.unit() as unit:
        return number_of(unit.letters.latest(1)[0])


def waits(club: Club) -> list[str]:
    """What waits for the organizer; the first words of each."""
    with club.host.unit() as unit:
        return [line.partition(" from")[0] for line in trouble(unit, unit.campaigns.all()[0])]


def test_a_late_letter_waits_for_him_while_the_stage_is_open_in_which_it_came(club: Club) -> None:
    number = late_letter(club)
    assert waits(club) == [f"Letter {number}"]
    club.clock.go(days=2)
    club.run()
    assert waits(club) == []


def test_a_mail_that_failed_waits_for_him_until_the_stage_is_closed(club: Club) -> None:
    with club.host.unit() as unit:
        mail = next(each for each in unit.outbox.latest() if each.recipient == "ana@example.org")
        mail.status, mail.note = "failed", "no such user"
        unit.commit()
    assert waits(club) == ["Mail to ana@example.org failed: no such user."]
    club.clock.go(days=2)
    club.run()
    assert waits(club) == []


def test_a_dismissed_letter_no_longer_waits_and_is_kept(club: Club) -> None:
    number = late_letter(club)
    club.mails()
    club.write(OLGA, f"dismiss {number}")
    assert f"Letter {number} set aside." in text_of(club.mail_to(OLGA))
    assert waits(club) == []
    with club.host.unit() as unit:
        letter = unit.letters.get(number)
    assert letter is not None
    assert (letter.status, letter.note.rpartition("; ")[2]) == ("ignored", f"set aside by {OLGA}")


def test_a_player_may_still_confirm_a_letter_that_was_dismissed(club: Club) -> None:
    number = late_letter(club)
    question = club.mails()[-1]
    club.write(OLGA, f"dismiss {number}")
    assert club.write(question.recipient, "YES", answers=question) == "filed"


def test_a_letter_that_does_not_wait_cannot_be_dismissed_and_the_others_stay(club: Club) -> None:
    number = late_letter(club)
    club.mails()
    club.write(OLGA, f"dismiss {number}, 99")
    assert "No letter 99 waits for you" in text_of(club.mail_to(OLGA))
    assert waits(club) == [f"Letter {number}"]


# --- reminders and catching up ------------------------------------------------------------------------------------


def test_reminders_go_only_to_those_missing_and_once_for_each_distance(club: Club) -> None:
    mover = club.mover()
    club.mails()
    assert remind.remind(club.host) == 0
    club.clock.go(hours=24)
    assert remind.remind(club.host) == 1
    assert remind.remind(club.host) == 0
    assert "lay " in text_of(club.mail_to(mover))
    club.write(mover, "OK")
    club.mails()
    club.clock.go(hours=22)
    assert remind.remind(club.host) == 0
    assert club.mails() == []


def test_a_deadline_that_passed_while_the_server_was_down_is_put_off_once_and_announced(club: Club) -> None:
    club.mails()
    club.clock.go(days=5)
    assert remind.catch_up(club.host) == 1
    assert sorted(mail.recipient for mail in club.mails()) == ["ana@example.org", "ben@example.org", OLGA]
    assert club.run() == 0
    assert remind.catch_up(club.host) == 0
    assert club.write(club.mover(), "OK") == "filed"
    club.clock.go(hours=2)
    assert remind.catch_up(club.host) == 0
    assert club.run() == 1


def test_an_extended_deadline_is_reminded_of_anew(club: Club) -> None:
    mover = club.mover()
    club.clock.go(hours=46)
    assert remind.remind(club.host) == 1
    club.write(OLGA, "extend 2d")
    club.mails()
    assert remind.remind(club.host) == 0
    club.clock.go(hours=30)
    assert remind.remind(club.host) == 1
    assert [mail.recipient for mail in club.mails()] == [mover]


def test_an_extended_deadline_is_put_off_anew_if_the_server_is_down(club: Club) -> None:
    club.clock.go(days=5)
    assert remind.catch_up(club.host) == 1
    club.write(OLGA, "extend 2d")
    club.clock.go(days=5)
    assert remind.catch_up(club.host) == 1


def test_the_subject_tells_first_what_was_not_done(club: Club) -> None:
    club.mails()
    club.write(OLGA, "pause\nextend -1d\nclsoe")
    assert club.mail_to(OLGA).subject == "[gate] not done: extend -1d; 1 more; The clock is stopped"


@pytest.mark.parametrize("to", ["", PLAIN])
def test_an_answer_does_not_become_much_longer_than_the_mail(club: Club, to: str) -> None:
    club.mails()
    club.write(OLGA, "\n".join(["x" * 50_000] * 5), to=to or club.reply_address(OLGA))
    assert len(club.mail_to(OLGA).raw) < 100_000


def test_what_is_too_long_to_be_a_command_is_told(club: Club) -> None:
    club.mails()
    club.write(OLGA, "status\n" + "x" * 5000, to=club.reply_address(OLGA))
    assert "at most 2000 signs" in " ".join(text_of(club.mail_to(OLGA)).split())


def test_a_signature_and_prose_are_left_alone_and_said_so(club: Club) -> None:
    club.mails()
    club.write(OLGA, "Hi all,\nstatus\n\nRegards,\nOlga\nOn Mon The Amber Road wrote:")
    mail = club.mail_to(OLGA)
    text = text_of(mail)
    assert mail.subject == "[gate] status"
    assert text.index("LEFT ALONE (4)") < text.index("  Regards,") < text.index("  On Mon The Amber Road wrote:")
    assert "NOT DONE" not in text


def test_a_mail_of_prose_says_in_the_subject_that_nothing_was_done(club: Club) -> None:
    club.mails()
    club.write(OLGA, "fire everyone")
    assert club.mail_to(OLGA).subject == "[gate] nothing in it reads as a command"


@pytest.mark.parametrize(
    ("text", "paste"),
    [
        ("please close the turn", "close"),
        ("Could you close the turn now?", "close"),
        ("extned 2d", "extend 2d"),
        ("I would like to extend by 3d, please.", "extend by 3d"),
        ("Please hand over South to Zoe <zoe@example.org>", "hand over South to Zoe <zoe@example.org>"),
        ("so pause it", "pause"),
    ],
)
def test_a_line_that_comes_near_a_command_is_refused_with_a_line_to_send(club: Club, text: str, paste: str) -> None:
    club.mails()
    before = stage(club).deadline
    club.write(OLGA, text)
    assert f"Send       {paste}\n" in text_of(club.mail_to(OLGA))
    assert stage(club).deadline == before
