"""The players' rulebook: ``rulebook.md``, with its tables filled in from the numbers that the rules go by.

A line ``{{table:buildings}}`` in the book stands for the table that the function ``buildings`` of :data:`TABLES` makes.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from functools import partial
from importlib.resources import files
from typing import Any, get_args

from pbem.core.report import Table
from pbem.core.wording import listed
from pbem.rulesets.nippon import armies, tables
from pbem.rulesets.nippon.armies import ArmyList, UnitType
from pbem.rulesets.nippon.atlas import Terrain
from pbem.rulesets.nippon.items import ITEMS, Item
from pbem.rulesets.nippon.lairs import ENCOUNTERS, INHABITANTS, TREASURE_ITEMS
from pbem.rulesets.nippon.tables import People

MARKER = re.compile(r"^\{\{table:([a-z_]+)\}\}$", re.MULTILINE)


def book() -> str:
    """The whole book, Markdown. Raises ``KeyError`` for a table that nobody makes."""
    text = (files(__package__) / "rulebook.md").read_text(encoding="utf-8")
    return MARKER.sub(lambda marker: written(TABLES[marker[1]]()), text)


def written(table: Table) -> str:
    """A table as Markdown; columns of numbers are set flush right."""
    rules = tuple("---:" if title.startswith("#") else "---" for title in table.columns)
    titles = tuple(title.lstrip("#") for title in table.columns)
    return "\n".join(f"| {' | '.join(row)} |" for row in (titles, rules, *table.rows))


# --- 2.4 Armies -------------------------------------------------------------------------------------------------------


def army_list(people: str) -> Table:
    """What a people may muster: each type with its price, what it carries, and what it may have besides."""
    if armies.left_out(people):
        return Table(("this list is faulty and cannot be used; `pbem doctor` tells the organizer why",), ())
    army = armies.army(people)
    rows = tuple(
        (
            name,
            str(kind.points),
            _models(kind),
            ", ".join((*kind.gear, *_riding(kind))),
            "; ".join(_choices(army, kind)),
        )
        for name, kind in army.types.items()
    )
    return Table(("type", "#points", "models", "carries", "may have, with points"), rows)


def _models(kind: UnitType) -> str:
    """``hero``, ``10 or more``, ``10 to 20``."""
    if kind.category in ("lord", "hero", "war machine"):
        return kind.category
    return f"{kind.category}, {kind.limits}"


def _riding(kind: UnitType) -> tuple[str, ...]:
    return (f"on {kind.mounted_on}",) if kind.mounted_on else ()


def _choices(army: ArmyList, kind: UnitType) -> Iterator[str]:
    for group in kind.choices:
        yield " or ".join(f"{choice} {points}" if points else choice for choice, points in group.items())
    if kind.mounts:
        yield " or ".join(f"{name} {army.mounts[name].points}" for name in kind.mounts)
    command = ((each, getattr(kind, each)) for each in ("musician", "standard", "champion"))
    if offered := [f"{each} {points}" for each, points in command if points]:
        yield ", ".join(offered)
    if kind.magic:
        yield f"magic {'items' if kind.category in ('lord', 'hero') else 'standard'} up to {kind.magic}"


# --- 5 Terrain ----------------------------------------------------------------------------------------------------


def terrain() -> Table:
    """What it takes to enter each terrain, and who may control it."""
    grounds = tuple((ground, _entry(ground), _holders(ground)) for ground in get_args(Terrain))
    marks = (
        ("river, in any terrain", "difficult terrain test", "as the terrain"),
        ("snow, on any terrain", "a snow die, see below", "as the terrain"),
    )
    return Table(("terrain", "to enter", "control"), grounds + marks)


def _entry(ground: str) -> str:
    if ground == "forest":
        return "free, but see below"
    if ground == "ocean":
        return "difficult terrain test, then a roll for dangerous terrain (5.2)"
    return "difficult terrain test (5.1)" if ground in tables.DIFFICULT_TERRAIN else "free"


def _holders(ground: str) -> str:
    if ground not in tables.UNCONTROLLABLE_TERRAIN:
        return "yes"
    settlers = [name.capitalize() for name, people in tables.PEOPLES.items() if people.holds_wasteland]
    return f"only by {listed(settlers)}" if ground == "wasteland" and settlers else "no"


OUTCOMES: dict[tables.Outcome, str] = {
    "destroyed": "the banner is lost",
    "costly": f"it loses D{tables.LOSS_DIE} x {tables.LOSS_PER_PIP} points and does not move",
    "held": "it does not move",
    "safe": "nothing happens",
    "heroic": "heroism (5.3), and it goes on",
}


def danger() -> Table:
    """What each sum of 2D6 does."""
    return _by_sums(OUTCOMES)


def _by_sums(outcomes: dict[tables.Outcome, str]) -> Table:
    sums = {each: [total for total in range(2, 13) if tables.danger(total) == each] for each in outcomes}
    rows = tuple((_span(totals[0], totals[-1]), outcomes[each]) for each, totals in sums.items() if totals)
    return Table(("2D6", "what happens"), rows)


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


# --- 6 Movement ---------------------------------------------------------------------------------------------------


def steps() -> Table:
    """Steps a turn."""
    rates = tables.RATES
    rows = (
        ("on foot", f"{rates.on_foot}"),
        (f"all models have M {rates.mounted_from} or more", f"{rates.mounted}"),
        ("all models fly", f"{rates.flying}; by land {rates.on_foot} or {rates.mounted}, as their M allows"),
    )
    return Table(("banner", "steps a turn"), rows)


# --- 7 Raze, fortify, recover; 8 Meetings ---------------------------------------------------------------------------


def obstacles() -> Table:
    """What a fortified banner may raise."""
    return Table(("die", "obstacle"), tuple((str(die), text) for die, text in enumerate(tables.OBSTACLES, 1)))


def scenarios() -> Table:
    """The campaign's battles."""
    rows = tuple((str(die), scene.title, scene.text) for die, scene in enumerate(tables.SCENARIOS, 1))
    return Table(("die", "scenario", "how it is fought"), rows)


