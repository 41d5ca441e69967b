"""Words to the server are taken out of a card; everything else is left for the rules."""

import pytest

from pbem.core.orders import Line
from pbem.service.commands import sort_out


def lines(*texts: str) -> list[Line]:
    return [Line(number, text) for number, text in enumerate(texts, 1)]


def test_orders_are_left_for_the_rules_with_their_line_numbers() -> None:
    words = sort_out(lines("Red Dragons: move 14", "", "FINAL", "hold"))
    assert words.lines == [Line(1, "Red Dragons: move 14"), Line(4, "hold")]
    assert words.final


@pytest.mark.parametrize("text", ["OK", "ok.", "Ok!", "  okay ", "hold all", "OK   # send only this line", "- OK"])
def test_ok_is_read_however_a_phone_writes_it(text: str) -> None:
    words = sort_out(lines(text))
    assert words.ok
    assert words.lines == []


@pytest.mark.parametrize("text", ["# 13 Ford.  next: 12 14 19", "#", ""])
def test_comments_and_empty_lines_say_nothing(text: str) -> None:
    words = sort_out(lines(text))
    assert (words.commands, words.asks, words.lines) == (False, False, [])


def test_cancel_keeps_the_name_and_the_line() -> None:
    assert sort_out(lines("hello", "CANCEL Red Dragons")).cancel == [Line(2, "red dragons")]


def test_questions_are_kept_with_what_they_ask_for() -> None:
    words = sort_out(lines("STATUS", "help", "RESEND 7", "resend", "RULES 6.4", "rules night"))
    assert (words.status, words.help, words.rules) == (True, True, ["6.4", "night"])
    assert words.resend == {7: Line(3, "RESEND 7"), 0: Line(4, "resend")}
    assert not words.commands


@pytest.mark.parametrize("text", ["okra: hold", "final battle: move 3", "yes we move to 14"])
def test_a_line_that_only_begins_like_a_word_is_left_for_the_rules(text: str) -> None:
    assert sort_out(lines(text)).lines == [Line(1, text)]


def test_an_order_to_something_that_is_called_like_a_word_is_an_order() -> None:
    text = lines("Cancel Crew: hold", "Rule Breakers: hold", "cancel Red Dragons")
    words = sort_out(text, lambda line: line.text.endswith("hold"))
    assert (words.lines, words.rules, words.cancel) == (text[:2], [], [Line(3, "red dragons")])
