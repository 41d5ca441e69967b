"""The order form at the end of a report: lines to send back as they are or changed, each with what one must know.

What stands in a line is what happens without it; what would need a decision stands behind a ``#`` that the player takes
away.
"""

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Any

from pbem.battles import Plan, placings, policies
from pbem.core.wording import listed
from pbem.rulesets.nippon import agenda
from pbem.rulesets.nippon.aftermath import dry_neighbours
from pbem.rulesets.nippon.cards import bargains, disputes, mustering
from pbem.rulesets.nippon.cards.checking import by_default, possible
from pbem.rulesets.nippon.cards.lanes import Drawn
from pbem.rulesets.nippon.cards.mustering import Row
from pbem.rulesets.nippon.cards.names import around
from pbem.rulesets.nippon.cards.results import details, result_form
from pbem.rulesets.nippon.cards.wares import wares
from pbem.rulesets.nippon.engagements import disputed, fighters, forsaken, parleyed, played, stands
from pbem.rulesets.nippon.items import ITEMS
from pbem.rulesets.nippon.orders import (
    AgreeDate,
    Answer,
    AskAutomatic,
    AskDiceOff,
    Cannot,
    Hold,
    JudgeResult,
    NameDeputy,
    Preference,
    ProposeDate,
    ReportResult,
    Steer,
    Underground,
    Vote,
)
from pbem.rulesets.nippon.paths import steps_of
from pbem.rulesets.nippon.preferences import standing
from pbem.rulesets.nippon.results import combatants
from pbem.rulesets.nippon.state import Banner, Meeting, Ship
from pbem.rulesets.nippon.state.ballots import Proposal
from pbem.rulesets.nippon.tables import HULLS, MARCH_STEPS, people
from pbem.rulesets.nippon.tabletop import voice, volunteers
from pbem.rulesets.nippon.view import View

Said = tuple[Any, str]
"""An order that answers others, and what it does."""

WIDTH = 70
"""Characters of what stands behind the sign of a comment, where it is long. Mail programs break longer lines, and their
second half would be read as an order."""

GAP = 3
"""Spaces between the longest line and the comments."""


def form(view: View) -> tuple[str, ...]:
    """The order form of the seat of ``view``; empty when nothing can be ordered."""
    if view.seat is None or not view.position.realms[view.seat].in_play:
        return ()
    if view.position.stage == "set-up":
        return aligned(list(mustering.form(view)))
    if view.position.stage == "orders":
        rows = [_row(view, banner) for banner in view.position.all_of(view.seat)]
        fleet = [row for ship in view.position.ships_of(view.seat) for row in remark(_ship(view, ship))]
        return aligned([*rows, *fleet, *_reserves(view), *_wares(view), *_wishes(view), *_ballots(view)])
    if view.position.stage in ("meetings", "disputes"):
        return aligned([*matters(view), *_ballots(view)])
    return ()


def _ballots(view: View) -> Iterator[Row]:
    """Proposals that wait for the reader's vote (NIP 15.1)."""
    for number, proposal in open_proposals(view):
        yield from remark(f"vote yes on R{number}, or no: {view.realm(proposal.by)} proposes {proposal.matter}")


def open_proposals(view: View) -> Iterator[tuple[int, Proposal]]:
    """The proposals on which the reader has not voted, by number."""
    seat = view.seat or ""
    for number, proposal in sorted(view.position.proposals.items()):
        if view.position.realms[seat].in_play and proposal.voted(seat) is None:
            yield number, proposal


def remark(text: str) -> Iterator[Row]:
    """Words for the reader in comments of their own; unlike a line that may be sent they can be broken."""
    yield from (("", line) for line in wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False))


def aligned(rows: Sequence[Row]) -> tuple[str, ...]:
    """Lines with their comments below one another."""
    width = max((len(line) for line, _ in rows), default=0) + GAP
    return tuple(f"{line:{width}}# {comment}" if line else f"# {comment}" for line, comment in rows)


# --- orders ---------------------------------------------------------------------------------------------------


def _row(view: View, banner: Banner) -> Row:
    tunnel = view.position.tunnels.get(banner.key)
    if tunnel and view.position.turn < tunnel.up:
        return str(Underground(banner.name, tunnel.goal, tunnel.no_claim)), by_default(view, banner)
    if tunnel or banner.scattered:
        return "", f"{banner.name}: {by_default(view, banner)}"
    return str(Hold(banner.name)), _situation(view, banner)


