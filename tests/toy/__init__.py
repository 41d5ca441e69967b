"""Gate, a rule system of thirty lines that keeps the seam between host and rules honest.

It is hosted exactly as the real ones are, and asks for what they ask for at most: one seat at a time, a deck that
nobody knows, hands that only their owner knows, dice of all three kinds, orders that act at once, and an end.
"""

from pathlib import Path

from pbem.core.codec import Codec
from pbem.core.ruleset import Ruleset
from tests.toy.cases import play_case
from tests.toy.events import EVENTS
from tests.toy.orders import Lay, Taunt, check, form, read
from tests.toy.reports import briefing, picture, robot
from tests.toy.rules import PHASES, outcome, setup, stage, taunts
from tests.toy.state import State, view

HERE = Path(__file__).parent

TEMPLATES = HERE / "templates"
"""A folder of templates, to be searched before or after the shipped ones."""

TOY = Ruleset(
    name="toy",
    title="Gate",
    rulebook=(HERE / "rulebook.md").read_text(encoding="utf-8"),
    codec=Codec(State, Lay, Taunt, *EVENTS),
    setup=setup,
    stage=stage,
    view=view,
    read=read,
    check=check,
    phases=lambda state: PHASES,
    acts=(taunts,),
    briefing=briefing,
    picture=picture,
    robot=robot,
    outcome=outcome,
    play_case=play_case,
    form=form,
    sealed=True,
    seats=lambda options: (2, 2),
    kinds={"lay": "after 7d"},
)
