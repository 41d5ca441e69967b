"""What a mail holds: the text that its sender wrote, the texts that he attached, and what keeps both from being read.

Mails and calendars in a mail are nobody's orders, whatever they say.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pbem.core.ruleset import FileReader
from pbem.mail.mime import Part
from pbem.mail.reading import markup
from pbem.mail.reading.armour import unwrapped

MOST_PARTS = 100
"""Parts of a mail, on all levels together, that are looked at."""
DEEPEST = 10
"""Multiparts in multiparts that are looked at."""
LONGEST_TEXT = 256_000
"""Characters that are kept."""
MOST_LINES = 6_000
MOST_FILES = 2
"""Files that rule systems read."""
LONGEST_STUB = 400
"""Characters of a plain text that only says that there is a page."""
POINTS_TO_PAGE = re.compile("html|browser", re.IGNORECASE)
"""It names it so in every language."""

Obstacle = Literal["", "tnef", "smime", "pgp", "files", "large", "charset", "unreadable"]
"""Why there is no text to read, or not all of it: Outlook's own format; S/MIME; PGP; files and nothing else; too much
text or too many parts; another script in an unknown character set; a letter that no reader gets through."""

SMIME = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
TNEF = frozenset({"application/ms-tnef", "application/vnd.ms-tnef"})
TYPES_OF_ANY_FILE = frozenset({"application/octet-stream", "application/vnd.ms-excel"})
"""What mail programs call a file that they do not know, and a table whoever made it."""
PGP = frozenset({"multipart/encrypted", "application/pgp-encrypted"})


NO_FILES: Mapping[str, FileReader] = {}


@dataclass(frozen=True)
class Contents:
    """A mail's texts."""

    text: str
    """An order on a line; quoted lines begin with ``>``."""
    attached: str
    """Of the text files that came along."""
    enclosed: str
    """What rule systems read in their own kinds of files."""
    obstacle: Obstacle
    answers_invitation: bool
    """A calendar accepts an invitation, or does not."""


@dataclass(frozen=True)
class Node:
    """A part with the parts in it."""

    part: Part
    nodes: tuple["Node", ...] = ()


def read_contents(mail: Part, files: Mapping[str, FileReader] = NO_FILES) -> Contents:
    """The texts in a mail; ``files``: who reads which kinds of files, by how their names end."""
    tree = _Tree()
    root = tree.grow(mail)
    parts = list(_leaves(root))
    text, sealed = unwrapped(_text(root))
    read = [(part, reader) for part in parts if (reader := _reader(part, files))]
    attached = "\n".join(part.text for part in parts if _is_text_file(part) and not _reader(part, files))
    enclosed = "\n".join(reader(part.file_name, part.content) for part, reader in read[:MOST_FILES])
    if text.strip():
        cut = tree.is_cut or _is_long(text) or any(_is_cut(part) for part in parts if not part.is_attachment)
    else:
        cut = tree.is_cut or _is_long(attached) or any(map(_is_cut, parts))
    cut = cut or len(read) > MOST_FILES or _is_long(enclosed) or any(part.is_long_file for part, _ in read)
    blank = not (text.strip() or attached.strip() or enclosed.strip())
    return Contents(
        text=_cut(text),
        attached=_cut(attached),
        enclosed=_cut(enclosed),
        obstacle="large" if cut else _obstacle(parts, sealed) if blank else "charset" if _illegible(parts) else "",
        answers_invitation=any(map(_answers_invitation, parts)),
    )


class _Tree:
    """Takes a mail apart, as far as it is looked at."""

    def __init__(self) -> None:
        self._left = MOST_PARTS
        self.is_cut = False
        """Whether there are more parts."""

    def grow(self, part: Part, depth: int = 0) -> Node:
        nodes = []
        for each in part.parts():
            if not self._left or depth == DEEPEST:
                self.is_cut = True
                break
            self._left -= 1
            nodes.append(self.grow(each, depth + 1))
        return Node(part, tuple(nodes))


def _leaves(node: Node) -> Iterator[Part]:
    yield node.part
    for each in node.nodes:
        yield from _leaves(each)


def _text(node: Node) -> str:
    """What the sender wrote, of all the parts that say it."""
    part = node.part
    if node.nodes:
        return _text_of_parts(part.content_type, [each for each in node.nodes if not each.part.is_attachment])
    if part.content_type == "text/html":
        return markup.to_text(part.text)
    is_plain = part.content_type == "text/plain" or "/" not in part.content_type
    return _plain_text(part) if is_plain or part.content_type.startswith("multipart/") else ""


