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
from itertools import chain
from urllib.parse import unquote_to_bytes

from pbem.mail.charsets import decode, is_illegible, show

LONGEST_HEAD = 256_000
"""Bytes of a head that are looked at; what stands in it behind that is skipped."""
LONGEST_VALUE = 16_000
"""Characters of a header's value that are looked at."""
LONGEST_PARAMETERS = 4_000
"""Characters of a header's value that are looked at for parameters."""
MOST_HEADERS = 500
LONGEST_TEXT = 1_000_000
"""Bytes of a part, as it was sent, that are read as text."""

LONGEST_FILE = 3_000_000
"""Bytes of a part, as it was sent, that are read as a file."""

MESSAGE_ID = re.compile(r"<[^<>\s]{1,990}>")
FIELD = re.compile(rb"([!-9;-~]{1,200})[ \t]{0,100}:")
FOLD = re.compile(rb"\n(?![ \t])")
"""Where a header ends: at a line feed after which it does not go on."""
LINE_BREAK = re.compile(rb"\r?\n")
BLANK_LINE = re.compile(rb"\n\r?\n")
SPACED_BREAK = re.compile(rb"=[ \t]{1,100}(?=\r?\n)")
"""A line of quoted-printable that goes on, to which spaces were added on the way."""
COMMENT = re.compile(r"\([^()]*\)")
RUN = re.compile(rb"[A-Za-z0-9+/=]+")
SHORTEST_RUN = 8
"""A shorter line below base64 may be a word."""
PARAMETER = re.compile(r';\s*([\w-]{1,40})(?:\*(\d{1,3}))?(\*)?\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))')
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
        disposition = self.first("content-disposition").partition(";")[0].strip().lower()
        return disposition == "attachment" or bool(self.file_name)

    @cached_property
    def file_name(self) -> str:
        """The name of the file as which it came along, or nothing."""
        named = _parameters(self.first("content-disposition")).get("filename") or self.parameters.get("name", "")
        return decode_words(named)

    @cached_property
    def text(self) -> str:
        """The body as clean text; of a long one its beginning."""
        return decode(self._decoded(self.body[:LONGEST_TEXT]), self.parameters.get("charset", ""))

    @cached_property
    def content(self) -> bytes:
        """The body as a file's bytes; of a long one its beginning."""
        return self._decoded(self.body[:LONGEST_FILE])

    @property
    def is_long_file(self) -> bool:
        """Whether it is too long for all of it to be read as a file."""
        return len(self.body) > LONGEST_FILE

    @property
    def is_long(self) -> bool:
        """Whether it is too long for all of it to be read as text."""
        return len(self.body) > LONGEST_TEXT

    def parts(self) -> Iterator["Part"]:
        """The parts of a multipart; nothing if it is none, or is cut so short that it has no parts."""
        boundary = self.parameters.get("boundary", "")
        if self.content_type.startswith("multipart/") and boundary:
            yield from map(read_part, _between(self.body, boundary.encode("utf-8", "replace")))

    @cached_property
    def is_illegible(self) -> bool:
        """Whether its words cannot be made out, for nobody knows the name of its character set."""
        return is_illegible(self._decoded(self.body[:LONGEST_TEXT]), self.parameters.get("charset", ""))

    def _decoded(self, body: bytes) -> bytes:
        encoding = _encoding(self.first("content-transfer-encoding"))
        if encoding == "base64":
            return from_base64(body)
        if encoding == "quotedprintable":
            return binascii.a2b_qp(SPACED_BREAK.sub(b"=", body))
        return body


def _encoding(value: str) -> str:
    """The letters and digits of a transfer encoding's name, without the comments that some programs add."""
    named = COMMENT.sub("", decode_words(value[:LONGEST_PARAMETERS])).partition(";")[0]
    return "".join(filter(str.isalnum, named.lower()))


