"""Laws of meetings, pay and the end, whatever is ordered: crowds of banners, orders and talks at random."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import combinations
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.battles import LANES, Plan, Station
from pbem.core.dice import Dice
from pbem.core.ruleset import ORGANIZER, Entrant
from pbem.core.turn import EVERYONE, Entry, fold, resolve
from pbem.rulesets.nippon import events
from pbem.rulesets.nippon.armies import army
from pbem.rulesets.nippon.banners import outside
from pbem.rulesets.nippon.cards.checking import judge
from pbem.rulesets.nippon.disputes import to_rule
from pbem.rulesets.nippon.engagements import asked, disputed, fighters, left_to_dice, rolled_for
from pbem.rulesets.nippon.items.bearing import bearing
from pbem.rulesets.nippon.legality import Refusal
from pbem.rulesets.nippon.orders import (
    AgreeDate,
    Alone,
    Answer,
    AskAutomatic,
    AskDiceOff,
    BreakPact,
    Cannot,
    Defend,
    Fortify,
    Hold,
    JudgeResult,
    Move,
    NameDeputy,
    Offer,
    Preference,
    ProposeDate,
    Raze,
    Recover,
    ReportResult,
    Ruling,
    SetPlan,
    UnitLoss,
)
from pbem.rulesets.nippon.orders.preferences import SPOILS
from pbem.rulesets.nippon.parley import pending
from pbem.rulesets.nippon.phases import ACTS, phases, stage
from pbem.rulesets.nippon.results import combatants
from pbem.rulesets.nippon.setup import setup
from pbem.rulesets.nippon.state import Banner, Loss, Meeting, Pact, Result, State, Unit
from pbem.rulesets.nippon.view import view

SEATS = "ABCD"

PLACES = (2, 6, 7, 8)
"""Sections of the duel map, so few that nobody can help meeting: forest, river, snow, a village and a mine."""

STAGES = 6


CAMPAIGNS = 60
"""Played once, for all laws; most of what they speak of is seen in the first few."""


@dataclass(frozen=True)
class Step:
    """A piece of a campaign: immediate orders of one seat, or the close of a stage."""

    before: State
    after: State
    log: tuple[Entry, ...]
    closed: bool
    said: tuple[tuple[str, Any], ...] = ()
    """Who said what; nothing, if a stage closed."""

    def told(self, kind: type) -> list[Any]:
        """Its events of a kind."""
        return [entry.event for entry in self.log if isinstance(entry.event, kind)]


@cache
def campaign(number: int) -> tuple[Step, ...]:
    """A few stages of a campaign in which anything may be ordered, legal or not."""
    rng = Random(number)
    state, steps = crowd(rng), list[Step]()
    for seed in (f"{number} {place}" for place in range(STAGES)):
        if state.stage == "over":
            break
        dice = Dice(seed.encode(), lambda audience, seed=seed: f"{seed} {sorted(audience)}".encode())
        talks = rng.randint(0, 8 * len(state.meetings)) if state.stage in ("meetings", "disputes") else 0
        for _ in range(talks):
            seat, said = word(state, rng)
            done = resolve(ACTS, state, {seat: [said]}, Dice())  # it can roll none
            steps.append(Step(state, done.state, done.log, closed=False, said=((seat, said),)))
            state = done.state
        done = resolve(phases(state), state, orders(state, rng), dice)
        steps.append(Step(state, done.state, done.log, closed=True))
        state = done.state
    return tuple(steps)


def law(test: Callable[[Step], None]) -> Callable[[], None]:
    """Try a law on every step of all campaigns."""

    def test_all() -> None:
        for number in range(CAMPAIGNS):
            for place, step in enumerate(campaign(number)):
                try:
                    test(step)
                except AssertionError as broken:
                    broken.add_note(f"in step {place} of campaign {number}")
                    raise

    test_all.__name__ = test.__name__
    return test_all


@cache
def ready() -> State:
    """Four realms before their first turn."""
    return setup({"map": "duel", "domination": 1.0}, [Entrant(seat, seat, {}) for seat in SEATS], Dice(b"set-up"))


def crowd(rng: Random) -> State:
    """All banners of four realms in a few sections, of unequal strength, with some goods, guns and pp in hand; now and
    then all in one section, and nobody the friend of anybody."""
    state, thronged = ready().copy(), rng.random() < 1 / 3
    state.options = replace(
        state.options, site_battles=rng.choice(["auto", "table"]), disputes=rng.choice(["players", "organizer"])
    )
    places = (rng.choice(PLACES),) if thronged else PLACES
    for key, banner in sorted(state.banners.items()):
        units = banner.units if rng.random() < 0.7 else tuple(unit for unit in banner.units if unit.character)
        laden = tuple(bearing(unit, rng.choice(GOODS)) if unit.character else unit for unit in units)
        guns = (GUNS(f"Guns of {banner.name}", "great cannon", models=2),) if rng.random() < 0.5 else ()
        state.change_banner(key, at=rng.choice(places), units=laden + guns, scattered=rng.random() < 0.1)
    for number in PLACES:
        state.change_section(number, controller=rng.choice(["", *SEATS]), buildings=("tavern",))
    for seat in SEATS:
        state.change_realm(seat, treasury=rng.choice([0, 50, 300]))
    pairs = () if thronged else combinations(SEATS, 2)
    state.pacts = tuple(Pact("alliance", frozenset(pair)) for pair in pairs if rng.random() < 0.3)
    return state


GOODS = ("Sword of Might", "Scroll of Scry")
"""Items of which each hero has one, and that may be asked for."""

GUNS = army("free peoples").unit


def orders(state: State, rng: Random) -> dict[str, list[Any]]:
    """Anything to every banner, and broken pacts, and how it is all meant."""
    return {seat: [*deeds(state, seat, rng), *breaks(rng), *wishes(state, seat, rng)] for seat in SEATS}


def deeds(state: State, seat: str, rng: Random) -> list[Any]:
    """An order to each banner."""
    return [deed(state, banner, rng) for banner in state.banners_of(seat)]


def deed(state: State, banner: Banner, rng: Random) -> Any:
    """An order to a banner."""
    away = Move(banner.name, (rng.choice(state.place(banner.at).neighbours),), no_claim=rng.random() < 0.2)
    return rng.choice([away, away, Hold(banner.name), Raze(banner.name), Fortify(banner.name), Recover(banner.name)])


def breaks(rng: Random) -> list[BreakPact]:
    """Now and then a realm breaks with another, whether or not there is a pact."""
    other = rng.choice(SEATS)
    return [BreakPact(other, other)] if rng.random() < 0.2 else []


def wishes(state: State, seat: str, rng: Random) -> Iterator[Any]:
    """How banners are to fight, who fights alone, and what is wanted of spoils."""
    for banner in state.banners_of(seat):
        unit = rng.choice(banner.units).name
        wish = rng.choice(
            [SetPlan(banner.name, random_plan(banner, rng)), SetPlan(banner.name), Alone(banner.name, unit)]
        )
        yield from [wish] if rng.random() < 0.4 else []
    about, at = rng.choice(SPOILS), rng.choice([0, *sorted(state.meetings)])
    yield from [Preference(about, (rng.choice(GOODS),), at)] if rng.random() < 0.4 else []


def random_plan(banner: Banner, rng: Random) -> Plan:
    """Some of a banner's units anywhere, to come at any time."""
    stations = tuple(
        Station(
            unit.name,
            rng.choice(LANES),
            rng.choice(["ATTACK", "HOLD", None]),
            rng.choice(["start", "flank", "round", "broken"]),
            rng.randint(1, 4),
        )
        for unit in banner.units
        if rng.random() < 0.7
    )
    return Plan(stations, pursue=rng.random() < 0.5, retreat=rng.choice([None, 30]))


