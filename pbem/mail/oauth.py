"""Access tokens for mail servers that take no passwords (OAuth 2.0), out of a refresh token (RFC 6749, section 6)."""

import asyncio
import hashlib
import json
import os
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.core.errors import PbemError
from pbem.mail.inbox import Clock

if TYPE_CHECKING:
    import httpx

LIFETIME = timedelta(minutes=5)
"""How long a token is used if the server does not say how long it is good for."""
MARGIN = timedelta(minutes=1)
"""A token is renewed so long before its end, or a tenth of its life if that is less."""

CURES = {
    "invalid_grant": "the refresh token is no longer good: sign in with the mail provider again, and set the new "
    "oauth.refresh_token",
    "invalid_client": "oauth.client_id or oauth.client_secret is wrong",
    "unauthorized_client": "this client may not use refresh tokens: see to it at the mail provider, or check "
    "oauth.client_id",
    "invalid_scope": "oauth.scope is wrong",
    "invalid_request": "the token server wants something else: check oauth.token_url, oauth.client_id and oauth.scope",
}
"""What to do about the errors of a token server (RFC 6749, section 5.2)."""


class NoToken(PbemError):
    """There is no access token to be had now; says why, and what to do about it."""


@dataclass(frozen=True)
class TokenServer:
    """Who gives out access tokens, and what he knows us by."""

    url: str
    client_id: str
    client_secret: str
    refresh_token: str
    scope: str = ""
    timeout: float = 10.0
    """Seconds to wait for an answer."""


class AccessTokens:
    """The access token that is good now: kept as long as it is good, renewed by one caller at a time.

    Where the token server hands out a new refresh token with each access token, the newest is kept in a file that only
    we may read. It is used until the organizer sets another one than it began with.
    """

    def __init__(self, server: TokenServer, kept: Path, clock: Clock) -> None:
        self._server = server
        self._kept = kept
        self._clock = clock
        self._busy = asyncio.Lock()
        self._token = ""
        self._renew_at: datetime | None = None

    async def __call__(self) -> str:
        """The token; raises :class:`NoToken`."""
        async with self._busy:
            if not self._token or self._renew_at is None or self._clock() >= self._renew_at:
                await self._renew()
            return self._token

    def refused(self, token: str) -> None:
        """The mail server did not take this token: the next one is a new one."""
        if token == self._token:
            self._token = ""

    async def _renew(self) -> None:
        self._token = ""
        asked_at = self._clock()
        answer = await self._ask(self._refresh_token())
        token = answer.get("access_token")
        if not (isinstance(token, str) and token):
            raise NoToken(f"{self._server.url} answers without an access_token: check oauth.token_url")
        life = _lifetime(answer.get("expires_in"))
        self._token, self._renew_at = token, asked_at + life - min(MARGIN, life / 10)
        following = answer.get("refresh_token")
        if isinstance(following, str) and following:
            self._keep(following)

    async def _ask(self, refresh_token: str) -> dict[str, Any]:
        import httpx  # here: few servers sign in by tokens

        server = self._server
        form = {"grant_type": "refresh_token", "refresh_token": refresh_token, "client_id": server.client_id}
        form |= {"client_secret": server.client_secret} if server.client_secret else {}
        form |= {"scope": server.scope} if server.scope else {}
        try:
            async with asyncio.timeout(server.timeout), httpx.AsyncClient(timeout=server.timeout) as client:
                answer = await client.post(server.url, data=form, headers={"Accept": "application/json"})
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError) as error:
            reason = str(error) or "no answer in time"
            raise NoToken(f"the token server {server.url} cannot be reached: {reason}") from error
        said = _json(answer)
        if answer.status_code != httpx.codes.OK or "error" in said:
            raise NoToken(f"the token server {server.url} gives no token: {_refusal(answer, said)}")
        return said

    def _refresh_token(self) -> str:
        """The newest one that descends from the one in the settings."""
        try:
            kept = json.loads(self._kept.read_text(encoding="utf-8"))
            newest = kept["refresh_token"] if kept["descends_from"] == self._origin else ""
        except (OSError, ValueError, KeyError, TypeError):
            newest = ""
        return newest if isinstance(newest, str) and newest else self._server.refresh_token

    @property
    def _origin(self) -> str:
        return hashlib.sha256(self._server.refresh_token.encode()).hexdigest()

    def _keep(self, refresh_token: str) -> None:
        """On disk before it is needed: the server may take the one before no more."""
        text = json.dumps({"descends_from": self._origin, "refresh_token": refresh_token})
        draft = self._kept.with_name(self._kept.name + ".new")
        draft.unlink(missing_ok=True)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self._kept)


def _lifetime(seconds: Any) -> timedelta:
    """How long a token is good; some servers write the seconds as text."""
    try:
        return timedelta(seconds=max(0, min(int(seconds), 86_400)))
    except (TypeError, ValueError, OverflowError):
        return LIFETIME


def _json(answer: "httpx.Response") -> dict[str, Any]:
    try:
        said = answer.json()
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def _refusal(answer: "httpx.Response", said: dict[str, Any]) -> str:
    code = said.get("error")
    if not isinstance(code, str):
        return f"it answers {answer.status_code}; check oauth.token_url"
    details = " ".join(str(said.get("error_description", "")).split())[:200]
    return f"{CURES.get(code, code)} ({code}{': ' + details if details else ''})"
