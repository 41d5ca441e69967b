"""The web application: static pages of the public archive, and ``/healthz``."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles


@dataclass(frozen=True)
class Part:
    """How a part of the server is."""

    wrong: str = ""
    """What is wrong with it, and for how long, in words for everybody; empty: it works."""
    trouble: str = ""
    """What kept it from working the last time, though that may be over before it does harm. It may name hosts and
    users, so the pages tell only whether there is any."""
    last_look: float | None = None
    """Seconds since it last looked for work and did it; ``None``: it has not yet."""


Health = Callable[[], Mapping[str, Part]]
"""How each part is."""


def pages(archive: Path, health: Health) -> Starlette:
    """Serve the public archive and the health of the server (200, or 503 with what is wrong)."""

    async def healthz(request: Request) -> Response:
        parts = health()
        wrong = {name: part.wrong for name, part in parts.items() if part.wrong}
        figures = {
            name: {
                "last_look": None if part.last_look is None else round(part.last_look, 1),
                "trouble": bool(part.trouble),
            }
            for name, part in parts.items()
        }
        told = {"ok": not wrong, "wrong": wrong, "parts": figures}
        return JSONResponse(told, status_code=503 if wrong else 200)

    archive.mkdir(parents=True, exist_ok=True)
    static = StaticFiles(directory=archive, html=True)
    return Starlette(routes=[Route("/healthz", healthz), Mount("/", static)])