def word(state: State, rng: Random) -> tuple[str, Any]:
    """Who says something, and what: often what others wait for."""
    awaited = [*answers(state, rng)]
    if awaited and rng.random() < 0.5:
        return rng.choice(awaited)
    seat = rng.choice(SEATS)
    return seat, talk(state, seat, rng)


def answers(state: State, rng: Random) -> Iterator[tuple[str, Any]]:
    """What might be said to every offer that is open, and to every result that was told."""
    for number, terms in sorted(state.terms.items()):
        if pending(terms):
            yield from ((seat, Answer(number, accept=rng.random() < 0.8)) for seat in sorted(terms.to - terms.accepted))
    for at, meeting in sorted(state.meetings.items()):
        if meeting.next.result:
            number = meeting.next.number
            judges = sorted(asked(state, meeting))
            yield from ((seat, JudgeResult(at, confirm=rng.random() < 0.8, version=number)) for seat in judges)
        if disputed(state, meeting):
            yield from ((seat, AskDiceOff(at)) for seat in sorted(fighters(state, meeting)))
        if meeting.unopposed:
            yield from ((seat, Defend(at)) for seat in SEATS)
        elif meeting.assault and not meeting.next.result:
            yield from ((seat, random_result(state, meeting, rng)) for seat in fighters(state, meeting))
        if meeting.next.date:
            yield from ((seat, AgreeDate(at)) for seat in sorted(meeting.realms - {meeting.next.date_by}))
        yield from ((seat, deputy(at, rng)) for seat in sorted(meeting.cannot))
    for meeting in to_rule(state):
        told = random_result(state, meeting, rng) if rng.random() < 0.7 else None
        yield ORGANIZER, Ruling(meeting.at, told, "so it was")


