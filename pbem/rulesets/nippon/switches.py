"""The switches of a campaign: which values they take, and which of them its players may change (NIP 15.1)."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, get_args, get_type_hints

from pbem.core.orders import plain
from pbem.rulesets.nippon import armies
from pbem.rulesets.nippon.state import Options

NAMES = tuple(field.name for field in fields(Options))
KINDS: Mapping[str, Any] = get_type_hints(Options)

FIXED: Mapping[str, str] = {
    "map": "the map cannot be changed while realms stand on it",
    "army_points": "the armies have been mustered",
    "foreign_rosters": "the armies have been mustered",
    "setup": "the campaign has begun",
}
"""What is settled before the first turn for good, and why."""

TRUTH = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def flaw(name: str, value: Any, *, by_mail: bool = False) -> str:
    """What is wrong with a value of an option that exists; nothing: it will do. ``by_mail``: players muster armies."""
    return _unfit(value, KINDS[name]) or _unplayable(name, value, by_mail)


def _unfit(value: Any, hint: Any) -> str:
    """What kind of value an option needs, if this is none."""
    if words := get_args(hint):
        return "" if value in words else f"{value!r} should be {' or '.join(words)}"
    if hint is bool:
        return "" if isinstance(value, bool) else f"{value!r} should be true or false"
    number = isinstance(value, int if hint is int else int | float) and not isinstance(value, bool)
    return "" if number and value >= 0 else f"{value!r} should be a {'whole ' if hint is int else ''}number from 0 on"


def _unplayable(name: str, value: Any, by_mail: bool) -> str:
    ready = armies.army(armies.DEFAULT).ready_points
    if name == "army_points" and (value < ready or (value > ready and not by_mail)):
        larger = "" if value < ready else ", or let players muster their own with setup = true"
        return f"there is no ready-made army of {value} points; leave it at {ready}{larger}"
    if name == "domination" and not 0 < value <= 1:
        return f"{value!r} should be a share above 0 and up to 1"
    if name == "withdrawn_turns" and value < 1:
        return f"{value!r} should be a whole number from 1 on"
    return "0 turns are no season" if name == "season_turns" and not value else ""


# --- as players write them --------------------------------------------------------------------------------------------


def named(text: str) -> str:
    """The option that a player means: ``cost percent`` is ``cost_percent``; nothing if there is none."""
    wanted = plain(text).replace(" ", "_").replace("-", "_")
    return wanted if wanted in (*NAMES, *FIXED) else ""


def read(name: str, text: str) -> Any:
    """The value of an option from how it is written; the text itself if it is none of its kind."""
    kind, word = KINDS[name], plain(text)
    if kind is bool:
        return TRUTH.get(word, text)
    try:
        return int(text) if kind is int else float(text) if kind is float else word
    except ValueError:
        return text


def shown(value: Any) -> str:
    """A value as it is written in a campaign file."""
    return str(value).lower() if isinstance(value, bool) else str(value)
