import asyncio
import contextlib
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pbem.app import build_server, mailbox, tokens, transport
from pbem.config import Settings
from pbem.core.errors import BadInput
from pbem.hosting import build_host
from pbem.mail.authentication import Proof
from pbem.mail.oauth import AccessTokens
from pbem.mail.outgoing.maildir import MaildirOutbox
from pbem.mail.outgoing.signing import SigningOutbox
from pbem.mail.outgoing.smtp import SmtpOutbox
from pbem.mail.outgoing.transport import Transport
from pbem.reports.raster import Rasterizer
from pbem.server import end


async def test_a_part_that_lost_a_cancellation_is_ended_all_the_same() -> None:
    started = asyncio.Event()

    async def part() -> None:
        started.set()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        await asyncio.Event().wait()

    task = asyncio.create_task(part())
    await started.wait()
    await end(task)
    assert task.cancelled()


# --- the ways in --------------------------------------------------------------------------------------------------


async def test_the_largest_letter_is_the_same_by_every_way_in(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, mail={"largest": 20_000}, smtp_in={"port": 0})  # type: ignore[arg-type]
    with Rasterizer() as rasterizer:
        host = build_host(settings, rasterizer)
    server = build_server(settings, host)
    assert server.listener is not None
    async with server.listener as listener:
        reader, writer = await asyncio.open_connection("127.0.0.1", listener.port)
        writer.write(b"EHLO x\r\nQUIT\r\n")
        assert b"SIZE 20000\r\n" in await reader.read()
        writer.close()
    assert (mailbox(settings, tokens(settings)).largest, host.largest) == (20_000, 20_000)


@pytest.mark.parametrize(
    ("mode", "url", "link"),
    [
        ("maildir", "", "http://127.0.0.1:8025"),
        ("smtp", "", ""),
        ("smtp", "https://x.example", "https://x.example"),
    ],
)
def test_mails_that_leave_this_machine_link_no_address_of_it(tmp_path: Path, mode: str, url: str, link: str) -> None:
    settings = Settings(data=tmp_path, smtp_out={"mode": mode}, web={"url": url})  # type: ignore[arg-type]
    with Rasterizer() as rasterizer:
        assert build_host(settings, rasterizer).pages == link


# --- the way out --------------------------------------------------------------------------------------------------


def out(**dkim: Any) -> Settings:
    return Settings(mail={"address": "orders@mail.x.example"}, smtp_out={"mode": "smtp"}, dkim=dkim)  # type: ignore[arg-type]


def way_out(settings: Settings) -> Transport:
    return transport(settings, tokens(settings))


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "dkim.pem"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ED25519", "-out", path], check=True)
    return path


@pytest.mark.parametrize("domain", ["", "mail.x.example", "x.example"])
async def test_mail_is_signed_when_there_is_a_key(key: Path, domain: str) -> None:
    assert isinstance(way_out(Settings()), MaildirOutbox)
    assert isinstance(way_out(out()), SmtpOutbox)
    assert isinstance(way_out(out(key=key, domain=domain)), SigningOutbox)


@pytest.mark.parametrize("domain", ["y.example", "il.x.example", "sub.mail.x.example"])
async def test_signature_of_a_domain_that_is_not_in_from_is_a_flaw(key: Path, domain: str) -> None:
    with pytest.raises(BadInput, match=r"dkim\.domain: .* does not sign for orders@mail\.x\.example"):
        way_out(out(key=key, domain=domain))


async def test_key_that_cannot_be_read_is_a_flaw(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"dkim\.key: .*none\.pem cannot be read"):
        way_out(out(key=tmp_path / "none.pem"))


def test_mail_goes_in_and_out_with_the_same_access_tokens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A provider may hand out a new refresh token with each access token, and take the one before no more."""
    made: list[AccessTokens] = []

    class Counted(AccessTokens):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            made.append(self)

    monkeypatch.setattr("pbem.app.AccessTokens", Counted)
    login = {"login": "xoauth2", "user": "orders@x.example"}
    both = {"imap_in": {"enabled": True, **login}, "smtp_out": {"mode": "smtp", **login}}
    settings = Settings(data=tmp_path, **both)  # type: ignore[arg-type]
    with Rasterizer() as rasterizer:
        build_server(settings, build_host(settings, rasterizer))
    assert len(made) == 1


# --- who is believed ----------------------------------------------------------------------------------------------

FORGED = "Authentication-Results: mx.example.org; dmarc=pass header.from=x.example\r\n"
RECEIVED = "Received: from somewhere by mx.example.org; Mon, 4 May 2026 12:00:00 +0000\r\n"


@pytest.mark.parametrize(
    ("trust", "head", "proof"),
    [
        ({}, FORGED + RECEIVED, Proof.ABSENT),
        ({"authserv_id": "mx.example.org"}, FORGED + RECEIVED, Proof.ALIGNED),
        ({"authserv_id": "mx.example.org"}, RECEIVED * 2 + FORGED, Proof.ABSENT),
        ({"authserv_id": "mx.example.org", "hops": 2}, RECEIVED * 2 + FORGED, Proof.ALIGNED),
        ({"authserv_id": "mx.x.example"}, FORGED + RECEIVED, Proof.ABSENT),
    ],
)
def test_whose_word_counts_is_in_the_settings(tmp_path: Path, trust: dict[str, Any], head: str, proof: Proof) -> None:
    settings = Settings(data=tmp_path, trust=trust)  # type: ignore[arg-type]
    with Rasterizer() as rasterizer:
        host = build_host(settings, rasterizer)
    raw = f"{head}From: ana@x.example\r\nTo: orders+abcd@localhost\r\n\r\nOK\r\n".encode()
    assert host.prove(raw, "ana@x.example") is proof
    assert not host.strict
