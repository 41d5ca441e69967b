"""Lines about meetings that do not say which one: with one it is that, with several the answer lists what to send."""

import pytest

from pbem.rulesets.nippon.cards.form import answers
from pbem.rulesets.nippon.view import View, view
from tests.rulesets.nippon.cards import spoken

ONE = spoken.MET + 'realm C named "Crane Host"\nbanner C Grey at 3\n'
TWO = """
map 1-2, 3-4
realm A named "Red Duchy"
realm B named "Blue"
realm C named "Crane Host"
banner A "Red Dragons" at 2
banner A "Iron Wall" at 4
banner B "Red Fist" at 2
banner C Grey at 4
"""
NONE = TWO.replace("C Grey at 4", "C Grey at 3").replace('Red Fist" at 2', 'Red Fist" at 1')
REPORTED = {"B": "result 2: draw", "C": "result 4: draw"}
QUARREL = (REPORTED, {"A": "dispute 2\ndispute 4"})
DATED = {"B": "propose B2 Sunday", "C": "propose B4 Monday"}

LINES = [
    ("confirm", [REPORTED], "confirm {}"),
    ("Confirm!", [REPORTED], "confirm {}"),
    ("dispute", [REPORTED], "dispute {}"),
    ('dispute "we drew"', [REPORTED], 'dispute {} "we drew"'),
    ("dice-off", QUARREL, "dice-off {}"),
    ("agree", [DATED], "agree B{}"),
    ("accept", [DATED], "agree B{}"),
    ("auto", [], "automatic {}"),
    ("table", [], "table {}"),
    ("cannot", [], "cannot B{}"),
    ('cannot "away"', [], 'cannot B{} "away"'),
    ("propose Saturday 15:00", [], 'propose B{} "Saturday 15:00"'),
    ("offer truce 3", [], "offer {}: truce 3"),
    ("result draw", [], "result {}: draw"),
]
"""What is written, what has been said by others before, and the line that is meant."""


def seen(text: str, *cards: dict[str, str]) -> View:
    """What A sees when lines of some seats have been carried out, one card after the other."""
    state = spoken.meeting(text) if text != NONE else spoken.position(text)
    return view(spoken.after(state, *cards), "A")


@pytest.mark.parametrize(("written", "before", "meant"), LINES)
def test_with_one_battle_open_it_is_that(written, before, meant):
    checked, faults = spoken.handled(seen(ONE, *before), written)
    assert [str(each.written.order) for each in checked.verdicts] == [meant.format(2)]
    assert not faults


@pytest.mark.parametrize(("written", "before", "meant"), LINES)
def test_with_several_the_answer_lists_the_lines(written, before, meant):
    """None of them is offered to be pasted: that would be a guess."""
    checked, (fault,) = spoken.handled(seen(TWO, *before), written)
    assert not checked.verdicts
    assert f"{meant.format(2)} or {meant.format(4)}" in fault.reason.replace("result 2 ", "result 2: draw ")
    assert not fault.paste


@pytest.mark.parametrize("written", ["confirm", "dispute", "agree", "auto", "table", "cannot", "cannot B2", "cannot 2"])
def test_with_none_the_answer_says_so(written):
    """It does not take the line for a slip, or for a greeting."""
    checked, (fault,) = spoken.handled(seen(NONE), written)
    assert not checked.verdicts
    assert any(fault.reason.startswith(begun) for begun in ("You have no", "No result waits", "Nobody has"))
    assert not fault.paste


OFFERED = {"B": "offer 2: truce 1"}


@pytest.mark.parametrize(
    ("written", "before", "meant"),
    [
        ("agree", [OFFERED, {"B": "result 2: draw"}], ["confirm 2", "accept P{}"]),
        ("accept", [OFFERED, {"B": "result 2: draw"}, {"B": "result 2: Blue massacre"}], ["confirm 2-2", "accept P{}"]),
        ("agree", [OFFERED, {"B": "automatic 2"}], ["automatic 2", "accept P{}"]),
        ("agree", [{"B": "propose B2 Sunday"}, {"B": "result 2: draw"}], ["confirm 2", "agree B2"]),
        ("decline", [OFFERED, {"B": "result 2: draw"}], ['dispute 2 "why"', "decline P{}"]),
    ],
)
def test_a_yes_or_no_to_one_of_two_things_is_asked_about_and_nothing_done(written, before, meant):
    """Whoever has just read of a result does not mean the offer that was made before it."""
    asked = seen(ONE, *before)
    checked, (fault,) = spoken.handled(asked, written)
    assert not checked.verdicts
    number = next((terms.number for terms in asked.position.terms.values()), 0)
    assert f"Send one of these: {' or '.join(meant).format(number)}." in fault.reason
    assert not fault.paste


def test_confirm_is_the_example_when_a_result_waits():
    """What was just asked for stands first."""
    _, (fault,) = spoken.handled(seen(ONE, REPORTED), "result")
    assert "Write it like this: confirm 2, " in fault.reason


def test_the_only_banner_in_the_only_meeting_is_meant():
    """Of several banners the one that has met somebody."""
    told = spoken.handled(seen(ONE + 'banner A "Iron Wall" at 1\n'), "retreat to 1\nplan: centre Iron Guard")[0]
    assert [str(each.written.order) for each in told.verdicts] == [
        "Red Dragons: retreat to 1",
        "plan Red Dragons: centre Iron Guard",
    ]


@pytest.mark.parametrize(
    "written",
    [
        "offer {}: truce 2",
        "result {}: draw",
        "automatic {}",
        "confirm {}",
        "dispute {}",
        "dice-off {}",
        "agree B{}",
        "cannot B{}",
    ],
)
def test_a_line_about_a_battle_that_is_settled_is_not_turned_to_another_enemy(written):
    """What comes near is offered only where a number can be nothing but a slip."""
    settled = {"A": "result 2: draw"}, {"B": "confirm 2"}, {"C": "result 4: draw"}
    _, (fault,) = spoken.handled(seen(TWO, *settled), written.format(2))
    assert not fault.paste


def test_an_answer_to_terms_is_not_turned_to_those_of_somebody_else():
    """Unless it names none that were ever put to him."""
    state = seen(TWO, {"B": "offer 2: truce 2"}, {"C": "offer 4: truce 1"}, {"A": "result 2: draw"}, {"B": "confirm 2"})
    blue, crane = sorted(state.position.terms.values(), key=lambda terms: terms.by)
    assert spoken.handled(state, f"accept P{blue.number}")[1][0].paste == ""
    unknown = max(blue.number, crane.number) + 1
    assert spoken.handled(state, f"accept P{unknown}")[1][0].paste == f"accept P{crane.number}"


@pytest.mark.parametrize(
    ("before", "line"),
    [
        ([{"B": "offer 2: truce 1"}], "accept P"),
        ([{"B": "propose B2 Sunday"}], "agree B2"),
        ([REPORTED], "confirm 2"),
        ([{"B": "automatic 2"}], "automatic 2"),
        ([REPORTED, {"A": "dispute 2"}, {"B": "dice-off 2"}], "dice-off 2"),
        ([REPORTED, {"A": "dispute 2"}, {"B": "automatic 2"}], "automatic 2"),
    ],
)
def test_whatever_others_ask_for_comes_with_the_line_that_says_yes(before, line):
    """As long as it has not been said."""
    asked = seen(ONE, *before)
    assert any(offered.startswith(line) for offered, _ in answers(asked))
    said = next(offered for offered, _ in answers(asked) if offered.startswith(line))
    assert said not in dict(answers(seen(ONE, *before, {"A": said})))
