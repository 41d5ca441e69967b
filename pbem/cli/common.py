"""What the commands share: how they speak, how they end, and the host they work on."""

import shutil
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from pbem.core.errors import BadInput, Flaw, PbemError
from pbem.core.orders import plain
from pbem.mail.charsets import clean

out = Console(highlight=False, soft_wrap=True)

WIDEST = 100
"""Columns; longer lines are hard to read."""

FAILED, UNUSABLE = 1, 2
"""Exit codes: something went or is wrong; a file or command cannot be used."""

Config = Annotated[Path | None, typer.Option("--config", help="A configuration file; default: config.toml here.")]


Since = Annotated[str | None, typer.Option(help="From then on: 2026-11-30, or how long ago: 2d.")]

LONGEST_NUMBER = 18
"""Digits; no number of the database has more."""

WHO = "command line"
"""Who did it, for the audit."""


def say(*lines: str) -> None:
    """Lines with words that others wrote: nothing in them reaches the terminal but signs to read."""
    for line in lines:
        out.print(" ".join(clean(line).split("\n")), markup=False)


def wrapped(text: str, indent: str = "") -> list[str]:
    """A text in lines that a terminal can hold; what somebody may want to copy is not cut."""
    width = min(shutil.get_terminal_size().columns, WIDEST)
    return textwrap.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def say_flaws(bad: BadInput) -> None:
    """Every flaw on a line of its own, to standard error."""
    for flaw in bad.flaws:
        say_fault(flaw)


def say_fault(fault: object) -> None:
    """What is wrong, to standard error."""
    typer.echo(clean(str(fault)), err=True)


@contextmanager
def the_host(config: Path | None) -> Iterator[Any]:
    """A host on the configured data; heavy parts are imported only when a command needs them."""
    from pbem.config import load
    from pbem.hosting import build_host
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


def the_seat(unit: Any, campaign: Any, name: str) -> Any:
    """The seat of this letter, or of the realm of this name; raises ``BadInput`` if there is none."""
    seats = unit.campaigns.seats(campaign)
    found = [seat for seat in seats if plain(name) in (plain(seat.code), plain(seat.name))]
    if not found:
        known = ", ".join(f"{seat.code} {seat.name}" for seat in seats)
        raise BadInput([Flaw(name, f"no seat of {campaign.name} has this letter or name; there are: {known}")])
    return found[0]


def the_text(file: Path) -> str:
    """What stands in a file; raises ``BadInput`` if it cannot be read."""
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise BadInput([Flaw(str(file), f"cannot be read: {error.strerror}")]) from error
    except UnicodeDecodeError as error:
        raise BadInput([Flaw(str(file), f"is no text in UTF-8: {error}")]) from error


def the_moment(since: str | None) -> datetime | None:
    """The moment that ``--since`` means; raises ``BadInput`` if it means none."""
    from pbem.service.stages.deadlines import duration

    if since is None:
        return None
    try:
        return datetime.fromisoformat(since).astimezone()
    except ValueError:
        pass
    try:
        ago: timedelta = duration(since)
    except ValueError as error:
        reason = f"{since!r} is neither a day nor a length of time; write for example 2026-11-30, 2d or 36h"
        raise BadInput([Flaw("--since", reason)]) from error
    return datetime.now(UTC) - ago


def one_of(option: str, word: str | None, words: Sequence[str], kind: str) -> None:
    """Raises ``BadInput`` for a word that is none of those which an option may have."""
    if word is not None and word not in words:
        raise BadInput([Flaw(option, f"{word!r} is no {kind}; there are: {', '.join(words)}")])


def number(text: str) -> int:
    """The number that somebody named; raises ``BadInput`` if it is none."""
    if not text.isdecimal() or len(text) > LONGEST_NUMBER:
        raise BadInput([Flaw(text, "is no number; give those that the list shows, for example 12")])
    return int(text)


def each_of(numbers: Sequence[int], action: Callable[[int], str]) -> None:
    """Do something with each number and say what came of it; one that fails does not keep the others waiting.

    Ends with the worst exit code there was.
    """
    worst = 0
    for number in dict.fromkeys(numbers):
        try:
            say(action(number))
        except BadInput as bad:
            say_flaws(bad)
            worst = UNUSABLE
        except PbemError as error:
            say_fault(error)
            worst = worst or FAILED
    if worst:
        raise typer.Exit(worst)
