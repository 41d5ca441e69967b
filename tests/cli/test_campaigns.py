import re
from pathlib import Path

import pytest

from pbem.service.outgoing.overview import ADMITTING, COMMANDS
from tests.cli.conftest import CAMPAIGN, Pbem

BAD = """
name = "My Duel"
title = "The Duel"
rules = "nippon"
organizer = "olga"
schedule = { orders = "weekly Someday 20:00" }
colour = "red"

[[seat]]
name = "Thorn"
"""

BAD_OPTIONS = """
name = "duel"
title = "The Duel"
rules = "nippon"
organizer = "olga@players.example"

[schedule]
order = "after 7d"

[options]
map = "duell"

[[seat]]
name = "Thorn"
address = "ana@players.example"
army = "undead pirates"
"""


BAD_TOGETHER = """
name = "duel"
title = "The Duel"
rules = "nippon"
organizer = "olga@players.example"

[schedule]
orders = "weekly Someday 20:00"

[options]
map = "duell"

[[seat]]
name = "Thorn"
address = "ana@players.example"
headquarters = "Atlantis"

[[seat]]
name = "Larks"
army = "undead pirates"
"""


def test_new_begins_the_campaign_of_a_file(begun: Path, pbem: Pbem) -> None:
    lines = pbem("status", "duel").lines
    assert lines[0].startswith("The Duel (duel), running: Turn 1, orders, ")
    assert [line.split() for line in lines[1:]] == [["Thorn", "missing"], ["Larks", "missing"]]


def test_status_tells_everybodys_address(begun: Path, pbem: Pbem) -> None:
    who = [line.split()[:4] for line in pbem("status", "--addresses").lines[-3:]]
    assert who == [
        ["Thorn", "from", "ana@players.example", "to"],
        ["Larks", "from", "ben@players.example", "to"],
        ["organizer", "from", "olga@players.example", "to"],
    ]


def test_new_tells_all_faults_of_a_file_with_key_and_line(folder: Path, pbem: Pbem) -> None:
    (folder / "bad.toml").write_text(BAD)
    ran = pbem("new", "bad.toml")
    assert ran.code == 2
    assert ran.faults == [
        "bad.toml: name (line 2): 'My Duel' is no short name; write small letters, digits and hyphens, at most 31",
        "bad.toml: organizer (line 5): 'olga' is no mail address",
        "bad.toml: schedule.orders (line 6): 'weekly Someday 20:00' is no deadline rule; write for example: "
        "weekly Sun 20:00 / after 3d / after 3d at 20:00",
        "bad.toml: seat.1.address (line 9): this key is missing",
        "bad.toml: colour (line 7): there is no such key",
        "bad.toml: seat: Nippon needs 2 to 8 seats",
        "bad.toml: seat: 1 seats, but the map nippon is for 2 to 8",
    ]


def test_new_tells_what_the_host_and_the_rules_find_wrong_together(begun: Path, folder: Path, pbem: Pbem) -> None:
    (folder / "bad.toml").write_text(BAD_OPTIONS)
    ran = pbem("new", "bad.toml")
    assert ran.code == 2
    assert ran.faults == [
        "bad.toml: name (line 2): there is a campaign called 'duel' already",
        "bad.toml: seat: Nippon needs 2 to 8 seats",
        "bad.toml: schedule.order (line 8): Nippon has no stages of this kind; there are: set-up, orders, meetings, "
        "disputes",
        "bad.toml: options.map (line 11): there is no map 'duell'; there are duel, nippon",
        "bad.toml: seat.1 (line 13), army: there is no people 'undead pirates'; there are dwarfs, free peoples, "
        "high elves, mountain clans, orcs and goblins, skaven, vampire counts, warriors of chaos",
    ]


def test_new_tells_what_cannot_be_read_and_what_the_rules_find_wrong_together(begun: Path, pbem: Pbem) -> None:
    Path("bad.toml").write_text(BAD_TOGETHER)
    assert [fault.removeprefix("bad.toml: ").split(":")[0] for fault in pbem("new", "bad.toml").faults] == [
        "schedule.orders (line 8)",
        "seat.2.address (line 18)",
        "name (line 2)",
        "options.map (line 11)",
        "seat.1 (line 13), headquarters",
        "seat.2 (line 18), army",
    ]


def test_a_campaign_that_is_not_there_is_told(begun: Path, pbem: Pbem) -> None:
    ran = pbem("close", "dual")
    assert (ran.code, ran.faults) == (2, ["dual: no campaign has this name; there are: duel"])


def test_close_resolves_the_stage_and_replay_finds_the_same(begun: Path, pbem: Pbem) -> None:
    pbem("close", "duel")
    assert pbem("status", "duel").lines[0].startswith("The Duel (duel), running: Turn 2, orders, ")
    ran = pbem("replay", "duel")
    assert ran.code == 0
    assert ran.lines == [
        "duel   0 Set-up, setup: the same bytes",
        "duel   1 Turn 1, orders, close: the same bytes",
    ]


def test_extend_wants_a_length_of_time(begun: Path, pbem: Pbem) -> None:
    assert pbem("extend", "duel", "2d").code == 0
    ran = pbem("extend", "duel", "banana")
    assert (ran.code, ran.faults[0].startswith("duel: 'banana' is no duration")) == (2, True)


def test_extend_never_moves_a_deadline_back(begun: Path, pbem: Pbem) -> None:
    ran = pbem("extend", "duel", "-1d")
    assert (ran.code, ran.faults) == (
        2,
        [
            "duel: A deadline moves only later, never earlier; close ends the stage now; write for example: pbem do "
            "duel extend 2d"
        ],
    )


