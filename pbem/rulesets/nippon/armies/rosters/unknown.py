"""What to say of a unit that no list has: what may have been meant, and what there is."""

from pbem.core.grammar import first_word, offered
from pbem.core.orders import nearest, plain
from pbem.rulesets.nippon.armies.lists import ArmyList

RANKS = {
    "lord": "lords",
    "hero": "heroes",
    "core": "core",
    "special": "special",
    "rare": "rare",
    "war machine": "war machines",
}
"""Categories, and what those in them are called together."""

LEADERS = ("lord", "hero")


def no_unit(told: str, army: ArmyList) -> str:
    """Why ``told`` is no unit of a list."""
    reason = f"No unit is called {told!r} in the list of {army.title.lower()}."
    if named := rank(told):
        return f"{reason} There are: {_by_rank(army, LEADERS if named in LEADERS else (named,))}."
    near = meant(told, army)
    return reason + (offered(near) or f" There are: {_by_rank(army, tuple(RANKS))}.")


def meant(told: str, army: ArmyList) -> tuple[str, ...]:
    """The types of a list that come near these words."""
    near = army.spellings.near(told) or nearest(first_word(told), [*army.types])
    return tuple(dict.fromkeys(kind for each in near if (kind := army.spellings.find(each))))


def rank(told: str) -> str:
    """The category that somebody names instead of a unit; nothing if he does not."""
    return next((each for each, together in RANKS.items() if plain(told) in (each, together)), "")


def _by_rank(army: ArmyList, ranks: tuple[str, ...]) -> str:
    """``lords: general, wizard lord; heroes: captain``."""
    found = {each: [name for name, kind in army.types.items() if kind.category == each] for each in ranks}
    return "; ".join(f"{RANKS[each]}: {', '.join(names)}" for each, names in found.items() if names)
