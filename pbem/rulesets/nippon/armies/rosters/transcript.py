"""Roster files as lines of a card: who reads a mail does not know yet whose army it is, nor for which campaign."""

from dataclasses import replace

from pbem.core.errors import BadInput, Flaw
from pbem.rulesets.nippon import armies
from pbem.rulesets.nippon.armies.rosters import battlescribe, decoded, is_markup, table, unpacked, writing
from pbem.rulesets.nippon.armies.rosters.roster import Roster
from pbem.rulesets.nippon.armies.rosters.safe_xml import parse
from pbem.rulesets.nippon.armies.rosters.text import UNREAD


def transcribed(name: str, content: bytes) -> str:
    """The lines that say what the roster in a ``.ros``, ``.rosz`` or ``.csv`` file does, or what is wrong with it."""
    try:
        content = unpacked(name, content)
        return "\n".join(writing.lines(_roster(name, content))) if is_markup(content) else _written(name, content)
    except BadInput as bad:
        return "\n".join(f"{UNREAD} {flaw}" for flaw in bad.flaws)


def _written(name: str, content: bytes) -> str:
    """The lines of a text or a table. Raises ``BadInput`` for a table that does not say what its columns are."""
    told = decoded(name, content)
    if name.lower().endswith(".csv") and not any(map(table.is_header, told.splitlines())):
        raise BadInput([Flaw(name, table.WANTS_COLUMNS)])
    return told


def _roster(name: str, content: bytes) -> Roster:
    """The roster, by the list that it is made from; by none, if it is made for another game. Raises ``BadInput``."""
    root = parse(name, content)
    for title in armies.names():
        if battlescribe.is_of(root, armies.army(title)):
            return replace(battlescribe.roster_in(name, root, armies.army(title)), people=title)
    return battlescribe.roster_in(name, root, armies.army(armies.DEFAULT))
