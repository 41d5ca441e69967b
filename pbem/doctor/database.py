"""Is the database well?"""

from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from pbem.doctor.finding import Finding, note, ok, warning, wrong
from pbem.storage import checkup

TOLERANCE = timedelta(minutes=1)
"""Clocks may differ so much."""


def reach(engine: Engine) -> list[Finding]:
    """Whether it answers at all."""
    subject, file = "database", checkup.file_of(str(engine.url))
    if file and not file.exists():
        return [note(subject, f"{file} is not there yet; the first command makes it")]
    try:
        with engine.connect():
            return [ok(subject, f"{engine.url.render_as_string()} answers")]
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).split("\n")[0]
        cure = "restore it from a backup" if file else "see that it runs, and that `database` in config.toml is right"
        return [wrong(subject, f"it cannot be used: {reason}", cure)]


def soundness(file: Path) -> list[Finding]:
    """Whether an SQLite file is whole and can be written; nothing where there is none."""
    if not file.exists():
        return []
    if damaged := checkup.damage(file):
        cure = "stop the server, keep a copy of the file, and restore it from a backup"
        return [wrong("integrity", f"{file} is damaged: {damaged}", cure)]
    found = [ok("integrity", f"{file} is whole")]
    if locked := checkup.lock(file):
        cure = "another program holds it: close it, and keep the file on a disk of this machine, not on a share"
        found.append(wrong("lock", f"nobody can write into it: {locked}", cure))
    if (mode := checkup.journal(file)) != "wal":
        said = f"readers and writers wait for each other (journal mode {mode})"
        found.append(warning("journal", said, "keep it on a local file system; shares and some containers know no WAL"))
    return found


def migrations(engine: Engine, scripts: Path) -> list[Finding]:
    """Whether it has the form that this version of the program wants."""
    subject, file = "migrations", checkup.file_of(str(engine.url))
    if file and not file.exists():
        return []
    try:
        lacking = checkup.missing(engine, scripts)
    except LookupError as error:
        return [wrong(subject, str(error), "run the program's newer version that made it")]
    if lacking:
        cure = "make a backup; then restart the server, or give any command such as `pbem status`: it does them"
        return [warning(subject, f"missing: {'; '.join(lacking)}", cure)]
    return [ok(subject, "it has the form that this version wants")]


def clock(engine: Engine, now: datetime) -> list[Finding]:
    """Whether time has gone on since the server last wrote something down."""
    file = checkup.file_of(str(engine.url))
    newest = None if file and not file.exists() else checkup.newest(engine)
    if newest and newest > now + TOLERANCE:
        said = f"it is {now:%Y-%m-%d %H:%M} UTC here, but the database has things of {newest:%Y-%m-%d %H:%M}"
        return [wrong("clock", said, "set the clock and keep it right with NTP (timedatectl set-ntp true)")]
    return [ok("clock", f"it is {now:%Y-%m-%d %H:%M} UTC here, which is later than anything in the database")]
