"""Results of battles (NIP 8.5): who sees them, what they may say, and what becomes of two that fit together."""

from dataclasses import replace
from typing import Any

import pytest

from pbem.core.dice import Dice
from pbem.core.ruleset import ORGANIZER
from pbem.core.turn import resolve
from pbem.rulesets.nippon.cases.drafts import Draft, build
from pbem.rulesets.nippon.cases.positions import POSITION
from pbem.rulesets.nippon.orders import AskAutomatic, AskDiceOff, JudgeResult, Order, ReportResult, Ruling, UnitLoss
from pbem.rulesets.nippon.phases import ACTS, phases
from pbem.rulesets.nippon.state import Loss, Meeting, Result, State
from pbem.rulesets.nippon.view import view

A_WINS = ReportResult(1, "A", "A", "victory", (UnitLoss("A Red", Loss("Warriors", 30, fled=2)),))
"""As A reports it, with its own losses."""


def met() -> State:
    """A and B are to fight in 1; C is elsewhere."""
    draft = Draft()
    for line in ("map 1-2", "banner A Red at 1", "banner B Blue at 1", "banner C Grey at 2"):
        POSITION.read(line)(draft)
    return resolve(phases(build(draft)), build(draft), {}, Dice(b"seed")).state


def said(*told: tuple[str, Any]) -> State:
    """The position after some seats have said something at once."""
    state = met()
    for seat, order in told:
        state = resolve(ACTS, state, {seat: [order]}, Dice()).state
    return state


def meeting(*told: tuple[str, Order]) -> Meeting:
    """The meeting after it."""
    return said(*told).meetings[1]


RULED = Ruling(1, None, "both were late")
LATE = {
    "a verdict": ("B", JudgeResult(1, confirm=True)),
    "a result": ("B", A_WINS),
    "a wish for dice": ("A", AskAutomatic(1)),
    "a dice-off": ("A", AskDiceOff(1)),
}
"""What players say after the organizer has ruled that dice decide."""


@pytest.mark.parametrize(("seat", "order"), LATE.values(), ids=LATE)
def test_what_comes_after_a_ruling_changes_nothing(seat, order):
    """Letters cross: the turn itself refuses what the card of an hour ago did not."""
    state = met()
    state.options = replace(state.options, disputes="organizer")
    for speaker, words in (("A", A_WINS), ("B", JudgeResult(1, confirm=False)), (ORGANIZER, RULED)):
        state = resolve(ACTS, state, {speaker: [words]}, Dice()).state
    assert resolve(ACTS, state, {seat: [order]}, Dice()).log == ()


def test_where_all_battles_are_automatic_no_result_counts():
    state = met()
    state.options = replace(state.options, battles="auto")
    assert resolve(ACTS, state, {"A": [A_WINS]}, Dice()).log == ()


@pytest.mark.parametrize(("seat", "sees"), [("A", True), ("B", True), ("C", False), (None, False)])
def test_reported_result_is_seen_by_those_who_were_there(seat, sees):
    seen = view(said(("A", A_WINS)), seat).position.meetings[1]
    assert (seen.next.result is not None) == sees


@pytest.mark.parametrize(("seat", "losses"), [("A", 1), ("B", 1), ("C", 0), (None, 0)])
def test_decided_battle_is_known_to_all_but_its_losses(seat, losses):
    bout = view(said(("A", A_WINS), ("B", JudgeResult(1, confirm=True))), seat).position.meetings[1].fought[0]
    assert (bout.winners, bout.result.degree, len(bout.result.losses)) == (("A",), "victory", losses)


def test_result_with_more_losses_completes_the_first_and_is_put_back():
    mine = UnitLoss("B Blue", Loss("Warriors", 10))
    result = meeting(("A", A_WINS), ("B", replace(A_WINS, losses=(mine,)))).next.result
    assert result is not None
    assert result.by == "B"
    assert dict(result.losses) == {"A Red": (Loss("Warriors", 30, 2),), "B Blue": (Loss("Warriors", 10),)}


def test_result_with_other_losses_of_the_same_unit_is_a_dispute():
    fewer = (UnitLoss("A Red", Loss("Warriors", 5)),)
    assert meeting(("A", A_WINS), ("B", replace(A_WINS, losses=fewer))).next.disputed == {"B"}


def test_result_without_losses_confirms():
    assert meeting(("A", A_WINS), ("B", replace(A_WINS, losses=()))).settled == "battle"


def test_no_losses_of_its_own_are_confirmed_by_a_result_that_does_not_name_them():
    """What the two say lies beside each other, each as its own side told it."""
    theirs = replace(A_WINS, losses=(*A_WINS.losses, UnitLoss("B Blue", Loss("Warriors", 10))))
    put = meeting(("A", theirs), ("B", replace(A_WINS, losses=()))).next
    assert put.disputed == {"B"}
    assert (put.result, put.version) == (Result("B", "A", "victory"), 2)


def test_losses_of_units_that_were_not_there_are_dropped():
    strange = (UnitLoss("C Grey", Loss("Warriors", 1)), UnitLoss("A Red", Loss("Dragons", 1)))
    result = meeting(("A", replace(A_WINS, losses=strange))).next.result
    assert result is not None
    assert result.losses == ()


def test_no_more_models_are_left_than_there_were():
    told = UnitLoss("A Red", Loss("Warriors", 99, standard_lost=True))
    result = meeting(("A", replace(A_WINS, losses=(told,)))).next.result
    assert result is not None
    assert result.losses == (("A Red", (Loss("Warriors", 40, standard_lost=True),)),)


def test_units_that_came_through_whole_are_no_losses():
    result = meeting(("A", replace(A_WINS, losses=(UnitLoss("A Red", Loss("Warriors", 40)),)))).next.result
    assert result is not None
    assert result.losses == ()


@pytest.mark.parametrize(
    ("seat", "order"),
    [
        ("C", A_WINS),
        ("A", replace(A_WINS, winner="C")),
        ("A", replace(A_WINS, at=2)),
        ("B", JudgeResult(1, confirm=True)),
        ("C", JudgeResult(1, confirm=False)),
    ],
    ids=["a stranger reports", "a stranger wins", "no meeting", "nothing to confirm", "a stranger disputes"],
)
def test_what_the_check_should_have_refused_does_nothing(seat, order):
    assert said((seat, order)) == met()


def test_second_report_of_the_same_side_takes_the_place_of_the_first():
    result = meeting(("A", A_WINS), ("A", replace(A_WINS, degree="massacre"))).next.result
    assert result is not None
    assert result.degree == "massacre"
