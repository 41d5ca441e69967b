"""A campaign begins: who is told what."""

from tests.service.conftest import DUEL, Club, text_of

SHORT = DUEL.replace('name = "duel"', 'name = "short"').replace("{ map =", "{ end_turn = 12, map =")


def test_the_invitation_says_how_long_the_campaign_lasts(duel: Club) -> None:
    duel.begin(SHORT)
    (letter,) = [text_of(mail) for mail in duel.mails() if mail.cause == "short welcome A"]
    assert "Length       12 turns, or until somebody has won\n" in letter
