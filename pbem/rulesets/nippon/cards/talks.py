"""Lines about meetings: offers, answers, broken pacts, what is said of battles and their results (NIP 8.2, 8.5)."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from pbem.core.grammar import Grammar, Misread, Verb
from pbem.core.wording import listed
from pbem.rulesets.nippon.agenda import foes, open_meetings, results_to_judge, terms_to_answer
from pbem.rulesets.nippon.cards import unsaid
from pbem.rulesets.nippon.cards.bargains import meeting
from pbem.rulesets.nippon.cards.goods import begun, item
from pbem.rulesets.nippon.cards.names import BATTLE, battle, gazetteer, realm, realm_names, section, sections
from pbem.rulesets.nippon.cards.outcomes import OUTCOME
from pbem.rulesets.nippon.cards.own_words import own_words
from pbem.rulesets.nippon.cards.results import result
from pbem.rulesets.nippon.orders import (
    Answer,
    AskAutomatic,
    AskDiceOff,
    BreakPact,
    Defend,
    JudgeResult,
    Offer,
    ReportResult,
    Retreat,
)
from pbem.rulesets.nippon.parley import open_terms
from pbem.rulesets.nippon.view import View

QUOTED = re.compile(r'"([^"]*)"')
"""Free words."""


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

BEGINS = rf"(?:{'|'.join(TERMS.words)}|pay|sections?|\d{{1,7}}\s*(?:pp|points?|production points?))\b"
"""What a term begins with."""

CLAUSE = re.compile(rf"\s*(?:[,;]|\band\b(?=\s*{BEGINS}))\s*", re.IGNORECASE)
FOR = re.compile(r"(?<!\bask) (?<!\btruce )(?<!\bpeace )for (?!\d{1,3} turns?\b)", re.IGNORECASE)
"""What stands between that which is given and that which is asked for it."""

THING = re.compile(
    r"(?P<pp>\d{1,7}(?:\s*(?:pp|points?|production points?))?)|(?P<places>sections?\s+.{1,60})", re.IGNORECASE
)
"""Production points or sections without a word that says who gives them."""
THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
"""The comma of 1,590, as reports write it; a comma between terms is followed by a blank or a word."""


def offer(view: View, whom: str, terms: str) -> Offer:
    """``offer 14: truce 3, give 200``, ``offer Blue in 14: …``; raises :class:`Misread`."""
    at, to = _addressed(view, whom)
    table = Table(view, at, to or foes(view, meeting(view, at)))
    words = " ".join(filter(None, (own_words(part.strip()) for part in QUOTED.findall(terms))))
    formal = QUOTED.sub(",", terms)
    if '"' in formal:
        raise Misread('Free words want a mark " at both ends.', instead=f'offer {whom}: {terms}"')
    parts = _gathered(TERMS.read(table, clause) for clause in _clauses(THOUSANDS.sub("", formal)))
    if not parts and not words:
        raise Misread(f"The offer is empty. It may hold: {HELD}")
    return Offer(at, frozenset(to), words=words, **parts)


def _clauses(formal: str) -> Iterator[str]:
    """The terms of an offer, each with its verb: ``200 pp and section 14 for passage`` gives what stands before for."""
    given, *asked = FOR.split(formal, maxsplit=1)
    for side, verbs in ((given, ("give", "cede")), *((each, ("ask", "claim")) for each in asked)):
        for clause in filter(None, (each.rstrip(". ") for each in CLAUSE.split(side))):
            thing = THING.fullmatch(clause)
            verb = verbs[1] if thing and thing["places"] else verbs[0] if thing or begun(clause) else ""
            yield f"{verb} {clause}".lstrip()


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
    """The section and the realms an offer names: ``14``, ``B14``, ``14 to Blue``, ``Blue in 14``, ``Blue``."""
    text = BATTLE.sub("", re.sub(r"^to\s+", "", text, flags=re.IGNORECASE))
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

NUMBERED = re.compile(r"(?:(?:of|in|at|battle)\s+)*(B?#?\d+)[\s:,]*(.*)", re.IGNORECASE)
"""The number of a battle, and what is said of it."""


def _told_of(view: View, text: str) -> ReportResult:
    """A result without a colon: ``result 14 draw``."""
    found = NUMBERED.fullmatch(text)
    if not found:
        return result(view, unsaid.reported(view), text)
    return result(view, battle(view, found[1]), found[2] or found[1])


VERSION = re.compile(r"(?P<at>.*\S)\s*(?:[-/.]|\bversion)\s*(?P<version>\d{1,3})", re.IGNORECASE)
"""Which of several results of a battle is meant: ``14-2``."""


def confirmation(view: View, which: str) -> JudgeResult:
    """``confirm 14``; ``confirm 14-2`` where another result was reported before; raises :class:`Misread`."""
    found = VERSION.fullmatch(which)
    return JudgeResult(
        battle(view, found["at"] if found else which), True, version=int(found["version"]) if found else 0
    )


def dispute(view: View, told: str) -> JudgeResult:
    """``dispute 14 "we agreed on a draw"``; raises :class:`Misread`."""
    where, mark, words = told.partition('"')
    where, words = where.strip(" :,-"), own_words(words.removesuffix('"').strip())
    if not mark:
        found = NUMBERED.fullmatch(told)
        where, words = (found[1], found[2]) if found else (told, "")
    if mark and not where:
        return unsaid.judged(view, confirm=False, words=words)
    if not mark and not found and not gazetteer(view).named(where.split()):
        meant = unsaid.judged(view, confirm=False, words=where.strip(" :,-"))
        raise Misread("Put your reason between quotation marks.", instead=str(meant))
    found = VERSION.fullmatch(where)
    return JudgeResult(battle(view, found["at"] if found else where), confirm=False, words=words)


# --- the table ------------------------------------------------------------------------------------------------


def _terms(view: View, text: str) -> int:
    found = re.fullmatch(r"(?:offer |terms |of |the )*p?\s*#?(\d{1,6})", text, re.IGNORECASE)
    if not found:
        waiting = terms_to_answer(view)
        fix = (text, f"P{waiting[0].number}") if len(waiting) == 1 else None
        known = open_terms(view.position, view.seat or "") or " Nobody has made you an offer that is still open."
        raise Misread(f"{text!r} is not the number of an offer.{known}", fix)
    return int(found[1])


RETREAT = re.compile(r"retreat\s+(?:from\s+)?(?P<battle>B?#?\d{1,5})\s+to\s+(?P<to>.{1,60})", re.IGNORECASE)
"""``retreat B14 to 9``."""

REFUGE = re.compile(r"retreat\s+(?:(?:all\s+)?to\s+)?(?P<to>.{1,60})", re.IGNORECASE)
"""``retreat to 9``."""


def all_retreat(view: View, text: str) -> tuple[Retreat, ...] | None:
    """Where all banners of the reader in a battle are to retreat to (NIP 9.2); raises :class:`Misread`."""
    found = RETREAT.fullmatch(text)
    if found is None:
        return _retreat_from_there(view, text)
    at, to = battle(view, found["battle"]), section(view, found["to"].rstrip(" .!"))
    own = [each for each in view.position.banners_at(at) if each.realm == view.seat]
    if not own:
        raise Misread(f"You have no banner in {view.place(at)}.")
    return tuple(Retreat(each.name, to) for each in own)


def _retreat_from_there(view: View, text: str) -> tuple[Retreat, ...] | None:
    """Where the reader's banners are to retreat to from his only meeting; ``None`` if no line says so."""
    found = REFUGE.fullmatch(text)
    name = found["to"].rstrip(" .!") if found else ""
    if not name or not (name[0].isdigit() or gazetteer(view).named(name.split())):
        return None
    to = section(view, name)
    own = unsaid.own_there(view, lambda at: f"retreat B{at} to {to}")
    return tuple(Retreat(each.name, to) for each in own) or None


