"""What may be forged is put up for a YES, and the question shows what it says."""

import pytest

from tests.service.conftest import DUEL, PLAIN, Club, text_of

ANA = "ana@example.org"


@pytest.fixture
def duel(club: Club) -> Club:
    """The club with a campaign in which several banners are ordered."""
    club.begin(DUEL)
    return club


@pytest.mark.parametrize("words", ["OK", "FINAL", "REPLACE ALL", "LEAVE", "NEW TOKEN", "CANCEL Red Dragons"])
def test_a_question_shows_the_words_of_a_mail_that_holds_nothing_else(club: Club, words: str) -> None:
    club.mails()
    assert club.write(ANA, f"{words}\n\nCheers, Ana", to=PLAIN) == "asked"
    assert f"WHAT IT SAYS\n\n  > {words}\n\n" in text_of(club.mail_to(ANA))


def test_a_question_shows_words_and_orders_in_the_order_of_the_mail(duel: Club) -> None:
    duel.write("ben@example.org", "Blue Herons: hold\nreplace all  # afresh\nGrey Mice: hold\nFINAL", to=PLAIN)
    asked = [mail for mail in duel.mails() if mail.cause.startswith("duel unsure")]
    shown = [line for mail in asked for line in text_of(mail).splitlines() if line.startswith("  > ")]
    assert shown == ["  > Blue Herons: hold", "  > replace all # afresh", "  > Grey Mice: hold", "  > FINAL"]
