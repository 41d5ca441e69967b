"""What a seat may know (NIP 17): positions that differ only in secrets look the same to it, and tell it the same."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.battles import Plan, Station
from pbem.core.dice import Dice
from pbem.core.turn import Resolution, resolve
from pbem.core.views import visible
from pbem.rulesets.nippon.armies import army
from pbem.rulesets.nippon.cases.drafts import Draft, build
from pbem.rulesets.nippon.cases.positions import POSITION
from pbem.rulesets.nippon.events import PlanSet
from pbem.rulesets.nippon.handling import strengthened
from pbem.rulesets.nippon.items import ITEMS, MERCHANDISE
from pbem.rulesets.nippon.items.bearing import bearing
from pbem.rulesets.nippon.orders import AskAutomatic, Defend, Hold, Move, Offer, ReportResult, SetPlan
from pbem.rulesets.nippon.phases import ACTS, phases
from pbem.rulesets.nippon.state import (
    DEFENCE,
    UNREPORTED,
    Assault,
    Bout,
    Loss,
    Pending,
    Preferences,
    Result,
    Scrying,
    State,
    Statement,
    Terms,
    Tunnel,
    Unit,
)
from pbem.rulesets.nippon.view import view
from tests.rulesets.nippon.cards import spoken

LINES = """
map 1-2-3-4-5
section 1 headquarters of A
section 5 headquarters of B
section 3 headquarters of C
realm A treasury 10
realm B treasury 20
realm C treasury 30
banner A Red at 2
banner A Ruby at 3
banner B Blue at 3
banner C Grey at 4 heroism
coast 4-6
ship C "Sea Swan" transport at 6
banner C Gold at 6 aboard C "Sea Swan"
banner C Mole at 4 underground to 2 until 9
section 4 merchant city
"""


def position() -> State:
    """Three realms, two of which are about to meet."""
    draft = Draft()
    for line in LINES.strip().splitlines():
        POSITION.read(line)(draft)
    return build(draft)


def execution(before: State) -> Resolution[State]:
    """A moves upon B in 3, C stays away: the turn stops at the movement report."""
    orders = {"A": [Move("Red", (3,)), Hold("Ruby")], "B": [Hold("Blue")], "C": [Hold("Grey")]}
    return resolve(phases(before), before, orders, Dice(b"seed"))


def met() -> State:
    """The meeting in 3, with an offer by B to A."""
    return resolve(
        ACTS, execution(position()).state, {"B": [Offer(3, frozenset({"A"}), gives=(("A", 5),))]}, Dice()
    ).state


def bearer(hero: Unit, items: tuple[str, ...]) -> Unit:
    """A hero with items, and with what they make of him."""
    return replace(hero, items=items, tags=hero.tags.union(*(ITEMS[name].lends for name in items)))


def units(state: State, key: str) -> st.SearchStrategy[tuple[Unit, ...]]:
    """Other contents for a banner, with which it is a banner still."""
    hero, warriors = state.banners[key].units
    items = st.lists(st.sampled_from([*ITEMS])).map(tuple)
    heroes = st.tuples(items, items).map(lambda has: replace(bearer(hero, has[0]), drunk=has[1]))
    return st.tuples(heroes, st.integers(20, 90).map(lambda models: replace(warriors, models=models)))


RESULTS = st.none() | st.builds(Result, st.sampled_from("AB"), st.sampled_from(["", "A", "B"]))
SEATS = st.frozensets(st.sampled_from("AB"))
UNAGREED = st.fixed_dictionaries(
    {
        "result": RESULTS,
        "version": st.integers(0, 5),
        "earlier": st.integers(0, 4),
        "disputes": st.integers(0, 2),
        "standing": RESULTS,
        "heard": st.booleans(),
        "contested": st.booleans(),
        "confirmed": SEATS,
        "disputed": SEATS,
        "statements": st.lists(st.builds(Statement, st.sampled_from("AB"), RESULTS, st.text())).map(tuple),
        "dice_off": SEATS,
        "ruled": st.booleans(),
        "automatic": SEATS,
        "date": st.text(),
        "date_by": st.sampled_from("AB"),
        "agreed": SEATS,
    }
)
"""What may have been said of a battle between A and B."""

PREFERENCES = st.builds(Preferences, *(st.lists(st.text(), max_size=2).map(tuple) for _ in range(5)))
PLANS = st.none() | st.builds(Plan, st.builds(Station, st.text(max_size=3)).map(lambda each: (each,)))


@st.composite
def other_secrets(draw, state: State, seat: str | None) -> State:
    """The same position, in which everything is otherwise that ``seat`` may not know."""
    other = state.copy()
    for realm in state.realms:
        if realm != seat:
            named = tuple(draw(st.lists(st.text(), max_size=3)))
            treasury, wanted = draw(st.integers(0, 10**6)), draw(PREFERENCES)
            other.change_realm(realm, treasury=treasury, preferences=wanted, banner_names=named)
    for key, banner in state.banners.items():
        meeting = state.meetings.get(banner.at)
        if banner.realm != seat and not (meeting and meeting.side(seat or "")):
            heroism = draw(st.integers(1, 900)) if banner.heroism else 0
            pace = draw(st.integers(0, 12))
            other.change_banner(key, units=draw(units(state, key)), heroism=heroism, pace=pace)
        if banner.realm != seat:
            other.change_banner(key, plan=draw(PLANS))
    for key, tunnel in state.tunnels.items():
        if tunnel.banner.realm != seat:
            banner = replace(tunnel.banner, units=draw(units(state, "A Red")), plan=draw(PLANS))
            other.tunnels[key] = Tunnel(banner, tunnel.up, draw(st.integers(1, 5)), draw(st.booleans()))
    strangers = frozenset({"A", "B", "C"} - {seat})
    for number, section in state.sections.items():
        if section.controller != seat:
            quartered, recruited = draw(st.sampled_from(["", *sorted(strangers)])), draw(st.integers(0, 3))
            reserve = draw(st.sampled_from([(), draw(units(state, "A Red"))])) if quartered else ()
            other.change_section(number, quartered=quartered, reserve=reserve, recruited=recruited)
    if seat != "C":  # whose banner stands in the merchant city
        other.change_section(4, stock=tuple(draw(st.lists(st.sampled_from(MERCHANDISE)))))
    for at, meeting in state.meetings.items():
        if not meeting.side(seat or ""):
            other.change_battle(at, **draw(UNAGREED))
    other.scryings = tuple(Scrying(by, "A Red") for by in draw(st.lists(st.sampled_from(sorted(strangers)))))
    other.terms = {number: terms for number, terms in state.terms.items() if seat in {terms.by, *terms.to}}
    other.terms |= {77: Terms(77, 3, min(strangers), strangers - {min(strangers)}, words=draw(st.text()))}
    other.pending = Pending(fortifying=tuple(draw(st.lists(st.text()))), unclaiming=tuple(draw(st.lists(st.text()))))
    return other


seats = pytest.mark.parametrize("seat", ["A", "B", "C", None])


@seats
@pytest.mark.parametrize("state", [position(), met()], ids=["orders", "meetings"])
@settings(deadline=None, max_examples=25)
@given(data=st.data())
def test_other_secrets_look_the_same(state, seat, data):
    assert view(data.draw(other_secrets(state, seat)), seat) == view(state, seat)


@seats
@settings(deadline=None, max_examples=25)
@given(data=st.data())
def test_other_secrets_tell_the_same(seat, data):
    """No rule that a movement without hazards meets may hang on what banners hold, let alone say so."""
    told = visible(execution(data.draw(other_secrets(position(), seat))).log, seat)
    assert told == visible(execution(position()).log, seat)


@seats
def test_own_secrets_are_seen(seat):
    seen, state = view(met(), seat).position, met()
    for key, banner in state.banners.items():
        if banner.realm == seat:
            assert seen.banners[key] == banner
    assert (seen.tunnels == state.tunnels) == (seat == "C")
    for realm in state.realms.values():
        assert seen.realms[realm.seat].treasury == (realm.treasury if realm.seat == seat else 0)


@pytest.mark.parametrize(
    ("seat", "models"),
    [("A", (1, 40)), ("B", (1, 40)), ("C", ()), (None, ())],
    ids=["its own", "met", "away", "public"],
)
def test_types_and_numbers_are_seen_in_a_meeting(seat, models):
    seen = view(met(), seat).position.banners["A Red"]
    assert tuple(unit.models for unit in seen.units) == models
    assert seen.points == (500 if seat == "A" else 0)


@pytest.mark.parametrize(("seat", "units"), [("B", 2), ("A", 2), ("C", 0), (None, 0)])
def test_a_reserve_is_seen_by_who_meets_its_realm_there(seat, units):
    before = spoken.position(
        """map 1-2
        section 2 village controlled by B
        quartered B at 2 "Hana" hero models 1 points 100 carries "Sword of Might"
        quartered B at 2 "Spears" models 20
        realm C treasury 1
        banner A Red at 1
        banner B Blue at 2"""
    )
    after = resolve(phases(before), before, {"A": [Move("Red", (2,))]}, Dice(b"seed")).state
    assert after.stage == "meetings"
    seen, hidden = view(after, seat).position.sections[2], view(before, seat).position.sections[2]
    assert (len(seen.reserve), len(hidden.reserve)) == (units, 2 if seat == "B" else 0)
    assert any(unit.items or unit.points for unit in seen.reserve) == (seat == "B")


def test_nobody_learns_when_the_site_that_he_takes_last_produced_a_unit():
    before = spoken.position(
        """map 1-2
        option owned_sites_garrisoned false
        turn 5
        section 2 village controlled by B
        realm B treasury 500
        banner A Red at 1"""
    )
    before.change_section(2, recruited=4)
    after = resolve(phases(before), before, {"A": [Move("Red", (2,))]}, Dice(b"seed")).state
    assert after.sections[2].controller == "A"
    assert view(after, "A").position.sections[2].recruited == 0


@pytest.mark.parametrize("item", ["Potion of Daily Strength", "Elixir of Might", "Elixir of Chaos"])
@pytest.mark.parametrize(("seat", "strength"), [("A", 4), ("B", 3)], ids=["its own", "met"])
def test_nobody_else_sees_what_was_drunk(seat, strength, item):
    """Not even of a unit that stands in no army list, so that nobody could look up what it would be."""
    state = met()
    hero, *others = state.banners["A Red"].units
    assert hero.type not in army(state.realms["A"].army).types
    state.change_banner("A Red", units=(strengthened(bearing(hero, item), item), *others))
    seen = view(state, seat).position.banners["A Red"].units[0]
    assert (seen.profile.S, seen.natural) == (strength, hero.profile if seat == "A" else None)


@pytest.mark.parametrize(("seat", "flying"), [("A", True), ("B", False)], ids=["its own", "met"])
def test_nobody_else_sees_what_an_item_makes_of_its_bearer(seat, flying):
    state = met()
    hero, *others = state.banners["A Red"].units
    state.change_banner("A Red", units=(bearer(hero, ("Arabyan Carpet",)), *others))
    assert flying == ("fly" in view(state, seat).position.banners["A Red"].units[0].tags)


@pytest.mark.parametrize(("seat", "number"), [("A", 1), ("B", 1), ("C", 0), (None, 0)])
def test_offers_are_seen_by_the_parties(seat, number):
    assert len(view(met(), seat).position.terms) == number


@seats
def test_losses_of_an_assault_are_seen_by_those_who_fought_it(seat):
    state, losses = met(), (("C Grey", (Loss("Warriors", 12),)),)
    bout = Bout((("C",), (DEFENCE,)), Result(UNREPORTED, "C", "victory", losses), ("C",))
    state.assaults = {4: Assault(4, "garrison", ("C Grey",), bout=bout)}
    seen = view(state, seat).position.assaults[4].bout
    assert seen.winners == ("C",)
    assert seen.result.losses == (losses if seat == "C" else ())


@seats
def test_who_wants_an_automatic_battle_is_known_at_its_meeting(seat):
    state = resolve(ACTS, met(), {"B": [AskAutomatic(3)]}, Dice()).state
    assert view(state, seat).position.meetings[3].next.automatic == ({"B"} if seat in ("A", "B") else frozenset())


@pytest.mark.parametrize("before", [position(), met()], ids=["orders", "meetings"])
@pytest.mark.parametrize("reader", ["B", "C", None])
def test_nobody_else_learns_of_a_plan(before, reader):
    """Neither that there is one, nor what it says; the realm that made it sees it as long as it holds."""
    after = resolve(phases(before), before, {"A": [SetPlan("Ruby", Plan(retreat=7))]}, Dice(b"seed", lambda _: b"own"))
    assert [entry.audience for entry in after.log if isinstance(entry.event, PlanSet)] == [frozenset({"A"})]
    seen = {seat: view(after.state, seat).position.banners["A Ruby"].plan for seat in (reader, "A")}
    assert seen == {reader: None, "A": Plan(retreat=7)}


def test_a_plan_that_has_not_come_to_blows_changes_nothing_for_others():
    """What others are told of the movement is the same, with a plan and without one."""
    given = {"A": [SetPlan("Ruby", Plan(retreat=7))]}
    with_plan, without = (resolve(phases(position()), position(), orders, Dice(b"seed")) for orders in (given, {}))
    for reader in ("B", "C", None):
        assert visible(with_plan.log, reader) == visible(without.log, reader)
        assert view(with_plan.state, reader) == view(without.state, reader)


def test_plans_are_seen_when_all_is_over():
    state = position()
    state.change_banner("A Red", plan=Plan(retreat=7))
    state.stage = "over"
    assert view(state, "B").position.banners["A Red"].plan == Plan(retreat=7)


def assaulted() -> State:
    """A before a garrison; B has taken the defence, A has told a result, and C looks on."""
    before = spoken.meeting(spoken.ASSAULT + "realm C treasury 1")
    return resolve(ACTS, before, {"B": [Defend(2)], "A": [ReportResult(2)]}, Dice()).state


@pytest.mark.parametrize(
    ("seat", "models", "points"),
    [("A", (1, 20), 300), ("B", (1, 20), 0), ("C", (), 0), (None, (), 0)],
    ids=["its own", "defends", "away", "public"],
)
def test_who_plays_the_defence_sees_what_anybody_sees_who_meets_the_attackers(seat, models, points):
    seen = view(assaulted(), seat).position.banners["A Red Dragons"]
    assert tuple(unit.models for unit in seen.units) == models
    assert seen.points == points
    assert view(spoken.meeting(spoken.ASSAULT), "B").position.banners["A Red Dragons"].units == ()


@seats
def test_a_result_of_an_assault_is_known_to_who_played_it(seat):
    result = view(assaulted(), seat).position.meetings[2].next.result
    assert (result is not None) == (seat in ("A", "B"))


@seats
def test_all_see_who_lives_in_a_lair_that_was_entered(seat):
    """So do they learn from the event."""
    state, met = assaulted(), (army("free peoples").ready[0][0],)
    state.assaults = {"assault 4": Assault(4, "lair", ("A Red Dragons",), met=met)}
    assert view(state, seat).position.assaults["assault 4"].met == met