def deputy(at: int, rng: Random) -> NameDeputy:
    """Somebody is to play, who may be there himself."""
    seat = rng.choice(SEATS)
    return NameDeputy(at, seat, seat)


def talk(state: State, seat: str, rng: Random) -> Any:
    """Something said at a meeting, by somebody who may have no business there."""
    meeting = state.meetings[rng.choice(sorted(state.meetings))]
    numbers = sorted(number for number, terms in state.terms.items() if seat in terms.to) or [0]
    offer, answer = random_offer(state, meeting, seat, rng), Answer(rng.choice(numbers), accept=rng.random() < 0.8)
    judgement = JudgeResult(meeting.at, confirm=rng.random() < 0.7)
    wish = rng.choice([AskDiceOff(meeting.at), AskAutomatic(meeting.at, automatic=rng.random() < 0.7)])
    dated = rng.choice(
        [ProposeDate(meeting.at, "Friday"), AgreeDate(meeting.at), Cannot(meeting.at), deputy(meeting.at, rng)]
    )
    return rng.choice(
        [offer, answer, answer, random_result(state, meeting, rng), judgement, wish, dated, Defend(meeting.at)]
    )


def random_offer(state: State, meeting: Meeting, seat: str, rng: Random) -> Offer:
    """Terms of all kinds."""
    other, sections = rng.choice(sorted(meeting.realms - {seat}) or SEATS), sorted(state.sections)
    return Offer(
        meeting.at,
        frozenset({other} if rng.random() < 0.5 else ()),
        gives=((other, rng.choice([10, 60, 200])),) if rng.random() < 0.4 else (),
        asks=((other, rng.choice([10, 60, 200])),) if rng.random() < 0.3 else (),
        cedes=tuple(state.held_by(seat)[:1]) if rng.random() < 0.3 else (),
        claims=(rng.choice(sections),) if rng.random() < 0.2 else (),
        items=((other, rng.choice(GOODS)),) if rng.random() < 0.2 else (),
        wanted=((other, rng.choice(GOODS)),) if rng.random() < 0.2 else (),
        pact=rng.choice(["", "alliance", "truce", "passage"]),
        turns=rng.randint(0, 2),
    )


def random_result(state: State, meeting: Meeting, rng: Random) -> ReportResult:
    """A result, with losses of somebody who was there."""
    winner = rng.choice(["", rng.choice(SEATS), *sorted(meeting.realms)])
    there = [*combatants(state, meeting)]
    corps = rng.choice(there)[0] if there else ""
    lost = tuple(random_loss(corps, unit, rng) for key, unit in there if key == corps and rng.random() < 0.5)
    return ReportResult(meeting.at, winner, winner, rng.choice(["victory", "massacre"]) if winner else "", lost)


def random_loss(corps: str, unit: Unit, rng: Random) -> UnitLoss:
    """What was told of a unit; it may be more than it had."""
    models, fled, wounds = (rng.randint(0, unit.models + 2) for _ in range(3))
    flags = (rng.random() < 0.2 for _ in range(4))
    return UnitLoss(corps, Loss(unit.name, models, fled, *flags, wounds))


