"""HTML mail to the lines that its writer saw.

Not the standard library's parser: that one takes minutes for a quarter megabyte of ``<!--``, and reads broken mail
differently from one Python version to the next, which orders must not hang on. Every step here is linear.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from pbem.mail.charsets import clean
from pbem.mail.reading.elements import BLOCKS, Elements, Tag
from pbem.mail.reading.quoting import introduce

LONGEST = 1_000_000
"""Characters of a page that are read."""
MOST_TAGS = 20_000
"""Tags of a page that are read."""
MOST_MARKS = 8
"""Marks before a line, however deep the quotation."""

CELLS = frozenset({"td", "th"})
UNSEEN = frozenset({"script", "style", "template", "title", "xml"})
"""Elements whose text is not for readers."""

MARK = re.compile(r"<(?=/?[a-z]|[!?])", re.IGNORECASE)
NAME = re.compile(r"<(/?)([a-z][^\s/>]*)", re.IGNORECASE)
STOP = re.compile(r""">|=\s*(["'])""")
"""In a tag: its end, or a quoted value in which an angle is no end."""

COMMENT_OF_NOTHING = re.compile("-?>")
COMMENT_END = re.compile("--!?>")

ENTITY_OF_DIGITS = re.compile(r"&(#x?[0-9a-f]{12})", re.IGNORECASE)
"""Python makes a number of the digits, however many they are, and of too many an error."""

QUOTED_BLOCK = re.compile(
    r"yahoo_quoted|moz-cite-prefix|gmail_attr|ntes-mailmaster-quote|isReplyContent|isForwardContent"
    r"|name\s*=\s*[\"']?quote(?![\w-])|type\s*=\s*[\"']?cite(?![\w-])",
    re.IGNORECASE,
)
"""In the attributes of a ``div`` that holds the mail answered to, or who wrote it; others use ``blockquote``."""
QUOTED_AROUND = re.compile(r"gmail_quote|protonmail_quote", re.IGNORECASE)
"""In those of a ``div`` around such a ``blockquote``, and around answers between its lines. Where no ``blockquote``
follows, the ``div`` itself is the quotation."""
QUOTED_REST = re.compile(
    r"divRplyFwdMsg|appendonsend|mail-editor-reference-message-container|OutlookMessageHeader|zwchr", re.IGNORECASE
)
"""Where Outlook, and Zimbra, put the mail answered to: all that follows."""
INDENTED = re.compile(r"""\s*(?:dir\s*=\s*["']?\w{3,4}["']?\s*)?style\s*=\s*(?:"[^"]*"|'[^']*')\s*""", re.IGNORECASE)
"""The attributes of a ``blockquote`` that may be no quotation: Gmail, Apple Mail and Outlook move text to the right by
one that has a margin, and no border."""
MARGIN = re.compile(r"\bmargin\b", re.IGNORECASE)
BORDER = re.compile(r"\bborder(?:-[a-z-]{1,30})?\s*:(?!\s*(?:none|0|medium|initial|unset))", re.IGNORECASE)
MOST_INDENTED = 100
"""Those after them are taken for quotations."""
INCLUDED = "includetail"
"""The element of QQ for it."""

VANISHING = " \t\r\n\f"
"""What a browser shows nothing of; other spaces make a blank line."""


def to_text(page: str) -> str:
    """The text of a page, one line for each line on the screen; quoted lines begin with ``> ``."""
    writer = _Writer(blockquotes_to_come=page[:LONGEST].lower().count("<blockquote"))
    around = Elements()
    for piece in islice(_pieces(page[:LONGEST]), 2 * MOST_TAGS):
        if isinstance(piece, Tag):
            around.tag(piece)
            writer.tag(piece)
        elif not around.are_hidden:
            writer.write(_unescaped(piece), keeps_lines=around.keep_lines)
    writer.end_line()
    return "\n".join(writer.lines)


def is_long(page: str) -> bool:
    """Whether so much stands on the page that its end is not read."""
    return len(page) > LONGEST or page.count("<") > MOST_TAGS


def _pieces(page: str) -> Iterator[Tag | str]:
    """Tags, and the text between them. What a browser would not show is left out."""
    at = 0
    while 0 <= at < len(page):
        mark = MARK.search(page, at)
        begin = mark.start() if mark else len(page)
        if begin > at:
            yield page[at:begin]
            at = begin
        elif page.startswith("<!--", at):
            at = _after_comment(page, at + 4)
        elif page.startswith(("<!", "<?"), at):
            at = _after(page, ">", at)
        else:
            found = NAME.match(page, at)
            end = _tag_end(page, found.end()) if found else -1
            if not found or end < 0:
                return  # A tag that never ends hides all that follows.
            tag = Tag(found[2].lower(), page[found.end() : end - 1], bool(found[1]))
            yield tag
            at = end if tag.end or tag.name not in UNSEEN else _end_of(tag.name, page, end)


def _tag_end(page: str, at: int) -> int:
    """The place after the angle that ends a tag, or -1."""
    while stop := STOP.search(page, at):
        if not stop[1]:
            return stop.end()
        # Of a quotation mark that is never closed none follows: so little is searched twice.
        at = max(stop.end(), page.find(stop[1], stop.end()) + 1)
    return -1


def _unescaped(text: str) -> str:
    """Text with its entities read; one of more digits than any character has is left as it stands."""
    return html.unescape(ENTITY_OF_DIGITS.sub(r"&amp;\1", text))


def _after(page: str, sign: str, at: int) -> int:
    """The place after the next ``sign``, or -1."""
    found = page.find(sign, at)
    return found + len(sign) if found >= 0 else -1


def _after_comment(page: str, at: int) -> int:
    """The place after the end of a comment, or -1; ``<!-->`` is a whole one."""
    short = COMMENT_OF_NOTHING.match(page, at)
    found = short or COMMENT_END.search(page, at)
    return found.end() if found else -1


def _end_of(name: str, page: str, at: int) -> int:
    found = re.compile(f"</{name}", re.IGNORECASE).search(page, at)
    return found.start() if found else -1


@dataclass
class _Writer:
    """Puts pieces of text into lines."""

    blockquotes_to_come: int
    lines: list[str] = field(default_factory=list)
    _line: list[str] = field(default_factory=list)
    _blockquotes: list[bool] = field(default_factory=list)
    """Of each that is open: whether it is a quotation."""
    _indented: int = 0
    """How many there have been that perhaps are none."""
    _divisions: list[bool] = field(default_factory=list)
    """Of each open ``div``: whether it is quoted."""
    _quoted: int = 0
    """How many of them are quoted."""
    _rest_is_quoted: bool = False
    _was_quoted: bool = False
    """A quoted ``div`` has ended."""

    def tag(self, tag: Tag) -> None:
        """Take note of a tag."""
        if tag.name == "br":
            self._new_line()
        elif tag.name in CELLS:
            self._line.append(" ")
        elif tag.name in BLOCKS:
            self.end_line()
            self._nest(tag)
        elif tag.name == INCLUDED:
            self.end_line()
            self._rest_is_quoted = True

    def write(self, text: str, *, keeps_lines: bool) -> None:
        """Add text to the line, or several lines where line breaks count."""
        first, *others = clean(text).split("\n") if keeps_lines else [text]
        self._line.append(first)
        for each in others:
            self._new_line()
            self._line.append(each)

    def end_line(self) -> None:
        """Go to a new line, unless nothing stands on this one."""
        if "".join(self._line).strip(VANISHING):
            self._new_line()
        self._line.clear()

    def _new_line(self) -> None:
        depth = min(MOST_MARKS, sum(self._blockquotes[-MOST_MARKS:]) + self._quoted + self._rest_is_quoted)
        written = clean("".join(self._line))
        text = " ".join(written.split())
        # The space at its end makes it the mark of a signature.
        signature = written.lstrip() == "-- " and not depth
        self.lines.append(written.lstrip() if signature else f"{'> ' * depth}{text}".rstrip())
        self._line.clear()

    def _nest(self, tag: Tag) -> None:
        if tag.name == "blockquote" and not tag.end:
            self.blockquotes_to_come -= 1
            self._blockquotes.append(any(self._blockquotes[-1:]) or not self._is_indentation(tag.attributes))
        elif tag.name == "blockquote":
            del self._blockquotes[-1:]
        elif tag.name == "div" and not tag.end:
            self._open_division(tag.attributes)
        elif tag.name == "div":
            self._close_division()
        elif not tag.end:
            self._rest_is_quoted |= bool(QUOTED_REST.search(tag.attributes))

    def _is_indentation(self, attributes: str) -> bool:
        """Whether a ``blockquote`` only moves its text to the right. None does below what introduces a quotation."""
        if not INDENTED.fullmatch(attributes) or not MARGIN.search(attributes) or BORDER.search(attributes):
            return False
        self._indented += 1
        return self._indented <= MOST_INDENTED and not introduce(self.lines)

    def _open_division(self, attributes: str) -> None:
        around = bool(QUOTED_AROUND.search(attributes)) and self.blockquotes_to_come <= 0
        quoted = around or bool(QUOTED_BLOCK.search(attributes))
        self._divisions.append(quoted)
        self._quoted += quoted
        self._rest_is_quoted |= bool(QUOTED_REST.search(attributes))

    def _close_division(self) -> None:
        if not self._divisions:
            # One end too many: what held the quotation has been closed too early.
            self._rest_is_quoted |= self._was_quoted
            return
        quoted = self._divisions.pop()
        self._quoted -= quoted
        self._was_quoted |= quoted
