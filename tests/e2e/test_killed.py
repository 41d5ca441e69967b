"""`pbem serve` is killed in the middle of a burst of letters, again and again: every card is acknowledged once."""

import asyncio
import signal
import smtplib
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.app import tokens, transport
from pbem.config import Settings, load
from pbem.hosting import build_host, now
from pbem.mail.mime import read_part
from pbem.mail.reading.letter import read_letter
from pbem.reports.raster import Rasterizer
from pbem.service.host import Host
from pbem.service.outgoing import deliver
from pbem.service.stages.begin import begin
from pbem.service.stages.campaign_file import read_campaign
from tests.servers import Dovecot, free_port
from tests.service.conftest import DUEL

ANA = "ana@example.org"
PATIENCE = 120
EACH = 15
"""Letters by each way."""
CONFIG = """
data = "data"
mail = {{ address = "{address}" }}
limits = {{ answers = 0, letters = 0 }}
smtp_in = {{ protocol = "lmtp", port = {port} }}
web = {{ enabled = false }}

[imap_in]
enabled = true
host = "127.0.0.1"
port = {imap_port}
security = "none"
user = "{user}"
password = "{password}"
done_folder = "Done"
poll = "1s"
"""


@contextmanager
def serving(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A server in a process of its own; it is killed at the end of the block, unless it has ended."""
    command = [sys.executable, "-m", "pbem", "serve"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout
        while "Ctrl-C" not in (line := server.stdout.readline()):
            assert line, "the server has ended"
        try:
            yield server
        finally:
            server.kill()


def card(number: int, to: str) -> bytes:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = ANA, to, f"card {number}"
    mail["Message-ID"] = f"<{number}@example.org>"
    mail.set_content(f"Red Dragons: {'hold' if number % 2 else 'move 2'}\n")
    return mail.as_bytes()


def bring(port: int, raw: bytes) -> None:
    """As a mail server does: until it is told that the mail is taken."""
    for _ in range(PATIENCE * 10):
        try:
            with smtplib.LMTP("127.0.0.1", port, timeout=PATIENCE) as client:
                client.sendmail(ANA, read_letter(raw).recipients, raw)
                return
        except (OSError, smtplib.SMTPException):
            time.sleep(0.1)


def bring_all(port: int, raws: list[bytes]) -> threading.Thread:
    thread = threading.Thread(target=lambda: [bring(port, raw) for raw in raws], daemon=True)
    thread.start()
    return thread


def stored(host: Host) -> int:
    with host.unit() as unit:
        return len(unit.letters.latest(1000))


def wait_for(host: Host, letters: int) -> None:
    end = time.monotonic() + PATIENCE
    while stored(host) < letters:
        assert time.monotonic() < end, f"{stored(host)} of {letters} letters"
        time.sleep(0.02)


@pytest.fixture
def settings(dovecot: Dovecot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.chdir(tmp_path)
    places = {"address": dovecot.address, "imap_port": dovecot.imap_port, "user": dovecot.user, "port": free_port()}
    Path("config.toml").write_text(CONFIG.format(password=dovecot.password, **places))
    return load(Path("config.toml"))


@pytest.mark.server
@pytest.mark.timeout(6 * PATIENCE)
def test_every_card_is_acknowledged_once_though_the_server_is_killed(
    settings: Settings, dovecot: Dovecot, tmp_path: Path
) -> None:
    with Rasterizer() as rasterizer:
        host = build_host(settings, rasterizer)
        begin(host, read_campaign("duel.toml", DUEL))
        with host.unit() as unit:
            invitation = next(mail for mail in unit.outbox.latest() if mail.recipient == ANA)
        to = read_part(invitation.raw).first("reply-to")
        raws = [card(number, to) for number in range(2 * EACH)]
        senders = [
            bring_all(settings.smtp_in.port, raws[:EACH]),
            bring_all(dovecot.lmtp_port, raws[EACH:]),
        ]
        for letters in (3, EACH):
            with serving(tmp_path) as server:
                wait_for(host, letters)
                server.kill()
        with serving(tmp_path) as server:
            for sender in senders:
                sender.join(PATIENCE)
            wait_for(host, len(raws))
            server.send_signal(signal.SIGTERM)
            server.wait(PATIENCE)
        send_what_the_dead_had_taken(settings, host)
        with host.unit() as unit:
            assert Counter(letter.message_id for letter in unit.letters.latest(1000)) == Counter(
                read_letter(raw).message_id for raw in raws
            )
            assert {letter.status for letter in unit.letters.latest(1000)} == {"filed"}
            assert unit.outbox.waiting() == 0
        host.engine.dispose()
    acknowledged(tmp_path, raws)


def send_what_the_dead_had_taken(settings: Settings, host: Host) -> None:
    """A mail that was being sent when its server died is sent again when the lease on it has run out."""

    def later() -> datetime:
        return now() + deliver.LEASE

    asyncio.run(deliver.flush(replace(host, clock=later), transport(settings, tokens(settings))))


def acknowledged(folder: Path, raws: list[bytes]) -> None:
    """Ana has got one answer to every card; where it came twice, it is the same mail."""
    got = [read_letter(path.read_bytes()) for path in (folder / "data" / "mail" / ANA / "new").iterdir()]
    answers = {mail.message_id: mail.in_reply_to for mail in got if mail.in_reply_to.endswith("@example.org>")}
    assert Counter(answers.values()) == Counter(read_letter(raw).message_id for raw in raws)
    assert max(Counter(mail.message_id for mail in got).values()) <= 2
