"""What stands in every mail that goes out, whatever it tells."""

from email import message_from_bytes, policy

import pytest

from pbem.mail.reading.letter import read_letter
from pbem.reports.letters import Letter
from pbem.service.outgoing.post import tell
from pbem.storage.tables import Letter as LetterRow
from pbem.storage.tables import Mail
from tests.reports.samples import LETTERS
from tests.service.conftest import Club

EVE = "eve@example.net"


def told(club: Club, name: str, *, answers: bool) -> Mail:
    """The mail that a sample becomes, as an answer to a letter or unasked."""
    letter = LETTERS[name]
    with club.host.unit() as unit:
        campaign = unit.campaigns.all()[0] if isinstance(letter, Letter) else None
        row = LetterRow(sender=EVE, message_id="<1@example.net>") if answers else None
        tell(club.host, unit, campaign, EVE, letter, f"sample {answers}", row)
        unit.commit()
    return club.mail_to(EVE)


@pytest.mark.parametrize("name", LETTERS)
def test_every_mail_says_that_a_machine_wrote_it(club: Club, name: str) -> None:
    club.mails()
    for answers, said in ((False, "auto-generated"), (True, "auto-replied")):
        raw = told(club, name, answers=answers).raw
        mail = message_from_bytes(raw, policy=policy.default)
        assert (mail["Auto-Submitted"], mail["X-Auto-Response-Suppress"], mail["X-Pbem"]) == (said, "All", "1")
        assert read_letter(raw).automatic
