"""A player can reach the person who leads the campaign; strangers do not learn who that is."""

import pytest

from tests.service.conftest import PLAIN, Club, text_of

ANA, OLGA, EVE = "ana@example.org", "olga@example.org", "eve@example.org"


def test_the_welcome_names_the_organizer(club: Club) -> None:
    welcome = next(mail for mail in club.mails() if mail.recipient == ANA and "You lead" in mail.subject)
    assert f"Organizer    {OLGA}" in text_of(welcome)


@pytest.mark.parametrize("text", ["HELP", "STATUS", "LEAVE", "OK", "Who is the organizer?"])
def test_answers_name_the_organizer(club: Club, text: str) -> None:
    club.mails()
    club.write(ANA, text)
    (answer,) = [mail for mail in club.mails() if mail.recipient == ANA]
    assert OLGA in text_of(answer)


def test_a_stranger_does_not_learn_who_leads_a_campaign(club: Club) -> None:
    club.mails()
    club.write(EVE, "Who is the organizer?", to=PLAIN)
    assert OLGA not in text_of(club.mail_to(EVE))
