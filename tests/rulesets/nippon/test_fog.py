"""Who learns of what happened in fog (NIP 17.1)."""

from pbem.core.dice import EVERYONE
from pbem.core.turn import Entry
from pbem.rulesets.nippon.events import CharacterDied, Scattered
from pbem.rulesets.nippon.fog import Witnesses
from tests.rulesets.nippon.cards import spoken

FAR = """
map 1-2-3-4
option fog adjacent
banner A Red at 1
banner B Blue at 4
"""


def told_to(*happened):
    """Who is told of the first of some events."""
    state = spoken.position(FAR)
    log = tuple(Entry("9.6", EVERYONE, event) for event in happened)
    return Witnesses(state, state, log).told(log[0]).audience


def test_a_name_that_looks_like_the_key_of_a_banner_makes_nobody_a_party():
    """A unit may be called whatever its player likes."""
    assert told_to(CharacterDied("B Blue", 4, "A Company")) == {"B"}


def test_a_realm_is_told_of_its_banner_though_it_came_and_went_within_the_stage():
    assert told_to(Scattered("A Ruby", 2)) == {"A"}
