"""What a robot says in meetings."""

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Any

from pbem.rulesets.nippon import agenda
from pbem.rulesets.nippon.engagements import disputed
from pbem.rulesets.nippon.items import ITEMS
from pbem.rulesets.nippon.orders import (
    AgreeDate,
    Answer,
    AskAutomatic,
    AskDiceOff,
    Cannot,
    Defend,
    JudgeResult,
    NameDeputy,
    Offer,
    Order,
    ProposeDate,
    ReportResult,
    UnitLoss,
)
from pbem.rulesets.nippon.parley import pending
from pbem.rulesets.nippon.results import combatants, fielded
from pbem.rulesets.nippon.robot.mind import Mind
from pbem.rulesets.nippon.state import Loss, Meeting, Terms, Unit, seat_of
from pbem.rulesets.nippon.tabletop import voice

UNTIL = 3
"""Turns of the truces it offers."""

BARGAIN = 50
"""Production points that a die can add to how it likes an offer, for each pip."""

SECTION_PRICE = 400
PEACE_PRICE = 200
"""What it gives for a section, and for peace with a stronger realm, in production points."""

TELLS_UP_TO = 2
"""Up to this on a D6 it tells a result of its own reckoning, rather than let dice alone fight."""

LASTING = {name for name, item in ITEMS.items() if item.kind != "potion"}
"""What it may give away: potions it drinks before the battle itself."""


BUSY, UNWILLING = 6, 4
"""From these dice on it has no time for a battle: for its own, and for one that it is to play for another."""

BY_ARMIES_UP_TO = 2
"""Up to this on a D6 it would have a dispute settled by an automatic battle, rather than by a die for each side."""


PLAYS_UP_TO = 5
"""So too in an assault, where somebody has come to play."""


DEFENDS_FROM = 4
"""From this on a D6 it plays the defence in an assault of others."""


def talks(mind: Mind) -> Iterator[Order]:
    """Answers first, then verdicts, then words of its own."""
    answered, judging = agenda.terms_to_answer(mind.view), agenda.results_to_judge(mind.view)
    for terms in answered:
        yield _answer(mind, terms)
    yield from _verdicts(mind, judging)
    yield from _dates(mind, {terms.at for terms in answered} | {meeting.at for meeting in judging})
    for meeting in agenda.open_meetings(mind.view):
        untold = meeting.next.result is None and not meeting.unopposed
        if untold and meeting not in judging and not _busy(mind, meeting):
            yield from _open_talk(mind, meeting)
    for meeting in agenda.defences_to_take(mind.view):
        if mind.roll(f"{meeting.at} defend") >= DEFENDS_FROM:
            yield Defend(meeting.at)


def _dates(mind: Mind, spoken: Container[int]) -> Iterator[Order]:
    """Proposes a date, and says yes to every other; now and then it has no time, and somebody else plays for it."""
    for meeting in agenda.tables(mind.view):
        at = meeting.at
        if at in spoken or meeting.next.result:
            continue
        own = mind.seat in meeting.realms
        busy = mind.roll(f"{at} deputy") >= (BUSY if own else UNWILLING)
        others = sorted(mind.position.realms.keys() - meeting.concerned)
        said = list[Order]()
        if busy and own and others and not meeting.deputy_of(mind.seat):
            said = [Cannot(at), NameDeputy(at, others[-1], mind.view.realm(others[-1]))]
        elif busy and not own:
            said = [Cannot(at)]
        elif not meeting.next.date:
            said = [ProposeDate(at, "Saturday 15:00")]
        elif voice(mind.position, at, mind.seat) not in meeting.next.agreed:
            said = [AgreeDate(at)]
        yield from (each for each in said if mind.may(each))


def _verdicts(mind: Mind, judging: Iterable[Meeting]) -> Iterator[Order]:
    for meeting in judging:
        yield JudgeResult(meeting.at, confirm=_credible(mind, meeting), version=meeting.next.number)


def settlements(mind: Mind) -> Iterator[Order]:
    """What it says where only disputes are left: verdicts, and where it is at odds a wish for one kind of dice."""
    judging = agenda.results_to_judge(mind.view)
    yield from _verdicts(mind, judging)
    for meeting in agenda.open_meetings(mind.view):
        even = mind.roll(f"{meeting.at} dice-off") > BY_ARMIES_UP_TO
        wish = AskDiceOff(meeting.at) if even else AskAutomatic(meeting.at)
        if meeting not in judging and disputed(mind.position, meeting) and mind.may(wish):
            yield wish


def _busy(mind: Mind, meeting: Meeting) -> bool:
    """Whether terms for this meeting still wait for somebody's answer."""
    return any(terms.at == meeting.at and pending(terms) for terms in mind.position.terms.values())


def _open_talk(mind: Mind, meeting: Meeting) -> Iterator[Order]:
    """Offer a truce, once; else have the battle fought automatically, or tell how it came out."""
    spoke = any(terms.by == mind.seat and terms.at == meeting.at for terms in mind.position.terms.values())
    peaceful = mind.roll(f"{meeting.at} peace") > (2 if _balance(mind, meeting) < 1 else 4)
    offer = Offer(meeting.at, pact="truce", turns=UNTIL, items=_gifts(mind, meeting))
    report = _report(mind, meeting)
    tells_up_to = PLAYS_UP_TO if meeting.assault else TELLS_UP_TO
    if peaceful and not spoke and mind.may(offer):
        yield offer
    elif mind.roll(f"{meeting.at} automatic") > tells_up_to and mind.may(AskAutomatic(meeting.at)):
        yield AskAutomatic(meeting.at)
    elif mind.may(report):
        yield report


