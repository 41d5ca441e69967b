"""The words of battle plans (NIP 8.3): places, orders, and what a side does as one."""

import re
from collections.abc import Sequence

from pbem.battles import Arrival, Lane, Order, Policy
from pbem.core.grammar import Misread

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
WHERE: dict[tuple[Arrival, Lane], str] = {
    ("start", "L"): "on the left",
    ("start", "C"): "in the centre",
    ("start", "R"): "on the right",
    ("flank", "L"): "round the left flank",
    ("flank", "R"): "round the right flank",
    **{(arrives, lane): "in reserve" for arrives in ("round", "broken") for lane in ("L", "C", "R")},
}
"""Places in words."""


def lane_in(found: re.Match[str]) -> Lane | None:
    """The lane that a place names, if it names one."""
    named = found.groupdict().get("lane")
    return LANES[named.lower()] if named else None


def order_in(found: re.Match[str]) -> Order:
    """What an order says."""
    return "ATTACK" if found["order"].lower() in ATTACKS else "HOLD"


def policy(text: str) -> tuple[str, Policy | bool | int, str] | None:
    """What a text begins to say of a side as one: the field of the plan, its value, and what is left of the text.

    Raises :class:`Misread`.
    """
    if found := TARGET.match(text):
        return "target", _target(found["whom"]), text[found.end() :]
    if found := RETREAT.match(text):
        return "retreat", _percent(found), text[found.end() :]
    if found := SWITCH.match(text):
        off = bool(found["before"]) or (found["after"] or "").lower() in ("no", "off", "never")
        return "pursue" if found["what"].lower().startswith("pursu") else "sally", not off, text[found.end() :]
    return None


def _target(whom: str) -> Policy:
    found = next((policy for word, policy in TARGETS.items() if whom.lower().startswith(word)), None)
    if found is None:
        raise Misread(f"{whom!r} is no target. Say strongest, weakest, missiles or heroes.", (whom, "strongest"))
    return found


def _percent(found: re.Match[str]) -> int:
    percent = 100 if found["never"] else int(found["percent"])
    if percent > 100:
        raise Misread(f"Retreat is a number of percent, 0 to 100, not {percent}.", (found["percent"], "65"))
    return percent
