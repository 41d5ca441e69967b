import json
from pathlib import Path

from tests.cli.conftest import Pbem


def test_the_doctor_finds_nothing_wrong_where_a_campaign_has_begun(begun: Path, pbem: Pbem) -> None:
    (begun / "config.toml").write_text("smtp_in = { port = 0 }\nweb = { port = 0 }\n")
    ran = pbem("doctor")
    assert (ran.code, ran.err) == (0, "")
    assert ran.lines[0] == "Configuration"
    assert ran.lines[-1].startswith("0 wrong, 0 warnings, ")
    signs = {line.split()[0] for line in ran.lines if line.startswith("  ") and not line.startswith("   ")}
    assert signs <= {"✓", "·"}
    assert max(map(len, ran.lines)) <= 100


def test_findings_come_with_their_cures_and_for_programs_too(begun: Path, pbem: Pbem) -> None:
    (begun / "config.toml").write_text("smtp_in = { port = 0 }\nweb = { port = 0 }\n")
    (begun / "data" / "key").chmod(0o644)
    ran = pbem("doctor", "--no-mail")
    assert ran.code == 1
    assert "    > chmod 600 data/key" in ran.lines
    found = json.loads(pbem("doctor", "--no-mail", "--json").out)
    assert [(each["subject"], each["cure"]) for each in found if each["level"] == "wrong"] == [
        ("key", "chmod 600 data/key")
    ]
    assert "Mail" not in {each["area"] for each in found}


def test_a_configuration_that_cannot_be_used_is_a_finding(folder: Path, pbem: Pbem) -> None:
    (folder / "config.toml").write_text('colour = "red"\n[smtp_in]\nport = 99999\n')
    ran = pbem("doctor")
    assert (ran.code, ran.lines[-1]) == (1, "2 wrong, 0 warnings, 2 things looked at.")
    assert "  ✗ config.toml: colour (line 1): there is no such key" in ran.lines


def test_nothing_is_made_by_looking(folder: Path, pbem: Pbem) -> None:
    (folder / "config.toml").write_text("smtp_in = { port = 0 }\nweb = { port = 0 }\n")
    pbem("doctor", "--no-mail")
    assert [path.name for path in folder.rglob("*")] == ["config.toml"]


def test_a_patience_that_is_none_is_told(folder: Path, pbem: Pbem) -> None:
    ran = pbem("doctor", "--patience", "long")
    assert (ran.code, ran.faults[0].startswith("--patience: 'long' is no duration")) == (2, True)


def test_a_key_that_cannot_sign_is_a_finding(folder: Path, pbem: Pbem) -> None:
    (folder / "config.toml").write_text('[dkim]\nkey = "nothing.pem"\n')
    ran = pbem("doctor")
    assert (ran.code, ran.lines[1]) == (1, "  ✗ dkim.key: nothing.pem cannot be read: No such file or directory")