def lairs() -> Table:
    """Who is at home in a lair."""
    rows = [
        (f"{die} {kind}", *_inhabitants(kind)) if kind in INHABITANTS else (f"{die} nobody", *[""] * len(tables.PIPS))
        for die, kind in enumerate(ENCOUNTERS, 1)
    ]
    return Table(("die", *(str(pip) for pip in tables.PIPS)), tuple(rows))


def _inhabitants(kind: str) -> Iterator[str]:
    for row in INHABITANTS[kind]:
        yield " and ".join(
            creature if str(many) == "1" else f"{creature} {many}" for creature, many in row.meets.items()
        )


def treasure() -> Table:
    """What lies in a lair."""
    return Table(("2D6", "item"), tuple((str(total), item) for total, item in TREASURE_ITEMS.items()))


def garrisons() -> Table:
    """Who defends a site, and what dice may add."""
    return Table(("site", "always there", "by dice"), tuple(map(_garrison, tables.GARRISONS)))


def _garrison(site: str) -> tuple[str, str, str]:
    table = tables.GARRISONS[site]
    more = {each["building"]: f" ({_companies(each['companies'])})" for each in table["with"]}
    found = (
        f"{row['building']} on {row['from']}+{more.get(row['building'], '')}"
        if "building" in row
        else f"{tables.GARRISON_MACHINE} number {row['machine']} on {row['from']}+"
        for row in table["rolls"]
    )
    return site, f"{_companies(table['companies'])}; behind {table['works']}", "; ".join(found)


def _companies(lines: Iterable[Mapping[str, Any]]) -> str:
    return ", ".join(
        f"{line['points']} points of {line['type']}" if "points" in line else line["type"] for line in lines
    )


# --- 9 After a battle -----------------------------------------------------------------------------------------------


def spoils() -> Table:
    """What is found on a fallen enemy."""
    results = dict.fromkeys(tables.SPOILS.values())
    dice = {result: [die for die, each in tables.SPOILS.items() if each == result] for result in results}
    last = max(tables.SPOILS)
    rows = tuple(
        (f"{_span(each[0], each[-1])}{' or more' if each[-1] == last else ''}", result) for result, each in dice.items()
    )
    return Table(("die", "what is found"), rows)


def leadership() -> Table:
    """What changes the Leadership of a unit that fled."""
    rally = tables.RALLY
    shares = {
        "few": f"under {rally.few} per cent of the unit, as it was before the battle, fled",
        "very few": f"under {rally.very_few} per cent of it fled, besides",
        "many": f"over {rally.many} per cent of it fled",
        "standard lost": "its standard was lost",
        "champion dead": "its champion is dead",
        "champion alive": "its champion is alive",
        "musician alive": "its musician is alive",
    }
    rows = tuple((shares.get(why, f"the battle was {why}"), f"{value:+d}") for why, value in rally.modifiers.items())
    return Table(("if", "#Leadership"), rows)


def runaways() -> Table:
    """What a monster or a war machine that fled has to roll."""
    endings = {"otherwise": "the battle was a draw"}
    rows = tuple((endings.get(how, f"the battle was {how}"), str(die)) for how, die in tables.RALLY.alone.items())
    return Table(("if", "#die, or more"), rows)


