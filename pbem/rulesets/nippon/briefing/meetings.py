"""Meetings: whom to talk to or fight, on what ground, and the lines to send."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from pbem.core.report import Choices, Items, Section, Text
from pbem.core.ruleset import Material
from pbem.core.turn import Entry
from pbem.core.wording import listed
from pbem.rulesets.nippon.agenda import results_to_judge, terms_to_answer
from pbem.rulesets.nippon.armies import army
from pbem.rulesets.nippon.briefing.chronicle import Chronicle
from pbem.rulesets.nippon.briefing.telling import told, you
from pbem.rulesets.nippon.cards.bargains import letters
from pbem.rulesets.nippon.cards.checking import possible
from pbem.rulesets.nippon.cards.disputes import statements
from pbem.rulesets.nippon.cards.open_matters import date
from pbem.rulesets.nippon.cards.verdicts import changes
from pbem.rulesets.nippon.engagements import battle, disputed, fighters, forsaken, parleyed
from pbem.rulesets.nippon.events import BattleSet, DeputyNamed, ObstacleRolled, ResultReported, TermsOffered
from pbem.rulesets.nippon.fighting import at_home, townsmen
from pbem.rulesets.nippon.orders import (
    AgreeDate,
    Answer,
    AskAutomatic,
    AskDiceOff,
    Cannot,
    Contact,
    JudgeResult,
    NameDeputy,
    Offer,
    ProposeDate,
    ReportResult,
    UnitLoss,
)
from pbem.rulesets.nippon.results import corps_of, losses_as_told
from pbem.rulesets.nippon.ships.harbours import ships_beside
from pbem.rulesets.nippon.state import (
    GARRISON,
    LAIR,
    RESERVE,
    Banner,
    Loss,
    Meeting,
    Ship,
    Unit,
    counted_machines,
    seat_of,
)
from pbem.rulesets.nippon.tables import SCENARIOS
from pbem.rulesets.nippon.tabletop import voice, volunteers
from pbem.rulesets.nippon.view import View

Fact = tuple[str, str]
"""What it is about, and what there is to say."""
Line = tuple[Any, str]
"""An order, and what it does."""


def told_meetings(material: Material, chronicle: Chronicle) -> Section:
    """What happened at all meetings, by section."""
    places = {at: material.after.place(at) for at in sorted(chronicle.meetings)}
    items = tuple(
        (place, "\n".join(line for entry in chronicle.meetings[at] for line in _entry(material, entry, place)))
        for at, place in places.items()
    )
    return Section("meetings", "Meetings and battles", (Items(items),) if items else ())


def _entry(material: Material, entry: Entry, place: str) -> Iterator[str]:
    """What is told of an entry beside its place; of a reported result also the losses, those of a banner in a line."""
    yield _without(told(material, entry), place)
    if isinstance(entry.event, ResultReported):
        for key, losses in entry.event.result.losses:
            units = "; ".join(UnitLoss(key, loss).told for loss in losses)
            yield f"{_corps(material.after, key)}: {units}."


def _corps(view: View, key: str) -> str:
    """Whose units they are, by their key in losses."""
    return {RESERVE: "The reserve", GARRISON: "The garrison", LAIR: "The lair"}.get(key) or view.banner(key)


def _without(sentence: str, place: str) -> str:
    """A sentence without the place that stands beside it."""
    return sentence.replace(f" in {place}", "", 1).replace(f" for {place}", "", 1)


def meeting_card(material: Material, chronicle: Chronicle, meeting: Meeting) -> Section:
    """All that a player needs to talk or to fight."""
    view: View = material.after
    said = statements(view, meeting)
    facts = (*setting(view, meeting), *_works(material, chronicle, meeting), *said, *forces(view, meeting))
    lines = tuple(possible(view, _lines(material, meeting)))
    until = Text(f"Lines you can send until the stage closes{_unfought(view, meeting)}:")
    return Section(
        f"meeting {meeting.at}",
        f"Meeting in {view.place(meeting.at)}",
        (
            Text(f"{_whom(view, meeting)} {_choice(view, meeting)}"),
            Items(facts),
            *((until, Choices(lines)) if lines else ()),
        ),
    )


def _whom(view: View, meeting: Meeting) -> str:
    """Whom the reader meets, or for whom he plays."""
    side = voice(view.position, meeting.at, view.seat or "")
    there = [*meeting.banners, *(ship.key for ship in ships_at(view, meeting))]
    there = [key for key in there if seat_of(key) not in meeting.beaten] or there
    foes = listed(view.banner(key) for key in there if seat_of(key) not in meeting.side(side))
    return f"You meet {foes}." if side == view.seat else f"You play for {view.realm(side)}, against {foes}."


def meeting_facts(view: View, log: Sequence[Any]) -> tuple[Fact, ...]:
    """What whoever has just become a deputy has to know of his battle (NIP 8.8), and whoever fights the next one of a
    meeting (NIP 8.4): the events of a log tell so."""
    named = (event.at for event in log if isinstance(event, DeputyNamed) and event.deputy == view.seat)
    following = (event.at for event in log if isinstance(event, BattleSet) and fights_next(view, event.at))
    open_to = (view.position.meetings[at] for at in dict.fromkeys((*named, *following)))
    return tuple(fact for meeting in open_to for fact in (*setting(view, meeting), *forces(view, meeting)))


def fights_next(view: View, at: int) -> bool:
    """Whether the battle that a meeting waits for is one of the reader's, or of a realm for which he plays it."""
    return voice(view.position, at, view.seat or "") in fighters(view.position, view.position.meetings[at])


