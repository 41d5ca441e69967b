"""Positions in words, for rule cases: ``map 1-2-3``, ``section 2 mountains river``, ``banner A Red at 1 M 8``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from pbem.core.trials import BadLine, Vocabulary
from pbem.rulesets.nippon.cases.drafts import ORDINARY, BannerDraft, Draft
from pbem.rulesets.nippon.state import Options, Pact, Profile, Unit

POSITION = Vocabulary()
"""The phrases that describe a position."""

# --- the map ----------------------------------------------------------------------------------------------------------


@POSITION.phrase("map {chains}")
def draw(draft: Draft, chains: str) -> None:
    """Chains of land borders, ``1-2-3, 2-4``; or the name of a map."""
    if chains[0].isdigit():
        _join(draft, "land", chains)
    else:
        draft.atlas = chains


@POSITION.phrase("strait {chains}")
def straits(draft: Draft, chains: str) -> None:
    """Borders across a strait."""
    _join(draft, "strait", chains)


@POSITION.phrase("coast {chains}")
def coasts(draft: Draft, chains: str) -> None:
    """Borders of land and ocean; of each pair the second is ocean."""
    for _, there in _join(draft, "coast", chains):
        draft.places[there].setdefault("terrain", "ocean")


@POSITION.phrase("sea {chains}")
def seas(draft: Draft, chains: str) -> None:
    """Borders of ocean and ocean."""
    for pair in _join(draft, "sea", chains):
        for number in pair:
            draft.places[number].setdefault("terrain", "ocean")


def _join(draft: Draft, kind: str, chains: str) -> tuple[tuple[int, int], ...]:
    pairs = tuple(_pairs(chains))
    for here, there in pairs:
        draft.borders[here][kind].add(there)
        draft.borders[there][kind].add(here)
    return pairs


def _pairs(chains: str) -> Iterator[tuple[int, int]]:
    for chain in re.split(r"\s*,\s*", chains):
        if not re.fullmatch(r"[1-9]\d*(-[1-9]\d*)+", chain):
            raise BadLine(f"{chain!r} is no chain of section numbers like 1-2-3")
        numbers = [int(number) for number in chain.split("-")]
        yield from pairwise(numbers)


# --- sections ---------------------------------------------------------------------------------------------------------

SECTION_MARKS = Vocabulary()


@dataclass
class SectionDraft:
    """What is said of one section: on the map, and in play."""

    draft: Draft
    number: int

    def print(self, **changes: Any) -> None:
        """Change what the map shows."""
        self.draft.places[self.number].update(changes)

    def play(self, **changes: Any) -> None:
        """Change what play has made of it."""
        self.draft.sections[self.number].update(changes)


@POSITION.phrase("section {number:int} {marks}")
def section(draft: Draft, number: int, marks: str) -> None:
    """A section: terrain, site and marks in any order."""
    for mark in SECTION_MARKS.read_all(marks):
        mark(SectionDraft(draft, number))


def _enter_terrains_and_sites() -> None:
    for terrain in ("plains", "forest", "mountains", "marsh", "wasteland", "ocean"):
        SECTION_MARKS.phrase(terrain)(lambda section, terrain=terrain: section.print(terrain=terrain))
    for site in ("village", "keep", "stronghold", "citadel", "lair", "gold mine", "merchant city"):
        SECTION_MARKS.phrase(site)(lambda section, site=site: section.print(site=site))
    for flag in ("river", "snow", "port"):
        SECTION_MARKS.phrase(flag)(lambda section, flag=flag: section.print(**{flag: True}))


_enter_terrains_and_sites()


@SECTION_MARKS.phrase("controlled by {seat:seat}")
def controlled_by(section: SectionDraft, seat: str) -> None:
    """Who controls it."""
    section.play(controller=seat)
    section.draft.realms[seat]


@SECTION_MARKS.phrase("headquarters of {seat:seat}")
def headquarters_of(section: SectionDraft, seat: str) -> None:
    """A citadel, controlled by its realm unless the case says otherwise."""
    section.draft.places[section.number].setdefault("site", "citadel")
    section.draft.sections[section.number].setdefault("controller", seat)
    section.print(headquarters=True)
    section.draft.realms[seat]["headquarters"] = section.number


@SECTION_MARKS.phrase("uncontrolled")
def uncontrolled(section: SectionDraft) -> None:
    """Nobody controls it."""
    section.play(controller="")


@SECTION_MARKS.phrase("razed")
def razed(section: SectionDraft) -> None:
    """It bears a razed mark."""
    section.play(razed=True)


@SECTION_MARKS.phrase("fortified by {seat:seat} {name}")
def fortified_by(section: SectionDraft, seat: str, name: str) -> None:
    """A banner has fortified it."""
    section.play(fortified=banner_key(seat, name))


@SECTION_MARKS.phrase("buildings {names}")
def buildings(section: SectionDraft, names: str) -> None:
    """Buildings of its site, with commas: ``buildings tavern,barracks``."""
    section.play(buildings=tuple(names.split(",")))


@SECTION_MARKS.phrase("machines {names}")
def machines(section: SectionDraft, names: str) -> None:
    """War machines of its site, with commas."""
    section.play(machines=tuple(names.split(",")))


@SECTION_MARKS.phrase("mine ends {turn:int}")
def mine_ends(section: SectionDraft, turn: int) -> None:
    """The last turn in which its mine pays as one."""
    section.play(mine_ends=turn)


@SECTION_MARKS.phrase("tries {count:int} by {seat:seat}")
def tries(section: SectionDraft, count: int, seat: str) -> None:
    """A realm's tries at recovery in a row until now."""
    earlier: tuple[tuple[str, int], ...] = section.draft.sections[section.number].get("tries", ())
    section.play(tries=(*earlier, (seat, count)))


