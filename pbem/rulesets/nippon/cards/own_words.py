"""Free words of a player, told from those that stand in their place in a line that was offered to him."""

from pbem.core.orders import plain

WHY = "why"
YOURS = "your words"
STAND_INS = frozenset({WHY, YOURS, "your reason"})


def own_words(text: str) -> str:
    """What somebody said himself: nothing, if he sent a line without putting his words into it."""
    return "" if plain(text) in STAND_INS else text
