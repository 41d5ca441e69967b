"""The verb table: patterns with slots, names in any dress, faults with corrections."""

import pytest

from pbem.core.grammar import Grammar, Misread, Names, Verb, bare, mended, read_each, tidy
from pbem.core.orders import Fault, Line

CARDS = Names([("Ace of Hearts", "AH"), ("Ten of Clubs", "10C"), ("Ten", "10")])


def card(known, text):
    """A slot: a card of the hand."""
    found = CARDS.find(text)
    if found is None:
        raise Misread(f"no card is called {text!r}", (text, CARDS.near(text)[0]) if CARDS.near(text) else None)
    return found


GRAMMAR = Grammar(
    [
        Verb("play {card} to|for {pile}", lambda known, card, pile: ("play", card, pile)),
        Verb("play [the] {card}", lambda known, card: ("play", card)),
        Verb("bid [up to] [P]{amount}", lambda known, amount: ("bid", amount)),
        Verb("swap [{card}] [,] [and] pass|skip", lambda known, card="any": ("swap", card)),
        Verb("pass|skip", lambda known: ("pass", known)),
    ],
    {"card": card, "pile": lambda known, text: text, "amount": lambda known, text: int(text)},
    "play Ten, pass.",
)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("play Ten", ("play", "10")),
        ("PLAY the ace of hearts", ("play", "AH")),
        ("play Ten of Clubs to north", ("play", "10C", "north")),
        ("play Ten for north", ("play", "10", "north")),
        ("bid 3", ("bid", 3)),
        ("bid P3", ("bid", 3)),
        ("bid up to P3", ("bid", 3)),
        ("swap and pass", ("swap", "any")),
        ("swap Ten, skip", ("swap", "10")),
        ("skip", ("pass", "me")),
    ],
)
def test_pattern_fits(text, order):
    """Words, alternatives, what may be left out, and slots, glued or not."""
    assert GRAMMAR.read("me", text) == order


@pytest.mark.parametrize(
    ("text", "reason", "fix"),
    [
        ("plya Ten", "I do not know the order 'plya'. Did you mean 'play'?", ("plya", "play")),
        ("dance", "I do not know the order 'dance'. Write it like this: play Ten, pass.", None),
        ("play", "'play' does not say enough. Write it like this: play Ten, pass.", None),
        ("play Tne", "no card is called 'Tne'", ("Tne", "Ten")),
        ("passing", "I do not know the order 'passing'. Write it like this: play Ten, pass.", None),
    ],
)
def test_misread_says_what_is_wrong_and_what_may_be_right(text, reason, fix):
    """The correction is offered as words to put in place of others."""
    with pytest.raises(Misread) as caught:
        GRAMMAR.read("me", text)
    assert (caught.value.reason, caught.value.fix) == (reason, fix)


def read(text):
    """A reader as a rule system would write it."""
    if text.startswith("Dear"):
        return None
    return [GRAMMAR.read("me", text)] if text else []


@pytest.mark.parametrize(
    ("text", "fits"),
    [("play nothing to anybody", True), ("play nothing", False), ("swap pass", True), ("fold", False)],
)
def test_line_has_the_shape_of_a_pattern_if_it_has_more_of_its_words_than_the_verb(text, fits):
    assert GRAMMAR.fits(text) == fits


def test_correction_is_worked_out_to_the_end():
    """Every misspelt word of a line is put right, to be shown."""
    with pytest.raises(Misread) as caught:
        read("plya Tne")
    assert mended("plya Tne", caught.value, read) == [("play", "10")]


def test_line_beyond_correction_is_given_up():
    """Nothing is offered that would not be an order."""
    with pytest.raises(Misread) as caught:
        read("plya Kong")
    assert mended("plya Kong", caught.value, read) == ()


def test_each_line_is_read_by_itself():
    """A fault does not end the card; lines that look like no order are set aside."""
    lines = [Line(number, text) for number, text in enumerate(["Dear all", "pass", "", "dnce", "play Ten"], 1)]
    sheet = read_each(lines, read, lambda line, misread: Fault(line, "", misread.reason))
    assert [(each.line.number, each.order) for each in sheet.orders] == [(2, ("pass", "me")), (5, ("play", "10"))]
    assert [fault.line.number for fault in sheet.faults] == [4]
    assert [line.number for line in sheet.ignored] == [1]


# --- names ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "typed", ["ace of hearts", "ACE OF HEARTS", "Ace-of-Hearts", "“Ace of Hearts”", "Äce of hearts"]
)
def test_name_is_known_in_any_dress(typed):
    """Case, dashes, quotes and accents do not matter."""
    assert CARDS.find(tidy(typed)) == "AH"


def test_longest_name_at_the_head_of_a_line_counts():
    """A name that is the beginning of another does not hide it."""
    assert CARDS.head("Ten of Clubs: north") == ("10C", "north")
    assert CARDS.head("Ten north") == ("10", "north")
    assert CARDS.head("Nine north") is None


def test_names_that_differ_only_in_dress_are_told_apart_when_typed_exactly():
    """What could be either is neither."""
    names = Names([("Rose", 1), ("Rosé", 2)])
    assert [names.find("Rosé"), names.find("Rose"), names.find("ROSE")] == [2, 1, None]


def test_near_names_are_the_one_with_all_the_words_or_the_most_alike():
    """One that holds the words is better than any that only looks like them."""
    assert CARDS.near("hearts") == ("Ace of Hearts",)
    assert CARDS.near("Ten of Clbs") == ("Ten of Clubs",)
    assert CARDS.near("Zeppelin") == ()


# --- lines as people type them ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("  move\u00a0 1 ", "move 1"),
        ("move \uff11\uff14", "move 14"),
        ("move 13 → 14", "move 13 > 14"),
        ("\u201cRed\u201d \u2013 hold", '"Red" - hold'),
        ("Red\u2019s\u200b hold", "Red's hold"),
        ("give 2\u00b2", "give 2\u00b2"),
        ("give \u00bd", "give \u00bd"),
    ],
)
def test_tidy_line_has_ordinary_signs(typed, line):
    """What phones and word processors put in is made what was meant; case and accents stay."""
    assert tidy(typed) == line


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("- hold", "hold"),
        ("* hold", "hold"),
        ("1. hold", "hold"),
        ("2) hold", "hold"),
        ("- 3. hold", "hold"),
        ("*hold*", "*hold*"),
        ("12 hold", "12 hold"),
        ("hold   # stay there", "hold"),
        ("# nothing", ""),
        ("move #14", "move #14"),
        ('say "item # 1" # aloud', 'say "item # 1"'),
    ],
)
def test_bullets_and_comments_are_no_part_of_a_line(typed, line):
    """But marks inside quotes, numbers with # and bold print are."""
    assert bare(typed) == line
