"""PGP in the text of a mail: what was signed is read; what was encrypted, signatures and keys are left out."""

import re
from collections.abc import Sequence

BEGIN = re.compile(r"-----BEGIN PGP ([A-Z ,0-9/]{1,40})-----\s*")
SIGNED = "SIGNED MESSAGE"
SEALED = "MESSAGE"
HEADER = re.compile(r"(?:Hash|Charset|Comment|Version|MessageID|NotDashEscaped): ?.{0,200}")
DIGITS = re.compile(r"[A-Za-z0-9+/=]{0,100}\s*")
ESCAPE = "- "
"""Put before lines of a signed text that begin with a dash."""


def unwrapped(text: str) -> tuple[str, bool]:
    """The text as it was before it was signed, and whether some of it is encrypted."""
    if "-----BEGIN PGP " not in text:
        return text, False
    lines = text.split("\n")
    kept: list[str] = []
    sealed = signed = False
    at = 0
    while at < len(lines):
        begin = BEGIN.fullmatch(lines[at])
        if begin and begin[1] == SIGNED:
            signed = True
            at = _after_headers(lines, at + 1)
        elif begin and (end := _block_end(lines, at + 1, begin[1])):
            sealed |= begin[1] == SEALED
            signed = False
            at = end
        else:
            kept.append(lines[at].removeprefix(ESCAPE) if signed else lines[at])
            at += 1
    return "\n".join(kept), sealed


def _after_headers(lines: Sequence[str], at: int) -> int:
    while at < len(lines) and HEADER.fullmatch(lines[at]):
        at += 1
    return at


def _block_end(lines: Sequence[str], at: int, kind: str) -> int:
    """The place after a block of which the first line has been read; 0 if it holds or ends with anything else."""
    at = _after_headers(lines, at)
    while at < len(lines) and DIGITS.fullmatch(lines[at]):
        at += 1
    ends = at < len(lines) and lines[at].rstrip() == f"-----END PGP {kind}-----"
    return at + 1 if ends else 0
