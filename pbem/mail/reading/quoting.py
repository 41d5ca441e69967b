"""What the writer of a mail wrote himself, and what he only quotes.

Lines that begin with ``>`` are quoted, always. Programs that quote without marks put a *lead* above the quotation: an
attribution (``On Monday Ann wrote:``), a divider, or a block of headers. What follows such a lead is quoted to the
end of the mail. Where the first line after it is marked, the marks tell, and lines without one are the writer's own
again: answers below the quotation or between its lines. If he wrote something above it as well, that is not certain,
for they may be of an older mail of his: below an attribution they are told apart, and below a divider or headers, which
come from programs that quote without marks, they are quoted.

No list of leads is ever complete. So headers in words that are not listed are known by their shape, and the mails of
this server by their own lines: what stands from the first of them on, below something that the writer wrote, is quoted.

Every test looks at a bounded number of characters, and no line is looked at more than a few times. The words stand
in ``languages.toml``.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib import resources
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

LANGUAGES: dict[str, Any] = tomllib.loads(resources.files(__package__).joinpath("languages.toml").read_text("utf-8"))


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
YEAR = re.compile(
    r"(?<!\d)(?:(?:19|20|25(?=[5-9]))\d\d|\d{1,2}([./-])\d{1,2}\1\d\d)(?!\d)|(?:令和|平成)\s?(?:\d{1,2}|元)\s?年"
)
"""As a year of Buddha and of Japan's emperors too, and with two digits at the end of a date."""
DAY = _pattern(
    r"(?<!\w)(?:(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]{0,6}\.? \d{1,2}|"
    r"\d{1,2} (?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]{0,6})(?!\w)"
)
"""A day of this year, in English, which is so told by programs."""
NUMBERED_DAY = re.compile(r"(?<!\d)\d{1,2}(?:\.|º|er)? (?:de |di )?[^\W\d_]{3,15}\.?(?!\w)")
"""A day without a year in the words of any language: only where a line begins and ends as an attribution does."""
TIME = re.compile(r"(?<!\d)\d{1,2}[:.h]\d\d(?!\d)")
CLOCK = re.compile(r"(?<!\d)(?<!\d\.)\d{1,2}[:.h]\d\d(?!\.?\d)")
"""A time that is no part of a date."""
ADDRESS = re.compile(r"[^\s<>@]@[^\s<>@]+\.[^\s<>@]")

EMPHASIS = " \t*"
"""Around a lead, in text made from HTML."""

FROM = _pattern(rf"{_any_of('from')}[\s*]*{COLON}")
SENT = _pattern(rf"{_any_of('sent')}[\s*]*{COLON}")
TO = _pattern(rf"{_any_of('to')}[\s*]*{COLON}")
SUBJECT = _pattern(rf"{_any_of('subject')}[\s*]*{COLON}")
HEADER = re.compile(rf"[^\W\d][^:\d]{{0,30}}{COLON}")
DIVIDER = _pattern(rf"{DASHES}\s*{_any_of('divider')}\s*{DASHES}|{_any_of('divider')}\s*{COLON}")

LEAST_SHAPED = 3
LONGEST_MOMENT = 60
MOST_WORDS_OF_SENDER = 6
"""Headers in words that are not listed are three or more, among them a date with a time, and a name with an address."""

FROM_GROUPWISE = re.compile(r">{3} .*\S >{3}")
"""That program quotes below such a line without marks."""
IN_DASHES = re.compile(r"-{2,} .* -{2,}")
NOTES = re.compile(r"[^\s-].{0,80}---\d[\d./-]{5,9} \d{1,2}[:.]\d\d(?:[:.]\d\d)?(?: [AP]M)?---")
"""Lotus Notes: name, time, and the first words of what is quoted."""
NAME_ALONE = _pattern(rf"[^\W\d_][^\d:,;]{{0,60}}\s{_any_of('wrote')}\s?{COLON}")
MOST_NAMES = 4

REPORT = re.compile(r"\s*\**Report on .{1,120}, for .{1,120}")
OURS = re.compile(
    r"\s*\**(?:Deadline of .{1,120}:|Deadline  .{1,200}\d\d:\d\d .*"
    r"|Hello (?:[^():]{1,80} )?\([^()]{1,120}\)\.(?: .*)?"
    r"|Hello[^:]{0,120}\. (?:I read your mail of|I find no rule|Your mail|A mail |You have a seat|You play by"
    r"|The book says|This is how|This goes to all|The organizer has|On [A-Z][a-z]{2} \d).*"
    r"|(?:\d{1,2}\s{1,3})?(?:IN SHORT|ORDER FORM|Order form|ANSWER WITH ONE OF THESE LINES|LINES YOU COULD SEND NOW)"
    r"|Copy it into your answer, change what you like and send it\.)\**\s*"
)
"""Lines that the mails of this server begin with, or that stand above the lines to send in them."""

