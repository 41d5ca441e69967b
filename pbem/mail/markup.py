"""HTML mail to the lines that its writer saw.

Not the standard library's parser: that one takes minutes for a quarter megabyte of ``<!--``, and reads broken mail
differently from one Python version to the next, which orders must not hang on. Every step here is linear.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from pbem.mail.charsets import clean

LONGEST = 256_000
"""Characters of a page that are read."""
MOST_MARKS = 8
"""Marks before a line, however deep the quotation."""

BLOCKS = frozenset({"article", "blockquote", "body", "center", "dd", "div", "dl", "dt", "footer", "form"}) | frozenset(
    {"h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "ol", "p", "pre", "section", "table", "tr", "ul"}
)
CELLS = frozenset({"td", "th"})
UNSEEN = frozenset({"script", "style", "template", "title", "xml"})
"""Elements whose text is not for readers."""

TEXT = re.compile(r"(?:[^<]+|<(?!/?[a-z]|[!?]))+", re.IGNORECASE)
TAG = re.compile(
    r"""<(/?)([a-z][^\s/>]{0,40})(?=((?:[^>=]+|=\s*"[^"]*"|=\s*'[^']*'|=)*))\3>""",
    re.IGNORECASE,
)
"""What a lookahead has found is not tried in another way, so that no page takes long. Python has ``*+`` for that, but
until 3.11.4 it goes wrong in groups (gh-101955)."""

QUOTED_BLOCK = re.compile(r"yahoo_quoted", re.IGNORECASE)
"""In the attributes of a ``div`` that holds the mail answered to; others use ``blockquote``."""
QUOTED_REST = re.compile(r"divRplyFwdMsg", re.IGNORECASE)
"""Where Outlook puts the mail answered to: all that follows."""
KEEPS_LINES = re.compile(r"white-space:\s*(?:pre|break-spaces)", re.IGNORECASE)


@dataclass(frozen=True)
class Tag:
    """``<div class=x>``, or with ``end`` set ``</div>``."""

    name: str
    attributes: str
    end: bool


def to_text(page: str) -> str:
    """The text of a page, one line for each line on the screen; quoted lines begin with ``> ``."""
    writer = _Writer()
    for piece in _pieces(page[:LONGEST]):
        if isinstance(piece, Tag):
            writer.tag(piece)
        else:
            writer.write(html.unescape(piece))
    writer.end_line()
    return "\n".join(writer.lines)


def _pieces(page: str) -> Iterator[Tag | str]:
    """Tags, and the text between them. What a browser would not show is left out."""
    at = 0
    while 0 <= at < len(page):
        if text := TEXT.match(page, at):
            yield text[0]
            at = text.end()
        elif page.startswith("<!--", at):
            at = _after(page, "-->", at + 4)
        elif page.startswith(("<!", "<?"), at):
            at = _after(page, ">", at)
        elif found := TAG.match(page, at):
            tag = Tag(found[2].lower(), found[3], bool(found[1]))
            yield tag
            at = found.end() if tag.end or tag.name not in UNSEEN else _end_of(tag.name, page, found.end())
        else:
            return  # A tag that never ends hides all that follows.


def _after(page: str, sign: str, at: int) -> int:
    """The place after the next ``sign``, or -1."""
    found = page.find(sign, at)
    return found + len(sign) if found >= 0 else -1


def _end_of(name: str, page: str, at: int) -> int:
    found = re.compile(f"</{name}", re.IGNORECASE).search(page, at)
    return found.start() if found else -1


@dataclass
class _Writer:
    """Puts pieces of text into lines."""

    lines: list[str] = field(default_factory=list)
    _line: list[str] = field(default_factory=list)
    _blockquotes: int = 0
    _divisions: list[tuple[bool, bool]] = field(default_factory=list)
    """Of each open ``div``: whether it is quoted, whether it keeps its line breaks."""
    _quoted: int = 0
    """How many of them are quoted."""
    _kept: int = 0
    """How many of them, and of open ``pre``, keep their line breaks."""
    _rest_is_quoted: bool = False

    def tag(self, tag: Tag) -> None:
        """Take note of a tag."""
        if tag.name == "br":
            self._new_line()
        elif tag.name in CELLS:
            self._line.append(" ")
        elif tag.name in BLOCKS:
            self.end_line()
            self._nest(tag)

    def write(self, text: str) -> None:
        """Add text to the line, or several lines where line breaks count."""
        first, *others = clean(text).split("\n") if self._kept else [text]
        self._line.append(first)
        for each in others:
            self._new_line()
            self._line.append(each)

    def end_line(self) -> None:
        """Go to a new line, unless nothing stands on this one."""
        if "".join(self._line).strip():
            self._new_line()
        self._line.clear()

    def _new_line(self) -> None:
        depth = min(MOST_MARKS, self._blockquotes + self._quoted + self._rest_is_quoted)
        text = " ".join(clean("".join(self._line)).split())
        self.lines.append(f"{'> ' * depth}{text}".rstrip())
        self._line.clear()

    def _nest(self, tag: Tag) -> None:
        if tag.name == "blockquote":
            self._blockquotes = max(0, self._blockquotes + (-1 if tag.end else 1))
        elif tag.name == "pre":
            self._kept = max(0, self._kept + (-1 if tag.end else 1))
        elif tag.name == "div" and not tag.end:
            self._open_division(tag.attributes)
        elif tag.name == "div" and self._divisions:
            quoted, kept = self._divisions.pop()
            self._quoted -= quoted
            self._kept -= kept

    def _open_division(self, attributes: str) -> None:
        quoted, kept = bool(QUOTED_BLOCK.search(attributes)), bool(KEEPS_LINES.search(attributes))
        self._divisions.append((quoted, kept))
        self._quoted += quoted
        self._kept += kept
        self._rest_is_quoted |= bool(QUOTED_REST.search(attributes))
