"""Reads what a battle plan says of units (NIP 8.3): ``left Spears attack, Bows hold; flank right Knights``.

From left to right: a word for a place, then who stands there; signs between them may be missing.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, cycle, repeat
from typing import Any, Self

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


@dataclass(frozen=True)
class Place:
    """Where units stand, as far as that has been read."""

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
    units: tuple[tuple[str, Order | None], ...] = ()

    @property
    def waits(self) -> bool:
        """Whether it can still be said when it comes."""
        return self.arrives in ("broken", "round") and not self.closed


@dataclass(frozen=True)
class Draft:
    """What a reader has found so far."""

    places: tuple[Place, ...] = ()
    heroes: tuple[tuple[str, str], ...] = ()
    policies: tuple[tuple[str, Any], ...] = ()
    """Fields of the plan, and what they are."""
    goes_on: bool = False
    """The clause still speaks of the last place."""

    @property
    def place(self) -> Place | None:
        """Where the reader is: those named next stand so."""
        return self.places[-1] if self.goes_on else None

    @property
    def placed(self) -> set[str]:
        """Who has a place already."""
        return {unit for place in self.places for unit, _ in place.units}

    def opened(self, place: Place) -> Self:
        """The clause goes on with another place."""
        return replace(self, places=(*self.places, place), goes_on=True)

    def changed(self, place: Place) -> Self:
        """Something more was said of the last place."""
        return replace(self, places=(*self.places[:-1], place))


class Reader:
    """Reads one plan of a banner with these units, or of several banners."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self._units = {unit.name: unit for unit in units}
        self._names: Names[str] = kinds_and_names(units)

    def read(self, told: str) -> Plan:
        """The plan; raises :class:`Misread`."""
        draft = Draft()
        for clause in CLAUSE.split(told.strip(" .!;|")):
            draft = replace(draft, goes_on=False)
            while text := LEAD.sub("", clause):
                draft, clause = self._next(draft, text)
        if not (draft.places or draft.heroes or draft.policies):
            raise Misread(f"The plan is empty. Write it like this: {EXAMPLE}; or: none.")
        stations = tuple(self._stations(draft))
        _each_once(stations, draft.heroes)
        return Plan(stations, draft.heroes, **dict(draft.policies))

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

    def _next(self, draft: Draft, text: str) -> tuple[Draft, str]:
        """One thing that a clause says, and what is left of it; the names of units go before all words."""
        if unit := self._unit_at(text):
            return self._unit(draft, *unit)
        if said := policy(text):
            name, value, rest = said
            return replace(draft, policies=(*draft.policies, (name, value)), goes_on=False), rest
        if everybody := REST.match(text):
            return self._everybody(draft, everybody, text[everybody.end() :].lstrip(" ,:"))
        place = draft.place
        if place and place.waits and (when := IN_ROUND.match(text) or IN_NEED.match(text)):
            return draft.changed(_due(place, when)), text[when.end() :]
        for pattern, arrives in PLACES:
            if begun := pattern.match(text):
                return _standing(draft, arrives, begun), text[begun.end() :]
        order = ORDER.match(text)
        if order and place and not place.units:
            return draft.changed(replace(place, order=order_in(order))), text[order.end() :]
        if order and not place:
            return self._placed(draft, EVERYBODY, text)
        raise self._unknown(text)

    def _unit(self, draft: Draft, name: str, rest: str) -> tuple[Draft, str]:
        """A unit; or a hero with one, or the other way round: then both stand there."""
        joined = WITH.match(rest)
        if not joined:
            return self._placed(draft, name, rest)
        other = self._unit_at(rest[joined.end() :])
        if not other:
            raise self._unknown(rest[joined.end() :])
        heroes = [each for each in (name, other[0]) if self._units[each].character]
        if len(heroes) != 1:
            flaw = "are both heroes" if heroes else "are no heroes"
            raise Misread(f"{name} and {other[0]} {flaw}. A hero fights with a unit: Captain Oda with Spears.")
        host = other[0] if heroes[0] == name else name
        draft = replace(draft, heroes=(*draft.heroes, (heroes[0], host)))
        told = draft.place or ORDER.match(other[1])
        return self._placed(draft, host, other[1]) if told and host not in draft.placed else (draft, other[1])

    def _everybody(self, draft: Draft, said: re.Match[str], rest: str) -> tuple[Draft, str]:
        """All who have no place yet; behind those of a place, all of these: ``left Spears, Bows, all hold``."""
        place, order = draft.place, ORDER.match(rest)
        if place and place.said and place.units and order and not said["others"]:
            return draft.changed(replace(place, order=order_in(order))), rest[order.end() :]
        return self._placed(draft, EVERYBODY, rest)

    def _placed(self, draft: Draft, name: str, rest: str) -> tuple[Draft, str]:
        """Where the reader is; behind a place that has all its units, in another of its kind."""
        place, order = draft.place, ORDER.match(rest)
        unit = name, order_in(order) if order else None
        rest = rest[order.end() :] if order else rest
        if place and not (place.after or place.closed):
            return draft.changed(replace(place, units=(*place.units, unit))), rest
        reserve = place is not None and place.closed
        return draft.opened(Place(said=reserve, arrives="broken" if reserve else "start", units=(unit,))), rest

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


def _standing(draft: Draft, arrives: Arrival, begun: re.Match[str]) -> Draft:
    """A place for those who are named next; or for those just named, if they have none and it fits them."""
    lane = lane_in(begun)
    if arrives == "flank" and lane in (None, "C"):
        raise Misread("Round which flank? Say flank left, or flank right.", (begun[0].strip(" :"), "flank right"))
    place, where = draft.place, Place(lane or "C", arrives, said=True)
    if place and not place.said:
        lost = not all(order for _, order in place.units)
        if lost or BEHIND.match(begun[0]):
            return draft.changed(replace(where, round=place.round, order=place.order, units=place.units, after=True))
    return draft.opened(where)


def _due(place: Place, when: re.Match[str]) -> Place:
    """A reserve is told when to come; who is named after that is another."""
    number, lane, closed = when.groupdict().get("round"), lane_in(when) or "C", bool(place.units)
    if number:
        return replace(place, lane=lane, arrives="round", round=int(number), closed=closed)
    return replace(place, lane=lane, arrives="broken", round=0, closed=closed)


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
