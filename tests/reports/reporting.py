"""Reports of stages that were played, as the host would build them."""

from pbem.core.dice import EVERYONE
from pbem.core.report import Proof, Report
from pbem.core.ruleset import Material
from pbem.core.views import rolls, visible
from pbem.reports.build import Facts, build
from pbem.reports.render import Templates
from tests.playing import Stage

HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"


def material(stage: Stage, seat: str | None, templates: Templates) -> Material:
    """What a seat's briefing is made from."""
    rules = stage.table.rules
    after = rules.view(stage.after, seat)
    say = templates.say(rules.name, after)
    log = visible(stage.log, seat)
    return Material(seat, rules.view(stage.before, seat), after, log, stage.said(seat), say)


def report(stage: Stage, seat: str | None, templates: Templates) -> Report:
    """A seat's report of a stage, or the public one."""
    names = {entrant.seat: entrant.name for entrant in stage.table.entrants}
    waiting = stage.table.rules.stage(stage.before)
    facts = Facts("war", "The War", 7, waiting.turn, waiting.title, names.get(seat or "", ""))
    return build(stage.table.rules, facts, material(stage, seat, templates), proof(stage, seat))


def proof(stage: Stage, seat: str | None) -> Proof:
    """A proof with all dice that the seat may know; its hashes prove nothing."""
    assert stage.resolution is not None
    known = [die for die in rolls(stage.resolution.log) if die.known(seat)]
    opened = tuple(die.roll for die in known if die.seed == EVERYONE)
    own = tuple(die.roll for die in known if die.seed == frozenset({seat}))
    return Proof(HASH, "00ff", (HASH,), opened, HASH if own else "", own, HASH[::-1])
