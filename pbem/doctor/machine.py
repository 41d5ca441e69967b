"""Is this machine fit: folders, disk, key, time zones, fonts?"""

import importlib.metadata
import io
import shutil
import stat
import tempfile
import zoneinfo
from collections.abc import Callable, Mapping
from pathlib import Path

from PIL import Image

from pbem.core.errors import BadInput
from pbem.doctor.finding import Finding, note, ok, warning, wrong
from pbem.service.key import read_key

LITTLE, TOO_LITTLE = 1_000_000_000, 100_000_000
"""Bytes that ought to be free on the disk, and without which it soon stops."""
PARTS = ("", "mail", "archive", "archive/public", "archive/mailed")
"""Of the data folder."""
WRITING = """<svg xmlns="http://www.w3.org/2000/svg" width="60" height="30">
<rect width="60" height="30" fill="#ffffff"/><text y="24" font-size="24" font-family="{}">Pq</text></svg>"""
FAMILIES = ("DejaVu Sans", "DejaVu Serif")

Draw = Callable[[str, int], bytes]
"""SVG and its width in pixels to PNG."""


def folders(data: Path) -> list[Finding]:
    """Whether the server can write where it has to."""
    subject = "data folder"
    if not data.exists():
        there = next(folder for folder in data.absolute().parents if folder.is_dir())
        if fault := _unwritable(there):
            return [wrong(subject, f"{data} cannot be made: {fault}", "set data in config.toml to a folder of yours")]
        return [note(subject, f"{data} is not there yet; the first command makes it")]
    found = [_unwritable(data / part) for part in PARTS if (data / part).exists()]
    faults = [fault for fault in found if fault]
    cure = "make it a folder of the user as whom the server runs"
    return [wrong(subject, fault, cure) for fault in faults] or [ok(subject, f"{data} and its parts can be written")]


def _unwritable(folder: Path) -> str:
    try:
        with tempfile.TemporaryFile(dir=folder):
            return ""
    except OSError as error:
        return f"nothing can be written into {folder}: {error.strerror}"


def disk(data: Path, free: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free) -> list[Finding]:
    """Whether there is room for mail."""
    there = next(path for path in (data.absolute(), *data.absolute().parents) if path.is_dir())
    left = free(there)
    said = f"{left / 1e9:.1f} GB are free for {data}"
    if left < TOO_LITTLE:
        return [wrong("disk", said, "make room: letters are refused, and turns not stored, when it is full")]
    if left < LITTLE:
        return [warning("disk", said, "make room before it is full")]
    return [ok("disk", said)]


def key(data: Path) -> list[Finding]:
    """Whether the key from which all tokens are made is there, whole and private."""
    subject, path = "key", data / "key"
    if not path.exists():
        if any(data.glob("*.sqlite")):
            said = f"{path} is missing: all reply addresses and tokens that were mailed are worthless"
            return [wrong(subject, said, "put it back from a backup before the server runs again; it makes a new one")]
        return [note(subject, f"{path} is not there yet; the first command makes it")]
    try:
        read_key(path)
    except BadInput:
        said = f"{path} cannot be read, is empty or damaged: the server does not start"
        return [wrong(subject, said, "make it readable for the server, or put it back from a backup")]
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        said = f"others on this machine may read {path} (mode {mode:o}), and with it act for every player"
        return [wrong(subject, said, f"chmod 600 {path}")]
    return [ok(subject, f"{path} is there, and private")]


def time_zones(zones: Mapping[str, str]) -> list[Finding]:
    """Whether the zones of all campaigns and seats are known here; ``zones``: name to one that uses it."""
    subject, known = "time zones", zoneinfo.available_timezones()
    if unknown := {zone: user for zone, user in zones.items() if zone not in known}:
        said = ", ".join(f"{zone} (of {user})" for zone, user in sorted(unknown.items()))
        return [wrong(subject, f"not known here: {said}", "pip install --upgrade tzdata")]
    version = importlib.metadata.version("tzdata")
    return [ok(subject, f"{len(known)} are known, with the rules of tzdata {version} or of the system")]


def fonts(draw: Draw) -> list[Finding]:
    """Whether texts appear on maps."""
    blank = [family for family in FAMILIES if _is_blank(draw(WRITING.format(family), 60))]
    if blank:
        cure = "install the program anew: pip install --force-reinstall pbem"
        return [wrong("fonts", f"texts in {' and '.join(blank)} do not appear on maps", cure)]
    return [ok("fonts", "texts on maps are drawn")]


def _is_blank(png: bytes) -> bool:
    with Image.open(io.BytesIO(png)) as picture:
        colours = picture.convert("RGB").getcolors()
    return colours is not None and len(colours) < 2
