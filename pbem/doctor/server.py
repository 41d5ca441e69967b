"""Does the server run, and can it be reached?"""

import contextlib
import errno
import os
import socket
import ssl
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx

from pbem.config import SmtpIn, Web
from pbem.doctor.finding import Finding, note, ok, warning, wrong

PATIENCE = 5.0
"""Seconds to wait for a page, or for the listener's greeting."""
SOON = 14
"""Days before its end at which a certificate ought to have been renewed."""


async def health(web: Web) -> dict[str, Any] | None:
    """What the server that runs here says of itself; ``None`` if none does, or it shows no pages."""
    if not web.enabled or not web.port:
        return None
    host = "127.0.0.1" if web.host in ("0.0.0.0", "") else "::1" if web.host == "::" else web.host
    return await _health(f"http://{f'[{host}]' if ':' in host else host}:{web.port}")


async def _health(address: str) -> dict[str, Any] | None:
    try:
        async with httpx.AsyncClient(timeout=PATIENCE, trust_env=False) as client:
            said = (await client.get(f"{address}/healthz")).json()
    except (httpx.HTTPError, httpx.InvalidURL, ValueError):
        return None
    return said if isinstance(said, dict) and "ok" in said else None


async def running(web: Web) -> list[Finding]:
    """Whether the server runs, and what it complains of."""
    subject = "server"
    if not web.enabled or not web.port:
        return [note(subject, "whether it runs cannot be told without the pages of [web]")]
    said = await health(web)
    if said is None:
        return [note(subject, "it does not run now", "start it with `pbem serve`")]
    complaints = said.get("wrong") or {}
    found = [wrong(subject, f"{part}: {what}", "see the server's log") for part, what in complaints.items()]
    return found or [ok(subject, "it runs, and complains of nothing")]


async def page_port(web: Web) -> list[Finding]:
    """Whether the pages can be served."""
    if not web.enabled or not web.port:
        return []
    if await health(web) is not None:
        return [ok("port of [web]", f"the server has {web.host}:{web.port}")]
    return [_free("web", web.host, web.port)]


async def listener_port(given: SmtpIn, web: Web) -> list[Finding]:
    """Whether the listener can listen, or does."""
    if not given.enabled or not given.port:
        return []
    finding = _free("smtp_in", given.host, given.port)
    if finding.level == "wrong" and await health(web) is not None:
        return [ok("port of [smtp_in]", f"the server has {given.host}:{given.port}")]
    return [finding]


def _free(table: str, host: str, port: int) -> Finding:
    subject, where = f"port of [{table}]", f"{host}:{port}"
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.create_server((host, port), family=family):
            return ok(subject, f"{where} is free for the server")
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
        cure = {
            errno.EADDRINUSE: f"stop the program that listens there, or set another port in [{table}]",
            errno.EACCES: f"set a port above 1023 in [{table}], or give the server the right to lower ones",
        }.get(error.errno or 0, f"set host in [{table}] to an address of this machine, for example 127.0.0.1")
        return wrong(subject, f"the server cannot listen on {where}: {reason}", cure)


async def public_pages(web: Web) -> list[Finding]:
    """Whether the address that mails name leads to our pages."""
    if not web.enabled or not web.url:
        return []
    subject, address = "public pages", web.url.rstrip("/")
    if await _health(address) is not None:
        return [ok(subject, f"{address} leads to this server")]
    if await health(web) is None:
        return [note(subject, f"{address} can be tried only while the server runs")]
    cure = f"point the web server there to http://{web.host}:{web.port}, or set url in [web]"
    return [wrong(subject, f"{address}, which mails name, does not lead to this server", cure)]


def certificate(given: SmtpIn, now: datetime) -> list[Finding]:
    """How long the listener's certificate is still good."""
    if not (given.enabled and given.tls_cert and given.tls_key):
        return []
    subject = "certificate of [smtp_in]"
    try:
        return lifetime(subject, _shown(given.tls_cert, given.tls_key), now)
    except ssl.SSLCertVerificationError as error:
        return [wrong(subject, f"{given.tls_cert}: {error.verify_message}", "renew it")]
    except (ssl.SSLError, OSError) as error:
        cure = "give a certificate and its key, without a passphrase, as PEM files"
        return [wrong(subject, f"{given.tls_cert} and {given.tls_key} cannot be used: {error}", cure)]


def lifetime(subject: str, peer: dict[str, Any] | None, now: datetime) -> list[Finding]:
    """How long a certificate is good that a server showed us; nothing if it showed none."""
    ends = str((peer or {}).get("notAfter", ""))
    return [_lifetime(subject, datetime.fromtimestamp(ssl.cert_time_to_seconds(ends), UTC), now)] if ends else []


def _lifetime(subject: str, ends: datetime, now: datetime) -> Finding:
    days = (ends - now).days
    if days < 0:
        return wrong(subject, f"it expired on {ends:%Y-%m-%d}", "renew it")
    if days < SOON:
        return warning(subject, f"it expires in {days} days, on {ends:%Y-%m-%d}", "renew it; look why nobody has yet")
    return ok(subject, f"it is good for {days} more days")


def _shown(certificate: Path, key: Path) -> dict[str, Any]:
    """What a certificate says. Python tells it only of one that was shown and found good: so we show it ourselves, and
    trust it because it is our own."""
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificate, key, password=lambda: "")
    client = ssl.create_default_context(cafile=str(certificate))
    client.check_hostname, client.verify_flags = False, ssl.VerifyFlags.VERIFY_X509_PARTIAL_CHAIN
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    ours = client.wrap_bio(back, there)
    theirs = server.wrap_bio(there, back, server_side=True)
    for side in (ours, theirs, ours):
        with contextlib.suppress(ssl.SSLWantReadError):
            side.do_handshake()
    return ours.getpeercert() or {}
