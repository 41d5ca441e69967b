"""What the writer of a mail wrote himself, and what he only quotes.

Lines that begin with ``>`` are quoted, always. Programs that quote without marks put a *lead* above the quotation: an
attribution (``On Monday Ann wrote:``), a divider, or a block of headers. What follows such a lead is quoted to the
end of the mail. Where the first line after a lead is marked, the marks tell, and lines without one are the writer's
own again: answers below the quotation or between its lines.

Every test looks at a bounded number of characters, and no line is looked at more than a few times. The words stand
in ``languages.toml``.
"""

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib import resources
from itertools import takewhile
from typing import Any

from pbem.core.orders import Line

LONGEST_LEAD = 400
"""Characters of a line, or of a few joined, that introduce a quotation; longer ones do not."""
MOST_LEAD_LINES = 3
MOST_HEADER_LINES = 8
MOST_SIGNATURE_LINES = 10
"""More than that below a ``-- `` are no signature but the mail going on."""
FIRST_IDEOGRAPH = "\N{CJK RADICAL REPEAT}"
"""From here on scripts write words without spaces between them."""

LANGUAGES: dict[str, Any] = tomllib.loads(resources.files("pbem.mail").joinpath("languages.toml").read_text("utf-8"))


def _any_of(kind: str) -> str:
    """A pattern for the words of a kind in all languages."""
    words = {word for language in LANGUAGES.values() for word in language.get(kind, ())}
    parted = {word for word in words if word[0] < FIRST_IDEOGRAPH}
    joined = f"|{_either(words - parted)}" if words - parted else ""
    return rf"(?:(?<!\w){_either(parted)}(?!\w){joined})"


def _either(words: Iterable[str]) -> str:
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    return f"(?:{'|'.join(map(re.escape, longest_first))})"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


COLON = "[:\N{FULLWIDTH COLON}]"
DASH = "[-_=\N{EN DASH}\N{EM DASH}]"
DASHES = f"{DASH}{{2,}}(?!{DASH})"
"""All that there are: fewer are not tried when what follows does not fit."""

WROTE = _pattern(_any_of("wrote"))
BEGINS = _pattern(_any_of("begins"))
YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
TIME = re.compile(r"(?<!\d)\d{1,2}[:.h]\d\d(?!\d)")
ADDRESS = re.compile(r"[^\s<>@]@[^\s<>@]+\.[^\s<>@]")

EMPHASIS = " \t*"
"""Around a lead, in text made from HTML."""

FROM = _pattern(rf"{_any_of('from')}[\s*]*{COLON}")
SENT = _pattern(rf"{_any_of('sent')}[\s*]*{COLON}")
TO = _pattern(rf"{_any_of('to')}[\s*]*{COLON}")
SUBJECT = _pattern(rf"{_any_of('subject')}[\s*]*{COLON}")
HEADER = re.compile(rf"[^\W\d][^:\d]{{0,30}}{COLON}")
DIVIDER = _pattern(rf"{DASHES}\s*{_any_of('divider')}\s*{DASHES}|{_any_of('divider')}\s*{COLON}")

FROM_GROUPWISE = re.compile(r">{3} .*\S >{3}")
"""That program quotes below such a line without marks."""
IN_DASHES = re.compile(r"-{2,} .* -{2,}")

ORDER = re.compile(r"\s*[^\W\d_][\w ]{0,40}:\s+\S")
"""How no later line of an attribution begins."""

RULE = re.compile(r"\s*_{10,}\s*")
SUSPICIOUS = re.compile(rf"[\d@]|{COLON}|{DASHES}")
"""What a line must have to introduce a quotation."""

PHONE = tuple({start for language in LANGUAGES.values() for start in language.get("phone", ())})
LONGEST_PHONE_LINE = 120
NO_PHONE = re.compile(r"(?<![\w.])\d|:(?!//)")
"""Not in what a phone adds; in an order perhaps."""
SIGNATURE = "-- "
"""With the space. Without it people part lines with it, and what stands below is theirs."""
MARKS = re.compile(r"\A\s*(?:>\s?)+")


@dataclass
class Separated:
    """The lines of a mail, without blank ones."""

    own: list[Line] = field(default_factory=list)
    quoted: list[Line] = field(default_factory=list)
    """Without their marks; and what stands below a signature mark."""

    def quote(self, lines: Iterable[Line]) -> None:
        """Add to the quoted lines."""
        bare = (unmarked(line) for line in lines)
        self.quoted += (line for line in bare if line.text and not _is_from_phone(line))

    def keep(self, line: Line) -> None:
        """Add to the own lines."""
        if line.text.strip() and not _is_from_phone(line):
            self.own.append(Line(line.number, line.text.rstrip()))


def separate(lines: Sequence[Line]) -> Separated:
    """Tell a mail's own lines from quoted ones. Leads are quoted; what phones add is neither."""
    found = Separated()
    at = 0
    while at < len(lines):
        if is_marked(lines[at]) and not _is_from_groupwise(lines[at]):
            found.quote([lines[at]])
            at += 1
        elif length := _lead(lines, at):
            end = at + length if _marks_follow(lines, at + length) else len(lines)
            found.quote(lines[at:end])
            at = end
        elif length := _signature(lines, at):
            found.quote(lines[at + 1 : at + length])
            at += length
        else:
            found.keep(lines[at])
            at += 1
    return found


def is_marked(line: Line) -> bool:
    """Whether the line begins with ``>``."""
    return line.text.lstrip().startswith(">")


def unmarked(line: Line) -> Line:
    """The line without the marks of quoting."""
    return Line(line.number, MARKS.sub("", line.text, count=1).strip())


