"""TRY tells what may come of a card; nothing is filed, nothing changes."""

import pytest

from tests.service.conftest import PLAIN, Club, text_of

ANA = "ana@example.org"
CARD = "Red Dragons: move 2"
NOTHING = "nothing is filed and nothing has changed"


def answer(club: Club, body: str, **letter: str) -> str:
    """The text of the only answer to a mail of Ana's, which is no order."""
    club.mails()
    assert club.write(ANA, body, **letter) == "answered"
    return text_of(club.mail_to(ANA))


def part(text: str, heading: str) -> str:
    """What stands under a heading."""
    return text.split(heading, 1)[1].split("\n\n", 2)[1]


@pytest.mark.parametrize(
    ("body", "subject"),
    [
        (f"TRY\n{CARD}", "orders"),
        (f"{CARD}\nwhat if?", "orders"),
        (f"Please try this\n{CARD}", "orders"),
        (CARD, "TRY"),
        (CARD, "Re: [duel] try"),
    ],
)
def test_a_card_is_tried_and_not_filed(duel: Club, body: str, subject: str) -> None:
    text = answer(duel, body, subject=subject)
    assert NOTHING in " ".join(text.split())
    assert "to arrive in 2" in part(text, "WHEN THE MOVES ARE MADE")
    assert duel.filed("A") == []


def test_lines_that_are_no_orders_are_named(duel: Club) -> None:
    assert "hello there" in answer(duel, f"hello there\nTRY\n{CARD}").partition("LEFT ALONE (1)")[2]


def test_a_subject_that_says_more_is_none(duel: Club) -> None:
    assert duel.write(ANA, CARD, subject="Let us try this") == "filed"


def test_without_lines_the_orders_on_file_are_tried(duel: Club) -> None:
    duel.write(ANA, f"{CARD}\nFINAL")
    text = answer(duel, "TRY")
    assert "a trial of your orders on file" in " ".join(text.split())
    assert "to arrive in 2" in text
    assert duel.filed("A") == [CARD, "FINAL"]


def test_a_quoted_card_is_not_tried(duel: Club) -> None:
    text = answer(duel, f"> {CARD}", subject="TRY")
    assert "to arrive in" not in text


def test_lines_are_tried_on_top_of_those_on_file(duel: Club) -> None:
    duel.write(ANA, f"{CARD}\nIron Wall: hold")
    both = answer(duel, "try\nIron Wall: move 5")
    assert "arrive in 2" in both
    assert "arrive in 5" in both
    alone = answer(duel, "try\ncancel Red Dragons\nIron Wall: move 5")
    assert "arrive in 2" not in alone
    assert duel.filed("A") == [CARD, "Iron Wall: hold"]


def test_assumptions_are_told_back_and_what_is_wrong_with_them(duel: Club) -> None:
    text = answer(
        duel, f"TRY\n{CARD}\nASSUME Larks's Blue Herons moves 18\nassume that Grey Mice mvoes 18\nAssume Foo: hold"
    )
    assert "Larks's Blue Herons  MOVE 19 -> 18" in text
    assert "LEFT OUT OF THE TRIAL (2)" in text
    assert "Send       ASSUME Larks's Grey Mice: move 18" in text
    assert duel.filed("A") == []


def test_an_assumption_without_try_changes_nothing_and_is_told(duel: Club) -> None:
    duel.mails()
    assert duel.write(ANA, f"{CARD}\nASSUME Larks's Blue Herons moves 18") == "filed"
    assert "goes into a mail with TRY" in " ".join(text_of(duel.mail_to(ANA)).split())
    assert duel.filed("A") == [CARD]
    assert duel.write(ANA, f"{CARD}\nI assume that you are well") == "filed"


def test_words_that_would_change_something_are_not_obeyed_and_told(duel: Club) -> None:
    duel.write(ANA, CARD)
    text = answer(duel, "TRY\nFINAL\nOK\nADDRESS ana@work.example")
    assert "Not obeyed, because of the TRY: OK, FINAL, ADDRESS ana@work.example." in " ".join(text.split())
    assert duel.filed("A") == [CARD]


def test_lines_that_cannot_be_carried_out_are_left_out_and_told(duel: Club) -> None:
    text = answer(duel, "TRY\nRed Dragons: move 18")
    assert "LEFT OUT OF THE TRIAL (1)" in text
    assert "You wrote  Red Dragons: move 18" in text
    assert "certain to stay in" in part(text, "WHEN THE MOVES ARE MADE")


def test_more_assumptions_than_are_read_are_told(duel: Club) -> None:
    text = answer(duel, "TRY\n" + "ASSUME Larks's Blue Herons holds\n" * 50)
    assert "At most 40 lines are assumed" in text


def test_a_question_is_answered_beside(duel: Club) -> None:
    duel.mails()
    duel.write(ANA, f"TRY\nSTATUS\n{CARD}")
    assert {mail.subject.partition(":")[2].strip() for mail in duel.mails()} == {
        "your orders on file",
        "what may come of your card - nothing is filed",
    }


def test_somebody_who_may_not_be_the_player_is_told_nothing(duel: Club) -> None:
    duel.mails()
    assert duel.write("eve@example.net", f"TRY\n{CARD}", to=PLAIN) == "held"
    assert duel.write(ANA, f"TRY\n{CARD}", to=PLAIN) == "asked"
    for mail in duel.mails():
        assert "to arrive in" not in text_of(mail)


def test_a_trial_that_was_asked_about_is_told_after_a_yes(duel: Club) -> None:
    duel.mails()
    duel.write(ANA, f"TRY\n{CARD}", to=PLAIN)
    question = duel.mail_to(ANA)
    assert duel.write(ANA, "YES", answers=question) == "answered"
    assert "to arrive in 2" in text_of(duel.mail_to(ANA))
    assert duel.filed("A") == []


def test_a_rule_system_without_odds_says_so(club: Club) -> None:
    club.mails()
    assert club.write(ANA, "TRY") == "answered"
    assert "no dice that I could foresee are left" in " ".join(text_of(club.mail_to(ANA)).split())


def test_a_line_that_another_takes_the_place_of_is_named(duel: Club) -> None:
    banner = CARD.partition(":")[0]
    assert f'"{banner}: hold": does not count' in " ".join(answer(duel, f"TRY\n{banner}: hold\n{CARD}").split())
