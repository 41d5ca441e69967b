"""The elements that are open at a place of a page: whether its text is seen there, and whether line breaks count.

Elements end as HTML5 says, as far as it matters for that: an end tag also ends what is open inside, a paragraph ends
where a block begins, a cell or an item of a list where the next one does. Every tag costs the same, however many
elements are open, but for those that it ends.
"""

import re
from collections import defaultdict
from dataclasses import dataclass, field, replace

BLOCKS = frozenset({
    "article", "blockquote", "body", "center", "dd", "div", "dl", "dt", "footer", "form", "h1", "h2", "h3", "h4", "h5",
    "h6", "header", "hr", "li", "listing", "main", "ol", "p", "pre", "section", "table", "textarea", "tr", "ul", "xmp",
})  # fmt: skip
"""Elements that begin on a new line."""

STRUCK = frozenset({"s", "strike", "del"})
"""What is struck out is taken back."""
HIDES = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|text-decoration[\w-]{0,10}\s*:[^;\"']{0,40}line-through", re.IGNORECASE
)
"""Styles of text that nobody sees, or that is struck out."""
SIZELESS = re.compile(r"font-size\s*:\s*0(?:\.0{1,9})?(?:px|pt|r?em|%)?\s*(?:[;\"'!]|$)", re.IGNORECASE)
SHOWS = re.compile(r"font-size\s*:\s*0{0,9}(?:\.0{0,9})?[1-9]", re.IGNORECASE)
"""What stands in an element without size may have one of its own."""
KEEPS_LINES = re.compile(r"white-space(?:-collapse)?\s*:\s*(?:pre|break-spaces)", re.IGNORECASE)
JOINS_LINES = re.compile(r"white-space(?:-collapse)?\s*:\s*(?:normal|nowrap|collapse)", re.IGNORECASE)
PREFORMATTED = frozenset({"listing", "pre", "textarea", "xmp"})

VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})
"""Elements that have no end."""
NEVER_END = frozenset({"body", "html"})
"""Some programs write on behind the end tags of these."""
FORMATS = frozenset({"a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"})
"""Elements that end nowhere but at their own end tags: they go on behind what they begin in."""
MOST_GOING_ON = 3
"""So many of them do, as in browsers."""
TABLE = frozenset({"table", "tbody", "td", "tfoot", "th", "thead", "tr"})
KEPT_IN = BLOCKS | TABLE
"""Elements that no end tag of a phrase around them ends."""
ENDS_PARAGRAPH = BLOCKS - {"textarea"}

NEXT: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "li": (frozenset({"li"}), frozenset({"ol", "ul"})),
    "dd": (frozenset({"dd", "dt"}), frozenset({"dl"})),
    "dt": (frozenset({"dd", "dt"}), frozenset({"dl"})),
    "td": (frozenset({"td", "th"}), frozenset({"table"})),
    "th": (frozenset({"td", "th"}), frozenset({"table"})),
    "tr": (frozenset({"tr"}), frozenset({"table"})),
}
"""What begins where another one ends, and within what."""


@dataclass(frozen=True)
class Tag:
    """``<div class=x>``, or with ``end`` set ``</div>``."""

    name: str
    attributes: str
    end: bool


@dataclass(frozen=True)
class _Element:
    name: str
    hides: bool
    """Nothing in it is seen."""
    is_hidden: bool
    """It hides, or one around it does."""
    is_sizeless: bool
    keeps_lines: bool


ROOT = _Element("", hides=False, is_hidden=False, is_sizeless=False, keeps_lines=False)


@dataclass
class Elements:
    """The open elements, the innermost last."""

    _open: list[_Element] = field(default_factory=lambda: [ROOT])
    _places: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    """Where in that list the elements of a name stand."""
    _blocks: list[int] = field(default_factory=lambda: [0])
    """Where those stand that are kept in whatever stands around them."""

    @property
    def are_hidden(self) -> bool:
        """Whether text is not seen here: it is hidden, struck out, or without size."""
        return self._open[-1].is_hidden or self._open[-1].is_sizeless

    @property
    def keep_lines(self) -> bool:
        """Whether line breaks count here."""
        return self._open[-1].keeps_lines

    def tag(self, tag: Tag) -> None:
        """Take note of a tag."""
        if tag.end:
            self._end(tag.name)
        elif tag.name not in VOID:
            self._make_room(tag.name)
            self._begin(tag)

    def _make_room(self, name: str) -> None:
        """End what ends where such an element begins."""
        if name in NEXT:
            names, within = NEXT[name]
            self._end_from(self._last(names), self._last(within))
        if name in ENDS_PARAGRAPH:
            self._end_from(self._last({"p"}), self._last(TABLE))

    def _begin(self, tag: Tag) -> None:
        around, style = self._open[-1], tag.attributes
        hides = tag.name in STRUCK or bool(HIDES.search(style))
        sizeless = bool(SIZELESS.search(style)) or (around.is_sizeless and not SHOWS.search(style))
        keeps = tag.name in PREFORMATTED or bool(KEEPS_LINES.search(style))
        keeps = keeps or (around.keeps_lines and not JOINS_LINES.search(style))
        self._push(_Element(tag.name, hides, hides or around.is_hidden, sizeless, keeps))

    def _push(self, element: _Element) -> None:
        at = len(self._open)
        self._open.append(element)
        self._places[element.name].append(at)
        if element.name in KEPT_IN:
            self._blocks.append(at)

    def _end(self, name: str) -> None:
        if name in NEVER_END:
            return
        within = self._last(TABLE) if name in KEPT_IN else self._blocks[-1]
        self._end_from(self._last({name}), 0 if name in FORMATS | TABLE else within)

    def _last(self, names: frozenset[str] | set[str]) -> int:
        """The place of the last one of these names, or 0."""
        return max((places[-1] for name in names if (places := self._places.get(name))), default=0)

    def _end_from(self, at: int, within: int) -> None:
        """End the element at this place and those in it, unless what it must end in begins behind it."""
        if at <= within:
            return
        name = self._open[at].name
        inside = [self._pop() for _ in range(len(self._open) - at)][:-1]
        if name not in TABLE:
            going_on = [each for each in inside if each.hides and (each.name in FORMATS or name in FORMATS)]
            for each in going_on[:MOST_GOING_ON]:
                self._push(replace(self._open[-1], name=each.name, hides=True, is_hidden=True))

    def _pop(self) -> _Element:
        element = self._open.pop()
        self._places[element.name].pop()
        if element.name in KEPT_IN:
            self._blocks.pop()
        return element
