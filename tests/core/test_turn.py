"""A stage resolved: events are the only writers, each with its rule, its audience and its dice."""

from copy import copy
from dataclasses import dataclass, replace

import pytest

from pbem.core.dice import EVERYONE, NOBODY, Dice, Roll
from pbem.core.errors import RuleError
from pbem.core.turn import Turn, fold, number_of, resolve, rule
from pbem.core.views import Die, rolls, visible

A, B = frozenset({"A"}), frozenset({"B"})


@dataclass
class Till:
    """A state: a sum."""

    total: int = 0

    def copy(self):
        """Another till with as much in it."""
        return copy(self)


@dataclass(frozen=True)
class Paid:
    """An event: so much more."""

    pp: int

    def apply(self, state):
        """Into the till."""
        state.total += self.pp


@dataclass(frozen=True)
class Pay:
    """An order."""

    pp: int


@dataclass(frozen=True)
class Wait:
    """Another order."""


def play(*phases, orders=None, state=None):
    """Resolve a stage with dice that show their label's number."""
    fixed = {label: int(label) for label in (*"123456", "34")}
    return resolve(phases, state or Till(), orders or {}, Dice(fixed=fixed))


def paying(*pps, to=EVERYONE):
    """A phase that pays."""

    @rule("1", "Paying")
    def pay(turn):
        for pp in pps:
            turn.emit(Paid(pp), to)

    return pay


def test_an_event_changes_the_state_when_it_is_emitted():
    @rule("1", "Looking")
    def look(turn):
        turn.emit(Paid(turn.state.total * 10))

    assert play(paying(3), look).state == Till(33)


def test_the_state_before_is_left_alone():
    before = Till(1)
    assert play(paying(3), state=before).state == Till(4)
    assert before == Till(1)


def test_folding_the_log_gives_the_state_after():
    resolution = play(paying(3, 4), paying(5, to=A))
    assert fold(Till(), resolution.log) == resolution.state == Till(12)


def test_an_event_cites_the_innermost_rule():
    @rule("2.1", "Inner")
    def inner(turn):
        turn.emit(Paid(1))

    @rule("2", "Outer")
    def outer(turn):
        turn.emit(Paid(2))
        inner(turn)
        turn.emit(Paid(3))

    assert [entry.rule for entry in play(outer).log] == ["2", "2.1", "2"]


def test_an_event_that_no_rule_causes_is_an_error():
    with pytest.raises(RuleError, match="no rule"):
        play(lambda turn: turn.emit(Paid(1)))


def test_a_rule_that_fails_is_no_longer_cited():
    turn = Turn(Till(), {}, Dice())

    @rule("2.1", "Failing")
    def failing(turn):
        raise KeyError

    with turn.citing("2"):
        with pytest.raises(KeyError):
            failing(turn)
        turn.emit(Paid(1))
    assert [entry.rule for entry in turn.log] == ["2"]


def test_a_rule_function_carries_number_and_title():
    pay = paying(1)
    assert (pay.number, pay.title, pay.__name__) == ("1", "Paying", "pay")
    assert (number_of(pay), number_of(paying)) == ("1", "")


def test_dice_belong_to_the_next_event():
    @rule("1", "Rolling")
    def roll(turn):
        turn.roll("2")
        turn.roll("3")
        turn.emit(Paid(1))
        turn.emit(Paid(1))
        turn.roll("4")
        turn.emit(Paid(1))

    assert [entry.rolls for entry in play(roll).log] == [
        (Roll("2", 6, 2), Roll("3", 6, 3)),
        (),
        (Roll("4", 6, 4),),
    ]


def test_a_row_of_dice_is_told_as_one():
    @rule("1", "Rolling")
    def roll(turn):
        row = turn.row("34")
        row()
        turn.roll("2")
        row()
        row()
        turn.emit(Paid(1))

    assert [entry.rolls for entry in play(roll).log] == [(Roll("34", 6, 3, "343"), Roll("2", 6, 2))]