@SECTION_MARKS.phrase("taken in {turn:int}")
def taken(section: SectionDraft, turn: int) -> None:
    """When it last changed hands by battle."""
    section.play(taken=turn)


@SECTION_MARKS.phrase("at {x:int},{y:int}")
def centred(section: SectionDraft, x: int, y: int) -> None:
    """Where its centre is, y downward."""
    section.print(centre=(float(x), float(y)))


# --- realms and pacts -------------------------------------------------------------------------------------------------

REALM_MARKS = Vocabulary()


@POSITION.phrase("realm {seat:seat} {marks}")
def realm(draft: Draft, seat: str, marks: str) -> None:
    """A realm of which more is to be said than that it is there."""
    for mark in REALM_MARKS.read_all(marks):
        mark(draft.realms[seat])


@REALM_MARKS.phrase("treasury {pp:int}")
def treasury(realm: dict[str, Any], pp: int) -> None:
    """Production points it has."""
    realm["treasury"] = pp


@REALM_MARKS.phrase("army {name:quoted}")
@REALM_MARKS.phrase("army {name:word}")
def army(realm: dict[str, Any], name: str) -> None:
    """Its army list: ``dwarfs``, ``"high elves"``."""
    realm["army"] = name


@REALM_MARKS.phrase("named {name:quoted}")
def named(realm: dict[str, Any], name: str) -> None:
    """Its name; without one it goes by its letter."""
    realm["name"] = name


@REALM_MARKS.phrase("without headquarters")
def without_headquarters(realm: dict[str, Any]) -> None:
    """It had lost its headquarters when the turn began."""
    realm["homeless"] = True


@REALM_MARKS.phrase("withdrawn")
def withdrawn(realm: dict[str, Any]) -> None:
    """Its player has left."""
    realm["status"] = "withdrawn"


@POSITION.phrase("pact {kind:word} {one:seat} {other:seat}[ until {until:int}][ broken {broken:int}]")
def pact(draft: Draft, kind: str, one: str, other: str, until: int = 0, broken: int = 0) -> None:
    """An alliance, a truce or agreed passage."""
    if kind not in ("alliance", "truce", "passage"):
        raise BadLine(f"{kind!r} is no pact; there are alliance, truce and passage")
    draft.pacts.append(Pact(kind, frozenset({one, other}), until, broken))  # type: ignore[arg-type]  # seen above
    for seat in (one, other):
        draft.realms[seat]


# --- banners ----------------------------------------------------------------------------------------------------------

BANNER_MARKS = Vocabulary()
UNIT_MARKS = Vocabulary()


@POSITION.phrase("banner {seat:seat} {name} at {number:int}[ {marks}]")
def banner(draft: Draft, seat: str, name: str, number: int, marks: str = "") -> None:
    """A banner and where it stands."""
    draft.realms[seat]
    made = draft.banners[banner_key(seat, name)] = BannerDraft(number)
    for mark in BANNER_MARKS.read_all(marks):
        mark(made)


def banner_key(seat: str, name: str) -> str:
    """A banner among all banners, as the state names it."""
    return f"{seat} {name}".replace('"', "")


@BANNER_MARKS.phrase("points {points:int}")
def points(banner: BannerDraft, points: int) -> None:
    """What its units are worth in all."""
    banner.points = points