def like_a_result(view: View, text: str) -> bool:
    """Whether a line tells how a battle ended, but not which: ``Blue massacre``."""
    found = OUTCOME.fullmatch(text)
    return bool(found and realm_names(view).find(found["winner"]))


PLAIN = re.compile(rf"B?#?(?P<at>\d{{1,5}})[\s,]+(?P<terms>(?:\"|{BEGINS}|\d{{1,7}}$).*)", re.IGNORECASE)
"""An offer without a colon that begins with the number of its battle."""


def _shapeless(view: View, terms: str) -> Offer:
    """An offer without a colon. Where its terms begin can be seen, but what stands before them, if it is not the number
    of a battle, is left to the player to say. Without anything before them they are for the only meeting."""
    if found := PLAIN.fullmatch(terms):
        return offer(view, found["at"], found["terms"])
    first = re.search(rf"\"|(?<!\w)(?:{'|'.join(TERMS.words)})(?!\w)", terms, re.IGNORECASE)
    whom = terms[: first.start()].strip(" :,") if first else ""
    if first and not whom and open_meetings(view):
        said = terms[first.start() :]
        return offer(view, str(unsaid.the_only(open_meetings(view), lambda at: f"offer {at}: {said}")), said)
    instead = f"offer {whom}: {terms[first.start() :]}" if first and whom else ""
    raise Misread("An offer names the section, then a colon, then the terms.", instead=instead)


