"""Look for sites and rivers that treat all candidates of the large map alike; prints lines for atlas.py.

    python -m tools.balance [SEED]

Simulated annealing over what the tables below allow. It proposes; a person decides.
"""

import math
import random
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pbem.rulesets.nippon import maps
from pbem.rulesets.nippon.tables import DIFFICULT_TERRAIN
from tools.fairness import FAR, REACH, candidates, steps_from

S = TypeVar("S")
Sites = dict[str, str]
Rivers = frozenset[str]

COUNTS = {"village": 8, "keep": 5, "stronghold": 2, "lair": 8, "gold mine": 3, "merchant city": 2}
GROUND: Mapping[str, Sequence[str]] = {
    "village": ("plains", "forest"),
    "keep": ("plains", "forest"),
    "stronghold": ("plains",),
    "lair": ("mountains", "forest", "marsh", "wasteland"),
    "gold mine": ("mountains",),
    "merchant city": ("plains",),
}
FIXED = {"Sado": "gold mine", "Osore": "lair", "Yamashiro": "merchant city"}
WORTH = {"village": 1, "keep": 2, "stronghold": 3}
NOT_NEXT_DOOR = ("keep", "stronghold", "merchant city", "gold mine")

COURSES: Mapping[str, Sequence[str]] = {
    "Ishikari": ("Hidaka", "Ishikari", "Ishikari Sea"),
    "Tokachi": ("Tokachi", "Erimo Sea"),
    "Teshio": ("Teshio", "Ishikari Sea"),
    "Mu": ("Hidaka", "Tsugaru Strait"),
    "Iwaki": ("Tsugaru", "Dewa Sea"),
    "Mabechi": ("Nambu", "Sanriku Sea"),
    "Kitakami": ("Rikuchu", "Rikuzen", "Sanriku Sea"),
    "Mogami": ("Uzen", "Dewa", "Dewa Sea"),
    "Omono": ("Akita", "Dewa Sea"),
    "Abukuma": ("Iwaki", "Kashima Sea"),
    "Shinano": ("Aizu", "Echigo", "Echigo Sea"),
    "Jinzu": ("Shinano", "Etchu", "Echigo Sea"),
    "Tone": ("Kozuke", "Hitachi", "Kashima Sea"),
    "Ara": ("Musashi", "Sagami", "Sagami Sea"),
    "Fuji": ("Kai", "Suruga", "Enshu Sea"),
    "Tenryu": ("Shinano", "Owari", "Enshu Sea"),
    "Kiso": ("Mino", "Ise", "Enshu Sea"),
    "Yodo": ("Omi", "Yamashiro", "Inland Sea"),
    "Kuzuryu": ("Echizen", "Wakasa Sea"),
    "Kako": ("Tanba", "Harima", "Inland Sea"),
    "Yoshii": ("Inaba", "Bizen", "Inland Sea"),
    "Hii": ("Izumo", "Oki Sea"),
    "Ashida": ("Bingo", "Inland Sea"),
    "Nishiki": ("Aki", "Suo", "Inland Sea"),
    "Yoshino": ("Awa", "Kumano Sea"),
    "Niyodo": ("Tosa", "Tosa Sea"),
    "Hiji": ("Iyo", "Inland Sea"),
    "Chikugo": ("Aso", "Chikugo", "Higo", "Amakusa Sea"),
    "Yamakuni": ("Buzen", "Inland Sea"),
    "Ono": ("Bungo", "Hyuga Sea"),
    "Oyodo": ("Hyuga", "Hyuga Sea"),
    "Sendai": ("Satsuma", "Amakusa Sea"),
    "Onga": ("Chikuzen", "Genkai Sea"),
}
MUST = frozenset({"Ishikari", "Kitakami", "Mogami", "Tone", "Chikugo"})
SHARE, RIVERS = 0.45, 12
"""What to aim at: the share of sections within reach that are hard to enter, and how many rivers there are."""


@dataclass(frozen=True)
class Cooling:
    """How annealing goes: trials, heat at first, factor for each trial, least heat."""

    trials: int
    heat: float
    factor: float
    least: float


SITE_COOLING, RIVER_COOLING = Cooling(40_000, 1.0, 0.9998, 0.004), Cooling(8_000, 0.3, 0.999, 0.001)


class Land:
    """The large map, its sections by name."""

    def __init__(self) -> None:
        atlas = maps.atlas("nippon")
        named = {place.number: place.name for place in atlas}
        self.terrain = {place.name: place.terrain for place in atlas if not place.ocean}
        self.homes = [place.name for place in candidates(atlas)]
        self.neighbours = {p.name: [named[n] for n in p.borders.get("land", ())] for p in atlas if not p.ocean}
        self.steps = {
            home.name: {named[number]: steps for number, steps in steps_from(atlas, home.number).items()}
            for home in candidates(atlas)
        }

    def around(self, home: str) -> list[str]:
        """What lies within reach of a candidate, wasteland left out."""
        near = (name for name, steps in self.steps[home].items() if 0 < steps <= REACH)
        return [name for name in near if self.terrain[name] != "wasteland"]


