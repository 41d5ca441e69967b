"""A battle as its fighters read it: each thing of a lane's account is a sentence, and what did not happen is none."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.battles import Account, LaneAccount, LeadershipTest, UnitOutcome
from pbem.core.dice import Dice
from pbem.core.report import Bar
from pbem.core.turn import resolve
from pbem.reports.render import Templates
from pbem.rulesets.nippon.briefing.story import lanes, verdict
from pbem.rulesets.nippon.corps import called, corps_and_unit, gunners
from pbem.rulesets.nippon.events import AssaultPlayed, BattleTold, RoundFought
from pbem.rulesets.nippon.phases import phases
from pbem.rulesets.nippon.state import DEFENCE, GARRISON, LAIR, RESERVE, UNREPORTED, Loss, Result
from pbem.rulesets.nippon.view import view
from tests.rulesets.nippon.cards import spoken

VIEW = view(spoken.meeting(), "A")
SAY = Templates().say("nippon", VIEW)
SIDES = (("A",), ("B",))
GUARD, ODA, KUMA = (
    ("A", "A Red Dragons: Iron Guard"),
    ("A", "A Red Dragons: Captain Oda"),
    ("B", "B Red Fist: Lord Kuma"),
)
BOWMEN = ("B", "B Red Fist: Bowmen")
MELEE = LaneAccount("C", 0, struck=(4, 1), score=(5, 1))


def told(lane: LaneAccount, **said: object) -> str:
    """What both sides read of a round in which this happened, and nothing in other lanes."""
    return " ".join(SAY(RoundFought(2, SIDES, Account(3, (lane,)), **said)).split())


@pytest.mark.parametrize(
    ("lane", "words"),
    [
        (LaneAccount("L", 2), "On the left the lines were 16 inches apart."),
        (LaneAccount("R", 0), "On the right they fought on."),
        (LaneAccount("C", 0, charged=(GUARD, ODA)), "In the centre Iron Guard and Captain Oda charged."),
        (LaneAccount("C", 0, came=(GUARD,)), "In the centre they fought on. Iron Guard came up."),
        (LaneAccount("C", 0, flanked=(GUARD,)), "In the centre they fought on. Iron Guard came up on the flank."),
        (
            LaneAccount("C", 0, came=(BOWMEN,), flanked=(GUARD, ODA)),
            "In the centre they fought on. Bowmen came up. Iron Guard and Captain Oda came up on the flank.",
        ),
        (
            LaneAccount("C", 1, shot=(0, 2), harmed=((GUARD, 2),)),
            "In the centre the lines were 8 inches apart. Blue's shots cost 2 wounds. Wounds: 2 on Iron Guard.",
        ),
        (
            replace(MELEE, harmed=((GUARD, 1), (BOWMEN, 4))),
            "In the centre they fought on. Red Duchy dealt 4 wounds hand to hand, Blue 1: "
            "Red Duchy had the better of it, 5 to 1. Wounds: 1 on Iron Guard, 4 on Bowmen.",
        ),
        (LaneAccount("C", 0, destroyed=(KUMA,)), "In the centre they fought on. Nobody was left of Lord Kuma."),
    ],
)  # fmt: skip
def test_what_happened_in_a_lane_is_told(lane: LaneAccount, words: str) -> None:
    assert told(lane) == words


@pytest.mark.parametrize(
    ("why", "rolled", "pursued", "words"),
    [
        ("panic", (7,), (), "Bowmen stood under the shots (rolled 7, holds on 7 or less)."),
        ("panic", (8,), (), "Bowmen fled under the shots (rolled 8, holds on 7 or less)."),
        ("withdrawal", (8,), (), "Bowmen fled in the withdrawal (rolled 8, holds on 7 or less)."),
        ("break", (9, 4), (), "Bowmen stood in the melee (rolled 9, then 4, holds on 7 or less)."),
        ("break", (9,), ((KUMA, 2),), "Bowmen fled in the melee (rolled 9, holds on 7 or less)."),
        (
            "break", (9,), ((BOWMEN, 1),),
            "Bowmen fled in the melee (rolled 9, holds on 7 or less); the pursuit cost 1 wound.",
        ),
    ],
)  # fmt: skip
def test_a_test_of_leadership_is_told_with_its_dice_and_what_the_pursuit_cost(why, rolled, pursued, words) -> None:
    lane = LaneAccount("C", 0, tests=(LeadershipTest(BOWMEN, why, 7, rolled),), pursued=pursued)
    assert told(lane).removeprefix("In the centre they fought on. ") == words


@pytest.mark.parametrize(
    ("corps", "alone", "among_others"),
    [
        ("A Iron Wall", "Swords", "Swords (Iron Wall)"),
        (RESERVE, "Swords (reserve)", "Swords (reserve)"),
        (GARRISON, "Swords", "Swords (garrison)"),
        (LAIR, "Swords", "Swords"),
        (gunners("A Sea Swan"), "Swords (Sea Swan)", "Swords (Sea Swan)"),
    ],
)
def test_a_unit_is_named_with_its_corps_where_that_is_in_doubt(corps: str, alone: str, among_others: str) -> None:
    name = called(corps, "Swords")
    assert [VIEW.fighter(name, crowded=crowded) for crowded in (False, True)] == [alone, among_others]


@given(st.sampled_from(["A Iron Wall", RESERVE, GARRISON, LAIR, gunners("A Sea Swan")]), st.text())
def test_a_name_in_battle_tells_whose_it_is(corps: str, unit: str) -> None:
    assert corps_and_unit(called(corps, unit)) == (corps, unit)


def test_units_of_a_side_of_several_banners_are_told_with_theirs() -> None:
    lane = LaneAccount("C", 0, came=(GUARD, BOWMEN))
    assert told(lane, crowded=("A",)).endswith("Iron Guard (Red Dragons) and Bowmen came up.")


def test_units_of_both_sides_that_have_one_name_are_told_with_their_realms() -> None:
    """Whoever has the ready-made army fights others of the same names; in a crowd the banner is told as well."""
    theirs = ("B", "B Red Fist: Iron Guard")
    lane = LaneAccount("C", 0, came=(GUARD, theirs, BOWMEN), harmed=((theirs, 3),))
    words = "Red Duchy's Iron Guard, Blue's Iron Guard and Bowmen came up. Wounds: 3 on Blue's Iron Guard."
    assert told(lane, shared=("Iron Guard",)).endswith(words)
    assert "Blue's Iron Guard (Red Fist)" in told(lane, shared=("Iron Guard",), crowded=("B",))
    assert VIEW.fighter(called(GARRISON, "Bowmen"), crowded=False, shared=("Bowmen",)) == "Bowmen (garrison)"


def test_in_a_battle_of_two_armies_alike_every_name_says_whose_it_is() -> None:
    alike = spoken.MET + 'unit B "Red Fist" "Iron Guard" models 20\nunit B "Red Fist" "Captain Oda" hero models 1\n'
    state = spoken.meeting(alike)
    log = resolve(phases(state), state, {}, Dice(b"alike", lambda _: b"sealed")).log
    story = " ".join(SAY(entry.event) for entry in log if isinstance(entry.event, RoundFought))
    assert "Red Duchy's Iron Guard" in story
    assert "Blue's Iron Guard" in story
    assert not re.search(r"(?<!'s )(?:Iron Guard|Captain Oda)", story)


def test_whose_day_it_was_is_told_and_that_nobody_met() -> None:
    words = SAY(RoundFought(2, SIDES, Account(1, ()), day="B"))
    assert words == "Weather, ground and luck were with Blue that day. They stood out of each other's way."


def test_the_picture_shows_in_its_lane_who_stands_has_fled_and_fell() -> None:
    guard = UnitOutcome("A", GUARD[1], "R", 20, 12, 12, fled=False, standard_lost=False, lost_points=80)
    bowmen = UnitOutcome("B", BOWMEN[1], "R", 15, 6, 6, fled=True, standard_lost=True, lost_points=60)
    oda = UnitOutcome("A", ODA[1], "L", 1, 0, 0, False, False, 100, slain_in_challenge=True)
    end = BattleTold(2, SIDES, Result(UNREPORTED, "A", "victory"), (guard, oda, bowmen), "rout", ("B",))
    assert list(lanes(VIEW, end)) == [
        ("Left, Red Duchy", (Bar("Captain Oda (Red Dragons)", (0, 0, 1), "slain in a challenge"),)),
        ("Right, Red Duchy", (Bar("Iron Guard (Red Dragons)", (12, 0, 8), ""),)),
        ("Right, Blue", (Bar("Bowmen (Red Fist)", (0, 6, 9), "standard lost"),)),
    ]


def test_who_defends_where_no_realm_does_is_told_as_the_defence() -> None:
    bowmen = UnitOutcome("B", called(GARRISON, "Bowmen"), "C", 15, 6, 6, False, False, 60)
    lost = Result(UNREPORTED, DEFENCE, "massacre")
    end = BattleTold(2, (("A",), (DEFENCE,)), lost, (bowmen,), "rout", ("B",), "assault 2")
    assert [lane for lane, _ in lanes(VIEW, end)] == ["Centre, the defence"]
    assert verdict(VIEW, lost) == "the defence won: massacre."
    assert SAY(end) == "It ended when nobody of the defence was left on the field."
    played = SAY(AssaultPlayed(2, replace(lost, losses=((LAIR, (Loss("Ogres", 3),)),))))
    assert played.endswith("stands: the defence won by a massacre; left of the lair: Ogres 3.")


@pytest.mark.parametrize(
    ("end", "ended", "words"),
    [
        ("rout", ("B",), "It ended when nobody of Blue was left on the field."),
        ("rout", ("A", "B"), "It ended when nobody of Red Duchy and Blue was left on the field."),
        ("withdrawal", ("A",), "It ended when Red Duchy had lost enough and withdrew."),
        ("limit", (), "It ended when neither could go on."),
    ],
)
def test_it_is_told_how_a_battle_ended(end, ended, words) -> None:
    assert SAY(BattleTold(2, SIDES, Result(UNREPORTED), (), end, ended)) == words
