"""The web application: static pages of the public archive, and ``/healthz``."""

from collections.abc import Callable, Mapping
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

Health = Callable[[], Mapping[str, str]]
"""What is wrong, by part; empty: all is well."""


def pages(archive: Path, health: Health) -> Starlette:
    """Serve the public archive and the health of the server (200, or 503 with what is wrong)."""

    def healthz(request: Request) -> Response:
        wrong = dict(health())
        return JSONResponse({"ok": not wrong, "wrong": wrong}, status_code=503 if wrong else 200)

    archive.mkdir(parents=True, exist_ok=True)
    static = StaticFiles(directory=archive, html=True)
    return Starlette(routes=[Route("/healthz", healthz), Mount("/", static)])
