"""Words to the server are taken out of a card; everything else is left for the rules."""

import re

import pytest

from pbem.core.orders import Line, plain
from pbem.reports.render import Templates
from pbem.service.incoming.commands import WORDS, sort_out
from tests.reports.samples import LETTERS


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


@pytest.mark.parametrize(
    ("text", "verb", "address"),
    [
        ("ADDRESS", "list", ""),
        ("Addresses.", "list", ""),
        ("address Ben-Jo.x_y+z@Work.Example", "add", "ben-jo.x_y+z@work.example"),
        ("Address: <ben@work.example>", "add", "ben@work.example"),
        ("ADDRESS ben@bücher.example", "add", "ben@xn--bcher-kva.example"),
        ("ADDRESS ben@work.example <mailto:ben@work.example>.", "add", "ben@work.example"),
        ("forget ben@work.example", "drop", "ben@work.example"),
        ("Reports to: ben@work.example", "first", "ben@work.example"),
        ("new token!", "renew", ""),
    ],
)
def test_words_about_addresses_keep_the_address_as_it_is_written(text: str, verb: str, address: str) -> None:
    (word,) = sort_out(lines(text)).account
    assert (word.verb, word.address) == (verb, address)


@pytest.mark.parametrize(
    "text", ["Forget it", "Address me as King Ben", "the reports to my uncle", "a new token of love"]
)
def test_prose_about_addresses_is_left_alone(text: str) -> None:
    words = sort_out(lines(text))
    assert (words.account, words.faults, words.lines) == ([], [], [Line(1, text)])


@pytest.mark.parametrize("text", ["ADDRESS ben@", "ADDRESS a@b.example, c@d.example", "FORGET @x", "REPORTS TO b@c@d"])
def test_a_word_with_no_address_or_several_is_a_fault(text: str) -> None:
    words = sort_out(lines(text))
    assert words.account == []
    assert words.faults[0].paste.endswith("ben@example.org")


@pytest.mark.parametrize("pattern", [pattern for pattern, _ in WORDS if "@]" not in pattern])
def test_help_names_every_word(pattern: str) -> None:
    rows = Templates().mail(LETTERS["help"]).text.splitlines()
    labels = [plain(re.split(r"\s{2,}", row.strip())[0]) for row in rows]
    assert [label for label in labels if re.fullmatch(pattern, label)]


@pytest.mark.parametrize(
    "text",
    ["OK, FINAL", "ok and final", "OK. Final!", "ok/final", "OK; FINAL please", "Final, OK", "ok FINAL", "Okay final!"],
)
def test_two_words_on_one_line_are_both_read(text: str) -> None:
    words = sort_out(lines(text))
    assert (words.ok, words.final, words.lines, words.spoken) == (True, True, [], lines(text))


@pytest.mark.parametrize("text", ["ok, move 14", "OK, thanks", "final, cancel Red Dragons", "ok and well", "OK,"])
def test_of_a_line_that_says_more_than_words_nothing_is_read(text: str) -> None:
    assert sort_out(lines(text)).lines == lines(text)


@pytest.mark.parametrize("text", ["help", "Help me please", "please help", "HELP, please!", "Please help me."])
def test_help_may_be_asked_for_politely(text: str) -> None:
    assert sort_out(lines(text)).help


def test_a_polite_word_names_what_it_names() -> None:
    words = sort_out(lines("Please cancel Red Dragons", "resend 7 please", "yes please"))
    assert (words.cancel, list(words.resend), words.yes) == ([Line(1, "red dragons")], [7], Line(3, "yes please"))
