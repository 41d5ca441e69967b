"""What banners and units may be called."""

import re
from collections.abc import Iterable

from pbem.core.orders import plain

NAME = re.compile(r"[^\W\d_][^\W_' -]*(?:[ '-][^\W_]+)*")
LONGEST_NAME = 30


def fit_name(name: str) -> bool:
    """Whether a banner can be called so: words of letters, not too long."""
    return len(name) <= LONGEST_NAME and NAME.fullmatch(name) is not None


def free_name(kind: str, taken: Iterable[str]) -> str:
    """A name for a unit that nobody gave one: that of its type, with a number if units of its realm have taken that."""
    used, name = {plain(each) for each in taken}, kind.capitalize()
    numbered = (f"{name} {number}" for number in range(2, len(used) + 3))
    return next(each for each in (name, *numbered) if plain(each) not in used)