# --- 10 Production --------------------------------------------------------------------------------------------------


def production() -> Table:
    """What a section pays, by source."""
    section = f"a D{tables.PAY_DIE}; a D{tables.HALVED_PAY_DIE} under snow, or if the realm has no headquarters"
    sites = tuple((site, str(pips)) for site, pips in tables.SITE_PAY.items())
    works = (("tavern", str(tables.TAVERN_PAY)), ("port", f"a D{tables.PORT_DIE}, whatever the weather"))
    peoples = tuple((name, _pay(people)) for name, people in tables.PEOPLES.items() if people.pay or people.pay_at_home)
    return Table(("source", "pips"), (("any section", section), *sites, *works, *peoples))


def _pay(people: People) -> str:
    if people.pay_at_home:
        return f"{people.pay_at_home:+d} in {people.at_home_in}, {people.pay:+d} elsewhere"
    return f"{people.pay:+d}"


# --- 11 Spending ----------------------------------------------------------------------------------------------------


def recruits() -> Table:
    """What each site produces."""
    rows = tuple((site, ", ".join(reversed(categories))) for site, categories in tables.PRODUCED.items())
    return Table(("site", "units"), rows)


def recruiting_needs() -> Table:
    """The building without which nothing of a kind is produced."""
    names = {"caster": "whoever casts spells", "character": "other characters", "monstrous mount": "monstrous mounts"}
    rows = tuple(
        (names.get(kind, f"{kind}s" if kind == "monster" else kind), _or_instead(building))
        for kind, building in tables.NEEDED.items()
    )
    return Table(("for", "building"), rows)


def _or_instead(building: str) -> str:
    """A building, with what stands in its place where a people does not build it."""
    for name, each in tables.BUILDINGS.items():
        if each.only_for and set(each.only_for) <= set(tables.BUILDINGS[building].not_for):
            return f"{building}; {name} for {_listed(each.only_for)}"
    return building


def buildings() -> Table:
    """What can be built, and what it is good for."""
    rows = tuple(
        (name, f"{each.price:,}", ", ".join(each.needs) or "nothing", _for(each))
        for name, each in tables.BUILDINGS.items()
    )
    return Table(("building", "#price", "needs there", "serves"), rows)


def _for(building: tables.Building) -> str:
    builders = [f"not for {_listed(building.not_for)}"] if building.not_for else []
    builders += [f"only for {_listed(building.only_for)}"] if building.only_for else []
    return "; ".join((building.serves, *builders))


def sites() -> Table:
    """What each site has room for."""
    rows = tuple((site, str(room.machines), _listed(room.buildings)) for site, room in tables.SITES.items())
    return Table(("site", "#machines", "buildings"), rows)


def upgrades() -> Table:
    """How sites grow."""
    grown = tuple(
        (_named(site), growth.site or "a section without a site", f"{growth.price:,}")
        for site, growth in tables.UPGRADES.items()
    )
    port = ("a port", f"{listed(tables.SITES, last='or')} on the coast", f"{tables.GROWTHS['port']:,}")
    return Table(("what comes", "out of", "#price"), (*grown, port))


def ships() -> Table:
    """The kinds of ships."""
    rows = tuple(
        (kind, f"{hull.price:,}", f"{hull.room:,}", str(hull.machines), _listed(hull.sites))
        for kind, hull in tables.HULLS.items()
    )
    return Table(("ship", "#price", "#points carried", "#machines", "built in the port of"), rows)


def berths() -> Table:
    """How many ships a port has room for."""
    rows = tuple((site, str(ships)) for site, ships in tables.BERTHS.items())
    return Table(("port of", "#ships"), rows)


AT_SEA: dict[tables.Outcome, str] = {
    "destroyed": "the ship is lost with all aboard",
    "costly": f"the troops aboard lose D{tables.LOSS_DIE} x {tables.LOSS_PER_PIP} points, and it stays where it is",
    "held": "it stays where it is",
    "safe": "nothing happens",
    "heroic": "the banners aboard win heroism (5.3), and it goes on",
}


def weather() -> Table:
    """What each sum of 2D6 does to a ship at sea."""
    return _by_sums(AT_SEA)


def _named(site: str) -> str:
    return f"a {site}"


# --- 12 Armies ------------------------------------------------------------------------------------------------------