CELLS = re.compile(r"\s*\|\s*([^|]{1,40})\|\s*([^|]*)\|?\s*")
"""A row of a table of headers."""
CONTINUES = re.compile(r"\s|<")
"""How a header's second line begins."""

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
    below: list[Line] = field(default_factory=list)
    """Lines without marks below or between marked ones, where something is the writer's own above the attribution as
    well: his answers, or what an older mail of his said."""
    _doubtful: bool = False

    def quote(self, lines: Iterable[Line]) -> None:
        """Add to the quoted lines."""
        bare = (unmarked(line) for line in lines)
        self.quoted += (line for line in bare if line.text and not _is_from_phone(line))

    def keep(self, line: Line) -> None:
        """Add to the own lines, or to those below."""
        if line.text.strip() and not _is_from_phone(line):
            (self.below if self._doubtful else self.own).append(Line(line.number, line.text.rstrip()))

    def attribute(self, lines: Iterable[Line]) -> None:
        """Add an attribution with marked lines below it."""
        self._doubtful = self._doubtful or bool(self.own)
        self.quote(lines)


def separate(lines: Sequence[Line]) -> Separated:
    """Tell a mail's own lines from quoted ones. Leads are quoted; what phones add is neither."""
    found = Separated()
    seen = [_as_seen(line) for line in lines]
    within_ours = False
    at = 0
    while at < len(lines):
        if is_marked(lines[at]) and not _is_from_groupwise(seen[at]):
            found.quote([lines[at]])
            at += 1
        elif length := _lead(seen, at):
            marks_tell = _marks_follow(seen, at + length) and not (found.own and _heads(seen, at, length))
            end = at + length if marks_tell else len(lines)
            (found.attribute if marks_tell else found.quote)(lines[at:end])
            at = end
        elif not within_ours and found.own and is_ours(lines, at):
            found.quote(lines[at:])
            break
        elif length := _signature(seen, at):
            found.quote(lines[at + 1 : at + length])
            at += length
        else:
            # With nothing above, somebody writes between the lines of our mail.
            within_ours = within_ours or is_ours(lines, at)
            found.keep(lines[at])
            at += 1
    return found


def is_ours(lines: Sequence[Line], at: int) -> bool:
    """Whether only mails of this server have this line, or the next one, which stands below a report's title."""
    pair = [line.text for line in lines[at : at + 2] if len(line.text) <= LONGEST_LEAD]
    return bool(pair and (OURS.fullmatch(pair[0]) or REPORT.fullmatch(pair[-1])))


def _as_seen(line: Line) -> Line:
    """The line as leads are looked for in it: with plain digits, a row of a table as a header."""
    text = line.text[: LONGEST_LEAD + 1]
    if not text.isascii():
        text = "".join(str(unicodedata.decimal(sign, sign)) for sign in text)
    row = CELLS.fullmatch(text) if "|" in text else None
    return Line(line.number, f"{row[1].strip()}: {row[2].strip()}" if row else text)


def introduce(lines: Sequence[str]) -> bool:
    """Whether the last of these lines introduce a quotation, marked or not, or look like it in whatever language."""
    last = [unmarked(Line(0, line)) for line in lines[-2 * MOST_HEADER_LINES :]]
    while last and not last[-1].text:
        last.pop()
    if not last:
        return False
    blank, text = Line(0, ""), last[-1].text[-LONGEST_LEAD:]
    seen = [*map(_as_seen, last), blank]
    if text.endswith((":", "\N{FULLWIDTH COLON}")) and _tells_when_or_who(text):
        return True
    alone = _lead([blank, seen[-2], blank], 1)
    return alone > 0 or any(0 < len(last) - at <= _lead(seen, at) for at in range(len(last)))


def is_marked(line: Line) -> bool:
    """Whether the line begins with ``>``."""
    return line.text.lstrip().startswith(">")


def unmarked(line: Line) -> Line:
    """The line without the marks of quoting."""
    return Line(line.number, MARKS.sub("", line.text, count=1).strip())


def _is_from_phone(line: Line) -> bool:
    text = line.text.strip().lower()
    if len(text) > LONGEST_PHONE_LINE or not text.startswith(PHONE):
        return False
    begin = next(begin for begin in PHONE if text.startswith(begin))
    return not NO_PHONE.search(text, len(begin))


def _is_from_groupwise(line: Line) -> bool:
    text = line.text
    return len(text) <= LONGEST_LEAD and bool(FROM_GROUPWISE.fullmatch(text)) and _tells_when_or_who(text)


def _marks_follow(lines: Sequence[Line], at: int) -> bool:
    """Whether the next line that is not blank is marked."""
    following = _skip_blank(lines, at)
    return following < len(lines) and is_marked(lines[following])


def _heads(lines: Sequence[Line], at: int, length: int) -> bool:
    """Whether this lead is a divider alone, or headers: programs that write such quote without marks."""
    named = bool(DIVIDER.fullmatch(_bare(lines[at])))
    first = _skip_blank(lines, at + 1) if named or RULE.fullmatch(lines[at].text) else at
    return first >= at + length or _header_block(lines, first, divided=True, named=named) > 0


def _skip_blank(lines: Sequence[Line], at: int) -> int:
    while at < len(lines) and not lines[at].text.strip():
        at += 1
    return at