def units_of(state: State) -> Iterator[Unit]:
    """All units, under banners and in reserve."""
    yield from (unit for banner in state.banners.values() for unit in banner.units)
    yield from (unit for section in state.sections.values() for unit in section.reserve)


# --- what there is to see ---------------------------------------------------------------------------------------------

SPOKEN_OF = (
    events.AssaultPlayed,
    events.BattleDecided,
    events.BodySearched,
    events.CreaturesJoined,
    events.DateAgreed,
    events.DefenceTaken,
    events.DeputyNamed,
    events.DiceOffRolled,
    events.FallenTested,
    events.FledTested,
    events.ItemCeded,
    events.MachinesTested,
    events.ModelsLost,
    events.PlanSet,
    events.Produced,
    events.RazingPaid,
    events.ResultConfirmed,
    events.ResultRuled,
    events.SectionWon,
    events.SpoilsChosen,
    events.StandardLost,
    events.TermsPaid,
    events.TreasureFound,
)
"""A law that is kept because nothing happens says nothing: these have to happen."""


def test_campaigns_come_to_all_that_the_laws_speak_of():
    steps = [step for number in range(CAMPAIGNS) for step in campaign(number)]
    happened = {type(entry.event) for step in steps for entry in step.log}
    assert [event for event in SPOKEN_OF if event not in happened] == []


# --- laws -------------------------------------------------------------------------------------------------------------


@law
def test_events_alone_make_the_state(step):
    assert fold(step.before, step.log) == step.after


@law
def test_every_change_of_a_treasury_is_an_event(step):
    due = Counter({seat: realm.treasury for seat, realm in step.before.realms.items()})
    for paid in step.told(events.Produced) + step.told(events.RazingPaid) + step.told(events.TreasureFound):
        due[paid.realm] += paid.pp
    for paid in step.told(events.TermsPaid):
        due[paid.payer] -= paid.pp
        due[paid.payee] += paid.pp
    assert {seat: realm.treasury for seat, realm in step.after.realms.items()} == dict(due)


@law
def test_no_treasury_falls_below_nothing(step):
    assert min(realm.treasury for realm in step.after.realms.values()) >= 0


@law
def test_points_are_never_created(step):
    def points(state: State) -> int:
        """Reserves count wherever they are: that of a razed section is nobody's until it is recovered."""
        reserves = (unit.worth for section in state.sections.values() for unit in section.reserve)
        return sum(banner.points for banner in state.banners.values()) + sum(reserves)

    tamed = sum(each.unit.worth for each in step.told(events.CreaturesJoined))
    assert points(step.after) <= points(step.before) + tamed


@law
def test_no_model_is_in_two_states_at_once(step):
    for unit in units_of(step.after):
        assert unit.models > 0
        assert 0 <= unit.wounds <= unit.models * (unit.profile.W - 1)
        assert min(unit.standing, *((unit.toll.fallen, unit.toll.fled) if unit.toll else (0,))) >= 0


@law
def test_what_battles_did_is_settled_when_the_turn_ends(step):
    if step.after.stage == "orders":
        assert not any(unit.toll for unit in units_of(step.after))


@law
def test_models_are_lost_by_tests_and_dangers_alone(step):
    def models(state: State) -> Counter[tuple[str, str]]:
        """By banner and unit."""
        return Counter({(key, unit.name): unit.models for key in state.banners for unit in state.banners[key].units})

    before, after, due = models(step.before), models(step.after), models(step.before)
    for tested in step.told(events.FallenTested):
        due[tested.banner, tested.unit] -= tested.fallen - tested.returned
    for fled in step.told(events.FledTested):
        due[fled.banner, fled.unit] -= fled.fled - fled.returned
    for machines in step.told(events.MachinesTested):
        due[machines.banner, machines.unit] -= machines.fled - machines.returned
    for lost in step.told(events.ModelsLost):
        due.subtract({(lost.banner, unit): models for unit, models in lost.lost})
    assert all(due[of] == after[of] for of in before if of[0] in step.after.banners)


@law
def test_a_section_pays_once_and_not_if_it_was_won_in_battle(step):
    paid = Counter(event.at for event in step.told(events.Produced))
    assert max(paid.values(), default=1) == 1
    assert {event.at for event in step.told(events.SectionWon)}.isdisjoint(paid)


