"""Order lines to orders, by a table of verbs: what every rule system's reader is made of.

A table is a list of :class:`Verb`, each a pattern and the function that builds the order from it::

    Verb("move [to] {route}", move)         words as typed, [what may be left out], {slots}
    Verb("accept|take [P]{number}", accept)  words that mean the same

A slot is resolved by the function of that name, which knows the position. What does not fit is a
:class:`Misread`: it says what is wrong and, where something comes near, which words to put in place of which.
Such a correction is shown to the player, never carried out.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any, Generic, TypeVar

from pbem.core.errors import PbemError
from pbem.core.orders import Fault, Line, Sheet, Written, nearest, plain

C = TypeVar("C")
T = TypeVar("T")


class Misread(PbemError):
    """A line that means to be an order and is none. Caught line by line; it never leaves the reader."""

    def __init__(self, reason: str, fix: tuple[str, str] | None = None, instead: str = "", subject: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.fix = fix
        """Words as they stand in the line, and the words to offer in their place."""
        self.instead = instead
        """What to offer in place of the whole line."""
        self.subject = subject
        """Whom the line commands, as far as that could be read."""


# --- lines as people type them --------------------------------------------------------------------------------

LOOKALIKES = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict.fromkeys("\u2192\u21d2\u2794\u279c\u27a1\u2b95", ">"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"'),
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4\u2039\u203a", "'"),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad\ufe0e\ufe0f", ""),
    }
)
"""Signs that phones and word processors put in place of those on the keys; dashes, arrows, quotes, invisible ones."""

BULLET = re.compile(r"(?:(?:[-*+\u2022\u00b7\u25aa\u25cf\u2023\u2043]|\d{1,2}[.)])\s+)+")
COMMENT = re.compile(r"""("[^"]*")|(?:^|\s)#(?!\d).*""")


def tidy(text: str) -> str:
    """A line in ordinary signs and single spaces, its case kept: how all patterns and slots see it."""
    if not text.isascii():
        parts = groupby(text.translate(LOOKALIKES), _is_no_digit)
        text = "".join("".join(part) if odd else unicodedata.normalize("NFKC", "".join(part)) for odd, part in parts)
        text = text.translate(LOOKALIKES)
    return " ".join(text.split())


def _is_no_digit(sign: str) -> bool:
    """Whether a sign stands for a number without being a digit: with ``2\u00b2`` nobody means 22."""
    return unicodedata.category(sign) == "No"


def bare(text: str) -> str:
    """A tidy line without the bullet or number before it and the ``# comment`` after it."""
    text = tidy(text)
    bullet = BULLET.match(text)
    text = text[bullet.end() :] if bullet else text
    return COMMENT.sub(lambda found: found[1] or "", text).strip() if "#" in text else text


def folded(
    lines: Iterable[Line],
    begins: Callable[[str], bool],
    goes_on: Callable[[str], bool],
    join: Callable[[Sequence[Line]], Line],
) -> Iterator[Line]:
    """The lines of a mail, those that make one thing joined: the line that begins it, and those below that go on with
    it, blank ones among them. ``begins`` and ``goes_on`` are asked of bare text."""
    thing: list[Line] = []
    for line in lines:
        text = bare(line.text)
        if thing and (not text or goes_on(text)):
            thing.append(line)
            continue
        if thing:
            yield join(thing)
        thing = [line] if begins(text) else []
        if not thing:
            yield line
    if thing:
        yield join(thing)


# --- names ----------------------------------------------------------------------------------------------------


class Names(Generic[T]):
    """Things that go by name, found whatever case, accents, quotes or dashes the name is typed with."""

    def __init__(self, named: Iterable[tuple[str, T]]) -> None:
        self.all = tuple(named)
        self._known: dict[str, list[tuple[str, T]]] = {}
        for name, thing in self.all:
            self._known.setdefault(plain(tidy(name)), []).append((name, thing))
        self._longest = max((len(name.split()) for name in self._known), default=0)

    def find(self, text: str) -> T | None:
        """What goes by exactly this name, or ``None``. Of two that differ only in dress, the one typed exactly."""
        known = self._known.get(plain(text))
        if known is None:
            return None
        exact = known if len(known) == 1 else [pair for pair in known if pair[0] == text]
        return exact[0][1] if exact else None

    def head(self, text: str) -> tuple[T, str] | None:
        """The thing with the longest name that a tidy line starts with, and the rest of the line."""
        ends = [found.end() for found in islice(CHUNK.finditer(text), self._longest)]
        for end in reversed(ends):
            thing = self.find(text[:end].rstrip(":,;"))
            if thing is not None:
                return thing, text[end:].lstrip(" :,;=-")
        return None

    def near(self, text: str) -> tuple[str, ...]:
        """Up to two names to offer in place of ``text``: one that holds all its words, else those most like it."""
        wanted = set(plain(text).split())
        holding = [name for name, _ in self.all if wanted and wanted <= set(plain(name).split())]
        return tuple(holding) if len(holding) == 1 else nearest(text, [name for name, _ in self.all])