def _text_of_parts(content_type: str, nodes: Sequence[Node]) -> str:
    if content_type == "multipart/digest":
        return ""
    texts = [(node.part.content_type, text) for node in nodes if (text := _text(node)).strip()]
    if content_type == "multipart/alternative":
        return _chosen(sorted(texts, key=_preference))
    return "\n".join(text for _, text in texts)


def _preference(alternative: tuple[str, str]) -> bool:
    return alternative[0] != "text/plain"


def _chosen(alternatives: Sequence[tuple[str, str]]) -> str:
    """The text that says what was typed: plain text does exactly, but some programs leave it blank and put all into
    HTML, or only say there that it is in HTML."""
    first, second = ([text for _, text in alternatives] + ["", ""])[:2]
    return second if second and _is_stub(first, second) else first


def _is_stub(plain: str, page: str) -> bool:
    return len(plain) <= LONGEST_STUB and bool(POINTS_TO_PAGE.search(plain)) and not _shares_a_line(plain, page)


def _shares_a_line(plain: str, page: str) -> bool:
    """Whether a line of the plain text stands on the page too, whatever its emphasis and line breaks."""
    words = _words(page)
    return any(_words(line) in words for line in plain.split("\n") if _words(line))


def _words(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _plain_text(part: Part) -> str:
    text = part.text[: LONGEST_TEXT + 1]
    if part.parameters.get("format", "").lower() == "flowed":
        return unflow(text, delete_space=part.parameters.get("delsp", "").lower() == "yes")
    return "\n".join(line.rstrip() if line != "-- " else line for line in text.split("\n"))


def unflow(text: str, delete_space: bool = False) -> str:
    """Lines that were broken for transport put together again (RFC 3676); quoted lines begin with ``> ``."""
    lines: list[list[str]] = []
    flowing = -1
    for raw in text.split("\n"):
        depth = len(raw) - len(raw.lstrip(">"))
        line = raw[depth:].removeprefix(" ")
        signature = line == "-- "
        if depth != flowing or signature:
            lines.append(["> " * min(depth, markup.MOST_MARKS)])
        goes_on = line.endswith(" ") and not signature
        lines[-1].append(line[:-1] if goes_on and delete_space else line)
        flowing = depth if goes_on else -1
    return "\n".join("".join(pieces) for pieces in lines)


def _is_text_file(part: Part) -> bool:
    if not part.is_attachment:
        return False
    named = part.file_name.lower().endswith((".txt", ".csv")) and part.content_type in TYPES_OF_ANY_FILE
    return named or part.content_type in ("text/plain", "text/csv")


def _reader(part: Part, files: Mapping[str, FileReader]) -> FileReader | None:
    """Which rule system reads a part, if one does; what it is called tells, for mail programs know no type for it."""
    name = part.file_name.lower()
    return next((reader for ending, reader in files.items() if name.endswith(ending)), None)


def _is_cut(part: Part) -> bool:
    """Whether its text was not read to the end."""
    if part.content_type == "text/html":
        return part.is_long or markup.is_long(part.text)
    return part.content_type == "text/plain" and (part.is_long or _is_long(part.text))


def _is_long(text: str) -> bool:
    return len(text) > LONGEST_TEXT or text.count("\n") > MOST_LINES


def _cut(text: str) -> str:
    return "\n".join(text[:LONGEST_TEXT].split("\n", MOST_LINES)[:MOST_LINES])


def _obstacle(parts: Sequence[Part], sealed: bool) -> Obstacle:
    """What a mail holds instead of text."""
    for part in parts:
        name, kind = part.file_name.lower(), part.content_type
        if kind in TNEF or name in ("winmail.dat", "win.dat"):
            return "tnef"
        if kind in SMIME or name.endswith(".p7m"):
            return "smime"
        if kind in PGP:
            return "pgp"
    return "pgp" if sealed else "files" if any(part.is_attachment for part in parts) else ""


def _illegible(parts: Sequence[Part]) -> bool:
    texts = [part for part in parts if part.content_type in ("text/plain", "text/html") and not part.is_attachment]
    return any(part.is_illegible for part in texts)


def _answers_invitation(part: Part) -> bool:
    method = part.parameters.get("method", "").lower()
    return part.content_type == "text/calendar" and method in ("reply", "counter", "declinecounter")