TRAITS: dict[str, Callable[[People], str]] = {
    "wins_the_night": lambda people: "always win Don't Pass in the Night (6.4)",
    "holds_wasteland": lambda people: "control wasteland, are paid there and may raze it (6.6, 7.1)",
    "more_steps": lambda people: f"{people.more_steps:+d} to steps (6.1)",
    "at_home_in": lambda people: f"no difficult terrain test for {people.at_home_in}, but for a river there (5.1)",
    "pay": lambda people: f"production {_pay(people)} (10)",
    "pay_at_home": lambda people: "",
    "marches": lambda people: "may make forced marches (12.1)",
    "tunnels": lambda people: "may go underground (12.2)",
    "obstacles": lambda people: f"{people.obstacles} obstacles for a fortified banner (7.3)",
    "razing": lambda people: f"{people.razing:+d} to each die for what razing pays (7.1)",
    "razes_again_up_to": lambda people: f"dice of {_span(1, people.razes_again_up_to)} rolled again when razing (7.1)",
    "always_in_time": lambda people: "raze and move without a die (7.2)",
    "raises_dead": lambda people: "raise their enemies' dead, see below",
    "grim_victors": lambda people: "where they have won nobody is healed who does not pass twice (9.6)",
}
"""How the book tells each trait of a people, with the rule that it changes; ``pay`` tells both payments."""


def peoples() -> Table:
    """What sets each people apart."""
    rows = tuple((name, "; ".join(_traits(people))) for name, people in tables.PEOPLES.items())
    return Table(("army", "rules"), (*rows, ("all others", "no special rules")))


def _traits(people: People) -> Iterator[str]:
    for trait in fields(people):
        if getattr(people, trait.name) != trait.default:
            yield from filter(None, [TRAITS[trait.name](people)])


def spirits() -> Table:
    """What becomes of a forced march."""
    mutiny, tired = tables.MUTINY_UP_TO, tables.TIRED_UP_TO
    rows = (
        (_span(1, mutiny), f"mutiny: it holds, and loses D{tables.MUTINY_DIE} x {tables.MUTINY_LOSS} points"),
        (
            _span(mutiny + 1, tired),
            "tired: an ordinary move of its usual steps, nothing razed; flyers stop before ocean",
        ),
        (_span(tired + 1, tables.PIPS[-1]), "it marches the whole way"),
    )
    return Table(("die", "what happens"), rows)


# --- 14 Magic items -------------------------------------------------------------------------------------------------


def carrying() -> Table:
    """How much a character can carry."""
    return Table(("item", "#at most"), tuple((slot, str(limit)) for slot, limit in tables.CARRYING.items()))


SOURCES = {"merchants": "merchant cities", "free-peoples": "free peoples", "map": "lairs"}
"""Where an item is to be had, by the list it stands in."""


def items_of(*kinds: str) -> Table:
    """What items of some kinds do, and where they are to be had at what price."""
    found = [item for item in ITEMS.values() if item.kind in kinds]
    rows = tuple((item.name, _worth(item), SOURCES[item.source], _effect(item)) for item in found)
    return Table(("item", "#price", "from", "what it does"), rows)


def _worth(item: Item) -> str:
    """Its price, and how many a city has."""
    if not item.price:
        return ""
    return f"{item.stock} at {item.price}" if item.stock else str(item.price)


def _effect(item: Item) -> str:
    """What it does, and whether only once."""
    return f"{item.text} {item.uses.capitalize()}." if item.uses else item.text


# --- 15 The end -----------------------------------------------------------------------------------------------------


def scores() -> Table:
    """What counts at the end."""
    sites_ = tuple((site, f"{points:+d}") for site, points in tables.SITE_SCORE.items())
    rows = (("each section", str(tables.SECTION_SCORE)), *sites_, ("port", f"{tables.PORT_SCORE:+d}"))
    return Table(("what a realm controls", "#score"), rows)


def _listed(things: tuple[str, ...]) -> str:
    return ", ".join(things)


TABLES: dict[str, Callable[[], Table]] = (
    {
        each.__name__: each
        for each in (
            terrain,
            danger,
            steps,
            obstacles,
            scenarios,
            lairs,
            treasure,
            garrisons,
            spoils,
            leadership,
            runaways,
            production,
            recruits,
            recruiting_needs,
            buildings,
            sites,
            upgrades,
            ships,
            berths,
            weather,
            peoples,
            spirits,
            carrying,
            scores,
        )
    }
    | {people.replace(" ", "_"): partial(army_list, people) for people in (*armies.names(), *armies.library().faulty)}
    | {
        f"{name}_items": partial(items_of, *kinds)
        for name, kinds in {
            "weapon": ("weapon",),
            "armour": ("armour",),
            "talisman": ("amulet",),
            "standard": ("standard",),
            "arcane": ("arcane", "scroll"),
            "enchanted": ("enchanted",),
            "drunk": ("elixir", "potion"),
        }.items()
    }
)
"""The tables of the book, by the name in its markers."""
