"""The toy, played whole through the contract."""

import json
import re
from dataclasses import asdict, replace

import pytest

from pbem.core.dice import EVERYONE
from pbem.core.errors import BadInput
from pbem.core.orders import Line
from pbem.core.report import Form
from pbem.core.ruleset import Entrant, Material
from pbem.core.turn import fold
from pbem.core.views import rolls, visible
from pbem.reports.render import Templates
from tests.playing import Table, play
from tests.toy import TEMPLATES, TOY
from tests.toy.rules import NOBODY, stage
from tests.toy.state import State, view

TABLE = Table(TOY, {}, (Entrant("A", "Ash", {}), Entrant("B", "Birch", {})))
GAME = tuple(play(TABLE, 100))


@pytest.fixture(scope="module")
def templates():
    """The toy's sentences."""
    return Templates(TEMPLATES)


def test_a_game_is_played_to_its_end():
    assert len(GAME) == 12
    assert GAME[-1].after.over
    assert stage(GAME[-1].after).awaiting == frozenset()
    outcome = TOY.outcome(GAME[-1].after)
    assert sorted(seat for rank in outcome.ranking for seat in rank) == ["A", "B"]


def test_stages_await_one_seat_at_a_time():
    awaited = [TOY.stage(each.before).awaiting for each in GAME]
    assert {len(seats) for seats in awaited} == {1}
    assert frozenset().union(*awaited) == {"A", "B"}


def test_every_card_is_somewhere_and_only_once():
    for each in GAME:
        seen = [each.before.deck, *each.before.hands.values(), [shown.card for shown in each.before.table]]
        cards = [card for part in seen for card in part]
        assert len(set(cards)) == len(cards)
    assert sorted([*GAME[0].before.deck, *GAME[0].before.hands["A"], *GAME[0].before.hands["B"]]) == [*range(1, 13)]


def test_nobody_knows_the_dice_of_the_shuffle():
    dice = TABLE.dice("game 1")
    TOY.setup({}, TABLE.entrants, dice)
    audiences = {label.split()[0]: to for label, to in dice.rolled}
    assert audiences == {"shuffle": NOBODY, "lead": EVERYONE}


def test_other_secrets_deal_other_cards():
    assert len({TABLE.set_up(str(game)).hands["A"] for game in range(20)}) > 10


@pytest.mark.parametrize("seat", ["A", "B", None])
def test_two_games_that_differ_in_secrets_only_look_the_same(seat):
    """The other hand, the deck and the other secret die may be anything: the view is equal, and so all made from it."""
    hands = {"A": (1, 2, 3), "B": (4, 5, 6)}
    one = State({"A": "Ash", "B": "Birch"}, hands, (7, 8, 9, 10, 11, 12), "A")
    other = replace(one, hands=hands | {"B": (4, 8, 9)}, deck=(12, 11, 10, 7, 6, 5))
    if seat != "A":
        other = replace(other, hands={"A": (1, 2, 12), "B": (4, 5, 6)}, deck=(3, 7, 8, 9, 10, 11))
    if seat is None:
        other = replace(other, hands={"A": (2, 5, 6), "B": (1, 3, 4)})
    assert view(one, seat) == view(other, seat)


def test_a_secret_die_is_told_to_its_guard_only():
    bold = [(each, entry) for each in GAME for entry in each.log if type(entry.event).__name__ == "Emboldened"]
    assert bold
    for each, entry in bold:
        own = entry.event.seat
        assert entry.audience == {own}
        assert entry.event not in [seen.event for seen in visible(each.log, {"A": "B", "B": "A"}[own])]
        assert {die.audience for die in rolls([entry])} == {frozenset(own)}


def briefings(templates, seat):
    """What a seat is told in a whole game, and what it could see, stage by stage."""
    for each in GAME:
        after = TOY.view(each.after, seat)
        material = Material(
            seat=seat,
            before=TOY.view(each.before, seat),
            after=after,
            log=visible(each.log, seat),
            orders=each.filed.get(seat or "", ()),
            say=templates.say(TOY.name, after),
        )
        yield each, TOY.briefing(material)


@pytest.mark.parametrize("seat", ["A", "B", None])
def test_a_briefing_names_only_cards_that_its_reader_may_know(templates, seat):
    """Cards are two-figure numbers in this game, so that nothing else is taken for one."""
    seen: set[int] = set()
    for each, briefing in briefings(templates, seat):
        for position in (each.before, each.after):
            seen |= set(position.hands.get(seat or "", ())) | {shown.card for shown in position.table}
        seen |= {entry.event.card for entry in visible(each.log, seat) if hasattr(entry.event, "card")}
        cards = [section for section in briefing.sections if section.key != "short"]
        told = json.dumps([asdict(section) for section in cards])
        laid = re.findall(r"(?:laid the|drew the|table: ) ?(\d+)", told)
        assert {int(card) for card in laid} <= seen


def test_the_order_form_is_read_back_without_a_fault(templates):
    for seat in ("A", "B"):
        for each, briefing in briefings(templates, seat):
            forms = [block for section in briefing.sections for block in section.blocks if isinstance(block, Form)]
            mine = TOY.view(each.after, seat)
            awaited = seat in TOY.stage(each.after).awaiting
            assert len(forms) == awaited
            for form in forms:
                sheet = TOY.read(mine, [Line(number, text) for number, text in enumerate(form.lines)])
                check = TOY.check(mine, sheet.orders)
                assert (len(check.verdicts), check.faults, sheet.faults) == (1, (), ())


def test_a_taunt_is_heard_before_the_stage_closes():
    taunting = [each for each in GAME if each.acts]
    assert taunting
    assert fold(taunting[0].before, taunting[0].acts) == taunting[0].opened


@pytest.mark.parametrize(
    ("options", "entrants", "flaws"),
    [
        ({"cards": 7}, "AB", 1),
        ({"cards": "many", "jokers": 2}, "ABC", 3),
        ({}, "A", 1),
    ],
)
def test_every_flaw_of_a_campaign_is_told_at_once(options, entrants, flaws):
    with pytest.raises(BadInput) as caught:
        TOY.setup(options, [Entrant(seat, seat, {}) for seat in entrants], TABLE.dice("x"))
    assert len(caught.value.flaws) == flaws
