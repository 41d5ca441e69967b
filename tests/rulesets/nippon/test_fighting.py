"""Automatic battles (NIP 8.3): what banners become in the resolver, and what its outcome becomes on the map."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem import battles as br1
from pbem.rulesets.nippon import armies
from pbem.rulesets.nippon.corps import called
from pbem.rulesets.nippon.events import StandardLost
from pbem.rulesets.nippon.events.tolls import stricken, suffer
from pbem.rulesets.nippon.fighting import (
    GARRISON,
    Host,
    broadsides,
    class_of,
    fighter,
    lost,
    on_its_feet,
    side,
    stamina,
    townsmen,
    troops_of,
)
from pbem.rulesets.nippon.garrisons import garrison, likely_points
from pbem.rulesets.nippon.state import RESERVE, Loss, Toll, Unit
from tests.rulesets.nippon.cards import spoken

LIST = armies.army(armies.DEFAULT)
STATE = spoken.position(spoken.USUAL)
COMMAND = ("champion", "musician", "standard")
SWORDS = LIST.unit("Swords", "swordsmen", models=20, command=COMMAND)


@pytest.mark.parametrize(
    ("unit", "kind"),
    [
        (SWORDS, "infantry"),
        (LIST.unit("Lances", "knights", models=5), "cavalry"),
        (LIST.unit("Otto", "captain"), "hero"),
        (LIST.unit("Hugo", "general", mount="griffon"), "hero"),
        (LIST.unit("Thunder", "great cannon"), "machine"),
        (armies.army("mountain clans").unit("Bears", "cave bears"), "monster"),
        (replace(SWORDS, tags=frozenset({"cavalry", "monstrous cavalry"})), "monster"),
    ],
)
def test_the_class_of_a_unit(unit: Unit, kind: str) -> None:
    assert class_of(unit) == kind


def test_a_unit_takes_its_strength_and_its_command_into_battle() -> None:
    taken = fighter(STATE, "A Red", SWORDS)
    assert (taken.name, taken.models, taken.points) == ("A Red: Swords", 20, SWORDS.worth)
    assert taken.flags == {"champion", "musician", "standard"}
    assert taken.profile == br1.Profile(**vars(SWORDS.profile), Sv=SWORDS.save)


def test_archers_shoot_as_far_as_their_bows() -> None:
    bows = LIST.unit("Bows", "archers", models=10)
    assert fighter(STATE, "A Red", bows).reach == bows.reach > 0


def test_a_griffon_strikes_beside_its_rider() -> None:
    seat = next(iter(STATE.realms))
    on_foot, mounted = LIST.unit("Hugo", "general"), LIST.unit("Hugo", "general", mount="griffon")
    taken = fighter(STATE, f"{seat} Red", mounted).profile
    griffon = LIST.mounts["griffon"].profile
    assert taken is not None
    together = (on_foot.profile.A + griffon.A, griffon.T, on_foot.profile.W + griffon.W)
    assert together == (taken.A, taken.T, taken.W)


@given(rider=st.integers(0, 2), mount=st.integers(0, 3), more=st.integers(0, 7))
def test_new_wounds_fall_on_the_monster_first(rider: int, mount: int, more: int) -> None:
    """Nobody gets better in battle; the rider is hurt when his mount is down, and both are when nothing is left."""
    hugo = LIST.unit("Hugo", "general", mount="griffon")
    assert hugo.steed
    hugo = replace(hugo, wounds=rider, steed=replace(hugo.steed, wounds=mount))
    wounds_left = max(stamina(hugo) - rider - mount - more, 0)
    models = min(wounds_left, 1)
    left = br1.UnitOutcome(
        "A", "A Red: Hugo", "C", 1, models, wounds_left, fled=False, standard_lost=False, lost_points=0
    )
    after = stricken(hugo, lost(hugo, left))
    assert after.steed
    if not models:
        assert (after.standing, after.steed.down) == (0, True)
    else:
        assert after.wounds + after.steed.wounds == rider + mount + more
        assert after.wounds >= rider
        assert after.steed.wounds >= mount
        assert after.wounds == rider or after.steed.down


def test_who_has_lost_his_monster_fights_on_foot_in_the_next_battle_of_the_turn() -> None:
    hugo = stricken(LIST.unit("Hugo", "general", mount="griffon"), Loss("Hugo", 1, mount_dead=True))
    left = on_its_feet(hugo)
    assert left.steed is None
    assert "fly" not in left.tags


def outcome(remaining: int, **changes: object) -> br1.UnitOutcome:
    facts = {"wounds_left": remaining, "fled": False, "standard_lost": False, "lost_points": 0} | changes
    return br1.UnitOutcome("A", "A Red: Swords", "C", 20, remaining, **facts)  # type: ignore[arg-type]  # plain facts


@pytest.mark.parametrize(
    ("left", "loss"),
    [
        (outcome(20), None),
        (outcome(12), Loss("Swords", 12)),
        (outcome(12, fled=True, standard_lost=True), Loss("Swords", 0, fled=12, standard_lost=True)),
        (outcome(2), Loss("Swords", 2, musician_dead=True)),
        (outcome(0, standard_lost=True), Loss("Swords", 0, 0, True, True, True)),
    ],
    ids=["whole", "fewer", "fled", "two left", "none left"],
)
def test_what_a_battle_did_to_a_unit(left: br1.UnitOutcome, loss: Loss | None) -> None:
    assert lost(SWORDS, left) == loss


LOSSES = st.builds(
    Loss,
    st.just("Hugo"),
    models=st.integers(0, 30),
    fled=st.integers(0, 30),
    standard_lost=st.booleans(),
    champion_dead=st.booleans(),
    musician_dead=st.booleans(),
    wounds=st.integers(0, 99),
    mount_dead=st.booleans(),
    mount_wounds=st.integers(0, 99),
)


@given(st.sampled_from([SWORDS, LIST.unit("Hugo", "general", mount="griffon")]), LOSSES, LOSSES, st.booleans())
def test_nobody_loses_what_he_has_not_got(unit: Unit, told: Loss, again: Loss, known: bool) -> None:
    """What can have happened stays as it is told, and however often a unit is struck, its books balance."""
    can_be = told.within(unit, known=known)
    assert can_be.within(unit, known=known) == can_be
    assert stricken(unit, can_be) == stricken(unit, told)
    after = stricken(stricken(unit, told), again)
    assert after.toll is not None
    assert after.toll.fallen + after.toll.fled + after.standing == unit.models == after.models
    assert after.wounds <= (unit.models - after.toll.fallen) * (unit.profile.W - 1)
    assert after.toll.champion_fell <= bool(unit.champion)
    assert after.steed is None or 0 <= after.steed.wounds <= after.steed.profile.W


def test_of_others_nothing_is_taken_off_that_only_they_know() -> None:
    told = Loss("Swords", 12, standard_lost=True, champion_dead=True, musician_dead=True)
    bare = replace(SWORDS, champion=0, musician=0, standard=0)
    assert told.within(bare, known=False) == told
    assert told.within(bare) == Loss("Swords", 12)


def test_a_hero_brings_his_wounds_home() -> None:
    otto = LIST.unit("Otto", "captain")
    left = br1.UnitOutcome("A", "A Red: Otto", "C", 1, 1, 1, fled=False, standard_lost=False, lost_points=30)
    assert lost(otto, left) == Loss("Otto", 1, wounds=otto.profile.W - 1)


def test_who_fell_or_fled_before_is_missing_in_the_next_battle_of_the_turn() -> None:
    toll = Toll(20, fallen=5, fled=3, standard_lost=True, champion_fell=True)
    left = on_its_feet(replace(SWORDS, toll=toll))
    assert left == replace(SWORDS, models=20 - 5 - 3, champion=0, standard=0)
    assert on_its_feet(SWORDS) == SWORDS


def test_a_reserve_bears_what_a_battle_did_to_it_until_it_is_tested() -> None:
    state = spoken.position("map 1-2\nsection 1 village controlled by A")
    state.change_section(1, reserve=(SWORDS,), quartered="A")
    suffer(state, 1, ((RESERVE, (Loss("Swords", 12, fled=3, champion_dead=True),)),))
    toll = Toll(SWORDS.models, fallen=SWORDS.models - 12 - 3, fled=3, champion_fell=True)
    assert state.sections[1].reserve == (replace(SWORDS, toll=toll),)
    assert townsmen(state, 1)[-1] == (RESERVE, on_its_feet(replace(SWORDS, toll=toll)))


def test_a_battle_standard_lost_in_a_reserve_is_worth_nothing_any_more() -> None:
    state = spoken.position("map 1-2\nsection 1 village controlled by A")
    bearer = LIST.unit("Otto", "captain", battle_standard="army")
    state.change_section(1, reserve=(bearer,), quartered="A")
    StandardLost(RESERVE, 1, "Otto", LIST.bearing("army")).apply(state)
    assert state.sections[1].reserve == (replace(LIST.unit("Otto", "captain"), bereft="army"),)


@pytest.mark.parametrize(("holder", "serve"), [("A", 4), ("B", 3)], ids=["its own realm", "a stranger"])
def test_a_fourth_machine_rests_in_a_citadel_of_another_realm(holder: str, serve: int) -> None:
    guns = ",".join(["mortar"] * 4)
    state = spoken.position(f"map 1-2\nsection 1 headquarters of A controlled by {holder} machines {guns}")
    assert [unit.type for unit in garrison(state, 1)].count("mortar") == serve
    assert likely_points(state, 1) == sum(unit.worth for unit in garrison(state, 1))


GENERALS = """
map 1-2
realm A general "Lord Ito"
realm B general "Lord Kuma"
pact alliance A B
banner A Guard at 1
unit A Guard "Lord Ito" lord models 1 points 150
unit A Guard "Spears" models 20
banner A Red at 1
unit A Red "Oda" hero models 1 points 100
unit A Red "Mori" hero models 1 points 200
unit A Red "Swords" models 30
banner B Blue at 1
unit B Blue "Otto" hero models 1 points 100
unit B Blue "Pikes" models 60
"""


@pytest.mark.parametrize(
    ("keys", "leads"),
    [
        (("A Guard", "A Red", "B Blue"), "A Guard: Lord Ito"),
        (("A Red", "B Blue"), "B Blue: Otto"),
        (("A Red",), "A Red: Mori"),
        ((), ""),
    ],
    ids=["an Army General", "of the strongest banner", "the costliest", "nobody"],
)
def test_who_leads_a_side(keys: tuple[str, ...], leads: str) -> None:
    state = spoken.position(GENERALS)
    assert side(state, Host(("A", "B"), troops_of(state.banners[key] for key in keys))).general == leads


def test_a_banner_names_its_leader() -> None:
    state = spoken.position(GENERALS)
    state.change_banner("A Red", general="Oda")
    assert side(state, Host(("A",), troops_of([state.banners["A Red"]]))).general == "A Red: Oda"


def test_all_of_a_heroic_banner_are_heroic() -> None:
    state = spoken.position(GENERALS)
    state.change_banner("A Red", heroism=600)
    heroic = {key for key, unit in troops_of(state.banners.values()) if "heroic" in fighter(state, key, unit).flags}
    assert heroic == {"A Red"}


def test_ships_in_port_shoot_for_their_own_side() -> None:
    sea = 'map 1-2\ncoast 1-3\nsection 1 village port\nship A "Sea Swan" transport at 1'
    state = spoken.position(sea)
    (ship,) = state.ships.values()
    assert [unit.type for _, unit in broadsides(state, 1, ("A",), ("B",))] == [*ship.machines] != []
    assert broadsides(state, 1, ("B",), ("A",)) == broadsides(state, 2, ("A",), ("B",)) == ()


# --- plans --------------------------------------------------------------------------------------------------------

PLANNED = """
map 1-2
realm A general "Lord Ito"
pact alliance A B
section 1 village controlled by A
banner A Guard at 1
unit A Guard "Lord Ito" lord models 1 points 150
unit A Guard "Spears" models 20
unit A Guard "Bows" models 10
banner A Red at 1
unit A Red "Oda" hero models 1 points 100
unit A Red "Swords" models 30
unit A Red "Axes" models 20
banner B Blue at 1
unit B Blue "Otto" hero models 1 points 100
unit B Blue "Pikes" models 60
"""
KEYS = ("A Guard", "A Red", "B Blue")


def planned(**plans: br1.Plan) -> br1.Plan | None:
    """The plan of the three banners as one side, some of them with plans of their own."""
    state = spoken.position(PLANNED)
    for name, plan in plans.items():
        state.change_banner(next(key for key in KEYS if key.endswith(name)), plan=plan)
    return side(state, Host(("A", "B"), troops_of(state.banners[key] for key in KEYS))).plan


def where(plan: br1.Plan | None) -> dict[str, br1.Lane]:
    assert plan is not None
    return {station.unit: station.lane for station in plan.stations}


def test_a_side_without_any_plan_has_none() -> None:
    assert planned() is None


def test_the_plan_of_a_banner_says_nothing_of_others() -> None:
    """Not even of units that are called alike: here Red's plan names those of Guard."""
    plan = planned(Red=br1.Plan((br1.Station("Swords", "L"), br1.Station("Bows", "R"))))
    assert where(plan) == {
        "A Red: Swords": "L",
        "A Red: Axes": "C",
        "A Guard: Spears": "C",
        "A Guard: Bows": "C",
        "B Blue: Pikes": "C",
    }