def _is_from_phone(line: Line) -> bool:
    text = line.text.strip().lower()
    begin = next((begin for begin in PHONE if text.startswith(begin)), "")
    return bool(begin) and len(text) <= LONGEST_PHONE_LINE and not NO_PHONE.search(text, len(begin))


def _is_from_groupwise(line: Line) -> bool:
    text = line.text
    return len(text) <= LONGEST_LEAD and bool(FROM_GROUPWISE.fullmatch(text)) and _tells_when_or_who(text)


def _marks_follow(lines: Sequence[Line], at: int) -> bool:
    """Whether the next line that is not blank is marked."""
    following = _skip_blank(lines, at)
    return following < len(lines) and is_marked(lines[following])


def _skip_blank(lines: Sequence[Line], at: int) -> int:
    while at < len(lines) and not lines[at].text.strip():
        at += 1
    return at


def _lead(lines: Sequence[Line], at: int) -> int:
    """How many lines from here introduce a quotation; 0 if these do not."""
    text = lines[at].text
    if len(text) > LONGEST_LEAD or not SUSPICIOUS.search(text):
        return 0
    if _is_from_groupwise(lines[at]):
        return 1
    return _divider(lines, at) or _header_block(lines, at) or _attribution(lines, at)


def _divider(lines: Sequence[Line], at: int) -> int:
    """``-----Original Message-----``, or a rule, with the headers below it; a rule means nothing without them."""
    named = bool(DIVIDER.fullmatch(_bare(lines[at])))
    if not named and not RULE.fullmatch(lines[at].text):
        return 0
    below = _skip_blank(lines, at + 1)
    headers = _header_block(lines, below, divided=True)
    return below + headers - at if headers else int(named)


def _header_block(lines: Sequence[Line], at: int, *, divided: bool = False) -> int:
    """``From:``, ``Sent:``, ``To:``, ``Subject:`` on neighbouring lines, in any order.

    One such word alone may begin an order; a sender together with a date and one more does not. If the first word
    comes again, it is an order that stands right above, unless the block is ``divided`` from what stands there.
    """
    block = [_bare(line) for line in takewhile(_is_header, lines[at : at + MOST_HEADER_LINES])]
    word = next((word for word in (FROM, SENT, TO, SUBJECT) if block and word.match(block[0])), None)
    if word is None or (any(map(word.match, block[1:])) and not divided):
        return 0
    sender = any(map(FROM.match, block))
    date = any(SENT.match(text) and (YEAR.search(text) or TIME.search(text)) for text in block)
    more = any(TO.match(text) or SUBJECT.match(text) for text in block)
    return len(block) if sender and date and more else 0


def _is_header(line: Line) -> bool:
    return len(line.text) <= LONGEST_LEAD and bool(HEADER.match(_bare(line))) and not is_marked(line)


def _bare(line: Line) -> str:
    return line.text.strip(EMPHASIS)


def _attribution(lines: Sequence[Line], at: int) -> int:
    """``On Monday, 30 November 2026, Ann wrote:``, which programs break over two or three lines."""
    for count in range(1, MOST_LEAD_LINES + 1):
        joined = _joined(lines, at, count)
        if _attributes(joined):
            return 0 if any(_begins(lines, at, later) for later in range(at + 1, at + count)) else count
        if not _may_go_on(joined):
            break
    return 0


def _begins(lines: Sequence[Line], at: int, later: int) -> bool:
    """Whether the attribution that ends below begins at the later line: the first one only has a date or an address."""
    text = lines[later].text.strip()
    if _dated(text):
        return _attribution(lines, later) > 0
    return not _dated(lines[at].text) and _attributes(text)


def _joined(lines: Sequence[Line], at: int, count: int) -> str:
    """So many lines as one, or nothing if they do not belong together."""
    joined = ""
    for line in lines[at : at + count]:
        # A line break within <ann@x.example> may set its closing angle first on a line, where it looks like a mark.
        torn = joined.rfind("<") > joined.rfind(">")
        if not line.text.strip() or (is_marked(line) and not torn) or (joined and ORDER.match(line.text)):
            return ""
        joined = f"{joined} {line.text.strip()}".lstrip()
    return joined if len(joined) <= LONGEST_LEAD else ""


def _attributes(text: str) -> bool:
    if not text.rstrip("* ").endswith((":", "\N{FULLWIDTH COLON}")) and not IN_DASHES.fullmatch(text):
        return False
    if _tells_when_or_who(text) and WROTE.search(text):
        return True
    return bool(ADDRESS.search(text) and YEAR.search(text) and TIME.search(text))


def _tells_when_or_who(text: str) -> bool:
    return bool(YEAR.search(text) or TIME.search(text) or "@" in text)


def _may_go_on(text: str) -> bool:
    """Whether an attribution may begin so and end on a later line."""
    return _dated(text) or "@" in text or bool((YEAR.search(text) or TIME.search(text)) and WROTE.search(text))


def _dated(text: str) -> bool:
    year, time = YEAR.search(text), TIME.search(text)
    return bool((year and time) or ((year or time) and BEGINS.match(text.lstrip(EMPHASIS))))


def _signature(lines: Sequence[Line], at: int) -> int:
    """How many lines from a ``-- `` on are a signature: up to a quotation or the end, if they are few."""
    if lines[at].text != SIGNATURE:
        return 0
    end = at + 1
    while end < len(lines) and not _ends_signature(lines, end):
        end += 1
        if end - at > MOST_SIGNATURE_LINES + 1:
            return 0
    return end - at


def _ends_signature(lines: Sequence[Line], at: int) -> bool:
    return is_marked(lines[at]) or lines[at].text == SIGNATURE or bool(_lead(lines, at))
