"""What the doctor says of ports and of the server that runs, or does not."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import uvicorn

from pbem.config import SmtpIn, Web
from pbem.doctor import server
from pbem.doctor.finding import Finding
from pbem.web.pages import Part, pages
from tests.servers import free_port


def levels(findings: list[Finding]) -> dict[str, str]:
    return {finding.subject: finding.level for finding in findings}


@contextmanager
def busy() -> Iterator[int]:
    """A port on which somebody else listens."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


async def test_a_port_is_free_or_taken_by_somebody_else() -> None:
    with busy() as port:
        (taken,) = await server.listener_port(SmtpIn(port=port), Web(enabled=False))
    (free,) = await server.listener_port(SmtpIn(port=free_port()), Web(enabled=False))
    assert (taken.level, "Address already in use" in taken.said, free.level) == ("wrong", True, "ok")


async def test_an_address_of_another_machine_cannot_be_listened_on() -> None:
    (finding,) = await server.listener_port(SmtpIn(host="192.0.2.1", port=free_port()), Web(enabled=False))
    assert (finding.level, "127.0.0.1" in finding.cure) == ("wrong", True)


async def test_a_server_that_does_not_run_is_no_fault() -> None:
    assert levels(await server.running(Web(port=free_port()))) == {"server": "note"}
    assert levels(await server.running(Web(enabled=False))) == {"server": "note"}


class Pages(uvicorn.Server):
    """Pages as the server has them, until the block ends."""

    async def __aenter__(self) -> "Pages":
        self.task = asyncio.create_task(self.serve())
        while not self.started:
            await asyncio.sleep(0.01)
        return self

    async def __aexit__(self, *error: object) -> None:
        self.should_exit = True
        await self.task


@pytest.mark.parametrize(("trouble", "level"), [({}, "ok"), ({"mailbox": "login refused"}, "wrong")])
async def test_a_running_server_is_asked_what_it_complains_of(tmp_path: Path, trouble: dict, level: str) -> None:
    port = free_port()
    shown = pages(tmp_path / "public", lambda: {part: Part(wrong) for part, wrong in trouble.items()})
    async with Pages(uvicorn.Config(shown, port=port, log_config=None, lifespan="off")):
        web = Web(port=port, url=f"http://127.0.0.1:{port}/")
        with busy() as smtp:
            found = [
                *await server.running(web),
                *await server.page_port(web),
                *await server.listener_port(SmtpIn(port=smtp), web),
                *await server.public_pages(web),
            ]
        elsewhere = await server.public_pages(web.model_copy(update={"url": f"http://127.0.0.1:{free_port()}"}))
    assert levels(found) == {
        "server": level,
        "port of [web]": "ok",
        "port of [smtp_in]": "ok",
        "public pages": "ok",
    }
    assert levels(elsewhere) == {"public pages": "wrong"}