def read_part(raw: bytes) -> Part:
    """Headers and body of any bytes. A line that is no header ends the headers."""
    headers: list[tuple[str, str]] = []
    at = 0
    while at < LONGEST_HEAD and (field := FIELD.match(raw, at)):
        end = FOLD.search(raw, field.end())
        at = end.end() if end else len(raw)
        if len(headers) < MOST_HEADERS:
            value = raw[field.end() : min(at, field.end() + LONGEST_VALUE)]
            name = field[1].decode("ascii").lower()
            headers.append((name, unfold(show(value) if name == "from" else value)))
    return Part(tuple(headers), raw[_body(raw, at) :])


def _body(raw: bytes, at: int) -> int:
    """Where the body begins, if the last header that was read ends here."""
    if at >= LONGEST_HEAD:
        blank = BLANK_LINE.search(raw, at - 1)
        return blank.end() if blank else len(raw)
    line_break = LINE_BREAK.match(raw, at)
    return line_break.end() if line_break else at


def unfold(value: bytes) -> str:
    """A header's value on one line, without doubled spaces."""
    return " ".join(decode(value).split())


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
    """Base64 decoded; foreign characters are skipped, a torn end is dropped.

    Padding ends it, or a run of it: some programs encode each line, or each piece, by itself. What stands below the
    first padding is a further run if it looks like one, and else a footer that was added on the way.
    """
    first, _, rest = encoded.partition(b"=")
    runs = b"".join(_further_runs(rest)).split(b"=")
    return b"".join(_from_run(run) for run in (first, *runs))


def _further_runs(rest: bytes) -> Iterator[bytes]:
    after_blank = False
    for line in rest.split(b"\n"):
        text = line.strip()
        is_word = len(text) < SHORTEST_RUN and (after_blank or len(text) % 4 > 0) and b"=" not in text
        if text and (is_word or not RUN.fullmatch(text)):
            return
        yield text
        after_blank = not text


def _from_run(run: bytes) -> bytes:
    digits = re.sub(rb"[^A-Za-z0-9+/]+", b"", run)
    whole = digits[:-1] if len(digits) % 4 == 1 else digits
    return binascii.a2b_base64(whole + b"=" * (-len(whole) % 4))


def _parameters(value: str) -> dict[str, str]:
    """The parameters of a header. One that was sent in pieces (RFC 2231) is put together; one that was also sent in
    the old way counts as in the new one."""
    plain: dict[str, str] = {}
    pieces: dict[str, list[tuple[int, bool, str]]] = {}
    for found in PARAMETER.finditer(value[:LONGEST_PARAMETERS]):
        name, number, extended, quoted, bare = found.groups()
        held = re.sub(r"\\(.)", r"\1", quoted) if quoted is not None else bare
        if number or extended:
            pieces.setdefault(name.lower(), []).append((int(number or 0), bool(extended), held))
        else:
            plain.setdefault(name.lower(), held)
    return plain | {name: _joined(sorted(found)) for name, found in pieces.items()}


def _joined(pieces: list[tuple[int, bool, str]]) -> str:
    """A parameter out of its pieces, of which the first names the character set."""
    _, extended, first = pieces[0]
    charset, quote, rest = first.partition("'") if extended else ("", "", first)
    texts = [rest.partition("'")[2] if quote else first, *(held for _, _, held in pieces[1:])]
    raw = [unquote_to_bytes(text) if each[1] else text.encode() for each, text in zip(pieces, texts, strict=True)]
    return decode(b"".join(raw), charset if quote else "")


def _between(body: bytes, boundary: bytes) -> Iterator[bytes]:
    """What stands between the delimiters of a multipart; the last part may lack its end."""
    line = rb"--" + re.escape(boundary) + rb"(--)?[ \t]*(?=\r?\n|\Z)"
    # Beginning with a line feed, the pattern is quick to search for whatever the boundary is.
    later = re.compile(rb"\n" + line).finditer(body)
    opening = re.match(line, body)
    begin = None
    for found in chain([opening] if opening else [], later):
        if begin is not None:
            yield body[begin : found.start()].removesuffix(b"\r")
        begin = None if found[1] else _after_line_break(body, found.end())
        if found[1]:
            break
    if begin is not None:
        yield body[begin:]


def _after_line_break(body: bytes, at: int) -> int:
    return at + 2 if body.startswith(b"\r\n", at) else at + 1
