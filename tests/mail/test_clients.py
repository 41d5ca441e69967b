"""Whatever program, language and shape: every order that the writer wrote is read, and none that he only quotes."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.mail.reading.card import Card, read_card
from pbem.mail.reading.letter import read_letter
from tests.mail.clients import LEADS, MARKED, PAGES, Lines, Shape, above_unmarked, word_page

ORDERS = (
    "Red Dragons: move 14",
    "Blue Herons: raze 20 and hold",
    "From: Vega To: Rigel",
    "To: Rigel",
    "Date: the sooner the better",
    "Subject: peace",
    "On turn 8 attack Vega",
    "On 30 Nov 2026 at 10:00 attack Vega",
    "Best regards to the Blue Herons",
    "Sent the Red Dragons to 14",
    "Sent from 12: the Red Dragons",
    "--- Red Dragons ---",
    "message to Blue: as you wrote:",
    "- Iron Wall: move 5",
    "1. Iron Wall: move 5",
    "3: move 39",
    "==========",
    "--",
    "OK",
    "FINAL",
    "Ana <ana@example.org> is away",
    "ask demo@x.example",
    "Am 30.11. nach Vega",
    "W dniu bitwy: atak",
)
"""Lines that a player may write; some look like leads."""

own = st.lists(st.sampled_from(ORDERS), min_size=1, max_size=4)
old = st.lists(st.sampled_from(ORDERS).map("Old {}".format), min_size=1, max_size=4)
leads = st.sampled_from(sorted(LEADS.values()))


def card_in(kind: str, text: str) -> Card:
    """The card in a mail of ``plain`` or ``html`` text."""
    return read_card(read_letter(f"Content-Type: text/{kind}; charset=utf-8\n\n{text}".encode()).body)


def check(card: Card, written: Lines, quoted: Lines) -> None:
    read = [line.text for line in card.lines]
    assert [line for line in read if line in written] == list(written)
    assert [line for line in read if line.startswith("Old")] == []
    assert [line for line in quoted if line not in [each.text for each in card.quoted]] == []


@given(own, leads, old, st.sampled_from([*MARKED, above_unmarked]))
def test_plain_answer(written: Lines, lead: str, quoted: Lines, shape: Shape) -> None:
    check(card_in("plain", shape(written, lead, quoted)), written, quoted)


@example(["Ana <ana@example.org> is away"], "On Mon, Nov 30 Demo wrote:", ["Old Red Dragons: move 14"], word_page)
@given(own, leads, old, st.sampled_from(PAGES))
def test_page(written: Lines, lead: str, quoted: Lines, shape: Shape) -> None:
    check(card_in("html", shape(written, lead, quoted)), written, quoted)


@pytest.mark.parametrize("name", LEADS)
def test_lead_of_every_program_cuts_what_stands_below_it(name: str) -> None:
    for kind, shape in (("plain", above_unmarked), ("html", word_page)):
        card = card_in(kind, shape(["Red Dragons: move 14"], LEADS[name], ["Red Dragons: hold"]))
        assert [line.text for line in card.lines] == ["Red Dragons: move 14"]
