from pathlib import Path

from pbem.service.stages import archiving
from tests.service.conftest import Club, text_of


def test_a_report_is_archived_as_it_was_mailed_however_late(club: Club, tmp_path: Path) -> None:
    mailed = next(mail for mail in club.mails() if mail.recipient == "ana@example.org" and "report" in mail.cause)
    club.clock.go(days=9)
    archiving.write(club.host, tmp_path)
    (kept,) = (tmp_path / "archive" / "mailed" / "gate" / "a").glob("*.txt")
    assert kept.read_text().partition("\n\n")[2].strip() == text_of(mailed).strip()
