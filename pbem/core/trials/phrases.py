"""Fixed phrases with blanks, as rule cases use them: ``banner {name} at {section:int}[ {marks}]``.

A blank is ``{name}`` (any words), ``{name:int}``, ``{name:seat}`` (one capital letter), ``{name:rule}`` (``6.4``),
``{name:word}`` or ``{name:quoted}``; a part in brackets may be left out.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, TypeVar

from pbem.core.errors import PbemError
from pbem.core.orders import nearest

KINDS = {
    "": r".+?",
    "int": r"-?\d+",
    "seat": r"[A-Z]\b",
    "rule": r"\d+(?:\.\d+)*",
    "word": r"\w+",
    "quoted": r'"[^"]*"',
}
"""What each kind of blank matches."""

BLANK = re.compile(r"\{(?P<name>\w+)(?::(?P<kind>\w+))?\}")

Handler = TypeVar("Handler", bound=Callable[..., Any])


class BadLine(PbemError):
    """A line that is none of the phrases known here; its text says what would have been."""


@dataclass(frozen=True)
class Phrase:
    """A fixed phrase with blanks."""

    template: str

    @property
    def first(self) -> str:
        """The word it is known by: its first, or its first two after ``no``, ``not`` and ``unchecked``."""
        head = re.split(r"[\[{]", self.template)[0].split()
        return " ".join(head[: 2 if head[0] in ("no", "not", "unchecked") else 1])

    @property
    def usage(self) -> str:
        """How to write it: ``banner NAME at SECTION [MARKS]``."""
        spelled = BLANK.sub(lambda blank: blank["name"].upper(), self.template)
        return re.sub(r"\[ ", " [", spelled)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The expression that it stands for."""
        parts, end = [], 0
        for blank in BLANK.finditer(self.template):
            parts += [_literal(self.template[end : blank.start()])]
            parts += [f"(?P<{blank['name']}>{KINDS[blank['kind'] or '']})"]
            end = blank.end()
        return re.compile("".join([*parts, _literal(self.template[end:])]))

    def blanks(self, found: re.Match[str]) -> dict[str, str | int]:
        """What was filled in, numbers as numbers and quoted words without their quotes; what was left out is not."""
        kinds = {blank["name"]: blank["kind"] for blank in BLANK.finditer(self.template)}
        return {name: _value(kinds[name], text) for name, text in found.groupdict().items() if text is not None}


def _literal(text: str) -> str:
    """Plain text of a template as an expression: brackets become optional parts."""
    return re.escape(text).replace(r"\[", "(?:").replace(r"\]", ")?").replace(r"\ ", r"\s+")


def _value(kind: str | None, text: str) -> str | int:
    if kind == "int":
        return int(text)
    return text.strip('"') if kind == "quoted" else text


class Vocabulary:
    """Phrases, each with the function that it calls; one made of others knows what they know."""

    def __init__(self, *others: "Vocabulary") -> None:
        self._entries: list[tuple[Phrase, Callable[..., Any]]] = [entry for other in others for entry in other._entries]

    def phrase(self, template: str) -> Callable[[Handler], Handler]:
        """Tie a function to a phrase; it gets what stands in the blanks under their names."""

        def enter(handler: Handler) -> Handler:
            self._entries.append((Phrase(template), handler))
            return handler

        return enter

    @property
    def phrases(self) -> tuple[Phrase, ...]:
        """All phrases, in the order of their definition."""
        return tuple(phrase for phrase, _ in self._entries)

    @property
    def words(self) -> tuple[str, ...]:
        """The words by which its phrases are known."""
        return tuple(dict.fromkeys(phrase.first for phrase in self.phrases))

    def knows(self, text: str) -> bool:
        """Whether a line begins like one of these phrases."""
        return any(_begins(text, word) for word in self.words)

    def read(self, text: str) -> Callable[[Any], Any]:
        """The call that a line asks for, but for its first argument; raises :class:`BadLine`."""
        for phrase, handler in self._entries:
            found = phrase.pattern.fullmatch(text)
            if found:
                return partial(_call, handler, phrase.blanks(found))
        raise BadLine(self._complaint(text))

    def read_all(self, text: str) -> Iterator[Callable[[Any], Any]]:
        """The calls that a row of phrases asks for, one after the other; raises :class:`BadLine`."""
        left = text.strip()
        while left:
            call, length = self._read_front(left)
            yield call
            left = left[length:].lstrip()

    def _read_front(self, text: str) -> tuple[Callable[[Any], Any], int]:
        found = [
            (match.end(), handler, phrase.blanks(match))
            for phrase, handler in self._entries
            if (match := re.compile(f"(?:{phrase.pattern.pattern})(?=\\s|$)").match(text))
        ]
        if not found:
            raise BadLine(self._complaint(text))
        length, handler, blanks = max(found, key=lambda each: each[0])
        return partial(_call, handler, blanks), length

    def _complaint(self, text: str) -> str:
        usages = [phrase.usage for phrase in self.phrases if _begins(text, phrase.first)]
        if usages:
            return f"cannot read {text!r}; write it like this: {'; or '.join(usages)}"
        return unknown(text, self)


def unknown(text: str, *vocabularies: Vocabulary) -> str:
    """What to say of a line that begins like no phrase: the known words nearest to its first."""
    known = sorted({word for vocabulary in vocabularies for word in vocabulary.words})
    word = text.split()[0]
    near = nearest(word, known)
    return (
        f"{word!r} is no word known here; {f'did you mean {_either(near)}?' if near else f'known are: {_all(known)}'}"
    )


def _either(words: Iterable[str]) -> str:
    return " or ".join(f"{word!r}" for word in words)


def _all(words: Iterable[str]) -> str:
    return ", ".join(words)


def _call(handler: Callable[..., Any], blanks: dict[str, str | int], subject: Any) -> Any:
    return handler(subject, **blanks)


def _begins(text: str, word: str) -> bool:
    return re.match(rf"{re.escape(word)}(?=\W|$)", text) is not None
