"""The numbers of the rules, read once from the files beside this one; each stands under the number of its rule.

Some tables are read where they are used, and stand under names of their own: those of lairs in ``lairs.py``, those of
equipment in ``equipment.py``.
"""

import tomllib
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import files
from itertools import product
from typing import Any, Literal

from pbem.rulesets.nippon.atlas import Site

PIPS = range(1, 7)
"""What a die can show."""


def from_on(pips: int) -> Fraction:
    """The chance of a D6 to show ``pips`` or more."""
    return Fraction(sum(shown >= pips for shown in PIPS), len(PIPS))


def read(chapter: str) -> dict[str, Any]:
    """The tables of a chapter, by number of the rule."""
    text = (files(__package__) / f"{chapter}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


# --- 2 Before the first turn --------------------------------------------------------------------------------------

_SETUP = read("setup")
FIRST_MACHINES: int = _SETUP["2.3"]["machines_of_a_headquarters"]
NEUTRAL_MACHINES: int = _SETUP["2.3"]["machines_of_a_neutral_stronghold"]
MOST_LORDS: int = _SETUP["2.4"]["lords"]
SPECIAL_RULES: tuple[str, ...] = (*_SETUP["2.4"]["works_here"], *_SETUP["2.4"]["works_on_the_table"])
"""What units of army lists may be tagged with."""
CUSTOM_CLASSES: dict[Any, list[str]] = _SETUP["2.4"]["classes"]
"""By category of unit, the words by which other games call it."""
CUSTOM_PROFILES: dict[str, list[int]] = _SETUP["2.4"]["profiles"]
"""What a unit of another game fights with, by category."""

# --- 3 Banners ----------------------------------------------------------------------------------------------------

_BANNERS = read("banners")
LEAST_POINTS: int = _BANNERS["3.1"]["least_points"]
LINES_A_TURN: int = _BANNERS["3.6"]["lines_a_turn"]

# --- 5 Terrain ----------------------------------------------------------------------------------------------------

Hazard = Literal["forest", "difficult", "ocean", "snow"]
"""A test on the way: leaving a forest; entering difficult terrain, ocean or snow."""

Outcome = Literal["destroyed", "costly", "held", "safe", "heroic"]
"""What dangerous terrain does to a banner (NIP 5.2)."""

_TERRAIN = read("terrain")
DIFFICULT_TERRAIN: frozenset[str] = frozenset(_TERRAIN["5"]["difficult"])
LOST_UP_TO: int = _TERRAIN["5"]["lost_in_forest_up_to"]
CAUGHT_UP_TO: int = _TERRAIN["5"]["caught_in_snow_up_to"]
OCEANS_A_TURN: int = _TERRAIN["5"]["ocean_sections_a_turn"]
HALTED_UP_TO: int = _TERRAIN["5.1"]["halted_up_to"]
LOSS_DIE: int = _TERRAIN["5.2"]["loss_die"]
LOSS_PER_PIP: int = _TERRAIN["5.2"]["loss_per_pip"]
WORST: int = _TERRAIN["5.2"]["outcomes"][0]["up_to"]
"""The sum of 2D6 with which all is lost."""
HEROISM_FADES_AT: int = _TERRAIN["5.3"]["fades_at_times_its_points"]


def danger(total: int) -> Outcome:
    """What a sum of 2D6 on the dangerous terrain table does (NIP 5.2)."""
    rows = _TERRAIN["5.2"]["outcomes"]
    return next(row["outcome"] for row in rows if total <= row["up_to"])


def _odds() -> dict[Hazard, Fraction]:
    unharmed = [danger(a + b) in ("safe", "heroic") for a, b in product(PIPS, PIPS)]
    ocean, caught = Fraction(sum(unharmed), len(unharmed)), Fraction(CAUGHT_UP_TO, len(PIPS))
    return {
        "forest": 1 - Fraction(LOST_UP_TO, len(PIPS)),
        "difficult": 1 - Fraction(HALTED_UP_TO, len(PIPS)),
        "ocean": ocean,
        "snow": 1 - caught * (1 - ocean),
    }


ODDS: dict[Hazard, Fraction] = _odds()
"""The chance to get past each hazard."""

# --- 6 Movement ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rates:
    """Steps a turn (NIP 6.1)."""

    on_foot: int
    mounted: int
    mounted_from: int
    """The least M that all models need."""
    flying: int
    standard: int
    """Steps more for a banner that bears one of the next."""
    standard_item: str
    random_dice: int
    """D6 for the M of models with random movement."""


_MOVEMENT = read("movement")
RATES = Rates(**_MOVEMENT["6.1"])
UNCONTROLLABLE_TERRAIN: frozenset[str] = frozenset(_MOVEMENT["6.6"]["uncontrollable_terrain"])
UNCONTROLLABLE_SITES: frozenset[str] = frozenset(_MOVEMENT["6.6"]["uncontrollable_sites"])

# --- 7 Raze, fortify, recover -------------------------------------------------------------------------------------

_RAZING = read("razing")
RAZE_DICE: int = _RAZING["7.1"]["dice"]
RAZE_PP_PER_PIP: int = _RAZING["7.1"]["pp_per_pip"]
SPARED_SITES: frozenset[str] = frozenset(_RAZING["7.1"]["spared_sites"])
SPARED_TERRAIN: frozenset[str] = frozenset(_RAZING["7.1"]["spared_terrain"])
GOES_FROM: int = _RAZING["7.2"]["goes_from"]
RECOVERS_FROM: int = _RAZING["7.4"]["succeeds_from"]
NEVER_RECOVERS: int = _RAZING["7.4"]["always_fails"]
OBSTACLES: tuple[str, ...] = tuple(_RAZING["7.3"]["obstacles"])
"""What a fortified banner may raise for its defence, by a D6."""

# --- 8 Meetings ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Scenario:
    """A way to set up a battle (NIP 8.4)."""

    title: str
    text: str


SCENARIOS: tuple[Scenario, ...] = tuple(Scenario(**row) for row in read("meetings")["8.4"]["scenarios"])
"""By a D6."""

# --- 8.7 Garrisons ------------------------------------------------------------------------------------------------

_GARRISONS = read("garrisons")
GARRISON_MACHINE: str = _GARRISONS["8.7"]["machine"]
GARRISONS: dict[str, dict[str, Any]] = {kind: _GARRISONS["8.7"][kind] for kind in ("village", "keep", "stronghold")}
"""By site: companies, what buildings add, rolls for a neutral one."""
MOUNTS_OF_CASTELLANS: list[dict[str, str]] = _GARRISONS["8.7"]["mounts"]

# --- 9 After a battle ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rally:
    """What brings the fled back (NIP 9.7)."""

    few: int
    """Per cent of the strength before the battle, of a unit when it fled. So too the next two."""
    very_few: int
    many: int
    modifiers: dict[str, int]
    """To Leadership, by reason."""
    alone: dict[str, int]
    """What a D6 must show for a monster or a war machine, by how the battle ended."""


_AFTERMATH = read("aftermath")
SURVIVES_FROM: int = _AFTERMATH["9.1"]["survives_from"]
Search = Literal["nothing", "one to the loser's liking", "one to the victor's liking", "all"]
"""How much is found on a fallen enemy (NIP 9.5)."""

SPOILS: dict[int, Search] = dict(enumerate(_AFTERMATH["9.5"]["search"], 1))
"""By a D6, or what it adds up to."""
NEVER_HEALS: int = _AFTERMATH["9.6"]["never_heals"]
MONSTER_RETURNS_FROM: int = _AFTERMATH["9.6"]["monster_returns_from"]
RALLY = Rally(**_AFTERMATH["9.7"])

# --- 10 Production ------------------------------------------------------------------------------------------------

_PRODUCTION = read("production")["10"]
PAY_DIE: int = _PRODUCTION["die"]
HALVED_PAY_DIE: int = _PRODUCTION["halved_die"]
SITE_PAY: dict[str, int] = _PRODUCTION["sites"]
TAVERN_PAY: int = _PRODUCTION["tavern"]
PORT_DIE: int = _PRODUCTION["port_die"]
MINE_DICE: int = _PRODUCTION["mine_dice"]
FAILING_ONES: int = _PRODUCTION["failing_ones"]

# --- 11 Spending --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Building:
    """What stands at a site (NIP 11.2)."""

    price: int
    serves: str
    """What it is good for, in the words of the rulebook."""
    needs: tuple[str, ...] = ()
    """Buildings that must stand there first."""
    not_for: tuple[str, ...] = ()
    """Army lists that do not build it. So too the next."""
    only_for: tuple[str, ...] = ()


@dataclass(frozen=True)
class Room:
    """What a site may hold (NIP 11.2)."""

    buildings: tuple[str, ...]
    machines: int
    """Stationary war machines."""


@dataclass(frozen=True)
class Growth:
    """How a site comes about (NIP 11.3)."""

    site: Site
    """What it grows out of."""
    price: int


def _listed(row: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}


_SPENDING = read("spending")
PRODUCED: dict[str, list[str]] = _SPENDING["11.1"]["sites"]
"""Categories of units that each class of site produces, the highest first."""
NEEDED: dict[str, str] = _SPENDING["11.1"]["needs"]
"""The building that a category or a tag needs."""
MOST_MODELS: int = _SPENDING["11.1"]["most_models"]
MACHINE_DISCOUNT: int = _SPENDING["11.2"]["machine_discount"]
BUILDINGS = {name: Building(**_listed(row)) for name, row in _SPENDING["11.2"]["buildings"].items()}
SITES = {site: Room(**_listed(row)) for site, row in _SPENDING["11.2"]["sites"].items()}
FORGES: frozenset[str] = frozenset(_SPENDING["11.5"]["forges"])
"""Buildings at which magic items are made."""
RESALE_PERCENT: int = _SPENDING["11.5"]["resale_percent"]
UPGRADES = {site: Growth(row["from"], row["price"]) for site, row in _SPENDING["11.3"]["upgrades"].items()}
"""What a section can grow into."""
GROWTHS: dict[Any, int] = {site: growth.price for site, growth in UPGRADES.items()} | {
    "port": _SPENDING["11.3"]["port"]["price"]
}
"""The price of everything that an upgrade can bring."""


@dataclass(frozen=True)
class Hull:
    """A kind of ship (NIP 11.4)."""

    price: int
    room: int
    """Points of troops that it carries."""
    machines: int
    """War machines that it is armed with."""
    sites: tuple[str, ...]
    """Where it can be built."""


_SHIPS = read("ships")["11.4"]
HULLS = {kind: Hull(**_listed(row)) for kind, row in _SHIPS["kinds"].items()}
BERTHS: dict[str, int] = _SHIPS["berths"]
"""Ships that a port has room for, by its site."""
OCEANS_A_VOYAGE: int = _SHIPS["ocean_sections_a_turn"]
TAKEN_FROM: int = _SHIPS["taken_from"]
SHIP_NAMES: tuple[str, ...] = tuple(_SHIPS["names"]["stock"])

# --- 12 Armies ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class People:
    """What sets a people apart on the map."""

    wins_the_night: bool = False
    """Always wins Don't Pass in the Night (NIP 6.4)."""
    holds_wasteland: bool = False
    """May control wasteland (NIP 6.6)."""
    more_steps: int = 0
    """Steps beyond the usual ones (NIP 6.1)."""
    at_home_in: str = ""
    """Terrain that is not difficult to it (NIP 5)."""
    pay: int = 0
    """Pips more, or less, for each section (NIP 10)."""
    pay_at_home: int = 0
    """The same where it is at home."""
    marches: bool = False
    """May order forced marches (NIP 12.1)."""
    tunnels: bool = False
    """May go underground (NIP 12.2)."""
    obstacles: int = 1
    """How many a fortified banner raises (NIP 7.3)."""
    razing: int = 0
    """Pips more for each die when it razes (NIP 7.1)."""
    razes_again_up_to: int = 0
    """Dice that show no more than this are rolled again, once, when it razes (NIP 7.1)."""
    always_in_time: bool = False
    """To raze and move never takes it too long (NIP 7.2)."""
    raises_dead: bool = False
    """Fills its ranks with dead enemies (NIP 12)."""
    grim_victors: bool = False
    """Whoever was in a battle that it won passes no test of healing at once (NIP 9.6)."""


PEOPLES = {name: People(**traits) for name, traits in read("peoples").items()}
"""Those with special rules."""
_ORDINARY = People()


def people(army: str) -> People:
    """The traits of a realm's army, by the name of its people."""
    return PEOPLES.get(army, _ORDINARY)


_MARCHES = read("marches")
MUTINY_UP_TO: int = _MARCHES["12.1"]["mutiny_up_to"]
TIRED_UP_TO: int = _MARCHES["12.1"]["tired_up_to"]
MARCH_STEPS: int = _MARCHES["12.1"]["more_steps"]
MUTINY_DIE: int = _MARCHES["12.1"]["loss_die"]
MUTINY_LOSS: int = _MARCHES["12.1"]["loss_per_pip"]
TUNNEL_TURNS: int = _MARCHES["12.2"]["turns"]
LOST_BELOW_UP_TO: int = _MARCHES["12.2"]["lost_up_to"]

# --- 14 Magic items -----------------------------------------------------------------------------------------------

_ITEMS = read("items")
CARRYING: dict[str, int] = _ITEMS["14.1"]["carrying"]
"""How many items of each slot a character carries at most; those that are not named, without limit."""
GREATEST_CHARACTERISTIC: int = _ITEMS["14.2"]["greatest_characteristic"]
CHAOS_FAILS_ON: int = _ITEMS["14.3"]["test_fails_on"]
CHAOS_PASSES_ON: int = _ITEMS["14.3"]["test_passes_on"]
CHAOS_LEADERSHIP: int = _ITEMS["14.3"]["leadership"]
SWARM_PERCENT: int = _ITEMS["14.6"]["more_percent"]
OLD_ONES_UP_TO: int = _ITEMS["14.7"]["taken_up_to"]
PORTAL_SCROLL: str = _ITEMS["14.8"]["scroll"]

# --- 15 The end ---------------------------------------------------------------------------------------------------

MOST_PROPOSALS: int = read("seasons")["15.1"]["most_proposals"]
_SCORES = read("ending")["15.2"]
SECTION_SCORE: int = _SCORES["section"]
PORT_SCORE: int = _SCORES["port"]
SITE_SCORE: dict[str, int] = _SCORES["sites"]
