"""TLS and logins at the listener."""

import asyncio
import base64
import smtplib
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import trustme

from pbem.mail.listener import connection as smtp_connection
from pbem.mail.listener.certificate import Certificate
from pbem.mail.outgoing.transport import Sent, Unavailable
from tests.mail.conftest import Desk
from tests.mail.wires import MAIL, RAW, codes, converse, listening, send

LOGIN = {"user": "gate", "password": "sécret"}
PLAIN = base64.b64encode("\0gate\0sécret".encode()).decode()
WRONG = base64.b64encode(b"\0gate\0guess").decode()
MAIL_FROM = "MAIL FROM:<a@x.example>"


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


class Files:
    """A certificate for ``localhost`` and its key, which somebody renews."""

    def __init__(self, folder: Path, authority: trustme.CA) -> None:
        self.certificate, self.key = folder / "cert.pem", folder / "key.pem"
        self._authority = authority
        self.renew()

    def renew(self) -> None:
        issued = self._authority.issue_cert("localhost")
        issued.private_key_pem.write_to_path(self.key)
        self.certificate.write_bytes(b"".join(each.bytes() for each in issued.cert_chain_pems))


@pytest.fixture
def files(tmp_path: Path, authority: trustme.CA) -> Files:
    return Files(tmp_path, authority)


@pytest.fixture
def certificate(files: Files) -> Certificate:
    return Certificate(files.certificate, files.key)


@pytest.fixture
def trusting(authority: trustme.CA) -> ssl.SSLContext:
    """For a client that trusts the authority."""
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return context


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """All clients come over the network."""
    monkeypatch.setattr(smtp_connection, "_is_this_machine", lambda peer: False)


@contextmanager
def encrypted(port: int, context: ssl.SSLContext) -> Iterator[smtplib.SMTP]:
    """A plain client after STARTTLS."""
    with smtplib.SMTP("localhost", port) as client:
        client.starttls(context=context)
        yield client


# --- TLS ----------------------------------------------------------------------------------------------------------


async def test_mail_is_taken_over_starttls(desk: Desk, certificate: Certificate, trusting: ssl.SSLContext) -> None:
    async with listening(desk, certificate=certificate) as inbox:
        assert await send(inbox.port, host="localhost", security="starttls", context=trusting) == Sent()
        assert (await desk.next())[0] == RAW


async def test_starttls_is_offered_once(desk: Desk, certificate: Certificate, trusting: ssl.SSLContext) -> None:
    def ask(port: int) -> tuple[bool, int]:
        with encrypted(port, trusting) as client:
            client.ehlo()
            return client.has_extn("starttls"), client.docmd("STARTTLS")[0]

    async with listening(desk, certificate=certificate) as inbox:
        assert "250-STARTTLS" in await converse(inbox.port, "EHLO x", "QUIT")
        assert await asyncio.to_thread(ask, inbox.port) == (False, 503)
    async with listening(desk) as inbox:
        assert codes(await converse(inbox.port, "EHLO x", "STARTTLS", "QUIT")) == ["220", "250", "454", "221"]


async def test_commands_sent_ahead_of_tls_are_not_obeyed(
    desk: Desk, certificate: Certificate, trusting: ssl.SSLContext
) -> None:
    """Whoever sits on the wire could slip them in, and they would count as sent in secret."""
    async with listening(desk, certificate=certificate) as inbox:
        reader, writer = await asyncio.open_connection("localhost", inbox.port)
        slipped = f"STARTTLS\r\nEHLO evil\r\n{MAIL_FROM}\r\nRCPT TO:<{MAIL.recipient}>\r\nDATA\r\nforged\r\n.\r\n"
        writer.write(b"EHLO x\r\n" + slipped.encode())
        while not (await reader.readline()).startswith(b"220 Ready"):
            pass
        await writer.start_tls(trusting, server_hostname="localhost")
        writer.write(b"NOOP\r\nMAIL FROM:<b@x.example>\r\nQUIT\r\n")
        assert (await reader.read()).splitlines() == [b"250 OK", b"503 Error: send HELO first", b"221 Bye"]
        writer.close()
    assert desk.taken.empty()


