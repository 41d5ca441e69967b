"""Rulebooks as Markdown with numbered headings: ``### 6.4 Don't Pass in the Night``."""

import re
from dataclasses import dataclass

from pbem.core.orders import plain

HEADING = re.compile(r"^(#+) (?P<number>\d+(?:\.\d+)*) (?P<title>.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Rule:
    """A numbered part of a rulebook: heading and text up to the next heading."""

    number: str
    title: str
    text: str

    def __str__(self) -> str:
        return f"{self.number} {self.title}"


def rules(book: str) -> tuple[Rule, ...]:
    """All numbered parts, in the order of the book."""
    heads = list(HEADING.finditer(book))
    ends = [head.start() for head in heads[1:]] + [len(book)]
    return tuple(
        Rule(head["number"], head["title"].strip(), book[head.end() : end].strip())
        for head, end in zip(heads, ends, strict=True)
    )


def look_up(book: str, asked: str) -> tuple[Rule, ...]:
    """The rules that answer a question: by number (``6.4``; ``6``: the whole chapter), else by a word, which may be in
    the plural. First come those that are called so, show how an order of this name is written, or have it at the head
    of a table's row; if there are none, those that name it."""
    number = asked.strip().removeprefix("NIP").strip(" .")
    chapter = tuple(rule for rule in rules(book) if rule.number == number or rule.number.startswith(f"{number}."))
    if chapter and number:
        return chapter
    words = tuple(filter(None, (plain(asked), _singular(plain(asked)))))
    return next(filter(None, (_about(book, word) for word in words)), ())


def _about(book: str, word: str) -> tuple[Rule, ...]:
    word_of_text = rf"{re.escape(word)}(?!\w)"
    shown = re.compile(rf"`{word_of_text}|^\| (?:[^|\n]* )?{word_of_text}", re.IGNORECASE | re.MULTILINE)
    first = tuple(rule for rule in rules(book) if word in plain(rule.title) or shown.search(rule.text))
    return first or tuple(rule for rule in rules(book) if word in plain(rule.text))


def _singular(word: str) -> str:
    """A word without the ending of its plural; nothing if it has none."""
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") else ""
