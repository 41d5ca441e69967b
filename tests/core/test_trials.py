"""The player of rule cases, tried on the toy: what it accepts, and what it says of what comes out otherwise."""

import pytest

from pbem.core.cases import read_cases
from pbem.core.trials import BadLine, Vocabulary, spelled
from tests.toy import TOY

START = "hand A 3 7 9\nhand B 4 5 6\n"


def played(*lines: str) -> tuple[str, ...]:
    """What is said of a case that begins with the hands of START; its first line after them is line 4."""
    text = f"CASE 1.1 title\n{START}" + "\n".join(lines)
    (case,) = read_cases("gate.txt", text.replace("\n", "\n  "))
    return tuple(TOY.play_case(case))


@pytest.mark.parametrize(
    "lines",
    [
        ["order A: lay 7", "event 1.1 Laid seat=A card=7 bold=no to all"],
        ["order A: lay 7", "play", "stage lay"],
        ["order A: lay 7", "play lay", "order B: lay 5", "play lay", "won A 1"],
        ["order A: lay 7", "hand A 3 9", "order B: lay 5", "won A 1"],
        ["order A: lay 3", "order A: lay 7", "hand A 3 9"],
        ["order A: lay 8", 'refused A "not hold"'],
        ["unchecked order A: lay 9", "hand A 3 7"],
        ["die bold A 7 = 4", "order A: lay 7 boldly", 'rolled "bold A 7"', 'rolled "bold A 7" = 4'],
        ["dice any = 9", "order A: lay 7 boldly", 'rolled "bold A 7" = 6'],
        ["order A: lay 7", 'not rolled "bold A 7"', "no event Emboldened"],
        ["order B: taunt hm", "event Taunted", "no event Taunted seat=A"],
        ["order A: lay 7", "event Laid to all", "no event Laid to A"],
    ],
)
def test_a_case_that_holds_has_nothing_said_of_it(lines):
    assert played(*lines) == ()


DIFFERENCES = {
    "an event that is not there": (
        ["order A: lay 7 boldly", "die bold A 7 = 4", "event 1.3 Won"],
        "line 6: event 1.3 Won: no such event; the log says:\n"
        "    event 1.1 Laid seat=A card=7 bold=yes\n"
        "    event 1.2 Emboldened seat=A die=4 to A   [bold A 7 = 4]",
    ),
    "another rule": (
        ["order A: lay 7", "event 1.2 Laid"],
        "line 5: event 1.2 Laid: no such event; the log says:\n    event 1.1 Laid seat=A card=7 bold=no",
    ),
    "an event that should not be there": (
        ["order A: lay 7", "no event Laid card=7"],
        "line 5: no event Laid card=7: there is:\n    event 1.1 Laid seat=A card=7 bold=no",
    ),
    "an event that does not exist": (
        ["order A: lay 7", "event Layed"],
        "line 5: event Layed: no event is called Layed; near are: Laid",
    ),
    "another position": (["order A: lay 7", "won A 1"], "line 5: won A 1: he has won 0"),
    "another stage to play": (["play orders"], "line 4: play orders: the position is in stage lay"),
    "another stage reached": (["order A: lay 7", "stage over"], "line 5: stage over: the stage is lay"),
    "an order refused": (["order A: lay 8"], "line 4: the order was refused: You do not hold the 8 (1.1)."),
    "an order not refused": (["order A: lay 7", 'refused A "hold"'], 'line 5: refused A "hold": it was not refused'),
    "an order refused for another reason": (
        ["order A: lay 8", 'refused A "asleep"'],
        'line 5: refused A "asleep": the reason was: You do not hold the 8 (1.1).',
    ),
    "no order at all": (
        ["order A: the weather"],
        "line 4: order A: the weather: 'the weather' does not look like an order",
    ),
    "a die that was not rolled": (
        ["order A: lay 7", 'rolled "bold A 7"'],
        'line 5: rolled "bold A 7": it was not; these were: none',
    ),
    "a die that was rolled": (
        ["dice bold A 7 = 4", "order A: lay 7 boldly", 'not rolled "bold A 7"'],
        'line 6: not rolled "bold A 7": it was',
    ),
    "a die that shows another value": (
        ["dice bold A 7 = 4", "order A: lay 7 boldly", 'rolled "bold A 7" = 5'],
        'line 6: rolled "bold A 7" = 5: it shows 4',
    ),
    "a die without a value": (
        ["order A: lay 7 boldly", "stage lay"],
        "a die was rolled to which no line gives a value: bold A 7 (D6)",
    ),
    "a value without a die": (
        ["die bold A 8 = 4", "order A: lay 7", "stage lay"],
        "the die bold A 8 has a value, but was never rolled",
    ),
    "a value that the die does not have": (
        ["die bold A 7 = 7", "order A: lay 7 boldly", "stage lay"],
        "line 6: the rules stopped: 'bold A 7' is a D6 and cannot show 7",
    ),
    "dice that are equal for ever": (
        ["dice any = 3", "lead B", "table B 1 die 2", "order A: lay 3", "play"],
        "line 8: the rules stopped: more than 2000 dice",
    ),
    "a position that cannot be": (["hand B 3"], "the position does not hold together: a card is in two places"),
    "an unknown word": (["hnad A 3"], "line 4: 'hnad' is no word known here; did you mean 'hand'?"),
    "a word like no other": (
        ["xylophone"],
        "line 4: 'xylophone' is no word known here; known are: deck, dice, die, event, hand, lead, no event, "
        "not rolled, order, play, readmit, refused, rolled, rule, stage, table, unchecked order, withdraw, won",
    ),
    "a known word used otherwise": (
        ["table A"],
        "line 4: cannot read 'table A'; write it like this: table SEAT CARD [die DIE]",
    ),
    "dice that cannot be read": (
        ["dice bold A 7"],
        "line 4: dice bold A 7: cannot read 'bold A 7'; write it like this: dice LABEL = VALUE, LABEL = VALUE",
    ),
    "a position after the play": (
        ["order A: lay 7", "play", "table A 3"],
        "line 6: 'table A 3' describes the position and belongs above the first order, play and expectation",
    ),
}


