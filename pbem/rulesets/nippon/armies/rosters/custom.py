"""Units of other games, let in if the organizer says so: their points from the roster, a profile by their class."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pbem.core.orders import plain
from pbem.rulesets.nippon.armies.lists import Category
from pbem.rulesets.nippon.armies.rosters.roster import Entry, Roster
from pbem.rulesets.nippon.state import Profile, Unit
from pbem.rulesets.nippon.tables import CUSTOM_CLASSES, CUSTOM_PROFILES

COMMAND = ("champion", "musician", "standard")
TAGS = ("cavalry", "monster", "fly", "scout", "named")
"""Words of its own list that mean the same here."""


def unit(entry: Entry, name: str) -> Unit:
    """The unit of an entry. Points that do not divide by its models go to its command, or else are rounded up."""
    words = {*plain(" ".join((*entry.options, entry.category))).split()}
    category, command = category_of(entry.category), [each for each in COMMAND if each in words]
    each_model, rest = divmod(max(0, entry.points - len(command)), max(1, entry.models))
    made = Unit(
        name=name,
        type=plain(entry.type),
        category=category,
        models=entry.models,
        points=each_model + (rest > 0 and not command),
        profile=Profile(*CUSTOM_PROFILES[category]),
        tags=frozenset({"custom", *words.intersection(TAGS)}),
    )
    paid: dict[str, Any] = {each: 1 + (rest if each == command[0] else 0) for each in command}
    return replace(made, **paid)


def flaws(entry: Entry) -> Iterator[str]:
    """Why an entry is no unit: NIP 3.1 counts characters by units, so each of them stands alone."""
    if not entry.models:
        yield "it has no models"
    elif entry.models > 1 and category_of(entry.category) in ("lord", "hero"):
        yield f"a lord or hero is a unit by himself; write {entry.models} lines of one model, each with its points"


def category_of(told: str) -> Category:
    """What counts for a class of another game; what nobody knows is core."""
    words = plain(told)
    return next((kind for kind, names in CUSTOM_CLASSES.items() if any(each in words for each in names)), "core")


def remarks(roster: Roster) -> Iterator[str]:
    """What the player should know of what became of his units."""
    if not roster.foreign:
        return
    yield f"units of {roster.foreign} fight with the profile of their class here"
    for entry in roster.entries:
        made = unit(entry, entry.type)
        if made.worth != entry.points:
            yield f"{entry.type}: {entry.points} points for {entry.models} models count as {made.points} each"
