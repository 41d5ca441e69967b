"""A seat that plays itself: it sees what its player would see, and writes a card like any other.

It takes what is free and worth having, attacks who seems weaker, razes what it cannot keep, digs in where enemies stand
next door, and in meetings would rather have a truce with the stronger. All its chances are dice labelled ``robot …``.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import Any

from pbem.core.dice import Dice
from pbem.core.graph import distances
from pbem.rulesets.nippon.cards import bargains
from pbem.rulesets.nippon.cards.checking import judge, settled
from pbem.rulesets.nippon.cards.ledger import Ledger, Prospect
from pbem.rulesets.nippon.cards.outlook import tests_of
from pbem.rulesets.nippon.legality import claimable, hostile_at
from pbem.rulesets.nippon.orders import (
    Answer,
    BannerOrder,
    Build,
    Fortify,
    Hold,
    JudgeResult,
    Move,
    Offer,
    Order,
    Raze,
    Recover,
    ReportResult,
    Scatter,
    Spending,
    UnitLoss,
    Upgrade,
)
from pbem.rulesets.nippon.parley import pending
from pbem.rulesets.nippon.paths import steps_of
from pbem.rulesets.nippon.spending import machines
from pbem.rulesets.nippon.state import Banner, Meeting, State, Terms, Unit
from pbem.rulesets.nippon.tables import BUILDINGS, ODDS, PORT_SCORE, SECTION_SCORE, SITE_SCORE, UPGRADES
from pbem.rulesets.nippon.view import View


def robot(view: View, dice: Dice) -> str:
    """A card for the seat of ``view``."""
    mind = Mind(view, dice)
    thoughts = {"orders": _orders, "meetings": _talks}.get(view.position.stage)
    return "\n".join(map(str, thoughts(mind))) if thoughts else ""


@dataclass
class Mind:
    """What a robot knows and has made up its mind about."""

    view: View
    dice: Dice
    goals: set[int] = field(default_factory=set)
    """Sections that a banner is on its way to already."""

    @property
    def position(self) -> State:
        """What it sees."""
        return self.view.position

    @property
    def seat(self) -> str:
        """Whose side it is on."""
        return self.view.seat or ""

    def roll(self, about: str, sides: int = 6) -> int:
        """A whim."""
        return self.dice.roll(f"robot {self.seat} {self.position.turn} {about}", sides).value

    def may(self, order: Any) -> bool:
        """Whether an order can be carried out."""
        return isinstance(judge(self.view, order), Prospect)


# --- orders ---------------------------------------------------------------------------------------------------

ENOUGH = 1.1
"""How much stronger a banner must seem to attack gladly."""

DARING = 0.7
"""How strong it must seem to attack on a whim."""


def _orders(mind: Mind) -> Iterator[BannerOrder | Spending]:
    yield from _spending(mind)
    for banner in mind.position.banners_of(mind.seat):
        if not banner.scattered:
            yield _best(mind, banner)


def _spending(mind: Mind) -> Iterator[Spending]:
    """What it can pay of its wishes, in their order."""
    ledger = Ledger(mind.view)
    return (wish for wish in _wishes(mind) if isinstance(ledger.entered(wish), Prospect))


def _wishes(mind: Mind) -> Iterator[Spending]:
    """What pays first: sites that grow, taverns, the buildings after them; on a whim, guns for its headquarters."""
    held = mind.position.held_by(mind.seat)
    yield from (Upgrade(at, to) for to in reversed(UPGRADES) for at in held)
    yield from (Build(at, what) for what in BUILDINGS for at in held)
    home = mind.position.realms[mind.seat].headquarters
    if home in held and mind.roll("guns") == 1:
        yield from (Build(home, machine) for machine in machines(mind.position, mind.seat))


def _best(mind: Mind, banner: Banner) -> BannerOrder:
    """The legal order that promises most; a die shakes up what is nearly equal."""
    rated = sorted(((worth, str(order), order) for order, worth in _choices(mind, banner)), key=lambda each: each[:2])
    worths = [(worth + mind.roll(line) / 12, line, order) for worth, line, order in rated]
    order = max(worths, key=lambda each: each[:2])[2]
    if isinstance(order, Move):
        mind.goals.add(order.path[-1])
    return order


def _choices(mind: Mind, banner: Banner) -> Iterator[tuple[BannerOrder, float]]:
    """Orders that a banner could carry out, and what each seems worth."""
    yield Hold(banner.name), _staying(mind, banner)
    yield from ((order, worth) for order, worth in _works(mind, banner) if mind.may(order))
    prospects = _prospects(mind, banner)
    for goal in _in_reach(mind, banner):
        order = settled(mind.view, banner, Move(banner.name, (goal,)))
        if isinstance(order, Move) and not _over_water(mind, order.path) and mind.may(order):
            yield order, _arriving(mind, banner, order) + prospects.get(goal, 0)


def _works(mind: Mind, banner: Banner) -> Iterator[tuple[BannerOrder, float]]:
    section = mind.position.sections[banner.at]
    threatened = any(hostile_at(mind.position, mind.seat, number) for number in _next_to(mind, banner.at))
    yield Recover(banner.name), 3.0 + SITE_SCORE.get(section.site, 0)
    if threatened and not section.fortified:
        careful = mind.roll(f"{banner.name} fortify") > 4
        yield Fortify(banner.name), _staying(mind, banner) + (4.0 if careful else 1.0)
    if section.controller not in ("", mind.seat) and mind.roll(f"{banner.name} raze") == 1:
        yield Raze(banner.name), 3.0
    yield Scatter(banner.name), 0.5


def _staying(mind: Mind, banner: Banner) -> float:
    """What holding is worth: a section to take, a home to guard."""
    if claimable(mind.position, mind.seat, banner.at):
        return _value(mind.position, banner.at)
    guarded = [each for each in mind.position.banners_at(banner.at) if each.realm == mind.seat]
    at_home = banner.at == mind.position.realms[mind.seat].headquarters
    threatened = any(hostile_at(mind.position, mind.seat, number) for number in _next_to(mind, banner.at))
    return 4.0 if at_home and threatened and guarded[0].key == banner.key else 0.2


def _in_reach(mind: Mind, banner: Banner) -> list[int]:
    steps = steps_of(mind.position, banner)
    found = mind.position.atlas.distances(banner.at)
    return sorted(number for number, away in found.items() if 0 < away <= steps)


def _next_to(mind: Mind, number: int) -> tuple[int, ...]:
    return mind.position.place(number).neighbours


def _over_water(mind: Mind, path: Sequence[int]) -> bool:
    return any(mind.position.place(number).ocean for number in path)


def _arriving(mind: Mind, banner: Banner, order: Move) -> float:
    """What a move brings this turn: the section, less where others go already or enemies stand, times the odds."""
    goal = order.path[-1]
    gain = _value(mind.position, goal) if claimable(mind.position, mind.seat, goal) and goal not in mind.goals else 0.0
    enemies = [enemy for number in order.path for enemy in hostile_at(mind.position, mind.seat, number)]
    if enemies:
        gain += _fighting(mind, banner, enemies, goal)
    if banner.flies:
        gain /= 2
    tests = tests_of(mind.position, banner, order.path, order.by_land)
    return gain * float(prod((ODDS[hazard] for _, _, hazard in tests), start=Fraction(1)))


def _fighting(mind: Mind, banner: Banner, enemies: Sequence[Banner], goal: int) -> float:
    """Whether it seems wise to meet these."""
    strength = banner.points / max(1.0, sum(_guessed(mind, enemy) for enemy in enemies))
    if strength >= ENOUGH or all(enemy.scattered for enemy in enemies):
        return 2.0
    return 1.0 if strength >= DARING and mind.roll(f"{banner.name} dares {goal}") == 1 else -4.0


def _guessed(mind: Mind, enemy: Banner) -> float:
    """What an enemy's banner may be worth: its share of a whole army."""
    return mind.position.options.army_points / len(mind.position.banners_of(enemy.realm))


