"""The small change of IMAP (RFC 3501): how names, sets of mails and answers are written."""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from email.utils import parsedate_to_datetime
from itertools import pairwise

from aioimaplib import aioimaplib  # type: ignore[import-untyped]  # It has no types.

TOKEN = re.compile(rb'"((?:[^"\\]|\\.)*)"|([()])|([^\s()"]+)')
FETCHED = re.compile(rb"\d+ FETCH \(", re.IGNORECASE)
LITERAL = re.compile(rb"\{(\d{1,12})\+?\}\Z")
"""At the end of a line: so many bytes of anything follow."""
NAMESPACE = re.compile(rb'NAMESPACE \(\("((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)"', re.IGNORECASE)
CHUNK = 500
"""Mails that one question is about."""
NON_ASCII = re.compile(r"[^\x20-\x7e]+|&")


def quoted(text: str) -> str:
    """A string in quotation marks; ASCII only."""
    quotation: str = aioimaplib.quoted(text)
    return quotation


def folder_name(name: str) -> str:
    """A folder's name, quoted, in the UTF-7 of RFC 3501, section 5.1.3."""
    return quoted(NON_ASCII.sub(lambda found: _shifted(found[0]), name))


def _shifted(text: str) -> str:
    if text == "&":
        return "&-"
    return "&" + b64encode(text.encode("utf-16-be")).decode().rstrip("=").replace("/", ",") + "-"


def uid_set(uids: Iterable[int]) -> str:
    """UIDs as short as can be: ``3:5,9``."""
    runs: list[list[int]] = []
    for uid in sorted(uids):
        if runs and uid == runs[-1][1] + 1:
            runs[-1][1] = uid
        else:
            runs.append([uid, uid])
    return ",".join(str(first) if first == last else f"{first}:{last}" for first, last in runs)


def uid_sets(uids: Iterable[int]) -> Iterator[str]:
    """As many sets as are needed for no line to become too long for a server."""
    ordered = sorted(uids)
    for start in range(0, len(ordered), CHUNK):
        yield uid_set(ordered[start : start + CHUNK])


def in_namespace(answer: bytes, name: str) -> str:
    """Where a server that answers NAMESPACE so has its users' folder ``name``, with ``/`` between folders."""
    found = NAMESPACE.search(answer)
    if not found:
        return name
    prefix, delimiter = (part.decode("ascii", "replace") for part in found.groups())
    name = name.replace("/", delimiter) if delimiter else name
    return name if name.startswith(prefix) or name.upper() == "INBOX" else prefix + name


def read_search(lines: Iterable[bytes]) -> list[int]:
    """The UIDs in the answers to a SEARCH, in order."""
    words = (word for line in lines if line[:6].upper() == b"SEARCH" for word in line[6:].split())
    return sorted({int(word) for word in words if word.isdigit() and len(word) <= 10})


def read_fetch(parts: Sequence[bytes]) -> dict[str, bytes] | None:
    """What a FETCH answer says of a mail, by item; ``None`` if it is no such answer.

    ``parts``: lines and the literals between them. Lists, such as that of the flags, are left out.
    Raises ``ValueError`` if it cannot be read.
    """
    if not FETCHED.match(parts[0]):
        return None
    found: dict[str, bytes] = {}
    depth, name = 0, ""
    for token, quote in _tokens(parts):
        if not quote and token in (b"(", b")"):
            depth += 1 if token == b"(" else -1
            name = "" if depth == 1 else name
        elif depth == 1 and not name:
            name = token.decode("ascii").upper()
        elif depth == 1:
            found[name] = b"" if not quote and token.upper() == b"NIL" else token
            name = ""
    if depth or name:
        raise ValueError("a FETCH answer that does not end as it should")
    return found


def _tokens(parts: Sequence[bytes]) -> Iterator[tuple[bytes, bool]]:
    """The words after FETCH, and whether each is a string, which is never punctuation."""
    for place, part in enumerate(parts):
        if place % 2:
            yield part, True
            continue
        line = LITERAL.sub(b"", part) if place < len(parts) - 1 else part
        start = 0 if place else FETCHED.match(line).end() - 1  # type: ignore[union-attr]  # The caller looked.
        found = list(TOKEN.finditer(line, start))
        _nothing_between(line, start, [match.span() for match in found])
        for match in found:
            quote = match[0].startswith(b'"')
            yield (re.sub(rb"\\(.)", rb"\1", match[1]) if quote else match[0]), quote


def _nothing_between(line: bytes, start: int, spans: Sequence[tuple[int, int]]) -> None:
    """Refuse a line with something that is no word; such as a mail that is longer than was said."""
    edges = [(start, start), *spans, (len(line), len(line))]
    if any(line[end:begin].strip() for (_, end), (begin, _) in pairwise(edges)):
        raise ValueError("a FETCH answer with something in it that is no word")


def read_date(text: bytes | None) -> datetime | None:
    """An INTERNALDATE; ``None`` if it is none."""
    try:
        date = parsedate_to_datetime(text.decode("ascii").strip()) if text else None
    except (ValueError, IndexError, OverflowError):
        return None
    return date if date and date.tzinfo else None