def spread(values: Iterable[float], weight: float, at_least: float = 0.15) -> float:
    """What it costs that values differ: beyond ``at_least`` of the mean much, below that little."""
    known = list(values)
    mean = sum(known) / len(known)
    shares = [abs(value - mean) / max(mean, 0.5) for value in known]
    return weight * sum(max(0.0, share - at_least) ** 2 + 0.1 * share**2 for share in shares)


def anneal(
    start: S, cost: Callable[[S], float], change: Callable[[S], S], cooling: Cooling, rng: random.Random
) -> tuple[float, S]:
    """The cheapest state found, and its cost."""
    here, now = start, cost(start)
    best, heat = (now, here), cooling.heat
    for _ in range(cooling.trials):
        trial = change(here)
        new = cost(trial)
        if new < now or rng.random() < math.exp((now - new) / heat):
            here, now = trial, new
            best = min(best, (now, here), key=lambda each: each[0])
        heat = max(cooling.least, heat * cooling.factor)
    return best


# --- sites --------------------------------------------------------------------------------------------------------


def site_cost(land: Land, sites: Sites) -> float:
    """How unlike the candidates are in what they have around them."""
    near = {home: [(land.steps[home].get(name, FAR), site) for name, site in sites.items()] for home in land.homes}
    cost = spread([sum(steps <= REACH for steps, _ in near[home]) for home in land.homes], 10, 0.05)
    cost += spread([sum(WORTH.get(s, 0) for steps, s in near[home] if steps <= REACH) for home in land.homes], 4)
    cost += spread([sum(s == "village" and steps <= 2 for steps, s in near[home]) for home in land.homes], 3)
    cost += spread([sum(s == "lair" and steps <= REACH for steps, s in near[home]) for home in land.homes], 3)
    for kind in COUNTS:
        cost += spread([min(min(steps for steps, s in near[home] if s == kind), 7) for home in land.homes], 2)
    next_door = sum(steps == 1 and s in NOT_NEXT_DOOR for home in land.homes for steps, s in near[home])
    crowd = sum(other in sites for name in sites for other in land.neighbours[name])
    return cost + 3 * next_door + 0.06 * crowd


def some_sites(land: Land, rng: random.Random) -> Sites:
    """Sites anywhere they may be."""
    sites = dict(FIXED)
    for kind, count in COUNTS.items():
        room = [name for name in _free(land) if name not in sites and land.terrain[name] in GROUND[kind]]
        sites |= dict.fromkeys(rng.sample(room, count - sum(site == kind for site in sites.values())), kind)
    return sites


def moved_site(land: Land, sites: Sites, rng: random.Random) -> Sites:
    """The same sites, but one moved, or two that changed places."""
    trial = dict(sites)
    left = rng.choice([name for name in trial if name not in FIXED])
    kind = trial.pop(left)
    taken = rng.choice([name for name in _free(land) if land.terrain[name] in GROUND[kind] and name not in FIXED])
    if taken in trial:
        if land.terrain[left] not in GROUND[trial[taken]]:
            return sites
        trial[left] = trial[taken]
    trial[taken] = kind
    return trial


def _free(land: Land) -> list[str]:
    return [name for name in land.terrain if name not in land.homes]


# --- rivers -------------------------------------------------------------------------------------------------------


def river_cost(land: Land, chosen: Rivers) -> float:
    """How unlike the candidates are in what is hard to enter around them, and how far from what is aimed at."""
    wet = {name for river in chosen for name in COURSES[river]}
    shares = []
    for home in land.homes:
        around = land.around(home)
        shares.append(sum(land.terrain[name] in DIFFICULT_TERRAIN or name in wet for name in around) / len(around))
    off = sum(shares) / len(shares) - SHARE
    return spread(shares, 10, 0.05) + 10 * off**2 + 0.005 * abs(len(chosen) - RIVERS)


def main(seed: int = 1) -> None:
    """Search, and print what was found."""
    land, rng = Land(), random.Random(seed)
    cost, sites = anneal(
        some_sites(land, rng),
        lambda each: site_cost(land, each),
        lambda each: moved_site(land, each, rng),
        SITE_COOLING,
        rng,
    )
    print(f"sites, cost {cost:.3f}")
    for kind in COUNTS:
        print(f'    "{kind}": {sorted(name for name in sites if sites[name] == kind)},')
    others = sorted(set(COURSES) - MUST)
    cost, rivers = anneal(
        MUST, lambda each: river_cost(land, each), lambda each: each ^ {rng.choice(others)}, RIVER_COOLING, rng
    )
    print(f"rivers, cost {cost:.3f}")
    for river in sorted(rivers):
        print(f'    ("{river}", 12, {COURSES[river]}),')


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
