"""Lines that tell how a battle ended (NIP 8.5): one line, or one for each unit, as the order form has them."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import Any

from pbem.core import grammar
from pbem.core.grammar import Misread, Names, bare, first_word, offered
from pbem.core.orders import Line, plain
from pbem.rulesets.nippon.agenda import tables
from pbem.rulesets.nippon.cards.bargains import meeting
from pbem.rulesets.nippon.cards.names import realm_names
from pbem.rulesets.nippon.cards.outcomes import read_outcome
from pbem.rulesets.nippon.orders import ReportResult, UnitLoss
from pbem.rulesets.nippon.results import combatants, corps_of
from pbem.rulesets.nippon.state import GARRISON, LAIR, Loss, Meeting, Unit, seat_of
from pbem.rulesets.nippon.tabletop import voice
from pbem.rulesets.nippon.view import View

# --- lines that belong together -------------------------------------------------------------------------------

BEGUN = re.compile(r"result\b", re.IGNORECASE)
LONGEST = 200
"""Characters of the longest line that can tell of a unit."""

LONGEST_RESULT = 8000
"""Characters of the longest result with all its units."""


def begins(text: str) -> bool:
    """Whether a line is the result of a battle, or the first line of one."""
    return bool(BEGUN.match(text))


def folded(view: View, lines: Iterable[Line]) -> Iterator[Line]:
    """The lines of a card, those of each result joined to one: ``result 14: draw``, then a line for each unit."""
    battles = [(meeting, _units(view, meeting)) for meeting in tables(view)]
    return grammar.folded(
        lines,
        begins=lambda text: bool(battles) and begins(text),
        goes_on=lambda text: any(_tells_of(view, text, *battle) for battle in battles),
        join=_joined,
    )


def _tells_of(view: View, text: str, where: Meeting, units: Names[tuple[str, str]]) -> bool:
    """Whether a line tells of a unit in a battle, or of a building there, maybe with a slip in the name."""
    first = text.partition(";")[0].partition(",")[0].strip(" .")
    found = LOSS.fullmatch(first) if len(text) <= LONGEST else None
    if not found:
        return False
    name = found["unit"]
    return units.find(name) is not None or bool(units.near(name) or _structures(view, where.at)(first))


def _joined(card: Sequence[Line]) -> Line:
    parts = (bare(line.text).strip(" ;,.") for line in card)
    return card[0] if len(card) == 1 else replace(card[0], text="; ".join(filter(None, parts)))


# --- one result -----------------------------------------------------------------------------------------------

LOSS = re.compile(
    r"(?P<unit>.+?)[\s:=]+(?:(?P<models>\d{1,4})(?:\s+(?:models?|left|alive))*(?P<fled>\s+fled)?|dead|slain|destroyed)",
    re.IGNORECASE,
)
ALL = -1
"""Fled, and with them all who were left."""

DETAILS: Mapping[str, str] = {
    "lost standard": "standard_lost",
    "standard lost": "standard_lost",
    "champion dead": "champion_dead",
    "lost champion": "champion_dead",
    "musician dead": "musician_dead",
    "lost musician": "musician_dead",
    "mount dead": "mount_dead",
    "mount lost": "mount_dead",
    "mount slain": "mount_dead",
    "in challenge": "in_challenge",
    "in a challenge": "in_challenge",
}
"""What may be said of a unit beyond its models."""


def result(view: View, at: int, told: str) -> ReportResult:
    """``result 14: Crane Host massacre; Iron Wall 12, 3 fled, lost standard``; raises :class:`Misread`."""
    return told_result(view, meeting(view, at), told)


def told_result(view: View, where: Meeting, told: str) -> ReportResult:
    """What stands behind the colon, of the battle that a meeting waits for; raises :class:`Misread`."""
    at = where.at
    outcome, *losses = (part.strip() for part in told.split(";"))
    units, burnt = _units(view, where), [*map(_structures(view, at), losses)]
    lost = tuple(
        _loss(units, realm_names(view), part) for part, names in zip(losses, burnt, strict=True) if part and not names
    )
    destroyed = tuple(name for names in burnt for name in names)
    winner, degree = read_outcome(view, where, outcome)
    return ReportResult(at, winner, view.realm(winner) if winner else "", degree, lost, destroyed)


DESTROYED = re.compile(r"(?:the\s+)?(?:(?P<many>\d)\s+)?(?P<what>\S.{0,40}?)\s+destroyed\.?", re.IGNORECASE)
"""``tavern destroyed``, ``2 mortars destroyed``."""


def _structures(view: View, at: int) -> Callable[[str], tuple[str, ...]]:
    """What reads which structures of the site a part of a result says to be destroyed; none, if it speaks of a unit."""
    section = view.position.sections[at]
    names = Names((word, name) for name in (*section.buildings, *section.machines) for word in (name, f"{name}s"))

    def read(part: str) -> tuple[str, ...]:
        found = DESTROYED.fullmatch(part)
        name = names.find(found["what"]) if found else None
        return (name,) * int(found["many"] or 1) if found and name else ()

    return read


def _units(view: View, where: Meeting) -> Names[tuple[str, str]]:
    """The units in a battle by name, and by realm and name; what is found is whose they are, and the unit."""
    met = [(key, unit.name) for key, unit in combatants(view.position, where)]
    names = [name for _, name in met]
    lone = [(name, (key, name)) for key, name in met if names.count(name) == 1]
    full = [(f"{seat_of(key)} {name}", (key, name)) for key, name in met]
    whose = [(f"{view.realm(seat_of(key))}'s {name}", (key, name)) for key, name in met if key not in NAMELESS]
    return Names([*lone, *full, *whose])


def _loss(units: Names[tuple[str, str]], realms: Names[str], text: str) -> UnitLoss:
    head, *details = (part.strip() for part in text.split(","))
    found = LOSS.fullmatch(head) if len(head) <= LONGEST else None
    if not found:
        raise Misread(f"{head!r} is not a unit with the number of its models left: Iron Wall 12.")
    banner, unit = _unit(units, realms, found["unit"])
    told = [*_details(details), *([("fled", ALL)] if found["fled"] else [])]
    said, models = dict(told), int(found["models"] or 0)
    if len(said) < len(set(told)):
        raise Misread(
            f"{text!r} says two things that cannot both be: say once how many fled, and what wounds are lacking."
        )
    if said.get("fled") == ALL:
        said |= {"fled": models}
        models = 0
    return UnitLoss(banner, Loss(unit, models, **said))


NAMELESS = (GARRISON, LAIR)
"""Keys of units that are no realm's."""