def test_heroes_join_units_of_their_own_banner_where_it_has_a_plan() -> None:
    assert (plan := planned(Red=br1.Plan(retreat=50))) is not None
    assert dict(plan.heroes) == {
        "A Red: Oda": "A Red: Swords",
        "A Guard: Lord Ito": "B Blue: Pikes",  # the dearest unit of those without a plan
        "B Blue: Otto": "A Guard: Spears",
    }


@pytest.mark.parametrize(("name", "retreat"), [("Guard", 20), ("Red", None)], ids=["the Army General's", "another"])
def test_the_banner_that_leads_says_when_to_go(name: str, retreat: int | None) -> None:
    assert (plan := planned(**{name: br1.Plan(retreat=20)})) is not None
    assert plan.retreat == retreat


def test_garrison_and_reserve_beside_a_banner_fight_as_by_default() -> None:
    state = spoken.position(PLANNED)
    state.change_section(1, reserve=(SWORDS,), quartered="A")
    state.change_banner("A Red", plan=br1.Plan((br1.Station("Swords", "L", "HOLD"),)))
    troops = (*troops_of([state.banners["A Red"]]), *townsmen(state, 1))
    stations = {each.unit: each for each in (side(state, Host(("A",), troops)).plan or br1.Plan()).stations}
    beside = {called(key, unit.name) for key, unit in troops if key in (RESERVE, GARRISON)}
    assert beside
    assert all(stations[name] == br1.Station(name) for name in beside)