def _ship(view: View, ship: Ship) -> str:
    """A ship, and an order that would send it off: ``Sea Swan, transport in 33 Owari: Sea Swan: sail 40``."""
    place, room = view.position.place(ship.at), HULLS[ship.kind].room
    aboard = [banner.name for banner in view.position.aboard(ship.key)]
    load = f", {listed(aboard)} aboard" if aboard else f", room for {room:,} points"
    seas = [number for number in place.neighbours if view.position.place(number).ocean]
    return f"{ship.name}, {ship.kind} in {place}{load}. {Steer(ship.name, tuple(seas[:1]))}"


def _situation(view: View, banner: Banner) -> str:
    """Where a banner stands and where it can go: ``13 Ford. next: 12 14 19``."""
    place = view.position.place(banner.at)
    steps = steps_of(view.position, banner)
    facts = [f"{place}. next: {around(view, banner.at)}"]
    if banner.aboard:
        facts.append(f"aboard {view.position.ships[banner.aboard].name}: sail on, land next door, or hold")
    if banner.flies:
        facts.append(f"flies {steps} steps")
    elif steps > 1:
        facts.append(f"{steps} steps")
    if people(view.position.realms[banner.realm].army).marches:
        facts.append(f"forced march: {steps + MARCH_STEPS} steps")
    if banner.drawn:
        facts.append("after the draw: hold, move to a section of yours, or scatter")
    if view.position.sections[banner.at].razed:
        facts.append("razed: recover")
    return ". ".join(facts)


def _reserves(view: View) -> Iterator[Row]:
    """Units that wait for a banner."""
    for at, section in sorted(view.position.sections.items()):
        if section.quartered == view.seat and section.reserve:
            points = sum(unit.worth for unit in section.reserve)
            yield from remark(f"{view.place(at)} has a reserve of {points:,} points: transfer, or form a banner")


def _wares(view: View) -> Iterator[Row]:
    """What the treasury can buy: ``recruit 10 spearmen at 4   # 60 pp``."""
    treasury, found = view.position.realms[view.seat or ""].treasury, list(wares(view))
    if treasury:
        told = "can buy, for example:" if found else "buy nothing where you are; RULES 11.1 to 11.4 have the prices"
        yield from remark(f"your {treasury:,} pp {told}")
    yield from (("", f"{order}{' ' * GAP}# {price:,} pp") for price, order in found)


def _wishes(view: View) -> Iterator[Row]:
    """What the reader has said once and for all."""
    for wish in standing(view.position.realms[view.seat or ""].preferences):
        yield "", f"{wish} (stands)"


# --- meetings -------------------------------------------------------------------------------------------------


def matters(view: View) -> Iterator[Row]:
    """What the reader has to say or decide at his meetings."""
    for terms in agenda.terms_to_answer(view):
        yield from remark(f"{view.realm(terms.by)} offers: {'; '.join(bargains.summary(view, terms))}")
        yield from _open(view, Answer(terms.number, accept=True), Answer(terms.number, accept=False))
    judging = agenda.results_to_judge(view)
    for meeting in judging:
        yield from remark(f"{view.place(meeting.at)}, reported: {bargains.outcome(view, meeting)}")
        # Never a line that counts as it stands: whoever fills in his own result below would confirm the other's, too.
        line = str(JudgeResult(meeting.at, confirm=True, version=meeting.next.number))
        yield "", f"{line}{' ' * GAP}# {disputes.silence(view, meeting)}"
        yield "", str(JudgeResult(meeting.at, confirm=False, words="why"))
        yield "", "or how it was; take the # away from these lines, and change them:"
        yield from (("", line) for line in result_form(view, meeting))
    for meeting in agenda.open_meetings(view):
        waits = parleyed(view.position, meeting) and stands(view.position, meeting)
        if meeting not in judging and not waits and (meeting.assault or agenda.foes(view, meeting)):
            yield from _assault(view, meeting) if meeting.assault else _battle(view, meeting)
    for meeting in agenda.tables(view):
        if meeting not in judging and view.seat not in meeting.realms:
            realm = view.realm(voice(view.position, meeting.at, view.seat or ""))
            yield from remark(f"{view.place(meeting.at)}, where you play for {realm}:")
            yield from () if parleyed(view.position, meeting) else _dates(view, meeting)
            yield from _to_fill_in(view, meeting)
    for meeting in agenda.defences_to_take(view):
        attackers = listed(map(view.realm, meeting.sides[0]))
        yield from remark(f"defend {meeting.at}: you play those whom {attackers} assault in {view.place(meeting.at)}")


