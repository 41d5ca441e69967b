"""Terms of parley (NIP 8.2): what their numbers tell, what is told of them, and what is not even relayed."""

from dataclasses import fields
from typing import Any

import pytest

from pbem.core.dice import Dice
from pbem.core.turn import resolve
from pbem.reports.render import Templates
from pbem.rulesets.nippon.cards.bargains import summary
from pbem.rulesets.nippon.cases.drafts import Draft, build
from pbem.rulesets.nippon.cases.positions import POSITION
from pbem.rulesets.nippon.events import TermsOffered
from pbem.rulesets.nippon.orders import Answer, Offer
from pbem.rulesets.nippon.phases import ACTS, phases
from pbem.rulesets.nippon.state import State, Terms
from pbem.rulesets.nippon.view import View

LINES = """
map 1-2-3
section 3 controlled by C
banner A Red at 1
banner B Blue at 1
banner C Grey at 1
banner D Brown at 2
realm A treasury 100
"""

TRUCE = Offer(1, frozenset({"B"}), pact="truce", turns=3)


def said(*told: tuple[str, Any]) -> State:
    """A, B and C have met in 1, and some seats have said something since."""
    draft = Draft()
    for line in LINES.strip().splitlines():
        POSITION.read(line)(draft)
    state = resolve(phases(build(draft)), build(draft), {}, Dice(b"seed")).state
    for seat, order in told:
        state = resolve(ACTS, state, {seat: [order]}, Dice()).state
    return state


def test_number_of_terms_tells_nothing_of_other_terms():
    """A would otherwise learn that C and B are talking."""
    alone = said(("A", TRUCE))
    (number,) = alone.terms
    assert number in said(("C", TRUCE), ("A", TRUCE)).terms


def test_number_of_terms_holds_the_turn():
    (number,) = said(("A", TRUCE)).terms
    assert number // 1000 == 1


def test_same_terms_again_have_another_number():
    assert len(said(("A", TRUCE), ("A", TRUCE)).terms) == 2


HELD = {
    "gives": ((("A", "B", 1200),), "1,200 pp"),
    "cedes": ((("B", "A", 2),), "2 Section 2"),
    "items": ((("B", "A", "Sword of Might"),), "Sword of Might"),
    "pact": ("truce", "truce"),
    "turns": (3, "3 turns"),
    "words": ("let us share the fords", "let us share the fords"),
}
"""All that terms may hold, and what tells it."""

SETTING = {"number", "at", "by", "to", "accepted", "declined"}


def test_terms_hold_nothing_else():
    assert {field.name for field in fields(Terms)} == HELD.keys() | SETTING


@pytest.mark.parametrize("held", HELD)
def test_all_that_terms_hold_is_told_before_they_are_signed(held):
    """The report is what stands beside ACCEPT; the summary answers whoever accepts."""
    terms = Terms(1001, 1, "A", frozenset({"B"}), **{name: value for name, (value, _) in HELD.items()})
    view = View("B", said())
    telling = HELD[held][1]
    assert telling in Templates().say("nippon", view)(TermsOffered(terms))
    assert telling in "; ".join(summary(view, terms))


@pytest.mark.parametrize(
    ("seat", "order"),
    [
        ("D", Offer(1, words="peace")),
        ("A", Offer(2, words="peace")),
        ("A", Offer(1, frozenset({"D"}), words="peace")),
        ("A", Offer(1, frozenset({"B"}), gives=(("D", 10),))),
        ("A", Offer(1, frozenset({"B"}), gives=(("B", -10),))),
        ("A", Offer(1, frozenset({"B"}), cedes=(3,))),
        ("A", Offer(1, frozenset({"B"}), claims=(3,))),
    ],
    ids=[
        "not there",
        "no meeting",
        "to nobody there",
        "pays a stranger",
        "pays less than nothing",
        "not his",
        "not theirs",
    ],
)
def test_offer_that_the_check_should_have_refused_is_not_relayed(seat, order):
    assert said((seat, order)) == said()


@pytest.mark.parametrize("seat", ["A", "C", "D"])
def test_only_those_to_whom_terms_were_put_can_answer(seat):
    offered = said(("A", TRUCE))
    (number,) = offered.terms
    assert said(("A", TRUCE), (seat, Answer(number, accept=True))) == offered


def test_answer_to_terms_that_do_not_exist_does_nothing():
    assert said(("A", Answer(1001, accept=True))) == said()
