"""What the check tells beyond single lines; those stand in tests/cards (outlook, refusals, meetings)."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.core.dice import Dice
from pbem.core.orders import Line, Written
from pbem.core.turn import resolve
from pbem.rulesets.nippon.cards.checking import check
from pbem.rulesets.nippon.events import OrderVoid, TermsOffered
from pbem.rulesets.nippon.orders import Fortify, Hold, Move, Offer, Raze, Recover, Scatter
from pbem.rulesets.nippon.phases import ACTS, phases
from pbem.rulesets.nippon.view import view
from tests.rulesets.nippon.cards import spoken

MARCHING = spoken.position(spoken.USUAL)
SEEN = view(MARCHING, "A")


def checked(seen, *orders):
    """The check of orders that were read before."""
    return check(seen, [Written(order, Line(number, str(order))) for number, order in enumerate(orders, 1)])


# --- what is filed ------------------------------------------------------------------------------------------------


def test_way_is_settled_in_the_order_that_is_filed():
    """What was left open is fixed from now on, and told."""
    (verdict,) = checked(SEEN, Move("Iron Wall", (8,))).verdicts
    assert verdict.written == Written(Move("Iron Wall", (7, 8)), Line(1, "Iron Wall: move 8"))
    assert (verdict.subject, verdict.does) == ("Iron Wall", "MOVE 4 -> 7 -> 8")


@pytest.mark.parametrize(
    ("order", "does"),
    [
        (Hold("Red Dragons"), "HOLD in 3"),
        (Move("Iron Wall", (7,), raze=True), "RAZE 4, then MOVE 4 -> 7"),
        (Move("Swift Wings", (4,), by_land=True), "MOVE 2 -> 4 by land"),
        (Raze("Iron Wall"), "RAZE 4 and HOLD"),
        (Fortify("Swift Wings"), "FORTIFY in 2"),
    ],
)
def test_order_is_told_in_a_few_words(order, does):
    """The verb in capitals, and where."""
    (verdict,) = checked(SEEN, order).verdicts
    assert verdict.does == does


def test_settled_way_is_checked_again_without_change():
    """What is on file passes the check as it is."""
    (first,) = checked(SEEN, Move("Swift Wings", (9,))).verdicts
    (again,) = checked(SEEN, first.written.order).verdicts
    assert again.written.order == first.written.order


# --- what happens without orders ----------------------------------------------------------------------------------


def test_banners_without_an_order_hold():
    """Every one of them is named, in order."""
    assert checked(SEEN, Hold("Red Dragons")).defaults == (
        ("Iron Wall", "HOLD in 4"),
        ("Swift Wings", "HOLD in 2"),
    )


def test_scattered_banner_walks_home():
    """It needs no order and takes none."""
    seen = view(spoken.position(spoken.USUAL + "banner A Strays at 8 scattered"), "A")
    assert ("Strays", "WALKS home: 8 -> 7") in checked(seen).defaults


def test_scattered_banner_without_a_home_says_so():
    """There may be nowhere to walk to."""
    seen = view(spoken.position("map 1-2\nbanner A Strays at 1 scattered\nrealm A without headquarters"), "A")
    assert checked(seen).defaults == (("Strays", "SCATTERED: no own village, keep, stronghold or citadel to walk to"),)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("", "AUTOMATIC, if nobody reports a result"),
        ("option unfought draw", "a DRAW, if nobody reports a result"),
        ("option battles auto", "AUTOMATIC, when the stage closes"),
        ("option unfought draw\nrealm B withdrawn", "AUTOMATIC, when the stage closes"),
    ],
)
def test_what_becomes_of_a_battle_is_told(said, told):
    """It hangs on the campaign, and on whether anybody is left to report it."""
    assert checked(view(spoken.meeting(spoken.MET + said), "A")).matters == (("Battle in 2", told),)


def after(card, seat="B"):
    """The meeting after a card of one seat was carried out."""
    state = spoken.meeting()
    found, faults = spoken.handled(view(state, seat), card)
    assert not faults
    return resolve(ACTS, state, {seat: [each.written.order for each in found.verdicts]}, Dice()).state


def test_offer_is_put_to_the_other_side():
    """It waits for an answer; the check tells what accepting means."""
    seen = view(after("offer 2: truce 3, ask 200, cede 2"), "A")
    (number,) = seen.position.terms
    assert checked(seen).matters[0] == (
        f"P{number}",
        "Blue offers: you pay 200 pp to Blue; Blue cedes 2 Section 2 to you; truce of 3 turns\n"
        "DECLINED, if you do not answer",
    )
    found, _ = spoken.handled(seen, f"accept P{number}")
    assert found.verdicts[0].does == "ACCEPT the terms of Blue"
    assert found.verdicts[0].notes == (
        "you pay 200 pp to Blue",
        "Blue cedes 2 Section 2 to you",
        "truce of 3 turns",
    )


def test_terms_beyond_the_treasury_cannot_be_accepted():
    """The line offered instead declines them."""
    seen = view(after("offer 2: ask 900"), "A")
    (number,) = seen.position.terms
    _, (fault,) = spoken.handled(seen, f"accept P{number}")
    assert fault.reason == f"P{number} asks 900 pp of you; you have 500. (NIP 8.2)"
    assert fault.paste == f"decline P{number}"


def test_wrong_number_of_terms_is_mended_when_only_one_is_open():
    """Never taken, only offered."""
    seen = view(after("offer 2: truce 3"), "A")
    (number,) = seen.position.terms
    _, (fault,) = spoken.handled(seen, "accept P1")
    assert fault.reason == f"No terms P1 have been put to you. Open: P{number}. (NIP 8.2)"
    assert fault.paste == f"accept P{number}"


def test_how_talks_stand_is_told_to_those_who_have_a_part_in_them():
    """What is agreed, offered and wished for; each reads who is still waited for."""
    state = after('offer 2: truce 3\npropose B2 "Sunday"\nautomatic 2')
    (number,) = state.terms
    assert checked(view(state, "B")).matters == (
        (f"P{number}", "you offer: truce of 3 turns\nRed Duchy did not answer yet"),
        (
            "Battle in 2",
            "AUTOMATIC, if nobody reports a result\n"
            'date: "Sunday", as you proposed, to which nobody has agreed yet; '
            "if that is after the deadline, ask the organizer for more time\n"
            "you asked for an automatic battle, Red Duchy did not yet",
        ),
    )
    (_, (_, told)) = checked(view(state, "A")).matters
    assert told.endswith("Blue asked for an automatic battle, you did not yet")


def test_result_is_put_to_the_other_side():
    """It stands if nobody disputes it; its own side cannot judge it."""
    state = after("result 2: Blue victory")
    assert checked(view(state, "A")).matters == (
        (
            "Battle in 2",
            "the result stands as reported, if you do not dispute it\n"
            "reported: Blue victory; is it true? confirm 2, or dispute it",
        ),
    )
    found, _ = spoken.handled(view(state, "A"), 'dispute 2 "we held the hill"')
    assert (found.verdicts[0].subject, found.verdicts[0].does) == ("Battle in 2", "DISPUTE the result")
    disputed, _ = spoken.handled(view(state, "A"), 'dispute 2 "why"')
    assert disputed.verdicts[0].written.order.words == ""
    _, (fault,) = spoken.handled(view(state, "B"), "confirm 2")
    assert fault.reason == "You have reported that result yourself: the others judge it. (NIP 8.5)"


def test_nothing_can_be_ordered_when_the_campaign_is_over():
    """Whatever it is."""
    over = MARCHING.copy()
    over.stage = "over"
    assert [fault.reason for fault in checked(view(over, "A"), Hold("Red Dragons")).faults] == [
        "The campaign is over. (NIP 15.2)"
    ]


def test_order_to_a_banner_that_is_gone_is_refused():
    """Orders on file can outlive their banner."""
    (fault,) = checked(SEEN, Hold("Lost Legion")).faults
    assert fault.reason == "You have no banner Lost Legion. (NIP 4)"


def test_pact_can_be_broken_once():
    """All will know, and the pact still binds this turn."""
    state = spoken.position(spoken.USUAL + "pact truce A B until 9")
    found, faults = spoken.handled(view(state, "A"), "break with Blue")
    assert (faults, found.verdicts[0].does) == ([], "BREAK the pact")
    state.pacts = tuple(replace(pact, broken=1) for pact in state.pacts)
    _, (fault,) = spoken.handled(view(state, "A"), "break with Blue")
    assert fault.reason == "That pact is broken already. (NIP 8.2)"


# --- the check and the rules agree ----------------------------------------------------------------------------------

NAMES = st.sampled_from([banner.name for banner in MARCHING.banners_of("A")])
PATHS = st.lists(st.integers(1, 12), min_size=1, max_size=3).map(tuple)
ORDERS = st.one_of(
    st.builds(Move, NAMES, PATHS, by_land=st.booleans(), raze=st.booleans()),
    *(st.builds(kind, NAMES) for kind in (Hold, Raze, Fortify, Recover, Scatter)),
)


@settings(max_examples=60, deadline=None)
@given(ORDERS, st.integers(0, 99))
def test_checked_order_is_never_void_when_it_is_carried_out(order, seed):
    """Nothing is acknowledged that the turn then calls impossible."""
    found = checked(SEEN, order)
    filed = [verdict.written.order for verdict in found.verdicts]
    log = resolve(phases(MARCHING), MARCHING, {"A": filed}, Dice(bytes([seed]), lambda audience: b"sealed")).log
    assert [entry for entry in log if isinstance(entry.event, OrderVoid)] == []


OFFERS = st.builds(
    lambda gives, asks, cedes, claims: Offer(2, gives=gives, asks=asks, cedes=cedes, claims=claims, pact="passage"),
    *[st.lists(st.tuples(st.sampled_from("AB"), st.integers(0, 600)), max_size=1).map(tuple)] * 2,
    *[st.lists(st.integers(1, 3), max_size=2).map(tuple)] * 2,
)


@settings(max_examples=60, deadline=None)
@given(OFFERS)
def test_checked_offer_is_relayed(offer):
    """Nor an offer that the rules would drop; and they drop what it refuses."""
    state = spoken.meeting()
    found = checked(view(state, "A"), offer)
    log = resolve(ACTS, state, {"A": [offer]}, Dice()).log
    assert [isinstance(entry.event, TermsOffered) for entry in log] == [True] * len(found.verdicts)
