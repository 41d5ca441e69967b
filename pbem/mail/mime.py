"""The structure of a mail: headers, parts, transfer encodings.

The standard library's parser raises on, or chokes on, mail that any stranger can send: a header with too many
brackets, a thousand nested parts, a charset nobody knows. This reader knows less of the standard, takes any bytes,
and works in time proportional to their number.
"""

import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import unquote_to_bytes

from pbem.mail.charsets import decode

LONGEST_VALUE = 16_000
"""Characters of a header's value that are looked at."""
MOST_HEADERS = 500
MOST_PARTS = 100
"""Parts of one multipart that are looked at."""
DEEPEST = 10
"""Multiparts in multiparts that are looked at."""

HEADER = re.compile(rb"([!-9;-~]{1,200})[ \t]*:((?:[^\r\n]+|\r(?!\n)|\r?\n[ \t])*)(?:\r?\n|\Z)")
PARAMETER = re.compile(r';\s*([\w-]{1,40})(?:\*(\d{1,2}))?(\*)?\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))')
ENCODED_WORD = re.compile(r"=\?([\w.:+-]{1,40})(?:\*[\w-]{0,20})?\?([bq])\?([^?]*)\?=", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True)
class Part:
    """A mail, or a part of one: its headers in order, names in lower case, and its body as it was sent."""

    headers: tuple[tuple[str, str], ...]
    """Values are unfolded; words in them may still be encoded."""
    body: bytes

    def all(self, name: str) -> tuple[str, ...]:
        """The values of every header called ``name``."""
        return tuple(value for known, value in self.headers if known == name)

    def first(self, name: str) -> str:
        """The value of the first header called ``name``, or nothing."""
        return next(iter(self.all(name)), "")

    @cached_property
    def content_type(self) -> str:
        """In lower case, without parameters; ``text/plain`` if there is none."""
        return self.first("content-type").partition(";")[0].strip().lower() or "text/plain"

    @cached_property
    def parameters(self) -> dict[str, str]:
        """The parameters of the content type."""
        return _parameters(self.first("content-type"))

    @cached_property
    def is_attachment(self) -> bool:
        """Whether it came along as a file instead of being what the sender wrote."""
        disposition = self.first("content-disposition")
        named = "filename" in _parameters(disposition) or "name" in self.parameters
        return named or disposition.partition(";")[0].strip().lower() == "attachment"

    @cached_property
    def text(self) -> str:
        """The body as clean text."""
        return decode(self._decoded(), self.parameters.get("charset", ""))

    def parts(self) -> tuple["Part", ...]:
        """The parts of a multipart; nothing if it is none, or is cut so short that it has no parts."""
        boundary = self.parameters.get("boundary", "")
        if not self.content_type.startswith("multipart/") or not boundary:
            return ()
        return tuple(map(read_part, _between(self.body, boundary.encode("utf-8", "replace"))))

    def _decoded(self) -> bytes:
        encoding = self.first("content-transfer-encoding").strip().lower()
        if encoding == "base64":
            return from_base64(self.body)
        if encoding == "quoted-printable":
            return binascii.a2b_qp(self.body)
        return self.body


def read_part(raw: bytes) -> Part:
    """Headers and body of any bytes. A line that is no header ends the headers."""
    headers: list[tuple[str, str]] = []
    at = 0
    while field := HEADER.match(raw, at):
        at = field.end()
        if len(headers) < MOST_HEADERS:
            headers.append((field[1].decode("ascii").lower(), unfold(field[2])))
    return Part(tuple(headers), re.sub(rb"\A\r?\n", b"", raw[at:]))


def unfold(value: bytes) -> str:
    """A header's value on one line, without doubled spaces."""
    return " ".join(decode(value[:LONGEST_VALUE]).split())


def decode_words(value: str) -> str:
    """A header's value with its encoded words decoded."""
    pieces: list[str] = []
    pending: tuple[str, bytes] = ("", b"")
    end = 0
    for word in ENCODED_WORD.finditer(value):
        between = value[end : word.start()]
        charset, raw = word[1].lower(), _word_bytes(word)
        if end and not between.strip():
            # Space between two encoded words is none, and a character may be spread over both.
            between = ""
            if pending[0] == charset:
                pending = (charset, pending[1] + raw)
                end = word.end()
                continue
        pieces += [decode(pending[1], pending[0]), between]
        pending, end = (charset, raw), word.end()
    return " ".join("".join([*pieces, decode(pending[1], pending[0]), value[end:]]).split())


def _word_bytes(word: re.Match[str]) -> bytes:
    encoded = word[3].encode("utf-8", "replace")
    return from_base64(encoded) if word[2] in "bB" else binascii.a2b_qp(encoded, header=True)


def from_base64(encoded: bytes) -> bytes:
    """Base64 decoded up to its padding; foreign characters are skipped, a torn end is dropped."""
    digits = re.sub(rb"[^A-Za-z0-9+/]+", b"", encoded.partition(b"=")[0])
    whole = digits[:-1] if len(digits) % 4 == 1 else digits
    return binascii.a2b_base64(whole + b"=" * (-len(whole) % 4))


def _parameters(value: str) -> dict[str, str]:
    """The parameters of a header; long ones that were sent in pieces (RFC 2231) are put together."""
    pieces: dict[str, list[tuple[int, str]]] = {}
    for found in PARAMETER.finditer(value[:2000]):
        name, number, extended, quoted, bare = found.groups()
        held = re.sub(r"\\(.)", r"\1", quoted) if quoted is not None else bare
        plain = _percent_decoded(held) if extended else held
        pieces.setdefault(name.lower(), []).append((int(number or 0), plain))
    return {name: "".join(text for _, text in sorted(found)) for name, found in pieces.items()}


def _percent_decoded(value: str) -> str:
    charset, quote, rest = value.partition("'")
    text = rest.partition("'")[2] if quote else value
    return decode(unquote_to_bytes(text), charset if quote else "")


def _between(body: bytes, boundary: bytes) -> Iterator[bytes]:
    """What stands between the delimiters of a multipart; the last part may lack its end."""
    delimiter = re.compile(rb"(?:\A|\r?\n)--" + re.escape(boundary) + rb"(--)?[ \t]*(?=\r?\n|\Z)")
    begin = None
    for count, found in enumerate(delimiter.finditer(body)):
        if begin is not None:
            yield body[begin : found.start()]
        begin = None if found[1] else _after_line_break(body, found.end())
        if found[1] or count == MOST_PARTS:
            break
    if begin is not None:
        yield body[begin:]


def _after_line_break(body: bytes, at: int) -> int:
    return at + 2 if body.startswith(b"\r\n", at) else at + 1