@BANNER_MARKS.phrase("M {rate:int}")
def movement_rate(banner: BannerDraft, rate: int) -> None:
    """The M of all its models."""
    banner.M = rate


@BANNER_MARKS.phrase("flies")
def flies(banner: BannerDraft) -> None:
    """All its models fly."""
    banner.tags |= {"fly"}


@BANNER_MARKS.phrase("scouts")
def scouts(banner: BannerDraft) -> None:
    """It is made of scouts only."""
    banner.tags |= {"scout"}
    banner.hero = False


@BANNER_MARKS.phrase("no hero")
def no_hero(banner: BannerDraft) -> None:
    """Nobody leads it."""
    banner.hero = False


@BANNER_MARKS.phrase("on a monster")
def on_a_monster(banner: BannerDraft) -> None:
    """Its hero rides a monster."""
    banner.hero_tags |= {"monstrous mount"}


@BANNER_MARKS.phrase("scattered")
def scattered(banner: BannerDraft) -> None:
    """It is scattered."""
    banner.marks["scattered"] = True


@BANNER_MARKS.phrase("drawn")
def drawn(banner: BannerDraft) -> None:
    """It drew a battle in the turn before."""
    banner.marks["drawn"] = True


@BANNER_MARKS.phrase("heroism[ at {points:int}]")
def heroism(banner: BannerDraft, points: int = 0) -> None:
    """It has won heroism, when it was worth so many points."""
    banner.marks["heroism"] = points or banner.points


@POSITION.phrase("unit {seat:seat} {banner} {unit:quoted} {marks}")
def unit(draft: Draft, seat: str, banner: str, unit: str, marks: str) -> None:
    """A unit of a banner; units that are named take the place of the usual ones."""
    key = banner_key(seat, banner)
    if key not in draft.banners:
        raise BadLine(f"no line above says where the banner {key} stands")
    made = draft.banners[key]
    changes: dict[str, Any] = {"models": 10, "points": 10, "category": "core", "tags": set(), "profile": {"M": made.M}}
    for mark in UNIT_MARKS.read_all(marks):
        mark(changes)
    profile = Profile(**(ORDINARY | changes.pop("profile")))
    tags = made.tags | changes.pop("tags")
    made.units.append(Unit(unit, unit.casefold(), profile=profile, tags=tags, **changes))


def _enter_unit_marks() -> None:
    for category in ("lord", "hero", "core", "special", "rare", "war machine"):
        UNIT_MARKS.phrase(category)(lambda unit, category=category: unit.update(category=category))
    for tag in ("cavalry", "monster", "monstrous mount", "caster", "fly", "scout", "random movement"):
        UNIT_MARKS.phrase(tag)(lambda unit, tag=tag: unit["tags"].add(tag))
    for name in ORDINARY:
        UNIT_MARKS.phrase(f"{name} {{value:int}}")(lambda unit, value, name=name: unit["profile"].update({name: value}))
    for upgrade in ("champion", "musician", "standard"):
        UNIT_MARKS.phrase(f"{upgrade} {{points:int}}")(
            lambda unit, points, upgrade=upgrade: unit.update({upgrade: points})
        )


_enter_unit_marks()


@UNIT_MARKS.phrase("models {models:int}")
def models(unit: dict[str, Any], models: int) -> None:
    """How many there are."""
    unit["models"] = models


@UNIT_MARKS.phrase("points {points:int}")
def points_each(unit: dict[str, Any], points: int) -> None:
    """What each of them is worth."""
    unit["points"] = points


@UNIT_MARKS.phrase("wounds {wounds:int}")
def wounds(unit: dict[str, Any], wounds: int) -> None:
    """Wounds lost by those who live."""
    unit["wounds"] = wounds


# --- the campaign -----------------------------------------------------------------------------------------------------


@POSITION.phrase("turn {number:int}")
def turn(draft: Draft, number: int) -> None:
    """The turn it is."""
    draft.turn = number


@POSITION.phrase("option {name:word} {value}")
def option(draft: Draft, name: str, value: str) -> None:
    """A switch of the campaign."""
    ordinary = vars(Options())
    if name not in ordinary:
        raise BadLine(f"there is no option {name!r}; there are {', '.join(ordinary)}")
    try:
        draft.options[name] = _option(type(ordinary[name]), value)
    except (KeyError, ValueError):
        raise BadLine(f"{value!r} is nothing for the option {name}") from None


def _option(kind: type, value: str) -> Any:
    return {"true": True, "false": False}[value] if kind is bool else kind(value)
