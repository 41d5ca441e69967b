"""Lines about dates and deputies (NIP 8.8): ``propose B14 Saturday 15:00``, ``deputy Crane Host for B14``."""

import re
from functools import singledispatch
from typing import Any

from pbem.core.grammar import Misread
from pbem.core.wording import listed
from pbem.rulesets.nippon import tabletop
from pbem.rulesets.nippon.agenda import tables
from pbem.rulesets.nippon.cards import unsaid
from pbem.rulesets.nippon.cards.names import battle, realm
from pbem.rulesets.nippon.cards.own_words import own_words
from pbem.rulesets.nippon.cards.prospect import Prospect
from pbem.rulesets.nippon.legality import Refusal
from pbem.rulesets.nippon.orders import (
    AgreeDate,
    Arranging,
    Cannot,
    Contact,
    NameDeputy,
    Order,
    ProposeDate,
    Volunteer,
)
from pbem.rulesets.nippon.tabletop import stand_in, voice
from pbem.rulesets.nippon.view import View

LONGEST = 200
"""Characters of the longest date, reason or contact."""

WORD = re.compile(r"[^\s\",;()]+")
WHEN = re.compile(
    r"(?:mon|tues?|wed|thu|thurs?|fri|sat|sun)\.?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|today|tonight|tomorrow|weekends?|noon|midnight|afternoons?|mornings?|evenings?"
    r"|january|february|march|april|may|june|july|august|september|october|november|december"
    r"|\d{1,2}[:.]\d\d(?:am|pm|h)?|\d{1,2}(?:am|pm|h|st|nd|rd|th)|\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}\.?(?:\d{2,4})?",
    re.IGNORECASE,
)
"""A word that says when: ``Saturday``, ``15:00``, ``3pm``."""

BESIDE = re.compile(
    r"on|at|the|of|in|next|this|or|and|from|to|until|after|before|about|any|night|week|am|pm|utc|\d{1,4}", re.IGNORECASE
)
"""A word that stands beside those."""

NUMBER = r"(?:battle\s+)?(?P<battle>B?#?\d{1,5})(?!\w)"
PROPOSE = re.compile(rf"propose\s+(?:(?:date|for)\s+)?{NUMBER}[\s:,-]*(?P<words>.*)", re.IGNORECASE)
PROPOSE_DATE = re.compile(r"propose\s*[:,-]?\s*(?:(?:a\s+)?date\s*[:,-]?\s*)?(?P<words>\S.*)", re.IGNORECASE)
AGREE = re.compile(rf"(?:agree|accept)\s+(?:(?:to|date|for)\s+)*{NUMBER}[\s.!]*", re.IGNORECASE)
CANNOT = re.compile(rf"(?:cannot|can't|can not)\s+(?:play\s+)?{NUMBER}[\s:,-]*(?P<words>.*)", re.IGNORECASE)
DEPUTY = re.compile(
    rf"deputy\s*[:=]?\s*(?P<name>\S.{{0,60}}?)(?:\s+(?:for|in|at)\s+{NUMBER})?[\s.!]*",
    re.IGNORECASE,
)
CANNOT_PLAY = re.compile(
    r"(?:i\s+)?(?:cannot|can't|can not)(?:\s+(?:play|make))?(?:\s+it)?[\s:,-]*(?P<words>\"[^\"]*\"?)?[\s.!]*",
    re.IGNORECASE,
)
"""``cannot "away until Monday"``, without the battle."""

CONTACT = re.compile(r"contact\s*(?P<sign>[:=]?)\s*(?P<words>.+)", re.IGNORECASE)
VOLUNTEER = re.compile(r"volunteer\s*[:=]?\s*(?P<said>yes|no|on|off|none)?[\s.!]*", re.IGNORECASE)

TAKEN_BACK = frozenset({"none", "no", "nobody", "nothing"})


def arranged(view: View, text: str) -> Order | None:
    """What a line says of dates and deputies; ``None`` if nothing of the kind. Raises :class:`Misread`."""
    if found := VOLUNTEER.fullmatch(text):
        return Volunteer((found["said"] or "yes").lower() in ("yes", "on"))
    if found := CONTACT.fullmatch(text):
        return _contact(found)
    if view.position.stage != "orders" and (found := DEPUTY.fullmatch(text)):
        return _deputy(view, found)
    for pattern in (PROPOSE, AGREE, CANNOT):
        if (found := pattern.fullmatch(text)) and _means_a_battle(view, pattern, found):
            return _said(pattern, battle(view, found["battle"]), found)
    return _in_the_only_battle(view, text)


def _means_a_battle(view: View, pattern: re.Pattern[str], found: re.Match[str]) -> bool:
    """Whether a number is that of a battle: it says so, there is one, or the line says nothing else."""
    number = found["battle"]
    alone = pattern is CANNOT and (not found["words"] or found["words"].startswith('"'))
    return alone or not number.isdecimal() or any(each.at == int(number) for each in tables(view))


def _in_the_only_battle(view: View, text: str) -> Cannot | ProposeDate | None:
    """A date, or that one cannot play, without the battle; ``None`` if a line says nothing of the kind."""
    if found := CANNOT_PLAY.fullmatch(text):
        words = _words(found["words"] or "")
        return Cannot(unsaid.the_only(tables(view), lambda at: Cannot(at, words)), words)
    found = PROPOSE_DATE.fullmatch(text)
    if found and is_date(found["words"]):
        words = _words(found["words"])
        none = "A date is proposed for a battle, and you have none that is open."
        return ProposeDate(unsaid.the_only(tables(view), lambda at: ProposeDate(at, words), none), words)
    return None


