"""What the doctor says of this machine, the configuration and the database, each fault made for real."""

import asyncio
import io
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import resvg_py
import trustme
from PIL import Image
from sqlalchemy import Engine, text

from pbem.config import ImapIn, Settings, SmtpIn, SmtpOut
from pbem.doctor import configuration, database, machine, server
from pbem.doctor.finding import Area, Check, Finding, blocking, ok, run, wrong
from pbem.packaged import packaged
from pbem.storage import checkup
from pbem.storage.engine import open_engine
from pbem.storage.migrate import configuration as alembic_configuration
from pbem.storage.migrate import migrate

NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)


def levels(findings: list[Finding]) -> dict[str, str]:
    return {finding.subject: finding.level for finding in findings}


def only(findings: list[Finding]) -> Finding:
    (finding,) = findings
    return finding


# --- how checks are run -------------------------------------------------------------------------------------------


def examined(*checks: Check) -> list[Finding]:
    return asyncio.run(run([Area("Things", checks)]))


def test_a_check_that_breaks_or_hangs_is_a_finding_and_the_others_go_on() -> None:
    hangs = asyncio.Event
    found = examined(
        Check("broken", blocking(lambda: [ok("broken", str(1 / 0))])),
        Check("slow", lambda: hangs().wait(), limit=0.05),  # type: ignore[arg-type,return-value]
        Check("good", blocking(lambda: [ok("good", "fine")])),
    )
    assert levels(found) == {"broken": "wrong", "slow": "wrong", "good": "ok"}
    assert "ZeroDivisionError" in found[0].said
    assert found[1].said == "no result within 0.05 seconds"
    assert {finding.area for finding in found} == {"Things"}


def test_what_is_no_use_without_another_thing_is_not_looked_at() -> None:
    found = examined(
        Check("door", blocking(lambda: [wrong("door", "is locked", "unlock it")])),
        Check("room", blocking(lambda: [ok("room", "is warm")]), needs=("door",)),
    )
    assert (found[1].level, found[1].said) == ("note", "not looked at: first mend the door")


# --- configuration ------------------------------------------------------------------------------------------------


def test_passwords_that_others_can_read_are_told(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('[imap_in]\npassword = "secret"\n[oauth]\nclient_secret = "x"\n')
    file.chmod(0o644)
    finding = only(configuration.secrecy(file))
    assert (finding.level, finding.cure) == ("warning", f"chmod 600 {file}")
    assert "imap_in.password, oauth.client_secret" in finding.said
    assert "secret" not in finding.said.replace("client_secret", "")
    file.chmod(0o600)
    assert only(configuration.secrecy(file)).level == "ok"


def test_the_default_configuration_makes_sense() -> None:
    assert levels(configuration.sense(Settings())) == {"way out": "note"}


SENDING = SmtpOut(mode="smtp", user="me", password="x")


@pytest.mark.parametrize(
    ("settings", "subject", "level"),
    [
        (Settings(smtp_out=SENDING), "address", "wrong"),
        (Settings(smtp_in=SmtpIn(enabled=False)), "ways in", "warning"),
        (Settings(mail={"largest": 20_000}), "ways in", "warning"),
        (Settings(imap_in=ImapIn(enabled=True, user="me")), "login of [imap_in]", "wrong"),
        (Settings(imap_in=ImapIn(enabled=True)), "login of [imap_in]", "wrong"),
        (Settings(smtp_out=SmtpOut(mode="smtp", user="me")), "login of [smtp_out]", "wrong"),
        (Settings(smtp_out=SmtpOut(mode="smtp", user="me", login="xoauth2")), "login of [smtp_out]", "wrong"),
        (Settings(limits={"answers": 1}), "limits", "warning"),
        (Settings(schedule={"tick": "1h"}), "limits", "warning"),
    ],
)
def test_settings_that_do_not_go_together_are_told(settings: Settings, subject: str, level: str) -> None:
    assert levels(configuration.sense(settings))[subject] == level


# --- this machine -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", ["", "mail", "archive/public"])
def test_a_file_in_place_of_a_folder_cannot_be_written_into(tmp_path: Path, part: str) -> None:
    there = tmp_path / "data" / part
    there.parent.mkdir(parents=True, exist_ok=True)
    there.write_text("")
    finding = only(machine.folders(tmp_path / "data"))
    assert (finding.level, finding.said) == ("wrong", f"nothing can be written into {there}: Not a directory")


def test_a_whole_data_folder_is_well(tmp_path: Path) -> None:
    (tmp_path / "archive" / "public").mkdir(parents=True)
    assert only(machine.folders(tmp_path)).level == "ok"
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    assert only(machine.folders(tmp_path / "none")).level == "note"


@pytest.mark.parametrize(("free", "level"), [(5_000_000_000, "ok"), (500_000_000, "warning"), (9_000_000, "wrong")])
def test_a_disk_that_fills_up_is_told(tmp_path: Path, free: int, level: str) -> None:
    assert only(machine.disk(tmp_path / "not" / "there", lambda path: free)).level == level


def test_a_key_that_others_can_read_or_that_is_damaged_or_gone_is_told(tmp_path: Path) -> None:
    assert only(machine.key(tmp_path)).level == "note"
    key = tmp_path / "key"
    key.write_text("ab" * 32)
    key.chmod(0o640)
    assert only(machine.key(tmp_path)).cure == f"chmod 600 {key}"
    key.chmod(0o600)
    assert only(machine.key(tmp_path)).level == "ok"
    key.write_text("ab" * 31)
    assert only(machine.key(tmp_path)).said == f"{key} cannot be read, is empty or damaged: the server does not start"
    key.unlink()
    (tmp_path / "pbem.sqlite").touch()
    assert "every" not in only(machine.key(tmp_path)).said
    assert only(machine.key(tmp_path)).level == "wrong"


def test_a_zone_that_is_not_known_is_told_with_who_uses_it() -> None:
    assert only(machine.time_zones({"Europe/Berlin": "gate"})).level == "ok"
    assert "Europe/Atlantis (of gate)" in only(machine.time_zones({"Europe/Atlantis": "gate"})).said


def drawn(svg: str, width: int, fonts: list[str]) -> bytes:
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True, font_files=fonts))


