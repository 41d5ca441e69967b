"""A turn as a player reads it, word for word."""

from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion

from pbem.core.dice import Dice
from pbem.core.ruleset import Entrant
from pbem.core.turn import resolve
from pbem.reports.render import Templates
from pbem.rulesets.nippon import NIPPON
from tests.playing import Stage, Table, file_card
from tests.reports.reporting import report
from tests.reports.samples import HEAD
from tests.reports.test_letters import TextFile
from tests.rulesets.nippon.cards.spoken import position

TEMPLATES = Templates()

NAMES = {"A": "Red Duchy", "B": "Blue", "C": "Crane Host"}
TABLE = Table(NIPPON, {}, tuple(Entrant(seat, name, {}) for seat, name in NAMES.items()))

OPENING = """
map 1-2-3-4-5, 2-6
turn 7
section 1 forest headquarters of A at 100,100
section 2 plains river controlled by A fortified by A Ironsides at 200,100
section 3 mountains controlled by B at 300,100
section 4 plains headquarters of B at 400,100
section 5 plains headquarters of C at 500,100
section 6 plains controlled by A at 200,200
realm A named "Red Duchy"
realm A treasury 500
realm B named "Blue"
realm C named "Crane Host"
banner A "Red Dragons" at 1
unit A "Red Dragons" "Captain Oda" hero models 1 points 100
unit A "Red Dragons" "Iron Guard" models 40
banner A "Ironsides" at 2
unit A "Ironsides" "Captain Ii" hero models 1 points 100
unit A "Ironsides" "Spears" models 30
banner A "White Cranes" at 6
banner B "Red Fist" at 3
unit B "Red Fist" "Lord Kuma" lord models 1 points 200
unit B "Red Fist" "Bowmen" models 15
banner C "Swift Wings" at 5 M 8
"""

MARCH = {"A": "Red Dragons: move 2\nWhite Cranes: raze and hold", "B": "Red Fist: move 2", "C": "Swift Wings: move 4 3"}
TALKS = (
    ("B", 'offer 2: truce 3, ask 200, "Let us share the fords."'),
    ("A", "decline P{terms}"),
    ("A", "result 2: Red Duchy victory; A Spears 22, 3 fled; B Bowmen 6, lost standard"),
    ("B", "confirm 2"),
)


def filed(stage: Stage, seat: str, card: str) -> None:
    """File a card without a fault."""
    file_card(stage, seat, card.format(terms=next(iter(stage.opened.terms), "")))
    assert [fault for _, check in stage.checks for fault in check.faults] == []


@pytest.fixture(scope="module")
def turn() -> tuple[Stage, Stage]:
    """The two stages of a turn: a march that meets an enemy, and the battle."""
    state = position(OPENING)
    march = Stage(TABLE, state, state, "march")
    for seat, card in MARCH.items():
        filed(march, seat, card)
    march.resolution = resolve(NIPPON.phases(state), state, march.orders, Dice(b"march 5"))
    battle = Stage(TABLE, march.after, march.after, "battle")
    for seat, card in TALKS:
        filed(battle, seat, card)
    battle.resolution = resolve(
        NIPPON.phases(battle.opened), battle.opened, {}, Dice(b"battle", lambda audience: b"sealed")
    )
    return march, battle


@pytest.mark.parametrize("seat", ["A", "C", None], ids=["a", "c", "public"])
@pytest.mark.parametrize("number", [0, 1], ids=["movement", "full"])
def test_report_reads_as_it_should(
    turn: tuple[Stage, Stage], number: int, seat: str | None, snapshot: SnapshotAssertion
) -> None:
    rendered = TEMPLATES.report(report(turn[number], seat, TEMPLATES), replace(HEAD, realm=NAMES.get(seat or "", "")))
    assert f"Subject: {rendered.subject}\n\n{rendered.text}" == snapshot(extension_class=TextFile)