def _prospects(mind: Mind, banner: Banner) -> dict[int, float]:
    """For every section in reach, the pull of what lies beyond it."""
    reach = _in_reach(mind, banner)
    steps = max(1, steps_of(mind.position, banner))
    wanted = [number for number in mind.position.sections if number not in mind.goals and _wanted(mind, number)]
    pulls: dict[int, float] = {}
    for number in reach:
        away = distances(number, lambda each: _dry(mind, each))
        turns = {each: 1 + -(-away[each] // steps) for each in wanted if each in away}
        pulls[number] = max((_value(mind.position, each) / turns[each] for each in turns), default=0.0)
    return pulls


def _wanted(mind: Mind, number: int) -> bool:
    """Whether to go there in the end: to take it, or to make it live again."""
    return claimable(mind.position, mind.seat, number) or mind.position.sections[number].razed


def _dry(mind: Mind, number: int) -> list[int]:
    return [each for each in _next_to(mind, number) if not mind.position.place(each).ocean]


def _value(position: State, number: int) -> float:
    """What a section is worth: as the final score counts, and a little more for what is another's."""
    place, section = position.place(number), position.sections[number]
    score = SECTION_SCORE + SITE_SCORE.get(section.site, 0) + PORT_SCORE * position.port(place.number)
    return score + (0.5 if section.controller else 0.0) - (0.3 if place.snow else 0.0)


# --- meetings -------------------------------------------------------------------------------------------------

UNTIL = 3
"""Turns of the truces it offers."""

BARGAIN = 50
"""Production points that a die can add to how it likes an offer, for each pip."""

SECTION_PRICE = 400
PEACE_PRICE = 200
"""What it gives for a section, and for peace with a stronger realm, in production points."""


def _talks(mind: Mind) -> Iterator[Order]:
    for terms in bargains.terms_to_answer(mind.view):
        yield _answer(mind, terms)
    judging = bargains.results_to_judge(mind.view)
    for meeting in judging:
        yield JudgeResult(meeting.at, confirm=_credible(mind, meeting))
    for meeting in bargains.open_meetings(mind.view):
        if meeting not in judging and meeting.result is None and not _busy(mind, meeting):
            yield from _open_talk(mind, meeting)


def _busy(mind: Mind, meeting: Meeting) -> bool:
    """Whether terms for this meeting still wait for somebody's answer."""
    return any(terms.at == meeting.at and pending(terms) for terms in mind.position.terms.values())


def _open_talk(mind: Mind, meeting: Meeting) -> Iterator[Order]:
    """Offer a truce, once; else tell how the battle came out."""
    spoke = any(terms.by == mind.seat and terms.at == meeting.at for terms in mind.position.terms.values())
    peaceful = mind.roll(f"{meeting.at} peace") > (2 if _balance(mind, meeting) < 1 else 4)
    offer = Offer(meeting.at, pact="truce", turns=UNTIL)
    report = _report(mind, meeting)
    if peaceful and not spoke and mind.may(offer):
        yield offer
    elif mind.may(report):
        yield report


def _answer(mind: Mind, terms: Terms) -> Answer:
    """Accept what seems worth it: sums, sections, and peace with the stronger."""
    sums = sum(pp * _sign(mind, payee, payer) for payer, payee, pp in terms.gives)
    land = sum(SECTION_PRICE * _sign(mind, taker, giver) for giver, taker, _ in terms.cedes)
    weaker = _balance(mind, mind.position.meetings[terms.at]) < 1
    peace = (PEACE_PRICE if weaker else -PEACE_PRICE) if terms.pact else -PEACE_PRICE
    liking = sums + land + peace + BARGAIN * mind.roll(f"P{terms.number}")
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
    """What a side could do on the table, by what both sides see of it: models and their characteristics."""
    banners = [mind.position.banners[key] for key in meeting.banners]
    return float(sum(_might(unit) for banner in banners if banner.realm in side for unit in banner.units))


def _might(unit: Unit) -> int:
    profile = unit.profile
    return unit.models * (profile.WS + profile.S + profile.T * profile.W + profile.A * profile.S)


MASSACRE, SOLID, WON = 2.0, 1.5, 1.1
"""How much stronger the winner's side is for each degree."""

COST = {"massacre": (0, 3), "solid victory": (1, 2), "victory": (1, 2), "": (1, 1)}
"""Of six models of a unit, how many fall with the winner and with the loser (of a draw: with both)."""


def _report(mind: Mind, meeting: Meeting) -> ReportResult:
    """The result that the strengths of the two sides promise."""
    sides = [mind.position.meetings[meeting.at].side(seat) for seat in (meeting.attacker, meeting.defender)]
    attack, defence = (_strength(mind, meeting, side) for side in sides)
    winner, loser = sides if attack >= defence else sides[::-1]
    ratio = max(attack, defence) / max(1.0, min(attack, defence))
    degree: Any = "massacre" if ratio >= MASSACRE else "solid victory" if ratio >= SOLID else "victory"
    if ratio < WON:
        return ReportResult(meeting.at, losses=_losses(mind, meeting, winner, loser, ""))
    losses = _losses(mind, meeting, winner, loser, degree)
    return ReportResult(meeting.at, winner[0], mind.view.realm(winner[0]), degree, losses)


def _losses(
    mind: Mind, meeting: Meeting, winner: Sequence[str], loser: Sequence[str], degree: str
) -> tuple[UnitLoss, ...]:
    """Casualties among the rank and file."""
    with_winner, with_loser = COST[degree]
    losses = list[UnitLoss]()
    for key in meeting.banners:
        banner = mind.position.banners[key]
        share = with_winner if banner.realm in winner else with_loser if banner.realm in loser else 0
        for unit in banner.units:
            fallen = unit.models * share // 6
            if fallen and not unit.character:
                losses.append(UnitLoss(key, unit.name, unit.models - fallen))
    return tuple(losses)


def _credible(mind: Mind, meeting: Meeting) -> bool:
    """Whether to believe a result: not that a much weaker side has won."""
    result = meeting.result
    if result is None or not result.winner or result.winner in meeting.side(mind.seat):
        return True
    return _balance(mind, meeting) < MASSACRE