@law
def test_pp_of_parley_are_told_to_its_parties_alone(step):
    for entry in step.log:
        if isinstance(entry.event, events.TermsPaid):
            assert {entry.event.payer, entry.event.payee} <= entry.audience <= set(SEATS)


@law
def test_what_a_card_would_refuse_is_not_carried_out_either(step):
    for seat, order in step.said:
        bare = replace(order, losses=()) if isinstance(order, ReportResult) else order  # the turn caps those
        if seat != ORGANIZER and isinstance(judge(view(step.before, seat), bare), Refusal):
            assert step.log == ()


@law
def test_the_game_waits_for_meetings_until_all_are_settled(step):
    waits = stage(step.after)
    if waits.kind in ("meetings", "disputes"):
        unsettled = [meeting for meeting in step.after.meetings.values() if not meeting.settled]
        assert bool(unsettled) >= bool(waits.awaiting) >= any(in_hand(step.after, each) for each in unsettled)
        assert waits.awaiting - {ORGANIZER} <= {seat for meeting in unsettled for seat in meeting.concerned}


def in_hand(state: State, meeting: Meeting) -> bool:
    """Whether there is somebody who can settle a battle, and it is not left to dice."""
    by_dice = left_to_dice(state, meeting) or rolled_for(state, meeting)
    return not by_dice and not meeting.cannot.issuperset(fighters(state, meeting))


@law
def test_where_two_enemies_stand_alone_they_meet(step):
    state = step.after
    if step.closed and state.stage == "meetings":
        there = defaultdict(set)
        for banner in state.banners.values():
            if not outside(state, banner):
                there[banner.at].add(banner.realm)
        duels = {at for at, realms in there.items() if len(realms) == 2 and state.hostile(*realms)}
        assert duels <= set(state.meetings)
        assert all(len(there[at]) > 1 for at, meeting in state.meetings.items() if not meeting.assault)


@law
def test_every_meeting_ends_with_its_stage_or_with_its_dispute_or_the_next_battle_has_one(step):
    """The second stage for disputes is the last of a battle."""
    if step.closed and step.before.stage in ("meetings", "disputes"):
        opened, another = step.told(events.DisputeOpened), bool(step.told(events.NextBattleAwaited))
        had = {at: meeting.next.disputes for at, meeting in step.after.meetings.items()}
        assert all(had[each.at] == 1 + each.again for each in opened)
        assert step.after.stage in (("meetings",) if another else ("disputes",) if opened else ("orders", "over"))
        assert step.after.turn == step.before.turn + (step.after.stage == "orders")


@law
def test_losses_are_never_told_to_all_the_world(step):
    for entry in step.log:
        if any(holds_losses(getattr(entry.event, field.name)) for field in fields(entry.event)):
            assert entry.audience != EVERYONE


def holds_losses(content: Any) -> bool:
    """Whether there is a unit somewhere in what an event says, with what a battle did to it."""
    if isinstance(content, Result):
        content = content.losses
    return isinstance(content, Loss) or (isinstance(content, tuple) and any(map(holds_losses, content)))


@law
def test_the_beaten_are_gone_scattered_or_with_friends(step):
    ended = step.closed and step.after.stage not in ("meetings", "disputes")  # Nobody retreats while the turn waits.
    for decided in [each for each in step.told(events.BattleDecided) if ended and each.winners]:
        beaten = {*decided.attackers, *decided.defenders} - {*decided.winners}
        keys = step.before.meetings[decided.at].banners
        for key in [key for key in keys if key.partition(" ")[0] in beaten]:
            banner = step.after.banners.get(key)
            assert banner is None or banner.scattered or banner.at != decided.at


@settings(max_examples=20)
@given(st.integers(0, 2**32))
def test_the_same_input_gives_the_same_turn(seed):
    rng = Random(seed)
    state = crowd(rng)
    given_orders = orders(state, rng)
    backwards = dict(reversed(given_orders.items()))
    once, twice = (
        resolve(phases(state), state, each, Dice(b"same", lambda audience: repr(sorted(audience)).encode()))
        for each in (given_orders, backwards)
    )
    assert once == twice
