"""Reads what a battle plan says of units (NIP 8.3): ``left Spears attack, Bows hold; flank right Knights``.

From left to right: a word for a place, then who stands there; signs between them may be missing.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, cycle, repeat

from pbem.battles import MOST_IN_LANE, Arrival, Lane, Order, Plan, Station
from pbem.core.grammar import Misread, Names, offered
from pbem.core.orders import nearest
from pbem.rulesets.nippon.cards.musters import kinds_and_names
from pbem.rulesets.nippon.cards.plan_words import (
    ARTICLE,
    BEHIND,
    CLAUSE,
    IN_NEED,
    IN_ROUND,
    LEAD,
    ORDER,
    PHRASE,
    PLACES,
    REST,
    RETREAT,
    SWITCH,
    TARGET,
    WHERE,
    WITH,
    WORDS,
    lane_in,
    order_in,
    policy,
)
from pbem.rulesets.nippon.state import Unit

EXAMPLE = "left Spears attack, Bows hold; centre Ogres; flank right Knights; Captain Oda with Spears; retreat 50"
"""What a plan looks like."""

CENTRE: Lane = "C"
WINGS: Sequence[Lane] = ("L", "R")
CROWD: Sequence[Lane] = [*repeat(CENTRE, MOST_IN_LANE)]
"""Where all stand of whom it is not said: as many in the centre as it has room for, the others on the wings."""

EVERYBODY = ""
"""In place of a unit: all of whom nothing else is said."""


@dataclass
class Place:
    """Where the reader is in a plan: those named next stand so."""

    lane: Lane = "C"
    arrives: Arrival = "start"
    round: int = 0
    order: Order | None = None
    """Said before the units, for all of them."""
    said: bool = False
    """It was said where; else only who is told what to do can be placed."""
    closed: bool = False
    """A reserve that has been told when to come."""
    after: bool = False
    """It was said behind those who stand there: ``Spears on the left``."""
    units: list[tuple[str, Order | None]] = field(default_factory=list)


@dataclass(frozen=True)
class Draft:
    """What a reader has found so far."""

    places: list[Place] = field(default_factory=list)
    heroes: list[tuple[str, str]] = field(default_factory=list)
    policies: dict[str, object] = field(default_factory=dict)

    @property
    def placed(self) -> set[str]:
        """Who has a place already."""
        return {unit for place in self.places for unit, _ in place.units}


class Reader:
    """Reads one plan of a banner with these units, or of several banners."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self._units = {unit.name: unit for unit in units}
        self._names: Names[str] = kinds_and_names(units)

    def read(self, told: str) -> Plan:
        """The plan; raises :class:`Misread`."""
        draft = Draft()
        for clause in CLAUSE.split(told.strip(" .!;|")):
            place: Place | None = None
            while text := LEAD.sub("", clause):
                place, clause = self._next(draft, place, text)
        if not (draft.places or draft.heroes or draft.policies):
            raise Misread(f"The plan is empty. Write it like this: {EXAMPLE}; or: none.")
        stations = tuple(self._stations(draft))
        _each_once(stations, draft.heroes)
        return Plan(stations, tuple(draft.heroes), **draft.policies)  # type: ignore[arg-type]  # by policy

    def continues(self, text: str) -> str:
        """How a line below a plan goes on with it: the sign that belongs between them; nothing: it does not."""
        if any(pattern.match(text) for pattern in (TARGET, RETREAT, SWITCH)):
            return "; "
        if unit := self._unit_at(text):
            return "; " if WITH.match(unit[1]) else ", "
        begun = next(filter(None, (pattern.match(text) for pattern, _ in PLACES)), None)
        rest = text[begun.end() :] if begun else ""
        order = ORDER.match(rest) or IN_ROUND.match(rest)
        rest = rest[order.end() :].lstrip(" :,") if order else rest
        return "; " if begun and (self._unit_at(rest) or REST.match(rest)) else ""

    # --- one thing after the other ---

    def _unit_at(self, text: str) -> tuple[str, str] | None:
        """The unit whose name a text begins with, and the rest of it."""
        return self._names.head(text) or self._names.head(ARTICLE.sub("", text))

    def _next(self, draft: Draft, place: Place | None, text: str) -> tuple[Place | None, str]:
        """One thing that a clause says, and what is left of it; the names of units go before all words."""
        if unit := self._unit_at(text):
            return self._unit(draft, place, *unit)
        if said := policy(text):
            name, draft.policies[name], rest = said
            return None, rest
        if everybody := REST.match(text):
            return self._everybody(draft, place, everybody, text[everybody.end() :].lstrip(" ,:"))
        reserve = place if place and place.arrives in ("broken", "round") and not place.closed else None
        if reserve and (when := IN_ROUND.match(text) or IN_NEED.match(text)):
            return _due(reserve, when), text[when.end() :]
        for pattern, arrives in PLACES:
            if begun := pattern.match(text):
                return _opened(draft, place, arrives, begun), text[begun.end() :]
        order = ORDER.match(text)
        if order and place and not place.units:
            place.order = order_in(order)
            return place, text[order.end() :]
        if order and not place:
            return self._placed(draft, place, EVERYBODY, text)
        raise self._unknown(text)

    def _unit(self, draft: Draft, place: Place | None, name: str, rest: str) -> tuple[Place | None, str]:
        """A unit; or a hero with one, or the other way round: then both stand there."""
        joined = WITH.match(rest)
        if not joined:
            return self._placed(draft, place, name, rest)
        other = self._unit_at(rest[joined.end() :])
        if not other:
            raise self._unknown(rest[joined.end() :])
        heroes = [each for each in (name, other[0]) if self._units[each].character]
        if len(heroes) != 1:
            flaw = "are both heroes" if heroes else "are no heroes"
            raise Misread(f"{name} and {other[0]} {flaw}. A hero fights with a unit: Captain Oda with Spears.")
        host = other[0] if heroes[0] == name else name
        draft.heroes.append((heroes[0], host))
        told = place is not None or ORDER.match(other[1])
        return self._placed(draft, place, host, other[1]) if told and host not in draft.placed else (place, other[1])

    def _everybody(self, draft: Draft, place: Place | None, said: re.Match[str], rest: str) -> tuple[Place | None, str]:
        """All who have no place yet; behind those of a place, all of these: ``left Spears, Bows, all hold``."""
        order = ORDER.match(rest)
        if place and place.said and place.units and order and not said["others"]:
            place.order = order_in(order)
            return place, rest[order.end() :]
        return self._placed(draft, place, EVERYBODY, rest)

    def _placed(self, draft: Draft, place: Place | None, name: str, rest: str) -> tuple[Place, str]:
        order = ORDER.match(rest)
        if place is None or place.after or place.closed:
            place = Place(said=True, arrives="broken") if place and place.closed else Place()
            draft.places.append(place)
        place.units.append((name, order_in(order) if order else None))
        return place, rest[order.end() :] if order else rest

    # --- what it comes to ---

    def _stations(self, draft: Draft) -> Iterator[Station]:
        named = draft.placed | {hero for hero, _ in draft.heroes}
        for place in draft.places:
            if not place.units:
                raise Misread(f"Who is to be {WHERE[place.arrives, place.lane]}? Name units: {self._known}.")
            for unit, order in place.units:
                if not (place.said or order):
                    known = "Say left, centre, right, flank left or right, or reserve before it."
                    raise Misread(f"Where is {unit or 'everybody'} to stand? {known}")
                others = [each for each in self._units if each not in named] if unit == EVERYBODY else []
                troops = [each for each in others if not self._units[each].character] or others
                lanes = repeat(place.lane) if place.said else chain(CROWD, cycle(WINGS))
                at = order or place.order, place.arrives, place.round
                yield from (Station(each, lane, *at) for each, lane in zip(troops or _named(unit), lanes, strict=False))

    @property
    def _known(self) -> str:
        return ", ".join(self._units) or "it has none"

    def _unknown(self, text: str) -> Misread:
        """Why the next words of a plan are neither a unit nor anything that a plan may say."""
        word = PHRASE.split(text)[0].strip() or text
        first = word.split()[0]
        units, words = self._names.near(word), nearest(first, WORDS)
        known = f" Its units: {self._known}. It may say {', '.join(WORDS)}."
        if words and self._unit_at(word[len(first) :].strip()):
            word, units = first, ()
        fix = (word, units[0]) if units else (first, words[0]) if words else None
        return Misread(f"{word!r} is no unit there, and no word of a plan.{offered(units or words) or known}", fix)