def result_facts(view: View, log: Sequence[Any]) -> Iterator[Fact]:
    """What a result that waits for the reader's answer says of units, a line for each (NIP 8.5); the events of a log
    tell of it."""
    told = {event.at for event in log if isinstance(event, ResultReported)}
    for meeting in results_to_judge(view):
        if meeting.at in told and meeting.next.result:
            lines = losses_as_told(view.position, meeting.at, meeting.next.result)
            for key, units in groupby(changes(view, meeting, lines), key=itemgetter(0)):
                yield _corps(view, corps_of(view.position, key)), "\n".join(change for _, change in units)
            yield "All others", "came through whole"


def _choice(view: View, meeting: Meeting) -> str:
    if not fights_next(view, meeting.at):
        first = listed(map(view.realm, fighters(view.position, meeting)))
        return f"{first} fight first; then you meet the winner, unless you have agreed on terms before."
    if forsaken(view.position, meeting):
        return "Nobody plays the other side any more: dice alone fight your battle when the stage closes."
    if parleyed(view.position, meeting):
        return "Agree on how the battle came out."
    if view.position.options.battles == "auto":
        return "Agree on terms, or dice alone fight your battle when the stage closes."
    return "Agree on terms, or fight on the table."


def _unfought(view: View, meeting: Meeting) -> str:
    """What becomes of a battle without a result, where players report results."""
    options = view.position.options
    if options.battles == "auto" or parleyed(view.position, meeting) or forsaken(view.position, meeting):
        return ""
    if not fights_next(view, meeting.at):
        return ""
    return f"; a battle without a result is then {'fought automatically' if options.unfought == 'auto' else 'a draw'}"


# --- the battle ---------------------------------------------------------------------------------------------------


def setting(view: View, meeting: Meeting) -> Iterator[Fact]:
    """Who attacks, and on what ground."""
    if meeting.next.attacker:
        yield "Attack", _side(view, meeting, meeting.next.attacker)
        yield "Defence", _side(view, meeting, meeting.next.defender)
    yield from table_facts(view, meeting)
    yield from _guns(view, meeting)


def _works(material: Material, chronicle: Chronicle, meeting: Meeting) -> Iterator[Fact]:
    """What the works of a banner give it on the table (NIP 7.3)."""
    view: View = material.after
    works = view.position.sections[meeting.at].fortified
    for entry in chronicle.meetings.get(meeting.at, ()):
        if isinstance(entry.event, ObstacleRolled) and entry.event.banner == works:
            gift = f"removes one terrain piece and gets {entry.event.obstacle}"
            yield "Works", f"{view.banner(works)}, if it defends, {gift}."


