"""Battles as their fighters are told them: round by round, with a picture of the lanes and of what is left there."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from pbem import battles as br1
from pbem.core.report import Bar, Bars, Items, Section, Text
from pbem.core.ruleset import Material
from pbem.core.turn import Entry
from pbem.rulesets.nippon.briefing.chronicle import Chronicle
from pbem.rulesets.nippon.briefing.telling import capitalized
from pbem.rulesets.nippon.events import BattleTold, RoundFought
from pbem.rulesets.nippon.state import Result
from pbem.rulesets.nippon.view import View

LANES: dict[br1.Lane, str] = {"L": "Left", "C": "Centre", "R": "Right"}
LEGEND = ("stood", "fled", "fell")


def stories(material: Material, chronicle: Chronicle) -> Iterator[Section]:
    """A section for each battle whose course the reader knows."""
    before: Counter[int] = Counter()
    for told in chronicle.stories:
        if told and isinstance(told[-1].event, BattleTold):
            end = told[-1].event
            before[end.at] += 1
            yield story(material, told, end, before[end.at])


def story(material: Material, told: Sequence[Entry], end: BattleTold, number: int) -> Section:
    """A battle from its first round to its last, of those in its section the one with this number, from 1 on."""
    rounds = tuple(
        (f"Round {entry.event.round.round}", material.say(entry.event))
        for entry in told
        if isinstance(entry.event, RoundFought)
    )
    view: View = material.after
    outcome = f"{material.say(end)} {capitalized(verdict(view, end.result))}"
    return Section(
        f"battle {end.at}" if number == 1 else f"battle {end.at} {number}",
        f"The battle in {view.place(end.at)}",
        (Items(rounds), Text(outcome), Bars(LEGEND, tuple(lanes(view, end)))),
    )


def verdict(view: View, result: Result) -> str:
    """Who won: ``Thorn won: solid victory.``"""
    if not result.degree:
        return "a draw."
    return f"{view.realm(result.winner)} won: {result.degree}."


def lanes(view: View, end: BattleTold) -> Iterator[tuple[str, tuple[Bar, ...]]]:
    """What is left in each lane, of both sides."""
    order = list(LANES)
    placed = sorted(end.units, key=lambda unit: (order.index(unit.lane), unit.side))
    for (lane, side), units in groupby(placed, key=lambda unit: (unit.lane, unit.side)):
        seats = end.sides[side == "B"]
        names = " and ".join(map(view.realm, seats))
        yield f"{LANES[lane]}, {names}", tuple(bar(view, unit) for unit in units)


def bar(view: View, unit: br1.UnitOutcome) -> Bar:
    """What is left of a unit, and whose it is."""
    stood, fled = (0, unit.remaining) if unit.fled else (unit.remaining, 0)
    parts = (stood, fled, unit.start - unit.remaining)
    return Bar(view.fighter(unit.name, crowded=True), parts, "; ".join(notes(unit)))


def notes(unit: br1.UnitOutcome) -> Iterator[str]:
    """What numbers of models do not tell."""
    if unit.standard_lost:
        yield "standard lost"
    if unit.slain_in_challenge:
        yield "slain in a challenge"
