"""What others see of a thing, field by field: whatever is not named here is hidden from them (NIP 17)."""

from dataclasses import MISSING, Field, fields, replace
from operator import attrgetter
from typing import Any

import pytest

from pbem.battles import Plan
from pbem.rulesets.nippon.state import (
    Assault,
    Banner,
    Bout,
    Engagement,
    Loss,
    Meeting,
    Preferences,
    Realm,
    Result,
    Statement,
    Unit,
)
from pbem.rulesets.nippon.state.units import Profile, Steed, Toll
from pbem.rulesets.nippon.view import view
from tests.rulesets.nippon.cards import spoken

# --- who meets them -----------------------------------------------------------------------------------------------

SEEN_BY_FOES = {"name", "type", "category", "models", "profile", "tags", "toll"}
"""What the other side of a meeting sees of a unit."""

FULL = {
    **{"champion": 10, "musician": 10, "standard": 20, "battle_standard": "army", "wounds": 1, "bereft": "unit"},
    **{"items": ("Sword of Might",), "drunk": ("Potion of Daily Haste",), "save": 5, "reach": 24, "gear": ("shield",)},
    **{"mount": "griffon", "steed": Steed(Profile(6, 5, 0, 5, 5, 4, 5, 4, 7)), "toll": Toll(20, fled=2)},
}
"""What a unit may have besides, and the battles of a turn may do to it."""


@pytest.mark.parametrize("field", fields(Unit), ids=attrgetter("name"))
@pytest.mark.parametrize(("seat", "foe"), [("A", False), ("B", True)], ids=["its own", "met"])
def test_of_a_foes_unit_nothing_is_seen_but_type_and_number(seat, foe, field):
    state = spoken.meeting()
    hero, warriors = state.banners["A Red Dragons"].units
    full = replace(hero, natural=hero.profile, **FULL)
    state.change_banner("A Red Dragons", units=(full, warriors))
    shown = view(state, seat).position.banners["A Red Dragons"].units[0]
    hidden = foe and field.name not in SEEN_BY_FOES
    blank = 0 if field.name == "points" else field.default
    assert field.name in SEEN_BY_FOES or getattr(full, field.name) != blank
    assert getattr(shown, field.name) == (blank if hidden else getattr(full, field.name))


# --- strangers ----------------------------------------------------------------------------------------------------

UNIT = Unit("Warriors", "warriors", "core", 20, 5, Profile(4, 3, 3, 3, 3, 1, 3, 1, 7))
RESULT = Result("B", "A", "massacre", (("A Red Dragons", (Loss("Warriors", 12),)),), ("bridge",))
BOUT = Bout((("A",), ("B",)), RESULT, ("A",), "confirmed")

ENGAGEMENT = Engagement(
    attacker="A",
    defender="B",
    scenario=3,
    result=RESULT,
    version=2,
    earlier=1,
    disputes=1,
    standing=RESULT,
    heard=True,
    contested=True,
    confirmed=frozenset("A"),
    disputed=frozenset("B"),
    statements=(Statement("B", RESULT, "I have won"),),
    dice_off=frozenset("A"),
    ruled=True,
    automatic=frozenset("B"),
    date="Friday",
    date_by="A",
    agreed=frozenset("B"),
)
MEETING = Meeting(
    at=2,
    banners=("A Red Dragons", "B Red Fist"),
    sides=(("A",), ("B",)),
    initiative=("A", "B"),
    scenarios=(3, 4),
    next=ENGAGEMENT,
    peace=(("A", "B"),),
    fought=(BOUT,),
    settled="battle",
    assault=True,
    cannot=frozenset("A"),
    deputies=(("A", "D"),),
    spoils=(("A", "take", ("Sword of Might",)),),
    prolonged=1,
)

WHOLE: dict[type, Any] = {
    Realm: Realm(
        seat="A",
        name="Red Duchy",
        army="free peoples",
        headquarters=1,
        treasury=500,
        status="withdrawn",
        stands_until=9,
        general="Captain Oda",
        preferences=Preferences(take=("Sword of Might",)),
        homeless=True,
        contact="oda@example.org",
        volunteers=True,
        banner_names=("Red Dragons",),
    ),
    Banner: Banner(
        realm="A",
        name="Red Dragons",
        at=2,
        units=(UNIT,),
        scattered=True,
        scattered_on=3,
        pace=7,
        heroism=900,
        drawn=True,
        aboard="A Swan",
        general="Captain Oda",
        plan=Plan(retreat=50),
    ),
    Assault: Assault(
        at=2,
        kind="lair",
        banners=("A Red Dragons",),
        foes=2,
        alone=True,
        met=(UNIT,),
        times=3,
        result=RESULT,
        bout=BOUT,
    ),
    Bout: BOUT,
    Result: RESULT,
    Meeting: MEETING,
    Engagement: ENGAGEMENT,
}
"""One of each with something in every field."""

SEEN: dict[type, set[str]] = {
    Realm: {"seat", "name", "army", "headquarters", "status", "stands_until", "homeless"},
    Banner: {"realm", "name", "at", "scattered", "scattered_on", "drawn", "aboard"},
    Assault: {"at", "kind", "banners", "foes", "alone", "met", "times"},
    Bout: {"sides", "winners", "why"},
    Result: {"by", "winner", "degree", "destroyed"},
    Meeting: {"at", "banners", "sides", "initiative", "scenarios", "peace", "settled", "assault"},
    Engagement: {"attacker", "defender", "scenario"},
}
"""What strangers see of each."""

LEFT: dict[tuple[type, str], Any] = {
    (Banner, "units"): (),
    (Banner, "heroism"): 1,
    (Assault, "bout"): replace(BOUT, result=replace(RESULT, losses=())),
    (Bout, "result"): replace(RESULT, losses=()),
    (Meeting, "fought"): (replace(BOUT, result=replace(RESULT, losses=())),),
    (Meeting, "next"): Engagement("A", "B", 3),
}
"""What is left for them of the other fields, where that is not the default."""


def seen_by_a_stranger(kind: type) -> object:
    """What C sees of the one that A has, far away from him."""
    state = spoken.meeting(spoken.MET + "realm C treasury 1")
    state.realms["A"] = WHOLE[Realm]
    state.banners["A Red Dragons"] = WHOLE[Banner]
    state.assaults = {"assault 2": WHOLE[Assault]}
    state.meetings = {2: MEETING}
    seen = view(state, "C").position
    assault = seen.assaults["assault 2"]
    assert assault.bout is not None
    shown: dict[type, object] = {
        Realm: seen.realms["A"],
        Banner: seen.banners["A Red Dragons"],
        Assault: assault,
        Bout: assault.bout,
        Result: assault.bout.result,
        Meeting: seen.meetings[2],
        Engagement: seen.meetings[2].next,
    }
    return shown[kind]


def default(field: Field[Any]) -> object:
    """What a field has of which nothing is said."""
    return field.default if field.default_factory is MISSING else field.default_factory()


@pytest.mark.parametrize(
    ("kind", "field"),
    [pytest.param(kind, field, id=f"{kind.__name__} {field.name}") for kind in WHOLE for field in fields(kind)],
)
def test_strangers_see_nothing_but_what_is_named(kind: type, field: Field[Any]) -> None:
    there = getattr(WHOLE[kind], field.name)
    left = LEFT.get((kind, field.name), default(field))
    assert there != left
    assert getattr(seen_by_a_stranger(kind), field.name) == (there if field.name in SEEN[kind] else left)
