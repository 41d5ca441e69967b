import io
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.cli.conftest import Pbem


def letter(sender: str, to: str, body: str) -> bytes:
    return f"From: {sender}\nTo: {to}\nSubject: my orders\n\n{body}\n".encode()


@pytest.fixture
def deliver(pbem: Pbem, monkeypatch: pytest.MonkeyPatch):
    """Hands a mail to ``pbem deliver``; the exit code."""

    def run(raw: bytes) -> int:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(raw)))
        return pbem("deliver").code

    return run


def test_a_delivered_letter_is_listed_and_shown_as_it_came(begun: Path, pbem: Pbem, deliver) -> None:
    to = pbem("status", "--addresses").lines[-3].split()[-1]
    raw = letter("ana@players.example", to, "OK")
    assert deliver(raw) == 0
    listed = pbem("letters", "list").lines
    assert listed[0].split()[3:] == ["pipe", "filed", "ana@players.example"]
    assert listed[1].strip() == "my orders"
    assert pbem("letters", "show", "1").out.encode() == raw


def test_a_letter_from_nobody_is_held(begun: Path, pbem: Pbem, deliver) -> None:
    assert deliver(letter("stranger@elsewhere.example", "orders@localhost", "Red Dragons: hold")) == 0
    assert pbem("letters", "list", "--status", "held").lines[0].split()[-1] == "stranger@elsewhere.example"


@pytest.mark.parametrize("to", ["orders+WRNGTKN2@localhost", "nobody@localhost", "somebody@elsewhere.example", ""])
def test_a_letter_to_no_known_recipient_is_kept_and_its_known_sender_is_asked(
    begun: Path, pbem: Pbem, deliver, to: str
) -> None:
    assert deliver(letter("ana@players.example", to, "Red Dragons: hold")) == 0
    listed = pbem("letters", "list").lines
    assert listed[0].split()[3:] == ["pipe", "held", "ana@players.example"]
    assert listed[2].strip() == "known address, but no valid token; asked to confirm"


def test_nothing_is_no_letter(begun: Path, deliver) -> None:
    assert deliver(b"\n") == 65


def test_a_letter_that_cannot_be_stored_is_to_be_offered_again(begun: Path, folder: Path, deliver) -> None:
    (folder / "data" / "pbem.sqlite").write_bytes(b"no database" * 100)
    assert deliver(letter("ana@players.example", "orders@localhost", "OK")) == 75


def test_a_letter_is_to_be_offered_again_when_the_configuration_is_mended(begun: Path, folder: Path, deliver) -> None:
    (folder / "config.toml").write_text("colour = 'red'\n")
    assert deliver(letter("ana@players.example", "orders@localhost", "OK")) == 75
    (folder / "config.toml").unlink()
    assert deliver(letter("ana@players.example", "orders@localhost", "OK")) == 0


def test_a_letter_that_is_not_there_is_told(begun: Path, pbem: Pbem) -> None:
    ran = pbem("letters", "show", "7")
    assert (ran.code, ran.faults) == (2, ["7: there is no such letter"])


def test_a_letter_waits_in_the_status_until_it_is_dismissed(begun: Path, pbem: Pbem, deliver) -> None:
    to = pbem("status", "--addresses").lines[-3].split()[-1]
    deliver(letter("ana@players.example", to, "On Monday, Olga wrote:\n> Red Dragons: hold"))
    held = [line.split(" from")[0] for line in pbem("status").lines if "!" in line]
    assert pbem("dismiss", "duel", "1").lines == ["Letter 1 dismissed."]
    after = [line for line in pbem("status").lines if "!" in line]
    assert (held, after) == (["  ! Letter 1"], [])


def test_a_stage_for_which_all_are_done_is_left_to_the_server(begun: Path, pbem: Pbem, deliver) -> None:
    addresses = [line.split()[-1] for line in pbem("status", "--addresses").lines[-3:-1]]
    for sender, to in zip(("ana@players.example", "ben@players.example"), addresses, strict=True):
        assert deliver(letter(sender, to, "FINAL")) == 0
    assert pbem("extend", "duel", "2d").code == 0
    assert ", running: Turn 1, orders, " in pbem("status").lines[0]
