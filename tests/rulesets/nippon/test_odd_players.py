"""Whatever odd players send, each line is answered, and nothing that was acknowledged is lost without a word."""

from random import Random

import pytest

from pbem.core.orders import Line
from pbem.core.turn import Entry
from pbem.rulesets.nippon.cards.checking import check
from pbem.rulesets.nippon.cards.reading import read
from pbem.rulesets.nippon.orders import AskAutomatic, Enlist, Hold, Order, Prefer
from pbem.rulesets.nippon.view import view
from tests.playing import Act, Stage
from tests.rulesets.nippon.campaigns import ODD, campaign
from tests.rulesets.nippon.odd import odd_line

odd_campaigns = pytest.mark.parametrize("name", ODD)

FLOOD = 2000
"""Lines of a card that somebody's program went mad over."""


@odd_campaigns
def test_every_line_is_answered(name):
    """As an order, as a fault with its reason, or as a line that was set aside; but the lines of a roster are one."""
    for stage in campaign(name)[ODD[name].options.get("setup", False) :]:
        for (_, card), sheet in zip(stage.cards, stage.sheets, strict=True):
            faults = {fault.line.number for fault in sheet.faults if fault.reason}
            answered = faults | {each.line.number for each in sheet.orders} | {line.number for line in sheet.ignored}
            assert answered == {number for number, line in enumerate(card.splitlines(), 1) if line.strip()}


@odd_campaigns
def test_every_order_is_acknowledged_or_refused_with_a_reason(name):
    for stage in campaign(name):
        for _, checked in stage.checks:
            assert all(verdict.does for verdict in checked.verdicts)
            assert all(fault.reason for fault in checked.faults)


@odd_campaigns
def test_what_is_on_file_can_be_carried_out_together(name):
    """Orders do not lean on others that were refused."""
    for stage in campaign(name):
        for seat, filed in stage.filed.items():
            assert check(view(stage.opened, seat), filed).faults == ()


# --- no order is lost ---------------------------------------------------------------------------------------------


@odd_campaigns
def test_no_order_on_file_is_lost_without_a_word(name):
    """It makes a difference to what happens, or something is told of whom it concerns."""
    for stage in campaign(name):
        for seat, orders in stage.orders.items():
            for order in orders:
                told = _changes_nothing(order) or any(_concerns(each, seat, order) for each in stage.resolution.log)
                assert told or _differs(stage, seat, order), f"{stage.name} {seat} {order}"


def _changes_nothing(order: Order) -> bool:
    """What happens anyway, or may: a wish for headquarters is one of several realms'."""
    return isinstance(order, Hold | Prefer) or order == Enlist()


def _concerns(entry: Entry, seat: str, order: Order) -> bool:
    """Whether an event is about the banner or ship that an order commands."""
    names = {f"{seat} {getattr(order, field)}" for field in ("banner", "ship") if hasattr(order, field)}
    return any(isinstance(value, str) and value in names for value in vars(entry.event).values())


def _differs(stage: Stage, seat: str, order: Order) -> bool:
    """Whether anything would have been told otherwise without an order."""
    left = [each for each in stage.orders[seat] if each is not order]
    without = stage.close({**stage.orders, seat: left})
    return [_told(entry) for entry in without.log] != [_told(entry) for entry in stage.resolution.log]


def _told(entry: Entry) -> tuple:
    return entry.rule, entry.audience, entry.event


@odd_campaigns
def test_what_acts_at_once_is_told_at_once(name):
    """Unless it is a wish that stands already."""
    for stage in campaign(name):
        for act in stage.acted:
            assert act.log or _wished_already(act), f"{stage.name} {act.seat} {act.written.order}"


def _wished_already(act: Act) -> bool:
    order = act.written.order
    if not isinstance(order, AskAutomatic):
        return False
    return order.automatic is (act.seat in act.before.meetings[order.at].next.automatic)


# --- far too much -------------------------------------------------------------------------------------------------


def test_a_flood_of_lines_is_answered_line_by_line():
    """Thousands of lines of all sorts, in one card."""
    seen = view(campaign("of all peoples")[0].before, "A")
    chance = Random("flood")
    lines = [Line(number, odd_line(seen, chance)) for number in range(FLOOD)]
    sheet = read(seen, lines)
    checked = check(seen, sheet.orders)
    answered = [*(each.line for each in sheet.orders), *(fault.line for fault in sheet.faults), *sheet.ignored]
    assert {line.number for line in answered} == {line.number for line in lines}
    assert len(checked.verdicts) + len(checked.faults) == len(sheet.orders)
