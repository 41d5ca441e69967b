"""Rosters: the army that a player wants, from what he sends to units under their banners (NIP 2.4).

======================  ==============================================================================
``roster.py``           what a roster says, whatever it was written in
``text.py``             written by hand
``table.py``            CSV
``battlescribe.py``     BattleScribe and New Recruit, XML; ``safe_xml.py`` and ``archive.py`` open it
``unknown.py``          what to say of a unit that no list has
``transcript.py``       a file to the lines of a card
``writing.py``          units back to the lines of a roster
``options.py``          a unit's options: arms, mounts, command, magic items
``judging.py``          a whole roster against its army list and the rules, all reasons at once
``ready.py``            the ready-made armies, judged as rosters are
``custom.py``           units of other games, if the organizer lets them in
======================  ==============================================================================

Nothing here opens files: bytes or text come in, a roster or reasons go out.
"""

from pbem.core.errors import BadInput, Flaw
from pbem.rulesets.nippon.armies.lists import ArmyList
from pbem.rulesets.nippon.armies.rosters import archive, battlescribe, table, text
from pbem.rulesets.nippon.armies.rosters.judging import Judged, judge
from pbem.rulesets.nippon.armies.rosters.roster import Entry, Roster

__all__ = ["MOST_BYTES", "Entry", "Judged", "Roster", "judge", "read"]

MOST_BYTES = 2_000_000
"""Of a roster file; real ones have a hundredth of it."""

ZIP, MARKUP = b"PK\x03\x04", (b"<", b"\xef\xbb\xbf<", b"\xff\xfe<", b"\xfe\xff\x00<")
"""What the files begin with, whatever they are called."""


def read(name: str, content: bytes, army: ArmyList) -> Roster:
    """The roster in a file: ``.rosz``, ``.ros``, ``.csv``, or text.

    What it is, is told by its content, for phones rename files. Raises ``BadInput`` with every reason why it cannot be
    read.
    """
    content = unpacked(name, content)
    if is_markup(content):
        return battlescribe.read(name, content, army)
    written = decoded(name, content)
    return table.read(written, army, name) if name.lower().endswith(".csv") else text.read(written, army)


def unpacked(name: str, content: bytes) -> bytes:
    """The file itself, out of its archive if it is in one. Raises ``BadInput`` if it is too large or no archive."""
    if len(content) > MOST_BYTES:
        raise BadInput([Flaw(name, f"{len(content):,} bytes are too many; a roster has {MOST_BYTES:,} at most")])
    return archive.only_file(name, content) if content.startswith(ZIP) else content


def is_markup(content: bytes) -> bool:
    """Whether it is XML, as roster programs write it."""
    return content.lstrip()[:4].startswith(MARKUP)


def decoded(name: str, content: bytes) -> str:
    """A text file as text. Raises ``BadInput`` if it is none."""
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        told = content.decode(encoding)
    except UnicodeDecodeError:
        told = content.decode("cp1252", "replace")
    if "\0" in told:
        raise BadInput([Flaw(name, "this is no text; send a roster as .ros, .rosz, .csv or .txt")])
    return told
