"""Which orders a banner can carry out (NIP 4): none is allowed because nobody has thought of it."""

from dataclasses import dataclass
from typing import get_args

import pytest

from pbem.rulesets.nippon.legality import refusal
from pbem.rulesets.nippon.orders import BannerOrder, ForcedMarch, Move, Order, Portal, Sail, Underground
from tests.rulesets.nippon.cards import spoken


@dataclass(frozen=True)
class Dig(BannerOrder):
    """An order for which no rule says what it needs."""


def given(kind: type[BannerOrder]) -> BannerOrder:
    """An order of a kind to the first banner."""
    path = {Move: ((1,),), ForcedMarch: ((1,),), Underground: (1,), Portal: (1,), Sail: ((1,), 1)}
    return kind("Red Dragons", *path.get(kind, ()))


@pytest.mark.parametrize("kind", [each for each in get_args(Order) if issubclass(each, BannerOrder)])
def test_every_order_to_a_banner_is_judged(kind: type[BannerOrder]) -> None:
    state = spoken.position(spoken.USUAL)
    judged = refusal(state, state.banners["A Red Dragons"], given(kind))
    assert judged is None or judged.rule


def test_an_order_that_no_rule_judges_is_an_error() -> None:
    state = spoken.position(spoken.USUAL)
    with pytest.raises(NotImplementedError):
        refusal(state, state.banners["A Red Dragons"], Dig("Red Dragons"))
