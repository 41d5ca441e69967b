"""Battles as their fighters are told them: round by round, with a picture of the lanes and of what is left there."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from pbem import battles as br1
from pbem.core.report import Bar, Bars, Items, Section, Story, Text
from pbem.core.ruleset import Material
from pbem.core.turn import Entry
from pbem.core.wording import listed
from pbem.rulesets.nippon.briefing.telling import capitalized
from pbem.rulesets.nippon.events import BattleTold, RoundFought
from pbem.rulesets.nippon.state import Result
from pbem.rulesets.nippon.view import View

LANES: dict[br1.Lane, str] = {"L": "Left", "C": "Centre", "R": "Right"}
LEGEND = ("stood", "fled", "fell")


def stories(material: Material) -> tuple[Story, ...]:
    """Each battle of the log that is told from its first round to its last."""
    before: Counter[int] = Counter()
    told = []
    for rounds, end in battles(material.log):
        before[end.at] += 1
        told.append(story(material, rounds, end, before[end.at]))
    return tuple(told)


def battles(log: Iterable[Entry]) -> Iterator[tuple[tuple[RoundFought, ...], BattleTold]]:
    """The rounds of each battle, and its end."""
    rounds: list[RoundFought] = []
    for entry in log:
        if isinstance(entry.event, RoundFought):
            rounds.append(entry.event)
        elif isinstance(entry.event, BattleTold):
            yield tuple(rounds), entry.event
            rounds = []


def story(material: Material, rounds: Sequence[RoundFought], end: BattleTold, number: int) -> Story:
    """A battle from its first round to its last, of those in its section the one with this number, from 1 on."""
    view: View = material.after
    won = capitalized(verdict(view, end.result))
    section = Section(
        f"battle {end.at}" if number == 1 else f"battle {end.at} {number}",
        f"The battle in {view.place(end.at)}",
        (
            Items(tuple((f"Round {each.round.round}", material.say(each)) for each in rounds)),
            Text(f"{material.say(end)} {won}"),
            Bars(LEGEND, tuple(lanes(view, end))),
        ),
    )
    against = " against ".join(named(view, seats) for seats in end.sides)
    return Story(f"{capitalized(against)}. {won}", section)


def named(view: View, seats: Sequence[str]) -> str:
    """Who fights on a side."""
    return listed(view.realm(seat) for seat in seats)


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
        yield f"{LANES[lane]}, {named(view, seats)}", tuple(bar(view, unit) for unit in units)


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
