"""Lines about battle plans (NIP 8.3): ``plan Red Dragons: left Spears attack, Bows hold; flank right Knights``.

A plan is read from left to right: a word for a place, then who stands there; signs between them may be missing.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, cycle, repeat

from pbem.battles import MOST_IN_LANE, Arrival, Lane, Order, Plan, Policy, Station
from pbem.core import grammar
from pbem.core.grammar import Misread, Names, bare, offered
from pbem.core.orders import Line, nearest
from pbem.core.wording import listed
from pbem.rulesets.nippon.cards import unsaid
from pbem.rulesets.nippon.cards.musters import kinds_and_names
from pbem.rulesets.nippon.cards.names import banner_names, own_banners, section
from pbem.rulesets.nippon.orders import SetPlan
from pbem.rulesets.nippon.state import Banner, Unit, name_of
from pbem.rulesets.nippon.view import View

EXAMPLE = "left Spears attack, Bows hold; centre Ogres; flank right Knights; Captain Oda with Spears; retreat 50"
"""What a plan looks like."""

# --- the line -----------------------------------------------------------------------------------------------------

LINE = re.compile(
    r"(?:(?:battle|secret|my|the)\s+)*plans?(?!\w)\s*(?:for\s+|of\s+)?(?P<whose>[^:=]*?)\s*[:=]\s*(?P<told>.*)",
    re.IGNORECASE,
)
HEAD = re.compile(r"(?:(?:battle|secret|my|the)\s+)*plans?(?!\w)\s*(?:for\s+|of\s+)?", re.IGNORECASE)
NUMBER = re.compile(r"(?:battle\s+)?(?:in\s+|at\s+)?b?\s*#?(\d{1,5})", re.IGNORECASE)
"""``14``, ``B14``: all own banners there."""

NONE = re.compile(r"(?:none|no(?: plan)?|nothing|default|as usual|usual|cancel|-+)[\s.!]*", re.IGNORECASE)


def is_plan(text: str, own: Names[str]) -> bool:
    """Whether a line is about a battle plan; ``own`` are the banners of its writer."""
    return bool(HEAD.match(_banner_last(bare(text), own)))


def _banner_last(text: str, own: Names[str]) -> str:
    """``Red Dragons: plan left Spears`` as ``plan Red Dragons: left Spears``; any other line as it is."""
    found = own.head(text) or own.head(ARTICLE.sub("", text))
    begun = HEAD.match(found[1]) if found else None
    return f"plan {name_of(found[0])}: {found[1][begun.end() :].lstrip(' :')}" if found and begun else text


def plans(view: View, text: str) -> tuple[SetPlan, ...] | None:
    """The plans that a line sets, one for each banner; ``None`` if it is about nothing of the kind.

    Raises :class:`Misread`.
    """
    own = banner_names(own_banners(view))
    text = _banner_last(text, own)
    begun = HEAD.match(text)
    found = LINE.fullmatch(text)
    if not begun:
        return None
    if found:
        whose, told = found["whose"], found["told"]
    else:
        rest = text[begun.end() :]
        named, number = own.head(rest), NUMBER.match(rest)
        if not named and not number:
            return None  # "Plan to meet on Saturday."
        told = rest[number.end() :] if number else named[1] if named else ""
        whose = rest.removesuffix(told)
    return tuple(_shared_out(_whose(view, whose.strip(" ,;-"), told), told.strip()))


def _whose(view: View, name: str, told: str) -> Sequence[Banner]:
    """The banners that are meant: one by its name, or all in a section; without a name the only one there is."""
    own = own_banners(view)
    if not name:
        if len(own) == 1:
            return own
        known = listed(banner.name for banner in own)
        if met := unsaid.own_there(view, lambda at: f"plan B{at}: {told}"):
            return met
        raise Misread(f"Whose plan? You have {known}.", instead=f"plan {own[0].name}: {told}" if own else "")
    key = banner_names(own).find(name) or banner_names(own).find(ARTICLE.sub("", name))
    if key:
        return [banner for banner in own if banner.key == key]
    number = NUMBER.fullmatch(name)
    if number:
        at = section(view, number[1])
        there = [banner for banner in own if banner.at == at]
        if there:
            return there
        raise Misread(f"You have no banner in {view.place(at)}.")
    near = banner_names(own).near(name)
    told = offered(near) or f" You have {listed((banner.name for banner in own), 'no banner')}."
    raise Misread(f"No banner of yours is called {name!r}.{told}", (name, near[0]) if near else None)


def _shared_out(banners: Sequence[Banner], told: str) -> Iterator[SetPlan]:
    """One plan for each banner, of what is said about its units; what a side does as one is said to each."""
    if NONE.fullmatch(told):
        yield from (SetPlan(banner.name) for banner in banners)
        return
    whole = Reader([unit for banner in banners for unit in banner.units]).read(told)
    for banner in banners:
        names = {unit.name for unit in banner.units}
        stations = tuple(each for each in whole.stations if each.unit in names)
        heroes = tuple(pair for pair in whole.heroes if names.issuperset(pair))
        yield SetPlan(banner.name, Plan(stations, heroes, whole.target, whole.pursue, whole.sally, whole.retreat))


# --- words of a plan ----------------------------------------------------------------------------------------------

LANES: dict[str, Lane] = {
    "left": "L", "l": "L", "lhs": "L", "right": "R", "r": "R", "rhs": "R", "centre": "C", "center": "C", "c": "C",
    "central": "C", "middle": "C", "mid": "C",
}  # fmt: skip
LANE = rf"(?:{'|'.join(LANES)})(?!\w)"
PLACE = re.compile(
    rf"(?:on|in|at|to|lane|the|\s)*(?P<lane>{LANE})(?:\s+(?:lane|wing|flank|side|hand))*[\s:=,-]*", re.IGNORECASE
)
"""Where units stand: ``left``, ``on the left wing:``, ``lane C:``."""

ROUND = re.compile(
    rf"(?:flank(?:ing|ers?)?|outflank(?:ing)?)(?:\s+|lane|on|round|around|to|at|from|the)*[\s:]*(?P<lane>{LANE})?[\s:=,-]*",
    re.IGNORECASE,
)
"""Who goes round: ``flank right``."""

KEPT = re.compile(r"(?:(?:in|as|keep|the)\s+)*reserves?(?!\w)[\s:=,-]*", re.IGNORECASE)
IN_ROUND = re.compile(
    rf"(?:(?:in|from|on|at|until)\s+)?(?:round|rd|turn|r)\s*(?P<round>\d{{1,2}})"
    rf"[\s,]*(?:(?:on|in|at|to|lane|the|\s)*(?P<lane>{LANE}))?",
    re.IGNORECASE,
)
IN_NEED = re.compile(
    rf"(?:when|if|once|until|after)\s+(?:broken\s*\(?\s*)?(?:the\s+)?(?:lane\s+)?(?P<lane>{LANE})(?:\s*\))?"
    r"(?:\s+(?:wing|flank|side|lane))?(?:\s+(?:is|gets|has|breaks?|broken|broke|flees?|fails?|falls?|loses?|lost))*",
    re.IGNORECASE,
)
"""When a reserve comes: in a round, or when an own unit of a lane is gone."""

BEHIND = re.compile(r"(?:on|in|at|to|as|round|around)(?!\w)", re.IGNORECASE)
"""How a place begins that is said of those before it."""

WITH = re.compile(r"(?:(?:is|goes|fights|stands)\s+)?(?:with|joins?|leads?|led by)(?!\w)[\s:,]*", re.IGNORECASE)
ORDER = re.compile(
    r"(?:to\s+|both\s+|will\s+)?(?P<order>attack|charge|advance|go|hold|holds|stand|stay|defend|shoot)"
    r"(?:s|es|ing|ed)?(?!\w)[\s,;.]*",
    re.IGNORECASE,
)
ATTACKS = ("attack", "charge", "advance", "go")
TARGETS: dict[str, Policy] = {
    "strong": "STRONGEST", "weak": "WEAKEST", "missile": "MISSILES", "shoot": "MISSILES", "archer": "MISSILES",
    "hero": "HEROES", "character": "HEROES", "general": "HEROES",
}  # fmt: skip
TARGET = re.compile(
    r"targets?[\s:=]+(?:the\s+|their\s+|on\s+)*(?P<whom>[^\W\d_]+)(?:\s+(?:units?|first))*", re.IGNORECASE
)
SWITCH = re.compile(
    r"(?P<before>no|do not|don'?t|never)?\s*(?P<what>pursuit|pursue|sally|sallies)"
    r"[\s:=]*(?P<after>yes|no|on|off|never|always)?(?!\w)",
    re.IGNORECASE,
)
RETREAT = re.compile(
    r"(?:retreat|withdraw)(?:\s+(?:at|when|after|above|from|losing|lost|to))*[\s:=]*"
    r"(?:(?P<never>never|no|none)(?!\w)"
    r"|(?P<percent>\d{1,9})\s*(?:%|percent|per cent)?(?:\s+(?:lost|losses|of (?:the )?points))*)",
    re.IGNORECASE,
)
REST = re.compile(
    r"(?:all\s+)?(?:the\s+)?(?:(?P<others>rest|others?|remaining)|all|both|everybody|everyone|everything)"
    r"(?:\s+(?:the\s+)?(?:units?|others?))?(?!\w)",
    re.IGNORECASE,
)
ARTICLE = re.compile(r"^(?:(?:the|my|our|banner|units?|hero(?:es)?)\s+)+", re.IGNORECASE)
LEAD = re.compile(r"^(?:[\s,:&+./|-]|and(?!\w)|then(?!\w))+", re.IGNORECASE)
"""What may stand between two units."""

WORDS = (
    "left", "centre", "right", "flank", "reserve", "target", "pursue", "sally", "retreat", "attack", "hold", "with",
)  # fmt: skip
"""What a plan may say beside names."""

CLAUSE = re.compile(r"\s*[;|]\s*|(?<=\w{3})\.\s+")
PHRASE = re.compile(r"\s*[,;:&+]\s*|\s+and\s+|\s+(?=(?:attack|hold|with|round|when)s?(?!\w))", re.IGNORECASE)
"""What parts a plan, and what parts what is not understood in it."""

PLACES: Sequence[tuple[re.Pattern[str], Arrival]] = ((ROUND, "flank"), (KEPT, "broken"), (PLACE, "start"))
CENTRE: Lane = "C"
WINGS: Sequence[Lane] = ("L", "R")
CROWD: Sequence[Lane] = [*repeat(CENTRE, MOST_IN_LANE)]
"""Where all stand of whom it is not said: as many in the centre as it has room for, the others on the wings."""
WHERE: dict[tuple[Arrival, Lane], str] = {
    ("start", "L"): "on the left",
    ("start", "C"): "in the centre",
    ("start", "R"): "on the right",
    ("flank", "L"): "round the left flank",
    ("flank", "R"): "round the right flank",
    **{(arrives, lane): "in reserve" for arrives in ("round", "broken") for lane in ("L", "C", "R")},
}
"""Places in words."""

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
        return Plan(stations, tuple(draft.heroes), **draft.policies)  # type: ignore[arg-type]  # by _policy

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
        if (rest := self._policy(draft, text)) is not None:
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
            place.order = _order(order)
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
            place.order = _order(order)
            return place, rest[order.end() :]
        return self._placed(draft, place, EVERYBODY, rest)

    def _placed(self, draft: Draft, place: Place | None, name: str, rest: str) -> tuple[Place, str]:
        order = ORDER.match(rest)
        if place is None or place.after or place.closed:
            place = Place(said=True, arrives="broken") if place and place.closed else Place()
            draft.places.append(place)
        place.units.append((name, _order(order) if order else None))
        return place, rest[order.end() :] if order else rest

    def _policy(self, draft: Draft, text: str) -> str | None:
        """What the side does as one; what is left of the text, if that is what it begins with."""
        found = TARGET.match(text) or RETREAT.match(text) or SWITCH.match(text)
        if found is None:
            return None
        match found.re:
            case re_ if re_ is TARGET:
                draft.policies["target"] = _target(found["whom"])
            case re_ if re_ is RETREAT:
                draft.policies["retreat"] = _percent(found)
            case _:
                off = bool(found["before"]) or (found["after"] or "").lower() in ("no", "off", "never")
                draft.policies["pursue" if found["what"].lower().startswith("pursu") else "sally"] = not off
        return text[found.end() :]

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
    lane = begun.groupdict().get("lane")
    if arrives == "flank" and (not lane or LANES[lane.lower()] == "C"):
        raise Misread("Round which flank? Say flank left, or flank right.", (begun[0].strip(" :"), "flank right"))
    where = LANES[lane.lower()] if lane else "C"
    lost = place is not None and not place.said and not all(order for _, order in place.units)
    if place and not place.said and (lost or BEHIND.match(begun[0])):
        place.lane, place.arrives, place.said, place.after = where, arrives, True, True
        return place
    draft.places.append(Place(where, arrives, said=True))
    return draft.places[-1]


def _due(place: Place, when: re.Match[str]) -> Place:
    """A reserve is told when to come; who is named after that is another."""
    number = when.groupdict().get("round")
    place.lane = LANES[when["lane"].lower()] if when["lane"] else "C"
    place.arrives, place.round = ("round", int(number)) if number else ("broken", 0)
    place.closed = bool(place.units)
    return place


def _order(found: re.Match[str]) -> Order:
    return "ATTACK" if found["order"].lower() in ATTACKS else "HOLD"


def _target(whom: str) -> Policy:
    """Whom to strike first; raises :class:`Misread`."""
    found = next((policy for word, policy in TARGETS.items() if whom.lower().startswith(word)), None)
    if found is None:
        raise Misread(f"{whom!r} is no target. Say strongest, weakest, missiles or heroes.", (whom, "strongest"))
    return found


def _percent(found: re.Match[str]) -> int:
    """Percent of the points; raises :class:`Misread`."""
    percent = 100 if found["never"] else int(found["percent"])
    if percent > 100:
        raise Misread(f"Retreat is a number of percent, 0 to 100, not {percent}.", (found["percent"], "65"))
    return percent


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


# --- a plan over several lines ------------------------------------------------------------------------------------


def folded(view: View, lines: Sequence[Line]) -> Iterator[Line]:
    """The lines of a card, those that go on with a plan joined to the line that begins it."""
    own = banner_names(own_banners(view))
    if not any(is_plan(line.text, own) for line in lines):
        yield from lines
        return
    reader = Reader([unit for banner in own_banners(view) for unit in banner.units])
    yield from grammar.folded(
        lines,
        begins=lambda text: is_plan(text, own),
        goes_on=lambda text: own.head(text) is None and bool(reader.continues(text)),
        join=lambda parts: _joined(own, reader, parts),
    )


def _joined(own: Names[str], reader: Reader, parts: Sequence[Line]) -> Line:
    """A plan on one line; alone as it was typed."""
    told = parts[0].text
    for part in parts[1:]:
        after = bare(part.text)
        told = _seamed(own, bare(told), reader.continues(after), after)
    return replace(parts[0], text=told)


def _seamed(own: Names[str], before: str, seam: str, after: str) -> str:
    """Two lines as one; a clause that a mail program broke up goes on."""
    if not after:
        return before
    if own.find(ARTICLE.sub("", HEAD.sub("", before))):
        return f"{before}: {after}"
    ended = before.endswith((";", ":"))
    return f"{before} {after}" if ended else f"{before.rstrip(' ,')}{seam}{after}"