@pytest.mark.parametrize("garbage", [b"EHLO x\r\n" * 100, b"\x16\x03\x01\x00\x05hello", b""])
async def test_client_that_makes_no_tls_is_dropped(
    desk: Desk, certificate: Certificate, garbage: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async with listening(desk, certificate=certificate, connections=1) as inbox:
        reader, writer = await asyncio.open_connection("localhost", inbox.port)
        writer.write(b"EHLO x\r\nSTARTTLS\r\n")
        while not (await reader.readline()).startswith(b"220 Ready"):
            pass
        writer.write(garbage)
        writer.write_eof()
        await asyncio.gather(reader.read(), return_exceptions=True)
        writer.close()
        while (answers := await converse(inbox.port, "QUIT"))[0].startswith("421"):
            await asyncio.sleep(0.01)
    assert codes(answers) == ["220", "221"]
    assert [record for record in caplog.records if record.name.startswith("pbem") and record.levelname == "ERROR"] == []


async def test_renewed_certificate_is_used_for_the_next_connection(
    desk: Desk, files: Files, certificate: Certificate, trusting: ssl.SSLContext
) -> None:
    def shown(port: int) -> bytes:
        with encrypted(port, trusting) as client:
            assert isinstance(client.sock, ssl.SSLSocket)
            return client.sock.getpeercert(binary_form=True) or b""

    async with listening(desk, certificate=certificate) as inbox:
        first = await asyncio.to_thread(shown, inbox.port)
        files.renew()
        second = await asyncio.to_thread(shown, inbox.port)
        files.key.write_text("half writ")
        third = await asyncio.to_thread(shown, inbox.port)
        files.key.unlink()
        assert first != second == third == await asyncio.to_thread(shown, inbox.port)


def test_files_that_are_no_certificate_are_told_in_words(files: Files, authority: trustme.CA) -> None:
    folder = files.key.parent
    (folder / "junk").write_text("junk")
    authority.issue_cert("localhost").private_key_pem.write_to_path(folder / "other.pem")
    locked = ["openssl", "pkcs8", "-topk8", "-in", files.key, "-out", folder / "locked.pem", "-passout", "pass:sesame"]
    subprocess.run(locked, check=True)

    def trouble(certificate: Path, key: Path) -> str:
        with pytest.raises(ValueError, match=r".") as caught:
            Certificate(certificate, key)
        return str(caught.value).replace(f"{folder}/", "")

    assert trouble(folder / "none.pem", files.key) == "none.pem cannot be read: No such file or directory"
    assert trouble(folder / "junk", files.key) == "no certificate and key in PEM form in junk and key.pem"
    assert trouble(files.certificate, folder / "other.pem") == (
        "the key in other.pem does not belong to the certificate in cert.pem"
    )
    assert trouble(files.certificate, folder / "locked.pem") == "the key has a passphrase; the server needs one without"


# --- logins -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [MAIL_FROM, "VRFY x", "HELP"])
async def test_without_a_login_nothing_is_taken(desk: Desk, command: str) -> None:
    async with listening(desk, **LOGIN) as inbox:
        answers = await converse(inbox.port, "EHLO x", command, "RCPT TO:<orders@campaigns.example>", "DATA", "QUIT")
    wanted = "252" if command.startswith("VRFY") else "530"
    assert codes(answers)[2:] == [wanted, "530", "530", "221"]


@pytest.mark.parametrize(
    "login", [[f"AUTH PLAIN {PLAIN}"], ["AUTH PLAIN", PLAIN], ["AUTH LOGIN", "Z2F0ZQ==", "c8OpY3JldA=="]]
)
async def test_who_logs_in_may_hand_over_mail(desk: Desk, login: list[str]) -> None:
    async with listening(desk, **LOGIN) as inbox:
        answers = await converse(inbox.port, "EHLO x", *login, MAIL_FROM, "RCPT TO:<ben@elsewhere.example>", "QUIT")
    assert "250-AUTH LOGIN PLAIN" in answers
    assert codes(answers)[-4:] == ["235", "250", "550", "221"]


@pytest.mark.parametrize(
    "login",
    [
        [f"AUTH PLAIN {WRONG}"],
        ["AUTH PLAIN AA=="],
        ["AUTH PLAIN AAAA"],
        ["AUTH PLAIN ***"],
        ["AUTH LOGIN", "Z2F0ZQ==", "AAAA"],
        ["AUTH LOGIN", "*"],
        ["AUTH LOGIN", "Z2F0ZQ==", "é"],
        ["AUTH CRAM-MD5"],
        ["AUTH"],
        ["AUTH PLAIN " + "A" * 3000],
        ["AUTH LOGIN", "A" * 100_000],
    ],
)
async def test_who_fails_to_log_in_may_not(desk: Desk, login: list[str]) -> None:
    async with listening(desk, **LOGIN) as inbox:
        answers = await converse(inbox.port, "EHLO x", *login, MAIL_FROM, "QUIT")
    assert "530" in codes(answers)
    assert "235" not in codes(answers)


async def test_passwords_are_guessed_few_times(desk: Desk) -> None:
    async with listening(desk, **LOGIN) as inbox:
        answers = await converse(inbox.port, "EHLO x", *[f"AUTH PLAIN {WRONG}"] * 100)
    assert codes(answers)[2:] == ["535"] * 20 + ["421"]


async def test_server_without_logins_offers_none(
    desk: Desk, certificate: Certificate, trusting: ssl.SSLContext
) -> None:
    def offered(port: int) -> bool:
        with encrypted(port, trusting) as client:
            client.ehlo()
            return client.has_extn("auth")

    async with listening(desk, certificate=certificate) as inbox:
        assert not await asyncio.to_thread(offered, inbox.port)
        answers = await converse(inbox.port, "EHLO x", f"AUTH PLAIN {PLAIN}", "AUTH PLAIN AAAA", "QUIT")
        assert codes(answers)[2:] == ["535", "501", "221"]


@pytest.mark.usefixtures("elsewhere")
async def test_over_the_network_nobody_logs_in_unencrypted(
    desk: Desk, certificate: Certificate, trusting: ssl.SSLContext
) -> None:
    async with listening(desk, certificate=certificate, **LOGIN) as inbox:
        answers = await converse(inbox.port, "EHLO x", f"AUTH PLAIN {PLAIN}", MAIL_FROM, "QUIT")
        assert not any("AUTH" in answer for answer in answers)
        assert codes(answers)[2:] == ["538", "530", "221"]
        where: dict[str, Any] = {"host": "localhost", "security": "starttls", "context": trusting}
        assert await send(inbox.port, **where, **LOGIN) == Sent()
        assert isinstance(await send(inbox.port, **where, user="gate", password="guess"), Unavailable)


@pytest.mark.parametrize(
    ("peer", "here"),
    [(("127.0.0.1", 1), True), (("::1", 1, 0, 0), True), (("192.0.2.1", 1), False), ("", False), (None, False)],
)
def test_this_machine_is_known_by_its_address(peer: Any, here: bool) -> None:
    assert smtp_connection._is_this_machine(peer) is here