def test_maps_without_fonts_are_told() -> None:
    shipped = Path(machine.__file__).parents[1] / "reports" / "fonts"
    sans = [str(shipped / "DejaVuSans.ttf")]
    every = [str(file) for file in shipped.glob("*.ttf")]
    assert only(machine.fonts(lambda svg, width: drawn(svg, width, every))).level == "ok"
    assert only(machine.fonts(lambda svg, width: drawn(svg, width, []))).level == "wrong"
    assert Image.open(io.BytesIO(drawn(machine.WRITING.format("DejaVu Sans"), 60, sans))).width == 60


@pytest.mark.parametrize(("days", "level"), [(-1, "wrong"), (5, "warning"), (90, "ok")])
def test_the_end_of_the_listeners_certificate_is_told(tmp_path: Path, days: int, level: str) -> None:
    now = datetime.now(UTC)
    issued = trustme.CA().issue_cert(
        "mx.test", not_before=now - timedelta(days=9), not_after=now + timedelta(days=days, hours=1)
    )
    file = tmp_path / "cert.pem"
    issued.private_key_and_cert_chain_pem.write_to_path(file)
    assert only(server.certificate(SmtpIn(tls_cert=file, tls_key=file), now)).level == level


def test_a_certificate_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "cert.pem").write_text("no certificate")
    both = SmtpIn(tls_cert=tmp_path / "cert.pem", tls_key=tmp_path / "key.pem")
    assert "cannot be used" in only(server.certificate(both, NOW)).said


# --- the database -------------------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "pbem.sqlite"


@pytest.fixture
def engine(file: Path) -> Iterator[Engine]:
    engine = open_engine(f"sqlite:///{file}")
    yield engine
    engine.dispose()


def test_a_database_that_is_not_there_yet_is_not_made(file: Path, engine: Engine) -> None:
    assert only(database.reach(engine)).level == "note"
    assert not file.exists()


def test_a_whole_database_is_well(file: Path, engine: Engine) -> None:
    migrate(engine, packaged("db"))
    found = [*database.soundness(file), *database.reach(engine), *database.migrations(engine, packaged("db"))]
    assert set(levels([*found, *database.clock(engine, NOW)]).values()) == {"ok"}
    assert checkup.zones(engine) == {}


def test_migrations_that_are_missing_are_named_and_not_done(file: Path, engine: Engine) -> None:
    from alembic import command

    with engine.begin() as connection:
        command.upgrade(alembic_configuration(packaged("db"), connection), "0001")
    finding = only(database.migrations(engine, packaged("db")))
    assert (finding.level, finding.said.split()[:2]) == ("warning", ["missing:", "0002"])
    assert only(database.migrations(engine, packaged("db"))) == finding


def test_a_database_of_a_newer_program_is_told(engine: Engine) -> None:
    migrate(engine, packaged("db"))
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    finding = only(database.migrations(engine, packaged("db")))
    assert (finding.level, "9999" in finding.said) == ("wrong", True)


def test_a_damaged_database_is_told(file: Path, engine: Engine) -> None:
    file.write_bytes(b"no database" * 100)
    assert levels(database.soundness(file)) == {"integrity": "wrong"}
    assert only(database.reach(engine)).level == "wrong"


def test_a_database_that_another_program_holds_is_told(
    file: Path, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrate(engine, packaged("db"))
    monkeypatch.setattr(checkup, "BUSY", 0.05)
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        assert levels(database.soundness(file))["lock"] == "wrong"
    finally:
        other.close()


def test_a_database_without_wal_is_told(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE x (y)")
    connection.close()
    assert levels(database.soundness(file)) == {"integrity": "ok", "journal": "warning"}


def test_a_clock_that_was_put_back_is_told(engine: Engine) -> None:
    migrate(engine, packaged("db"))
    with engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO outbox (recipient, cause, message_id, subject, raw, is_answer, bounces, status, attempts,"
                " next_at, note, created_at) VALUES ('a@b', 'c', '<d>', 'e', x'00', 0, 0, 'due', 0,"
                " '2026-05-05 12:00:00.000000', '', '2026-05-05 12:00:00.000000')"
            )
        )
    finding = only(database.clock(engine, NOW))
    assert (finding.level, "2026-05-05 12:00" in finding.said) == ("wrong", True)


def test_a_data_folder_that_cannot_be_made_is_wrong() -> None:
    finding = only(machine.folders(Path("/proc/nope/data")))
    assert (finding.level, "cannot be made" in finding.said) == ("wrong", True)


def test_mails_that_leave_without_links_are_noted() -> None:
    settings = Settings(mail={"address": "orders@x.example"}, smtp_out={"mode": "smtp"})  # type: ignore[arg-type]
    assert [(each.subject, each.level) for each in configuration.sense(settings)] == [("links", "note")]