def test_a_row_of_no_dice_tells_nothing():
    @rule("1", "Asking for nothing")
    def ask(turn):
        turn.row("34")
        turn.emit(Paid(1))

    assert [entry.rolls for entry in play(ask).log] == [()]


def test_a_row_that_no_event_tells_is_an_error():
    with pytest.raises(RuleError, match="'34'"):
        play(lambda turn: turn.row("34"))


def test_a_die_that_no_event_tells_is_an_error():
    with pytest.raises(RuleError, match="'2'"):
        play(lambda turn: turn.roll("2"))


@pytest.mark.parametrize("to", [B, EVERYONE])
def test_a_die_is_not_told_to_others_than_it_was_rolled_for(to):
    @rule("1", "Leaking")
    def leak(turn):
        turn.roll("2", 6, A)
        turn.emit(Paid(1), to)

    with pytest.raises(RuleError):
        play(leak)


def test_dice_for_two_audiences_do_not_lead_to_one_event():
    """An open die before a sealed one must not be hidden behind it, nor the sealed one be told with the open one."""

    @rule("1", "Mixing")
    def mix(turn):
        turn.roll("2", 6, A)
        turn.roll("3", 6, EVERYONE)
        turn.emit(Paid(1), EVERYONE)

    with pytest.raises(RuleError):
        play(mix)


def test_orders_come_by_seat_and_as_written():
    found = []
    play(
        lambda turn: found.extend(turn.given(Pay)),
        orders={"B": [Pay(3), Wait()], "A": [Wait(), Pay(2), Pay(1)]},
    )
    assert found == [("A", Pay(2)), ("A", Pay(1)), ("B", Pay(3))]


def test_a_log_is_visible_to_its_audience():
    log = play(paying(1), paying(2, to=A), paying(3, to=A | B), paying(4, to=frozenset())).log
    seen = {seat: [entry.event.pp for entry in visible(log, seat)] for seat in ("A", "B", "C", None)}
    assert seen == {"A": [1, 2, 3], "B": [1, 3], "C": [1], None: [1]}


def test_every_die_of_a_log_is_listed_once_with_its_audience():
    @rule("1", "Rolling")
    def roll(turn):
        for label, to in [("2", EVERYONE), ("3", A), ("2", EVERYONE)]:
            turn.roll(label, 6, to)
            turn.emit(Paid(1), to)

    assert rolls(play(roll).log) == (
        Die(Roll("2", 6, 2), EVERYONE, EVERYONE),
        Die(Roll("3", 6, 3), A, A),
    )


def test_sealed_dice_are_told_to_everyone_and_hang_on_nobodys_seed():
    @rule("1", "Rolling")
    def roll(turn):
        with turn.sealed():
            turn.roll("2")
            turn.emit(Paid(1))
        turn.roll("3")
        turn.emit(Paid(1))

    assert [(die.audience, die.seed) for die in rolls(play(roll).log)] == [(EVERYONE, NOBODY), (EVERYONE, EVERYONE)]


def test_what_was_narrowed_is_told_otherwise_to_others():
    """The dice of what is not told are not told either; what was for some already stays so."""

    @rule("1", "Rolling")
    def roll(turn):
        turn.roll("2")
        turn.emit(Paid(1))
        turn.emit(Paid(2), to=A)
        turn.narrow(lambda entry: replace(entry, audience=A, others=((B, Paid(3)),)))

    log = play(roll).log
    seen = {
        seat: [(entry.event.pp, len(entry.rolls)) for entry in visible(log, seat)] for seat in ("A", "B", "C", None)
    }
    assert seen == {"A": [(1, 1), (2, 0)], "B": [(3, 0)], "C": [], None: []}
    assert visible(visible(log, "B"), "B") == visible(log, "B")
    assert rolls(log) == (Die(Roll("2", 6, 2), A, EVERYONE),)
