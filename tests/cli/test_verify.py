import re
import subprocess
import sys
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from tests.cli.conftest import Pbem

SCRIPT = Path(__file__).parents[2] / "docs" / "verify.py"


@pytest.fixture
def reports(begun: Path, folder: Path, pbem: Pbem) -> list[Path]:
    """The first two reports of a player, as mailed."""
    from pbem.config import load
    from pbem.hosting import build_host
    from pbem.reports.raster import Rasterizer

    pbem("close", "duel")
    with Rasterizer() as rasterizer:
        host = build_host(load(), rasterizer)
        with host.unit() as unit:
            mails = [mail for mail in unit.outbox.latest() if mail.recipient == "ana@players.example"]
        host.engine.dispose()
    reports = [mail.raw for mail in sorted(mails, key=lambda mail: mail.id or 0) if b"report.json" in mail.raw]
    files = [folder / f"{number}.eml" for number in range(len(reports))]
    for file, raw in zip(files, reports, strict=True):
        file.write_bytes(raw)
    return files


def parts(mail: Path) -> tuple[str, bytes]:
    """The text of a mail, and its attached JSON."""
    message = message_from_bytes(mail.read_bytes(), policy=policy.default)
    (attached,) = (part for part in message.iter_attachments() if part.get_filename() == "report.json")
    body = message.get_body(["plain"])
    assert body is not None
    return body.get_content(), attached.get_content()


def script(*files: Path) -> tuple[int, str]:
    ran = subprocess.run([sys.executable, SCRIPT, *files], capture_output=True, text=True)
    return ran.returncode, ran.stdout or ran.stderr


def test_mailed_reports_are_verified(reports: list[Path], folder: Path, pbem: Pbem) -> None:
    text, attached = parts(reports[-1])
    (folder / "text.txt").write_text(text)
    (folder / "quoted.txt").write_text("\n".join(f"> {line}" for line in text.splitlines()))
    (folder / "report.json").write_bytes(attached)
    for name in ("text.txt", "quoted.txt", "report.json"):
        assert pbem("verify", name).lines == [f"{name}: all dice are right; no report here promised them"]
    assert script(reports[-1], reports[-2]) == (0, "all dice are right\n")


def test_reports_are_held_to_each_others_promises_in_any_order(reports: list[Path], pbem: Pbem) -> None:
    first, second = reports
    told = [
        f"{second}: all dice are right; as another report here promised",
        f"{first}: all dice are right; no report here promised them",
    ]
    ran = pbem("verify", str(second), str(first))
    assert (ran.code, ran.lines) == (0, told)


def test_a_changed_die_is_found(reports: list[Path], folder: Path, pbem: Pbem) -> None:
    text, _ = parts(reports[-1])
    found = re.search(r"(die .+) d6 = (\d)", text)
    assert found
    wrong = int(found[2]) % 6 + 1
    (folder / "text.txt").write_text(text.replace(found[0], f"{found[1]} d6 = {wrong}"))
    ran = pbem("verify", "text.txt")
    assert (ran.code, ran.lines[0]) == (1, "text.txt: WRONG")
    code, told = script(folder / "text.txt")
    assert (code, told) == (1, f"{found[1]} d6 = {wrong}, but it should be {found[2]}\n")


def test_a_file_without_a_proof_is_told(folder: Path, pbem: Pbem) -> None:
    (folder / "note.txt").write_text("Dear diary\n")
    ran = pbem("verify", "note.txt")
    assert (ran.code, ran.faults[0].startswith("note.txt: no proof stands here")) == (2, True)
    assert pbem("verify", "nothing.eml").faults == ["nothing.eml: cannot be read: No such file or directory"]


def test_a_file_without_a_proof_does_not_hide_the_others(reports: list[Path], folder: Path, pbem: Pbem) -> None:
    (folder / "note.txt").write_text("Dear diary\n")
    ran = pbem("verify", "note.txt", str(reports[-1]), "nothing.eml")
    assert (ran.code, ran.lines) == (2, [f"{reports[-1]}: all dice are right; no report here promised them"])
    assert [fault.split(":")[0] for fault in ran.faults] == ["note.txt", "nothing.eml"]


def test_the_script_tells_of_a_mail_without_a_proof(folder: Path) -> None:
    for text in ("Dear diary\n", "From: a@x.example\nContent-Type: image/png\n\n"):
        (folder / "note.txt").write_text(text)
        assert script(folder / "note.txt") == (
            1,
            f"{folder / 'note.txt'}: no proof stands here; save the whole mail of a report\n",
        )
