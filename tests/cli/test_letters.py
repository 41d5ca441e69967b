import io
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.cli.conftest import Pbem, Terminal, token_address


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
    to = token_address(pbem)
    raw = letter("ana@players.example", to, "OK")
    assert deliver(raw) == 0
    heading, *listed = pbem("letters", "list").lines
    assert heading.split() == ["No", "Came", "(UTC)", "By", "Status", "From"]
    assert listed[0].split()[3:] == ["pipe", "filed", "ana@players.example"]
    assert listed[1].strip() == "my orders"
    assert pbem("letters", "show", "1", "--raw").out.encode() == raw


def test_a_letter_from_nobody_is_held(begun: Path, pbem: Pbem, deliver) -> None:
    assert deliver(letter("stranger@elsewhere.example", "orders@localhost", "Red Dragons: hold")) == 0
    assert pbem("letters", "list", "--status", "held").lines[1].split()[-1] == "stranger@elsewhere.example"


@pytest.mark.parametrize("to", ["orders+WRNGTKN2@localhost", "nobody@localhost", "somebody@elsewhere.example", ""])
def test_a_letter_to_no_known_recipient_is_kept_and_its_known_sender_is_asked(
    begun: Path, pbem: Pbem, deliver, to: str
) -> None:
    assert deliver(letter("ana@players.example", to, "Red Dragons: hold")) == 0
    listed = pbem("letters", "list").lines[1:]
    assert listed[0].split()[3:] == ["pipe", "asked", "ana@players.example"]
    assert listed[2].strip() == "known address, but no valid token"


def test_nothing_is_no_letter(begun: Path, deliver) -> None:
    assert deliver(b"\n") == 65


def test_a_letter_that_is_too_large_is_not_taken(begun: Path, folder: Path, deliver) -> None:
    (folder / "config.toml").write_text("[mail]\nlargest = 20_000\n")
    assert deliver(letter("ana@players.example", "orders@localhost", "x" * 20_000)) == 65
    assert deliver(letter("ana@players.example", "orders@localhost", "x" * 19_000)) == 0


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
    assert (ran.code, ran.faults) == (2, ["letter 7: there is no such letter"])


def test_a_letter_waits_in_the_status_until_it_is_dismissed(begun: Path, pbem: Pbem, deliver) -> None:
    to = token_address(pbem)
    deliver(letter("somebody@elsewhere.example", to, "Red Dragons: hold"))
    held = [line.split(" from")[0] for line in pbem("status").lines if "!" in line]
    assert pbem("letters", "drop", "1").lines == ["Letter 1 is set aside."]
    after = [line for line in pbem("status").lines if "!" in line]
    assert (held, after) == (["  ! Letter 1"], [])


def test_a_stage_for_which_all_are_done_is_left_to_the_server(begun: Path, pbem: Pbem, deliver) -> None:
    addresses = [line.split()[-1] for line in pbem("status", "--addresses").lines[-3:-1]]
    for sender, to in zip(("ana@players.example", "ben@players.example"), addresses, strict=True):
        assert deliver(letter(sender, to, "FINAL")) == 0
    assert pbem("extend", "duel", "2d").code == 0
    assert ", running: Turn 1, orders, " in pbem("status").lines[0]


# --- looking ------------------------------------------------------------------------------------------------------


def test_who_looks_at_what_is_printed_keeps_nobody_from_writing(
    begun: Path, pbem: Pbem, deliver, monkeypatch: pytest.MonkeyPatch
) -> None:
    deliver(letter("ana@players.example", "orders@localhost", "Red Dragons: hold"))
    printed = {
        "letters list": b"ana@players.example",
        "letters show 1": b"Letter 1: ",
        "letters show 1 --raw": b"Red Dragons: hold",
        "mails list": b"ben@players.example",
        "status --addresses": b"The Duel",
        "replay": b"the same bytes",
    }
    for words, shown in printed.items():
        terminal = Terminal(begun / "data" / "pbem.sqlite")
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(terminal, write_through=True))
        assert pbem(*words.split()).code == 0
        assert shown in terminal.shown


def test_a_letter_is_shown_with_what_became_of_it_and_how_it_is_read(begun: Path, pbem: Pbem, deliver) -> None:
    to = token_address(pbem)
    deliver(letter("ana@players.example", to, "FINAL\nRed Dragons: sing\n> Iron Wall: hold"))
    shown = pbem("letters", "show", "1").lines
    assert shown[0] == "Letter 1: filed"
    assert shown[1].startswith("  receipt ")
    assert [line.split() for line in shown[3:6]] == [
        ["From:", "ana@players.example"],
        ["To:", to],
        ["Subject:", "my", "orders"],
    ]
    assert shown[7:11] == [
        "Campaign: duel, Thorn",
        "Read as the writer's own:",
        "   1  FINAL",
        "   2  Red Dragons: sing",
    ]
    assert shown[11:13] == ["Read as quoted, or not part of the card:", "   3  Iron Wall: hold"]
    assert shown[13] == "Wrong with it, as the game stands now:"
    assert shown[14].startswith("   2  ")


