"""Lines about meetings: offers, answers, broken pacts, results of battles (NIP 8.2, 8.5)."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pbem.core.grammar import Grammar, Misread, Names, Verb, offered
from pbem.core.wording import listed
from pbem.rulesets.nippon.battles import combatants
from pbem.rulesets.nippon.cards.bargains import foes, no_meeting, open_meetings, open_terms, terms_to_answer
from pbem.rulesets.nippon.cards.goods import item
from pbem.rulesets.nippon.cards.names import gazetteer, realm, realm_names, section, sections
from pbem.rulesets.nippon.orders import Answer, AskAutomatic, BreakPact, JudgeResult, Offer, ReportResult, UnitLoss
from pbem.rulesets.nippon.state import GARRISON, Meeting, seat_of
from pbem.rulesets.nippon.view import View

QUOTED = re.compile(r'"([^"]*)"')
"""Free words."""


def meeting(view: View, at: int) -> Meeting:
    """The reader's open meeting in a section; raises :class:`Misread`."""
    opened = open_meetings(view)
    found = next((each for each in opened if each.at == at), None)
    if found is None:
        refused = no_meeting(view, at)
        fix = (str(at), str(opened[0].at)) if len(opened) == 1 else None
        raise Misread(f"{refused.reason} (NIP {refused.rule})", fix)
    return found


# --- offers ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Table:
    """Who sits at a parley: the reader, and those he speaks to."""

    view: View
    at: int
    partners: tuple[str, ...]


Term = tuple[str, Any]
"""One part of an offer: the field of :class:`Offer` and its value."""


def _partner(table: Table, name: str | None, example: str) -> str:
    """Who is meant: the realm named, or the only one there."""
    if name is not None:
        seat = realm(table.view, name)
        if seat not in table.partners:
            raise Misread(f"{table.view.realm(seat)} is not at the meeting in {table.view.place(table.at)}.")
        return seat
    if not table.partners:
        raise Misread(f"In {table.view.place(table.at)} there is nobody left to come to terms with.")
    if len(table.partners) > 1:
        known = " or ".join(table.view.realm(seat) for seat in table.partners)
        raise Misread(f"Several realms are there. Say which: {known}.", (example, f"{example} {table.partners[0]}"))
    return table.partners[0]


Good = int | str
"""Production points, or a magic item by name."""


def _give(table: Table, good: Good, realm: str | None = None) -> Term:
    return "gives" if isinstance(good, int) else "items", (_partner(table, realm, f"give {good}"), good)


def _ask(table: Table, asked: tuple[Good, str | None]) -> Term:
    good, realm = asked
    return "asks" if isinstance(good, int) else "wanted", (_partner(table, realm, f"ask {good}"), good)


def _truce(table: Table, turns: int | None = None) -> Term:
    if turns is None:
        raise Misread("A truce is for a number of turns.", ("truce", "truce 3"))
    return "pact", ("truce", turns)


def _peace(table: Table, turns: int | None = None) -> Term:
    raise Misread("Peace is a truce, for a number of turns.", ("peace", "truce" if turns else "truce 3"))


def _pact(kind: str) -> Callable[[Table], Term]:
    return lambda table: ("pact", (kind, 0))


def amount(scene: object, text: str) -> int:
    """Production points as people write them; raises :class:`Misread`."""
    found = re.fullmatch(r"(\d{1,7})(?:\s*(?:pp|points?|production points?))?", text, re.IGNORECASE)
    if not found or not int(found[1]):
        raise Misread(f"{text!r} is not a number of production points.")
    return int(found[1])


def _good(table: Table, text: str) -> Good:
    good, rest = _begun(table, text)
    if rest:
        raise Misread(f"Name the item alone: {good}.", (text, str(good)))
    return good


def _asked(table: Table, text: str) -> tuple[Good, str | None]:
    """What is asked, and of whom."""
    good, rest = _begun(table, text)
    of_whom = re.fullmatch(r"(?:from|of)\s+(.+)", rest, re.IGNORECASE)
    return (good, of_whom[1]) if of_whom else (_good(table, text), None)


