"""Magic items as players name them: ``Sword of Might``, ``a scroll of scry``."""

import re
from functools import cache

from pbem.core.grammar import Names, unknown
from pbem.rulesets.nippon.items import ITEMS

ARTICLE = re.compile(r"^(?:(?:an?|the|one|1|my|his|her)\s+)+", re.IGNORECASE)


@cache
def item_names() -> Names[str]:
    """All items, by name."""
    return Names((name, name) for name in ITEMS)


def item(text: str) -> tuple[str, str]:
    """The item that a text begins with, and the rest of it; raises :class:`Misread`."""
    found = begun(text)
    if found is None:
        bare = ARTICLE.sub("", text)
        word = re.split(r"\s+(?:at|for|by|to|from|bid)\s+", bare)[0]
        while not (near := item_names().near(word)) and " of " in word:
            word = word.rpartition(" of ")[0]
        raise unknown("magic item", word, near, "RULES 14.9 lists them all.")
    return found


def begun(text: str) -> tuple[str, str] | None:
    """The item that a text begins with, and the rest of it; nothing if it begins otherwise."""
    return item_names().head(text) or item_names().head(ARTICLE.sub("", text))
