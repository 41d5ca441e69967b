"""Rule cases of a Nippon campaign: the player for them.

What a case may say of a position stands in ``positions/``, what it may expect in ``expected/``; orders, dice, plays and
events are those that all games share (``core/trials/words.py``). ``docs/writing-rule-cases.md`` tells of all of them.
"""

from collections.abc import Sequence

from pbem.core.cases import Case
from pbem.core.orders import Line, Sheet
from pbem.core.trials import Game, play
from pbem.rulesets.nippon import events
from pbem.rulesets.nippon.cards.checking import check
from pbem.rulesets.nippon.cards.disputes import ruling
from pbem.rulesets.nippon.cards.plan import expecting
from pbem.rulesets.nippon.cards.reading import read
from pbem.rulesets.nippon.cases.drafts import Draft, build
from pbem.rulesets.nippon.cases.expected import EXPECTED
from pbem.rulesets.nippon.cases.positions import POSITION
from pbem.rulesets.nippon.phases import ACTS, phases
from pbem.rulesets.nippon.view import View, view
from pbem.rulesets.nippon.withdrawal import readmit, withdraw


def play_case(case: Case) -> tuple[str, ...]:
    """Play a rule case; every difference in words, with its line. Nothing: all came as expected."""
    return play(case, GAME)


USUAL = 2
"""What a die shows that matters to its own chapter only, unless a line says otherwise."""


FAIR = 4
"""What each of the two dice of a ship shows: the sea does it no harm."""


def usual_die(label: str) -> int | None:
    """Dice that a case need not give.

    Those of production, scenarios and a fair sea; of the wounded and the fled, who come back; and of the roll-off,
    which the first letter wins.
    """
    kind, *rest = label.split()
    if kind == "sea":
        return FAIR
    if kind == "attack" and rest:
        return max(1, 6 - (ord(rest[0][0]) - ord("A")))
    return USUAL if kind in ("production", "port", "mine", "scenario", "heal", "rally") else None


def read_lines(view: View, lines: Sequence[Line]) -> Sheet:
    """Lines as the player of ``view`` wrote them; ``P?`` stands for the last terms that were put to him."""
    put = [number for number, terms in view.position.terms.items() if view.seat in terms.to]
    named = f"P{put[-1]}" if put else "P?"
    return read(view, [Line(line.number, line.text.replace("P?", named)) for line in lines])


GAME = Game(
    draft=Draft,
    build=build,
    position=POSITION,
    expected=EXPECTED,
    events=events.EVENTS,
    view=view,
    read=read_lines,
    check=check,
    expecting=expecting,
    phases=phases,
    acts=ACTS,
    withdraw=withdraw,
    readmit=readmit,
    ruling=ruling,
    stage=lambda state: str(state.stage),
    usual=usual_die,
)