def _begun(table: Table, text: str) -> tuple[Good, str]:
    """The sum or the item that a text begins with, and the rest of it."""
    if not text[:1].isdigit():
        return item(text)
    split = re.search(r"\s(?:from|of)\s", text, re.IGNORECASE)
    number, rest = (text[: split.start()], text[split.start() :]) if split else (text, "")
    return amount(table, number), rest.strip()


def _turns(table: Table, text: str) -> int:
    found = re.fullmatch(r"(?:of |for )?(\d{1,3})(?: turns?)?", text, re.IGNORECASE)
    if not found or not int(found[1]):
        raise Misread(f"{text!r} is not a number of turns.", (text, "3"))
    return int(found[1])


HELD = 'truce 3, alliance, passage, give 200, ask 200, give Sword of Might, cede 12, claim 9, "free words".'

TERMS: Grammar[Table] = Grammar(
    [
        Verb("give|pay {good} to {realm}", _give),
        Verb("give|pay {good}", _give),
        Verb("ask [for] {asked}", _ask),
        Verb("cede {places}", lambda table, places: ("cedes", places)),
        Verb("claim {places}", lambda table, places: ("claims", places)),
        Verb("peace [{turns}]", _peace),
        Verb("alliance", _pact("alliance")),
        Verb("passage", _pact("passage")),
        Verb("truce [{turns}]", _truce),
    ],
    {
        "good": _good,
        "asked": _asked,
        "turns": _turns,
        "realm": lambda table, text: text,
        "places": lambda table, text: sections(table.view, text),
    },
    HELD,
    "term",
)
"""What an offer may hold."""

CLAUSE = re.compile(r"\s*(?:[,;]|\band\b(?=\s*(?:" + "|".join(TERMS.words) + r")\b))\s*", re.IGNORECASE)
THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
"""The comma of 1,590, as reports write it; a comma between terms is followed by a blank or a word."""


def offer(view: View, whom: str, terms: str) -> Offer:
    """``offer 14: truce 3, give 200``, ``offer Blue in 14: …``; raises :class:`Misread`."""
    at, to = _addressed(view, whom)
    table = Table(view, at, to or foes(view, meeting(view, at)))
    words = " ".join(part.strip() for part in QUOTED.findall(terms) if part.strip())
    formal = QUOTED.sub(",", terms)
    if '"' in formal:
        raise Misread('Free words want a mark " at both ends.', instead=f'offer {whom}: {terms}"')
    clauses = [clause for clause in CLAUSE.split(THOUSANDS.sub("", formal)) if clause]
    parts = _gathered(TERMS.read(table, clause.rstrip(".")) for clause in clauses)
    if not parts and not words:
        raise Misread(f"The offer is empty. It may hold: {HELD}")
    return Offer(at, frozenset(to), words=words, **parts)


def _gathered(terms: Iterator[Term]) -> dict[str, Any]:
    parts: dict[str, Any] = {}
    for name, value in terms:
        if name != "pact":
            parts[name] = parts.get(name, ()) + (value if name in ("cedes", "claims") else (value,))
        elif "pact" in parts:
            raise Misread("An offer holds one pact: an alliance, a truce or passage.", (f"{value[0]}", ""))
        else:
            parts["pact"], parts["turns"] = value
    return parts


def _addressed(view: View, text: str) -> tuple[int, tuple[str, ...]]:
    """The section and the realms an offer names: ``14``, ``14 to Blue``, ``Blue in 14``, ``Blue``."""
    text = re.sub(r"^to\s+", "", text, flags=re.IGNORECASE)
    if realm_names(view).find(text) is None:
        found = ADDRESS.fullmatch(text)
        if found:
            return section(view, found["at"] or found["place"]), _realms(view, found["to"] or found["partner"])
        if not LIST.search(text):
            return _place(view, text), ()
    to = _realms(view, text)
    places = [each.at for each in open_meetings(view) if set(to) <= set(foes(view, each))]
    if len(places) == 1:
        return places[0], to
    met = "in " + listed(map(view.place, places)) if places else "nowhere"
    fix = (text, str(places[0])) if places else None
    raise Misread(f"You meet {listed(map(view.realm, to))} {met}. Name the section.", fix)


