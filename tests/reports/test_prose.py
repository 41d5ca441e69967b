"""The rulebook's Markdown as blocks."""

from pbem.core.report import Items, Section, Table, Text
from pbem.reports.prose import sections

BOOK = """\
Before all.

## 6.4 Passing

Where **hostile** banners
cross, `dice` decide: `captain "Ito"`.

- one
  goes on
- two

| roll | does |
|---|---|
| 1 | lost |
"""


def test_sections_hold_paragraphs_lists_and_tables() -> None:
    assert sections(BOOK) == (
        Section("", "", (Text("Before all."),)),
        Section(
            "",
            "6.4 Passing",
            (
                Text('Where hostile banners cross, "dice" decide: \'captain "Ito"\'.'),
                Items((("", "one goes on"), ("", "two"))),
                Table(("roll", "does"), (("1", "lost"),)),
            ),
        ),
    )