def test_do_takes_whatever_an_organizer_can_mail(begun: Path, pbem: Pbem) -> None:
    said = pbem("do", "duel", "hand", "over", "Larks", "to", "cleo@new.example")
    assert (said.code, said.lines) == (0, ["Larks is played from cleo@new.example now. Nothing is on file."])
    assert pbem("do", "duel", "renew tokens of B").code == 0
    assert pbem("do", "duel", "status").lines == pbem("status", "duel").lines
    assert pbem("do", "duel", "close").lines[0].startswith("Turn 1, orders is closed")
    assert pbem("do", "duel", "dance").code == 2


def test_the_help_of_do_names_every_command(pbem: Pbem) -> None:
    told = pbem("do", "--help").out
    told = " ".join(re.sub(r"[^\w\s\",.@]", " ", told).split())  # Without the frame.
    assert [words for words, _ in (*COMMANDS, *ADMITTING) if words not in told] == []


def test_a_stage_that_has_only_just_opened_is_not_closed_by_a_second_close(begun: Path, pbem: Pbem) -> None:
    pbem("close", "duel")
    again = pbem("close", "duel")
    assert again.code == 2
    assert again.faults == [
        "duel: Turn 2, orders has only just opened, and nobody has sent orders for it; write for example: pbem do duel "
        "close anyway"
    ]
    assert pbem("do", "duel", "close", "anyway").lines[0].startswith("Turn 2, orders is closed")
    assert pbem("close", "duel", "--anyway").lines[0].startswith("Turn 3, orders is closed")


def test_status_has_no_trailing_blanks_and_fits_the_terminal(
    begun: Path, pbem: Pbem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines = pbem("status").lines
    assert [line for line in lines if line != line.rstrip() or len(line) > 60] == []


def test_a_paused_campaign_goes_on_when_resumed(begun: Path, pbem: Pbem) -> None:
    pbem("pause", "duel")
    assert pbem("close", "duel").faults == ["duel: the campaign is paused; send resume first"]
    pbem("resume", "duel")
    assert pbem("close", "duel").code == 0


def test_an_unreadable_file_is_told(pbem: Pbem) -> None:
    ran = pbem("new", "nothing.toml")
    assert (ran.code, ran.faults) == (2, ["nothing.toml: cannot be read: No such file or directory"])


def test_the_campaign_of_the_demo_is_a_beginning_for_ones_own(folder: Path, pbem: Pbem) -> None:
    demo = Path(__file__).parents[2] / "pbem" / "demo" / "campaign.toml"
    assert pbem("new", str(demo)).code == 0


def test_close_says_what_became_of_the_stage_and_of_the_mails(begun: Path, pbem: Pbem) -> None:
    assert pbem("close", "duel").lines == [
        "Turn 1, orders is closed; the reports are in the outbox, and the server sends them."
    ]


def test_close_tells_when_the_stage_could_not_be_resolved(
    begun: Path, pbem: Pbem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.service.steps.close", lambda *arguments: 1 / 0)
    ran = pbem("close", "duel")
    assert (ran.code, ran.lines) == (1, [])
    assert ran.faults[-1] == "Turn 1, orders could not be resolved and is held; the lines above say why"


DOUBTFUL = """
name = "odd"
title = "The Odd Duel"
rules = "nippon"
organizer = "olga@players.example"
schedule = { orders = "after 7d", meetings = "after 3d" }
options = { map = "duel" }

[[seat]]
name = "Thorn"
address = "Olga@players.example"
addresses = ["femi@players"]

[[seat]]
name = "Larks"
address = "olga@players.example"
"""


def test_new_says_what_follows_from_odd_addresses_and_begins(folder: Path, pbem: Pbem) -> None:
    (folder / "odd.toml").write_text(DOUBTFUL)
    ran = pbem("new", "odd.toml")
    told = " ".join(ran.out.split())
    assert "! olga@players.example: it plays Thorn and Larks: whoever reads it knows the secrets of them all" in told
    assert "! olga@players.example: it leads the campaign and plays Thorn and Larks: " in told
    assert "! femi@players: its domain has no dot" in told
    assert ran.code == 0
    assert "odd has begun" in told


def test_new_has_nothing_to_say_of_sound_addresses(folder: Path, pbem: Pbem) -> None:
    (folder / "duel.toml").write_text(CAMPAIGN)
    assert [line for line in pbem("new", "duel.toml").lines if line.startswith("!")] == []


# --- try ----------------------------------------------------------------------------------------------------------


def test_a_card_is_tried_from_a_file(begun: Path, pbem: Pbem) -> None:
    (begun / "card.txt").write_text("Red Dragons: move 2\nASSUME Larks's Grey Mice: hold\n")
    ran = pbem("try", "duel", "thorn", "card.txt")
    assert ran.code == 0
    assert "nothing is filed and nothing has changed" in " ".join(ran.out.split())
    assert [line for line in ran.lines if "to arrive in 2 " in line]
    assert pbem("try", "duel", "A").out != ran.out
    assert "missing" in pbem("status", "duel").out


def test_an_assumption_can_be_made_on_the_command_line(begun: Path, pbem: Pbem) -> None:
    ran = pbem("try", "duel", "A", "--assume", "Foo moves 2")
    assert (ran.code, "You wrote  ASSUME Foo moves 2" in ran.out) == (0, True)


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["dual", "A"], "dual: no campaign has this name; there are: duel"),
        (["duel", "Foo"], "Foo: no seat of duel has this letter or name; there are: A Thorn, B Larks"),
        (["duel", "A", "card.txt"], "card.txt: cannot be read: No such file or directory"),
    ],
)
def test_what_cannot_be_tried_is_told(begun: Path, pbem: Pbem, words: list[str], fault: str) -> None:
    ran = pbem("try", *words)
    assert (ran.code, ran.faults) == (2, [fault])
