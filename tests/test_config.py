"""Settings that contradict one another are told before anything starts."""

from pathlib import Path

import pytest

from pbem.config import Settings, load
from pbem.core.errors import BadInput


def flaws(folder: Path, text: str) -> list[str]:
    """What is wrong with a file of settings."""
    path = folder / "config.toml"
    path.write_text(text)
    try:
        load(path)
    except BadInput as error:
        return [str(flaw).replace(str(path), "config.toml") for flaw in error.flaws]
    return []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[smtp_in]\ntls_cert = "cert.pem"', "tls_cert and tls_key go together; give both files, or none"),
        ('[smtp_in]\nuser = "gate"', "user and password go together; give both, or none"),
        (
            '[smtp_in]\nhost = "0.0.0.0"\nuser = "gate"\npassword = "secret"',
            "with user and password, give tls_cert and tls_key too: nobody may log in unencrypted",
        ),
        ('[mail]\naddress = "orders"', "'orders' cannot be the server's address; write for example orders@example.org"),
        (
            '[smtp_out]\nmode = "smtp"\nhost = "smtp.example.org"\nuser = "pbem"\nsecurity = "none"',
            'with security = "none" the password would go unencrypted; write "tls" or "starttls"',
        ),
        ('[trust]\nauthserv_id = "a b;c"', "String should match pattern '^[^\\s;=]*$'"),
        ("[trust]\nhops = 99999999999", "this should be less than or equal to 100"),
        ("[mail]\nlargest = 0", "this should be greater than or equal to 10000"),
    ],
)
def test_settings_that_cannot_work_are_told(tmp_path: Path, text: str, told: str) -> None:
    assert [flaw.partition(": ")[2].partition(": ")[2] for flaw in flaws(tmp_path, text)] == [told]


@pytest.mark.parametrize(
    "text",
    [
        '[smtp_in]\nuser = "gate"\npassword = "secret"',
        '[smtp_in]\nhost = "0.0.0.0"\nuser = "gate"\npassword = "secret"\ntls_cert = "a"\ntls_key = "b"',
        '[mail]\naddress = "orders@bücher.example"',
    ],
)
def test_settings_that_can_work_are_taken(tmp_path: Path, text: str) -> None:
    assert flaws(tmp_path, text) == []


def test_passwords_are_not_shown() -> None:
    assert "hidden" not in str(Settings(smtp_in={"user": "gate", "password": "hidden"}))  # type: ignore[arg-type]