def is_date(text: str) -> bool:
    """Whether words begin like a date; between quotation marks, where a house rule may stand (NIP 15.1), they must be
    nothing else."""
    words = WORD.findall(text)
    of_date = [bool(WHEN.fullmatch(word) or BESIDE.fullmatch(word)) for word in words]
    fits = all(of_date) if text.startswith('"') else any(of_date[:1])
    return fits and any(map(WHEN.fullmatch, words))


def _said(pattern: re.Pattern[str], at: int, found: re.Match[str]) -> AgreeDate | Cannot | ProposeDate:
    if pattern is AGREE:
        return AgreeDate(at)
    words = _words(found["words"])
    if pattern is CANNOT:
        return Cannot(at, words)
    if not words:
        raise Misread("It is not said when.", instead=str(ProposeDate(at, "Saturday 15:00")))
    return ProposeDate(at, words)


def _words(text: str) -> str:
    """Free words, without quotation marks; raises :class:`Misread` if there are too many."""
    words = own_words(" ".join(text.replace('"', " ").split()))
    if len(words) > LONGEST:
        raise Misread(f"That is too long: at most {LONGEST} characters are passed on.")
    return words


def _contact(found: re.Match[str]) -> Contact | None:
    text = found["words"]
    words = _words(text)
    if words.lower().rstrip(".!") in TAKEN_BACK:
        return Contact()
    if found["sign"] or text.startswith('"'):
        return Contact(words)
    if re.search(r"[@\d]", words):  # "Contact me if you like" is prose.
        raise Misread("Put what those whom you meet are to see between quotation marks.", instead=str(Contact(words)))
    return None


def _deputy(view: View, found: re.Match[str]) -> NameDeputy:
    open_to = [each.at for each in tables(view)]
    if not found["battle"] and len(open_to) != 1:
        instead = f"deputy {found['name']} for B{open_to[0]}" if open_to else ""
        raise Misread("For which battle?" if open_to else "You have no battle that somebody could play.", None, instead)
    at = battle(view, found["battle"]) if found["battle"] else open_to[0]
    if found["name"].lower() in TAKEN_BACK:
        return NameDeputy(at, "", "")
    seat = realm(view, found["name"], tabletop.possible_deputies(view.position, at, view.seat or ""))
    return NameDeputy(at, seat, view.realm(seat))


# --- what comes of it -----------------------------------------------------------------------------------------


def judge_arranging(view: View, order: Arranging | Contact | Volunteer) -> Prospect | Refusal:
    """What comes of a line about dates and deputies, or why it cannot be said."""
    if isinstance(order, Arranging) and (refused := tabletop.refusal(view.position, view.seat or "", order)):
        return refused
    return Prospect(order, *_told(order, view))


Told = tuple[str, str, tuple[str, ...]]
"""Subject, deed and notes."""


@singledispatch
def _told(order: Any, view: View) -> Told:
    raise NotImplementedError


@_told.register
def _(order: ProposeDate, view: View) -> Told:
    return f"Battle in {order.at}", f'PROPOSE "{order.words}"', (f"goes to {_others(view, order.at)} at once",)


@_told.register
def _(order: AgreeDate, view: View) -> Told:
    date = view.position.meetings[order.at].next.date
    return f"Battle in {order.at}", f'AGREE to "{date}"', (f"goes to {_others(view, order.at)} at once",)


@_told.register
def _(order: Cannot, view: View) -> Told:
    meeting, seat = view.position.meetings[order.at], view.seat or ""
    told = f"goes to {_others(view, order.at)} at once"
    if seat not in meeting.realms:
        return f"Battle in {order.at}", "CANNOT play it for another", (told,)
    deputy = stand_in(view.position, meeting, seat)
    if deputy:
        return f"Battle in {order.at}", "CANNOT play it", (told, f"{view.realm(deputy)} plays it for you")
    return f"Battle in {order.at}", "CANNOT play it", (told, "it is fought automatically, unless you name a deputy")


@_told.register
def _(order: NameDeputy, view: View) -> Told:
    if not order.realm:
        return f"Battle in {order.at}", "NO DEPUTY any more", ("you play it yourself",)
    notes = (
        "he sees your units there, and what you see of others, with their contacts; all concerned learn of him",
        "he may report and confirm for you, while it is open",
    )
    return f"Battle in {order.at}", f"DEPUTY: {view.realm(order.realm)}", notes


SEEN_BY = "seen by those whom you meet and by who plays for them, as long as you meet them, and by nobody else"
"""Who sees the contact of a player."""


@_told.register
def _(order: Contact, view: View) -> Told:
    if not order.words:
        return "Contact", "NOT TOLD to anybody", ()
    return "Contact", f'"{order.words}"', (SEEN_BY,)


@_told.register
def _(order: Volunteer, view: View) -> Told:
    if not order.ready:
        return "Volunteer", "NO", ()
    return "Volunteer", "YES", ("who cannot play a battle is told that you would",)


def _others(view: View, at: int) -> str:
    """All concerned but the reader, and the realm for which he speaks."""
    meeting, seat = view.position.meetings[at], view.seat or ""
    others = sorted(meeting.concerned - {seat, voice(view.position, at, seat)})
    return listed(map(view.realm, others))