CHUNK = re.compile(r"[^\s:]+:?|:")
"""A word of a name, with the colon that may end it."""


def offered(candidates: Sequence[str]) -> str:
    """``Did you mean 'move' or 'mine'?`` with a space before it, or nothing."""
    return f" Did you mean {' or '.join(repr(each) for each in candidates)}?" if candidates else ""


def unknown(kind: str, text: str, near: Sequence[str], known: str = "") -> Misread:
    """What to say of a name that nothing of a kind goes by: the names that come near, else what is ``known``."""
    told = offered(near) or (known and f" {known}")
    return Misread(f"No {kind} is called {text!r}.{told}", (text, near[0]) if near else None)


def named(names: Names[T], text: str, kind: str, known: str = "", bare: str = "") -> T:
    """What goes by a name; raises :class:`Misread`. ``bare``: the text without an article, looked for first."""
    found = names.find(bare) if bare else None
    if found is None:
        found = names.find(text)
    if found is None:
        raise unknown(kind, text, names.near(text), known)
    return found


# --- the table ------------------------------------------------------------------------------------------------

Slot = Callable[[C, str], Any]
"""The text of a slot to its value, given what the reader knows; raises :class:`Misread`."""


@dataclass(frozen=True)
class Verb:
    """One shape of order line."""

    pattern: str
    build: Callable[..., Any]
    """Gets what the reader knows and, by name, the values of the slots that were filled."""


@dataclass(frozen=True)
class _Shape:
    regex: re.Pattern[str]
    words: int
    """Those that cannot be left out, slots aside."""
    build: Callable[..., Any]


class Grammar(Generic[C]):
    """A table of verbs, compiled once. Of several shapes that fit a line the one listed first counts."""

    def __init__(
        self,
        verbs: Sequence[Verb],
        slots: Mapping[str, Slot[C]],
        example: str | Callable[[C], str] = "",
        noun: str = "order",
    ) -> None:
        self._slots = dict(slots)
        self._shapes: dict[str, list[_Shape]] = {}
        self._example = example
        self._noun = noun
        spellings = [verb.pattern.split()[0].rstrip(":").casefold().split("|") for verb in verbs]
        for verb, words in zip(verbs, spellings, strict=True):
            shape = _Shape(compiled(verb.pattern), _fixed_words(verb.pattern), verb.build)
            for word in words:
                self._shapes.setdefault(word, []).append(shape)
        self.words = tuple(dict.fromkeys(words[0] for words in spellings))
        """The first words of all patterns; of several that mean the same the first."""

    def knows(self, text: str) -> bool:
        """Whether a line begins with the first word of a pattern."""
        return first_word(text).casefold() in self._shapes

    def fits(self, text: str) -> bool:
        """Whether a tidy line has the shape of a pattern, whatever stands in its slots; one word alone is no shape."""
        shapes = self._shapes.get(first_word(text).casefold(), ())
        return any(shape.words > 1 and shape.regex.fullmatch(text) for shape in shapes)

    def read(self, known: C, text: str) -> Any:
        """The order of a tidy line; raises :class:`Misread`."""
        word = first_word(text)
        if word.casefold() not in self._shapes:
            raise self._unknown(known, word or text)
        for shape in self._shapes[word.casefold()]:
            found = shape.regex.fullmatch(text)
            if found:
                return shape.build(known, **self._filled(known, found))
        raise Misread(f"{text!r} does not say enough.{self._examples(known)}")

    def _filled(self, known: C, found: re.Match[str]) -> dict[str, Any]:
        typed = {name: text for name, text in found.groupdict().items() if text is not None}
        return {name: self._slots[name](known, text) for name, text in typed.items()}

    def _unknown(self, known: C, word: str) -> Misread:
        candidates = nearest(word, self.words)
        fix = (word, candidates[0]) if candidates else None
        return Misread(f"I do not know the {self._noun} {word!r}.{offered(candidates) or self._examples(known)}", fix)

    def _examples(self, known: C) -> str:
        example = self._example if isinstance(self._example, str) else self._example(known)
        return f" Write it like this: {example}" if example else ""


