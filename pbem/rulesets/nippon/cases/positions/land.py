"""Positions of rule cases: the map and its sections."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from pbem.core.trials import BadLine, Vocabulary
from pbem.rulesets.nippon.cases.drafts import Draft, banner_key

LAND = Vocabulary()


@LAND.phrase("map {chains}")
def draw(draft: Draft, chains: str) -> None:
    """Chains of land borders, ``1-2-3, 2-4``; or the name of a map."""
    if chains[0].isdigit():
        _join(draft, "land", chains)
    else:
        draft.atlas = chains


@LAND.phrase("strait {chains}")
def straits(draft: Draft, chains: str) -> None:
    """Borders across a strait."""
    _join(draft, "strait", chains)


@LAND.phrase("coast {chains}")
def coasts(draft: Draft, chains: str) -> None:
    """Borders of land and ocean; of each pair the second is ocean."""
    for _, there in _join(draft, "coast", chains):
        draft.places[there].setdefault("terrain", "ocean")


@LAND.phrase("sea {chains}")
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


@LAND.phrase("section {number:int} {marks}")
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
    """Buildings of its site, with commas: ``buildings tavern,arcane_tower``."""
    section.play(buildings=tuple(names.replace("_", " ").split(",")))


@SECTION_MARKS.phrase("machines {names}")
def machines(section: SectionDraft, names: str) -> None:
    """War machines of its site, with commas."""
    section.play(machines=tuple(names.split(",")))


@SECTION_MARKS.phrase("mine ends {turn:int}")
def mine_ends(section: SectionDraft, turn: int) -> None:
    """The last turn in which its mine pays as one."""
    section.play(mine_ends=turn)


@SECTION_MARKS.phrase("stock {count:int} {item:quoted}")
def stock(section: SectionDraft, count: int, item: str) -> None:
    """A merchant city has this and what other such marks say, nothing else."""
    others: tuple[tuple[str, int], ...] = section.draft.sections[section.number].get("stock", ())
    section.play(stock=(*others, (item, count)))


@SECTION_MARKS.phrase("serves {peoples}")
def serves(section: SectionDraft, peoples: str) -> None:
    """A merchant city deals with these peoples only, with commas: ``serves dwarfs,skaven``."""
    section.print(serves=tuple(peoples.split(",")))


@SECTION_MARKS.phrase("mustered")
def mustered(section: SectionDraft) -> None:
    """Dice have said already what stands at this neutral site."""
    section.play(mustered=True)


@SECTION_MARKS.phrase("dragon found")
def dragon_found(section: SectionDraft) -> None:
    """Seika Ryuu is known to live there."""
    section.play(dragon="found")


@SECTION_MARKS.phrase("dragon slain")
def dragon_slain(section: SectionDraft) -> None:
    """Seika Ryuu lived there."""
    section.play(dragon="slain")


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