def _unit(units: Names[tuple[str, str]], realms: Names[str], name: str) -> tuple[str, str]:
    found = units.find(name)
    if found is not None:
        return found
    owners = _owners(realms, name)
    there = Names((full, of) for full, of in units.all if not owners or seat_of(of[0]) in owners)
    near = [full for full, _ in there.all if full.endswith(f" {name}")] or there.near(name)
    candidates = list({units.find(full): full for full in reversed(near)}.values())[::-1]
    fix = (name, candidates[0]) if candidates else None
    told = offered(candidates[:2]) if there.all else f" {owners[min(owners)]} does not fight in it."
    raise Misread(f"No unit in this battle is called just {name!r}.{told}", fix)


def _owners(realms: Names[str], name: str) -> Mapping[str, str]:
    """The realms, by seat with their names, whose units the first word of a name may mean: it is a letter, or a word
    of its realm's name. No other realm's units are offered in their place."""
    first = plain(first_word(re.sub(r"^the\s+", "", name, flags=re.IGNORECASE)))
    called = {seat: full for full, seat in reversed(realms.all)}
    meant = {seat for full, seat in realms.all if {first, first.removesuffix("s")} & {*plain(full).split()}}
    return {seat: called[seat] for seat in meant}


def _details(details: list[str]) -> Iterator[tuple[str, Any]]:
    for detail in filter(None, details):
        word = " ".join(detail.rstrip(".").lower().split())
        mount = re.fullmatch(r"mount (\d{1,2}) wounds?(?: lost)?", word)
        number = re.fullmatch(r"(\d{1,4}) (fled|wounds?)(?: lost)?|(fled|wounds?) (\d{1,4})", word)
        if word == "fled":
            yield "fled", ALL
        elif mount:
            yield "mount_wounds", int(mount[1])
        elif number:
            thing, count = number[2] or number[3], number[1] or number[4]
            yield ("fled" if thing == "fled" else "wounds"), int(count)
        elif word in DETAILS:
            yield DETAILS[word], True
        else:
            said = "3 fled, 2 wounds, lost standard, champion dead, musician dead, mount dead, in challenge"
            raise Misread(f"{detail!r} says nothing I know of a unit. I know: {said}.", (detail, ""))


# --- the form -------------------------------------------------------------------------------------------------


def result_form(view: View, where: Meeting) -> Iterator[str]:
    """The result of a battle to fill in: who won, then each unit with all its models, or what was reported of it."""
    reported = where.next.result
    seat = voice(view.position, where.at, view.seat or "")
    winner = reported.winner if reported else seat
    degree = reported.degree if reported else "victory"
    yield f"result {where.at}: {f'{view.realm(winner)} {degree}' if winner else 'draw'}"
    told = {(key, loss.unit): loss for key, losses in (reported.losses if reported else ()) for loss in losses}
    units = _units(view, where)
    there = (each for each in combatants(view.position, where) if each[1].standing)
    for key, corps in groupby(sorted(there, key=lambda each: seat_of(each[0]) != seat), key=itemgetter(0)):
        yield f"# {_whose(view, key)}:"
        for _, unit in corps:
            loss = told.get((corps_of(view.position, key), unit.name), Loss(unit.name, unit.standing))
            name = unit.name if units.find(unit.name) == (key, unit.name) else _full_name(view, key, unit)
            yield UnitLoss(key, replace(loss.within(unit, known=seat_of(key) == seat), unit=name)).told
    yield from (f"{name} destroyed" for name in (reported.destroyed if reported else ()))


def _whose(view: View, key: str) -> str:
    """The heading over units, which stays a comment when they are sent."""
    if key in (*NAMELESS, *view.position.realms):
        return "the reserve" if key in view.position.realms else f"the {key}"
    return f"your {view.banner(key)}" if seat_of(key) == view.seat else view.banner(key)


def _full_name(view: View, key: str, unit: Unit) -> str:
    whose = key if key in NAMELESS else f"{view.realm(seat_of(key))}'s"
    return f"{whose} {unit.name}"


def details(units: Iterable[Unit]) -> Iterator[str]:
    """What can be said of these units beyond their models."""
    there = [*units]
    yield "3 fled"
    if any(unit.profile.W > 1 for unit in there):
        yield "2 wounds"
    yield from ("lost standard", "champion dead", "musician dead")
    if any("monstrous mount" in unit.tags for unit in there):
        yield "mount dead"
    yield "in challenge"