def first_word(text: str) -> str:
    """The word a line begins with; nothing if it begins with a number or a sign."""
    found = WORD.match(text)
    return found[0] if found else ""


WORD = re.compile(r"[^\W\d_]+")
PIECE = re.compile(r"\{(\w+)\}|(\[)|(\])|(\s+)|([^\s\[\]{}]+)")


def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern of a :class:`Verb` as a regular expression; a part in brackets that holds a slot is tried last."""
    pieces = list(PIECE.finditer(pattern))
    regex = "".join(_piece(pieces, index) for index in range(len(pieces)))
    return re.compile(regex, re.IGNORECASE)


OPTIONAL = re.compile(r"\[[^\[\]]*\]")


def _fixed_words(pattern: str) -> int:
    """How many words of a pattern cannot be left out, slots aside."""
    while (shorter := OPTIONAL.sub(" ", pattern)) != pattern:
        pattern = shorter
    return sum(word[0].isalnum() and "{" not in word for word in pattern.split())


def _piece(pieces: Sequence[re.Match[str]], index: int) -> str:
    slot, opens, closes, space, _ = pieces[index].groups()
    if slot:
        return rf"(?P<{slot}>\S.*?)"
    if opens:
        return "(?:"
    if closes:
        return ")??" if pieces[index - 1][1] else ")?"
    return r"\s*" if space else _words(pieces, index)


def _words(pieces: Sequence[re.Match[str]], index: int) -> str:
    """Words that stand alone, unless a slot is glued to them as in ``P{number}``."""
    words = "|".join(re.escape(word) for word in pieces[index][5].split("|"))
    if not words[0].isalnum():
        return rf"(?:{words})"
    after = next((piece for piece in pieces[index + 1 :] if not (piece[2] or piece[3])), None)
    alone = "" if after is not None and after[1] else r"(?!\w)"
    return rf"\b(?:{words}){alone}"


# --- the loop -------------------------------------------------------------------------------------------------


def read_each(
    lines: Iterable[Line],
    read: Callable[[str], Sequence[Any] | None],
    refuse: Callable[[Line, Misread], Fault],
) -> Sheet:
    """Read every line by itself, so that a fault in one hides nothing in the next.

    ``read`` gives the orders of a line (none for an empty one), ``None`` for what does not look like an order, or
    raises :class:`Misread`, which ``refuse`` puts into words for the player.
    """
    orders: list[Written] = []
    faults: list[Fault] = []
    ignored: list[Line] = []
    for line in lines:
        try:
            found = read(line.text)
        except Misread as misread:
            faults.append(refuse(line, misread))
            continue
        if found is None:
            ignored.append(line)
        else:
            orders += [Written(order, line) for order in found]
    return Sheet(tuple(orders), tuple(faults), tuple(ignored))


TRIES = 4
"""Corrections taken one after the other before a line is given up."""


def mended(text: str, misread: Misread, read: Callable[[str], Sequence[Any] | None]) -> Sequence[Any]:
    """What a line would order if the corrections offered were taken. To be shown, never carried out."""
    for _ in range(TRIES):
        text = misread.instead or (_corrected(text, *misread.fix) if misread.fix else "")
        if not text:
            return ()
        try:
            return read(text) or ()
        except Misread as further:
            misread = further
    return ()


def _corrected(text: str, wrong: str, right: str) -> str:
    """A line with one thing put right; nothing if the wrong thing is not in it."""
    words = re.compile(rf"(?<!\w){re.escape(wrong)}(?!\w)", re.IGNORECASE)
    found = words.search(text)
    if found is None:
        text = plain(text)
        found = words.search(text)
    return f"{text[: found.start()]}{right}{text[found.end() :]}" if found else ""