def _empty(view: View, whom: str) -> Offer:
    raise Misread(f"The offer is empty. It may hold: {HELD}")


def _other_realm(view: View) -> str:
    return next(seat for seat in sorted(view.position.realms) if seat != view.seat)


def examples(view: View) -> str:
    """Lines that say enough, with numbers that there are."""
    at = next((each.at for each in open_meetings(view)), 0)
    answers = [str(Answer(terms.number, accept=True)) for terms in terms_to_answer(view)[:1]]
    judging = [str(JudgeResult(each.at, confirm=True, version=each.next.number)) for each in results_to_judge(view)[:1]]
    lines = [*judging, f"offer {at}: truce 3", *answers, f"result {at}: draw", f"automatic {at}"] if at else answers
    return ", ".join([*lines, f"break with {view.realm(_other_realm(view))}"]) + "."


TALKS: Grammar[View] = Grammar(
    [
        Verb("offer {whom}: {terms}", offer),
        Verb("offer {whom}:", _empty),
        Verb("offer {terms}", _shapeless),
        Verb("accept|agree [to] {number}", lambda view, number: Answer(number, accept=True)),
        Verb("accept|agree", unsaid.accepted),
        Verb("decline|refuse|reject {number}", lambda view, number: Answer(number, accept=False)),
        Verb("decline|refuse|reject", unsaid.declined),
        Verb(
            "break [alliance|truce|passage|pact] with {realm}", lambda view, realm: BreakPact(realm, view.realm(realm))
        ),
        Verb("result: {told}", lambda view, told: result(view, unsaid.reported(view), told)),
        Verb("result [of] [in] [at] [battle] {at}: {told}", result),
        Verb("result {text}", lambda view, text: _told_of(view, text)),
        Verb("confirm [result] [of] [in] {which}", confirmation),
        Verb("confirm", lambda view: unsaid.judged(view, confirm=True)),
        Verb("dispute [result] [of] [in] {told}", dispute),
        Verb("dispute", lambda view: unsaid.judged(view, confirm=False)),
        Verb("defend [battle] [assault] [in] [at] [the] {at}", lambda view, at: Defend(at)),
        Verb("defend", unsaid.defended),
        Verb("automatic|auto|autofight [battle] [in] [at] {at}", lambda view, at: AskAutomatic(at)),
        Verb("automatic|auto|autofight", unsaid.by_dice),
        Verb("dice|diceoff|roll|rolloff [-] [off]", unsaid.dice_off),
        Verb("dice|diceoff|roll|rolloff [-] [off] [for] [battle] [in] [at] {at}", lambda view, at: AskDiceOff(at)),
        Verb("table|tabletop [battle] [in] [at] {at}", lambda view, at: AskAutomatic(at, automatic=False)),
        Verb("table|tabletop", lambda view: unsaid.by_dice(view, automatic=False)),
    ],
    {
        "whom": lambda view, text: text,
        "terms": lambda view, text: text,
        "told": lambda view, text: text,
        "which": lambda view, text: text,
        "number": _terms,
        "text": lambda view, text: text,
        "realm": realm,
        "at": battle,
    },
    examples,
)
"""Everything a player may say about meetings."""
