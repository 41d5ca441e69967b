"""No form of any report betrays what its reader may not know (NIP 17), with fog and without.

Two ways to find a leak. Whole robot campaigns carry marked secrets, words and sums that stand nowhere else: no form may
hold one outside its audience. And a position is played twice, alike but for what a reader may not know: he has to be
told the same, to the letter. What is new in the game is found by both as soon as robots use it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.core.ruleset import Entrant, Material
from pbem.rulesets.nippon import NIPPON
from pbem.rulesets.nippon.cases.drafts import Draft, build
from pbem.rulesets.nippon.cases.positions import POSITION
from pbem.rulesets.nippon.events import AssaultDecided, AssaultOpened
from pbem.rulesets.nippon.orders import Fortify, Gift, Hold, Move
from pbem.rulesets.nippon.state import State, Unit, seat_of
from tests.playing import Stage, Table, play
from tests.rulesets.nippon.renditions import TEMPLATES, renditions

REALMS = {"A": "Ash", "B": "Birch", "C": "Cedar", "D": "Elm"}
FOGS = ["none", "adjacent"]

# --- marked campaigns ---------------------------------------------------------------------------------------------

FORTUNE = {"A": 1_111_111, "B": 2_222_222, "C": 3_333_333, "D": 4_444_444}
"""Treasuries so large that no sum of anything else comes near; the robots spend of them."""


class Marked(Table):
    """A table at which every secret has a name of its own."""

    def set_up(self, game: str = "1") -> State:
        """The usual first position, with marks."""
        state: State = super().set_up(game)
        for seat, realm in list(state.realms.items()):
            state.change_realm(seat, treasury=FORTUNE[seat])
            reserve = replace(state.banners_of(seat)[0].units[-1], name=f"Reserveof{seat}")
            state.change_section(realm.headquarters, reserve=(reserve,), quartered=seat)
        for key, banner in list(state.banners.items()):
            units = (_marked(banner.realm, banner.name, unit) for unit in banner.units)
            state.change_banner(key, units=tuple(units))
        return state


def _marked(seat: str, banner: str, unit: Any) -> Any:
    where = banner.replace(" ", "")
    return replace(unit, name=f"{unit.name} of{where}", items=(f"Heirloom of{where}",)) if seat else unit


@cache
def campaign(fog: str) -> tuple[Stage, ...]:
    """A campaign of four robots to its end, in which they meet, fight and build."""
    options = {"map": "nippon", "fog": fog, "end_turn": 6, "cost_percent": 25}
    return tuple(play(Marked(NIPPON, options, tuple(Entrant(*each, {}) for each in REALMS.items())), 40))


@dataclass(frozen=True)
class Reading:
    """A stage as one reader may know it."""

    stage: Stage
    seat: str | None
    movement: Stage | None = None
    """The stage in which banners moved, if this is the second one of a turn."""

    @property
    def states(self) -> tuple[State, State, State]:
        """The positions that its reader is told of."""
        return self.stage.before, self.stage.opened, self.stage.after

    def met(self, seat: str) -> bool:
        """Whether the reader and a realm were in one meeting, or one was a deputy there: then units have been seen."""
        meetings = (each for state in self.states for each in state.meetings.values())
        pairs = ({*each.concerned, *map(seat_of, each.banners)} for each in meetings)
        return any({seat, self.seat} <= seats for seats in pairs)

    def owned(self) -> set[str]:
        """The units in the reader's own reserves."""
        held = (each for state in self.states for each in state.sections.values() if each.quartered == self.seat)
        return {unit.name for section in held for unit in section.reserve}

    def secrets(self) -> Iterator[str]:
        """Words that nothing this reader is told may hold."""
        units = {f"Reserveof{other}" for other in REALMS if other != self.seat and not self.met(other)}
        for state in self.states:
            for seat, realm in state.realms.items():
                if seat != self.seat:
                    yield from (f"{realm.treasury:,}", str(realm.treasury))
            for banner in state.banners.values():
                if banner.realm != self.seat and not self.met(banner.realm):
                    units |= {
                        unit.name for unit in banner.units if " of" in unit.name
                    }  # A beast that joined has no mark.
        yield from units - self.owned()
        yield from (f"Heirloom of{name.replace(' ', '')}" for name in self.foreign_names())
        if self.stage.before.options.fog != "none":
            earlier = replace(self, stage=self.movement, movement=None) if self.movement else self
            names = earlier.foreign_names() | self.foreign_names()
            yield from (name for name in names if not self.noticed(name) and not earlier.noticed(name))

    def foreign_names(self) -> set[str]:
        """The names of other realms' banners; no two realms use the same."""
        return {each.name for state in self.states for each in state.banners.values() if each.realm != self.seat}

    def noticed(self, name: str) -> bool:
        """Whether the reader saw such a banner at the beginning, on its way or at the end, met it, or heard that it met
        somebody. What is seen is reckoned anew here, so that a fault of the rules' own reckoning is found."""
        seen = {at for state in (self.stage.before, self.stage.after) for at in near(state, self.seat)}
        key = next((key for state in self.states for key in state.banners if key.partition(" ")[2] == name), "")
        places = {state.banners[key].at for state in self.states if key in state.banners}
        ways = (entry.event for entry in self.stage.log if getattr(entry.event, "banner", "") == key)
        places |= {place for event in ways for field in ("at", "to") if (place := getattr(event, field, 0))}
        fights = ((*state.meetings.values(), *state.assaults.values()) for state in self.states)
        met = any(key in fight.banners for each in fights for fight in each)
        told = (each.event for each in self.stage.log)
        met = met or any(key in event.banners for event in told if isinstance(event, AssaultOpened | AssaultDecided))
        return bool(places & seen) or met or self._crossed(key)

    def _crossed(self, key: str) -> bool:
        """Whether something happened to this banner together with one of the reader's."""
        together = (repr(entry.event) for entry in self.stage.log if f"'{key}'" in repr(entry.event))
        return any(f"'{self.seat} " in told for told in together)


