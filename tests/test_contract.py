"""Laws that every rule system obeys, whatever its rules: it is all that the host relies on."""

import os
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.core.cases import Case
from pbem.core.orders import Line
from pbem.core.rulebook import rules as numbered
from pbem.core.ruleset import Entrant, Material
from pbem.core.turn import fold
from pbem.core.views import rolls, visible
from pbem.rulesets.nippon import NIPPON
from tests.playing import Stage, Table, fingerprint, play
from tests.toy import TOY

ROOT = Path(__file__).parents[1]

REALMS = {"A": "Ash", "B": "Birch", "C": "Cedar", "D": "Elm"}

TABLES = {
    "toy": Table(TOY, {}, (Entrant("A", "Ash", {}), Entrant("B", "Birch", {}))),
    "nippon": Table(
        NIPPON, {"map": "nippon", "end_turn": 8}, tuple(Entrant(seat, name, {}) for seat, name in REALMS.items())
    ),
}

STAGES = 24
"""So many stages of a game are looked at, if it does not end sooner."""

FEW = 8
"""Of these where it takes long."""


def some(stages: Sequence[Stage]) -> Sequence[Stage]:
    """Few stages from all over a game."""
    return stages[:: -(-len(stages) // FEW)]


tables = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)


@cache
def game(name: str) -> tuple[Stage, ...]:
    """One game by robots, played once for all tests."""
    return tuple(play(TABLES[name], STAGES))


@pytest.fixture
def stages(table):
    """The stages of the game at this table."""
    return game(table.rules.name)


def readers(table: Table) -> tuple[str | None, ...]:
    """All seats, and the public."""
    return (*table.seats, None)


# --- positions --------------------------------------------------------------------------------------------------------


@tables
def test_a_set_up_is_the_same_every_time(table):
    dump = table.rules.codec.dump
    assert dump(table.set_up()) == dump(table.set_up())


@tables
def test_a_position_comes_back_from_its_bytes(table, stages):
    codec = table.rules.codec
    for stage in some(stages):
        stored = codec.dump(stage.after)
        assert codec.load(stored) == stage.after
        assert codec.dump(codec.load(stored)) == stored


@tables
def test_a_copy_can_be_changed_without_touching_the_original(table, stages):
    for stage in some(stages):
        before = table.rules.codec.dump(stage.opened)
        stage.close()
        assert table.rules.codec.dump(stage.opened) == before


# --- resolving --------------------------------------------------------------------------------------------------------


@tables
def test_the_same_orders_and_dice_give_the_same_turn(table, stages):
    dump = table.rules.codec.dump
    for stage in some(stages):
        again = stage.close()
        assert dump(again.state) == dump(stage.after)
        assert again.log == stage.resolution.log


@tables
def test_a_turn_resolved_from_stored_bytes_is_the_same(table, stages):
    """A replay knows nothing but what was stored."""
    codec = table.rules.codec
    for stage in some(stages):
        orders = {seat: codec.load(codec.dump(given)) for seat, given in stage.orders.items()}
        stored = Stage(table, stage.before, codec.load(codec.dump(stage.opened)), stage.name)
        assert codec.dump(stored.close(orders).state) == codec.dump(stage.after)


@tables
def test_folding_the_log_gives_the_position_after(table, stages):
    dump = table.rules.codec.dump
    for stage in some(stages):
        assert dump(fold(stage.before, stage.log)) == dump(stage.after)


@tables
def test_a_log_from_stored_bytes_folds_to_the_same(table, stages):
    codec = table.rules.codec
    for stage in some(stages):
        state = stage.before.copy()
        for event in codec.load(codec.dump([entry.event for entry in stage.log])):
            event.apply(state)
        assert codec.dump(state) == codec.dump(stage.after)


@tables
def test_the_order_in_which_seats_file_changes_nothing(table, stages):
    dump = table.rules.codec.dump
    for stage in some(stages):
        reversed_seats = dict(reversed(stage.orders.items()))
        assert dump(stage.close(reversed_seats).state) == dump(stage.after)


@tables
def test_a_stage_that_nobody_files_for_is_resolved_all_the_same(table, stages):
    for stage in some(stages):
        after = stage.close({}).state
        assert table.rules.stage(after) != table.rules.stage(stage.before) or table.rules.outcome(after)


@tables
def test_every_event_cites_a_rule_of_the_book(table, stages):
    book = {rule.number for rule in numbered(table.rules.rulebook)}
    assert {entry.rule for stage in stages for entry in stage.log} <= book


@tables
def test_a_die_is_asked_for_once_in_a_stage(table, stages):
    for stage in stages:
        labels = [(die.roll.label, die.audience) for die in rolls(stage.log)]
        told = [roll for entry in stage.log for roll in entry.rolls]
        assert len(set(labels)) == len(labels) == len(told)


@tables
def test_a_game_is_the_same_in_another_process(table):
    """Words hash otherwise in every process, and so sets of them have another order."""
    name = table.rules.name
    script = f"from tests.test_contract import TABLES, fingerprint; print(fingerprint(TABLES[{name!r}], {FEW}))"
    environment = os.environ | {"PYTHONHASHSEED": "1"}
    elsewhere = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert elsewhere.stdout.strip() == fingerprint(table, FEW)


# --- stages -----------------------------------------------------------------------------------------------------------


@tables
def test_a_stage_awaits_seats_of_the_game(table, stages):
    for stage in stages:
        assert table.rules.stage(stage.after).awaiting <= set(table.seats)


@tables
def test_a_game_awaits_somebody_until_it_is_over(table, stages):
    for stage in stages:
        over = table.rules.outcome(stage.after) is not None
        assert bool(table.rules.stage(stage.after).awaiting) is not over


@tables
def test_an_outcome_ranks_every_seat_once(table, stages):
    outcome = table.rules.outcome(stages[-1].after)
    if outcome is None:
        assert len(stages) == STAGES
    else:
        assert sorted(seat for rank in outcome.ranking for seat in rank) == sorted(table.seats)


# --- what a seat sees and does ----------------------------------------------------------------------------------------


@tables
def test_what_a_robot_writes_is_legal(table, stages):
    for stage in stages:
        for seat, card in stage.cards:
            assert isinstance(card, str)
            assert not [fault.reason for whose, check in stage.checks if whose == seat for fault in check.faults]


@tables
def test_robots_do_something(table, stages):
    assert any(stage.filed for stage in stages)


@tables
def test_a_robot_writes_the_same_card_for_the_same_view(table, stages):
    for stage in some(stages):
        for seat in table.seats:
            view = table.rules.view(stage.before, seat)
            cards = {table.rules.robot(view, table.dice("again")) for _ in range(2)}
            assert len(cards) == 1


@tables
def test_an_order_reads_back_from_its_own_line(table, stages):
    for stage in stages:
        for seat, written in stage.filed.items():
            view = table.rules.view(stage.opened, seat)
            for each in written:
                before = [other for other in written if other != each]
                sheet = table.rules.read(table.rules.expecting(view, before), [Line(1, str(each.order))])
                assert [again.order for again in sheet.orders] == [each.order]


@tables
def test_orders_come_back_from_their_bytes(table, stages):
    codec = table.rules.codec
    for stage in stages:
        for given_orders in stage.orders.values():
            assert codec.load(codec.dump(given_orders)) == given_orders


@tables
def test_a_view_of_a_view_shows_no_more(table, stages):
    """A view holds a position: what it was made from cannot come back."""
    for stage in some(stages):
        for seat in readers(table):
            seen = table.rules.view(stage.after, seat)
            assert table.rules.view(seen.position, seat) == seen


@tables
def test_the_order_form_can_be_sent_back_as_it_is(table, stages):
    for stage in some(stages):
        for seat in table.rules.stage(stage.after).awaiting:
            view = table.rules.view(stage.after, seat)
            form = table.rules.form(view)
            sheet = table.rules.read(view, [Line(number, text) for number, text in enumerate(form, 1)])
            assert (sheet.faults, table.rules.check(view, sheet.orders).faults) == ((), ())


@tables
def test_a_picture_is_a_picture_or_nothing(table, stages):
    for seat in readers(table):
        svg = table.rules.picture(table.rules.view(stages[-1].after, seat))
        assert svg is None or ElementTree.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"


@tables
def test_a_briefing_ends_with_the_order_form(table, stages):
    for stage in some(stages):
        for seat in readers(table):
            briefing = table.rules.briefing(material(stage, seat))
            keys = [section.key for section in briefing.sections]
            assert len(set(keys)) == len(keys)
            assert "form" not in keys[:-1]
            assert briefing.headline == briefing.headline.strip() != ""


def material(stage: Stage, seat: str | None) -> Material:
    """What a briefing of a stage is made from."""
    rules = stage.table.rules
    return Material(
        seat=seat,
        before=rules.view(stage.before, seat),
        after=rules.view(stage.after, seat),
        log=visible(stage.log, seat),
        orders=stage.filed.get(seat or "", ()),
        say=repr,
    )


# --- whatever a player sends ------------------------------------------------------------------------------------------

VOCABULARY = (
    'lay taunt boldly move hold raze and fortify recover offer give accept P1 result confirm 2 1 12 9999999 : # , "'
)
WORDS = st.sampled_from(VOCABULARY.split()) | st.text(max_size=5)
texts = st.text() | st.lists(WORDS).map(" ".join)


@tables
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(card=st.lists(texts, max_size=5), data=st.data())
def test_whatever_is_written_is_read_checked_and_answered(table, stages, card, data):
    stage = data.draw(st.sampled_from(stages))
    seat = data.draw(st.sampled_from(table.seats))
    view = table.rules.view(stage.before, seat)
    lines = [Line(number, text) for number, text in enumerate(card, 1)]
    sheet = table.rules.read(view, lines)
    check = table.rules.check(view, sheet.orders)
    numbers = {line.number for line in lines}
    assert {fault.line.number for fault in (*sheet.faults, *check.faults)} <= numbers
    assert len(check.verdicts) + len(check.faults) == len(sheet.orders)
    assert all(fault.reason for fault in (*sheet.faults, *check.faults))


@tables
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=50)
@given(card=st.lists(texts, max_size=5), data=st.data())
def test_a_line_that_is_offered_instead_is_legal(table, stages, card, data):
    stage = data.draw(st.sampled_from(stages))
    seat = data.draw(st.sampled_from(table.seats))
    view = table.rules.view(stage.before, seat)
    sheet = table.rules.read(view, [Line(number, text) for number, text in enumerate(card, 1)])
    for fault in (*sheet.faults, *table.rules.check(view, sheet.orders).faults):
        if fault.paste:
            pasted = table.rules.read(view, [Line(1, fault.paste)])
            assert (pasted.faults, table.rules.check(view, pasted.orders).faults) == ((), ())


@tables
def test_a_case_that_makes_no_sense_is_told_in_words(table):
    case = Case("1", "nonsense", "x:1", (Line(2, "xyzzy"),))
    assert table.rules.play_case(case)