def _open(view: View, *orders: Any) -> Iterator[Row]:
    """Lines to use by taking the sign of the comment away: those of some that would not be refused."""
    return (("", line) for line, _ in possible(view, ((order, "") for order in orders)))


def _battle(view: View, meeting: Meeting) -> Iterator[Row]:
    foes = listed(map(view.realm, agenda.foes(view, meeting)))
    late = parleyed(view.position, meeting)
    fate = f" {disputes.fate(view, meeting)}" if late else ""
    waits = view.seat not in fighters(view.position, meeting)
    yield from remark(f"{view.place(meeting.at)}, {'then ' if waits else ''}against {foes}:{fate}")
    if not late and played(view.position, agenda.foes(view, meeting)):
        yield "", f"offer {meeting.at}: truce 3"
    yield from _plans(view, meeting)
    if view.position.options.battles == "auto" or forsaken(view.position, meeting) or waits:
        return
    yield from _open(view, AskAutomatic(meeting.at), AskDiceOff(meeting.at))
    if not late:
        yield from _dates(view, meeting)
    yield from _spoils(view, meeting)
    yield from _to_fill_in(view, meeting)


def _plans(view: View, meeting: Meeting) -> Iterator[Row]:
    """How each own banner fights where dice alone decide, as it would be written: its plan, or what holds without."""
    for banner in map(view.position.banners.__getitem__, meeting.banners):
        if banner.realm == view.seat:
            plan = banner.plan or Drawn(view, banner, Plan()).whole
            yield "", f"plan {banner.name}:"
            yield from (("", line) for clause in placings(plan) for line in _broken(clause))
            yield "", "; ".join(policies(plan, in_full=True))


def _broken(clause: str) -> Iterator[str]:
    """A part of a plan in lines that no mail program breaks; the next goes on behind a comma."""
    line = ""
    for name in clause.split(", "):
        if line and len(line) + len(name) > WIDTH - len(", "):
            yield f"{line},"
            line = name
        else:
            line = f"{line}, {name}" if line else name
    yield line


def _dates(view: View, meeting: Meeting) -> Iterator[Row]:
    """When and by whom it is played (NIP 8.8)."""
    at, seat = meeting.at, view.seat or ""
    for order, words in _to_a_date(view, meeting):
        yield from (*remark(words), *_open(view, order))
    ready = volunteers(view.position, meeting, seat) if seat in meeting.cannot else ()
    deputies = (NameDeputy(at, each, view.realm(each)) for each in ready)
    yield from _open(view, ProposeDate(at, "Saturday 15:00"), Cannot(at, "why"), *deputies)


def _to_a_date(view: View, meeting: Meeting) -> Iterator[Said]:
    """Yes to the date that another has proposed."""
    if meeting in agenda.dates_to_answer(view):
        battle = meeting.next
        yield AgreeDate(meeting.at), f'says yes to "{battle.date}", as {view.realm(battle.date_by)} proposes'


def _spoils(view: View, meeting: Meeting) -> Iterator[Row]:
    """What the reader has at stake there, and what becomes of it (NIP 9.5); usually the cheapest goes first."""
    own = [each for each in view.position.banners_at(meeting.at) if each.realm == view.seat]
    units = [unit for banner in own for unit in banner.units]
    carried = sorted(
        {name for unit in units for name in unit.items if name in ITEMS}, key=lambda name: ITEMS[name].price
    )
    leaders = tuple(unit.name for unit in units if unit.character)
    yield from remark("Spoils, where a hero or lord falls: what you want first, and what you give up (RULES 9.5):")
    if carried:
        yield "", str(Preference("give up", tuple(carried[:3]), meeting.at))
    yield "", str(Preference("take", at=meeting.at))
    if len(leaders) > 1:
        yield "", str(Preference("carriers", leaders[:3], meeting.at))
    homes = [
        at for at in dry_neighbours(view.position, meeting.at) if view.position.sections[at].controller == view.seat
    ]
    if homes:
        yield from remark("If you are beaten:")
        yield "", f"retreat B{meeting.at} to {homes[0]}"