def table_facts(view: View, meeting: Meeting) -> Iterator[Fact]:
    """What to lay out for a game: the ground, what stands there, the scenario."""
    yield "Ground", _ground(view, meeting.at)
    if things := view.position.sections[meeting.at].things:
        yield "At the site", listed(things)
    if meeting.next.scenario:
        scenario = SCENARIOS[meeting.next.scenario - 1]
        yield "Scenario", f"{meeting.next.scenario} {scenario.title}. {scenario.text}"


def ships_at(view: View, meeting: Meeting) -> tuple[Ship, ...]:
    """The ships that meet; in port ships meet nobody (NIP 11.4)."""
    return view.position.ships_at(meeting.at) if view.position.place(meeting.at).ocean else ()


def _guns(view: View, meeting: Meeting) -> Iterator[Fact]:
    """The ships whose machines may join a side (NIP 11.4)."""
    one, other = battle(view.position, meeting)
    sides = ((one, other), (other, one))
    beside = {ship.key: ship for pair in sides for ship in ships_beside(view.position, meeting.at, *pair)}
    for key, ship in sorted(beside.items()):
        place = "" if ship.at == meeting.at else f" in {view.place(ship.at)}"
        yield (
            view.banner(key),
            f"{ship.kind}{place} with {', '.join(counted_machines(ship.machines))}, which may join in",
        )


def _side(view: View, meeting: Meeting, seat: str) -> str:
    """The realms of a side, the reader as you."""
    return listed(you(view, each) for each in meeting.side(seat))


def _ground(view: View, at: int) -> str:
    place, site = view.position.place(at), view.position.site(at)
    marks = [place.terrain, *(["river"] if place.river else []), *(["snow"] if place.snow else [])]
    return ", ".join([*marks, *([site] if site else [])])


def forces(view: View, meeting: Meeting) -> Iterator[Fact]:
    """Who is there, with what, and what is known of when and by whom it is played."""
    for key in meeting.banners:
        yield view.banner(key), _muster(view, meeting, view.position.banners[key])
    if any(at_home(view.position, meeting.at, side) for side in meeting.sides):
        for key, name in ((GARRISON, "Garrison"), (RESERVE, "Reserve")):
            units = [unit for of, unit in townsmen(view.position, meeting.at) if of == key]
            if units:
                yield name, f"{troops(units)}; fights for the site"
    yield from _appointment(view, meeting)


def _muster(view: View, meeting: Meeting, banner: Banner) -> str:
    """The units of a banner and its points: one's own are known, of others the least that the army list asks."""
    if banner.realm == view.seat or meeting.deputy_of(banner.realm) == view.seat:
        return f"{banner.points:,} points: {troops(banner.units)}"
    types = army(view.position.realms[banner.realm].army).types
    least = sum(types[unit.type].points * unit.standing for unit in banner.units if unit.type in types)
    return f"at least {least:,} points by its army list: {troops(banner.units)}" if least else troops(banner.units)


def _appointment(view: View, meeting: Meeting) -> Iterator[Fact]:
    """When and by whom it is played, and how to reach them (NIP 8.8)."""
    if meeting.next.date:
        yield "Date", date(view, meeting)
    for seat in sorted(meeting.cannot):
        yield "Cannot play", you(view, seat)
    if view.seat in meeting.cannot and (ready := volunteers(view.position, meeting, view.seat or "")):
        yield "Volunteers", listed(map(view.realm, ready))
    for seat, deputy in meeting.deputies:
        yield "Deputy", f"{you(view, deputy)} for {you(view, seat)}"
    for seat in sorted(meeting.concerned - {view.seat}):
        if contact := view.position.realms[seat].contact:
            yield f"Contact of {view.realm(seat)}", f'"{contact}"'


def troops(units: Iterable[Unit]) -> str:
    """Units with their numbers: ``Captain Oda, Halberdiers (20), Knights (5), Mortar``."""
    single = ("hero", "lord", "war machine")
    named = (unit.name if unit.category in single else f"{unit.name} ({unit.standing})" for unit in units)
    return ", ".join(named) or "unknown"


