"""The command that looks whether everything is right, and says what to do where it is not."""

import asyncio
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.cli.common import FAILED, Config, say, wrapped
from pbem.core.errors import BadInput, Flaw

app = typer.Typer()

SIGNS = {"ok": "✓", "note": "·", "warning": "!", "wrong": "✗"}
PLAIN_SIGNS = {"ok": "+", "note": "-", "warning": "!", "wrong": "X"}
"""For terminals that know no others."""


@app.command()
def doctor(
    no_mail: Annotated[bool, typer.Option("--no-mail", help="Leave out all that goes over the network.")] = False,
    to: Annotated[str, typer.Option(help="Also send a test letter to this address, for somebody to look at.")] = "",
    patience: Annotated[str, typer.Option(help="How long to wait for test letters.")] = "60s",
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
    config: Config = None,
) -> None:
    """Look whether everything is right, and say what to do where it is not.

    Exit code 1 if something is wrong.
    """
    teller, patient = _Teller(silent=as_json), _patient(config, to, _seconds(patience))
    if isinstance(patient, list):
        findings = patient
        for finding in findings:
            teller.tell(finding)
    else:
        findings = asyncio.run(_examine(patient, not no_mail, teller.tell))
    if as_json:
        typer.echo(json.dumps([asdict(each) for each in findings], indent=2))
    else:
        _sum_up(findings)
    if any(each.level == "wrong" for each in findings):
        raise typer.Exit(FAILED)


def _seconds(patience: str) -> float:
    from pbem.service.stages.deadlines import duration

    try:
        return duration(patience).total_seconds()
    except ValueError as error:
        raise BadInput([Flaw("--patience", str(error))]) from error


def _patient(config: Path | None, to: str, patience: float) -> Any:
    """What is to be examined; or findings, if the configuration is such that there is nothing else to look at."""
    from pbem.config import load
    from pbem.doctor import Finding, Patient

    try:
        return Patient(load(config), config, to, patience)
    except BadInput as bad:
        cure = "mend it; config.toml of the program shows every key with its default"
        return [Finding(flaw.where, "wrong", flaw.reason, cure, "Configuration") for flaw in bad.flaws]


async def _examine(patient: Any, mail: bool, tell: Callable[[Any], object]) -> list[Any]:
    from pbem.doctor import areas, run

    return await run(areas(patient, mail), tell)


class _Teller:
    """Tells findings as they come, each area under its heading."""

    def __init__(self, silent: bool) -> None:
        self._silent = silent
        self._area = ""

    def tell(self, finding: Any) -> None:
        """One finding."""
        if self._silent:
            return
        if finding.area != self._area:
            say(*([""] if self._area else []), finding.area)
            self._area = finding.area
        say(*_lines(finding))


def _lines(finding: Any) -> Iterator[str]:
    signs = SIGNS if (sys.stdout.encoding or "").lower().startswith("utf") else PLAIN_SIGNS
    yield from wrapped(f"{signs[finding.level]} {finding.subject}: {finding.said}", "  ")
    if finding.cure:
        yield from wrapped(f"> {finding.cure}", "    ")


def _sum_up(findings: list[Any]) -> None:
    wrong = sum(each.level == "wrong" for each in findings)
    warnings = sum(each.level == "warning" for each in findings)
    say("", f"{wrong} wrong, {_count(warnings, 'warning')}, {len(findings)} things looked at.")


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
