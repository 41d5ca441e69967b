"""What a check finds, and how checks are run: each by itself, with a time limit, and none can harm another."""

import asyncio
import contextlib
import logging
import threading
from collections.abc import Awaitable, Callable, Iterable, Sequence
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

log = logging.getLogger(__name__)

T = TypeVar("T")

Level = Literal["ok", "note", "warning", "wrong"]
"""``note``: worth knowing, nothing to do. ``warning``: works, but ought to be mended. ``wrong``: does not work."""


@dataclass(frozen=True)
class Finding:
    """What was looked at, how it is, and what to do about it."""

    subject: str
    """``mailbox login``."""
    level: Level
    said: str
    """How it is, in a clause or two."""
    cure: str = ""
    """What to do, in a line; nothing where there is nothing to do."""
    area: str = ""
    """Under which heading it stands."""


Findings = Sequence[Finding]
Look = Callable[[], Awaitable[Findings]]


@dataclass(frozen=True)
class Check:
    """Something to look at."""

    subject: str
    look: Look
    limit: float = 15.0
    """Seconds after which it is given up."""
    needs: tuple[str, ...] = ()
    """Subjects without which it is no use to look: if one of them is wrong, only that is told."""


@dataclass(frozen=True)
class Area:
    """Checks that stand under one heading."""

    title: str
    checks: tuple[Check, ...]


def ok(subject: str, said: str) -> Finding:
    """All is well."""
    return Finding(subject, "ok", said)


def note(subject: str, said: str, cure: str = "") -> Finding:
    """Nothing has to be done."""
    return Finding(subject, "note", said, cure)


def warning(subject: str, said: str, cure: str) -> Finding:
    """It works, but ought to be mended."""
    return Finding(subject, "warning", said, cure)


def wrong(subject: str, said: str, cure: str) -> Finding:
    """It does not work."""
    return Finding(subject, "wrong", said, cure)


async def run(areas: Iterable[Area], told: Callable[[Finding], object] = lambda finding: None) -> list[Finding]:
    """What the checks find, one check after the other; ``told`` hears of each finding at once. Raises nothing."""
    findings: list[Finding] = []
    for area in areas:
        for check in area.checks:
            for found in await _examine(check, findings):
                finding = replace(found, area=area.title)
                findings.append(finding)
                told(finding)
    return findings


async def _examine(check: Check, before: Findings) -> Findings:
    bad = {finding.subject for finding in before if finding.level == "wrong"}
    if missing := [subject for subject in check.needs if subject in bad]:
        return [note(check.subject, f"not looked at: first mend the {missing[0]}")]
    try:
        return await asyncio.wait_for(check.look(), check.limit)
    except TimeoutError:
        cure = "look whether the disk, the network or the server behind it answers at all"
        return [wrong(check.subject, f"no result within {check.limit:g} seconds", cure)]
    except Exception as error:
        log.debug("check of the %s", check.subject, exc_info=True)
        said = f"the check itself failed: {type(error).__name__}: {error}"
        return [wrong(check.subject, said, "this is a fault of the program: please report it; all else here holds")]


def blocking(look: Callable[[], Findings]) -> Look:
    """A look at what may block: it is done in a thread for which nobody waits in the end, for a disk that hangs must
    not hold the others up."""

    async def look_in_thread() -> Findings:
        outcome: Future[Findings] = Future()
        threading.Thread(target=_work, args=(look, outcome), daemon=True).start()
        return await asyncio.wrap_future(outcome)

    return look_in_thread


def _work(work: Callable[[], T], outcome: "Future[T]") -> None:
    with contextlib.suppress(InvalidStateError):  # Nobody waits for it any more.
        try:
            result = work()
        except Exception as error:
            outcome.set_exception(error)
        else:
            outcome.set_result(result)
