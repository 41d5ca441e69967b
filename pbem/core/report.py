"""A report as data: sections of text, lists, tables and forms. Text, HTML and JSON are made from it alone."""

from dataclasses import dataclass
from typing import Any

from pbem.core.dice import Roll


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    text: str


@dataclass(frozen=True)
class Items:
    """A list; an item may start with a bold word: ``("Red Dragons", "MOVE 13. Done.")``."""

    items: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Table:
    """Columns and rows. A column whose title starts with ``#`` holds numbers and is set flush right."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Choices:
    """Lines that can be sent, one by one, each with what it does."""

    items: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Form:
    """Lines to send back as they are or changed."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Map:
    """The place of the map picture; ``alt`` says all that it shows."""

    alt: str


@dataclass(frozen=True)
class Listing:
    """Lines shown exactly as they stand, such as a printed proof."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Bar:
    """What became of a whole, part by part, drawn as a bar with a label and a note."""

    label: str
    parts: tuple[int, ...]
    """One for each word of the legend."""
    note: str = ""


@dataclass(frozen=True)
class Bars:
    """A picture made of bars, in groups with a title each."""

    legend: tuple[str, ...]
    """What the parts are, best first: ``stood``, ``fled``, ``fell``; three at most."""
    groups: tuple[tuple[str, tuple[Bar, ...]], ...]


Block = Text | Items | Choices | Table | Form | Map | Listing | Bars


@dataclass(frozen=True)
class Section:
    """A headed part of a report. ``key`` names it for programs, ``title`` for people."""

    key: str
    title: str
    blocks: tuple[Block, ...]
    folded: bool = False
    """Says little that is new: where pages can fold, it shows only its title until somebody opens it."""


@dataclass(frozen=True)
class Story:
    """How a battle went: a section of its fighters' reports and, when nothing is secret any more, a page for all."""

    summary: str
    """Who fought, and how it ended: ``Thorn against Larks. Thorn won: solid victory.``"""
    section: Section


@dataclass(frozen=True)
class Proof:
    """What it takes to check the dice of a stage, and to know that the next ones are fixed already."""

    commitment: str
    """SHA-256 of :attr:`secret`, as printed in the report before."""
    secret: str
    """The secret of the stage that was resolved, hex; empty in the first report."""
    letters: tuple[str, ...]
    """The content hashes of the accepted order mails."""
    rolls: tuple[Roll, ...]
    """The open dice."""
    sealed_seed: str
    """The seed of the reader's own sealed dice, hex; empty if he had none."""
    sealed: tuple[Roll, ...]
    """The dice that only this reader knows."""
    next_commitment: str
    """SHA-256 of the secret of the stage that now opens."""


@dataclass(frozen=True)
class Report:
    """One seat's report of one stage, or the public one."""

    campaign: str
    title: str
    """The campaign's title."""
    headline: str
    """What happened in a line, for the subject: ``Turn 7 - you hold 11 sections, 1 battle``."""
    number: int
    """The number of the stage in the campaign, from 0 for set-up."""
    turn: int
    stage: str
    seat: str | None
    """The seat it is for; ``None`` for the public."""
    reader: str
    """The name of that seat."""
    sections: tuple[Section, ...]
    proof: Proof
    events: tuple[Any, ...] = ()
    """The events the seat may know, as documents with rule and dice: for programs."""
    position: Any = None
    """What the seat may know of the position, as a document: for programs."""
