"""Assaults that may be played on the table: who attacks whom, on what ground, and the lines to send (NIP 8.9)."""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any

from pbem.core.report import Choices, Items, Section, Text
from pbem.core.wording import listed
from pbem.rulesets.nippon.agenda import defences_to_take
from pbem.rulesets.nippon.briefing.meetings import Fact, table_facts, troops
from pbem.rulesets.nippon.briefing.telling import you
from pbem.rulesets.nippon.events import DefenceTaken
from pbem.rulesets.nippon.fighting import residents
from pbem.rulesets.nippon.garrisons import fort_of_site
from pbem.rulesets.nippon.orders import AskAutomatic, Defend, JudgeResult
from pbem.rulesets.nippon.state import Meeting, Unit, assault_key
from pbem.rulesets.nippon.view import View

NO_SAVE = 7
"""An armour save as good as none."""


def assault_card(view: View, meeting: Meeting) -> Section:
    """All that a player needs to play an assault, from either side."""
    return Section(
        assault_key(meeting.at),
        f"Assault in {view.place(meeting.at)}",
        (
            Text(f"{_whether(view, meeting)} Without a common result dice alone fight it when the stage closes."),
            Items(tuple(_facts(view, meeting))),
            Text("The defence:"),
            Items(tuple(_defence(view, meeting))),
            Text("Lines you can send until the stage closes:"),
            Choices(tuple(_lines(view, meeting))),
        ),
    )


def defence_facts(view: View, log: Sequence[Any]) -> Iterator[Fact]:
    """All that both sides need for a game as soon as somebody has taken the defence: the events of a log tell so."""
    taken = (event.at for event in log if isinstance(event, DefenceTaken))
    for meeting in (view.position.meetings[at] for at in taken):
        if view.seat in meeting.concerned:
            yield from _facts(view, meeting)
            yield from _defence(view, meeting)


def _defence(view: View, meeting: Meeting) -> Iterator[Fact]:
    """The units of the garrison or of the lair, with all that a table needs."""
    yield from ((troops([unit]), profile(unit)) for _, unit in residents(view.position, meeting.at))


def _whether(view: View, meeting: Meeting) -> str:
    if not meeting.next.defender:
        return (
            "This assault can be played on the table, as soon as somebody takes the defence: both sides then get their "
            "card again, with a form for the result."
        )
    return f"This assault can be played on the table: {view.realm(meeting.next.defender)} has taken the defence."


def _facts(view: View, meeting: Meeting) -> Iterator[Fact]:
    yield "Attack", f"{listed(you(view, each) for each in meeting.sides[0])}, who have the first turn"
    for key in meeting.banners:
        yield view.banner(key), troops(view.position.banners[key].units)
    if meeting.next.defender:
        yield "Defence", you(view, meeting.next.defender)
    yield from table_facts(view, meeting)
    section = view.position.sections[meeting.at]
    if section.site != "lair":
        yield "Behind", fort_of_site(section)


def profile(unit: Unit) -> str:
    """A unit's characteristics, special rules and gear: ``M4 WS3 ... Ld7, save 5+, skirmishers, champion, bow``."""
    marks = " ".join(f"{field.name}{getattr(unit.profile, field.name)}" for field in fields(unit.profile))
    save = [f"save {unit.save}+"] if unit.save < NO_SAVE else []
    command = [word for word in ("champion", "musician", "standard") if getattr(unit, word)]
    mount = [f"on {unit.mount}"] if unit.mount else []
    return ", ".join((marks, *save, *sorted(unit.tags), *command, *mount, *unit.gear, *unit.items))


def _lines(view: View, meeting: Meeting) -> Iterator[Fact]:
    at = meeting.at
    if meeting in defences_to_take(view):
        yield str(Defend(at)), "takes the defence: you play it, and get a card with the units that attack"
        return
    yield str(AskAutomatic(at)), "gives up the game: dice alone fight"
    if not meeting.next.defender:
        return
    yield f"result {at}: the defence victory", "tells how the game came out; the form has all units"
    yield (
        str(JudgeResult(at, confirm=True, version=meeting.next.number)),
        "agrees to what the other side reports; only then it counts",
    )