def _lead(lines: Sequence[Line], at: int) -> int:
    """How many lines from here introduce a quotation; 0 if these do not."""
    text = lines[at].text
    if len(text) > LONGEST_LEAD or not SUSPICIOUS.search(text):
        return 0
    if _is_from_groupwise(lines[at]) or NOTES.match(text):
        return 1
    return _divider(lines, at) or _header_block(lines, at) or _attribution(lines, at) or _short_attribution(lines, at)


def _divider(lines: Sequence[Line], at: int) -> int:
    """``-----Original Message-----``, or a rule, with what stands below it: headers or an attribution. A rule means
    nothing without headers."""
    named = bool(DIVIDER.fullmatch(_bare(lines[at])))
    if not named and not RULE.fullmatch(lines[at].text):
        return 0
    below = _skip_blank(lines, at + 1)
    headers = _header_block(lines, below, divided=True, named=named)
    if headers or not named:
        return below + headers - at if headers else 0
    attribution = _attribution(lines, below) if below < len(lines) else 0
    return below + attribution - at if attribution else 1


def _header_block(lines: Sequence[Line], at: int, *, divided: bool = False, named: bool = False) -> int:
    """``From:``, ``Sent:``, ``To:``, ``Subject:`` on neighbouring lines, in any order.

    One such word alone may begin an order; a sender together with a date and one more does not. If the first word
    comes again, it is an order that stands right above, unless the block is ``divided`` from what stands there. Below a
    divider that is ``named`` sender and date are enough. Headers in words that are not listed are known by their shape.
    """
    block, count = _headers(lines, at)
    if _is_header_line(block) or _is_shaped(block):
        return count
    word = next((word for word in (FROM, SENT, TO, SUBJECT) if block and word.match(block[0])), None)
    if word is None or (any(map(word.match, block[1:])) and not divided):
        return 0
    sender = any(map(FROM.match, block))
    date = any(SENT.match(text) and (YEAR.search(text) or TIME.search(text)) for text in block)
    more = any(TO.match(text) or SUBJECT.match(text) for text in block)
    return count if sender and date and (more or named) else 0


def _headers(lines: Sequence[Line], at: int) -> tuple[list[str], int]:
    """The headers from here on, each as one line, and how many lines they are."""
    block: list[str] = []
    count = 0
    for line in lines[at : at + 2 * MOST_HEADER_LINES]:
        if _is_header(line) and len(block) < MOST_HEADER_LINES:
            block.append(_bare(line))
        elif block and line.text.strip() and CONTINUES.match(line.text) and not is_marked(line):
            block[-1] = f"{block[-1]} {line.text.strip()}"[:LONGEST_LEAD]
        else:
            break
        count += 1
    return block, count


def _is_header_line(block: Sequence[str]) -> bool:
    """Whether the first header has the others on the same line, as some programs make plain text of a page."""
    sent = SENT.search(block[0]) if block and FROM.match(block[0]) else None
    rest = block[0][sent.end() :] if sent else ""
    return bool(YEAR.search(rest) and (TO.search(rest) or SUBJECT.search(rest)))


def _is_shaped(block: Sequence[str]) -> bool:
    """Whether headers are those of a mail in whatever language: the first is a sender or a date with a time, and a
    later one the other. No order looks like either."""
    if len(block) < LEAST_SHAPED:
        return False
    first, *others = (HEADER.sub("", text, count=1).strip(EMPHASIS) for text in block)
    return (_is_sender(first) and any(map(_is_moment, others))) or (_is_moment(first) and any(map(_is_sender, others)))


def _is_sender(text: str) -> bool:
    """Whether it is an address, with a name perhaps, and nothing else."""
    words = text.split()
    return 0 < len(words) <= MOST_WORDS_OF_SENDER and "@" in words[0] + words[-1] and bool(ADDRESS.search(text))


def _is_moment(text: str) -> bool:
    """Whether it is a date with a time, and hardly anything else."""
    return len(text) <= LONGEST_MOMENT and bool(YEAR.search(text) and CLOCK.search(text))


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


def _short_attribution(lines: Sequence[Line], at: int) -> int:
    """``On Mon, May 4 Ann wrote:``; or ``Ann wrote:`` alone, parted from what stands around it."""
    text = _bare(lines[at])
    verb = NAME_ALONE.fullmatch(text) if not DAY.search(text) else None
    if verb:
        names = text.split()[:-1]
        above = at == 0 or not lines[at - 1].text.strip()
        below = at + 1 < len(lines) and (not lines[at + 1].text.strip() or is_marked(lines[at + 1]))
        named = len(names) <= MOST_NAMES and all(name.strip("\"'(")[:1].isupper() for name in names)
        return int(above and below and named)
    framed = text.endswith(":") and bool(BEGINS.match(text)) and bool(WROTE.search(text))
    return int(framed and bool(DAY.search(text) or NUMBERED_DAY.search(text)))


def _begins(lines: Sequence[Line], at: int, later: int) -> bool:
    """Whether the attribution that ends below begins at the later line: the first one only has a date or an address."""
    text = lines[later].text.strip()
    if _dated(text):
        return _attribution(lines, later) > 0
    return bool(_short_attribution(lines, later)) or (not _dated(lines[at].text) and _attributes(text))


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
