"""The search for fair sites and rivers."""

import random

import pytest

from tools.atlas import geography
from tools.balance import (
    COUNTS,
    FIXED,
    GROUND,
    MUST,
    Cooling,
    Land,
    anneal,
    moved_site,
    river_cost,
    site_cost,
    some_sites,
    spread,
)


@pytest.fixture(scope="module")
def land() -> Land:
    """The large map."""
    return Land()


def test_spread_is_nothing_among_equals_and_grows_with_the_difference() -> None:
    assert spread([4, 4, 4], 10) == 0
    assert 0 < spread([4, 5], 10) < spread([3, 6], 10)


def test_some_sites_stand_where_they_may(land: Land) -> None:
    sites = some_sites(land, random.Random(1))

    assert sites.items() >= FIXED.items()
    assert {kind: sum(site == kind for site in sites.values()) for kind in COUNTS} == COUNTS
    assert [name for name, site in sites.items() if land.terrain[name] not in GROUND[site]] == []


def test_moved_site_keeps_the_numbers(land: Land) -> None:
    rng = random.Random(2)
    sites = some_sites(land, rng)
    for _ in range(50):
        sites = moved_site(land, sites, rng)

    assert {kind: sum(site == kind for site in sites.values()) for kind in COUNTS} == COUNTS


def test_site_cost_of_the_map_that_ships_is_below_that_of_chance(land: Land) -> None:
    chance = min(site_cost(land, some_sites(land, random.Random(seed))) for seed in range(5))

    assert site_cost(land, geography("nippon").sites) < chance / 2


def test_river_cost_of_too_few_rivers_is_high(land: Land) -> None:
    rivers = frozenset(name for name, _, _ in geography("nippon").rivers)

    assert river_cost(land, rivers) < river_cost(land, MUST)


def test_anneal_finds_the_lowest_place() -> None:
    rng = random.Random(3)
    found = anneal(
        40, lambda at: (at - 7) ** 2, lambda at: at + rng.choice((-1, 1)), Cooling(2000, 5.0, 0.99, 0.01), rng
    )

    assert found == (0, 7)
