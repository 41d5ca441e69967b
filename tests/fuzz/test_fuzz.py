"""Letters that nobody has thought of: no exception, no 200 MB. ``make fuzz`` reads others, and more of them."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz.__main__ import misread, replay

LETTERS = 800
ROOT = Path(__file__).parent.parent.parent

NAMES = (
    "From",
    "To",
    "Subject",
    "Date",
    "References",
    "Content-Type",
    "Content-Transfer-Encoding",
    "Content-Disposition",
)
VALUES = (
    *(
        "text/plain; charset=utf-8",
        "text/plain; format=flowed; delsp=yes",
        "text/html; charset=gb18030",
        "message/rfc822",
    ),
    *(
        "multipart/mixed; boundary=b",
        "multipart/alternative; boundary*0=b; boundary*1=",
        "multipart/digest; boundary=bb",
    ),
    *(
        "base64",
        "quoted-printable",
        "attachment; filename=a.txt",
        "ann@x.example",
        "a@b, (c) d <e@f>",
        "=?utf-8?q?=C3=A4?=",
    ),
)
LINES = (
    "Red: move 14",
    "> Red: hold",
    "On 30 Nov 2026 at 10:00, Demo wrote:",
    "-- ",
    "<div>Red: hold</div>",
    "--b",
    "--bb--",
    "",
)

headers = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(VALUES) | st.text(max_size=40), max_size=6)
texts = st.lists(st.sampled_from(LINES) | st.text(max_size=60), max_size=12).map("\r\n".join)


def part(head: dict[str, str], body: str) -> str:
    return "".join(f"{name}: {value}\r\n" for name, value in head.items()) + f"\r\n{body}\r\n"


def multipart(boundary: str, head: dict[str, str], parts: list[str]) -> str:
    inner = "".join(f"--{boundary}\r\n{each}" for each in parts)
    return part({**head, "Content-Type": f"multipart/mixed; boundary={boundary}"}, f"{inner}--{boundary}--")


mails = st.recursive(
    st.builds(part, headers, texts),
    lambda inner: st.builds(multipart, st.sampled_from(["b", "bb", "b-"]), headers, st.lists(inner, max_size=4)),
    max_leaves=12,
)


@given(mails)
def test_mail_of_any_structure_is_read(mail: str) -> None:
    assert misread(mail.encode("utf-8", "surrogatepass")) == ""


@given(st.binary(max_size=2000))
def test_any_bytes_are_read(raw: bytes) -> None:
    assert misread(raw) == ""


def test_broken_letters_are_read(tmp_path: Path) -> None:
    wanted = ["--letters", str(LETTERS), "--seed", "1", "--folder", str(tmp_path)]
    command = [sys.executable, "-m", "tests.fuzz", "run", *wanted]
    run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert run.returncode == 0, f"{run.stdout}\n{run.stderr[-2000:]}\nthe letters are in {tmp_path}"


def test_a_letter_that_fails_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(body: str, attached: str) -> None:
        raise ValueError(body)

    monkeypatch.setattr("tests.fuzz.__main__.read_card", stumble)
    (tmp_path / "a.eml").write_bytes(b"Subject: x\n\ny")
    assert replay([tmp_path / "a.eml"])