# --- the lines to send --------------------------------------------------------------------------------------------


def _lines(material: Material, meeting: Meeting) -> Iterator[Line]:
    """What there is to say, each with what it does."""
    view, at = material.after, meeting.at
    for terms in terms_to_answer(view):
        if terms.at == at:
            yield Answer(terms.number, accept=True), f"takes the terms: {material.say(TermsOffered(terms))}"
            yield Answer(terms.number, accept=False), "refuses them"
    if meeting.next.result and meeting in results_to_judge(view):
        yield (
            JudgeResult(at, confirm=True, version=meeting.next.number),
            f"agrees: {material.say(ResultReported(at, meeting.next.result))}",
        )
        yield JudgeResult(at, confirm=False, words="why"), "says that it came out differently"
    if view.seat in meeting.realms and not parleyed(view.position, meeting):
        yield Offer(at, pact="truce", turns=3, words="your words"), OFFERS
    if view.position.options.battles != "auto":
        yield from _on_the_table(view, meeting)


OFFERS = "offers terms; also give 200, ask 200, cede, claim"


def _on_the_table(view: View, meeting: Meeting) -> Iterator[Line]:
    """Lines about a battle that players fight."""
    at = meeting.at
    if not fights_next(view, at):
        return
    yield ReportResult(at), "tells that the battle was a draw"
    yield _victory(view, at), f"{HOW_WON}. Letters before units: {letters(view, meeting)}. The form has all units"
    if parleyed(view.position, meeting):
        yield from _in_dispute(view, meeting)
        return
    yield ProposeDate(at, "Saturday 15:00"), f"tells all concerned when you could play; {AgreeDate(at)} says yes"
    if view.seat not in meeting.realms:
        yield Cannot(at, "why"), "you do not play it for another after all"
        return
    yield AskAutomatic(at), "asks that dice alone fight the battle, as soon as the others ask for it too"
    yield Cannot(at, "why"), "tells them that you cannot; then name a deputy, or dice fight it"
    yield from _deputies(view, meeting)
    if not view.position.realms[view.seat].contact:
        yield (
            Contact("your address or phone, and when"),
            "how those you meet, and their deputies, can reach you; nobody else sees it",
        )


def _deputies(view: View, meeting: Meeting) -> Iterator[Line]:
    """Who could play it for the reader: those who have come forward; who would is known to those who cannot."""
    if ready := volunteers(view.position, meeting, view.seat or ""):
        yield from ((NameDeputy(meeting.at, seat, view.realm(seat)), "would play it for you") for seat in ready)
        return
    others = sorted(view.position.realms.keys() - meeting.concerned)
    asked = "plays it for you; ask him first. Once you cannot, you learn who would"
    yield from ((NameDeputy(meeting.at, seat, view.realm(seat)), asked) for seat in others[:1])


def _in_dispute(view: View, meeting: Meeting) -> Iterator[Line]:
    """By which dice a dispute may be decided."""
    if view.seat in meeting.realms and disputed(view.position, meeting):
        yield AskDiceOff(meeting.at), "asks that a die each decides who won, as soon as the others ask for it too"
        yield AskAutomatic(meeting.at), "asks that dice alone fight the battle, as soon as the others do"


HOW_WON = (
    "tells who won: victory, solid victory or massacre; then each unit with losses and what is left of it, and if so: "
    "lost standard, champion dead, musician dead, mount dead, in challenge"
)


def _victory(view: View, at: int) -> ReportResult:
    """A result as the reader might tell it, with one of his units for example."""
    seat = voice(view.position, at, view.seat or "")
    own = (banner for banner in view.position.banners_at(at) if banner.realm == seat)
    units = [(banner.key, unit) for banner in own for unit in banner.units if not unit.character]
    losses = tuple(UnitLoss(key, Loss(unit.name, unit.standing // 2, fled=3)) for key, unit in units[:1])
    return ReportResult(at, seat, view.realm(seat), "victory", losses)
