"""Who has won a battle, and how, as people write it (NIP 8.5): ``Crane Host wins by a massacre``, ``draw``."""

import re
from typing import Any

from pbem.core.grammar import Misread
from pbem.core.orders import plain
from pbem.rulesets.nippon.cards.names import realm, realm_names
from pbem.rulesets.nippon.engagements import fighters
from pbem.rulesets.nippon.state import Degree, Meeting
from pbem.rulesets.nippon.tabletop import voice
from pbem.rulesets.nippon.view import View

OUTCOME = re.compile(
    r"(?P<winner>.+?)(?:\s+(?:wins|won|by)(?:\s+(?:by|with|a))*)?[\s,]+(?P<degree>massacre|solid victory|victory)",
    re.IGNORECASE,
)
DRAW = re.compile(r"(?:a\s+)?draw[n.]?", re.IGNORECASE)
WON = re.compile(r"(?:(?:i|we)(?: have|['\N{RIGHT SINGLE QUOTATION MARK}]ve)? )?(?:won|win)[.!]?", re.IGNORECASE)
"""Who says so himself has won by a victory, for he says no more."""
LONGEST = 200
"""Characters of the longest outcome."""

DEFENCE = re.compile(r"(?:the )?(?:defen[cs]e|defenders?|garrison|lair)", re.IGNORECASE)
"""Those who have no banner: in a result they go by who plays them, too (NIP 8.9)."""


def read_outcome(view: View, where: Meeting, text: str) -> tuple[str, Degree]:
    """The winner's seat and the degree, or nothing twice for a draw; raises :class:`Misread`."""
    if DRAW.fullmatch(text):
        return "", ""
    if WON.fullmatch(text):
        return voice(view.position, where.at, view.seat or ""), "victory"
    found = OUTCOME.fullmatch(text.rstrip(".")) if len(text) <= LONGEST else None
    if not found or _doubtful(view, found["winner"]):
        raise _unclear(view, where, text)
    degree: Any = found["degree"].lower()
    return _winner(view, where, found["winner"]), degree


def _winner(view: View, where: Meeting, name: str) -> str:
    return where.next.defender if where.assault and DEFENCE.fullmatch(name) else realm(view, name)


# --- what is not clear ------------------------------------------------------------------------------------------------

EVEN = re.compile(r"draw|drawn|tied?|undecided|even|remis|unentschieden|egalite|nul|patt|stalemate")
"""Words for a draw."""

LOST = re.compile(r"not?|never|los(?:e|t|ing)\w*|beaten|defeat\w*|was|were|niederlage|verloren|perdu|\w*nt")
"""Words by which somebody may well say that the realm he names has not won."""

OWN = re.compile(r"i|we")

HOW = {"massacre": "massacre", "solid": "solid victory"}
"""Words that say how clearly it was won."""


def _doubtful(view: View, winner: str) -> bool:
    """Whether what stands in the place of the winner's name may say that he was beaten: ``Blue lost``."""
    return realm_names(view).find(winner) is None and bool(_holds(LOST, winner))


def _holds(words: re.Pattern[str], text: str) -> bool:
    return any(words.fullmatch(word) for word in re.findall(r"\w+", plain(text)))


def _unclear(view: View, where: Meeting, text: str) -> Misread:
    """What to say of an outcome; a line to send only where it says what the words say."""
    ways = "Say draw, or who won and how: victory, solid victory or massacre."
    head, _, rest = text.partition(",")
    if rest and (DRAW.fullmatch(head.strip()) or OUTCOME.fullmatch(head.strip()[:LONGEST])):
        reason = f"{text!r} does not say how the battle ended: units stand behind a semicolon."
        return Misread(reason, (f"{head},", f"{head};"))
    meant = _meant(view, where, text)
    return Misread(f"{text!r} does not say how the battle ended. {ways}", (text, meant) if meant else None)


def _meant(view: View, where: Meeting, text: str) -> str:
    """What the words of an outcome can only mean; nothing, if they may mean the opposite as well."""
    if len(text) > LONGEST or _holds(LOST, text):
        return ""
    named = [name for name in map(view.realm, fighters(view.position, where)) if _names(text, name)]
    if _holds(EVEN, text):
        return "" if named else "draw"
    if not named and _holds(OWN, text):
        named = [view.realm(voice(view.position, where.at, view.seat or ""))]
    how = next((how for word, how in HOW.items() if word in plain(text)), "victory")
    return f"{named[0]} {how}" if len(named) == 1 else ""


def _names(text: str, name: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(plain(name))}(?!\w)", plain(text)))