def near(state: State, seat: str | None) -> set[int]:
    """The sections in which a realm sees strangers: its own, and those beside its own sections and banners."""
    own = [number for number, section in state.sections.items() if section.controller == seat]
    own += [banner.at for banner in state.banners.values() if banner.realm == seat]
    return {*own, *(number for at in own for kind in state.atlas[at].borders.values() for number in kind)}


@pytest.mark.parametrize(
    ("fog", "seat"), [("none", "A"), ("none", None), *(("adjacent", seat) for seat in (*REALMS, None))]
)
def test_no_form_holds_a_secret(fog, seat):
    for earlier, stage in pairwise((None, *campaign(fog))):
        if stage.after.stage == "over":
            continue
        forms = renditions(stage, seat, probe(stage, seat))
        reading = Reading(stage, seat, earlier if stage.before.stage == "meetings" else None)
        leaks = {(word, form) for word in reading.secrets() for form in forms if word in forms[form]}
        assert leaks == set()


def probe(stage: Stage, seat: str | None) -> str:
    """A card that asks about sections all over the map, and orders what a refusal could betray something with."""
    own = [banner.name for banner in stage.after.banners_of(seat or "")]
    lines = [f"{name}: {deed}" for name, deed in zip(own, ("raze", "fortify", "recover"), strict=False)]
    numbers = list(stage.before.sections)[::9]
    lines += [f"{name}: move {number}" for name in own for number in numbers] + ["break with Birch", "FINAL"]
    lines += [f"build tavern at {number}" for number in numbers] + [f"upgrade {number} to keep" for number in numbers]
    return "\n".join([*lines, "give 200 to Cedar", *(f"offer at {number}: truce 3" for number in numbers)])


def test_the_marks_are_there_and_the_end_lifts_the_fog():
    """Else the test above could not fail: owners read their marks, and at the end everybody reads them all."""
    stages = campaign("adjacent")
    told = renditions(stages[0], "A")["report, text"]
    assert "ofRedDragons" in told.replace("\n", " ")
    assert any(
        not Reading(stage, "A").noticed(name) for stage in stages for name in Reading(stage, "A").foreign_names()
    )
    assert any(state.meetings for stage in stages for state in (stage.before, stage.after))
    assert stages[-1].after.stage == "over"
    forms = renditions(stages[-1], None)
    for banner in stages[-1].after.banners.values():
        assert banner.name in forms["report, json"]
        assert all(unit.name in forms["report, json"] for unit in banner.units)


def test_battles_that_everybody_may_read_of_at_the_end_tell_no_more_than_how_they_went():
    """Not what anybody had to spend, nor what his units bore."""
    stages = campaign("adjacent")
    end = NIPPON.view(stages[-1].after, None)
    told = ""
    for stage in stages:
        told += repr(NIPPON.stories(Material(None, end, end, stage.log, (), TEMPLATES.say("nippon", end))))
    realms = (realm for stage in stages for realm in stage.after.realms.values())
    assert "Round 1" in told
    assert [realm for realm in realms if str(realm.treasury) in told or f"{realm.treasury:,}" in told] == []
    assert "Heirloom" not in told


