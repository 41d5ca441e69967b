"""Positions of rule cases: banners and their units."""

from typing import Any

from pbem.core.trials import BadLine, Vocabulary
from pbem.rulesets.nippon.armies import DEFAULT, army
from pbem.rulesets.nippon.armies.lists import MONSTROUS
from pbem.rulesets.nippon.cases.drafts import ORDINARY, BannerDraft, Draft, banner_key
from pbem.rulesets.nippon.items import ITEMS
from pbem.rulesets.nippon.state import Profile, Steed, Unit, key_of

BANNERS = Vocabulary()

BANNER_MARKS = Vocabulary()
UNIT_MARKS = Vocabulary()


@BANNERS.phrase("banner {seat:seat} {name} at {number:int}[ {marks}]")
def banner(draft: Draft, seat: str, name: str, number: int, marks: str = "") -> None:
    """A banner and where it stands."""
    draft.realms[seat]
    made = draft.banners[banner_key(seat, name)] = BannerDraft(number)
    for mark in BANNER_MARKS.read_all(marks):
        mark(made)


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


@BANNER_MARKS.phrase("carries {item:quoted}")
def hero_carries(banner: BannerDraft, item: str) -> None:
    """Its hero carries this item; he is worth its price more."""
    banner.items.append(known_item(item))


def known_item(name: str) -> str:
    """The name of an item; raises ``BadLine`` if there is none."""
    if name not in ITEMS:
        raise BadLine(f"no item is called {name!r}")
    return name


@BANNER_MARKS.phrase("scattered")
def scattered(banner: BannerDraft) -> None:
    """It is scattered."""
    banner.marks["scattered"] = True


@BANNER_MARKS.phrase("drawn")
def drawn(banner: BannerDraft) -> None:
    """It drew a battle in the turn before."""
    banner.marks["drawn"] = True


@BANNER_MARKS.phrase("underground to {goal:int} until {turn:int}")
def underground(banner: BannerDraft, goal: int, turn: int) -> None:
    """It went underground where it is said to stand, and comes up there in that turn."""
    banner.tunnel = (turn, goal)


@BANNER_MARKS.phrase("heroism[ at {points:int}]")
def heroism(banner: BannerDraft, points: int = 0) -> None:
    """It has won heroism, when it was worth so many points."""
    banner.marks["heroism"] = points or banner.points


@BANNER_MARKS.phrase("aboard {seat:seat} {ship:quoted}")
def aboard(banner: BannerDraft, seat: str, ship: str) -> None:
    """A ship at sea carries it."""
    banner.marks["aboard"] = key_of(seat, ship)


@BANNERS.phrase("unit {seat:seat} {banner} {unit:quoted} {marks}")
def unit(draft: Draft, seat: str, banner: str, unit: str, marks: str) -> None:
    """A unit of a banner; units that are named take the place of the usual ones."""
    key = banner_key(seat, banner)
    if key not in draft.banners:
        raise BadLine(f"no line above says where the banner {key} stands")
    made = draft.banners[key]
    made.units.append(_unit(unit, marks, made.M, made.tags))


@BANNERS.phrase("quartered {seat:seat} at {number:int} {unit:quoted} {marks}")
def quartered(draft: Draft, seat: str, number: int, unit: str, marks: str) -> None:
    """A unit that a realm has in reserve at a site."""
    draft.realms[seat]
    said = draft.sections[number]
    said.update(quartered=seat, reserve=(*said.get("reserve", ()), _unit(unit, marks)))


def _unit(name: str, marks: str, rate: int = ORDINARY["M"], tags: frozenset[str] = frozenset()) -> Unit:
    """A unit as its marks say; M and tags are also its banner's."""
    changes: dict[str, Any] = {"models": 10, "points": 10, "category": "core", "tags": set(), "profile": {"M": rate}}
    for mark in UNIT_MARKS.read_all(marks):
        mark(changes)
    profile, tags = Profile(**(ORDINARY | changes.pop("profile"))), tags | changes.pop("tags")
    return Unit(name, changes.pop("type", name.casefold()), profile=profile, tags=tags, **changes)


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


@UNIT_MARKS.phrase("battle standard of his {which:word}")
def battle_standard(unit: dict[str, Any], which: str) -> None:
    """The character bears the battle standard of the ``army`` or of the ``banner``."""
    if which not in ("army", "banner"):
        raise BadLine(f"{which!r} has no battle standard; army and banner have")
    unit["battle_standard"] = which


@UNIT_MARKS.phrase("lost the standard of {which:word}")
def bereft(unit: dict[str, Any], which: str) -> None:
    """It has lost its standard in battle: that of a ``unit``, or the battle standard of the ``army`` or ``banner``."""
    if which not in ("unit", "army", "banner"):
        raise BadLine(f"{which!r} has no standard; unit, army and banner have")
    unit["bereft"] = which


@UNIT_MARKS.phrase("models {models:int}")
def models(unit: dict[str, Any], models: int) -> None:
    """How many there are."""
    unit["models"] = models


@UNIT_MARKS.phrase("points {points:int}")
def points_each(unit: dict[str, Any], points: int) -> None:
    """What each of them is worth."""
    unit["points"] = points


@UNIT_MARKS.phrase("carries {item:quoted}")
def unit_carries(unit: dict[str, Any], item: str) -> None:
    """It carries this item, among its points."""
    unit["items"] = (*unit.get("items", ()), known_item(item))


@UNIT_MARKS.phrase("type {type:quoted}")
def of_type(unit: dict[str, Any], type: str) -> None:
    """Its type in the army list."""
    unit["type"] = type


@UNIT_MARKS.phrase("rides {mount:quoted}")
def rides(unit: dict[str, Any], mount: str) -> None:
    """What it rides, of the free peoples' mounts; its points count that already."""
    ridden = army(DEFAULT).mounts.get(mount)
    if ridden is None:
        raise BadLine(f"the free peoples ride no {mount!r}")
    unit.update(mount=mount, steed=Steed(ridden.profile) if MONSTROUS in ridden.tags else None)
    unit["profile"]["M"] = ridden.profile.M
    unit["tags"] |= ridden.tags


@UNIT_MARKS.phrase("wounds {wounds:int}")
def wounds(unit: dict[str, Any], wounds: int) -> None:
    """Wounds lost by those who live."""
    unit["wounds"] = wounds


@UNIT_MARKS.phrase("items {items:quoted}")
def items(unit: dict[str, Any], items: str) -> None:
    """What magic items it bears, with commas between them."""
    unit["items"] = tuple(item.strip() for item in items.split(","))