def _assault(view: View, meeting: Meeting) -> Iterator[Row]:
    """An assault that may be played on the table (NIP 8.9)."""
    who = view.realm(meeting.next.defender) if meeting.next.defender else "nobody yet"
    yield from remark(f"Assault in {view.place(meeting.at)}. The defence is played by {who}.")
    yield from _open(view, AskAutomatic(meeting.at))
    if meeting.next.defender:
        yield from _dates(view, meeting)
        yield from _to_fill_in(view, meeting)


def _to_fill_in(view: View, meeting: Meeting) -> Iterator[Row]:
    """The result, with all units of both sides."""
    yield from remark("After a game: take the # away from these lines, and lower the numbers.")
    yield from (("", line) for line in result_form(view, meeting))
    said = ", ".join(details(unit for _, unit in combatants(view.position, meeting)))
    yield from remark(f"There may follow, after a comma: {said}")


def answers(view: View) -> tuple[Row, ...]:
    """The lines that answer what others have said, each with what it does."""
    if view.seat is None:
        return ()
    talking = view.position.stage in ("meetings", "disputes")
    return tuple(possible(view, (*(_answers(view) if talking else ()), *_votes(view))))


def _votes(view: View) -> Iterator[Said]:
    """How to vote on what others propose (NIP 15.1)."""
    for number, proposal in open_proposals(view):
        yield Vote(number, yes=True), f"agrees to {proposal.matter}"
        yield Vote(number, yes=False), "ends the proposal"


def _answers(view: View) -> Iterator[Said]:
    for terms in agenda.terms_to_answer(view):
        yield Answer(terms.number, accept=True), f"takes it: {'; '.join(bargains.summary(view, terms))}"
        yield Answer(terms.number, accept=False), "does not take it"
    for meeting in agenda.results_to_judge(view):
        line = JudgeResult(meeting.at, confirm=True, version=meeting.next.number)
        yield line, disputes.agreeing(view, meeting)
        yield JudgeResult(meeting.at, confirm=False, words="why"), "says that it came out differently"
    for wish in agenda.dice_to_answer(view):
        asking = view.position.meetings[wish.at].next
        who = asking.automatic if isinstance(wish, AskAutomatic) else asking.dice_off
        what = "dice alone fight the battle" if isinstance(wish, AskAutomatic) else "a die for each side decides"
        yield wish, f"wants it, too, as {listed(map(view.realm, sorted(who)))}: {what}"
    for meeting in agenda.open_meetings(view):
        yield from _out_of_a_dispute(view, meeting)
    for meeting in agenda.tables(view):
        yield from _to_a_date(view, meeting)
        if view.seat not in meeting.realms:
            yield Cannot(meeting.at, "why"), "you do not play it for another"
        elif view.seat in meeting.cannot and not meeting.deputy_of(view.seat):
            for each in volunteers(view.position, meeting, view.seat):
                yield NameDeputy(meeting.at, each, view.realm(each)), "would play it for you"


def _out_of_a_dispute(view: View, meeting: Meeting) -> Iterator[Said]:
    """What may still end a dispute: the reader's word may be all that is lacking (NIP 8.5)."""
    at = meeting.at
    if meeting.assault or not disputed(view.position, meeting):
        return
    yes = JudgeResult(at, confirm=True, version=meeting.next.number)
    agreed = [(yes, f"agrees after all: {bargains.outcome(view, meeting)}")]
    ways = (
        *(agreed if meeting not in agenda.results_to_judge(view) else ()),
        (ReportResult(at), "says that it was a draw; or send another result"),
        (AskDiceOff(at), "a die each decides who won, if all want it"),
        (AskAutomatic(at), "dice alone fight it, if all want it"),
    )
    told = {AskDiceOff: meeting.next.dice_off, AskAutomatic: meeting.next.automatic}
    for order, words in ways:
        if not told.get(type(order)):
            yield order, words
