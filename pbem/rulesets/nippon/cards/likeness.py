"""What the words of a line may mean to say, where the line itself is no order."""

import re

from pbem.core.grammar import first_word
from pbem.core.orders import nearest, plain
from pbem.rulesets.nippon.cards.deeds import DEEDS, MEANT, WAYS
from pbem.rulesets.nippon.cards.talks import TALKS
from pbem.rulesets.nippon.cards.verbs import BASIC


def tails(text: str) -> list[str]:
    """A line from each of its words on."""
    return [text[found.start() :] for found in re.finditer(r"\w[\w'-]*", text)]


def verbs_in(text: str) -> set[str]:
    """The orders that the words of a line speak of, in whatever words; razing goes together with another."""
    words = [plain(word).removesuffix("s") for word in text.split()]
    verbs = {word if word in BASIC else MEANT.get(word, "") for word in words if word not in WAYS}
    return verbs - {"raze", ""}


def verb_like(word: str, likeness: float) -> str:
    """The verb that a word is this much like, or nothing."""
    found = nearest(word, (*BASIC, *TALKS.words), 1, likeness) if word else ()
    return found[0] if found else ""


def is_deed(text: str) -> bool:
    """Whether a line begins with something that a banner can be told, or nearly."""
    word = first_word(text)
    return DEEDS.knows(text) or plain(word) in MEANT or bool(nearest(word, BASIC, 1))
