import json
from pathlib import Path

from pbem.config import Settings
from tests.cli.conftest import Pbem

ROOT = Path(__file__).parents[2]

BAD = """
datta = "elsewhere"

[smtp_in]
enabled = "maybe"
port = 99999
protocol = "uucp"

[schedule]
reminders = ["1d", "soon"]
"""


def test_the_shipped_configuration_is_the_default(pbem: Pbem) -> None:
    shown = json.loads(pbem("config-check", "--config", str(ROOT / "config.toml")).out)
    assert shown == Settings().model_dump(mode="json")


def test_all_faults_of_a_configuration_are_told_with_key_and_line(folder: Path, pbem: Pbem) -> None:
    (folder / "config.toml").write_text(BAD)
    ran = pbem("status")
    assert ran.code == 2
    assert sorted(ran.faults) == [
        "config.toml: datta (line 2): there is no such key",
        "config.toml: schedule.reminders.2 (line 10): 'soon' is no duration; write for example 2d, 36h, 90m or 1d 12h",
        "config.toml: smtp_in.enabled (line 5): write true or false",
        "config.toml: smtp_in.port (line 6): this should be less than or equal to 65535",
        "config.toml: smtp_in.protocol (line 7): this should be 'smtp' or 'lmtp'",
    ]


def test_a_configuration_that_was_named_must_be_there(pbem: Pbem) -> None:
    ran = pbem("serve", "--config", "other.toml")
    assert (ran.code, ran.faults) == (2, ["other.toml: cannot be read: No such file or directory"])


def test_the_demo_leaves_a_folder_of_somebody_elses_alone(folder: Path, pbem: Pbem) -> None:
    (folder / "config.toml").write_text('data = "data"\n')
    ran = pbem("demo", ".")
    assert ran.code == 2
    assert (folder / "config.toml").exists()