def _named(unit: str) -> Sequence[str]:
    return [unit] if unit != EVERYBODY else []


def _opened(draft: Draft, place: Place | None, arrives: Arrival, begun: re.Match[str]) -> Place:
    """A place for those who are named next; or for those just named, if they have none and it fits them."""
    lane = lane_in(begun)
    if arrives == "flank" and lane in (None, "C"):
        raise Misread("Round which flank? Say flank left, or flank right.", (begun[0].strip(" :"), "flank right"))
    where = lane or "C"
    lost = place is not None and not place.said and not all(order for _, order in place.units)
    if place and not place.said and (lost or BEHIND.match(begun[0])):
        place.lane, place.arrives, place.said, place.after = where, arrives, True, True
        return place
    draft.places.append(Place(where, arrives, said=True))
    return draft.places[-1]


def _due(place: Place, when: re.Match[str]) -> Place:
    """A reserve is told when to come; who is named after that is another."""
    number = when.groupdict().get("round")
    place.lane = lane_in(when) or "C"
    place.arrives, place.round = ("round", int(number)) if number else ("broken", 0)
    place.closed = bool(place.units)
    return place


def _each_once(stations: Iterable[Station], heroes: Iterable[tuple[str, str]]) -> None:
    """Nobody is in two places, and no unit has two heroes; else a :class:`Misread` is raised."""
    hosts: dict[str, str] = {}
    for hero, host in heroes:
        if hosts.setdefault(host, hero) != hero:
            raise Misread(f"{host} cannot have two heroes: {hosts[host]} and {hero}. The other may have a place alone.")
    where = [(hero, f"with {host}") for hero, host in heroes]
    where += [(each.unit, WHERE[each.arrives, each.lane]) for each in stations]
    seen: dict[str, str] = {}
    for unit, place in where:
        if seen.setdefault(unit, place) != place:
            raise Misread(f"{unit} cannot be in two places: {seen[unit]}, and {place}.")
    named = [unit for unit, _ in where]
    if twice := next((unit for unit in named if named.count(unit) > 1), ""):
        raise Misread(f"{twice} is named twice. Say once what is to be done.")