# --- the same campaign twice --------------------------------------------------------------------------------------


@pytest.mark.parametrize("fog", FOGS)
def test_another_fortune_of_one_realm_is_told_to_nobody_else(fog):
    """The orders stay as they were, so that only secrets differ from the first stage to the last."""
    for stage in campaign(fog)[1:8:3]:
        before, opened = (richer(state) for state in (stage.before, stage.opened))
        twin = replace(stage, before=before, opened=opened, resolution=None)
        twin.resolution = twin.close()
        for seat in ("A", "C", None):
            assert renditions(twin, seat, probe(stage, seat)) == renditions(stage, seat, probe(stage, seat))


def richer(state: State) -> State:
    """A position in which Birch has more of everything that only Birch may know: also in its past, for at its sections
    where nothing is left of that a reserve has marched out, and the site has produced a unit."""
    other = state.copy()
    other.change_realm("B", treasury=state.realms["B"].treasury + 777_777)
    for number, section in state.sections.items():
        if section.controller == "B":
            other.change_section(number, quartered=section.quartered or "B", recruited=section.recruited or 1)
        if section.quartered == "B":
            other.change_section(number, reserve=laden(section.reserve))
    for key, banner in state.banners.items():
        if banner.realm == "B":
            other.change_banner(key, units=laden(banner.units))
    return other


def laden(units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    """Units with something that changes nothing: they may march out, and fight."""
    return tuple(replace(unit, items=("Rusty Bucket",)) for unit in units)


# --- out of sight -------------------------------------------------------------------------------------------------

DARK = """
map 1-2-3-4-5-6-7-8-9
map 6-8, 9-11-12-13
coast 7-10, 9-10
option fog adjacent
section 1 headquarters of A
section 3 wasteland
section 4 lair
section 6 forest controlled by B
section 7 mountains river controlled by B
section 8 marsh snow controlled by B
section 9 headquarters of B
section 10 ocean
section 11 controlled by B razed tries 1 by B
section 12 wasteland snow
section 13 headquarters of C
realm B treasury 9000
banner A Red at 1
banner B Blue at 8
banner B Black at 7 M 8
banner B Bat at 6 flies
banner B Bold at 9 points 260
banner C Grey at 13
pact alliance B C
"""


def dark() -> State:
    """A and B far apart, with wilderness between; nobody but B's ally C is near to see what B does."""
    draft = Draft()
    for line in DARK.strip().splitlines():
        POSITION.read(line)(draft)
    return build(draft)


MOVES = {
    "Blue": [Move("Blue", (way,), no_claim=True) for way in (6, 7, 9)],
    "Black": [Move("Black", way, no_claim=True) for way in ((6,), (8,), (10,), (8, 9), (6, 8))],
    "Bat": [Move("Bat", way, no_claim=True) for way in ((5,), (7, 10, 9), (8, 9, 11), (7, 8, 6, 5))],
    "Bold": [Move("Bold", (way,), no_claim=True) for way in (8, 10, 11)],
}


@settings(max_examples=20)
@given(st.fixed_dictionaries({name: st.sampled_from([Hold(name, no_claim=True), Fortify(name), *MOVES[name]])
                              for name in MOVES}), st.integers(0, 200), st.text("xyz", max_size=2))  # fmt: skip
def test_what_happens_out_of_sight_is_told_to_nobody(orders, gift, name):
    """Whatever B orders, whatever the dice: A and the public read the same. Not so C, and not so without fog."""
    quiet, busy = passed({}, name), passed({**orders, "": Gift("C", "Cedar", gift)} if gift else orders, name)
    for seat in ("A", None):
        assert renditions(busy, seat) == renditions(quiet, seat)


def passed(orders: dict[str, Any], name: str, fog: str = "adjacent") -> Stage:
    """The turn in which B gives these orders."""
    before = dark()
    before.options = replace(before.options, fog=fog)
    stage = Stage(Table(NIPPON, {}, [Entrant(*each, {}) for each in REALMS.items()]), before, before, f"dark {name}")
    held = {f"B {each}": Hold(each, no_claim=True) for each in MOVES}
    given = held | {f"B {order.banner}" if name else name: order for name, order in orders.items() if name}
    gifts = [order for name, order in orders.items() if not name]
    stage.resolution = stage.close({"B": [*gifts, *given.values()]})
    return stage


def test_without_fog_the_same_is_told_to_all():
    quiet, busy = (passed(orders, "", fog="none") for orders in ({}, {"Bat": Move("Bat", (5,), no_claim=True)}))
    assert renditions(busy, "A")["report, text"] != renditions(quiet, "A")["report, text"]