def _gifts(mind: Mind, meeting: Meeting) -> tuple[tuple[str, str], ...]:
    """What the weaker adds to its offer: an item that is worth something, for the only other realm there."""
    others = [seat for side in meeting.sides for seat in side if seat != mind.seat]
    banners = [mind.position.banners[key] for key in meeting.banners if seat_of(key) == mind.seat]
    items = [name for banner in banners for unit in banner.units for name in unit.items if name in LASTING]
    dear = max(items, key=lambda name: ITEMS[name].price, default="")
    return ((others[0], dear),) if dear and len(others) == 1 and _balance(mind, meeting) < 1 else ()


def _answer(mind: Mind, terms: Terms) -> Answer:
    """Accept what seems worth it: sums, sections, and peace with the stronger."""
    sums = sum(pp * _sign(mind, payee, payer) for payer, payee, pp in terms.gives)
    land = sum(SECTION_PRICE * _sign(mind, taker, giver) for giver, taker, _ in terms.cedes)
    goods = sum(ITEMS[item].price * _sign(mind, taker, giver) for giver, taker, item in terms.items)
    weaker = _balance(mind, mind.position.meetings[terms.at]) < 1
    peace = (PEACE_PRICE if weaker else -PEACE_PRICE) if terms.pact else -PEACE_PRICE
    liking = sums + goods + land + peace + BARGAIN * mind.roll(f"P{terms.number}")
    accept = Answer(terms.number, accept=True)
    return accept if liking > 0 and mind.may(accept) else Answer(terms.number, accept=False)


def _sign(mind: Mind, gains: str, loses: str) -> int:
    return (gains == mind.seat) - (loses == mind.seat)


def _balance(mind: Mind, meeting: Meeting) -> float:
    """How strong its own side of a meeting is, with the strongest other as 1."""
    sides = [side for side in meeting.sides if side]
    strength = {side: _strength(mind, meeting, side) for side in sides}
    own = next((strength[side] for side in sides if mind.seat in side), 0.0)
    return own / max(1.0, max((strength[side] for side in sides if mind.seat not in side), default=1.0))


def _strength(mind: Mind, meeting: Meeting, side: Iterable[str]) -> float:
    """What a side could do on the table, by what both sides see of it: models and their characteristics.

    In a meeting it reckons with banners alone; in an assault the other side has none.
    """
    units = fielded(mind.position, meeting, tuple(side))
    return float(sum(_might(unit) for key, unit in units if meeting.assault or key in meeting.banners))


def _might(unit: Unit) -> int:
    profile = unit.profile
    return unit.standing * (profile.WS + profile.S + profile.T * profile.W + profile.A * profile.S)


MASSACRE, SOLID, WON = 2.0, 1.5, 1.1
"""How much stronger the winner's side is for each degree."""

COST = {"massacre": (0, 3), "solid victory": (1, 2), "victory": (1, 2), "": (1, 1)}
"""Of six models of a unit, how many fall with the winner and with the loser (of a draw: with both)."""

FLIGHT = {"massacre": 3, "solid victory": 2, "victory": 1, "": 0}
"""What a die may show at most for a unit of the losers to have fled, with all who are left."""


def _report(mind: Mind, meeting: Meeting) -> ReportResult:
    """The result that the strengths of the two sides promise."""
    sides = [mind.position.meetings[meeting.at].side(seat) for seat in (meeting.next.attacker, meeting.next.defender)]
    attack, defence = (_strength(mind, meeting, side) for side in sides)
    winner, loser = sides if attack >= defence else sides[::-1]
    ratio = max(attack, defence) / max(1.0, min(attack, defence))
    degree: Any = "massacre" if ratio >= MASSACRE else "solid victory" if ratio >= SOLID else "victory"
    if ratio < WON:
        return ReportResult(meeting.at, losses=_losses(mind, meeting, loser, ""))
    losses = _losses(mind, meeting, loser, degree)
    return ReportResult(meeting.at, winner[0], mind.view.realm(winner[0]), degree, losses)


def _losses(mind: Mind, meeting: Meeting, loser: Sequence[str], degree: str) -> tuple[UnitLoss, ...]:
    """Casualties among the rank and file, and the monsters of heroes."""
    with_winner, with_loser = COST[degree]
    losses = list[UnitLoss]()
    beaten = {(key, unit.name) for key, unit in fielded(mind.position, meeting, tuple(loser))}
    for key, unit in combatants(mind.position, meeting):
        lost = (key, unit.name) in beaten
        share = with_loser if lost else with_winner
        fallen = unit.standing * share // 6
        if fallen and not unit.character:
            fled = lost and mind.roll(f"{meeting.at} {unit.name} flees") <= FLIGHT[degree]
            losses.append(_loss(key, unit, unit.standing - fallen, fled=fled))
        elif "monstrous mount" in unit.tags and mind.roll(f"{meeting.at} {unit.name}'s mount") <= share:
            losses.append(UnitLoss(key, Loss(unit.name, unit.standing, mount_dead=True)))
    return tuple(losses)


def _loss(key: str, unit: Unit, left: int, *, fled: bool) -> UnitLoss:
    """What is left of a unit, on the table or in flight."""
    return UnitLoss(key, Loss(unit.name, 0, fled=left) if fled else Loss(unit.name, left))


def _credible(mind: Mind, meeting: Meeting) -> bool:
    """Whether to believe a result: not that a much weaker side has won."""
    result = meeting.next.result
    if result is None or not result.winner or result.winner in meeting.side(mind.seat):
        return True
    return _balance(mind, meeting) < MASSACRE