def test_letters_are_listed_by_campaign_and_time(begun: Path, pbem: Pbem, deliver) -> None:
    deliver(letter("stranger@elsewhere.example", "orders@localhost", "Hello"))
    deliver(letter("ana@players.example", token_address(pbem), "OK"))
    one_campaign = pbem("letters", "list", "--campaign", "duel").lines[1:]
    assert one_campaign[0].split()[-1] == "ana@players.example"
    assert len([line for line in one_campaign if "@" in line]) == 1
    assert len(pbem("letters", "list", "--since", "1d").lines) == 7
    assert pbem("letters", "list", "--since", "2999-01-01").lines == ["none"]


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["--status", "lost"], "--status: 'lost' is no status of a letter; there are: filed, answered, ignored, "),
        (["--campaign", "dual"], "dual: no campaign has this name; there are: duel"),
        (["--since", "lately"], "--since: 'lately' is neither a day nor a length of time; write for example "),
    ],
)
def test_what_cannot_be_looked_for_is_told(begun: Path, pbem: Pbem, words: list[str], fault: str) -> None:
    ran = pbem("letters", "list", *words)
    assert (ran.code, ran.faults[0][: len(fault)]) == (2, fault)


HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202egnp.exe [bold]x[/bold]"
"""Sets a terminal's title, wipes it, paints it red, turns the direction of writing, and is markup besides."""


@pytest.mark.parametrize("words", [["list"], ["show", "1"], ["show", "2"]])
def test_nothing_in_a_letter_commands_the_terminal(begun: Path, pbem: Pbem, deliver, words: list[str]) -> None:
    raw = f"From: ana@players.example\nTo: {token_address(pbem)}\nSubject: {HOSTILE}\n\nRed Dragons: {HOSTILE}\n"
    deliver(raw.encode())
    deliver(raw.replace("ana@", "stranger@").encode())
    ran = pbem("letters", *words)
    assert (ran.code, "[bold]x[/bold]" in ran.out) == (0, True)
    assert not {char for char in ran.out if not char.isprintable()} - {"\n"}


def test_the_bytes_of_a_letter_go_into_a_file_but_not_to_a_terminal(
    begun: Path, pbem: Pbem, deliver, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = f"From: ana@players.example\n\n{HOSTILE}\n".encode()
    deliver(raw)
    assert pbem("letters", "show", "1", "--raw").out.encode() == raw
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert "\x1b" not in pbem("letters", "show", "1", "--raw").out


# --- handling -----------------------------------------------------------------------------------------------------


def test_letters_are_taken_in_again_and_those_that_cannot_be_are_told(begun: Path, pbem: Pbem, deliver) -> None:
    deliver(letter("stranger@elsewhere.example", "orders@localhost", "Hello"))
    deliver(letter("ana@players.example", token_address(pbem), "OK"))
    ran = pbem("letters", "requeue", "1", "2", "7", "1")
    assert (ran.code, ran.lines) == (2, ["Letter 1 is held: unknown sender"])
    assert [fault.split(":")[0] for fault in ran.faults] == ["letter 2", "letter 7"]
    assert pbem("letters", "list", "--status", "held").lines[1].endswith("(taken in 2 times)")


def test_a_letter_that_belongs_to_nobody_is_set_aside(begun: Path, pbem: Pbem, deliver) -> None:
    deliver(letter("stranger@elsewhere.example", "orders@localhost", "Hello"))
    assert pbem("letters", "drop", "1").lines == ["Letter 1 is set aside."]
    assert pbem("letters", "list", "--status", "held").lines == ["none"]
    assert pbem("letters", "show", "1").lines[:2] == [
        "Letter 1: ignored",
        "  unknown sender; set aside by command line",
    ]
    assert pbem("letters", "drop", "1").code == 2


def test_mails_are_listed_and_sent_again(begun: Path, pbem: Pbem) -> None:
    heading, *listed = pbem("mails", "list", "--status", "due", "--limit", "2").lines
    assert heading.split() == ["No", "Written", "(UTC)", "Status", "To"]
    assert [line.split()[3] for line in listed[::2]] == ["due", "due"]
    assert listed[1].strip().startswith("[duel] ")
    assert pbem("mails", "list", "--status", "failed").lines == ["none"]
    (line,) = pbem("mails", "retry", "1").lines
    assert line.endswith("@players.example is due again, and the server sends it.")
    ran = pbem("mails", "retry", "99")
    assert (ran.code, ran.faults) == (2, ["mail 99: there is no such mail"])


def test_an_empty_list_says_so(begun: Path, pbem: Pbem) -> None:
    assert pbem("letters", "list").lines == ["none"]
    assert pbem("mails", "list", "--status", "failed").lines == ["none"]


@pytest.mark.parametrize("command", ["letters show", "letters requeue", "letters drop", "mails retry"])
def test_what_is_no_number_is_told(begun: Path, pbem: Pbem, command: str) -> None:
    for word in ("abc", "9" * 40):
        ran = pbem(*command.split(), word)
        assert (ran.code, ran.faults[0].startswith(f"{word}: is no number")) == (2, True)


def test_help_names_the_tables_of_the_configuration(pbem: Pbem) -> None:
    assert "[mail]" in pbem("deliver", "--help").out
