"""What the commands share: how they speak, how they end, and the host they work on."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from pbem.core.errors import BadInput, Flaw

out = Console(highlight=False, soft_wrap=True)

FAILED, UNUSABLE = 1, 2
"""Exit codes: something went or is wrong; a file or command cannot be used."""

Config = Annotated[Path | None, typer.Option("--config", help="A configuration file; default: config.toml here.")]


def say_flaws(bad: BadInput) -> None:
    """Every flaw on a line of its own, to standard error."""
    for flaw in bad.flaws:
        typer.echo(str(flaw), err=True)


@contextmanager
def the_host(config: Path | None) -> Iterator[Any]:
    """A host on the configured data; heavy parts are imported only when a command needs them."""
    from pbem.app import build_host
    from pbem.config import load
    from pbem.reports.raster import Rasterizer

    with Rasterizer() as rasterizer:
        yield build_host(load(config), rasterizer)


def the_campaign(unit: Any, name: str) -> Any:
    """The campaign of this name; raises ``BadInput`` if there is none."""
    campaign = unit.campaigns.named(name)
    if campaign is None:
        known = ", ".join(each.name for each in unit.campaigns.all()) or "none"
        raise BadInput([Flaw(name, f"no campaign has this name; there are: {known}")])
    return campaign


def the_text(file: Path) -> str:
    """What stands in a file; raises ``BadInput`` if it cannot be read."""
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise BadInput([Flaw(str(file), f"cannot be read: {error.strerror}")]) from error
    except UnicodeDecodeError as error:
        raise BadInput([Flaw(str(file), f"is no text in UTF-8: {error}")]) from error
