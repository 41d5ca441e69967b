import json
from pathlib import Path

import pytest
from pydantic import ValidationError

from pbem.config import ImapIn, OAuth, Settings
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


@pytest.mark.parametrize("url", ["http://login.example/token", "http://localhost.evil.example/", "login.example"])
def test_secrets_go_to_no_token_server_in_clear(url: str) -> None:
    with pytest.raises(ValidationError, match="it has to begin with https://"):
        OAuth(token_url=url)


@pytest.mark.parametrize("url", ["", "https://login.example/token", "http://127.0.0.1:8080/token"])
def test_token_server_is_reached_encrypted_or_on_this_machine(url: str) -> None:
    assert OAuth(token_url=url).token_url == url


def test_password_of_the_mailbox_goes_over_no_network_in_clear() -> None:
    with pytest.raises(ValidationError, match="the password would go unencrypted"):
        ImapIn(host="imap.example.org", security="none", user="gm", enabled=True)
    assert ImapIn(host="127.0.0.1", security="none", user="gm", enabled=True).enabled
