"""Commands about the server itself: run it, watch a demonstration, read the configuration."""

import asyncio
import json
from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.cli.common import Config, out, say

app = typer.Typer()


@app.command()
def serve(config: Config = None) -> None:
    """Run the server until Ctrl-C."""
    from pbem.app import serve as run
    from pbem.app import standing_server
    from pbem.config import load
    from pbem.hosting import local_pages
    from pbem.log import configure

    settings = load(config)
    configure()
    with standing_server(settings) as server:
        asyncio.run(run(server, lambda: _say_where(settings, server.host, local_pages(settings))))
    say("Stopped.")


def _say_where(settings: Any, host: Any, pages: str) -> None:
    given = settings.smtp_in
    if given.enabled:
        say(f"Orders:  {given.protocol.upper()} on {given.host}:{given.port}, addressed as the reports say")
    if settings.imap_in.enabled:
        say(f"         and the mailbox {settings.imap_in.user} on {settings.imap_in.host}")
    where = settings.smtp_out.host if settings.smtp_out.mode == "smtp" else f"folders under {settings.data / 'mail'}"
    say(f"Mail:    goes out to {where}")
    if settings.web.enabled:
        say(f"Read:    {host.pages or pages}/")
    _say_campaigns(host)
    say("Ctrl-C stops.")


def _say_campaigns(host: Any) -> None:
    with host.unit() as unit:
        campaigns = unit.campaigns.all()
    names = ", ".join(each.name for each in campaigns)
    say(f"Plays:   {names}" if names else "Plays:   nothing yet; begin with: pbem new FILE")


@app.command()
def demo(
    folder: Annotated[Path, typer.Argument(help="Where to put it; an earlier demo there is replaced.")] = Path("demo"),
) -> None:
    """Watch six robot realms play four turns by real mail. Ends by itself."""
    from pbem.demo import run

    run(folder, out)


@app.command()
def config_check(config: Config = None) -> None:
    """Read the configuration and show it, without passwords."""
    from pbem.config import load

    out.print_json(json.dumps(load(config).model_dump(mode="json"), default=str))