def _place(view: View, text: str) -> int:
    if re.search(r"\d", text) or gazetteer(view).named(text.split()):
        return section(view, text)
    opened = open_meetings(view)
    places = ", ".join(view.place(each.at) for each in opened)
    told = f" You meet somebody in: {places}." if places else ""
    fix = (text, str(opened[0].at)) if len(opened) == 1 else None
    raise Misread(f"No section and no realm is called {text!r}.{told}", fix)


ADDRESS = re.compile(
    r"(?P<at>.+?)\s+(?:to|with)\s+(?P<to>.+)|(?P<partner>.+?)\s+(?:in|at)\s+(?P<place>.+)", re.IGNORECASE
)
LIST = re.compile(r"\s*(?:,|&|\band\b)\s*", re.IGNORECASE)


def _realms(view: View, text: str) -> tuple[str, ...]:
    if realm_names(view).find(text) is not None:
        return (realm(view, text),)
    return tuple(sorted({realm(view, name) for name in LIST.split(text) if name}))


# --- results of battles ---------------------------------------------------------------------------------------

OUTCOME = re.compile(
    r"(?P<winner>.+?)(?:\s+(?:wins|won|by)(?:\s+(?:by|with|a))*)?[\s,]+(?P<degree>massacre|solid victory|victory)",
    re.IGNORECASE,
)
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
    where = meeting(view, at)
    outcome, *losses = (part.strip() for part in told.split(";"))
    units, burnt = _units(view, where), [*map(_structures(view, at), losses)]
    lost = tuple(_loss(units, part) for part, names in zip(losses, burnt, strict=True) if part and not names)
    destroyed = tuple(name for names in burnt for name in names)
    if re.fullmatch(r"(?:a\s+)?draw[n.]?", outcome, re.IGNORECASE):
        return ReportResult(at, losses=lost, destroyed=destroyed)
    found = OUTCOME.fullmatch(outcome.rstrip("."))
    if not found:
        raise _unclear(view, outcome)
    winner = realm(view, found["winner"])
    degree: Any = found["degree"].lower()
    return ReportResult(at, winner, view.realm(winner), degree, lost, destroyed)


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


def _unclear(view: View, outcome: str) -> Misread:
    names = realm_names(view)
    winner = names.find(outcome) or next(iter(names.near(outcome)), "")
    example = f"{winner or view.realm(view.seat or '')} victory"
    ways = "Say draw, or who won and how: victory, solid victory or massacre."
    return Misread(f"{outcome!r} does not say how the battle ended. {ways}", (outcome, example))


def _units(view: View, where: Meeting) -> Names[tuple[str, str]]:
    """The units in a battle by name, and by realm and name; what is found is whose they are, and the unit."""
    met = [(key, unit.name) for key, unit in combatants(view.position, where)]
    names = [name for _, name in met]
    lone = [(name, (key, name)) for key, name in met if names.count(name) == 1]
    full = [(f"{seat_of(key)} {name}", (key, name)) for key, name in met]
    whose = [(f"{view.realm(seat_of(key))}'s {name}", (key, name)) for key, name in met if key != GARRISON]
    return Names([*lone, *full, *whose])


def _loss(units: Names[tuple[str, str]], text: str) -> UnitLoss:
    head, *details = (part.strip() for part in text.split(","))
    found = LOSS.fullmatch(head)
    if not found:
        raise Misread(f"{head!r} is not a unit with the number of its models left: Iron Wall 12.")
    banner, unit = _unit(units, found["unit"])
    said, models = dict(_details(details)), int(found["models"] or 0)
    if found["fled"] or said.get("fled") == ALL:
        said |= {"fled": models}
        models = 0
    return UnitLoss(banner, unit, models, **said)


def _unit(units: Names[tuple[str, str]], name: str) -> tuple[str, str]:
    found = units.find(name)
    if found is not None:
        return found
    near = [full for full, _ in units.all if full.endswith(f" {name}")] or units.near(name)
    candidates = list({units.find(full): full for full in reversed(near)}.values())[::-1]
    fix = (name, candidates[0]) if candidates else None
    raise Misread(f"No unit in this battle is called just {name!r}.{offered(candidates[:2])}", fix)


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


