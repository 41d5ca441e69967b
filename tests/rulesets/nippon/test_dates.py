"""Dates and deputies (NIP 8.8): what a deputy sees and may say, and who learns how somebody can be reached."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.core.dice import Dice
from pbem.core.turn import resolve
from pbem.rulesets.nippon.briefing import battle_facts
from pbem.rulesets.nippon.cards.form import answers, form
from pbem.rulesets.nippon.events import DefenceTaken, DeputyNamed, SpoilsChosen
from pbem.rulesets.nippon.fighting import residents
from pbem.rulesets.nippon.orders import Cannot, Contact, Defend, NameDeputy, Offer, ProposeDate, Volunteer
from pbem.rulesets.nippon.phases import ACTS
from pbem.rulesets.nippon.view import view
from tests.rulesets.nippon.cards import spoken

LINES = (
    spoken.MET
    + """realm C named "Crane Host"
realm C treasury 70
realm D named "Iron Carp"
banner B "Far Fist" at 3
banner C Grey at 1
"""
)
DEPUTY = NameDeputy(2, "C", "Crane Host")


def said(*told):
    """The meeting of A and B in 2 after some seats have said something at once; C is next door, D nowhere."""
    state = spoken.meeting(LINES)
    for seat, order in told:
        state = resolve(ACTS, state, {seat: [order]}, Dice()).state
    return state


def test_a_deputy_sees_the_battle_as_his_side_does():
    """His own side's units are known to the point, the other side's by type and number."""
    state = said(("A", DEPUTY))
    seen = view(state, "C").position
    assert seen.banners["A Red Dragons"].units == state.banners["A Red Dragons"].units
    assert seen.banners["B Red Fist"] == view(state, "A").position.banners["B Red Fist"]
    assert seen.meetings[2] == state.meetings[2]


def test_a_deputy_sees_nothing_else_of_that_realm():
    """Neither what it has elsewhere, nor its treasury, nor what it is offered."""
    state = said(("B", DEPUTY), ("A", Offer(2, gives=(("B", 5),))))
    seen = view(state, "C").position
    assert seen.banners["B Far Fist"].units == ()
    assert [seen.realms[seat].treasury for seat in "ABC"] == [0, 0, 70]
    assert seen.terms == {}


@pytest.mark.parametrize("ended", ["settled", "given back"])
def test_a_deputy_sees_only_while_it_is_open(ended):
    """After that he knows what everybody knows."""
    state = said(("A", DEPUTY))
    if ended == "settled":
        state.change_meeting(2, settled="battle")
    else:
        state = resolve(ACTS, state, {"C": [Cannot(2)]}, Dice()).state
    seen, stranger = view(state, "C").position, view(state, "D").position
    assert seen.banners["A Red Dragons"] == stranger.banners["A Red Dragons"]
    assert seen.meetings == stranger.meetings


@settings(deadline=None, max_examples=20)
@given(
    contacts=st.fixed_dictionaries({seat: st.text("ab@. ", max_size=9) for seat in "ABC"}),
    ready=st.sets(st.sampled_from("ABC")),
    deputy=st.booleans(),
)
def test_contact_is_seen_by_those_who_meet_and_by_nobody_else(contacts, ready, deputy):
    """A stranger and the public see the same whatever is said; who sits at the table sees whoever else does."""
    state = said(("A", DEPUTY)) if deputy else said()
    before = {seat: view(state, seat) for seat in ("D", None)}
    for seat, words in contacts.items():
        state.change_realm(seat, contact=words, volunteers=seat in ready)
    assert {seat: view(state, seat) for seat in before} == before
    table = "ABC" if deputy else "AB"
    for seat in "ABC":
        seen = {other: view(state, seat).position.realms[other].contact for other in contacts}
        shared = table if seat in table else ""
        assert seen == {other: words if other in (*shared, seat) else "" for other, words in contacts.items()}


@pytest.mark.parametrize(("seat", "sees"), [("A", True), ("B", False), ("D", False), (None, False)])
def test_volunteers_are_known_to_who_cannot_play(seat, sees):
    state = said(("C", Volunteer()), ("A", Cannot(2, "away")))
    assert view(state, seat).position.realms["C"].volunteers == sees
    offers = [line for line in form(view(state, seat)) if "deputy Crane Host" in line] if seat else []
    assert bool(offers) == sees


@pytest.mark.parametrize("first", ["C", "A"])
def test_who_cannot_play_is_told_who_would_whoever_says_so_first(first):
    """With the line that names him; others do not learn it."""
    told = {"C": Volunteer(), "A": Cannot(2)}
    state = said(*sorted(told.items(), key=lambda each: each[0] != first))
    ((_, standing),) = spoken.handled(view(state, "A"), "")[0].matters
    assert standing.endswith("you cannot play it; who would: deputy Crane Host for B2")
    assert answers(view(state, "A")) == (("deputy Crane Host for B2", "would play it for you"),)
    assert answers(view(state, "B")) == ()


def test_who_volunteers_later_is_news_for_who_cannot_play():
    state = said(("A", Cannot(2)))
    log = resolve(ACTS, state, {"C": [Volunteer()]}, Dice()).log
    assert [entry.audience for entry in log] == [frozenset("AC")]


def test_only_those_are_named_who_could_play_for_another():
    _, (fault,) = spoken.handled(view(said(), "A"), "deputy Cleo for B2")
    assert "There are: Crane Host, Iron Carp." in fault.reason


@pytest.mark.parametrize(("seat", "sees"), [("A", True), ("B", True), ("C", False), (None, False)])
def test_what_is_arranged_is_known_at_the_meeting(seat, sees):
    state = said(("A", ProposeDate(2, "Saturday")), ("B", Cannot(2)))
    meeting = view(state, seat).position.meetings[2]
    assert (meeting.next.date, meeting.next.date_by, meeting.cannot) == (
        ("Saturday", "A", frozenset({"B"})) if sees else ("", "", frozenset())
    )


def test_the_deputy_gets_the_card_of_his_battle_at_once():
    """Whom he plays for has points, the other side what its army list asks at least; nobody else gets one."""
    state = said(("B", Contact("ben@example.org")), ("A", DEPUTY))
    named = DeputyNamed(2, "A", "C")
    card = dict(battle_facts(view(state, "C"), [named]))
    points = state.banners["A Red Dragons"].points
    assert card["Red Duchy's Red Dragons"] == f"{points:,} points: Captain Oda, Iron Guard (20)"
    assert card["Blue's Red Fist"].endswith("Lord Kuma, Bowmen (15)")
    assert "points" not in card["Blue's Red Fist"]
    assert card["Contact of Blue"] == '"ben@example.org"'
    assert card["Deputy"] == "you for Red Duchy"
    assert battle_facts(view(state, "A"), [named]) == battle_facts(view(state, "B"), [named]) == ()


def test_the_form_of_a_deputy_holds_the_result_to_fill_in():
    """All its lines are understood as they stand."""
    state = said(("A", DEPUTY))
    seen = view(state, "C")
    lines = form(seen)
    assert lines[0] == "# 2 Section 2, where you play for Red Duchy:"
    start = lines.index("# result 2: Red Duchy victory")
    card = "\n".join(line.removeprefix("# ") for line in lines[start:] if "comma" not in line)
    found, faults = spoken.handled(seen, card.partition("musician")[0])
    assert not faults
    assert [each.does for each in found.verdicts] == ["RESULT: RED DUCHY VICTORY"]
    assert [line for line, _ in answers(seen)] == ['cannot B2 "why"']


def test_a_proposed_date_can_be_answered_with_one_line():
    state = said(("A", ProposeDate(2, "Saturday 15:00")))
    assert ("agree B2", 'says yes to "Saturday 15:00", as Red Duchy proposes') in answers(view(state, "B"))
    assert answers(view(state, "A")) == ()


@pytest.mark.parametrize(("seat", "sees"), [("A", True), ("B", False), ("C", False), ("D", False), (None, False)])
def test_what_is_wanted_of_the_spoils_is_secret(seat, sees):
    """C is the deputy: he plays the battle, and no more."""
    state = said(("A", DEPUTY))
    SpoilsChosen(2, "A", "take", ("Sword of Might",)).apply(state)
    assert bool(view(state, seat).position.meetings[2].spoils) == sees


def test_a_withdrawn_deputy_leaves_the_battle_to_dice():
    state = said(("A", Cannot(2)), ("A", DEPUTY))
    state.options = replace(state.options, unfought="draw")
    state.realms["C"] = replace(state.realms["C"], status="withdrawn")
    assert form(view(state, "C")) == ()
    ((_, told),) = spoken.handled(view(state, "A"), "")[0].matters
    assert told.startswith("AUTOMATIC, if nobody reports a result")


def test_whoever_takes_a_defence_gets_the_card_of_the_assault_and_so_does_the_attacker():
    """With the units of both sides; nobody else gets one."""
    state = spoken.meeting(spoken.ASSAULT + 'realm C named "Crane Host"\nbanner C Grey at 3\n')
    state = resolve(ACTS, state, {"B": [Defend(2)]}, Dice()).state
    garrison = [unit for _, unit in residents(state, 2)]
    for seat in "AB":
        card = dict(battle_facts(view(state, seat), [DefenceTaken(2, "B")]))
        assert "Iron Guard (20)" in card["Red Dragons" if seat == "A" else "Red Duchy's Red Dragons"]
        assert all(any(key.startswith(unit.name) for key in card) for unit in garrison)
    assert battle_facts(view(state, "C"), [DefenceTaken(2, "B")]) == ()
