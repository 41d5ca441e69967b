"""Access tokens out of a refresh token, from a token server that follows RFC 6749."""

import asyncio
import json
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from pbem.mail.oauth import AccessTokens, NoToken, TokenServer
from tests.mail.conftest import NOW
from tests.servers import free_port


@dataclass
class Provider:
    """A token server; takes only the newest refresh token."""

    takes: str = "first"
    rotates: bool = False
    answers: list[Response] = field(default_factory=list)
    """What to answer instead of a token, first, second and so on."""
    life: Any = 3600
    asked: list[dict[str, list[str]]] = field(default_factory=list)
    url: str = ""

    async def token(self, request: Request) -> Response:
        form = parse_qs((await request.body()).decode())
        self.asked.append(form)
        await asyncio.sleep(0.01)
        if self.answers:
            return self.answers.pop(0)
        if form["refresh_token"] != [self.takes]:
            return JSONResponse({"error": "invalid_grant", "error_description": "it was\nused"}, 400)
        answer = {"access_token": f"access {len(self.asked)}", "token_type": "Bearer", "expires_in": self.life}
        if self.rotates:
            self.takes = answer["refresh_token"] = f"refresh {len(self.asked)}"
        return JSONResponse({name: value for name, value in answer.items() if value is not None})


@asynccontextmanager
async def serving(provider: Provider) -> AsyncIterator[Provider]:
    """The provider on a port of this machine."""
    port = free_port()
    application = Starlette(routes=[Route("/token", provider.token, methods=["POST"])])
    server = uvicorn.Server(uvicorn.Config(application, port=port, log_config=None, lifespan="off"))
    task = asyncio.create_task(server._serve())
    while not server.started:
        await asyncio.sleep(0.005)
    provider.url = f"http://127.0.0.1:{port}/token"
    try:
        yield provider
    finally:
        server.should_exit = True
        await task


@pytest.fixture
async def provider() -> AsyncIterator[Provider]:
    async with serving(Provider()) as provider:
        yield provider


class Clock:
    """Moved by hand."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


CLOCK = Clock()


def tokens_of(provider: Provider, folder: Path, clock: Clock = CLOCK, **settings: Any) -> AccessTokens:
    server = TokenServer(provider.url, "client", "secret", "first", "mail offline")
    return AccessTokens(replace(server, **settings), folder / "oauth.json", clock)


async def test_request_is_that_of_the_standard(provider: Provider, tmp_path: Path) -> None:
    assert await tokens_of(provider, tmp_path)() == "access 1"
    assert provider.asked == [
        {
            "grant_type": ["refresh_token"],
            "refresh_token": ["first"],
            "client_id": ["client"],
            "client_secret": ["secret"],
            "scope": ["mail offline"],
        }
    ]


@pytest.mark.parametrize(
    ("life", "still_good", "too_old"),
    [(3600, 3539, 3541), ("3600", 3539, 3541), (100, 89, 91), (None, 269, 271), ("soon", 269, 271)],
)
async def test_token_is_kept_until_shortly_before_its_end(
    provider: Provider, tmp_path: Path, life: Any, still_good: int, too_old: int
) -> None:
    provider.life = life
    clock = Clock()
    tokens = tokens_of(provider, tmp_path, clock)
    await tokens()
    clock.now = NOW + timedelta(seconds=still_good)
    assert await tokens() == "access 1"
    clock.now = NOW + timedelta(seconds=too_old)
    assert await tokens() == "access 2"


async def test_many_who_ask_at_once_cause_one_request(provider: Provider, tmp_path: Path) -> None:
    tokens = tokens_of(provider, tmp_path)
    assert await asyncio.gather(*[tokens() for _ in range(20)]) == ["access 1"] * 20
    assert len(provider.asked) == 1


async def test_token_that_was_refused_is_not_given_again(provider: Provider, tmp_path: Path) -> None:
    tokens = tokens_of(provider, tmp_path)
    tokens.refused(await tokens())
    assert await tokens() == "access 2"
    tokens.refused("access 1")
    assert await tokens() == "access 2"


async def test_new_refresh_tokens_are_used_even_after_a_restart_and_nobody_else_may_read_them(
    provider: Provider, tmp_path: Path
) -> None:
    provider.rotates = True
    tokens = tokens_of(provider, tmp_path)
    tokens.refused(await tokens())
    assert await tokens() == "access 2"
    assert await tokens_of(provider, tmp_path)() == "access 3"
    assert [file.name for file in tmp_path.iterdir()] == ["oauth.json"]
    assert stat.S_IMODE((tmp_path / "oauth.json").stat().st_mode) == 0o600


async def test_refresh_token_in_the_settings_wins_once_it_is_another_one(provider: Provider, tmp_path: Path) -> None:
    provider.rotates = True
    await tokens_of(provider, tmp_path)()
    provider.takes = "signed in again"
    assert await tokens_of(provider, tmp_path, refresh_token="signed in again")() == "access 2"


@pytest.mark.parametrize("text", ["", "{}", "[]", "no JSON", json.dumps({"descends_from": 1, "refresh_token": 2})])
async def test_damaged_file_of_refresh_tokens_is_not_used(provider: Provider, tmp_path: Path, text: str) -> None:
    (tmp_path / "oauth.json").write_text(text)
    assert await tokens_of(provider, tmp_path)() == "access 1"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (JSONResponse({"error": "invalid_client"}, 401), "oauth.client_id or oauth.client_secret is wrong"),
        (JSONResponse({"error": "slow_down"}, 429), "slow_down"),
        (JSONResponse({"error": {"code": 7}}, 400), "it answers 400; check oauth.token_url"),
        (PlainTextResponse("<html>", 404), "it answers 404; check oauth.token_url"),
        (PlainTextResponse("<html>"), "without an access_token: check oauth.token_url"),
        (JSONResponse(["access_token"]), "without an access_token"),
        (JSONResponse({"access_token": ""}), "without an access_token"),
    ],
)
async def test_refusal_says_what_to_do_and_the_next_request_may_succeed(
    provider: Provider, tmp_path: Path, answer: Response, words: str
) -> None:
    provider.answers.append(answer)
    tokens = tokens_of(provider, tmp_path)
    with pytest.raises(NoToken, match=words):
        await tokens()
    assert await tokens() == "access 2"


async def test_refresh_token_that_is_no_longer_good_is_told_in_plain_words(provider: Provider, tmp_path: Path) -> None:
    with pytest.raises(NoToken) as refused:
        await tokens_of(provider, tmp_path, refresh_token="old")()
    assert str(refused.value) == (
        f"the token server {provider.url} gives no token: the refresh token is no longer good: sign in with the mail "
        "provider again, and set the new oauth.refresh_token (invalid_grant: it was used)"
    )


async def test_server_that_cannot_be_reached_or_says_nothing_is_named(provider: Provider, tmp_path: Path) -> None:
    for settings in ({"url": f"http://127.0.0.1:{free_port()}/token"}, {"url": "nonsense"}, {"timeout": 0.001}):
        with pytest.raises(NoToken, match="cannot be reached: "):
            await tokens_of(provider, tmp_path, **settings)()