@pytest.mark.parametrize(("lines", "said"), DIFFERENCES.values(), ids=DIFFERENCES)
def test_what_comes_out_otherwise_is_said(lines, said):
    (first,) = played(*lines)
    assert first[: len(said)] == said


def test_every_flaw_of_a_case_is_told_at_once():
    assert len(played("hnad A 3", "table A", "xylophone")) == 3


def test_all_dice_without_a_value_are_told_at_once():
    assert played("lead B", "table B 1 die 2", "order A: lay 3", "won A 1") == (
        "a die was rolled to which no line gives a value: toss A 1 (D6)",
        "a die was rolled to which no line gives a value: toss B 1 (D6)",
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "yes"),
        (False, "no"),
        (None, "nothing"),
        ("", "nothing"),
        ((), "nothing"),
        (12, "12"),
        ((3, 4), "3,4"),
        (frozenset("BA"), "A,B"),
        ((("A", 3), ("B", 4)), "A 3,B 4"),
    ],
)
def test_values_are_spelled_as_cases_write_them(value, text):
    assert spelled(value) == text


# --- phrases ----------------------------------------------------------------------------------------------------------


def filled(template: str, text: str) -> object:
    """What a phrase finds in its blanks."""
    vocabulary = Vocabulary()
    vocabulary.phrase(template)(lambda subject, **blanks: blanks)
    return vocabulary.read(text)(None)


@pytest.mark.parametrize(
    ("template", "text", "blanks"),
    [
        ("at {banner} {number:int}", "at A Red Dragons 2", {"banner": "A Red Dragons", "number": 2}),
        ("pact {a:seat} {b:seat}[ until {turn:int}]", "pact A B", {"a": "A", "b": "B"}),
        ("pact {a:seat} {b:seat}[ until {turn:int}]", "pact A B until 5", {"a": "A", "b": "B", "turn": 5}),
        ("event[ {rule:rule}] {kind:word}", "event 6.4 Passed", {"rule": "6.4", "kind": "Passed"}),
        ("event[ {rule:rule}] {kind:word}", "event Passed", {"kind": "Passed"}),
        ("say {words:quoted}", 'say "a  b"', {"words": "a  b"}),
        ("two words", "two   words", {}),
    ],
)
def test_a_phrase_finds_what_is_in_its_blanks(template, text, blanks):
    assert filled(template, text) == blanks


@pytest.mark.parametrize("text", ["pact A", "pact a B", "pact A B until", "pact A B until x", "pact A B  C"])
def test_what_does_not_fit_a_phrase_is_a_bad_line(text):
    with pytest.raises(BadLine):
        filled("pact {a:seat} {b:seat}[ until {turn:int}]", text)


def test_a_row_of_phrases_takes_the_longest_that_fits():
    marks = Vocabulary()
    for mark in ("monster", "monster slayer", "points {points:int}"):
        marks.phrase(mark)(lambda subject, mark=mark, **blanks: (mark, blanks))
    found = [mark(None) for mark in marks.read_all("points 5 monster slayer monster")]
    assert found == [("points {points:int}", {"points": 5}), ("monster slayer", {}), ("monster", {})]


def test_a_row_of_phrases_does_not_stop_within_a_word():
    marks = Vocabulary()
    marks.phrase("port")(lambda subject: None)
    with pytest.raises(BadLine):
        list(marks.read_all("portal"))