def dispute(view: View, told: str) -> JudgeResult:
    """``dispute 14 "we agreed on a draw"``; raises :class:`Misread`."""
    where, mark, words = told.partition('"')
    if not mark:
        found = re.match(r"(#?\d+)[\s:,]*(.*)", told)
        where, words = (found[1], found[2]) if found else (told, "")
    return JudgeResult(section(view, where.rstrip(" :,")), confirm=False, words=words.removesuffix('"').strip())


# --- the table ------------------------------------------------------------------------------------------------


def _terms(view: View, text: str) -> int:
    found = re.fullmatch(r"(?:offer |terms |of |the )*p?\s*#?(\d{1,6})", text, re.IGNORECASE)
    if not found:
        waiting = terms_to_answer(view)
        fix = (text, f"P{waiting[0].number}") if len(waiting) == 1 else None
        raise Misread(f"{text!r} is not the number of an offer, such as P3.{open_terms(view)}", fix)
    return int(found[1])


def _which_terms(verb: str) -> Callable[[View], Answer]:
    def ask(view: View) -> Answer:
        waiting = terms_to_answer(view)
        instead = f"{verb} P{waiting[0].number}" if len(waiting) == 1 else ""
        raise Misread(f"Which offer?{open_terms(view)}", instead=instead)

    return ask


def _which_battle(view: View, told: str) -> ReportResult:
    opened = open_meetings(view)
    instead = f"result {opened[0].at}: {told}" if len(opened) == 1 else ""
    raise Misread("Which battle? Name the section.", instead=instead)


def like_a_result(view: View, text: str) -> bool:
    """Whether a line tells how a battle ended, but not which: ``Blue massacre``."""
    found = OUTCOME.fullmatch(text)
    return bool(found and realm_names(view).find(found["winner"]))


def _shapeless(view: View, terms: str) -> Offer:
    """An offer without a colon: where its terms begin can be seen, but is left to the player to say."""
    begun = re.search(rf"\"|(?<!\w)(?:{'|'.join(TERMS.words)})(?!\w)", terms, re.IGNORECASE)
    places = open_meetings(view)
    whom = terms[: begun.start()].strip() if begun else ""
    whom = whom or (str(places[0].at) if len(places) == 1 else "")
    instead = f"offer {whom}: {terms[begun.start() :]}" if begun and whom else ""
    raise Misread("An offer names the section, then a colon, then the terms.", instead=instead)


def _empty(view: View, whom: str) -> Offer:
    raise Misread(f"The offer is empty. It may hold: {HELD}")


TALKS: Grammar[View] = Grammar(
    [
        Verb("offer {whom}: {terms}", offer),
        Verb("offer {whom}:", _empty),
        Verb("offer {terms}", _shapeless),
        Verb("accept|agree [to] {number}", lambda view, number: Answer(number, accept=True)),
        Verb("accept|agree", _which_terms("accept")),
        Verb("decline|refuse|reject {number}", lambda view, number: Answer(number, accept=False)),
        Verb("decline|refuse|reject", _which_terms("decline")),
        Verb(
            "break [alliance|truce|passage|pact] with {realm}", lambda view, realm: BreakPact(realm, view.realm(realm))
        ),
        Verb("result: {told}", _which_battle),
        Verb("result [of] [in] [at] {at}: {told}", result),
        Verb("confirm [result] [of] [in] {at}", lambda view, at: JudgeResult(at, confirm=True)),
        Verb("dispute [result] [of] [in] {told}", dispute),
        Verb("automatic|auto|autofight [battle] [in] [at] {at}", lambda view, at: AskAutomatic(at)),
        Verb("table|tabletop [battle] [in] [at] {at}", lambda view, at: AskAutomatic(at, automatic=False)),
    ],
    {
        "whom": lambda view, text: text,
        "terms": lambda view, text: text,
        "told": lambda view, text: text,
        "number": _terms,
        "realm": realm,
        "at": section,
    },
    "offer 14: truce 3, accept P3, break with Blue, result 14: draw, confirm 14, automatic 14.",
)
"""Everything a player may say about meetings."""
