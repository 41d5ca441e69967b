"""Answers to what players look up."""

from dataclasses import dataclass

from pbem.reports.letters.head import Letter


@dataclass(frozen=True)
class Help(Letter):
    """How to write to the server."""

    forms: tuple[str, ...] = ()
    """How orders are written: a line of each form, what it does after ``#``; none when there is nothing to order."""
    examples: tuple[str, ...] = ()
    """Order lines this player could send now."""
    service: str = ""
    """The server's address without any token."""


@dataclass(frozen=True)
class Rules(Letter):
    """An excerpt of the rulebook; the answer to ``RULES 6.4``."""

    asked: str
    """What was asked for."""
    excerpt: str = ""
    """Markdown, as the rulebook has it; nothing: no such rule."""
    contents: tuple[str, ...] = ()
    """Headings to ask for instead: ``6.4 Don't Pass in the Night``."""
